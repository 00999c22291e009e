package kit

import "testing"

// TestSight: the place under the pointer stays, nothing is shown beyond what there is, and not less than the closest.
func TestSight(t *testing.T) {
	all := Sight{0, 100, 0, 100}
	in := all.Zoom(25, 1, 0)
	if in.From != 5 || in.To != 85 { // a quarter of it is left of 25, as before
		t.Errorf("zoomed to %+v", in)
	}
	for _, k := range []struct {
		what       string
		got        Sight
		from, most float64
	}{
		{"a zoom out", in.Zoom(25, -5, 0), 0, 100}, {"a close zoom", in.Zoom(25, 50, 8), 23, 31}, {"a drag to the right", in.Pan(0.5), 0, 80},
		{"a drag to the left", in.Pan(-1), 20, 100}, {"all", in.All(), 0, 100},
		{"all of nothing", Sight{}.All(), 0, 0},
	} {
		if k.got.From != k.from || k.got.To != k.most {
			t.Errorf("%s: %+v, want %v to %v", k.what, k.got, k.from, k.most)
		}
	}
}
