package nodes

import (
	"cutaway/model"
	"cutaway/ui/treeview"
)

// below is the rows below a node: derived sources, the children of list from number first on, then one row with the fields
// that are folded.
type below struct {
	stubs  int64
	list   *model.Place // the node, or the field whose children are shown as the node's
	first  int64
	fields int64
}

// folded returns the number of rows for the fields.
func (b *below) folded() int64 { return min(b.fields, 1) }

// rowsBelow returns the rows below a node. In a file of a server nothing is folded, since that may need a read.
func (d *Data) rowsBelow(p *model.Place) below {
	b := below{stubs: int64(len(p.Node.Derived)), list: p}
	if d.View.Fold == nil || d.Far || p.Node.Children == nil || p.Node.IsPending() {
		return b
	}
	if d.IsThrough(p) {
		b.first, _ = p.Len(d.Ctx)
		return b
	}
	fold := d.foldOf(p)
	if fold.Fields == 0 {
		return b
	}
	b.first, b.fields = fold.Fields, fold.Fields
	if fold.Through >= 0 && fold.Through < fold.Fields {
		b.list, b.first = p.Child(d.Ctx, fold.Through), 0
	}
	return b
}

// IsThrough reports whether the children of p are shown as those of its parent.
func (d *Data) IsThrough(p *model.Place) bool {
	if d.View.Fold == nil || d.Far || p.Parent == nil {
		return false
	}
	fold := d.foldOf(p.Parent)
	return p.Index == fold.Through && fold.Through < fold.Fields
}

func (d *Data) foldOf(p *model.Place) model.Fold {
	path := p.Path()
	d.mu.Lock()
	fold, known := d.folds[path]
	d.mu.Unlock()
	if known {
		return fold
	}
	fold = d.View.Fold(d.Ctx, &p.Node)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.folds == nil {
		d.folds = map[string]model.Fold{}
	}
	d.folds[path] = fold
	return fold
}

// Way returns the rows from the root to p, as the tree wants them.
func (d *Data) Way(p *model.Place) []treeview.Step { return d.WayFrom(p.Segments(), 0) }

// WayFrom returns the rows of places, each the parent of the next one, from number k on. Fields that are folded have the row of all
// fields above their own. From a field on whose children are shown as its parent's, the way ends there.
func (d *Data) WayFrom(places []*model.Place, k int) (way []treeview.Step) {
	for ; k < len(places); k++ {
		p := places[k]
		if p.Parent == nil || p.Index < 0 { // the root, or a derived source
			way = append(way, treeview.Step{Index: RowOf(p), Item: ItemOf(p)})
			continue
		}
		b := d.rowsBelow(p.Parent)
		if through := b.list != p.Parent; through && k+1 < len(places) && b.list.Index == p.Index {
			k++ // its children are in its parent's place
			row := d.Sorting.orderOf(b).row(places[k].Index) + b.stubs
			way = append(way, treeview.Step{Index: row, Item: ItemOf(places[k])})
			continue
		}
		if p.Index < b.first && p.Index >= b.fields {
			return way
		}
		if p.Index < b.fields {
			n, _ := b.list.Len(d.Ctx)
			way = append(way, treeview.Step{Index: b.stubs + n - b.first, Item: &Item{p.Parent, theFields}}, treeview.Step{Index: p.Index, Item: ItemOf(p)})
			continue
		}
		way = append(way, treeview.Step{Index: d.Sorting.orderOf(b).row(p.Index-b.first) + b.stubs, Item: ItemOf(p)})
	}
	return way
}

// RowOf returns the number of p among all rows below its parent, in the order of the file with nothing folded.
func RowOf(p *model.Place) int64 {
	switch {
	case p.Parent == nil:
		return 0
	case p.Index < 0:
		return -1 - p.Index
	}
	return p.Index + int64(len(p.Parent.Node.Derived))
}
