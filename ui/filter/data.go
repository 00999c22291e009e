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

// A Filtered is a node of a filtered tree: a match, or a node above one.
type Filtered struct {
	nodes.Item
	row     int64       // index among the rows below its parent in the whole tree
	Kids    []*Filtered // in the order of the tree
	matches bool
	done    bool // Kids is complete
}

// PlaceOf returns the node of a row, filtered or not.
func PlaceOf(it treeview.Item) *nodes.Item {
	if f, ok := it.(*Filtered); ok {
		return &f.Item
	}
	return it.(*nodes.Item)
}

// A Data holds the nodes of a view that match, and those above them. A match without matches below it has all its
// children. The data grows in the order of the tree while the tree is searched.
type Data struct {
	*nodes.Data
	mu    sync.RWMutex // guards all filtered nodes and the following fields
	root  *Filtered
	query *search.Query // that root is filtered by
}

// A builder adds matches to a filtered tree. Only one goroutine may use it.
type builder struct {
	data *Data
	path []*Filtered                // from the root down to the node that was added last
	on   map[*model.Place]*Filtered // the nodes of path
}

// add adds a match, which must come after the earlier ones in the tree. It reports whether the match is new: several
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

// leave removes the nodes below f from the path and marks them as complete.
func (s *builder) leave(f *Filtered) {
	for k := len(s.path) - 1; k >= 0 && s.path[k] != f; k-- {
		s.path[k].done = true
		delete(s.on, s.path[k].Place)
		s.path = s.path[:k]
	}
}

// finish marks the tree as complete.
func (s *builder) finish() {
	s.data.mu.Lock()
	defer s.data.mu.Unlock()
	for _, f := range s.path {
		f.done = true
	}
}

// show sets the tree of the data.
func (d *Data) show(root *Filtered, q *search.Query) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.root, d.query = root, q
}

// isWhole reports whether an item has all its children, not only matches and nodes above them.
func (d *Data) isWhole(it treeview.Item) bool {
	f, ok := it.(*Filtered)
	return !ok || f.done && f.matches && len(f.Kids) == 0
}

// Root returns the root of the filtered tree.
func (d *Data) Root() treeview.Item {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.root
}

// Count returns the number of children of an item, and whether it is exact.
func (d *Data) Count(it treeview.Item) (int64, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.isWhole(it) {
		return d.Data.Count(PlaceOf(it))
	}
	return int64(len(it.(*Filtered).Kids)), true
}

// Pending reports whether the children of a whole item are not decoded yet.
func (d *Data) Pending(it treeview.Item) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.isWhole(it) && d.Data.Pending(PlaceOf(it))
}

// Child returns child i of an item.
func (d *Data) Child(it treeview.Item, i int64) treeview.Item {
	d.mu.RLock()
	if d.isWhole(it) {
		d.mu.RUnlock()
		return d.Data.Child(PlaceOf(it), i)
	}
	defer d.mu.RUnlock()
	return it.(*Filtered).Kids[i]
}

// Resolve decodes the children of an item, as the whole tree does.
func (d *Data) Resolve(ctx context.Context, it treeview.Item, progress func(done, total int64)) (treeview.Item, error) {
	return d.Data.Resolve(ctx, PlaceOf(it), progress)
}

// Row returns the row of an item. Nodes that do not match are dim.
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
	if !d.isWhole(f) {
		row.Branch, row.Pending = len(f.Kids) > 0, false
	}
	return row
}

// matchIn returns the range of a query's match in the cells of a node's row.
func matchIn(ctx context.Context, cells []string, q *search.Query, p *model.Place) treeview.Match {
	h, ok := q.Match(ctx, p)
	cell, shown := map[search.Where]int{search.InName: 0, search.InValue: 1, search.InType: 2}[h.Where]
	if !ok || !shown {
		return treeview.Match{}
	}
	return nodes.MatchOf(cells, cell, h.Text[h.From:h.To])
}

// Unfolds returns the steps to the children of an item that begin open, as a treeview.Unfolding does: those above a
// match.
func (d *Data) Unfolds(it treeview.Item, first int64) []treeview.Step {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.isWhole(it) {
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

// step returns the match after at, or with back the one before it, around the ends. If at is nil, it returns the first
// match, or with back the last. It returns nil if nothing matches.
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

// Way returns the steps from the root of the filtered tree to p. If the filter hides p, all is false and the steps end
// at the nearest node above it.
func (d *Data) Way(p *model.Place) (way []treeview.Step, all bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	f := d.root
	way = []treeview.Step{{Index: 0, Item: f}}
	places := p.Segments()
	for k, at := range places[1:] {
		if d.isWhole(f) {
			rest := d.WayFrom(places, k+1)
			return append(way, rest...), len(rest) > 0 && PlaceOf(rest[len(rest)-1].Item).Place == p
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
