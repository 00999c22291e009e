package ui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cutaway/ui/document"
)

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

// TestExtent: the status bar says in how many places a node's bytes are, and the inspector says "in all" of a whole source only.
func TestExtent(t *testing.T) { synctest.Test(t, testExtent) }

func testExtent(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../testdata/udm/twin.udm_b", Path: "asset/assetData/uint16"})
	b.at(s, "asset/assetData/uint16")
	b.until("the places", func() bool {
		return strings.HasPrefix(b.w.status.where.Text, "0x2e1 (737)  ·  10 bytes in 2 places  ·  File")
	})
	s.Pane.Details.Choose(document.TabInspector)
	of := func(path, want string) {
		t.Helper()
		s.Pane.Nav.GoTo(path)
		b.at(s, path)
		b.until(want, func() bool { return s.Pane.Details.Inspector.Sums.Of.Text == want })
	}
	of("asset/assetData/uint16", "10 bytes of “uint16”, in 2 places")
	of("layout", "1,675 bytes in all")
}
