package window_test

import (
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"cutaway/ui/document"
)

// TestExtent: the status bar says in how many places a node's bytes are, and the inspector says "in all" of a whole source only.
func TestExtent(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/udm/twin.udm_b", Path: "asset/assetData/uint16"})
		b.At(s, "asset/assetData/uint16")
		b.Until("the places", func() bool {
			return strings.HasPrefix(b.W.Status.Where.Text, "0x2e1 (737)  ·  10 bytes in 2 places  ·  File")
		})
		s.Pane.Details.Choose(document.TabInspector)
		of := func(path, want string) {
			t.Helper()
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Until(want, func() bool { return s.Pane.Details.Inspector.Sums.Of.Text == want })
		}
		of("asset/assetData/uint16", "10 bytes of “uint16”, in 2 places")
		of("layout", "1,675 bytes in all")
	})
}
