package phrase

import (
	"strings"
	"testing"
)

// TestCalculate: sums are those of a pocket calculator, products first; what is none is told.
func TestCalculate(t *testing.T) {
	names := map[string]int64{"end": 1000, "here": 10}
	for text, want := range map[string]int64{
		"0x100*3+8": 776, "end-16": 984, "END - 0x10": 984, "here+2*(3+4)": 24, "1,000 - 1": 999, "((7))": 7, "10h": 16, "2*3*4-4*2": 16, "1-2-3": -4,
	} {
		if got, ok := Calculate(text, names); !ok || got != want {
			t.Errorf("%q: %d, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "+", "1+", "*2", "(1", "1)", "end here", "1/2", "0x", "a", "99999999999*99999999999", "9223372036854775808",
		strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000)} {
		if got, ok := Calculate(text, names); ok {
			t.Errorf("%q is %d", text, got)
		}
	}
}
