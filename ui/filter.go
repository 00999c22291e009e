package ui

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// maxFiltered is how many matches a filtered tree shows.
const maxFiltered = 20_000

// filterAfter is how long nothing is typed before the tree is filtered.
const filterAfter = 200 * time.Millisecond

// filter narrows the tree of one view down to the nodes that match what is typed above it.
type filter struct {
	bar   *treeFilter
	view  *model.View
	text  string
	wrong error // what is wrong with text
	tree  *treeview.Tree
	data  *filterData
	run   *filterRun   // nil: the whole tree is shown
	last  *model.Place // what was to be selected last, while the tree is filtered
	// hidden tells that the filter hides last, and told that this is to be said.
	hidden, told bool
	typing       task.Latest // waits for more to be typed
	used         bool        // its text has been looked at
}

// filterRun is one pass over the tree.
type filterRun struct {
	text    string
	query   *search.Query
	all     bool // decode what is not decoded yet
	stop    context.CancelFunc
	sift    *sift
	shown   bool // the tree shows it
	matches atomic.Int64
	// What is known when it is over.
	done    bool
	visited int64
	enough  bool  // there are more matches
	stopped bool  // it was cancelled
	pending int64 // parts that are not decoded
}

// errEnough ends a search that has found as much as is shown.
var errEnough = errors.New("enough was found")

// treeFilter is the row above the tree: what to show, how much that is, and a button that shows all.
type treeFilter struct {
	s      *session
	object *fyne.Container // the bar, and the tree below it
	entry  *kit.Entry
	note   *widget.Label
	all    *widget.Button
	clear  *widget.Button
	told   fyne.CanvasObject // the line that tells of a hidden selection
	views  map[string]*filter
}

func newTreeFilter(s *session) *treeFilter {
	b := &treeFilter{s: s, views: make(map[string]*filter)}
	b.entry = kit.NewEntry(b.leave)
	b.entry.Key = b.key
	b.entry.SetPlaceHolder("Filter: name, value, type:…, /regexp/, >1e6, 10..20")
	b.entry.OnChanged = b.changed
	b.entry.Icon = theme.SearchIcon()
	b.note = widget.NewLabel("")
	b.note.SizeName, b.note.Importance = theme.SizeNameCaptionText, widget.LowImportance
	b.all = widget.NewButton("", func() { b.now().decode() })
	b.all.Importance = widget.LowImportance
	b.clear = kit.IconButton(theme.CancelIcon(), b.leave)
	show := kit.NewLink("Show all", false, b.leave)
	hidden := widget.NewLabel("The filter hides the selected node.")
	hidden.SizeName = theme.SizeNameCaptionText
	b.told = kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(0, 2, 8, 6),
		container.NewHBox(container.NewCenter(widget.NewIcon(theme.InfoIcon())), hidden, container.NewCenter(show))))
	row := container.NewBorder(nil, nil, nil, container.NewHBox(b.note, b.all, b.clear), b.entry)
	bar := kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(3, 3, 4, 4), row))
	b.object = kit.Under(bar, kit.Under(b.told, s.treeBox))
	b.update()
	return b
}

// now is the filter of the view that is shown.
func (b *treeFilter) now() *filter { return b.of(b.s.view) }

// of is the filter of a view.
func (b *treeFilter) of(v *model.View) *filter {
	f := b.views[v.Name]
	if f == nil {
		f = &filter{bar: b, view: v, text: b.s.filtered[v.Name]}
		b.views[v.Name] = f
	}
	return f
}

// tree is the filtered tree of a view, or nil where the whole one is shown.
func (b *treeFilter) tree(v *model.View) *treeview.Tree {
	if f := b.views[v.Name]; f != nil && f.run != nil && f.run.shown {
		return f.tree
	}
	return nil
}

// trees lists the filtered trees.
func (b *treeFilter) trees() []*treeview.Tree {
	var all []*treeview.Tree
	for _, f := range b.views {
		if f.tree != nil {
			all = append(all, f.tree)
		}
	}
	return all
}

// again filters anew, after more was decoded.
func (b *treeFilter) again() {
	for _, f := range b.views {
		if f.run != nil {
			f.start(f.run.all)
		}
	}
}

// key does what a key means in the entry; false: nothing of its own.
func (b *treeFilter) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyDown, fyne.KeyReturn, fyne.KeyEnter:
		f := b.now()
		if f.wrong != nil {
			break
		}
		if f.run == nil || f.run.text != f.text {
			f.start(false)
		}
		b.s.FocusTree()
	default:
		return false
	}
	return true
}

// focus gives the keyboard to the entry.
func (b *treeFilter) focus() {
	b.s.Focus(b.entry)
	b.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	b.s.LogField("filter", b.entry)
}

// leave shows the whole tree again and gives it the keyboard.
func (b *treeFilter) leave() {
	b.entry.SetText("")
	b.s.FocusTree()
}

// changed follows what is typed.
func (b *treeFilter) changed(text string) {
	if f := b.now(); f.text != text {
		f.set(text)
	}
}

// show brings the bar up to the view that is shown.
func (b *treeFilter) show() {
	f := b.now()
	b.entry.SetText(f.text)
	if f.text != "" && !f.used { // it was typed when the document was another one
		f.set(f.text)
	}
	b.update()
}

// update shows how much the filter leaves.
func (b *treeFilter) update() {
	f := &filter{}
	if b.s.view != nil {
		f = b.now()
	}
	importance := widget.LowImportance
	if f.wrong != nil {
		importance = widget.DangerImportance
	}
	if text := f.say(); text != b.note.Text || importance != b.note.Importance {
		b.note.Importance = importance
		b.note.SetText(text)
	}
	kit.SetVisible(b.note, b.note.Text != "")
	more := ""
	if r := f.run; r != nil && r.done && r.pending > 0 && !r.enough {
		more = "Decode " + model.GroupedCount(r.pending, "part")
	}
	if more != b.all.Text {
		b.all.SetText(more)
	}
	kit.SetVisible(b.all, more != "")
	kit.SetVisible(b.clear, f.text != "")
	if tell := f.hidden && f.told && f.run != nil && f.run.done; tell != b.told.Visible() {
		kit.SetVisible(b.told, tell)
		b.object.Objects[1].Refresh()
	}
}

// longestWrong is how many characters of an error stand beside the entry.
const longestWrong = 90

// say is the words beside the entry.
func (f *filter) say() string {
	r := f.run
	switch {
	case f.wrong != nil:
		return phrase.Short(f.wrong.Error(), longestWrong)
	case r == nil:
		return ""
	case r.enough:
		return "first " + model.Grouped(r.matches.Load()) + " shown"
	}
	switch n := model.Grouped(r.matches.Load()); {
	case !r.done:
		return n + "…"
	case r.stopped:
		return n + ", cancelled"
	default:
		return n + " of " + model.Grouped(r.visited)
	}
}

// set changes what is filtered for; "" shows the whole tree.
func (f *filter) set(text string) {
	f.text, f.used = text, true
	f.bar.s.filtered[f.view.Name] = text
	if text == "" {
		f.off()
		return
	}
	_, f.wrong = search.ParseQuery(text)
	if errors.Is(f.wrong, search.ErrEmpty) {
		f.wrong = nil
	}
	f.bar.update()
	f.bar.s.Tasks.After(f.typing.Next(f.bar.s.Ctx), filterAfter, func() { f.start(false) })
}

// off shows the whole tree, with what is selected.
func (f *filter) off() {
	f.wrong, f.hidden = nil, false
	if f.run != nil {
		f.run.stop()
		f.run = nil
		s := f.bar.s
		if p := f.selected(); p != nil {
			s.tree(f.view).Select(nodes.Way(p), true)
		}
		if s.view == f.view {
			kit.Swap(s.treeBox, s.front(f.view))
		}
		s.Log.Write("filter", "off", f.view.Name)
	}
	f.bar.update()
}

// decode filters again, with what is not decoded yet.
func (f *filter) decode() { f.start(true) }

// start filters the tree in the background. What was filtered before stays until there is something to show.
func (f *filter) start(all bool) {
	f.used = true
	f.typing.Stop() // what waits to start need not
	q, err := search.ParseQuery(f.text)
	if err != nil {
		return
	}
	s := f.bar.s
	if f.run != nil {
		f.run.stop()
	}
	f.make()
	r := &filterRun{text: f.text, query: q, all: all}
	f.run = r
	what := "filtering " + f.view.Title
	if all {
		what = "decoding and filtering " + f.view.Title
	}
	var within context.Context
	within, r.stop = context.WithCancel(s.Ctx)
	start := f.view.Place(s.Ctx)
	r.sift = newSift(f.data, start)
	root := r.sift.root()
	s.Log.Write("filter", "started", f.view.Name, f.text)
	over := make(chan struct{})
	go s.Tasks.Every(over, func() func() { return func() { f.grown(r, root) } })
	s.Tasks.Always(within, what, func(ctx context.Context, progress model.Progress) func() {
		visited, err := r.work(ctx, start, progress)
		close(over)
		return func() {
			r.done, r.visited = true, visited
			r.enough = errors.Is(err, errEnough)
			r.stopped = err != nil && !r.enough
			f.grown(r, root)
			if f.run == r {
				s.Log.Write("filter", "done", f.view.Name, r.matches.Load(), f.tree.Rows())
			}
			if all && s.Ctx.Err() == nil {
				s.known()
			}
			if err == nil && !all {
				f.lookForPending(within, r)
			}
		}
	})
}

// lookForPending counts what a run has not looked into, in the background.
func (f *filter) lookForPending(ctx context.Context, r *filterRun) {
	s := f.bar.s
	s.Tasks.Go(ctx, "looking for what is not decoded", func(ctx context.Context, _ model.Progress) func() {
		n := countPending(ctx, f.view)
		return func() {
			r.pending = n
			f.bar.update()
			s.Log.Write("filter", "pending", f.view.Name, n)
		}
	})
}

// work sifts the tree below start.
func (r *filterRun) work(ctx context.Context, start *model.Place, progress model.Progress) (int64, error) {
	defer r.sift.finish()
	opt := search.TreeOptions{Elements: true, Derived: r.all, Resolve: r.all, Progress: progress}
	return search.Tree(ctx, start, r.query, opt, func(_ context.Context, h search.Hit) error {
		if r.matches.Load() >= maxFiltered {
			return errEnough
		}
		if r.sift.add(h.Place) {
			r.matches.Add(1)
		}
		return nil
	})
}

// countPending counts the parts of a view that are known to be there and not decoded.
func countPending(ctx context.Context, v *model.View) (n int64) {
	_ = model.Walk(ctx, v.Place(ctx), model.WalkOptions{Fleeting: true}, func(p *model.Place) error {
		n += int64(len(p.Node.Derived))
		if p.Node.IsPending() {
			n++
		}
		return nil
	}) // when it is cancelled, those that were seen
	return n
}

// grown shows what was found so far: in place of what was shown before, as soon as there is something.
func (f *filter) grown(r *filterRun, root *filtered) {
	s := f.bar.s
	if f.run != r || s.Ctx.Err() != nil {
		return
	}
	switch {
	case r.shown:
		f.tree.Grow()
		f.tree.Invalidate() // some have become branches
		if f.hidden {
			f.mark(f.last, f.told)
		}
	case r.done || r.matches.Load() > 0:
		r.shown = true
		f.data.show(root, r.query)
		f.tree.Restart()
		f.tree.OpenRoot()
		f.mark(f.selected(), f.told)
		if s.view == f.view {
			kit.Swap(s.treeBox, f.tree)
		}
	}
	f.bar.update()
}

// selected is what the whole tree would select.
func (f *filter) selected() *model.Place {
	if p := f.bar.s.current; p != nil && nodes.ViewOf(p) == f.view.Name {
		return p
	}
	return f.last
}

// mark selects p in the filtered tree; where the filter hides it, the nearest node above, and with tell the bar says so.
func (f *filter) mark(p *model.Place, tell bool) {
	f.last, f.told, f.hidden = p, tell, false
	if p == nil || f.run == nil || !f.run.shown {
		return
	}
	way, all := f.data.way(p)
	f.hidden = !all
	if nearest := way[len(way)-1].Item; all || f.tree.Selected() != nearest {
		f.tree.Select(way, true)
	}
	f.bar.update()
}

// make makes the tree of the filter, once.
func (f *filter) make() {
	if f.tree != nil {
		return
	}
	s := f.bar.s
	f.data = &filterData{Data: &nodes.Data{Ctx: s.ctx, View: f.view, Tasks: s.Tasks, Marks: s.details.problems.Marks()}}
	f.data.show(&filtered{Item: *nodes.ItemOf(f.view.Place(s.ctx))}, nil)
	f.tree = s.newTree(f.data)
	f.tree.OnSelected = func(it treeview.Item) {
		f.hidden = false
		f.bar.update()
		s.selectedInTree(placeOf(it))
	}
	f.tree.OnEscape = f.bar.leave
	f.tree.OnResolved = func() { s.known() } // not filtered again, which would close what was opened
}
