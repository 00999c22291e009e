package phrase

import "testing"

// TestTime: a time has the digits that it was written with, not those of its sums.
func TestTime(t *testing.T) {
	for want, sum := range map[string]float64{"0.12": 0.12000000000000013, "1493865.341674546": 1493865.341674546, "-2.5": -2.5, "0": 0} {
		if got := Time(sum); got != want {
			t.Errorf("%g is %s, want %s", sum, got, want)
		}
	}
	x, y := 0.1, 0.2
	if got := Time(x + y); got != "0.3" {
		t.Error(got)
	}
}
