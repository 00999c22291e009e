package model_test

import (
	"testing"

	"cutaway/model"
)

// TestHalfOf: each half comes back from its float, ties go to even, and what is too large is infinite.
func TestHalfOf(t *testing.T) {
	for h := range 1 << 16 {
		f := model.Half(h).Float()
		if f != f {
			continue
		}
		if back := model.HalfOf(float64(f)); back != model.Half(h) {
			t.Fatalf("%#x is %v, back is %#x", h, f, back)
		}
	}
	for v, want := range map[float64]model.Half{2049: 0x6800, 2051: 0x6802, 65519: 0x7BFF, 65520: 0x7C00, -70000: 0xFC00, 1e-9: 0} {
		if got := model.HalfOf(v); got != want {
			t.Errorf("%v: %#x, want %#x", v, got, want)
		}
	}
}
