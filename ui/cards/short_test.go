package cards

import (
	"strings"
	"testing"
)

func TestShortLines(t *testing.T) {
	got := shortLines("short\n" + strings.Repeat("x", shownLine-1) + "ü and more\nend")
	want := "short\n" + strings.Repeat("x", shownLine-1) + " … (11 bytes more)\nend"
	if got != want {
		t.Errorf("%q", got)
	}
}
