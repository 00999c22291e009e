package cards

import (
	"context"
	"image/color"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/geometry"
	"cutaway/ui/kit"
)

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

// lit returns the solid of a scene with the shapes at or below a path in their colours, and the others grey.
func lit(c *geometry.Scene, path string) *solid {
	p := &paint{ofParts: true}
	for i, in := range c.Within(path) {
		end := len(c.Solid.Parts) - 1
		if i+1 < len(c.List) {
			end = c.List[i+1].First
		}
		ink := faint
		if in {
			ink = inkOf(c.List[i].Color)
		}
		p.inks = append(p.inks, slices.Repeat([]color.NRGBA{ink}, end-c.List[i].First)...)
	}
	return &solid{Solid: c.Solid, paint: p}
}

// sceneCard is a scene on the screen.
type sceneCard struct {
	d     *Deck
	ctx   context.Context
	scene model.Scene
	table *turntable
	label *widget.Label
	mode  *kit.Select
	now   *geometry.Scene // nil: not read yet
	path  string          // of the selected node below that of the scene
	base  string          // of the node of the scene
}

// sceneCard makes the card of a scene: it turns as a shape does, a click on a face selects its node, and others than those below the
// selected one are grey.
func (d *Deck) sceneCard(ctx context.Context, s model.Scene) (fyne.CanvasObject, *sceneCard) {
	c := &sceneCard{d: d, ctx: ctx, scene: s, table: newTurntable(), base: d.host.Current().Path()}
	bar, up, mode, label := d.turnBar(c.table, []string{"Points", "Wireframe", "Flat"})
	c.mode, c.label = mode, label
	c.table.onFace = func(part int) {
		if i := c.now.Of(part); i >= 0 {
			d.host.GoToNode(c.base + "/" + c.now.List[i].Paths[0])
		}
	}
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
		now, err := geometry.ReadScene(ctx, c.scene, time, progress)
		if err != nil {
			return nil, err
		}
		return func() {
			if before := c.now; before != nil { // it stays in its place while it moves
				now.Solid.PlaceLike(before.Solid)
			}
			c.now = now
			c.label.SetText(now.Text())
			then()
			c.show()
		}, nil
	}, c.label)
}

// mark follows the selection of a node below that of the scene, or of its own where the path is "", and the selected time.
func (c *sceneCard) mark(path string) {
	c.path = path
	if time := c.moment(); c.now != nil && c.now.Timed && time != c.now.Time && !math.IsNaN(time) {
		c.read(time, func() {})
		return
	}
	c.show()
}

// show draws the scene with the selected shapes.
func (c *sceneCard) show() {
	if c.now != nil {
		c.table.solid = lit(c.now, c.path)
		c.table.Refresh()
	}
}
