// Package geometry reads shapes and scenes as far as they are drawn: points around their middle, and faces and lines between them. It knows
// no screen.
package geometry

import (
	"context"
	"fmt"
	"math"

	"cutaway/model"
	"cutaway/model/values"
)

// Limits of a solid, so that it turns smoothly. Of more points every n-th is drawn, without faces and lines.
const (
	MostPoints  = 200_000
	mostCorners = 600_000
)

// A Solid is a shape as it is drawn.
type Solid struct {
	Points []Vec   // around their middle, the farthest about 1 away
	Step   int64   // the points are every step-th of the array
	Total  int64   // of the array
	Parts  []int32 // where each part begins in Corner, and where the last ends, or nil for points only
	Corner []int32 // numbers of points
	Closed bool
	Wrong  string // the part that could not be read, or ""
	Box    []Vec  // the corners of the bounds, x fastest, or nil
	Middle Vec    // of the points before they were moved; Reach is the distance of the farthest
	Reach  float64
}

// A Vec is a point or direction.
type Vec [3]float64

// Read reads a shape as far as it is drawn.
func Read(ctx context.Context, s model.Shape, progress model.Progress) (*Solid, *values.Column, error) {
	a := s.Points(ctx)
	if a == nil {
		return nil, nil, fmt.Errorf("there are no points")
	}
	c, err := values.ArrayColumn(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if !c.Numeric() || c.Packing.Components < 2 || c.Packing.Components > 3 {
		return nil, nil, fmt.Errorf("the points are %s, not of 2 or 3 numbers each", a.Elem())
	}
	d := &Solid{Total: a.Len(), Step: max((a.Len()+MostPoints-1)/MostPoints, 1)}
	if err := d.readPoints(ctx, c, progress); err != nil {
		return nil, nil, err
	}
	d.center(d.Points)
	if detailed, ok := s.(model.DetailedShape); ok {
		d.readBounds(ctx, detailed.Bounds(ctx))
	}
	if counts, indices, closed := s.Parts(ctx); counts != nil && d.Step == 1 {
		d.Closed = closed
		d.readParts(ctx, counts, indices)
	}
	return d, c, ctx.Err()
}

// readPoints reads the points, all or every n-th.
func (d *Solid) readPoints(ctx context.Context, c *values.Column, progress model.Progress) error {
	const window = 1024
	buf := make([]model.Value, window)
	if d.Step > window {
		buf = buf[:1]
	}
	for at := int64(0); at < d.Total; {
		n, err := c.Read(ctx, at, buf[:min(int64(len(buf)), d.Total-at)])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := int64(0); i < int64(n); i++ {
			if (at+i)%d.Step == 0 {
				d.Points = append(d.Points, vecOf(buf[i]))
			}
		}
		if n == 0 || err != nil {
			d.Wrong = "the points from " + model.Grouped(at+int64(n)) + " on cannot be read"
			break
		}
		if at += int64(n); len(buf) == 1 {
			at += d.Step - 1
		}
		progress.Report(at, d.Total, "points")
	}
	if len(d.Points) == 0 {
		return fmt.Errorf("there are no points")
	}
	return nil
}

// vecOf is a value of two or three numbers; what is none is NaN.
func vecOf(v model.Value) (p Vec) {
	for i, part := range values.AppendComponents(nil, v) {
		if i < len(p) {
			p[i] = NumberOf(part)
		}
	}
	return p
}

// NumberOf returns a number, or NaN for a value that is none.
func NumberOf(v model.Value) float64 {
	if f, ok := model.FloatOf(v); ok {
		return f
	}
	return math.NaN()
}

// extremes returns the corners of the box around points.
func extremes(points []Vec) (low, high Vec) {
	low, high = Vec{math.Inf(1), math.Inf(1), math.Inf(1)}, Vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		if p.Finite() {
			for k := range p {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	return low, high
}

// distance returns the distance of two points.
func (p Vec) distance(q Vec) float64 {
	return math.Hypot(math.Hypot(p[0]-q[0], p[1]-q[1]), p[2]-q[2])
}

// center moves and scales all points so that the given ones lie around the origin, within a distance of about 1.
func (d *Solid) center(among []Vec) {
	low, high := extremes(among)
	for k := range low {
		d.Middle[k] = (low[k] + high[k]) / 2
	}
	for _, p := range among {
		if p.Finite() {
			d.Reach = max(d.Reach, p.distance(d.Middle))
		}
	}
	if !(d.Reach > 0) {
		d.Reach = 1
	}
	for i := range d.Points {
		d.Points[i] = d.moved(d.Points[i])
	}
}

// Together gives two shapes one middle and one measure, so that what differs is seen where they are drawn alike.
func Together(a, b *Solid) {
	reach := max(a.Reach, b.Reach, a.Middle.distance(b.Middle)+b.Reach)
	middle := a.Middle
	for _, d := range []*Solid{a, b} {
		was := *d
		d.Middle, d.Reach = middle, reach
		for _, points := range [][]Vec{d.Points, d.Box} {
			for i, p := range points {
				points[i] = d.moved(was.placed(p))
			}
		}
	}
}

// placed is a drawn point as the shape has it.
func (d *Solid) placed(p Vec) Vec {
	for k := range p {
		p[k] = p[k]*d.Reach/margin + d.Middle[k]
	}
	return p
}

// margin is the distance of the farthest point as it is drawn.
const margin = 0.95

// moved is a point as it is drawn.
func (d *Solid) moved(p Vec) Vec {
	for k := range p {
		p[k] = (p[k] - d.Middle[k]) / d.Reach * margin
	}
	return p
}

// readBounds reads the box around a shape.
func (d *Solid) readBounds(ctx context.Context, bounds model.Array) {
	var ends [2]model.Value
	if bounds == nil || bounds.Len() < 2 {
		return
	}
	if n, err := bounds.Read(ctx, 0, ends[:]); n < 2 || err != nil {
		return
	}
	low, high := vecOf(ends[0]), vecOf(ends[1])
	for i := range 8 {
		corner := low
		for k := range corner {
			if i>>k&1 == 1 {
				corner[k] = high[k]
			}
		}
		d.Box = append(d.Box, d.moved(corner))
	}
}

// Finite reports whether a point has a place.
func (p Vec) Finite() bool {
	sum := p[0] + p[1] + p[2]
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// readParts reads the faces and lines between the points. It leaves out those with a point beyond the last, and counts them.
func (d *Solid) readParts(ctx context.Context, counts, indices model.Array) {
	sizes, err := integers(ctx, counts, mostCorners)
	all := int64(0)
	for _, n := range sizes {
		all += int64(max(n, 0))
	}
	if err != nil || all > mostCorners {
		d.Wrong = "too much joins the points to be drawn"
		return
	}
	var numbers []int32
	if indices != nil {
		if numbers, err = integers(ctx, indices, mostCorners); err != nil {
			d.Wrong = err.Error()
			return
		}
	}
	d.Parts = []int32{0}
	next, bad := 0, 0
	for _, n := range sizes {
		if !d.addPart(next, int(n), numbers, indices != nil) {
			bad++
		}
		next += int(max(n, 0))
	}
	if bad > 0 {
		d.Wrong = model.GroupedCount(int64(bad), "part") + " cannot be drawn: points that are not there"
	}
}

// addPart adds a part of the n points from number first on, or, where it is numbered, of those that numbers say there. It
// reports whether it has them all.
func (d *Solid) addPart(first, n int, numbers []int32, numbered bool) bool {
	if n <= 0 || numbered && first+n > len(numbers) {
		return false
	}
	from := len(d.Corner)
	for i := first; i < first+n; i++ {
		p := int32(i)
		if numbered {
			p = numbers[i]
		}
		if p < 0 || int(p) >= len(d.Points) || !d.Points[p].Finite() {
			d.Corner = d.Corner[:from]
			return false
		}
		d.Corner = append(d.Corner, p)
	}
	d.Parts = append(d.Parts, int32(len(d.Corner)))
	return true
}

// integers reads an array of whole numbers.
func integers(ctx context.Context, a model.Array, most int64) ([]int32, error) {
	if a.Len() > most {
		return nil, fmt.Errorf("%s are too many", model.GroupedCount(a.Len(), "number"))
	}
	list := make([]int32, 0, a.Len())
	buf := make([]model.Value, 1024)
	for int64(len(list)) < a.Len() {
		n, err := a.Read(ctx, int64(len(list)), buf[:min(int64(len(buf)), a.Len()-int64(len(list)))])
		for _, v := range buf[:n] {
			list = append(list, int32(min(max(NumberOf(v), -1), math.MaxInt32)))
		}
		if err != nil || n == 0 {
			return list, err
		}
	}
	return list, nil
}
