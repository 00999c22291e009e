package window

import (
	"context"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/tab"
	"cutaway/ui/task"
)

// A destination is where the location bar leads: a path, or an offset.
type destination struct {
	path string // "" for an offset
	off  int64

	near    bool // with an error: the text may be a path from the selected node
	outside bool // with an error: the source ends before the offset, which another may have
}

// parseDestination reads what was typed into the location bar: a path such as "layout/TOC", or an offset: "1234", "0x100*3+8",
// "+16" and "-16" from here, "end-16" from the end. views are the first names of paths, shown is the source of offsets.
func parseDestination(text string, views []string, shown string, here, size int64) (destination, error) {
	text = strings.TrimSpace(text)
	first, _, _ := strings.Cut(text, "/")
	for _, v := range views {
		if first == v {
			return destination{path: strings.TrimRight(text, "/")}, nil
		}
	}
	sum := text
	switch {
	case text == "":
		return destination{}, fmt.Errorf("type a path, such as %s/…, or an offset", views[0])
	case text[0] == '+' || text[0] == '-':
		sum = "here" + text
	case strings.EqualFold(text, "end"):
		sum = "end-1"
	}
	off, ok := phrase.Calculate(sum, map[string]int64{"here": here, "end": size})
	if !ok {
		if strings.Contains(text, "/") {
			return destination{near: true}, fmt.Errorf("no view is named %q; paths begin with %s", first, strings.Join(views, ", "))
		}
		return destination{near: true}, fmt.Errorf("%q is neither a path nor an offset; try %s/…, .points[12], 1234, 0x100*3+8, +16 or end-16", text, views[0])
	}
	if off < 0 || off >= size {
		_, alone := phrase.ParseCount(text)
		return destination{off: off, outside: alone}, fmt.Errorf("offset %d (%s) is outside %s, which has %s", off, phrase.Hex(off), shown, model.GroupedCount(size, "byte"))
	}
	return destination{off: off}, nil
}

// A Place is the bar with the way back and the path of the selected node, where a user types where to go.
type Place struct {
	w       *Window
	object  fyne.CanvasObject
	row     *fyne.Container
	Entry   *kit.Entry
	Crumbs  *kit.Crumbs            // over the entry while nothing is typed
	steps   []string               // the paths of the crumbs
	Refused *widget.Label          // why what was typed does not lead anywhere, or what it may go on with
	typed   bool                   // the user has typed the text
	guess   task.Latest            // looks for how it may go on
	InTree  *widget.Button         // shows the selected node in its own tree, where another is open
	buttons map[*kit.Button]string // those that do an action, by its ID
}

func newPlace(w *Window) *Place {
	p := &Place{w: w, Refused: widget.NewLabel(""), buttons: make(map[*kit.Button]string)}
	left := container.NewHBox()
	for _, b := range []struct {
		icon     fyne.Resource
		tip, act string
	}{{theme.NavigateBackIcon(), "Back (Alt+←)", "go.back"}, {theme.NavigateNextIcon(), "Forward (Alt+→)", "go.forward"},
		{theme.MoveUpIcon(), "Parent node (Alt+Shift+↑)", "go.parent"}} {
		button := kit.IconButton(b.icon, b.tip, func() { w.Actions.Find(b.act).Do() })
		p.buttons[button] = b.act
		left.Add(button)
	}
	p.Entry = kit.NewEntry(p.leave)
	p.Entry.TextStyle.Monospace = true
	p.Entry.SetPlaceHolder("Go to a path or an offset: layout/…   0x400   0x100*3+8   +16   end-16")
	p.Entry.OnSubmitted = p.GoTo
	p.Crumbs = kit.NewCrumbs(func(i int) { w.withOpen(func(t *tab.Tab) { t.Pane.Nav.GoTo(p.steps[i]) }) }, func() { p.focus(p.Entry.Text) })
	p.Entry.OnChanged = func(string) {
		p.typed = p.Entry.Focused
		p.refuse(nil)
	}
	p.Entry.TakesTab = func() bool { return p.typed && p.Entry.Text != "" }
	p.Entry.Key = p.complete
	p.Entry.OnFocus = func(gained bool) { // what was typed and not sent leads nowhere
		p.typed = false
		p.showCrumbs()
		if !gained && !p.Refused.Visible() {
			w.withOpen(func(t *tab.Tab) { t.Pane.CursorMoved() })
		}
	}
	p.Refused.Importance, p.Refused.Truncation = widget.DangerImportance, fyne.TextTruncateEllipsis
	p.Refused.Hide()
	p.InTree = widget.NewButton("", func() { w.withOpen(func(t *tab.Tab) { t.Pane.Nav.ShowInTree() }) })
	p.InTree.Hide()
	p.row = w.Find.Fit(kit.Border(nil, nil, left, p.InTree, container.NewStack(p.Entry, kit.Padded(2, 2, 2, 2, p.Crumbs))))
	p.showCrumbs()
	p.object = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(4, 4, 6, 6, container.NewVBox(p.row, p.Refused)))
	return p
}

// update enables what can be done now, and offers to show the selected node in its own tree, where another one is open that does not
// have it.
func (p *Place) update() {
	for b, act := range p.buttons {
		setEnabled(b, p.w.Actions.Find(act).Need() == "")
	}
	t := p.w.Active
	open := t != nil && t.Pane != nil
	setEnabled(p.Entry, open)
	v := (*model.View)(nil)
	if open {
		v = t.Pane.Nav.Elsewhere()
	}
	if v != nil {
		p.InTree.SetText("Show in " + v.Title)
	}
	if (v != nil) != p.InTree.Visible() {
		kit.SetVisible(p.InTree, v != nil)
		p.row.Refresh()
	}
}

func setEnabled(o fyne.Disableable, on bool) {
	if on {
		o.Enable()
	} else {
		o.Disable()
	}
}

// show shows a place in the status bar and its path here.
func (p *Place) show(text, path string) {
	p.w.Status.showWhere(text)
	if path != "" && !p.Entry.Focused {
		p.Entry.SetText(path)
	}
	p.showCrumbs()
}

// showCrumbs shows the way to the selected node over the path field, unless the user types.
func (p *Place) showCrumbs() {
	p.steps = nil
	var names []string
	p.w.withOpen(func(t *tab.Tab) {
		at := t.Pane.Current()
		if at == nil || p.Entry.Focused || at.Path() != p.Entry.Text {
			return
		}
		way := at.Segments()
		v := t.Pane.Doc.View(way[0].Path())
		for i, step := range way {
			name := v.LabelOf(t.Pane.Ctx, step)
			switch {
			case i == 0 && v != nil && v != t.Pane.Doc.Views[0]:
				name = t.Title() + ": " + v.Title
			case i == 0:
				name = t.Title()
			case i+1 < len(way) && v != nil && t.Pane.Trees.Sorted(v).IsThrough(step): // what is below it is shown as its parent's
				continue
			}
			names, p.steps = append(names, name), append(p.steps, step.Path())
		}
	})
	p.Crumbs.Set(names)
	kit.SetVisible(p.Crumbs, len(names) > 0)
}

// showNowhere shows that there is no place: where the tab before was is none of this one's.
func (p *Place) showNowhere() {
	p.w.Status.showWhere("")
	if !p.Entry.Focused {
		p.Entry.SetText("")
	}
	p.showCrumbs()
}

// refuse says below the bar why it does not lead anywhere, until what it says is changed; with nil, it does.
func (p *Place) refuse(err error) {
	text := ""
	if err != nil {
		text = phrase.Sentence(err)
	}
	p.say(text, widget.DangerImportance)
}

// say says something below the bar.
func (p *Place) say(text string, importance widget.Importance) {
	if text == p.Refused.Text {
		return
	}
	p.Refused.Importance = importance
	p.Refused.SetText(text)
	kit.SetVisible(p.Refused, text != "")
	p.w.Shell.Win.Content().Refresh()
	p.w.Shell.Log.Write("refused", text)
}

// complete handles the key Tab: it types the rest of a path that begins like the text.
func (p *Place) complete(name fyne.KeyName) bool {
	if name != fyne.KeyTab {
		return false
	}
	if kit.ShiftHeld() {
		p.w.Shell.Win.Canvas().FocusPrevious()
		return true
	}
	text := p.Entry.Text
	p.w.withOpen(func(t *tab.Tab) {
		t.Tasks.Go(p.guess.Next(t.Pane.Ctx), "completing "+text, func(ctx context.Context, _ model.Progress) func() {
			longer, names := search.Complete(ctx, t.Pane.Doc, text)
			return func() { p.completed(text, longer, names) }
		})
	})
	return true
}

// completed types the rest of a path, unless the text has changed, or says what it may go on with.
func (p *Place) completed(text, longer string, names []string) {
	switch {
	case p.Entry.Text != text:
	case len(names) == 0:
		p.refuse(fmt.Errorf("nothing begins with %s", text))
	default:
		p.Entry.SetText(longer)
		p.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
		const few = 12
		if len(names) > 1 {
			p.say(model.Grouped(int64(len(names)))+" begin so: "+strings.Join(names[:min(len(names), few)], "  "), widget.LowImportance)
		}
	}
}

// focus lets the user type where to go.
func (p *Place) focus(text string) {
	p.Entry.SetText(text)
	p.w.Shell.Focus(p.Entry)
	if text != "" {
		p.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// leave goes back to the tree, whatever was typed.
func (p *Place) leave() {
	p.w.Shell.Win.Canvas().Unfocus()
	p.w.withOpen(func(t *tab.Tab) {
		t.Pane.Trees.FocusTree()
		t.Pane.CursorMoved()
	})
}

// GoTo goes where the text says. An offset that decompressed bytes do not have may be one of the file: Enter once more goes there.
func (p *Place) GoTo(text string) {
	p.w.withOpen(func(t *tab.Tab) {
		var views []string
		for _, v := range t.Pane.Doc.Views {
			views = append(views, v.Name)
		}
		shown := t.Pane.Hex.Shown
		src := shown.Src
		g, err := parseDestination(text, views, src.Title(), shown.View.Cursor(), src.Size())
		if g.outside && src.Origin() != nil {
			for src.Origin() != nil {
				src = src.Origin().Parent
			}
			switch {
			case g.off >= src.Size():
				err = fmt.Errorf("%w, and outside %s, which has %s", err, src.Title(), model.GroupedCount(src.Size(), "byte"))
			case p.Refused.Visible(): // with the same text
				err = nil
			default:
				err = fmt.Errorf("%w; Enter once more goes there in %s", err, t.Pane.Hex.TabFor(src).Title())
			}
		}
		switch {
		case g.near:
			t.Pane.Nav.GoToNear(strings.TrimSpace(text), func(error) { p.refuse(err) })
		case err != nil:
			p.refuse(err)
		case g.path != "":
			t.Pane.Nav.GoToOr(g.path, p.refuse)
		default:
			p.refuse(nil)
			t.Pane.Nav.GoToOffsetOf(src, g.off)
			p.w.Shell.Focus(t.Pane.Hex.Shown.View)
		}
	})
}
