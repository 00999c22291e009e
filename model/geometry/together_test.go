package geometry

import (
	"math"
	"testing"
)

// TestTogether: what two shapes have in common is drawn at one place of one size, and neither reaches beyond the margin.
func TestTogether(t *testing.T) {
	var both [2]*Solid
	for i, far := range []float64{1, 5} {
		both[i] = &Solid{Points: []Vec{{0, 0, 0}, {1, 0, 0}, {0, far, 0}}, Box: []Vec{{0, far, 0}}}
		both[i].center(both[i].Points)
		both[i].Box[0] = both[i].moved(both[i].Box[0])
	}
	Together(both[0], both[1])
	for k := range 2 {
		if d := both[0].Points[k].distance(both[1].Points[k]); d > 1e-12 {
			t.Errorf("point %d is drawn %g apart", k, d)
		}
	}
	for i, d := range both {
		if d.Box[0].distance(d.Points[2]) > 1e-12 {
			t.Errorf("the box of %d is at %v, its corner at %v", i, d.Box[0], d.Points[2])
		}
		for _, p := range d.Points {
			if r := math.Hypot(p[0], p[1]); r > 1 {
				t.Errorf("a point is %g away", r)
			}
		}
	}
	if got := both[1].placed(both[1].Points[2]); got.distance(Vec{0, 5, 0}) > 1e-12 {
		t.Errorf("the far point comes from %v", got)
	}
}
