// Package filter narrows a tree down to the nodes that match a query above it.
package filter

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// MaxFiltered is the maximum number of matches in a filtered tree.
const MaxFiltered = 20_000

// FilterAfter is the time after the last key before the tree is filtered.
const FilterAfter = 200 * time.Millisecond

// A Filter narrows the tree of one view down to the nodes that match its text.
type Filter struct {
	bar    *Pane
	View   *model.View
	Text   string
	Wrong  error // of Text, or nil
	Tree   *treeview.Tree
	Data   *Data
	Run    *filterRun   // or nil if the whole tree is shown
	last   *model.Place // the node of the last Mark
	hidden bool         // the filter hides last
	warns  bool         // the bar says so
	typing task.Latest  // the wait for further keys
	used   bool         // Text has been parsed
}

// A filterRun is a pass over the tree.
type filterRun struct {
	Text    string
	query   *search.Query
	All     bool // decodes pending parts
	stop    context.CancelFunc
	builder *builder
	shown   bool // the tree shows its matches
	first   bool // the first match will be selected once it is found
	stepped bool // a match was selected by Step
	Matches atomic.Int64
	// The following are set at its end.
	Done    bool
	visited int64
	Enough  bool  // more than MaxFiltered nodes match
	Stopped bool  // it was cancelled
	pending int64 // parts that are not decoded
}

// errEnough ends a search that has found MaxFiltered matches.
var errEnough = errors.New("enough was found")

// Host lists the functions of its document that the filter may call.
type Host struct {
	View        func() *model.View              // returns the shown view
	Current     func() *model.Place             // returns the selected node, or nil
	NewData     func(v *model.View) *nodes.Data // returns the data of the whole tree of a view
	NewTree     func(data treeview.Data, v *model.View) *treeview.Tree
	SelectItem  func(p *nodes.Item)                 // selects a node that the user selected in a filtered tree
	SelectWhole func(v *model.View, p *model.Place) // selects a node in the whole tree of a view
	ShowTree    func(v *model.View)                 // shows the tree of a view, if the view is shown
	FocusTree   func()
	Known       func() // called after more was decoded
}

// A Pane is the row above the tree, shown while it is used: the entry, the number of matches, and a button that closes
// the filter.
type Pane struct {
	shell.Opened
	host   Host
	texts  map[string]string // the filters' texts by view
	Object *fyne.Container   // the row, and the tree below
	Entry  *kit.Entry
	Note   *widget.Label
	All    *widget.Button
	clear  *kit.Button
	row    fyne.CanvasObject // the entry, the note and the buttons
	opened bool              // the row was opened, and not left since
	Told   fyne.CanvasObject // the line that warns of a hidden selection
	Views  map[string]*Filter
}

// New makes the row above a tree. texts has the filters' texts by view.
func New(opened shell.Opened, host Host, texts map[string]string, tree fyne.CanvasObject) *Pane {
	b := &Pane{Opened: opened, host: host, texts: texts, Views: make(map[string]*Filter)}
	b.Entry = kit.NewEntry(b.Leave)
	b.Entry.Key = b.key
	b.Entry.SetPlaceHolder("Filter: name, value, type:…, /regexp/, >1e6, 10..20")
	b.Entry.OnChanged = b.changed
	b.Entry.Icon = theme.SearchIcon()
	b.Note = kit.QuietLabel("")
	b.Note.SizeName = theme.SizeNameCaptionText
	b.All = kit.QuietButton("", nil, func() { b.Now().Decode() })
	b.clear = kit.IconButton(theme.CancelIcon(), "Show all nodes, and close the filter (Escape)", b.Leave)
	show := kit.NewLink("Show all", false, b.Leave)
	hidden := widget.NewLabel("The filter hides the selected node.")
	hidden.SizeName = theme.SizeNameCaptionText
	b.Told = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(0, 2, 8, 6,
		container.NewHBox(container.NewCenter(widget.NewIcon(theme.InfoIcon())), hidden, container.NewCenter(show))))
	row := kit.Border(nil, nil, nil, container.NewHBox(b.Note, b.All, b.clear), b.Entry)
	b.row = kit.NewBacked(theme.ColorNameHeaderBackground, kit.Padded(3, 3, 4, 4, row))
	b.Object = kit.Under(b.row, kit.Under(b.Told, tree))
	b.update()
	return b
}

// Now returns the filter of the shown view.
func (b *Pane) Now() *Filter { return b.Of(b.host.View()) }

// Of returns the filter of a view.
func (b *Pane) Of(v *model.View) *Filter {
	f := b.Views[v.Name]
	if f == nil {
		f = &Filter{bar: b, View: v, Text: b.texts[v.Name]}
		b.Views[v.Name] = f
	}
	return f
}

// Tree returns the filtered tree of a view, or nil if the whole one is shown.
func (b *Pane) Tree(v *model.View) *treeview.Tree {
	if f := b.Views[v.Name]; f != nil && f.Run != nil && f.Run.shown {
		return f.Tree
	}
	return nil
}

// Trees lists the filtered trees.
func (b *Pane) Trees() []*treeview.Tree {
	var all []*treeview.Tree
	for _, f := range b.Views {
		if f.Tree != nil {
			all = append(all, f.Tree)
		}
	}
	return all
}

// Again filters all trees again, after more was decoded.
func (b *Pane) Again() {
	for _, f := range b.Views {
		if f.Run != nil {
			f.start(f.Run.All)
		}
	}
}

// key handles a key of the entry. It returns false if the entry handles the key itself.
func (b *Pane) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnter:
		f := b.Now()
		if f.Wrong != nil {
			break
		}
		if f.Run == nil && f.Text != "" || f.Run != nil && f.Run.Text != f.Text {
			f.start(false)
		}
		if f.Run != nil && name != fyne.KeyDown {
			f.Step(false)
		}
		b.host.FocusTree()
	default:
		return false
	}
	return true
}

// Step selects the match after the selected node, or with back the one before it, around the ends. The first Step
// selects the first match, as soon as one is found.
func (f *Filter) Step(back bool) {
	r := f.Run
	var at *Filtered
	if r.stepped {
		way, _ := f.Data.Way(f.selected())
		for _, step := range way {
			if is, ok := step.Item.(*Filtered); ok {
				at = is // steps further down are children of a match
			}
		}
	}
	if r.first = !r.shown; r.first {
		return
	}
	if m := f.Data.step(at, back); m != nil {
		r.stepped = true
		way, _ := f.Data.Way(m.Place)
		f.Tree.Select(way, false)
	}
}

// Open gives the keyboard to the entry.
func (b *Pane) Open() {
	b.opened = true
	b.update()
	b.Focus(b.Entry)
	b.Entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	b.LogField("filter", b.Entry)
}

// Flip opens the row, or leaves it if it is open.
func (b *Pane) Flip() {
	if b.row.Visible() {
		b.Leave()
	} else {
		b.Open()
	}
}

// Leave shows the whole tree again without the row, and gives it the keyboard.
func (b *Pane) Leave() {
	b.opened = false
	b.Entry.SetText("")
	b.update()
	b.host.FocusTree()
}

// changed sets the text of the shown view's filter.
func (b *Pane) changed(text string) {
	if f := b.Now(); f.Text != text {
		f.set(text)
	}
}

// Show updates the row for the shown view.
func (b *Pane) Show() {
	f := b.Now()
	b.Entry.SetText(f.Text)
	if f.Text != "" && !f.used { // it was typed for another document
		f.set(f.Text)
	}
	b.update()
}

// update shows the number of matches, and the parts of the row that apply.
func (b *Pane) update() {
	f := &Filter{}
	if b.host.View() != nil {
		f = b.Now()
	}
	b.note(f)
	more := ""
	if r := f.Run; r != nil && r.Done && r.pending > 0 && !r.Enough {
		more = "Decode " + model.GroupedCount(r.pending, "part")
	}
	if more != b.All.Text {
		b.All.SetText(more)
	}
	kit.SetVisible(b.All, more != "")
	if shown := b.opened || f.Text != ""; shown != b.row.Visible() {
		kit.SetVisible(b.row, shown)
		b.Object.Refresh()
	}
	if warn := f.hidden && f.warns && f.Run != nil && f.Run.Done; warn != b.Told.Visible() {
		kit.SetVisible(b.Told, warn)
		b.Object.Objects[1].Refresh()
	}
}

// note shows the filter's error beside the entry, or the number of matches.
func (b *Pane) note(f *Filter) {
	importance := widget.LowImportance
	if f.Wrong != nil {
		importance = widget.DangerImportance
	}
	if text := f.say(); text != b.Note.Text || importance != b.Note.Importance {
		b.Note.Importance = importance
		b.Note.SetText(text)
	}
	kit.SetVisible(b.Note, b.Note.Text != "")
}

// longestWrong is the maximum length of an error beside the entry, in characters.
const longestWrong = 90

// say returns the text of the note beside the entry.
func (f *Filter) say() string {
	r := f.Run
	switch {
	case f.Wrong != nil:
		return phrase.Short(f.Wrong.Error(), longestWrong)
	case r == nil:
		return ""
	case r.Enough:
		return "first " + model.Grouped(r.Matches.Load()) + " shown"
	}
	switch n := model.Grouped(r.Matches.Load()); {
	case !r.Done:
		return n + "…"
	case r.Stopped:
		return n + ", cancelled"
	default:
		return n + " of " + model.Grouped(r.visited)
	}
}

// set filters by text, or shows the whole tree if it is empty.
func (f *Filter) set(text string) {
	f.Text, f.used = text, true
	f.bar.texts[f.View.Name] = text
	if text == "" {
		f.off()
		return
	}
	_, f.Wrong = search.ParseQuery(text)
	if errors.Is(f.Wrong, search.ErrEmpty) {
		f.Wrong = nil
	}
	f.bar.update()
	f.bar.Tasks.After(f.typing.Next(f.bar.Ctx), FilterAfter, func() { f.start(false) })
}

// off shows the whole tree, with the selected node.
func (f *Filter) off() {
	f.Wrong, f.hidden = nil, false
	if f.Run != nil {
		f.Run.stop()
		f.Run = nil
		if p := f.selected(); p != nil {
			f.bar.host.SelectWhole(f.View, p)
		}
		f.bar.host.ShowTree(f.View)
		f.bar.Log.Write("filter", "off", f.View.Name)
	}
	f.bar.update()
}

// Decode filters again, and decodes pending parts.
func (f *Filter) Decode() { f.start(true) }

// start filters the tree in the background. The former tree stays until a match is found.
func (f *Filter) start(all bool) {
	f.used = true
	f.typing.Stop() // a start that waits for further keys is not needed
	q, err := search.ParseQuery(f.Text)
	if err != nil {
		return
	}
	b := f.bar
	if f.Run != nil {
		f.Run.stop()
	}
	f.make()
	r := &filterRun{Text: f.Text, query: q, All: all}
	f.Run = r
	what := "filtering " + f.View.Title
	if all {
		what = "decoding and filtering " + f.View.Title
	}
	var within context.Context
	within, r.stop = context.WithCancel(b.Ctx)
	start := f.View.Place(b.Ctx)
	root := &Filtered{Item: *nodes.ItemOf(start)}
	r.builder = &builder{f.Data, []*Filtered{root}, map[*model.Place]*Filtered{start: root}}
	b.Log.Write("filter", "started", f.View.Name, f.Text)
	over, end := context.WithCancel(within)
	go b.Tasks.Every(over.Done(), func() func() { return func() { f.grown(r, root) } })
	b.Tasks.Always(within, what, func(ctx context.Context, progress model.Progress) func() {
		defer end()
		visited, err := r.work(ctx, b.Doc, start, progress)
		return func() {
			r.Done, r.visited = true, visited
			r.Enough = errors.Is(err, errEnough)
			r.Stopped = err != nil && !r.Enough
			f.grown(r, root)
			if f.Run == r {
				b.Log.Write("filter", "done", f.View.Name, r.Matches.Load(), f.Tree.Rows())
			}
			if all && b.Ctx.Err() == nil {
				b.host.Known()
			}
			if err == nil && !all {
				f.lookForPending(within, r)
			}
		}
	}, func(err error) {
		r.Done, r.Stopped = true, true
		f.grown(r, root)
		b.Tell(what, err)
	})
}

// lookForPending counts in the background the parts that a run has not searched.
func (f *Filter) lookForPending(ctx context.Context, r *filterRun) {
	b := f.bar
	b.Tasks.Go(ctx, "looking for what is not decoded", func(ctx context.Context, _ model.Progress) func() {
		n := countPending(ctx, f.View)
		return func() {
			r.pending = n
			f.bar.update()
			b.Log.Write("filter", "pending", f.View.Name, n)
		}
	})
}

// work searches the tree below start, and returns the number of visited nodes.
func (r *filterRun) work(ctx context.Context, doc *model.Document, start *model.Place, progress model.Progress) (int64, error) {
	defer r.builder.finish()
	opt := search.TreeOptions{Elements: true, Derived: r.All, Resolve: r.All, Progress: progress}
	q, err := r.query.Measured(ctx, doc, start, progress)
	if err != nil {
		return 0, err
	}
	return search.Tree(ctx, start, q, opt, func(_ context.Context, h search.Hit) error {
		if r.Matches.Load() >= MaxFiltered {
			return errEnough
		}
		if r.builder.add(h.Place) {
			r.Matches.Add(1)
		}
		return nil
	})
}

// countPending counts the known parts of a view that are not decoded.
func countPending(ctx context.Context, v *model.View) (n int64) {
	_ = model.Walk(ctx, v.Place(ctx), model.WalkOptions{Fleeting: true}, func(p *model.Place) error {
		n += int64(len(p.Node.Derived))
		if p.Node.IsPending() {
			n++
		}
		return nil
	}) // a cancelled count has the parts so far
	return n
}

// grown shows the matches so far. It replaces the former tree once a match is found or the run is done.
func (f *Filter) grown(r *filterRun, root *Filtered) {
	b := f.bar
	if f.Run != r || b.Ctx.Err() != nil {
		return
	}
	switch {
	case r.shown:
		f.Tree.Grow()
		f.Tree.Invalidate() // some rows have become branches
		if f.hidden {
			f.Mark(f.last, f.warns)
		}
	case r.Done || r.Matches.Load() > 0:
		r.shown = true
		f.Data.show(root, r.query)
		f.Tree.Restart()
		f.Tree.OpenRoot()
		f.Mark(f.selected(), f.warns)
		b.host.ShowTree(f.View)
		if r.first {
			f.Step(false)
		}
	}
	f.bar.update()
}

// selected returns the node that the whole tree would select.
func (f *Filter) selected() *model.Place {
	if p := f.bar.host.Current(); p != nil && nodes.ViewOf(p) == f.View.Name {
		return p
	}
	return f.last
}

// Mark selects p in the filtered tree. If the filter hides p, Mark selects the nearest node above it, and with warn the
// bar says so.
func (f *Filter) Mark(p *model.Place, warn bool) {
	f.last, f.warns, f.hidden = p, warn, false
	if p == nil || f.Run == nil || !f.Run.shown {
		return
	}
	way, all := f.Data.Way(p)
	f.hidden = !all
	if nearest := way[len(way)-1].Item; all || f.Tree.Selection.Item() != nearest {
		f.Tree.Select(way, true)
	}
	f.bar.update()
}

// make makes the tree of the filter, once.
func (f *Filter) make() {
	if f.Tree != nil {
		return
	}
	b := f.bar
	f.Data = &Data{Data: b.host.NewData(f.View)}
	f.Data.show(&Filtered{Item: *nodes.ItemOf(f.View.Place(b.Ctx))}, nil)
	f.Tree = b.host.NewTree(f.Data, f.View)
	f.Tree.OnSelected = func(it treeview.Item) {
		f.hidden = false
		f.bar.update()
		b.host.SelectItem(PlaceOf(it))
	}
	f.Tree.OnEscape = f.bar.Leave
	f.Tree.OnResolved = b.host.Known // the tree is not filtered again, which would close the nodes that the user opened
}
