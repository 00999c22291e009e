// Package folder lists the files of a folder with their formats and problems, in a tab that fills as they are checked.
// The results are kept, so that the next look reads only what has changed.
package folder

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
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

// Pane shows one folder in a tab. All its methods belong on the UI goroutine.
type Pane struct {
	*shell.Page
	Dir  string
	kept string // the file with the lines of the last look
	open func(file string)

	status, told  *widget.Label
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

// New lists the files of a folder on a page. open shows one of the files. asOne shows those that can be one document, or is nil.
func New(page *shell.Page, dir string, open func(file string), asOne func()) *Pane {
	p := &Pane{Page: page, Dir: dir, kept: keptFile(dir), open: open}
	p.Name = filepath.Base(dir) + " · files"
	p.makeList()
	p.page = container.New(kit.Tight{}, p.makeBars(asOne), p.body, p.told)
	p.Object.Add(p.page)
	p.Look()
	return p
}

// TakeKeys gives the keyboard to the list.
func (p *Pane) TakeKeys() { p.Focus(p.list) }

// makeBars makes the two bars above the table.
func (p *Pane) makeBars(asOne func()) fyne.CanvasObject {
	p.status = widget.NewLabel("")
	p.status.Truncation = fyne.TextTruncateEllipsis
	buttons := container.NewHBox(widget.NewButtonWithIcon("Refresh", theme.ViewRefreshIcon(), p.Look), widget.NewButtonWithIcon("Export…", theme.DocumentSaveIcon(), p.Export))
	if asOne != nil {
		buttons.Objects = append([]fyne.CanvasObject{widget.NewButton("Open as one", asOne)}, buttons.Objects...)
	}
	p.which = kit.NewSelect([]string{known, troubled, failing, altered, every}, nil)
	p.which.Selected = known
	p.which.OnChanged = func(which string) { p.sift(func(q *query) { q.which = which }) }
	p.format = kit.NewSelect([]string{anyFormat}, nil)
	p.format.Selected = anyFormat
	p.format.OnChanged = func(format string) { p.sift(func(q *query) { q.format = format }) }
	p.want.Store(&query{which: known})
	p.deep = kit.NewCheck("Every byte", nil)
	p.deep.Checked = true
	p.deep.OnChanged = func(bool) { p.Look() }
	p.filter = p.NewFilter(p.list, func(text string) { p.sift(func(q *query) { q.text = text }) })
	first := kit.Border(nil, nil, nil, buttons, p.status)
	second := kit.Border(nil, nil, container.NewHBox(kit.FixedWidth(selectWidth, p.which), kit.FixedWidth(selectWidth, p.format), p.deep), nil, p.filter)
	return kit.BarPadded(container.NewVBox(first, second))
}

// listName is the name by which the widths of the columns are kept.
const listName = "folder"

// showColumns gives the column of changes no room while there are none.
func (p *Pane) showColumns() {
	var hidden []int
	if !p.changes {
		hidden = []int{byChange}
	}
	p.ShowColumns(listName, p.list, columns, hidden...)
}

func (p *Pane) makeList() {
	p.told = widget.NewLabel("Enter or a double click opens a file; a click on a title sorts.")
	p.told.Importance, p.told.SizeName, p.told.Wrapping = widget.LowImportance, theme.SizeNameCaptionText, fyne.TextWrapWord
	p.data = treeview.SliceOf((*row).show)
	p.list = p.NewList(p.Ctx, listName, p.data, columns)
	p.showColumns()
	p.list.ShowSorted(byName, false)
	p.list.OnTitle = p.SortBy
	p.list.OnSelected = func(it treeview.Item) {
		if r, ok := p.data.At(it); ok {
			p.chosen = r
			p.say(r.line())
		}
	}
	p.list.OnChosen = func(it treeview.Item) {
		if r, ok := p.data.At(it); ok {
			p.choose(r)
		}
	}
	p.list.OnMenu = func(it treeview.Item, _ int, at fyne.Position) {
		if r, ok := p.data.At(it); ok {
			widget.ShowPopUpMenuAtPosition(fyne.NewMenu("", kit.MenuItem("Open", "", 0, func() { p.choose(r) }),
				kit.MenuItem("Copy path", "", 0, func() { p.CopyText(r.Name, "Path") })), p.Win.Canvas(), at)
		}
	}
	p.body = container.NewStack(p.list)
}

// say writes a line below the table.
func (p *Pane) say(text string) {
	p.told.SetText(text)
	p.page.Layout.Layout(p.page.Objects, p.page.Size()) // it may take more lines or fewer
}

// Columns returns the titles of the columns of the table.
func (p *Pane) Columns() (titles []string) {
	for _, c := range columns {
		titles = append(titles, c.Title)
	}
	return titles
}

// SortedBy returns the column by which the table is sorted.
func (p *Pane) SortedBy() int { return p.want.Load().column }

// Filter gives the keyboard to the field that filters the table.
func (p *Pane) Filter() { p.Focus(p.filter) }

// choose opens a file.
func (p *Pane) choose(r *row) {
	if r.Change == scan.Gone {
		p.say(r.name + " is not there any more")
		return
	}
	p.Log.Write("chosen", r.Name)
	p.open(r.Name)
}

// SortBy orders the table by a column; by the same one again, the other way round. Counts begin with the largest.
func (p *Pane) SortBy(column int) {
	most := column == byErrors || column == byWarnings || column == bySize
	down := most
	if q := p.want.Load(); column == q.column {
		down = !q.down
	}
	p.list.ShowSorted(column, down)
	p.sift(func(q *query) { q.column, q.down = column, down })
}

// Look checks the folder anew. A file that has not changed is not read again.
func (p *Pane) Look() {
	within := p.looking.Next(p.Ctx)
	l := &look{}
	p.now = l
	p.status.SetText("Looking for files…")
	p.fill(within, l, nil, nil)
	// One processor is left to the window.
	opt := scan.Options{Jobs: max(runtime.GOMAXPROCS(0)-1, 1), Deep: p.deep.Checked, Identity: true, By: p.Version, Timeout: fileLimit, Limit: "the limit for one file"}
	dir, kept := p.Dir, p.kept
	over, end := context.WithCancel(within)
	go p.Tasks.Every(over.Done(), func() func() { return p.arranged(within, l) })
	p.Tasks.Always(within, "looking at files", func(ctx context.Context, progress model.Progress) func() {
		defer end()
		err := l.run(ctx, dir, kept, opt, progress)
		show := p.arranged(within, l)
		return func() {
			if within.Err() == nil {
				show()
				p.ended(err)
			}
		}
	}, p.ended)
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
func (p *Pane) sift(change func(q *query)) {
	q := *p.want.Load()
	change(&q)
	p.want.Store(&q)
	within, l := p.sifting.Next(p.Ctx), p.now
	p.Tasks.Go(within, "", func(context.Context, model.Progress) func() {
		rows := l.done()
		list := q.arrange(rows)
		return func() { p.fill(p.Ctx, l, rows, list) }
	})
}

// arranged arranges what was found so far, and returns what shows it. It runs in the background.
func (p *Pane) arranged(within context.Context, l *look) func() {
	q := p.want.Load()
	rows := l.done()
	list := q.arrange(rows)
	return func() {
		if q == p.want.Load() { // else another order is on its way
			p.fill(within, l, rows, list)
		}
	}
}

// fill shows a list of the rows; the selected file stays selected.
func (p *Pane) fill(within context.Context, l *look, rows, list []*row) {
	if within.Err() != nil || p.Ctx.Err() != nil || l != p.now {
		return
	}
	was := p.data.All()
	p.data.Set(list)
	if changes := slices.ContainsFunc(list, func(r *row) bool { return r.Change != "" }); changes != p.changes {
		p.changes = changes
		p.showColumns()
	}
	if len(list) >= len(was) && slices.Equal(list[:len(was)], was) {
		p.list.Grow()
	} else {
		p.list.Recount()
		if at := slices.IndexFunc(list, func(r *row) bool { return p.chosen != nil && r.Name == p.chosen.Name }); at >= 0 {
			p.chosen = list[at]
			p.list.KeepIndex(int64(at))
		}
	}
	if now := kinds(rows); !slices.Equal(now, p.format.Options) && len(rows) > 0 {
		p.format.SetOptions(now)
	}
	if len(rows) > 0 {
		p.status.SetText(summary(rows, len(list)))
	}
	p.Log.Write("files", len(rows), len(list))
}

// ended says how a look has ended.
func (p *Pane) ended(err error) {
	rows := p.now.done()
	text := summary(rows, len(p.data.All()))
	switch {
	case errors.Is(err, context.Canceled):
		text += " · stopped"
	case err != nil:
		text = phrase.Sentence(err)
	case len(rows) == 0:
		text = "There are no files in this folder"
	}
	if passed := p.now.passed.Passed(); err == nil && passed != "" {
		text += " · " + passed
	}
	p.status.SetText(text)
	p.Log.Write("looked", len(rows), text)
}
