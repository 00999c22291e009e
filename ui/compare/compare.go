// Package compare shows what two files have not in common: a merged tree of the changes, the values and the bytes of both
// side by side. It is a window of its own, with its own documents.
package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// mostChanges is how many changes are kept and shown.
const mostChanges = 100_000

// errEnough ends a comparison that has found too many.
var errEnough = errors.New("too many changes")

// A Part is what is compared: a file, or a node in it.
type Part struct {
	File string
	Path string // of the node; "": all of the file
}

func (p Part) title() string {
	if p.Path == "" {
		return filepath.Base(p.File)
	}
	return filepath.Base(p.File) + "#" + p.Path
}

// Window shows one comparison. All its methods belong on the UI goroutine.
type Window struct {
	shell *shell.Shell
	win   fyne.Window
	ctx   context.Context
	tasks *task.Group
	parts [2]Part
	docs  [2]*model.Document

	status    *widget.Label
	stop      *widget.Button
	bar       *kit.Bar
	ways      *kit.Select // what is compared of them; of nodes also:
	stored    *kit.Check  // how it is stored counts, too
	tolerance *kit.Entry  // numbers that differ by no more are the same
	all       *kit.Check  // what has not changed is in the tree, too
	again     task.Latest
	page      *fyne.Container // the changes above both sides, or what is said in their place
	split     *container.Split
	body      *fyne.Container
	tree      *treeview.Tree
	changes   *merged
	whole     *whole // the tree has what has not changed, too; nil: it has not
	going     task.Latest
	at        int // which of changes.order is shown; -1: none
	sides     *sides
}

// Show opens a window that compares two files or nodes, whose files are opened with the same options.
func Show(sh *shell.Shell, a, b Part, opt decoders.OpenOptions) *Window {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Window{ctx: ctx, at: -1, parts: [2]Part{a, b}, win: sh.App.NewWindow(a.title() + " ↔ " + b.title())}
	own := *sh // dialogs of this window appear over it
	own.Win = w.win
	w.shell = &own
	w.tasks = task.NewGroup(sh.Post, w.showWork, own.Tell)
	w.status = widget.NewLabel("Opening…")
	w.stop = widget.NewButton("Stop", w.tasks.CancelAll)
	w.ways = kit.NewSelect(nil, func(string) { w.compare() })
	w.stored = kit.NewCheck("As stored", func(bool) { w.compare() })
	w.tolerance = kit.NewEntry(func() {
		if w.tree != nil {
			w.win.Canvas().Focus(w.tree)
		}
	})
	w.tolerance.SetPlaceHolder("Tolerance")
	w.tolerance.OnSubmitted = func(string) { w.compare() }
	w.all = kit.NewCheck("Unchanged", func(bool) { w.plant() })
	w.ways.Hide()
	w.showOfNodes(false)
	w.sides = newSides(w, a.title(), b.title())
	w.body = container.NewStack()
	previous := kit.NewTextButton("Previous", func() { w.Step(-1) })
	previous.Icon = theme.MoveUpIcon()
	next := kit.NewTextButton("Next", func() { w.Step(1) })
	next.Icon = theme.MoveDownIcon()
	w.bar = kit.NewBarOf(w.status, w.tolerance, 56, 96, previous, next, w.ways, w.stored, w.tolerance, w.all, w.status, w.stop)
	w.split = container.NewVSplit(w.body, w.sides.object)
	w.split.Offset = 0.36
	w.page = container.NewStack(kit.Centered(kit.Message("Reading both…")))
	w.win.SetContent(kit.Under(w.bar.Box, w.page))
	w.win.SetMainMenu(fyne.NewMainMenu(fyne.NewMenu("File", own.MenuItem("Close", fyne.KeyW, fyne.KeyModifierShortcutDefault, w.win.Close)),
		fyne.NewMenu("Go", own.MenuItem("Next change", fyne.KeyF8, 0, func() { w.Step(1) }),
			own.MenuItem("Previous change", fyne.KeyF7, 0, func() { w.Step(-1) }))))
	w.win.Canvas().SetOnTypedKey(w.typedKey) // Fyne's menus know no keys without Ctrl or Alt
	w.win.SetOnClosed(func() {
		cancel()
		closeAll(w.docs)
	})
	w.win.Resize(fyne.NewSize(1180, 760))
	w.win.Show()
	w.begin(opt)
	return w
}

// closeAll closes documents, which were only read.
func closeAll(docs [2]*model.Document) {
	for i, d := range docs {
		if d != nil && (i == 0 || d != docs[0]) {
			_ = d.Close()
		}
	}
}

// begin opens both files and compares them.
func (w *Window) begin(opt decoders.OpenOptions) {
	w.tasks.Always(w.ctx, "opening", func(ctx context.Context, _ model.Progress) func() {
		docs, err := open(ctx, w.parts, opt)
		return func() {
			if w.ctx.Err() != nil { // the window was closed meanwhile
				closeAll(docs)
				return
			}
			w.docs = docs
			if err != nil {
				w.nothing(err)
				return
			}
			w.ways.Options = waysOf(docs, w.parts)
			w.ways.Show()
			w.ways.SetSelectedIndex(0)
		}
	}, w.nothing)
}

// nothing says why nothing is compared.
func (w *Window) nothing(err error) {
	w.stop.Hide()
	w.say("Nothing was compared")
	w.stage(kit.Message(phrase.Sentence(err)))
}

// stage shows something in place of the changes and both sides.
func (w *Window) stage(o fyne.CanvasObject) {
	w.page.Objects = []fyne.CanvasObject{o}
	w.page.Refresh()
}

// how is in what way two sides are compared.
type how struct {
	way       string
	stored    bool
	tolerance float64
}

// chosen is the way that is chosen; ok is false where the tolerance is none.
func (w *Window) chosen() (h how, ok bool) {
	h = how{way: w.ways.Selected, stored: w.stored.Checked}
	text := strings.TrimSpace(w.tolerance.Text)
	if text == "" {
		return h, true
	}
	var err error
	h.tolerance, err = strconv.ParseFloat(text, 64)
	return h, err == nil && h.tolerance >= 0
}

// compare compares in the way that is chosen.
func (w *Window) compare() {
	h, ok := w.chosen()
	if !ok {
		w.say(fmt.Sprintf("%q is no tolerance: a number of 0 or more is wanted", w.tolerance.Text))
		return
	}
	w.showOfNodes(h.way != asBytes)
	within := w.again.Next(w.ctx)
	w.stop.Show()
	w.bar.Fit()
	w.changes, w.at = nil, -1
	w.sides.set("", [2]shownSide{})
	docs := w.docs
	w.tasks.Always(within, "comparing", func(ctx context.Context, progress model.Progress) func() {
		m, more, err := compareIn(ctx, docs, w.parts, h, progress)
		return func() {
			switch {
			case within.Err() != nil: // another way was chosen
			case m == nil:
				w.nothing(err)
			default:
				w.stop.Hide()
				w.show(within, h, m, more, err)
			}
		}
	}, w.nothing)
}

// showOfNodes shows or hides what there is to choose of nodes: what knows none knows no numbers.
func (w *Window) showOfNodes(on bool) {
	for _, o := range []fyne.CanvasObject{w.stored, w.tolerance, w.all} {
		kit.SetVisible(o, on)
	}
}

// say says how far the comparison is, or what has come of it.
func (w *Window) say(text string) {
	w.status.SetText(text)
	w.bar.Fit()
}

// asBytes is the way of comparing that knows no format, asNodes that of two nodes.
const (
	asBytes = "Bytes"
	asNodes = "Content"
)

// open opens the files: as what they are, or as bytes where no format knows one of them.
func open(ctx context.Context, parts [2]Part, opt decoders.OpenOptions) (docs [2]*model.Document, err error) {
	for i, part := range parts {
		if i > 0 && part.File == parts[0].File {
			docs[i] = docs[0]
			break
		}
		opt.OrBytes = part.Path == ""
		if docs[i], err = decoders.OpenFile(ctx, part.File, opt); err != nil {
			closeAll(docs)
			return [2]*model.Document{}, err
		}
	}
	return docs, nil
}

// waysOf is what can be compared of two documents, the best first: the views that both have, their bytes.
func waysOf(docs [2]*model.Document, parts [2]Part) (ways []string) {
	if parts[0].Path != "" && parts[1].Path != "" {
		return []string{asNodes, asBytes}
	}
	for _, v := range docs[0].Views {
		other := docs[1].View(v.Name)
		if other != nil && docs[0].Format != decoders.PlainBytes && (v.Name != model.LayoutView || docs[0].Format == docs[1].Format) {
			ways = append(ways, v.Title)
		}
	}
	return append(ways, asBytes)
}

// sidesOf are the places that are compared in a way.
func sidesOf(ctx context.Context, docs [2]*model.Document, parts [2]Part, way string) (sides [2]diff.Side, err error) {
	for i, d := range docs {
		if path := parts[i].Path; path != "" {
			p, err := d.Lookup(ctx, path)
			if err != nil {
				return sides, err
			}
			sides[i] = diff.SideOf(d, p)
			continue
		}
		name := model.LayoutView
		for _, v := range docs[0].Views {
			if v.Title == way {
				name = v.Name
			}
		}
		sides[i] = diff.SideOf(d, d.View(name).Place(ctx))
	}
	return sides, nil
}

// compareIn finds what two documents or nodes have not in common. more says that there is more than is kept.
func compareIn(ctx context.Context, docs [2]*model.Document, parts [2]Part, h how, progress model.Progress) (m *merged, more bool, err error) {
	sides, err := sidesOf(ctx, docs, parts, h.way)
	if err != nil {
		return nil, false, err
	}
	if h.way == asBytes {
		return compareBytes(ctx, docs, parts, sides, progress)
	}
	var changes []*diff.Change
	err = diff.Trees(ctx, sides[0], sides[1], diff.Options{Progress: progress, Stored: h.stored, Tolerance: h.tolerance}, func(c *diff.Change) error {
		if changes = append(changes, c); len(changes) == mostChanges {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		more, err = true, nil
	}
	m = merge(ctx, h.way, sides, changes)
	for _, d := range docs {
		met, failed := d.Limits(ctx)
		m.limited = m.limited || len(met) > 0
		err = cmp.Or(err, failed)
	}
	return m, more, err
}

// compareBytes finds which bytes of two files or nodes differ, were inserted or taken out.
func compareBytes(ctx context.Context, docs [2]*model.Document, parts [2]Part, sides [2]diff.Side, progress model.Progress) (m *merged, more bool, err error) {
	at, err := bytesOf(docs, parts, sides)
	if err != nil {
		return nil, false, err
	}
	m = &merged{ctx: ctx, root: &branch{name: asBytes}}
	err = diff.Bytes(ctx, at[0], at[1], progress, func(r diff.Range) error {
		b := m.root.add("", phrase.Hex(r.OffA))
		b.piece = &[2]model.Span{at[0].Source.Span(r.OffA, r.LenA), at[1].Source.Span(r.OffB, r.LenB)}
		m.root.counts[r.Kind()]++
		if m.order = append(m.order, b); len(m.order) == mostChanges {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		more, err = true, nil
	}
	return m, more, err
}

// bytesOf are the bytes of two files or nodes.
func bytesOf(docs [2]*model.Document, parts [2]Part, sides [2]diff.Side) (at [2]model.Span, err error) {
	for i, part := range parts {
		if at[i] = docs[i].Source().Whole(); part.Path == "" {
			continue
		}
		if at[i] = sides[i].Start.Node.Span(); at[i].Source == nil {
			err = errors.New(part.Path + " has no bytes of its own")
		}
	}
	return at, err
}

// show shows what was found; err says why that may not be all.
func (w *Window) show(within context.Context, h how, m *merged, more bool, err error) {
	m.ctx = w.ctx
	w.changes = m
	all := m.root.counts
	if m.root.change != nil {
		all[m.root.change.Kind]++
	}
	text := counted(all)
	switch {
	case err != nil:
		text += " so far; stopped"
	case more:
		text += "; there are more"
	case text == "" && h.way == asBytes:
		text = "The same bytes"
	case text == "" && h.stored:
		text = "The same content, stored in the same way"
	case text == "" && h.tolerance > 0:
		text = fmt.Sprintf("The same content, but for numbers that differ by %g or less", h.tolerance)
	case text == "":
		text = "The same content"
	}
	if m.limited {
		text += "; not all was compared, since the tables of a file are larger than the memory for them (Edit › Settings)"
	}
	w.say(text)
	w.shell.Log.Write("compared", text)
	if len(m.order) == 0 {
		w.tree = nil
		w.showSame(within, h, text)
		return
	}
	w.stage(w.split)
	w.plant()
	w.win.Canvas().Focus(w.tree)
}

// plant makes the tree of what was found, and goes to the change that was shown, or the first.
func (w *Window) plant() {
	m := w.changes
	if m == nil || len(m.order) == 0 {
		return
	}
	w.whole = nil
	data := treeview.Data(m)
	if w.all.Checked && m.sides[0].Start != nil {
		w.whole = &whole{merged: m, docs: w.docs}
		data = w.whole
	}
	w.tree = treeview.New(w.ctx, data, columns)
	w.shell.Remember("compare", w.tree)
	w.tree.OnSelected = func(it treeview.Item) { w.selected(m, it) }
	w.body.Objects = []fyne.CanvasObject{w.tree}
	w.body.Refresh()
	w.tree.OpenRoot()
	w.goTo(max(w.at, 0))
}

// selected shows a row of what was found; none while that is being found anew.
func (w *Window) selected(m *merged, it treeview.Item) {
	if m != w.changes {
		return
	}
	b, ok := it.(*branch)
	if !ok {
		h := it.(*held)
		if h.change() == nil {
			w.sides.same(w.whole, h)
			return
		}
		b = h.branch
	}
	if i := slices.Index(m.order, b); i >= 0 {
		w.at = i
	}
	w.sides.show(b)
}

// Step goes to the next change, or with -1 to the one before; after the last comes the first.
func (w *Window) Step(by int) {
	if w.changes == nil || len(w.changes.order) == 0 {
		return
	}
	n := len(w.changes.order)
	if w.at < 0 && by < 0 {
		w.at = 0
	}
	w.goTo((w.at + by + n) % n)
}

// goTo selects a change and shows it.
func (w *Window) goTo(at int) {
	w.at = at
	b := w.changes.order[at]
	within := w.going.Next(w.ctx)
	if w.whole == nil {
		w.tree.Select(b.way(), true)
	} else {
		tree, whole := w.tree, w.whole
		w.tasks.Try(within, "finding the node", func(ctx context.Context, _ model.Progress) (func(), error) {
			way, err := whole.way(ctx, b)
			return func() { tree.Select(way, true) }, err
		})
	}
	w.sides.show(b)
	w.shell.Log.Write("change", at+1, len(w.changes.order), b.kind().String(), b.name)
}

// typedKey does what a key does that nobody else wants.
func (w *Window) typedKey(k *fyne.KeyEvent) {
	switch k.Name {
	case fyne.KeyF8:
		w.Step(1)
	case fyne.KeyF7:
		w.Step(-1)
	}
}

// showWork shows how far the comparison is.
func (w *Window) showWork() {
	if s := w.tasks.State(); s.Task != nil {
		w.say(s.Text + "…")
	}
}
