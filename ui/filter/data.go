package filter

import (
	"context"
	"sort"
	"sync"

	"cutaway/model"
	"cutaway/model/search"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// Filtered is a node of a filtered tree: one that matches, or one above such.
type Filtered struct {
	nodes.Item
	row     int64       // its number among the rows below its parent in the whole tree
	Kids    []*Filtered // in the order of the tree
	matches bool
	done    bool // nothing more comes below it
}

// PlaceOf is what a row of a tree shows, filtered or not.
func PlaceOf(it treeview.Item) *nodes.Item {
	if f, ok := it.(*Filtered); ok {
		return &f.Item
	}
	return it.(*nodes.Item)
}

// Data shows the nodes of a view that match, with those above them; a match without another one below it opens
// to all that it has. It grows while the tree is searched, in the order of the tree.
type Data struct {
	*nodes.Data
	mu    sync.RWMutex // for all filtered nodes and the following
	root  *Filtered
	query *search.Query // that root is filtered by
}

// builder puts matches into a filtered tree. One goroutine uses it.
type builder struct {
	data *Data
	path []*Filtered                // from the root down to the node that came last
	on   map[*model.Place]*Filtered // those of path
}

// newBuilder begins a filtered tree that has only the root yet.
func newBuilder(data *Data, root *model.Place) *builder {
	f := &Filtered{Item: *nodes.ItemOf(root)}
	return &builder{data, []*Filtered{f}, map[*model.Place]*Filtered{root: f}}
}

func (s *builder) root() *Filtered { return s.path[0] }

// add puts in a match, which comes after all before it in the tree. It reports whether the match is new: several
// elements of an array may be hits of one node.
func (s *builder) add(p *model.Place) bool {
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
		f := &Filtered{Item: *nodes.ItemOf(way[i]), row: nodes.RowOf(way[i])}
		up.Kids = append(up.Kids, f)
		s.path = append(s.path, f)
		s.on[way[i]] = f
	}
	last := s.path[len(s.path)-1]
	fresh := !last.matches
	last.matches = true
	return fresh
}

// leave takes what is below f off the path: nothing more comes there.
func (s *builder) leave(f *Filtered) {
	for k := len(s.path) - 1; k >= 0 && s.path[k] != f; k-- {
		s.path[k].done = true
		delete(s.on, s.path[k].Place)
		s.path = s.path[:k]
	}
}

// finish says that nothing more comes.
func (s *builder) finish() {
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	for _, f := range s.path {
		f.done = true
	}
}

// show makes a tree the one that the data shows.
func (d *Data) show(root *Filtered, q *search.Query) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root, d.query = root, q
}

// whole reports whether all that an item has is shown below it, and not only what matches.
func (d *Data) whole(it treeview.Item) bool {
	f, ok := it.(*Filtered)
	return !ok || f.done && f.matches && len(f.Kids) == 0
}

// Root implements treeview.Data.
func (d *Data) Root() treeview.Item {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.root
}

// Count implements treeview.Data.
func (d *Data) Count(it treeview.Item) (int64, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.whole(it) {
		return d.Data.Count(PlaceOf(it))
	}
	return int64(len(it.(*Filtered).Kids)), true
}

// Pending implements treeview.Data.
func (d *Data) Pending(it treeview.Item) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.whole(it) && d.Data.Pending(PlaceOf(it))
}

// Child implements treeview.Data.
func (d *Data) Child(it treeview.Item, i int64) treeview.Item {
	d.mu.RLock()
	if d.whole(it) {
		d.mu.RUnlock()
		return d.Data.Child(PlaceOf(it), i)
	}
	defer d.mu.RUnlock()
	return it.(*Filtered).Kids[i]
}

// Resolve implements treeview.Data.
func (d *Data) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	return d.Data.Resolve(ctx, PlaceOf(it), progress)
}

// Row implements treeview.Data. Nodes that are only above matches are quiet.
func (d *Data) Row(it treeview.Item) treeview.Row {
	row := d.Data.Row(PlaceOf(it))
	f, ok := it.(*Filtered)
	if !ok {
		return row
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if row.Dim = !f.matches; f.matches {
		row.Match = matchIn(d.Ctx, row.Cells, d.query, f.Place)
	}
	if !d.whole(f) {
		row.Branch, row.Pending = len(f.Kids) > 0, false
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

// Unfolds implements treeview.Unfolding: all that is above a match is open.
func (d *Data) Unfolds(it treeview.Item, first int64) []treeview.Step {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.whole(it) {
		return nil
	}
	var steps []treeview.Step
	kids := it.(*Filtered).Kids
	for i := first; i < int64(len(kids)); i++ {
		if len(kids[i].Kids) > 0 {
			steps = append(steps, treeview.Step{Index: i, Item: kids[i]})
		}
	}
	return steps
}

// step is the match after at, or with back the one before it, around the ends; of no at, the first. nil: nothing matches.
func (d *Data) step(at *Filtered, back bool) *Filtered {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var matches []*Filtered
	next, last := 0, -1
	var walk func(f *Filtered)
	walk = func(f *Filtered) {
		if f == at {
			last = len(matches) - 1
		}
		if f.matches {
			matches = append(matches, f)
		}
		if f == at {
			next = len(matches)
		}
		for _, kid := range f.Kids {
			walk(kid)
		}
	}
	walk(d.root)
	n := len(matches)
	switch {
	case n == 0:
		return nil
	case back:
		return matches[(last+n)%n]
	}
	return matches[next%n]
}

// Way is the way from the root of the filtered tree to p, or as far as it goes: where the filter hides p, all is
// false.
func (d *Data) Way(p *model.Place) (way []treeview.Step, all bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f := d.root
	way = []treeview.Step{{Index: 0, Item: f}}
	places := p.Segments()
	for k, at := range places[1:] {
		if d.whole(f) {
			return append(way, d.WayFrom(places, k+1)...), true
		}
		row := nodes.RowOf(at)
		i := sort.Search(len(f.Kids), func(i int) bool { return f.Kids[i].row >= row })
		if i == len(f.Kids) || f.Kids[i].row != row {
			return way, false
		}
		f = f.Kids[i]
		way = append(way, treeview.Step{Index: int64(i), Item: f})
	}
	return way, true
}
