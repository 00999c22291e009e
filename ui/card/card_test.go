package card

import (
	"strings"
	"testing"
)

// TestLongValue: a value that has no room beside its label is below it.
func TestLongValue(t *testing.T) {
	for text, want := range map[string]bool{"short": false, "a\nb": true, strings.Repeat("x", 61): true} {
		if isLong(text) != want {
			t.Errorf("%.10q is long: %t", text, !want)
		}
	}
}
