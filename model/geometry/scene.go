package geometry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"cutaway/model"
	"cutaway/model/values"
)

// A Placed shape is one of a scene as it is drawn.
type Placed struct {
	First int // its first part
	Paths []string
	Color []float64 // red, green and blue from 0 to 1, or nil
}

// A Scene is the shapes of a scene at a time as one solid, and the first part of each.
type Scene struct {
	Solid  *Solid
	List   []Placed
	Counts map[string]int // by kind of shape
	Boxes  int            // shapes that are drawn as boxes
	Full   bool           // there are more shapes
	Timed  bool
	Time   float64 // NaN: none
}

var errFull = errors.New("these are as many shapes as can be turned")

// ReadScene reads the shapes of a scene at a time, as far as they are drawn: those beyond the bounds of a solid are boxes.
func ReadScene(ctx context.Context, s model.Scene, time float64, progress model.Progress) (*Scene, error) {
	c := &Scene{Solid: &Solid{Step: 1, Parts: []int32{0}, Closed: true}, Counts: make(map[string]int), Time: time}
	var err error
	var starts []int // the first point of each shape
	c.Timed, err = s.Shapes(ctx, time, func(p model.Placed) error {
		if len(c.Solid.Points) >= 2*MostPoints {
			return errFull
		}
		c.Counts[p.Kind]++
		before := len(c.Solid.Points)
		if c.add(ctx, p); len(c.Solid.Points) > before {
			starts = append(starts, before)
		}
		progress.Report(int64(len(c.List)), 0, "shapes")
		return ctx.Err()
	})
	if c.Full = errors.Is(err, errFull); err != nil && !c.Full {
		return nil, err
	}
	if len(c.Solid.Points) == 0 {
		return nil, fmt.Errorf("no shape of it can be read")
	}
	c.Solid.Total = int64(len(c.Solid.Points))
	c.Solid.center(c.framed(starts))
	return c, nil
}

// Shapes that reach so many times farther than others are not all in sight.
const (
	farther     = 50   // than all smaller ones
	flatFarther = 1.5  // a flat shape, such as the ground, than those that are not flat
	flatPart    = 0.05 // the least extent of a flat shape as a part of its greatest
)

// framed returns the points that are in sight at first: those of all shapes but those that would make the others tiny, such as a ground
// plane or a sky. starts has the first point of each shape.
func (c *Scene) framed(starts []int) []Vec {
	list := c.extents(starts)
	if len(list) == 0 {
		return c.Solid.Points
	}
	solid := 0.0 // the reach of the shapes that are not flat
	for _, e := range list {
		if !e.flat {
			solid = max(solid, e.reach)
		}
	}
	var in []Vec
	for i, e := range list {
		if i > 0 && list[i-1].reach > 0 && e.reach > farther*list[i-1].reach {
			break
		}
		if !e.flat || solid == 0 || e.reach <= flatFarther*solid {
			in = append(in, e.points...)
		}
	}
	return in
}

// An extent says how far a shape reaches.
type extent struct {
	points []Vec
	middle Vec
	reach  float64 // from the middle of the scene
	flat   bool    // its least extent is a small part of its greatest
}

// extents returns the extents of shapes, the least reach first. The middle of the scene is the median of their middles, which a few that
// are far away do not move.
func (c *Scene) extents(starts []int) (list []extent) {
	var middle [3][]float64
	for i, from := range starts {
		end := len(c.Solid.Points)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		e := extentOf(c.Solid.Points[from:end])
		if !e.middle.Finite() {
			continue
		}
		list = append(list, e)
		for k := range middle {
			middle[k] = append(middle[k], e.middle[k])
		}
	}
	var of Vec
	for k := range middle {
		if slices.Sort(middle[k]); len(list) > 0 {
			of[k] = middle[k][len(list)/2]
		}
	}
	for i := range list {
		for _, p := range list[i].points {
			if p.Finite() {
				list[i].reach = max(list[i].reach, p.distance(of))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b extent) int { return cmp.Compare(a.reach, b.reach) })
	return list
}

func extentOf(points []Vec) extent {
	e := extent{points: points}
	low, high := extremes(points)
	least, most := math.Inf(1), 0.0
	for k := range low {
		e.middle[k] = (low[k] + high[k]) / 2
		least, most = min(least, high[k]-low[k]), max(most, high[k]-low[k])
	}
	e.flat = least <= flatPart*most
	return e
}

// add adds a shape. One without points is left out.
func (c *Scene) add(ctx context.Context, p model.Placed) {
	a := p.Shape.Points(ctx)
	if a == nil {
		return
	}
	column, err := values.ArrayColumn(ctx, a)
	if err != nil || !column.IsSpatial() {
		return
	}
	one := &Solid{Total: a.Len(), Step: max((a.Len()+MostPoints-1)/MostPoints, 1)}
	if one.readPoints(ctx, column, nil) != nil {
		return
	}
	one.join(ctx, p.Shape)
	if len(c.Solid.Points)+len(one.Points) > MostPoints || len(c.Solid.Corner)+len(one.Corner) > mostCorners || one.Wrong != "" {
		if one = one.bounded(); one == nil {
			return
		}
		c.Boxes++
	}
	c.List = append(c.List, Placed{len(c.Solid.Parts) - 1, p.Paths, p.Color})
	from, corners := int32(len(c.Solid.Points)), int32(len(c.Solid.Corner))
	for _, v := range one.Points {
		c.Solid.Points = append(c.Solid.Points, transformed(v, &p.To))
	}
	for _, i := range one.Corner {
		c.Solid.Corner = append(c.Solid.Corner, from+i)
	}
	for _, end := range one.Parts[1:] {
		c.Solid.Parts = append(c.Solid.Parts, corners+end)
	}
}

// join reads what joins the points of a shape of a scene: lines are parts of two corners, loose points of one.
func (d *Solid) join(ctx context.Context, s model.Shape) {
	counts, indices, closed := s.Parts(ctx)
	switch {
	case counts == nil:
		d.Parts = []int32{0}
		for i := range d.Points {
			d.addPart(i, 1, nil, false)
		}
	case d.Step > 1:
		d.Wrong = "too many points"
	default:
		d.readParts(ctx, counts, indices)
	}
	if closed || counts == nil || d.Wrong != "" {
		return
	}
	lines := &Solid{Points: d.Points, Parts: []int32{0}}
	for k := range len(d.Parts) - 1 {
		for i := d.Parts[k]; i+1 < d.Parts[k+1]; i++ {
			lines.addPart(int(i), 2, d.Corner, true)
		}
	}
	d.Parts, d.Corner = lines.Parts, lines.Corner
}

// bounded returns the box around the points, or nil without any.
func (d *Solid) bounded() *Solid {
	low, high := extremes(d.Points)
	box := &Solid{Parts: []int32{0}}
	for i := range 8 {
		corner := low
		for k := range corner {
			if i>>k&1 == 1 {
				corner[k] = high[k]
			}
		}
		box.Points = append(box.Points, corner)
	}
	for _, f := range [][]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		if !box.addPart(0, 4, f, true) {
			return nil
		}
	}
	return box
}

// transformed returns a point times a matrix of rows.
func transformed(v Vec, m *[16]float64) (to Vec) {
	for k := range to {
		to[k] = v[0]*m[k] + v[1]*m[4+k] + v[2]*m[8+k] + m[12+k]
	}
	return to
}

// Of returns the number of the shape that a part is of.
func (c *Scene) Of(part int) int {
	return sort.Search(len(c.List), func(i int) bool { return c.List[i].First > part }) - 1
}

// PlaceLike puts the points where those of another solid with other points are.
func (d *Solid) PlaceLike(o *Solid) {
	const margin = 0.95
	for i, p := range d.Points {
		for k := range p {
			p[k] = p[k]*d.Reach/margin + d.Middle[k]
		}
		d.Points[i] = o.moved(p)
	}
	d.Middle, d.Reach = o.Middle, o.Reach
}

// Within returns for each shape whether it is at or below a path. If none is, it is those at or below the nearest path above.
func (c *Scene) Within(path string) []bool {
	for {
		in, some := make([]bool, len(c.List)), path == ""
		for i, p := range c.List {
			in[i] = path == "" || slices.ContainsFunc(p.Paths, func(at string) bool { return isWithin(at, path) })
			some = some || in[i]
		}
		if some {
			return in
		}
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
}

// isWithin reports whether a path is that of a node or of one below it.
func isWithin(path, of string) bool {
	rest, is := strings.CutPrefix(path, of)
	return is && (rest == "" || rest[0] == '/')
}

// Text says what is drawn.
func (c *Scene) Text() string {
	text := "Whole scene"
	if c.Full {
		text = "The first shapes"
	}
	if c.Timed && !math.IsNaN(c.Time) {
		text += fmt.Sprintf(" at time %g", c.Time)
	}
	kinds := make([]string, 0, len(c.Counts))
	for kind := range c.Counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(c.Counts[b], c.Counts[a]), cmp.Compare(a, b)) })
	for i, kind := range kinds {
		sep := ", "
		if i == 0 {
			sep = "  ·  "
		}
		text += sep + plural(c.Counts[kind], kind)
	}
	if c.Boxes > 0 {
		text += "  ·  " + plural(c.Boxes, "box") + " in place of more faces than can be turned"
	}
	return text
}

// plural counts things whose word may end like mesh, box or curves.
func plural(n int, thing string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "sh"), strings.HasSuffix(thing, "x"):
		thing += "es"
	case !strings.HasSuffix(thing, "s"):
		thing += "s"
	}
	return model.Grouped(int64(n)) + " " + thing
}
