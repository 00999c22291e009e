// Package document shows one opened document: its trees, its bytes, its details, and where in it the user is.
package document

import (
	"context"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/description"
	exporting "cutaway/ui/export"
	"cutaway/ui/filter"
	"cutaway/ui/hexpane"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/references"
	searchpane "cutaway/ui/search"
	"cutaway/ui/shell"
	"cutaway/ui/task"
	"cutaway/ui/timebar"
	"cutaway/ui/treeview"
)

// Host is what an opened document needs of the tab that it is in, and of the window.
type Host interface {
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
	NewDescription() // begins a description of the file
}

// Trail is what stays of a tab's user when options or a reload make another document.
type Trail struct {
	History  *history
	Query    searchpane.Query  // what the fields of the search said last
	Filtered map[string]string // what the trees are filtered by, by view
}

// NewTrail is the trail of a user who has done nothing yet.
func NewTrail() *Trail {
	return &Trail{newHistory(), searchpane.Query{Decode: true}, make(map[string]string)}
}

// Pane is one opened document: its trees, its bytes, its details, and where in it the user is.
type Pane struct {
	shell.Opened
	*Trail
	host   Host
	Object *fyne.Container // the notice and the panes

	Views    *kit.TabBar
	TreeBox  *fyne.Container
	trees    map[string]*treeview.Tree
	sizes    atomic.Bool            // shown in the trees
	sorted   map[string]*nodes.Data // what the whole trees show
	Filters  *filter.Pane
	view     *model.View
	Hex      *hexpane.Pane
	Text     *description.Pane // nil: the document has no description
	texts    *container.Split  // it and the bytes, while it is shown
	Details  *Details
	Split    *container.Split
	splitTop *container.Split
	Notice   *fyne.Container
	alarm    alarm
	Time     *timebar.Pane

	current    *model.Place
	Origins    [][]model.Span  // what the selection was made from, level by level
	OriginText string          // the same in words
	way        task.Latest     // the work that leads to the next selection, which ends it
	about      context.Context // ends with the present selection
	present    task.Latest     // makes about
}

// New makes the panes of a document below bar, which may be nil. refused is another tab of the details: why the
// file was not recognised; nil: it was.
func New(opened shell.Opened, host Host, before *Trail, bar, refused fyne.CanvasObject) *Pane {
	s := &Pane{Opened: opened, host: host, Trail: before, trees: make(map[string]*treeview.Tree), sorted: make(map[string]*nodes.Data), TreeBox: container.NewStack()}
	s.about = s.present.Next(s.Ctx)
	s.sizes.Store(s.Store.TreeSizes)
	s.Filters = filter.New(s.Opened, s, s.Filtered, s.TreeBox)
	s.Views = kit.NewTabBar(func(i int) { s.ShowView(s.Doc.Views[i], true) })
	s.Details = newDetailsPane(s)
	s.Hex = hexpane.New(s.Opened, s)
	if refused != nil {
		s.Details.Refused = refused
		s.Details.Front = FixedTabs
		s.Details.again()
	}
	if s.Doc.Description != nil {
		s.Text = description.New(s.Opened, s)
	}
	left := kit.Under(s.Views, s.Filters.Object)
	s.splitTop = container.NewHSplit(left, s.Hex.Object)
	s.Split = container.NewVSplit(s.splitTop, s.Details.Object)
	s.splitTop.Offset, s.Split.Offset = s.Store.TreeSide, s.Store.PaneSide
	s.ShowText(s.Store.Description)
	s.Notice = container.NewStack()
	if bar == nil {
		bar = container.NewStack()
	}
	s.Time = timebar.New(s.Opened, s)
	s.Object = kit.Under(s.Notice, container.New(kit.Tight{Yields: true}, bar, s.Split, s.Time.Object))
	return s
}

// Start shows the first tree and looks for problems.
func (s *Pane) Start() {
	s.ShowView(s.Doc.Views[0], true)
	s.FocusTree()
	s.Details.Problems.Look()
}

// ShowText shows or hides the text of the document's description, beside the tree.
func (s *Pane) ShowText(on bool) {
	s.keepTexts()
	switch {
	case s.Text == nil || on == (s.texts != nil):
		return
	case on:
		s.texts = container.NewVSplit(s.Text.Object, s.Hex.Object)
		s.texts.Offset = s.Store.TextSide
		s.splitTop.Trailing = s.texts
		if s.current != nil {
			s.Text.Follow(s.current.Path())
		}
	default:
		s.texts, s.splitTop.Trailing = nil, s.Hex.Object
	}
	s.splitTop.Refresh()
}

// ShowDividers puts the dividers where they were left last.
func (s *Pane) ShowDividers() {
	s.splitTop.SetOffset(s.Store.TreeSide)
	s.Split.SetOffset(s.Store.PaneSide)
}

// FocusTree gives the keyboard to the tree, unless a place to go to is being typed.
func (s *Pane) FocusTree() {
	c := s.Win.Canvas()
	if s.host.InFront() && s.view != nil && !s.host.TypesPlace() {
		c.Focus(s.Front(s.view))
	}
}

// Tree returns the whole tree of a view, made when the view is looked at first.
func (s *Pane) Tree(v *model.View) *treeview.Tree {
	if t := s.trees[v.Name]; t != nil {
		return t
	}
	data := &nodes.Data{Ctx: s.Ctx, View: v, Tasks: s.Tasks, Marks: s.Marks(), Marked: s.markColor, Sizes: s.SizesOf}
	t := s.NewTree(data)
	data.Sorting.Moved = t.Reorder
	s.sorted[v.Name] = data
	t.OnTitle = func(column int) {
		data.SortBy(column, t.OpenItems())
		t.ShowSorted(data.Sorting.By())
	}
	t.OnSelected = func(it treeview.Item) { s.SelectItem(it.(*nodes.Item)) }
	t.OnResolved = func() {
		s.Decoded()
		s.explainEmpty()
	}
	s.trees[v.Name] = t
	t.OpenRoot()
	return t
}

// NewTree makes a tree of nodes.
func (s *Pane) NewTree(data treeview.Data) *treeview.Tree {
	t := treeview.New(s.Ctx, data, s.columns())
	s.Remember("tree", t)
	t.OnCopy = func(treeview.Item) { s.CopyValue() }
	t.OnMenu = func(it treeview.Item, at fyne.Position) { s.treeMenu(filter.PlaceOf(it), at) }
	t.Multi, t.OnPicked = true, s.picked
	s.followLinks(t)
	return t
}

// Front returns the tree of a view that is shown: the filtered one, or the whole.
func (s *Pane) Front(v *model.View) *treeview.Tree {
	if t := s.Filters.Tree(v); t != nil {
		return t
	}
	return s.Tree(v)
}

// selectIn selects a node in the tree of a view that is shown.
func (s *Pane) selectIn(v *model.View, p *model.Place) {
	if f := s.Filters.Of(v); f.Run != nil {
		f.Mark(p, true)
		return
	}
	s.SelectWhole(v, p)
}

// ShowView switches the tree pane. With choose, the tree's selection becomes the window's.
func (s *Pane) ShowView(v *model.View, choose bool) {
	if choose && s.view != nil {
		s.leave()
	}
	s.view = v
	s.Filters.Show()
	t := s.Front(v)
	t.SetWidths(s.Store.Columns["tree"]) // another tree's may have been changed
	kit.Swap(s.TreeBox, t)
	s.explainEmpty()
	tabs := make([]kit.Tab, len(s.Doc.Views))
	selected := 0
	for i, other := range s.Doc.Views {
		tabs[i].Title = other.Title
		if other == v {
			selected = i
		}
	}
	s.Views.Set(tabs, selected)
	s.Details.Sizes.ViewShown()
	s.Time.ViewShown()
	s.measure()
	s.Log.Write("view", v.Name)
	if choose {
		if it := t.Selected(); it != nil {
			s.SelectItem(filter.PlaceOf(it))
		}
	}
}

// SelectItem follows the tree's selection. A source that is not derived yet is derived first.
func (s *Pane) SelectItem(p *nodes.Item) {
	if !p.IsStub() {
		s.Show(p.Place.Fresh(s.Ctx), Showing{hex: true, history: true})
		return
	}
	s.Details.wait(p.Place, "opening "+p.Path()+"…")
	s.host.ShowPlace("opening…", p.Path())
	s.Tasks.Go(s.way.Next(s.Ctx), "opening "+p.Path(), func(ctx context.Context, progress model.Progress) func() {
		at, err := p.Decode(ctx, progress)
		if err != nil { // ctx has ended
			return func() { s.Details.wait(p.Place, "The opening of "+p.Path()+" was cancelled.") }
		}
		return func() { s.Show(at, Showing{hex: true, history: true}) }
	})
}

// Showing says what follows a selection.
type Showing struct {
	tree    bool // the tree selects the node, in the view that it is of
	focus   bool // and gets the keyboard
	hex     bool // the hex pane scrolls to its bytes
	history bool
	others  references.Owners
}

// Show makes a node the selected one.
func (s *Pane) Show(p *model.Place, how Showing) {
	if how.history {
		s.leave()
	}
	s.way.Stop()
	s.about = s.present.Next(s.Ctx)
	s.current = p
	if how.tree {
		if v := s.Doc.View(nodes.ViewOf(p)); v != nil {
			if v != s.view {
				s.ShowView(v, false)
			}
			s.selectIn(v, p)
			if how.focus {
				s.Focus(s.Front(v))
			}
		}
	}
	s.Hex.Show(p, how.hex)
	s.Details.set(p, how.others)
	if s.texts != nil {
		s.Text.Follow(p.Path())
	}
	span := p.Node.Span()
	src := "-"
	if span.Source != nil {
		src = span.Source.Name()
	}
	if how.history {
		s.History.add(p.Path())
	}
	s.findMapped(span)
	s.Time.Follow(p)
	s.CursorMoved()
	s.host.Moved()
	s.Log.Write("selected", p.Path(), src, span.Off, span.Len)
	s.logPlaces(span)
}

// GoTo selects the node at a path, whatever view it is in.
func (s *Pane) GoTo(path string) {
	s.goToWith(path, Showing{tree: true, focus: true, hex: true, history: true})
}

func (s *Pane) goToWith(path string, how Showing) {
	s.Tasks.Try(s.way.Next(s.Ctx), "going to "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		p, err := s.Doc.Lookup(ctx, path)
		if err != nil {
			return nil, err
		}
		return func() { s.Show(p, how) }, nil
	})
}

// ShowParent selects the node above.
func (s *Pane) ShowParent() {
	if s.current != nil && s.current.Parent != nil {
		s.Show(s.current.Parent, Showing{tree: true, hex: true, history: true})
	}
}

// Travel goes through the history.
func (s *Pane) Travel(n int) {
	if !s.History.Can(n) {
		return
	}
	s.leave()
	was := s.History.move(n)
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
func (s *Pane) leave() {
	v := s.Hex.Shown.View
	at := hexPlace{source: s.Hex.Shown.Src.Name(), cursor: v.Cursor()}
	at.top, _ = v.VisibleBytes()
	at.off, at.len = v.Selection()
	s.History.leave(s.view.Name, at)
}

// revisit selects the node of a visit and shows the bytes that were shown then; src is their source, or nil.
func (s *Pane) revisit(was visit, p *model.Place, src *model.Source) {
	here := was.view == "" || was.view == nodes.ViewOf(p)
	if !here {
		if v := s.Doc.View(was.view); v != nil {
			s.ShowView(v, false)
		}
	}
	s.Show(p, Showing{tree: here, focus: here, hex: src == nil})
	if src == nil {
		return
	}
	t := s.Hex.TabFor(src)
	s.Hex.Choose(t)
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
func (s *Pane) ShowSpan(span model.Span) {
	t := s.Hex.TabFor(span.Source)
	s.Hex.Choose(t)
	t.View.Select(span.Off, span.Len)
	t.View.Reveal(span.Off, max(span.Len, 1))
	s.CursorMoved()
	s.logPlaces(span)
}

// GoToOffset moves the hex pane to an offset of the source that it shows, and selects what is there.
func (s *Pane) GoToOffset(off int64) {
	s.leave()
	t := s.Hex.Shown
	t.View.SetCursor(off)
	t.View.Reveal(off, 1)
	s.Tapped(t.Src, off, false)
}

// allTrees lists the trees that were made, filtered ones too.
func (s *Pane) allTrees() []*treeview.Tree {
	var all []*treeview.Tree
	for _, t := range s.trees {
		all = append(all, t)
	}
	if s.Filters != nil {
		all = append(all, s.Filters.Trees()...)
	}
	return all
}

// View is the tree that is shown.
func (s *Pane) View() *model.View { return s.view }

// Current is the selected node; nil before there is one.
func (s *Pane) Current() *model.Place { return s.current }

// Marks are those of the nodes with problems.
func (s *Pane) Marks() *nodes.Marks { return s.Details.Problems.Marks() }

// SelectWhole selects a node in the whole tree of a view.
func (s *Pane) SelectWhole(v *model.View, p *model.Place) {
	t := s.Tree(v)
	t.Select(s.sorted[v.Name].Way(p), true)
}

// ShowTree shows the tree of a view anew, if the view is shown.
func (s *Pane) ShowTree(v *model.View) {
	if s.view == v {
		kit.Swap(s.TreeBox, s.Front(v))
		s.explainEmpty()
	}
}

// Selection ends when another node is selected.
func (s *Pane) Selection() context.Context { return s.about }

// SetNotice shows a line above the panes until it is closed or there is another.
func (s *Pane) SetNotice(icon fyne.Resource, label *widget.Label, buttons ...fyne.CanvasObject) {
	hide := kit.IconButton(theme.CancelIcon(), func() {
		s.Notice.Objects = nil
		s.Object.Refresh()
	})
	if label.Wrapping == fyne.TextWrapOff {
		label.Truncation = fyne.TextTruncateEllipsis
	}
	sign := container.NewCenter(widget.NewIcon(icon))
	row := container.NewBorder(nil, nil, sign, container.NewHBox(append(buttons, hide)...), label)
	s.Notice.Objects = []fyne.CanvasObject{kit.NewBacked(theme.ColorNameHeaderBackground, container.New(layout.NewCustomPaddedLayout(2, 2, 8, 4), row))}
	s.Object.Refresh()
}
