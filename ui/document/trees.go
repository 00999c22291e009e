package document

import (
	"context"
	"fmt"
	"image/color"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
	"cutaway/ui/filter"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// Trees are the trees of a document: of each view a whole and a filtered one.
type Trees struct {
	shell.Opened
	pane *Pane

	Views   *kit.TabBar
	TreeBox *fyne.Container
	rest    *kit.Pair // below the tree: the bytes of the file that no node has
	trees   map[string]*treeview.Tree
	sorted  map[string]*nodes.Data // what the whole trees show
	Filters *filter.Pane
	view    *model.View
}

// makeTrees makes the trees of a pane. It sets s.Trees first, which their filter needs.
func (s *Pane) makeTrees() {
	t := &Trees{Opened: s.Opened, pane: s, trees: make(map[string]*treeview.Tree), sorted: make(map[string]*nodes.Data), TreeBox: container.NewStack()}
	s.Trees = t
	t.rest = kit.NewPair(t.TreeBox, "Rest of the file")
	t.Filters = filter.New(s.Opened, filterHost(s), s.Trail.Filtered, t.rest.Object)
	t.Views = kit.NewTabBar(func(i int) { s.ShowView(s.Doc.Views[i], true) })
}

// filterIcon is a funnel.
var filterIcon = theme.NewThemedResource(fyne.NewStaticResource("filter.svg", []byte(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M3 4h18v2l-7 8v6l-4-2v-4L3 6zM6 6l6 7 6-7z" fill-rule="evenodd"/></svg>`)))

// head returns the tabs of the views, with buttons for the filter and the lists at their right.
func (s *Trees) head(l *Lists) fyne.CanvasObject {
	narrow := kit.IconButton(filterIcon, "Filter the tree (Ctrl+Shift+F)", s.Filters.Flip)
	return newEnded(s.Views, narrow, l.flags, l.wrong)
}

// OpenBranches lists the paths of open branches of all trees, those above before those below, at most limit of each tree.
func (s *Trees) OpenBranches(limit int) []string {
	var paths []string
	for _, v := range s.Doc.Views {
		t := s.trees[v.Name]
		if t == nil {
			continue
		}
		for _, it := range t.OpenInSight(limit) {
			if p := filter.PlaceOf(it); !p.IsStub() && p.Place.Parent != nil {
				paths = append(paths, p.Path())
			}
		}
	}
	return paths
}

// branchesIn returns the nodes at some paths that a document has, decoded.
func branchesIn(ctx context.Context, doc *model.Document, paths []string) (there []*model.Place) {
	for _, path := range paths {
		p, err := doc.Lookup(ctx, path)
		if err == nil {
			p, err = nodes.ItemOf(p).Decode(ctx, nil)
		}
		if err == nil {
			there = append(there, p)
		}
	}
	return there
}

// unfoldedAtOnce is the size in bytes of the largest file whose structure is open at first: the window waits for its tables.
const unfoldedAtOnce = 1 << 20

// FirstBranches returns the branches that are open when a document is seen for the first time: the structure of its first view. A large
// file has none.
func FirstBranches(ctx context.Context, doc *model.Document) []*model.Place {
	if len(doc.Views) == 0 || !nodes.TellsMeaning(doc, doc.Views[0]) || doc.Far() || doc.Source().Size() > unfoldedAtOnce {
		return nil
	}
	return nodes.Overview(ctx, doc.Views[0])
}

// Unfold opens branches in the whole trees.
func (s *Trees) Unfold(branches []*model.Place) {
	for _, p := range branches {
		if v := s.Doc.View(nodes.ViewOf(p)); v != nil {
			t := s.Tree(v)
			t.Open(s.sorted[v.Name].Way(p))
		}
	}
}

// FocusTree gives the keyboard to the tree, unless a place to go to is being typed.
func (s *Trees) FocusTree() {
	c := s.Win.Canvas()
	if s.pane.host.InFront() && s.view != nil && !s.pane.host.TypesPlace() {
		s.pane.Frame.showTree()
		c.Focus(s.Front(s.view))
	}
}

// columnsName returns the name under which the widths of the columns of a view's tree are stored.
func (s *Trees) columnsName(v *model.View) string {
	if nodes.TellsMeaning(s.Doc, v) {
		return "meaning"
	}
	return "tree"
}

// Columns returns the titles of the columns of the tree that is shown, "" for one that it has not.
func (s *Trees) Columns() (titles []string) {
	if s.view == nil {
		return nil
	}
	for _, c := range nodes.ColumnsFor(s.Doc, s.view) {
		titles = append(titles, c.Title)
	}
	return titles
}

// SortBy sorts the siblings of the tree that is shown by a column; again, the other way round, and then no longer.
func (s *Trees) SortBy(column int) {
	if s.view != nil {
		s.Tree(s.view).OnTitle(column)
	}
}

// SortedBy returns the column by which the shown tree is sorted, or -1.
func (s *Trees) SortedBy() int {
	if s.view == nil || s.sorted[s.view.Name] == nil {
		return -1
	}
	column, _ := s.sorted[s.view.Name].Sorting.By()
	return column
}

// Tree returns the whole tree of a view, made when the view is looked at first.
func (s *Trees) Tree(v *model.View) *treeview.Tree {
	if t := s.trees[v.Name]; t != nil {
		return t
	}
	data := s.newData(v)
	t := s.NewTree(data, v)
	data.Sorting.Moved = t.Reorder
	s.sorted[v.Name] = data
	t.OnTitle = func(column int) {
		data.SortBy(column, t.OpenItems())
		t.ShowSorted(data.Sorting.By())
		s.pane.host.Moved()
	}
	t.OnSelected = func(it treeview.Item) { s.pane.SelectItem(it.(*nodes.Item)) }
	t.OnResolved = func() {
		s.pane.Decoded()
		s.explainEmpty()
	}
	s.trees[v.Name] = t
	t.OpenRoot()
	return t
}

// newData returns what a tree of a view shows.
func (s *Trees) newData(v *model.View) *nodes.Data {
	data := &nodes.Data{Ctx: s.Ctx, View: v, Tasks: s.Tasks, Marks: s.pane.Marks(), Marked: s.markColor, Far: s.Doc.Far()}
	if nodes.TellsMeaning(s.Doc, v) {
		data.Sizes, data.Title = s.pane.Sizes.Of, s.Doc.Source().Title()
	}
	return data
}

// NewTree makes a tree of nodes of a view.
func (s *Trees) NewTree(data treeview.Data, v *model.View) *treeview.Tree {
	t := treeview.New(s.Ctx, data, nodes.ColumnsFor(s.Doc, v))
	s.Remember(s.columnsName(v), t)
	t.OnCopy = func(treeview.Item) { s.pane.Actions.CopyValue() }
	t.OnMenu = func(it treeview.Item, _ int, at fyne.Position) { s.pane.Actions.treeMenu(filter.PlaceOf(it), at) }
	t.Multi, t.OnPicked = true, s.picked
	t.OnHover = func(it treeview.Item) { s.pane.lightItem(it) }
	s.followLinks(t)
	return t
}

// Front returns the tree of a view that is shown: the filtered one, or the whole.
func (s *Trees) Front(v *model.View) *treeview.Tree {
	if t := s.Filters.Tree(v); t != nil {
		return t
	}
	return s.Tree(v)
}

// selectIn selects a node in the tree of a view that is shown.
func (s *Trees) selectIn(v *model.View, p *model.Place) {
	if f := s.Filters.Of(v); f.Run != nil {
		f.Mark(p, true)
		return
	}
	s.SelectWhole(v, p)
}

// allTrees lists the trees that were made, filtered ones too.
func (s *Trees) allTrees() []*treeview.Tree {
	var all []*treeview.Tree
	for _, t := range s.trees {
		all = append(all, t)
	}
	if s.Filters != nil {
		all = append(all, s.Filters.Trees()...)
	}
	return all
}

// switchTo puts the tree of a view on the screen.
func (s *Trees) switchTo(v *model.View) {
	s.view = v
	s.Filters.Show()
	t := s.Front(v)
	t.SetWidths(s.Store.Columns[s.columnsName(v)]) // another tree's may have been changed
	s.display(t)
	s.showRest()
	tabs := make([]kit.Tab, len(s.Doc.Views))
	for i, other := range s.Doc.Views {
		tabs[i].Title = other.Title
	}
	s.Views.Set(tabs, slices.Index(s.Doc.Views, v))
}

// View returns the view that is shown.
func (s *Trees) View() *model.View { return s.view }

// SelectWhole selects a node in the whole tree of a view.
func (s *Trees) SelectWhole(v *model.View, p *model.Place) {
	t := s.Tree(v)
	t.Select(s.sorted[v.Name].Way(p), true)
}

// ShowTree shows the tree of a view anew, if the view is shown.
func (s *Trees) ShowTree(v *model.View) {
	if s.view == v {
		s.display(s.Front(v))
	}
}

// display puts a tree on the screen.
func (s *Trees) display(t *treeview.Tree) {
	if len(s.TreeBox.Objects) > 0 {
		if before, is := s.TreeBox.Objects[0].(*treeview.Tree); is && before != t {
			before.MouseOut() // it hears no more of the pointer
		}
	}
	kit.Swap(s.TreeBox, t)
	s.explainEmpty()
}

// ChosenNodes calls then with the selected nodes in the order of the tree, which it finds in the background, or with the one node of the
// card. The places belong to the receiver.
func (s *Trees) ChosenNodes(what string, then func(places []*model.Place)) {
	t := s.Front(s.view)
	n := t.Selection.Count()
	switch {
	case n <= 1 && s.pane.current == nil:
		return
	case n <= 1:
		then([]*model.Place{s.pane.current})
		return
	case n > maxExported:
		s.TellWords("Too many nodes", nil, fmt.Sprintf("%s are selected; at most %s can be taken one by one. Select the node above them, which has all of them below it.",
			model.GroupedCount(n, "node"), model.Grouped(maxExported)))
		return
	}
	items := t.Selection.All(maxExported)
	s.Tasks.Try(s.Ctx, what, func(ctx context.Context, progress model.Progress) (func(), error) {
		var places []*model.Place
		for _, it := range items(ctx) {
			p := filter.PlaceOf(it)
			at := p.Place
			if p.IsStub() {
				var err error
				if at, err = p.Decode(ctx, progress); err != nil {
					return nil, err
				}
			}
			places = append(places, at)
		}
		return func() { then(places) }, ctx.Err()
	})
}

// picked follows the selection of n rows.
func (s *Trees) picked(n int64) {
	s.Log.Write("picked", n)
	s.pane.CursorMoved()
}

// PickedText returns the number of selected nodes for the status bar, or "" for one.
func (s *Trees) PickedText() string {
	if s.view == nil {
		return ""
	}
	if n := s.Front(s.view).Selection.Count(); n > 1 {
		return "  ·  " + model.GroupedCount(n, "node") + " selected"
	}
	return ""
}

// maxExported is the number of nodes that one export can take: each is kept in memory.
const maxExported = 10_000

// followLinks lets rows of a tree follow their references.
func (s *Trees) followLinks(t *treeview.Tree) {
	t.OnFollow = func(it treeview.Item, at fyne.Position) { s.pane.Actions.FollowFrom(filter.PlaceOf(it), at) }
	t.OnChosen = func(it treeview.Item) {
		if p := filter.PlaceOf(it); p.Place.Fresh(s.Ctx).Node.Refs != nil {
			s.pane.Actions.FollowCurrent()
		}
	}
}

// MarksChanged shows the marks of nodes with problems anew.
func (s *Trees) MarksChanged() {
	for _, t := range s.allTrees() {
		t.Invalidate()
	}
}

// markColor returns the colour of the user's mark on a node, or nil.
func (s *Trees) markColor(path string) color.Color { return s.pane.Lists.Kept.ColorOf(path) }

// NextView switches to the next tree.
func (s *Trees) NextView() {
	for i, v := range s.Doc.Views {
		if v == s.view {
			s.pane.ShowView(s.Doc.Views[(i+1)%len(s.Doc.Views)], true)
			return
		}
	}
}

// showRest shows the bytes of the file that no node of the tree has. With them the sizes of the tree add up to the file's.
func (s *Trees) showRest() {
	if s.view == nil {
		return
	}
	bytes, known := s.pane.Sizes.Rest(s.view)
	s.rest.Set(model.Grouped(bytes), known && bytes > 0 && nodes.TellsMeaning(s.Doc, s.view))
}

// countedAtOnce is the size in bytes of the largest file whose nodes are measured unasked.
const countedAtOnce = 64 << 20

// measure counts the sizes of the view that is shown, where its tree has them.
func (s *Trees) measure() {
	if s.view != nil && nodes.TellsMeaning(s.Doc, s.view) && !s.Uncounted && !s.Doc.Far() && s.Doc.Source().Size() <= countedAtOnce {
		s.pane.Sizes.Want(s.view)
	}
}

// Measured follows the measuring of a view. Rows are sorted again only after its end, so that they do not jump about.
func (s *Trees) Measured(all bool) {
	s.MarksChanged()
	s.showRest()
	s.pane.ownCounted()
	if !all {
		return
	}
	for name, data := range s.sorted {
		if column, _ := data.Sorting.By(); column >= 0 {
			data.SortAgain(s.trees[name].OpenItems())
		}
	}
}

// Sorted returns the rows of the whole tree of a view.
func (s *Trees) Sorted(v *model.View) *nodes.Data {
	s.Tree(v)
	return s.sorted[v.Name]
}
