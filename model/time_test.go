package model

import (
	"math"
	"testing"
)

// TestTime: a time has the digits that it was written with, not those of its sums.
func TestFormatTime(t *testing.T) {
	for want, sum := range map[string]float64{"0.12": 0.12000000000000013, "1493865.341674546": 1493865.341674546, "-2.5": -2.5, "0": 0} {
		if got := FormatTime(sum); got != want {
			t.Errorf("%g is %s, want %s", sum, got, want)
		}
	}
	x, y := 0.1, 0.2
	if got := FormatTime(x + y); got != "0.3" {
		t.Error(got)
	}
}

// TestFormatDigits: what is before the point is never cut.
func TestFormatDigits(t *testing.T) {
	for f, want := range map[float64]string{1.5: "1.5", 1.0 / 3: "0.3333333", 12345678.9: "12345679", 1.7e15 + 1: "1700000000000001", 0: "0", -12345678.25: "-12345678",
		1e20 / 3: "3.333333e+19", 1e-9 / 3: "3.333333e-10", math.Inf(1): "Infinity"} {
		if got := FormatDigits(f, 7); got != want {
			t.Errorf("%g is %s, want %s", f, got, want)
		}
	}
	if got := FormatTime(-math.MaxFloat64) + " " + FormatTime(math.MaxFloat64); got != "start end" {
		t.Errorf("the ends of time are %s", got)
	}
}
