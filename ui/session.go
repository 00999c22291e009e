package ui

import (
	"context"
	"os"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/settings"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// session is one file tab: a document and its panes, or the way to it.
type session struct {
	shell.Opened
	w      *Window
	file   string   // as it was named; "" for the sample and given bytes
	with   []string // other files of the document; nil: it is one
	given  *given   // bytes that are no file; nil for a file and the sample
	opts   decoders.Options
	ctx    context.Context
	stop   context.CancelFunc
	stamp  fileStamp
	backTo string // the path to select once it is open, if it is there
	object *fyne.Container

	panes task.Latest // makes Ctx: options make another document, whose panes take the place of those before

	lease *lease // keeps doc open

	views    *kit.TabBar
	treeBox  *fyne.Container
	trees    map[string]*treeview.Tree
	filters  *filter.Pane
	searched searchpane.Query  // what the fields of the search said last
	filtered map[string]string // what the trees are filtered by, by view
	view     *model.View
	hex      *hexpane.Pane
	details  *detailsPane
	split    *container.Split
	splitTop *container.Split
	notice   *fyne.Container
	frame    *fyne.Container // the notice and the panes

	optionKeys map[string]fyne.Focusable // of the option bar, by option
	setting    task.Latest               // a change of options

	current *model.Place
	mapped  [][]model.Span // what the selection was made from, level by level
	origin  string         // the same in words
	hist    *history
	way     task.Latest     // the work that leads to the next selection, which ends it
	about   context.Context // ends with the present selection
	present task.Latest     // makes about
}

// fileStamp tells whether a file has changed.
type fileStamp struct {
	size int64
	at   time.Time
}

// stampOf is the stamp of a file, or of all files of a document; none where one is missing.
func stampOf(path string, with ...string) fileStamp {
	all := fileStamp{}
	for _, p := range append([]string{path}, with...) {
		info, err := os.Stat(p)
		if err != nil {
			return fileStamp{}
		}
		all.size += info.Size()
		if info.ModTime().After(all.at) {
			all.at = info.ModTime()
		}
	}
	return all
}

func newSession(w *Window, file string) *session {
	s := &session{Opened: shell.Opened{Shell: w.Shell}, w: w, file: file, object: container.NewStack(), hist: newHistory(),
		trees: make(map[string]*treeview.Tree), searched: searchpane.Query{Decode: true}, filtered: make(map[string]string)}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.Ctx = s.panes.Next(s.ctx)
	s.about = s.present.Next(s.ctx)
	s.Tasks = task.NewGroup(w.Post, w.showWork, w.Tell)
	return s
}

// Title is the text of the file's tab.
func (s *session) Title() string {
	switch {
	case s.given != nil:
		return s.given.title
	case s.file == "":
		return "Sample"
	}
	return settings.RecentFile(append([]string{s.file}, s.with...)).Title()
}

// close ends everything that runs for the session and closes the document.
func (s *session) close() {
	s.stop()
	if s.lease != nil {
		s.lease.drop()
	}
	if s.given != nil && s.given.lease != nil {
		s.given.lease.drop()
	}
}

// adopt shows an opened document.
func (s *session) adopt(doc *model.Document, refused *model.ErrUnrecognized) {
	s.Doc = doc
	if s.lease == nil {
		s.lease = (&lease{}).take()
	}
	s.lease.doc = doc // closing it closes those that it was made from by options
	s.Ctx = s.panes.Next(s.ctx)
	s.trees, s.current = make(map[string]*treeview.Tree), nil
	s.treeBox = container.NewStack()
	s.filters = filter.New(s.Opened, s, s.filtered, s.treeBox)
	s.views = kit.NewTabBar(func(i int) { s.showView(s.Doc.Views[i], true) })
	if s.details != nil {
		s.searched = s.details.search.Want()
	}
	s.details = newDetailsPane(s)
	s.hex = hexpane.New(s.Opened, s)
	if refused != nil {
		s.details.refused = newRefusedCard(s, refused)
		s.details.shown = fixedTabs
		s.details.again()
	}
	left := kit.Under(s.views, s.filters.Object)
	s.splitTop = container.NewHSplit(left, s.hex.Object)
	s.split = container.NewVSplit(s.splitTop, s.details.object)
	s.splitTop.Offset, s.split.Offset = s.Store.TreeSide, s.Store.PaneSide
	s.notice = container.NewStack()
	panes := fyne.CanvasObject(s.split)
	if bar := s.optionBar(); bar != nil {
		panes = kit.Under(bar, s.split)
	}
	s.frame = kit.Under(s.notice, panes)
	s.setContent(s.frame)
	s.showView(doc.Views[0], true)
	s.FocusTree()
	s.details.problems.Look()
}

func (s *session) setContent(o fyne.CanvasObject) {
	s.object.Objects = []fyne.CanvasObject{o}
	s.object.Refresh()
}

// Selection ends when another node is selected.
func (s *session) Selection() context.Context { return s.about }

// FocusTree gives the keyboard to the tree, unless a place to go to is being typed.
func (s *session) FocusTree() {
	c := s.Win.Canvas()
	if s.w.active == s && s.view != nil && !s.w.location.Focused {
		c.Focus(s.front(s.view))
	}
}

// tree returns the whole tree of a view, made when the view is looked at first.
func (s *session) tree(v *model.View) *treeview.Tree {
	if t := s.trees[v.Name]; t != nil {
		return t
	}
	t := s.NewTree(&nodes.Data{Ctx: s.ctx, View: v, Tasks: s.Tasks, Marks: s.Marks()})
	t.OnSelected = func(it treeview.Item) { s.SelectItem(it.(*nodes.Item)) }
	t.OnResolved = s.Decoded
	s.trees[v.Name] = t
	t.OpenRoot()
	return t
}

// NewTree makes a tree of nodes.
func (s *session) NewTree(data treeview.Data) *treeview.Tree {
	t := treeview.New(s.Ctx, data, nodes.ColumnsFor(s.Doc))
	s.Remember("tree", t)
	t.OnCopy = func(treeview.Item) { s.copyValue() }
	t.OnMenu = func(it treeview.Item, at fyne.Position) { s.treeMenu(filter.PlaceOf(it), at) }
	t.Multi, t.OnPicked = true, s.picked
	s.followLinks(t)
	return t
}

// front returns the tree of a view that is shown: the filtered one, or the whole.
func (s *session) front(v *model.View) *treeview.Tree {
	if t := s.filters.Tree(v); t != nil {
		return t
	}
	return s.tree(v)
}

// selectIn selects a node in the tree of a view that is shown.
func (s *session) selectIn(v *model.View, p *model.Place) {
	if f := s.filters.Of(v); f.Run != nil {
		f.Mark(p, true)
		return
	}
	s.tree(v).Select(nodes.Way(p), true)
}

// showView switches the tree pane. With choose, the tree's selection becomes the window's.
func (s *session) showView(v *model.View, choose bool) {
	if choose && s.view != nil {
		s.leave()
	}
	s.view = v
	s.filters.Show()
	t := s.front(v)
	t.SetWidths(s.Store.Columns["tree"]) // another tree's may have been changed
	kit.Swap(s.treeBox, t)
	tabs := make([]kit.Tab, len(s.Doc.Views))
	selected := 0
	for i, other := range s.Doc.Views {
		tabs[i].Title = other.Title
		if other == v {
			selected = i
		}
	}
	s.views.Set(tabs, selected)
	s.Log.Write("view", v.Name)
	if choose {
		if it := t.Selected(); it != nil {
			s.SelectItem(filter.PlaceOf(it))
		}
	}
}

// SelectItem follows the tree's selection. A source that is not derived yet is derived first.
func (s *session) SelectItem(p *nodes.Item) {
	if !p.IsStub() {
		s.show(p.Place.Fresh(s.ctx), showing{hex: true, history: true})
		return
	}
	s.Tasks.Try(s.way.Next(s.ctx), "opening "+p.Path(), func(ctx context.Context, progress model.Progress) (func(), error) {
		at, err := p.Decode(ctx, progress)
		return func() { s.show(at, showing{hex: true, history: true}) }, err
	})
}

// showing says what follows a selection.
type showing struct {
	tree    bool // the tree selects the node, in the view that it is of
	focus   bool // and gets the keyboard
	hex     bool // the hex pane scrolls to its bytes
	history bool
	others  references.Owners
}

// show makes a node the selected one.
func (s *session) show(p *model.Place, how showing) {
	if how.history {
		s.leave()
	}
	s.way.Stop()
	s.about = s.present.Next(s.ctx)
	s.current = p
	if how.tree {
		if v := s.Doc.View(nodes.ViewOf(p)); v != nil {
			if v != s.view {
				s.showView(v, false)
			}
			s.selectIn(v, p)
			if how.focus {
				s.Focus(s.front(v))
			}
		}
	}
	s.hex.Show(p, how.hex)
	s.details.set(p, how.others)
	span := p.Node.Span()
	src := "-"
	if span.Source != nil {
		src = span.Source.Name()
	}
	if how.history {
		s.hist.add(p.Path())
	}
	s.findMapped(span)
	s.CursorMoved()
	s.w.updateControls()
	s.Log.Write("selected", p.Path(), src, span.Off, span.Len)
	s.logPlaces(span)
}

// GoTo selects the node at a path, whatever view it is in.
func (s *session) GoTo(path string) {
	s.goToWith(path, showing{tree: true, focus: true, hex: true, history: true})
}

func (s *session) goToWith(path string, how showing) {
	s.Tasks.Try(s.way.Next(s.ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return nil, err
		}
		return func() { s.show(p, how) }, nil
	})
}

// parent selects the node above.
func (s *session) parent() {
	if s.current != nil && s.current.Parent != nil {
		s.show(s.current.Parent, showing{tree: true, hex: true, history: true})
	}
}

// travel goes through the history.
func (s *session) travel(n int) {
	if !s.hist.can(n) {
		return
	}
	s.leave()
	was := s.hist.move(n)
	s.Tasks.Try(s.way.Next(s.ctx), "going to "+was.path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, was.path)
		if err != nil {
			return nil, err
		}
		src, err := s.Doc.SourceByName(ctx, was.hex.source)
		if err != nil { // it was not derived, or is not any more
			src = nil
		}
		return func() { s.revisit(was, p, src) }, ctx.Err()
	})
	s.w.updateControls()
}

// leave notes in the history what the window shows of the present visit.
func (s *session) leave() {
	v := s.hex.Shown.View
	at := hexPlace{source: s.hex.Shown.Src.Name(), cursor: v.Cursor()}
	at.top, _ = v.VisibleBytes()
	at.off, at.len = v.Selection()
	s.hist.leave(s.view.Name, at)
}

// revisit selects the node of a visit and shows the bytes that were shown then; src is their source, or nil.
func (s *session) revisit(was visit, p *model.Place, src *model.Source) {
	here := was.view == "" || was.view == nodes.ViewOf(p)
	if !here {
		if v := s.Doc.View(was.view); v != nil {
			s.showView(v, false)
		}
	}
	s.show(p, showing{tree: here, focus: here, hex: src == nil})
	if src == nil {
		return
	}
	t := s.hex.TabFor(src)
	s.hex.Choose(t)
	cursor := was.hex.cursor
	if span := p.Node.Span(); span.Source.Same(src) && !span.Covers(src, cursor) {
		cursor = span.Off // of the click that ended the visit
	}
	t.View.SetCursor(cursor)
	if was.hex.len > 0 {
		t.View.Select(was.hex.off, was.hex.len)
	}
	t.View.ScrollTo(was.hex.top)
	s.CursorMoved()
}

// ShowSpan shows bytes in the hex pane; the selected node stays.
func (s *session) ShowSpan(span model.Span) {
	t := s.hex.TabFor(span.Source)
	s.hex.Choose(t)
	t.View.Select(span.Off, span.Len)
	t.View.Reveal(span.Off, max(span.Len, 1))
	s.CursorMoved()
	s.logPlaces(span)
}

// goToOffset moves the hex pane to an offset of the source that it shows, and selects what is there.
func (s *session) goToOffset(off int64) {
	s.leave()
	t := s.hex.Shown
	t.View.SetCursor(off)
	t.View.Reveal(off, 1)
	s.Tapped(t.Src, off, false)
}

// allTrees lists the trees that were made, filtered ones too.
func (s *session) allTrees() []*treeview.Tree {
	var all []*treeview.Tree
	for _, t := range s.trees {
		all = append(all, t)
	}
	if s.filters != nil {
		all = append(all, s.filters.Trees()...)
	}
	return all
}

// View is the tree that is shown.
func (s *session) View() *model.View { return s.view }

// Current is the selected node; nil before there is one.
func (s *session) Current() *model.Place { return s.current }

// Marks are those of the nodes with problems.
func (s *session) Marks() *nodes.Marks { return s.details.problems.Marks() }

// SelectWhole selects a node in the whole tree of a view.
func (s *session) SelectWhole(v *model.View, p *model.Place) { s.tree(v).Select(nodes.Way(p), true) }

// ShowTree shows the tree of a view anew, if the view is shown.
func (s *session) ShowTree(v *model.View) {
	if s.view == v {
		kit.Swap(s.treeBox, s.front(v))
	}
}
