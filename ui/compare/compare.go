// Package compare shows what two files have not in common: a merged tree of the changes, the values and the bytes of both
// side by side. It is a window of its own, with its own documents.
package compare

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
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

// Window shows one comparison. All its methods belong on the UI goroutine.
type Window struct {
	shell *shell.Shell
	win   fyne.Window
	ctx   context.Context
	tasks *task.Group
	docs  [2]*model.Document

	status  *widget.Label
	stop    *widget.Button
	body    *fyne.Container
	tree    *treeview.Tree
	changes *merged
	at      int // which of changes.order is shown; -1: none
	sides   *sides
}

// Show opens a window that compares two files, which are opened with the same options.
func Show(sh *shell.Shell, a, b string, opt decoders.OpenOptions) *Window {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Window{ctx: ctx, at: -1, win: sh.App.NewWindow(filepath.Base(a) + " ↔ " + filepath.Base(b))}
	own := *sh // dialogs of this window appear over it
	own.Win = w.win
	w.shell = &own
	w.tasks = task.NewGroup(sh.Post, w.showWork, own.Tell)
	w.status = widget.NewLabel("Opening…")
	w.stop = widget.NewButton("Stop", w.tasks.CancelAll)
	w.sides = newSides(w, a, b)
	w.body = container.NewStack()
	previous := widget.NewButtonWithIcon("Previous", theme.MoveUpIcon(), func() { w.Step(-1) })
	next := widget.NewButtonWithIcon("Next", theme.MoveDownIcon(), func() { w.Step(1) })
	bar := container.NewHBox(previous, next, w.status, layout.NewSpacer(), w.stop)
	split := container.NewVSplit(w.body, w.sides.object)
	split.Offset = 0.45
	w.win.SetContent(kit.Under(bar, split))
	w.win.SetMainMenu(fyne.NewMainMenu(fyne.NewMenu("File", kit.MenuItem("Close", fyne.KeyW, fyne.KeyModifierShortcutDefault, w.win.Close)),
		fyne.NewMenu("Go", kit.MenuItem("Next change", fyne.KeyF8, 0, func() { w.Step(1) }),
			kit.MenuItem("Previous change", fyne.KeyF7, 0, func() { w.Step(-1) }))))
	w.win.Canvas().SetOnTypedKey(w.typedKey) // Fyne's menus know no keys without Ctrl or Alt
	w.win.SetOnClosed(func() {
		cancel()
		for _, d := range w.docs {
			if d != nil {
				_ = d.Close() // they were only read
			}
		}
	})
	w.win.Resize(fyne.NewSize(1180, 760))
	w.win.Show()
	w.begin(a, b, opt)
	return w
}

// begin opens both files and compares them.
func (w *Window) begin(a, b string, opt decoders.OpenOptions) {
	w.tasks.Always(w.ctx, "comparing", func(ctx context.Context, progress model.Progress) func() {
		docs, m, more, err := compareFiles(ctx, a, b, opt, progress)
		return func() {
			w.docs = docs
			if w.ctx.Err() != nil { // the window was closed meanwhile
				for _, d := range docs {
					if d != nil {
						_ = d.Close()
					}
				}
				return
			}
			w.stop.Hide()
			if m == nil {
				w.status.SetText("Nothing was compared")
				w.body.Objects = []fyne.CanvasObject{kit.Message(phrase.Sentence(err))}
				w.body.Refresh()
				return
			}
			w.show(m, more, err)
		}
	})
}

// compareFiles opens two files and finds what they have not in common. more says that there is more than is kept.
func compareFiles(ctx context.Context, a, b string, opt decoders.OpenOptions, progress model.Progress) (docs [2]*model.Document, m *merged, more bool, err error) {
	for i, file := range []string{a, b} {
		if docs[i], err = decoders.OpenFile(ctx, file, opt); err != nil {
			return docs, nil, false, err
		}
	}
	name := diff.SharedView(docs[0], docs[1])
	if name == "" {
		return docs, nil, false, errors.New(docs[0].Title + " and " + docs[1].Title + " have nothing in common to compare")
	}
	var changes []*diff.Change
	x, y := docs[0].View(name), docs[1].View(name)
	err = diff.Trees(ctx, diff.SideOf(docs[0], x.Place(ctx)), diff.SideOf(docs[1], y.Place(ctx)), diff.Options{Progress: progress},
		func(c *diff.Change) error {
			if changes = append(changes, c); len(changes) == mostChanges {
				return errEnough
			}
			return nil
		})
	if errors.Is(err, errEnough) {
		more, err = true, nil
	}
	return docs, merge(ctx, x.Title, changes), more, err
}

// show shows what was found; err says why that may not be all.
func (w *Window) show(m *merged, more bool, err error) {
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
	case text == "":
		text = "The same content"
	}
	w.status.SetText(text)
	w.shell.Log.Write("compared", text)
	if len(m.order) == 0 {
		w.body.Objects = []fyne.CanvasObject{kit.Message("Both hold the same. They may be written in two ways all the same: compare the layouts or the bytes with cutaway diff.")}
		w.body.Refresh()
		return
	}
	w.tree = treeview.New(w.ctx, m, columns)
	w.shell.Remember("compare", w.tree)
	w.tree.OnSelected = func(it treeview.Item) { w.selected(it.(*branch)) }
	w.body.Objects = []fyne.CanvasObject{w.tree}
	w.body.Refresh()
	w.tree.OpenRoot()
	w.win.Canvas().Focus(w.tree)
	w.Step(1)
}

// selected shows a row's change.
func (w *Window) selected(b *branch) {
	for i, one := range w.changes.order {
		if one == b {
			w.at = i
		}
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
	w.at = (w.at + by + n) % n
	b := w.changes.order[w.at]
	w.tree.Select(b.way(), true)
	w.sides.show(b)
	w.shell.Log.Write("change", w.at+1, n, b.change.Kind.String(), b.name)
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
		w.status.SetText(s.Text + "…")
	}
}
