package ui

import (
	"context"
	"sort"
	"sync"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// filtered is a node of a filtered tree: one that matches, or one above such.
type filtered struct {
	nodes.Item
	row     int64       // its number among the rows below its parent in the whole tree
	kids    []*filtered // in the order of the tree
	matches bool
	done    bool // nothing more comes below it
}

// placeOf is what a row of a tree shows, filtered or not.
func placeOf(it treeview.Item) *nodes.Item {
	if f, ok := it.(*filtered); ok {
		return &f.Item
	}
	return it.(*nodes.Item)
}

// filterData shows the nodes of a view that match, with those above them; a match without another one below it opens
// to all that it has. It grows while the tree is searched, in the order of the tree.
type filterData struct {
	*nodes.Data
	mu    sync.RWMutex // for all filtered nodes and the following
	root  *filtered
	query *search.Query // that root is filtered by
}

// sift puts matches into a filtered tree. One goroutine uses it.
type sift struct {
	data *filterData
	path []*filtered                // from the root down to the node that came last
	on   map[*model.Place]*filtered // those of path
}

// newSift begins a filtered tree that has only the root yet.
func newSift(data *filterData, root *model.Place) *sift {
	f := &filtered{Item: *nodes.ItemOf(root)}
	return &sift{data, []*filtered{f}, map[*model.Place]*filtered{root: f}}
}

func (s *sift) root() *filtered { return s.path[0] }

// add puts in a match, which comes behind all before it in the tree. It tells whether the match is new: several
// elements of an array may be hits of one node.
func (s *sift) add(p *model.Place) bool {
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	var way []*model.Place
	at := p
	for s.on[at] == nil {
		way = append(way, at)
		at = at.Parent
	}
	s.leave(s.on[at])
	for i := len(way) - 1; i >= 0; i-- {
		up := s.path[len(s.path)-1]
		f := &filtered{Item: *nodes.ItemOf(way[i]), row: nodes.RowOf(way[i])}
		up.kids = append(up.kids, f)
		s.path = append(s.path, f)
		s.on[way[i]] = f
	}
	last := s.path[len(s.path)-1]
	fresh := !last.matches
	last.matches = true
	return fresh
}

// leave takes what is below f off the path: nothing more comes there.
func (s *sift) leave(f *filtered) {
	for k := len(s.path) - 1; k >= 0 && s.path[k] != f; k-- {
		s.path[k].done = true
		delete(s.on, s.path[k].Place)
		s.path = s.path[:k]
	}
}

// finish says that nothing more comes.
func (s *sift) finish() {
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	for _, f := range s.path {
		f.done = true
	}
}

// show makes a tree the one that the data shows.
func (d *filterData) show(root *filtered, q *search.Query) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root, d.query = root, q
}

// whole tells whether all that an item has is shown below it, and not only what matches.
func (d *filterData) whole(it treeview.Item) bool {
	f, ok := it.(*filtered)
	return !ok || f.done && f.matches && len(f.kids) == 0
}

// Root implements treeview.Data.
func (d *filterData) Root() treeview.Item {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.root
}

// Count implements treeview.Data.
func (d *filterData) Count(it treeview.Item) (int64, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.whole(it) {
		return d.Data.Count(placeOf(it))
	}
	return int64(len(it.(*filtered).kids)), true
}

// Pending implements treeview.Data.
func (d *filterData) Pending(it treeview.Item) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.whole(it) && d.Data.Pending(placeOf(it))
}

// Child implements treeview.Data.
func (d *filterData) Child(it treeview.Item, i int64) treeview.Item {
	d.mu.RLock()
	if d.whole(it) {
		d.mu.RUnlock()
		return d.Data.Child(placeOf(it), i)
	}
	defer d.mu.RUnlock()
	return it.(*filtered).kids[i]
}

// Resolve implements treeview.Data.
func (d *filterData) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	return d.Data.Resolve(ctx, placeOf(it), progress)
}

// Row implements treeview.Data. Nodes that stand only above matches are quiet.
func (d *filterData) Row(it treeview.Item) treeview.Row {
	row := d.Data.Row(placeOf(it))
	f, ok := it.(*filtered)
	if !ok {
		return row
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if row.Dim = !f.matches; f.matches {
		row.Match = matchIn(d.Ctx, row.Cells, d.query, f.Place)
	}
	if !d.whole(f) {
		row.Branch, row.Pending = len(f.kids) > 0, false
	}
	return row
}

// matchIn is where the cells of a node's row show what a query has found in it.
func matchIn(ctx context.Context, cells []string, q *search.Query, p *model.Place) treeview.Match {
	h, ok := q.Match(ctx, p)
	cell, shown := map[search.Where]int{search.InName: 0, search.InValue: 1, search.InType: 2}[h.Where]
	if !ok || !shown {
		return treeview.Match{}
	}
	return nodes.MatchOf(cells, cell, h.Text[h.From:h.To])
}

// Unfolds implements treeview.Unfolding: all that stands above a match is open.
func (d *filterData) Unfolds(it treeview.Item, first int64) []treeview.Step {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.whole(it) {
		return nil
	}
	var steps []treeview.Step
	kids := it.(*filtered).kids
	for i := first; i < int64(len(kids)); i++ {
		if len(kids[i].kids) > 0 {
			steps = append(steps, treeview.Step{Index: i, Item: kids[i]})
		}
	}
	return steps
}

// way is the way from the root of the filtered tree to p, or as far as it goes: where the filter hides p, all is
// false.
func (d *filterData) way(p *model.Place) (way []treeview.Step, all bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f := d.root
	way = []treeview.Step{{Index: 0, Item: f}}
	segments := nodes.Way(p)
	for k, step := range segments[1:] {
		if d.whole(f) {
			return append(way, segments[k+1:]...), true
		}
		i := sort.Search(len(f.kids), func(i int) bool { return f.kids[i].row >= step.Index })
		if i == len(f.kids) || f.kids[i].row != step.Index {
			return way, false
		}
		f = f.kids[i]
		way = append(way, treeview.Step{Index: int64(i), Item: f})
	}
	return way, true
}
