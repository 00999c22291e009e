package window

import (
	"strings"
	"testing"
	"time"
)

// TestParseDestination: paths and offsets, from the beginning, the end and here; what is neither says what would be.
func TestParseDestination(t *testing.T) {
	views := []string{"scene", "layout"}
	for _, c := range []struct {
		text string
		want destination
		err  string
	}{
		{"1234", destination{off: 1234}, ""},
		{" 0x4d2 ", destination{off: 1234}, ""},
		{"0X4D2", destination{off: 1234}, ""},
		{"4d2h", destination{off: 1234}, ""},
		{"1,000", destination{off: 1000}, ""},
		{"1_000", destination{off: 1000}, ""},
		{"+16", destination{off: 116}, ""},
		{"+0x10", destination{off: 116}, ""},
		{"-16", destination{off: 84}, ""},
		{"end", destination{off: 9999}, ""},
		{"end-16", destination{off: 9984}, ""},
		{"END - 0x10", destination{off: 9984}, ""},
		{"0x100*3+8", destination{off: 776}, ""},
		{"here+2*(3+4)", destination{off: 114}, ""},
		{"layout/TOC/[3]", destination{path: "layout/TOC/[3]"}, ""},
		{"scene", destination{path: "scene"}, ""},
		{"scene/", destination{path: "scene"}, ""},
		{"", destination{}, "type a path"},
		{"10000", destination{}, "outside a.bin, which has 10,000 bytes"},
		{"-101", destination{}, "outside"},
		{"end-10001", destination{}, "outside"},
		{"end+1", destination{}, "outside"},
		{"nonsense", destination{}, "neither"},
		{"nowhere/x", destination{}, "no view"},
		{"0x", destination{}, "neither"},
		{"99999999999999999999", destination{}, "neither"},
		{"-9223372036854775807", destination{}, "neither"},
	} {
		got, err := parseDestination(c.text, views, "a.bin", 100, 10000)
		switch {
		case c.err == "" && (err != nil || got != c.want):
			t.Errorf("%q: %+v, %v, want %+v", c.text, got, err, c.want)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: %v, want %q", c.text, err, c.err)
		}
	}
}

// TestTimeLeft: what work will take is said once it has gone on for a while, and where it is not soon over.
func TestTimeLeft(t *testing.T) {
	for _, k := range []struct {
		took        time.Duration
		done, total int64
		want        string
	}{
		{time.Second, 1, 100, ""}, {10 * time.Second, 0, 100, ""}, {10 * time.Second, 95, 100, ""}, {10 * time.Second, 100, 100, ""},
		{10 * time.Second, 50, 100, "  ·  10 s left"}, {10 * time.Second, 1, 100, "  ·  16 min left"}, {time.Hour, 1, 3, "  ·  2 h left"},
	} {
		if got := timeLeft(k.took, k.done, k.total); got != k.want {
			t.Errorf("%d of %d in %v: %q, want %q", k.done, k.total, k.took, got, k.want)
		}
	}
}
