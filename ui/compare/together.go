package compare

import (
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
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/diff"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// mostPanes is how many files' bytes are shown beside one another; the list tells of all.
const mostPanes = 4

// Several shows what the bytes of several files of one kind are to each other. All its methods belong on the UI goroutine.
type Several struct {
	shell  *shell.Shell
	win    fyne.Window
	ctx    context.Context
	tasks  *task.Group
	names  []string
	docs   []*model.Document
	status *widget.Label
	stop   *widget.Button
	same   *kit.Check // whether constant bytes are listed
	all    []*diff.Field
	data   *treeview.Slice[*diff.Field]
	list   *treeview.Tree
	panes  []*hexview.View
	moving bool // the panes follow each other
}

// ShowSeveral opens a window that holds files side by side, whatever their format.
func ShowSeveral(sh *shell.Shell, names []string) *Several {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Several{ctx: ctx, names: names, win: sh.App.NewWindow(model.GroupedCount(int64(len(names)), "file") + " side by side")}
	own := *sh // dialogs of this window appear over it
	own.Win = w.win
	w.shell = &own
	w.tasks = task.NewGroup(sh.Post, w.showWork, own.Tell)
	w.status = widget.NewLabel("Opening…")
	w.status.Truncation = fyne.TextTruncateEllipsis
	w.stop = widget.NewButton("Stop", w.tasks.CancelAll)
	w.same = kit.NewCheck("Constant bytes", func(bool) { w.sift() })
	w.same.Checked = true
	w.makeList()
	previous := kit.NewTextButton("Previous", func() { w.Step(-1) })
	previous.Icon = theme.MoveUpIcon()
	next := kit.NewTextButton("Next", func() { w.Step(1) })
	next.Icon = theme.MoveDownIcon()
	bar := kit.Border(nil, nil, container.NewHBox(previous, next, w.same), w.stop, w.status)
	split := container.NewVSplit(w.list, w.makePanes())
	split.Offset = 0.5
	w.win.SetContent(kit.Under(bar, split))
	w.win.SetMainMenu(fyne.NewMainMenu(fyne.NewMenu("File", own.MenuItem("Close", fyne.KeyW, fyne.KeyModifierShortcutDefault, w.win.Close)),
		fyne.NewMenu("Go", own.MenuItem("Next", fyne.KeyF8, 0, func() { w.Step(1) }), own.MenuItem("Previous", fyne.KeyF7, 0, func() { w.Step(-1) }))))
	w.win.Canvas().SetOnTypedKey(func(k *fyne.KeyEvent) { // Fyne's menus know no keys without Ctrl or Alt
		switch k.Name {
		case fyne.KeyF8:
			w.Step(1)
		case fyne.KeyF7:
			w.Step(-1)
		}
	})
	w.win.SetOnClosed(func() {
		cancel()
		w.close()
	})
	w.win.Resize(fyne.NewSize(1180, 760))
	w.win.Show()
	w.begin()
	return w
}

// close closes the documents, which were only read.
func (w *Several) close() {
	for _, d := range w.docs {
		_ = d.Close()
	}
	w.docs = nil
}

func (w *Several) makeList() {
	w.data = treeview.SliceOf(func(f *diff.Field) treeview.Row {
		return treeview.Row{Cells: []string{phrase.Hex(f.Off), model.Grouped(f.Len), f.Type, f.What(), w.shown(f)}, Dim: f.Sort == diff.Constant}
	})
	w.list = w.shell.NewList(w.ctx, "together", w.data, []treeview.Column{{Title: "Offset", Width: 100, Mono: true}, {Title: "Bytes", Width: 80, Mono: true, Right: true},
		{Title: "Type", Width: 70}, {Title: "What", Width: 280, Stretch: 1}, {Title: "Values", Width: 320, Mono: true, Stretch: 2}})
	w.list.OnSelected = func(it treeview.Item) {
		if f, ok := w.data.At(it); ok {
			w.show(f)
		}
	}
}

// makePanes makes a pane for the bytes of each of the first files.
func (w *Several) makePanes() fyne.CanvasObject {
	var columns []fyne.CanvasObject
	for i, name := range w.names[:min(len(w.names), mostPanes)] {
		hex := hexview.New()
		hex.SetPost(w.shell.Post)
		hex.ShowTip = kit.TipOver(hex)
		hex.SetMode(w.shell.Store.Unfolded())
		hex.OnScroll = func(off, _ int64) { w.follow(i, off) }
		w.panes = append(w.panes, hex)
		title := widget.NewLabelWithStyle(filepath.Base(name), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
		title.Truncation = fyne.TextTruncateEllipsis
		columns = append(columns, kit.Under(title, hex))
	}
	return container.NewGridWithColumns(len(columns), columns...)
}

// follow scrolls the other panes along.
func (w *Several) follow(from int, off int64) {
	if w.moving {
		return
	}
	w.moving = true
	defer func() { w.moving = false }()
	for i, hex := range w.panes {
		if i != from {
			hex.ScrollTo(off)
		}
	}
}

// begin opens the files and goes through them.
func (w *Several) begin() {
	names := w.names
	w.tasks.Always(w.ctx, "holding side by side", func(ctx context.Context, progress model.Progress) func() {
		docs, fields, err := hold(ctx, names, progress)
		return func() {
			w.docs = docs
			if w.ctx.Err() != nil { // the window was closed meanwhile
				w.close()
				return
			}
			w.stop.Hide()
			if len(docs) < len(names) {
				w.status.SetText(phrase.Sentence(err))
				return
			}
			w.found(fields, err)
		}
	}, func(err error) { w.status.SetText(phrase.Sentence(err)) })
}

// hold opens files as bytes and finds what these are to each other; what it found is kept also where it ended early.
func hold(ctx context.Context, names []string, progress model.Progress) (docs []*model.Document, fields []*diff.Field, err error) {
	var opt decoders.OpenOptions
	opt.Format = decoders.PlainBytes
	var spans []model.Span
	for _, name := range names {
		d, err := decoders.OpenFile(ctx, name, opt)
		if err != nil {
			return docs, nil, err
		}
		docs = append(docs, d)
		spans = append(spans, d.Source().Whole())
	}
	err = diff.Together(ctx, spans, progress, func(f *diff.Field) error {
		if fields = append(fields, f); len(fields) == mostChanges {
			return errEnough
		}
		return nil
	})
	return docs, fields, err
}

// found shows what was found; err says why that may not be all.
func (w *Several) found(fields []*diff.Field, err error) {
	w.all = fields
	for i, hex := range w.panes {
		hex.SetSource(w.docs[i].Source())
	}
	var constant int64
	known := 0
	for _, f := range fields {
		switch f.Sort {
		case diff.Constant:
			constant += f.Len
		case diff.Varies:
		default:
			known++
		}
	}
	text := fmt.Sprintf("%s the same in all; %s", model.GroupedCount(constant, "byte"), model.GroupedCount(int64(known), "number"))
	switch {
	case errors.Is(err, errEnough):
		text += "; there are more"
	case err != nil:
		text += " so far; stopped"
	}
	if name, longer := w.shortest(); longer {
		text += "; up to the end of " + name + ", the shortest"
	}
	if more := len(w.names) - len(w.panes); more > 0 {
		text += fmt.Sprintf("; below the bytes of the first %d", len(w.panes))
	}
	w.status.SetText(text)
	w.shell.Log.Write("together", len(fields), known)
	w.sift()
	w.win.Canvas().Focus(w.list)
}

// shortest is the name of the shortest file, and whether another is longer.
func (w *Several) shortest() (name string, longer bool) {
	least, most := 0, 0
	for i, d := range w.docs {
		if size := d.Source().Size(); size < w.docs[least].Source().Size() {
			least = i
		} else if size > w.docs[most].Source().Size() {
			most = i
		}
	}
	return filepath.Base(w.names[least]), w.docs[most].Source().Size() > w.docs[least].Source().Size()
}

// sift lists the fields, with constant bytes or without.
func (w *Several) sift() {
	fields := w.all
	if !w.same.Checked {
		fields = slices.DeleteFunc(slices.Clone(fields), func(f *diff.Field) bool { return f.Sort == diff.Constant })
	}
	w.data.Set(fields)
	w.list.Recount()
	w.list.Invalidate()
}

// shown is what the files have at a field: of a number each one's, of other bytes those of the first.
func (w *Several) shown(f *diff.Field) string {
	const few, fewBytes = 12, 32
	if f.Values == nil {
		return model.Show(w.ctx, model.Blob{Span: w.docs[0].Source().Span(f.Off, f.Len)}, fewBytes)
	}
	var list []string
	for _, n := range f.Values[:min(len(f.Values), few)] {
		list = append(list, strconv.FormatUint(n, 10))
	}
	return strings.Join(list, ", ")
}

// show shows the bytes of a field in all panes.
func (w *Several) show(f *diff.Field) {
	w.moving = true
	defer func() { w.moving = false }()
	for _, hex := range w.panes {
		hex.SetRanges(hexview.Ranges{Selected: []hexview.Range{{Off: f.Off, Len: f.Len}}})
		hex.SetCursor(f.Off)
		hex.Reveal(f.Off, 1)
	}
}

// Step goes to the next number or varying bytes, or with -1 to those before; after the last come the first.
func (w *Several) Step(by int64) {
	fields := w.data.All()
	n := int64(len(fields))
	at, selected := w.list.Selection.Item().(int64)
	if !selected && by > 0 {
		at = -1
	}
	for range n {
		if at = (at + by + n) % n; fields[at].Sort != diff.Constant {
			w.list.SelectIndex(at, false)
			w.show(fields[at])
			return
		}
	}
}

// showWork shows how far it is.
func (w *Several) showWork() {
	if s := w.tasks.State(); s.Task != nil {
		w.status.SetText(s.Text + "…")
	}
}
