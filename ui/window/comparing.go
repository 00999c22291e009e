package window

import (
	"context"
	"path/filepath"
	"slices"

	"fyne.io/fyne/v2/theme"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/compare"
	"cutaway/ui/files"
	"cutaway/ui/opening"
	"cutaway/ui/shell"
	"cutaway/ui/tab"
	"cutaway/ui/treeview"
)

// A comparer asks what files and nodes have not in common.
type comparer struct {
	w    *Window
	kept compare.Part // the node that was kept to be compared with another
}

// An other is something to compare with.
type other struct {
	what, where string
	compare     func(t *tab.Tab)
}

// others lists what a tab and its selected node can be compared with, the open files first.
func (c *comparer) others(t *tab.Tab) (all []other) {
	for _, o := range c.w.Pages.Tabs() {
		if o != t && o.Subject.IsFile() {
			all = append(all, other{o.Title(), "open, of " + filepath.Dir(o.Subject.File), func(*tab.Tab) { c.tabs(t, o) }})
		}
	}
	all = append(all, other{"Another file…", "", c.withFile}, other{"Several files…", "of one kind, side by side", func(*tab.Tab) { c.several() }})
	at := t.Pane.Current()
	if aSibling(t) == "" {
		all = append(all, other{"The next node", "after " + at.Label(), c.next})
	}
	if c.kept.File != "" {
		all = append(all, other{"The kept node", c.kept.Path + " of " + filepath.Base(c.kept.File), c.node})
	}
	return append(all, other{"A node still to be chosen", "keeps " + at.Path() + " until then", c.remember})
}

// with asks what to compare a tab with.
func (c *comparer) with(t *tab.Tab) {
	if !c.can(t) || t.Pane.Current() == nil {
		return
	}
	ctx, end := context.WithCancel(context.Background())
	data := treeview.SliceOf(func(o other) treeview.Row { return treeview.Row{Cells: []string{o.what, o.where}} })
	data.Set(c.others(t))
	list := c.w.Shell.NewList(ctx, "", data, []treeview.Column{{Title: "With", Width: 200}, {Title: "Where", Width: 260, Stretch: 1, Quiet: true}})
	var m *shell.Modal
	leave := func() bool {
		end()
		m.Hide()
		return false
	}
	chosen := func() bool {
		leave()
		if o, ok := data.At(list.Selected()); ok {
			o.compare(t)
		}
		return false
	}
	list.OnChosen = func(treeview.Item) { chosen() }
	m = c.w.Shell.ShowModal("Compare "+t.Title(), nil, c.w.Shell.Sized(wideList, highList, list), 0, shell.Button{Text: "Cancel", Act: leave},
		shell.Button{Text: "Compare", Main: true, Act: chosen})
	m.Escape = func() { leave() }
	list.OnEscape = m.Escape
	list.SelectIndex(0, true)
	c.w.Shell.Focus(list)
}

// The size of the list of choices, in Fyne's units.
const wideList, highList = 520, 220

// withFile asks for a file and shows what it and the tab's have not in common.
func (c *comparer) withFile(t *tab.Tab) {
	files.Choose(c.w.Shell, "Compare "+t.Title()+" with", c.w.Folder(), opening.FileKinds(), false, func(path string) {
		c.show(t, compare.Part{File: t.Subject.File}, compare.Part{File: path})
	})
}

// show shows what two parts have not in common, which are opened as a tab is.
func (c *comparer) show(t *tab.Tab, a, b compare.Part) {
	c.w.Pages.Add(compare.New(c.w.Pages.blank(), a, b, decoders.OpenOptions{Options: t.Subject.Options}))
}

// tabs shows what two tabs have not in common; that to the left counts as the one before.
func (c *comparer) tabs(a, b *tab.Tab) {
	if all := c.w.Pages.Tabs(); slices.Index(all, a) > slices.Index(all, b) {
		a, b = b, a
	}
	if c.can(a) && c.can(b) {
		c.show(a, compare.Part{File: a.Subject.File}, compare.Part{File: b.Subject.File})
	}
}

// before shows what the tab to the left, or of the first tab the one to the right, and this one have not in common.
func (c *comparer) before(t *tab.Tab) {
	all := c.w.Pages.Tabs()
	switch i := slices.Index(all, t); {
	case i > 0:
		c.tabs(all[i-1], t)
	case len(all) > 1:
		c.tabs(all[1], t)
	default:
		c.w.Shell.Notify("There is no other tab: Compare with… asks for a file")
	}
}

// can reports whether the tab's document can be compared, and says why not.
func (c *comparer) can(t *tab.Tab) bool {
	if !t.Subject.IsFile() {
		c.w.Shell.TellWords("Only a file can be compared", theme.InfoIcon(), "Save these bytes to a file first, and open that.")
	}
	return t.Subject.IsFile()
}

// part returns a node of a tab's file.
func part(t *tab.Tab, p *model.Place) compare.Part {
	return compare.Part{File: t.Subject.File, Path: p.Path()}
}

// remember keeps the selected node, of any tab, as the one that another is compared with.
func (c *comparer) remember(t *tab.Tab) {
	p := t.Pane.Current()
	if p == nil || !c.can(t) {
		return
	}
	c.kept = part(t, p)
	c.w.Actions.Enable()
	c.w.Shell.Notify("Kept: go to another node, and choose Compare… and the kept node")
}

// node shows what the selected node and the kept one have not in common.
func (c *comparer) node(t *tab.Tab) {
	p := t.Pane.Current()
	switch {
	case p == nil || !c.can(t):
	case c.kept.File == "":
		c.w.Shell.Notify("No node is kept: choose Keep node for comparing on one first")
	default:
		c.show(t, c.kept, part(t, p))
	}
}

// next shows what the selected node and its next sibling have not in common, such as two records of a stream.
func (c *comparer) next(t *tab.Tab) {
	p := t.Pane.Current()
	if p == nil || !c.can(t) {
		return
	}
	if p.Parent == nil || p.Index < 0 {
		c.w.Shell.Notify("This node has no siblings")
		return
	}
	ctx := t.Pane.Ctx
	if n, _ := p.Parent.Len(ctx); p.Index+1 >= n {
		c.w.Shell.Notify("This node is the last of its siblings")
		return
	}
	c.show(t, part(t, p), part(t, p.Parent.Child(ctx, p.Index+1)))
}

// several asks for several files of one kind, and shows what their bytes are to each other.
func (c *comparer) several() {
	files.ChooseSeveral(c.w.Shell, "Compare several files of one kind", "Compare", c.w.Folder(), opening.FileKinds(), func(paths []string) {
		if len(paths) < 2 {
			c.w.Shell.Notify("Mark at least two files")
			return
		}
		c.w.Pages.Add(compare.NewSeveral(c.w.Pages.blank(), paths))
	})
}
