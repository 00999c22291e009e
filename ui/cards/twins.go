package cards

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/model"
	"cutaway/model/geometry"
)

// Twins draws two shapes beside each other in one measure. Turning, moving or zooming one does the same to the other.
type Twins struct {
	Object fyne.CanvasObject
	sides  [2]*turntable
}

// NewTwins makes twins that show nothing yet.
func NewTwins() *Twins {
	t := &Twins{sides: [2]*turntable{newTurntable(), newTurntable()}}
	t.sides[0].twin, t.sides[1].twin = t.sides[1], t.sides[0]
	t.Object = container.NewGridWithColumns(2, t.sides[0], t.sides[1])
	return t
}

// DrawnTwins is two shapes as Twins draws them.
type DrawnTwins struct {
	Point  int64 // the point that is marked, or -1
	solids [2]*solid
	zUp    bool
}

// mostAbove is the number of nodes above one that are searched for a shape.
const mostAbove = 8

// ReadTwins reads the shapes that two nodes are of, and marks an element of the first node where that is a point. An element of -1 is none.
// It returns nil unless both have a shape.
func ReadTwins(ctx context.Context, nodes [2]*model.Place, element int64, progress model.Progress) *DrawnTwins {
	d := &DrawnTwins{Point: -1}
	for i, p := range nodes {
		s := shapeAround(ctx, p)
		if s == nil {
			return nil
		}
		read, _, err := geometry.Read(ctx, s, progress)
		if err != nil {
			return nil // the values say why
		}
		d.solids[i], d.zUp = &solid{Solid: read}, isZUp(ctx, s)
		if a, is := p.Node.Value.(model.Array); i == 0 && is && element >= 0 && isPicked(ctx, s, pick{i: element, at: model.ElementSpan(ctx, a, element)}) {
			d.Point = element
		}
	}
	geometry.Together(d.solids[0].Solid, d.solids[1].Solid)
	return d
}

// shapeAround returns the shape of a node, or of the nearest one above with a shape, or nil.
func shapeAround(ctx context.Context, p *model.Place) model.Shape {
	for range mostAbove {
		if p == nil {
			return nil
		}
		if shapes := model.CardsOf[model.Shape](ctx, &p.Node); len(shapes) > 0 {
			return shapes[0]
		}
		p = p.Parent
	}
	return nil
}

// Show draws two shapes.
func (t *Twins) Show(d *DrawnTwins) {
	point := d.Point
	for i, side := range t.sides {
		modes := d.solids[i].modes()
		side.solid, side.zUp, side.mode, side.chosen = d.solids[i], d.zUp, modes[len(modes)-1], -1
		if step := d.solids[i].Step; point >= 0 && point%step == 0 && point/step < int64(len(d.solids[i].Points)) {
			side.chosen = int(point / step)
		}
		side.Refresh()
	}
}
