package cards

import (
	"slices"
	"strings"
	"testing"
)

func TestShortLine(t *testing.T) {
	if got := shortLine("short"); got != "short" {
		t.Errorf("%q", got)
	}
	if got := shortLine(strings.Repeat("x", shownLine-1) + "ü and more"); got != strings.Repeat("x", shownLine-1)+" … (10 bytes more)" {
		t.Errorf("%q", got)
	}
	if got := linesOf("a\r\n\n b\nend"); !slices.Equal(got, []string{"a", "", " b", "end"}) {
		t.Errorf("%q", got)
	}
}
