package cards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
)

// The shapes of a scene as one solid, each part of which knows whose it is.

// A placed shape of a scene as it is drawn.
type placed struct {
	first int // its first part
	paths []string
	ink   color.NRGBA
}

// scenery is a scene at a time.
type scenery struct {
	solid  *solid
	list   []placed
	counts map[string]int // by kind of shape
	boxes  int            // shapes that are drawn as boxes
	full   bool           // there are more shapes
	timed  bool
	time   float64 // NaN: none
}

var errFull = errors.New("these are as many shapes as can be turned")

// readScene reads the shapes of a scene at a time, as far as they are drawn: those beyond the bounds of a solid are boxes.
func readScene(ctx context.Context, s model.Scene, time float64, progress model.Progress) (*scenery, error) {
	c := &scenery{solid: &solid{step: 1, parts: []int32{0}, closed: true}, counts: make(map[string]int), time: time}
	var err error
	c.timed, err = s.Shapes(ctx, time, func(p model.Placed) error {
		if len(c.solid.points) >= 2*mostPoints {
			return errFull
		}
		c.counts[p.Kind]++
		c.add(ctx, p)
		progress.Report(int64(len(c.list)), 0, "shapes")
		return ctx.Err()
	})
	if c.full = errors.Is(err, errFull); err != nil && !c.full {
		return nil, err
	}
	if len(c.solid.points) == 0 {
		return nil, fmt.Errorf("no shape of it can be read")
	}
	c.solid.total = int64(len(c.solid.points))
	c.solid.center()
	return c, nil
}

// add adds a shape. One without points is left out.
func (c *scenery) add(ctx context.Context, p model.Placed) {
	a := p.Shape.Points(ctx)
	if a == nil {
		return
	}
	column, err := values.ArrayColumn(ctx, a)
	if err != nil || !isSpatial(column) {
		return
	}
	one := &solid{total: a.Len(), step: max((a.Len()+mostPoints-1)/mostPoints, 1)}
	if one.readPoints(ctx, column, nil) != nil {
		return
	}
	one.join(ctx, p.Shape)
	if len(c.solid.points)+len(one.points) > mostPoints || len(c.solid.corner)+len(one.corner) > mostCorners || one.wrong != "" {
		if one = one.bounded(); one == nil {
			return
		}
		c.boxes++
	}
	c.list = append(c.list, placed{len(c.solid.parts) - 1, p.Paths, inkOf(p.Color)})
	from, corners := int32(len(c.solid.points)), int32(len(c.solid.corner))
	for _, v := range one.points {
		c.solid.points = append(c.solid.points, transformed(v, &p.To))
	}
	for _, i := range one.corner {
		c.solid.corner = append(c.solid.corner, from+i)
	}
	for _, end := range one.parts[1:] {
		c.solid.parts = append(c.solid.parts, corners+end)
	}
}

// join reads what joins the points of a shape of a scene: lines are parts of two corners, loose points of one.
func (d *solid) join(ctx context.Context, s model.Shape) {
	counts, indices, closed := s.Parts(ctx)
	switch {
	case counts == nil:
		d.parts = []int32{0}
		for i := range d.points {
			d.addPart(i, 1, nil, false)
		}
	case d.step > 1:
		d.wrong = "too many points"
	default:
		d.readParts(ctx, counts, indices)
	}
	if closed || counts == nil || d.wrong != "" {
		return
	}
	lines := &solid{points: d.points, parts: []int32{0}}
	for k := range len(d.parts) - 1 {
		for i := d.parts[k]; i+1 < d.parts[k+1]; i++ {
			lines.addPart(int(i), 2, d.corner, true)
		}
	}
	d.parts, d.corner = lines.parts, lines.corner
}

// bounded returns the box around the points, or nil without any.
func (d *solid) bounded() *solid {
	low, high := d.extremes()
	box := &solid{parts: []int32{0}}
	for i := range 8 {
		corner := low
		for k := range corner {
			if i>>k&1 == 1 {
				corner[k] = high[k]
			}
		}
		box.points = append(box.points, corner)
	}
	for _, f := range [][]int32{{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}} {
		if !box.addPart(0, 4, f, true) {
			return nil
		}
	}
	return box
}

// transformed returns a point times a matrix of rows.
func transformed(v vec, m *[16]float64) (to vec) {
	for k := range to {
		to[k] = v[0]*m[k] + v[1]*m[4+k] + v[2]*m[8+k] + m[12+k]
	}
	return to
}

// inkOf returns the colour of a shape that says one, or that of all others.
func inkOf(c []float64) color.NRGBA {
	if len(c) < 3 {
		return clay
	}
	gamma := func(v float64) uint8 { return uint8(math.Pow(min(max(v, 0), 1), 1/2.2)*math.MaxUint8 + 0.5) }
	return color.NRGBA{gamma(c[0]), gamma(c[1]), gamma(c[2]), 255}
}

// The colours of shapes that say none, and of those beside the selected ones.
var clay, faint = color.NRGBA{0xb4, 0xbc, 0xcb, 255}, color.NRGBA{0x7c, 0x82, 0x8d, 255}

// of returns the number of the shape that a part is of.
func (c *scenery) of(part int) int {
	return sort.Search(len(c.list), func(i int) bool { return c.list[i].first > part }) - 1
}

// lit returns the solid with the shapes at or below a path in their colours, and the others grey. If no shape is, those below the nearest
// path above are.
func (c *scenery) lit(path string) *solid {
	within := func(p placed) bool {
		return path == "" || slices.ContainsFunc(p.paths, func(at string) bool { return isWithin(at, path) })
	}
	for !slices.ContainsFunc(c.list, within) && path != "" {
		path = path[:max(strings.LastIndexByte(path, '/'), 0)]
	}
	p := &paint{ofParts: true, inks: make([]color.NRGBA, 0, len(c.solid.parts)-1)}
	for i, one := range c.list {
		end := len(c.solid.parts) - 1
		if i+1 < len(c.list) {
			end = c.list[i+1].first
		}
		ink := one.ink
		if !within(one) {
			ink = faint
		}
		for range end - one.first {
			p.inks = append(p.inks, ink)
		}
	}
	now := *c.solid
	now.paint = p
	return &now
}

// isWithin reports whether a path is that of a node or of one below it.
func isWithin(path, of string) bool {
	rest, is := strings.CutPrefix(path, of)
	return is && (rest == "" || rest[0] == '/')
}

// text says what is drawn.
func (c *scenery) text() string {
	text := "Whole scene"
	if c.full {
		text = "The first shapes"
	}
	if c.timed && !math.IsNaN(c.time) {
		text += fmt.Sprintf(" at time %g", c.time)
	}
	kinds := make([]string, 0, len(c.counts))
	for kind := range c.counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int { return cmp.Or(cmp.Compare(c.counts[b], c.counts[a]), cmp.Compare(a, b)) })
	for i, kind := range kinds {
		sep := ", "
		if i == 0 {
			sep = "  ·  "
		}
		text += sep + plural(c.counts[kind], kind)
	}
	if c.boxes > 0 {
		text += "  ·  " + plural(c.boxes, "box") + " in place of more faces than can be turned"
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

// sceneCard is a scene on the screen.
type sceneCard struct {
	d     *Deck
	ctx   context.Context
	scene model.Scene
	table *turntable
	label *widget.Label
	mode  *kit.Select
	now   *scenery // nil: not read yet
	path  string   // of the selected node below that of the scene
	base  string   // of the node of the scene
}

// sceneCard makes the card of a scene: it turns as a shape does, a click on a face selects its node, and others than those below the
// selected one are grey.
func (d *Deck) sceneCard(ctx context.Context, s model.Scene) (fyne.CanvasObject, *sceneCard) {
	c := &sceneCard{d: d, ctx: ctx, scene: s, table: newTurntable(), label: widget.NewLabel("reading…"), base: d.host.Current().Path()}
	c.label.Importance, c.label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	c.mode = kit.NewSelect([]string{"Points", "Wireframe", "Flat"}, func(name string) {
		c.table.mode = name
		c.table.Refresh()
	})
	up := kit.NewCheck("Z up", func(on bool) {
		c.table.zUp, d.zUp = on, on
		c.table.Refresh()
	})
	c.table.onFace = func(part int) {
		if i := c.now.of(part); i >= 0 {
			d.host.GoToNode(c.base + "/" + c.now.list[i].paths[0])
		}
	}
	tools := container.NewHBox(up, kit.FixedWidth(130, c.mode))
	bar := container.New(layout.NewCustomPaddedLayout(2, 2, 4, 5), kit.Border(nil, nil, nil, tools, c.label))
	c.read(c.moment(), func() {
		c.table.turn(false, d.zUp || s.ZUp(ctx), up)
		c.mode.SetSelected("Flat")
	})
	return kit.Border(bar, nil, nil, nil, c.table), c
}

// moment returns the time that is selected, or NaN.
func (c *sceneCard) moment() float64 {
	if _, at := c.d.host.Times(); at != nil {
		return at.Moment.Time
	}
	return math.NaN()
}

// read shows the scene at a time.
func (c *sceneCard) read(time float64, then func()) {
	within := c.d.scenes.Next(c.ctx)
	c.d.load(within, c.scene, func(ctx context.Context, progress model.Progress) (func(), error) {
		now, err := readScene(ctx, c.scene, time, progress)
		if err != nil {
			return nil, err
		}
		return func() {
			if before := c.now; before != nil { // it stays in its place while it moves
				now.solid.placeLike(before.solid)
			}
			c.now = now
			c.label.SetText(now.text())
			then()
			c.show()
		}, nil
	}, c.label)
}

// placeLike puts the points where those of another solid with other points are.
func (d *solid) placeLike(o *solid) {
	const margin = 0.95
	for i, p := range d.points {
		for k := range p {
			p[k] = p[k]*d.reach/margin + d.middle[k]
		}
		d.points[i] = o.moved(p)
	}
	d.middle, d.reach = o.middle, o.reach
}

// mark follows the selection of a node below that of the scene, or of its own where the path is "", and the selected time.
func (c *sceneCard) mark(path string) {
	c.path = path
	if time := c.moment(); c.now != nil && c.now.timed && time != c.now.time && !math.IsNaN(time) {
		c.read(time, func() {})
		return
	}
	c.show()
}

// show draws the scene with the selected shapes.
func (c *sceneCard) show() {
	if c.now != nil {
		c.table.solid = c.now.lit(c.path)
		c.table.Refresh()
	}
}
