package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// documentHost is what an opened document needs of the tab that it is in, and of the window.
type documentHost interface {
	exporting.Host
	InFront() bool                        // reports whether the tab is
	TypesPlace() bool                     // reports whether the user types where to go
	ShowPlace(text, path string)          // in the status bar and the location bar
	Moved()                               // another node is selected, or the way back to others is another one
	ProblemsFound()                       // other problems are known
	OpenPart(title string, at model.Span) // in a tab of its own
	DecodeSpan(at model.Span)             // asks how, and opens it in a tab of its own
	Outer(at model.Span) model.Span       // where bytes are in the document that the tab's are a part of; without a Source: nowhere
	ShowOuter(at model.Span)              // shows bytes of that document
	LastExport() *exporting.Last
}

// trail is what stays of a tab's user when options or a reload make another document.
type trail struct {
	hist     *history
	searched searchpane.Query  // what the fields of the search said last
	filtered map[string]string // what the trees are filtered by, by view
}

func newTrail() *trail {
	return &trail{newHistory(), searchpane.Query{Decode: true}, make(map[string]string)}
}

// document is one opened document: its trees, its bytes, its details, and where in it the user is.
type document struct {
	shell.Opened
	*trail
	host   documentHost
	object *fyne.Container // the notice and the panes

	views    *kit.TabBar
	treeBox  *fyne.Container
	trees    map[string]*treeview.Tree
	filters  *filter.Pane
	view     *model.View
	hex      *hexpane.Pane
	details  *detailsPane
	split    *container.Split
	splitTop *container.Split
	notice   *fyne.Container

	current *model.Place
	mapped  [][]model.Span  // what the selection was made from, level by level
	origin  string          // the same in words
	way     task.Latest     // the work that leads to the next selection, which ends it
	about   context.Context // ends with the present selection
	present task.Latest     // makes about
}

// newDocument makes the panes of a document below bar, which may be nil. refused is another tab of the details: why the
// file was not recognised; nil: it was.
func newDocument(opened shell.Opened, host documentHost, before *trail, bar, refused fyne.CanvasObject) *document {
	s := &document{Opened: opened, host: host, trail: before, trees: make(map[string]*treeview.Tree), treeBox: container.NewStack()}
	s.about = s.present.Next(s.Ctx)
	s.filters = filter.New(s.Opened, s, s.filtered, s.treeBox)
	s.views = kit.NewTabBar(func(i int) { s.showView(s.Doc.Views[i], true) })
	s.details = newDetailsPane(s)
	s.hex = hexpane.New(s.Opened, s)
	if refused != nil {
		s.details.refused = refused
		s.details.shown = fixedTabs
		s.details.again()
	}
	left := kit.Under(s.views, s.filters.Object)
	s.splitTop = container.NewHSplit(left, s.hex.Object)
	s.split = container.NewVSplit(s.splitTop, s.details.object)
	s.splitTop.Offset, s.split.Offset = s.Store.TreeSide, s.Store.PaneSide
	s.notice = container.NewStack()
	panes := fyne.CanvasObject(s.split)
	if bar != nil {
		panes = kit.Under(bar, s.split)
	}
	s.object = kit.Under(s.notice, panes)
	return s
}

// start shows the first tree and looks for problems.
func (s *document) start() {
	s.showView(s.Doc.Views[0], true)
	s.FocusTree()
	s.details.problems.Look()
}

// showDividers puts the dividers where they were left last.
func (s *document) showDividers() {
	s.splitTop.SetOffset(s.Store.TreeSide)
	s.split.SetOffset(s.Store.PaneSide)
}

// FocusTree gives the keyboard to the tree, unless a place to go to is being typed.
func (s *document) FocusTree() {
	c := s.Win.Canvas()
	if s.host.InFront() && s.view != nil && !s.host.TypesPlace() {
		c.Focus(s.front(s.view))
	}
}

// tree returns the whole tree of a view, made when the view is looked at first.
func (s *document) tree(v *model.View) *treeview.Tree {
	if t := s.trees[v.Name]; t != nil {
		return t
	}
	t := s.NewTree(&nodes.Data{Ctx: s.Ctx, View: v, Tasks: s.Tasks, Marks: s.Marks()})
	t.OnSelected = func(it treeview.Item) { s.SelectItem(it.(*nodes.Item)) }
	t.OnResolved = s.Decoded
	s.trees[v.Name] = t
	t.OpenRoot()
	return t
}

// NewTree makes a tree of nodes.
func (s *document) NewTree(data treeview.Data) *treeview.Tree {
	t := treeview.New(s.Ctx, data, nodes.ColumnsFor(s.Doc))
	s.Remember("tree", t)
	t.OnCopy = func(treeview.Item) { s.copyValue() }
	t.OnMenu = func(it treeview.Item, at fyne.Position) { s.treeMenu(filter.PlaceOf(it), at) }
	t.Multi, t.OnPicked = true, s.picked
	s.followLinks(t)
	return t
}

// front returns the tree of a view that is shown: the filtered one, or the whole.
func (s *document) front(v *model.View) *treeview.Tree {
	if t := s.filters.Tree(v); t != nil {
		return t
	}
	return s.tree(v)
}

// selectIn selects a node in the tree of a view that is shown.
func (s *document) selectIn(v *model.View, p *model.Place) {
	if f := s.filters.Of(v); f.Run != nil {
		f.Mark(p, true)
		return
	}
	s.tree(v).Select(nodes.Way(p), true)
}

// showView switches the tree pane. With choose, the tree's selection becomes the window's.
func (s *document) showView(v *model.View, choose bool) {
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
func (s *document) SelectItem(p *nodes.Item) {
	if !p.IsStub() {
		s.show(p.Place.Fresh(s.Ctx), showing{hex: true, history: true})
		return
	}
	s.Tasks.Try(s.way.Next(s.Ctx), "opening "+p.Path(), func(ctx context.Context, progress model.Progress) (func(), error) {
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
func (s *document) show(p *model.Place, how showing) {
	if how.history {
		s.leave()
	}
	s.way.Stop()
	s.about = s.present.Next(s.Ctx)
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
	s.host.Moved()
	s.Log.Write("selected", p.Path(), src, span.Off, span.Len)
	s.logPlaces(span)
}

// GoTo selects the node at a path, whatever view it is in.
func (s *document) GoTo(path string) {
	s.goToWith(path, showing{tree: true, focus: true, hex: true, history: true})
}

func (s *document) goToWith(path string, how showing) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return nil, err
		}
		return func() { s.show(p, how) }, nil
	})
}

// parent selects the node above.
func (s *document) parent() {
	if s.current != nil && s.current.Parent != nil {
		s.show(s.current.Parent, showing{tree: true, hex: true, history: true})
	}
}

// travel goes through the history.
func (s *document) travel(n int) {
	if !s.hist.can(n) {
		return
	}
	s.leave()
	was := s.hist.move(n)
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+was.path, func(ctx context.Context, _ model.Progress) (func(), error) {
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
	s.host.Moved()
}

// leave notes in the history what the window shows of the present visit.
func (s *document) leave() {
	v := s.hex.Shown.View
	at := hexPlace{source: s.hex.Shown.Src.Name(), cursor: v.Cursor()}
	at.top, _ = v.VisibleBytes()
	at.off, at.len = v.Selection()
	s.hist.leave(s.view.Name, at)
}

// revisit selects the node of a visit and shows the bytes that were shown then; src is their source, or nil.
func (s *document) revisit(was visit, p *model.Place, src *model.Source) {
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
func (s *document) ShowSpan(span model.Span) {
	t := s.hex.TabFor(span.Source)
	s.hex.Choose(t)
	t.View.Select(span.Off, span.Len)
	t.View.Reveal(span.Off, max(span.Len, 1))
	s.CursorMoved()
	s.logPlaces(span)
}

// goToOffset moves the hex pane to an offset of the source that it shows, and selects what is there.
func (s *document) goToOffset(off int64) {
	s.leave()
	t := s.hex.Shown
	t.View.SetCursor(off)
	t.View.Reveal(off, 1)
	s.Tapped(t.Src, off, false)
}

// allTrees lists the trees that were made, filtered ones too.
func (s *document) allTrees() []*treeview.Tree {
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
func (s *document) View() *model.View { return s.view }

// Current is the selected node; nil before there is one.
func (s *document) Current() *model.Place { return s.current }

// Marks are those of the nodes with problems.
func (s *document) Marks() *nodes.Marks { return s.details.problems.Marks() }

// SelectWhole selects a node in the whole tree of a view.
func (s *document) SelectWhole(v *model.View, p *model.Place) { s.tree(v).Select(nodes.Way(p), true) }

// ShowTree shows the tree of a view anew, if the view is shown.
func (s *document) ShowTree(v *model.View) {
	if s.view == v {
		kit.Swap(s.treeBox, s.front(v))
	}
}

// Selection ends when another node is selected.
func (s *document) Selection() context.Context { return s.about }

// setNotice shows a line above the panes until it is closed or there is another.
func (s *document) setNotice(parts ...fyne.CanvasObject) {
	hide := kit.IconButton(theme.CancelIcon(), func() {
		s.notice.Objects = nil
		s.object.Refresh()
	})
	row := container.NewHBox(append(parts, hide)...)
	s.notice.Objects = []fyne.CanvasObject{kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(2, 2, 8, 4), row))}
	s.object.Refresh()
}
