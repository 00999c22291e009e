package cards

import (
	"testing"

	"fyne.io/fyne/v2"

	"cutaway/model/geometry"
)

// TestTwins: what is done to one shape is done to the other, and both mark the same point.
func TestTwins(t *testing.T) {
	points := func() []geometry.Vec { return []geometry.Vec{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}} }
	d := &DrawnTwins{Point: 2, zUp: true}
	for i := range d.solids {
		d.solids[i] = &solid{Solid: &geometry.Solid{Points: points(), Step: 1, Total: 3}}
	}
	w := NewTwins()
	w.Show(d)
	a, b := w.sides[0], w.sides[1]
	if a.chosen != 2 || b.chosen != 2 || !b.zUp {
		t.Errorf("marked are %d and %d", a.chosen, b.chosen)
	}
	a.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(30, 10)})
	b.zoomBy(2, fyne.Position{})
	if a.yaw != b.yaw || a.pitch != b.pitch || a.zoom != b.zoom || a.zoom <= 1 || a.yaw == newTurntable().yaw {
		t.Errorf("turned to %g %g %g and %g %g %g", a.yaw, a.pitch, a.zoom, b.yaw, b.pitch, b.zoom)
	}
	d.Point = 3
	w.Show(d)
	if a.chosen != -1 {
		t.Errorf("a point that there is not is marked: %d", a.chosen)
	}
}
