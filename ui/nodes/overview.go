package nodes

import (
	"context"

	"cutaway/model"
)

// overviewRows is the number of rows that a tree shows at first, and has room for in the window's usual size.
const overviewRows = 26

// Overview returns the groups of a view that are open at first: level by level those with groups or shapes below, as far as all rows
// are seen at once. It decodes no more than these.
func Overview(ctx context.Context, v *model.View) (open []*model.Place) {
	d := &Data{Ctx: ctx, View: v}
	_, level := d.overviewed(ctx, d.Root().(*Item))
	rows := 1 + len(level)
	for len(level) > 0 && ctx.Err() == nil {
		var next []*Item
		for _, it := range level {
			at, below := d.overviewed(ctx, it)
			if len(below) == 0 || rows+len(below) > overviewRows || !d.structures(ctx, below) {
				continue
			}
			rows += len(below)
			open, next = append(open, at), append(next, below...)
		}
		level = next
	}
	return open
}

// overviewed returns a group, decoded, and the rows below it, or none if they are too many.
func (d *Data) overviewed(ctx context.Context, it *Item) (at *model.Place, below []*Item) {
	if it.Derived != theNode || it.Place.Parent != nil && d.kindOf(ctx, &it.Place.Node) != model.GroupKind {
		return nil, nil
	}
	at, err := it.Decode(ctx, nil)
	if err != nil {
		return nil, nil
	}
	n, exact := d.Count(ItemOf(at))
	if !exact || n > overviewRows {
		return nil, nil
	}
	for i := range n {
		below = append(below, d.Child(ItemOf(at), i).(*Item))
	}
	return at, below
}

// structures reports whether rows have a group or a shape.
func (d *Data) structures(ctx context.Context, rows []*Item) bool {
	for _, it := range rows {
		if k := d.kindOf(ctx, &it.Place.Node); it.Derived == theNode && (k == model.GroupKind || k == model.ShapeKind) {
			return true
		}
	}
	return false
}
