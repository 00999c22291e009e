// Package folder lists the files of a folder with their formats and problems, in a window of its own that fills as they are checked.
// The results are kept, so that the next look reads only what has changed.
package folder

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/scan"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// selectWidth is the width of the choices above the table.
const selectWidth = 172

// fileLimit is the longest time for one file.
const fileLimit = 10 * time.Minute

// Window shows one folder. All its methods belong on the UI goroutine.
type Window struct {
	shell *shell.Shell
	win   fyne.Window
	ctx   context.Context
	tasks *task.Group
	dir   string
	kept  string // the file with the lines of the last look
	open  func(file string)

	status, told  *widget.Label
	stop, again   *widget.Button
	which, format *kit.Select
	deep          *kit.Check
	filter        *kit.Entry
	data          *treeview.Slice[*row]
	list          *treeview.Tree
	body, page    *fyne.Container
	changes       bool // some file has changed since the last look

	want    atomic.Pointer[query]
	chosen  *row
	looking task.Latest // one look at a time
	sifting task.Latest // the last wish counts
	now     *look
}

// look is one way through the folder.
type look struct {
	mu   sync.Mutex
	rows []*row // in the order of their checks

	passed scan.Listing // what was passed over; set before the look has ended
}

func (l *look) done() []*row {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.rows[:len(l.rows):len(l.rows)]
}

// Show opens a window on a folder. open shows one of its files, asOne all that can be one document, or is nil.
func Show(sh *shell.Shell, dir string, open func(file string), asOne func()) *Window {
	ctx, cancel := context.WithCancel(context.Background())
	if whole, err := filepath.Abs(dir); err == nil {
		dir = whole
	}
	w := &Window{ctx: ctx, dir: dir, kept: keptFile(dir), open: open, win: sh.App.NewWindow(filepath.Base(dir) + " · files")}
	own := *sh // dialogs of this window appear over it
	own.Win = w.win
	w.shell = &own
	own.Notify = w.say
	w.tasks = task.NewGroup(sh.Post, w.showWork, own.Tell)
	w.makeList()
	w.page = container.New(kit.Tight{}, w.makeBars(asOne), w.body, w.told)
	w.win.SetContent(kit.WithTips(w.page))
	w.makeMenu()
	w.win.SetOnClosed(cancel)
	w.win.Resize(fyne.NewSize(1180, 760))
	w.win.Show()
	w.Look()
	w.win.Canvas().Focus(w.list)
	return w
}

// makeBars makes the two bars above the table.
func (w *Window) makeBars(asOne func()) fyne.CanvasObject {
	w.status = widget.NewLabel("")
	w.status.Truncation = fyne.TextTruncateEllipsis
	w.stop = widget.NewButtonWithIcon("Stop", theme.CancelIcon(), w.tasks.CancelAll)
	w.again = widget.NewButtonWithIcon("Look again", theme.ViewRefreshIcon(), w.Look)
	export := widget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), w.Export)
	buttons := container.NewHBox(w.stop, w.again, export)
	if asOne != nil {
		buttons.Objects = append([]fyne.CanvasObject{widget.NewButton("Open as one", asOne)}, buttons.Objects...)
	}
	w.which = kit.NewSelect([]string{known, troubled, failing, altered, every}, nil)
	w.which.Selected = known
	w.which.OnChanged = func(which string) { w.sift(func(q *query) { q.which = which }) }
	w.format = kit.NewSelect([]string{anyFormat}, nil)
	w.format.Selected = anyFormat
	w.format.OnChanged = func(format string) { w.sift(func(q *query) { q.format = format }) }
	w.want.Store(&query{which: known})
	w.deep = kit.NewCheck("Every byte", nil)
	w.deep.Checked = true
	w.deep.OnChanged = func(bool) { w.Look() }
	w.filter = w.shell.NewFilter(w.list, func(text string) { w.sift(func(q *query) { q.text = text }) })
	first := kit.Border(nil, nil, nil, buttons, w.status)
	second := kit.Border(nil, nil, container.NewHBox(kit.FixedWidth(selectWidth, w.which), kit.FixedWidth(selectWidth, w.format), w.deep), nil, w.filter)
	return kit.BarPadded(container.NewVBox(first, second))
}

// listName is the name by which the widths of the columns are kept.
const listName = "folder"

// showColumns gives the column of changes no room while there are none.
func (w *Window) showColumns() {
	var hidden []int
	if !w.changes {
		hidden = []int{byChange}
	}
	w.shell.ShowColumns(listName, w.list, columns, hidden...)
}

func (w *Window) makeList() {
	w.told = widget.NewLabel("Enter or a double click opens a file; a click on a title sorts.")
	w.told.Importance, w.told.SizeName, w.told.Wrapping = widget.LowImportance, theme.SizeNameCaptionText, fyne.TextWrapWord
	w.data = treeview.SliceOf((*row).show)
	w.list = w.shell.NewList(w.ctx, listName, w.data, columns)
	w.showColumns()
	w.list.ShowSorted(byName, false)
	w.list.OnTitle = w.SortBy
	w.list.OnSelected = func(it treeview.Item) {
		if r, ok := w.data.At(it); ok {
			w.chosen = r
			w.say(r.line())
		}
	}
	w.list.OnChosen = func(it treeview.Item) {
		if r, ok := w.data.At(it); ok {
			w.choose(r)
		}
	}
	w.list.OnMenu = func(it treeview.Item, _ int, at fyne.Position) {
		if r, ok := w.data.At(it); ok {
			widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", kit.MenuItem("Open", "", 0, func() { w.choose(r) }),
				kit.MenuItem("Copy path", "", 0, func() { w.shell.CopyText(r.Name, "Path") })), w.win.Canvas(), at)
		}
	}
	w.body = container.NewStack(w.list)
}

// say writes a line below the table.
func (w *Window) say(text string) {
	w.told.SetText(text)
	w.page.Layout.Layout(w.page.Objects, w.page.Size()) // it may take more lines or fewer
}

func (w *Window) makeMenu() {
	const ctrl = fyne.KeyModifierShortcutDefault
	file := fyne.NewMenu("File", w.shell.MenuItem("Open the selected file", "", 0, func() {
		if w.chosen != nil {
			w.choose(w.chosen)
		}
	}), w.shell.MenuItem("Look again", fyne.KeyR, ctrl, w.Look), w.shell.MenuItem("Export…", fyne.KeyE, ctrl|fyne.KeyModifierShift, w.Export),
		fyne.NewMenuItemSeparator(), w.shell.MenuItem("Close", fyne.KeyW, ctrl, w.win.Close))
	find := fyne.NewMenu("Edit", w.shell.MenuItem("Filter", fyne.KeyF, ctrl, func() { w.shell.Focus(w.filter) }))
	sort := fyne.NewMenu("Sort")
	for i, c := range columns {
		sort.Items = append(sort.Items, w.shell.MenuItem("By "+strings.ToLower(c.Title), "", 0, func() { w.SortBy(i) }))
	}
	menus := []*fyne.Menu{file, find, sort}
	for i, m := range menus {
		kit.WriteKeys(m)
		key := &desktop.CustomShortcut{KeyName: fyne.KeyName(m.Label[:1]), Modifier: fyne.KeyModifierAlt}
		w.shell.AddKey(key, func() { kit.OpenMenu(w.win.Canvas(), i, 0) })
	}
	w.win.SetMainMenu(fyne.NewMainMenu(menus...))
}

// choose opens a file.
func (w *Window) choose(r *row) {
	if r.Change == scan.Gone {
		w.say(r.name + " is not there any more")
		return
	}
	w.shell.Log.Write("chosen", r.Name)
	w.open(r.Name)
}

// SortBy orders the table by a column; by the same one again, the other way round. Counts begin with the largest.
func (w *Window) SortBy(column int) {
	most := column == byErrors || column == byWarnings || column == bySize
	down := most
	if q := w.want.Load(); column == q.column {
		down = !q.down
	}
	w.list.ShowSorted(column, down)
	w.sift(func(q *query) { q.column, q.down = column, down })
}

// Look checks the folder anew. A file that has not changed is not read again.
func (w *Window) Look() {
	within := w.looking.Next(w.ctx)
	l := &look{}
	w.now = l
	w.stop.Show()
	w.again.Hide()
	w.status.SetText("Looking for files…")
	w.fill(within, l, nil, nil)
	// One processor is left to the window.
	opt := scan.Options{Jobs: max(runtime.GOMAXPROCS(0)-1, 1), Deep: w.deep.Checked, Identity: true, By: w.shell.Version, Timeout: fileLimit, Limit: "the limit for one file"}
	dir, kept := w.dir, w.kept
	over, end := context.WithCancel(within)
	go w.tasks.Every(over.Done(), func() func() { return w.arranged(within, l) })
	w.tasks.Always(within, "looking at files", func(ctx context.Context, progress model.Progress) func() {
		defer end()
		err := l.run(ctx, dir, kept, opt, progress)
		show := w.arranged(within, l)
		return func() {
			if within.Err() == nil {
				show()
				w.ended(err)
			}
		}
	}, w.ended)
}

// run looks at the files, and keeps what it found.
func (l *look) run(ctx context.Context, dir, kept string, opt scan.Options, progress model.Progress) error {
	if err := isFolder(dir); err != nil {
		return err
	}
	var names []scan.Name
	err := l.passed.Each([]string{dir}, func(n scan.Name) error {
		names = append(names, n)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	opt.Since = readKept(kept)
	left := make(map[string]bool, len(names)) // that exist and were not reached
	for _, n := range names {
		left[n.File] = true
	}
	for _, f := range opt.Since.Missing(func(name string) bool { return left[name] }) {
		l.add(ctx, dir, f)
	}
	done := int64(0)
	err = scan.Run(ctx, func(give func(scan.Name) error) error {
		for _, n := range names {
			if err := give(n); err != nil {
				return err
			}
		}
		return nil
	}, opt, func(f *scan.File) error {
		l.add(ctx, dir, f)
		delete(left, f.Name)
		done++
		progress.Report(done, int64(len(names)), "")
		return nil
	})
	if keepErr := store(context.WithoutCancel(ctx), kept, l.files(opt.Since, left)); err == nil {
		err = keepErr
	}
	return err
}

// add adds a file to the rows.
func (l *look) add(ctx context.Context, dir string, f *scan.File) {
	name, err := filepath.Rel(dir, f.Name)
	if err != nil {
		name = f.Name
	}
	r := rowOf(ctx, f, name)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = append(l.rows, r)
}

// files returns what is known of the existing files: of those that were not reached, what was known before.
func (l *look) files(former scan.Former, left map[string]bool) (all []*scan.File) {
	for _, r := range l.done() {
		if r.Change != scan.Gone {
			all = append(all, r.File)
		}
	}
	for name := range left {
		if f := former[name]; f != nil {
			all = append(all, f)
		}
	}
	return all
}

// sift changes which rows are shown, and how.
func (w *Window) sift(change func(q *query)) {
	q := *w.want.Load()
	change(&q)
	w.want.Store(&q)
	within, l := w.sifting.Next(w.ctx), w.now
	w.tasks.Go(within, "", func(context.Context, model.Progress) func() {
		rows := l.done()
		list := q.arrange(rows)
		return func() { w.fill(w.ctx, l, rows, list) }
	})
}

// arranged arranges what was found so far, and returns what shows it. It runs in the background.
func (w *Window) arranged(within context.Context, l *look) func() {
	q := w.want.Load()
	rows := l.done()
	list := q.arrange(rows)
	return func() {
		if q == w.want.Load() { // else another order is on its way
			w.fill(within, l, rows, list)
		}
	}
}

// fill shows a list of the rows; the selected file stays selected.
func (w *Window) fill(within context.Context, l *look, rows, list []*row) {
	if within.Err() != nil || w.ctx.Err() != nil || l != w.now {
		return
	}
	was := w.data.All()
	w.data.Set(list)
	if changes := slices.ContainsFunc(list, func(r *row) bool { return r.Change != "" }); changes != w.changes {
		w.changes = changes
		w.showColumns()
	}
	if len(list) >= len(was) && slices.Equal(list[:len(was)], was) {
		w.list.Grow()
	} else {
		w.list.Recount()
		if at := slices.IndexFunc(list, func(r *row) bool { return w.chosen != nil && r.Name == w.chosen.Name }); at >= 0 {
			w.chosen = list[at]
			w.list.KeepIndex(int64(at))
		}
	}
	if now := kinds(rows); !slices.Equal(now, w.format.Options) && len(rows) > 0 {
		w.format.SetOptions(now)
	}
	if len(rows) > 0 {
		w.status.SetText(summary(rows, len(list)))
	}
	w.shell.Log.Write("files", len(rows), len(list))
}

// ended says how a look has ended.
func (w *Window) ended(err error) {
	w.stop.Hide()
	w.again.Show()
	rows := w.now.done()
	text := summary(rows, len(w.data.All()))
	switch {
	case errors.Is(err, context.Canceled):
		text += " · stopped"
	case err != nil:
		text = phrase.Sentence(err)
	case len(rows) == 0:
		text = "There are no files in this folder"
	}
	if passed := w.now.passed.Passed(); err == nil && passed != "" {
		text += " · " + passed
	}
	w.status.SetText(text)
	w.shell.Log.Write("looked", len(rows), text)
}

// showWork shows how far the look is.
func (w *Window) showWork() {
	s := w.tasks.State()
	if s.Task == nil {
		return
	}
	text := summary(w.now.done(), len(w.data.All()))
	if s.Done < s.Total {
		text = model.Grouped(s.Done) + " of " + model.GroupedCount(s.Total, "file") + " looked at · " + text
	}
	w.status.SetText(text)
}
