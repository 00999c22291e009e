package window_test

import (
	"strings"
	"testing"

	"cutaway/ui/inspector"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"
)

// TestExtent: the status bar says in how many places a node's bytes are, and the inspector says "in all" of a whole source only.
func TestExtent(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/usdc/made-0.15.0.usdc", Path: "scene/customLayerData"})
		b.At(s, "scene/customLayerData")
		b.Until("the places", func() bool {
			return strings.HasPrefix(b.W.Status.Where.Text, "0xa8 (168)  ·  48 bytes in 2 places  ·  File")
		})
		s.Pane.Side.Inspect()
		s.Pane.Side.InspectAs(inspector.Sums)
		of := func(path, want string) {
			t.Helper()
			s.Pane.Nav.GoTo(path)
			b.At(s, path)
			b.Until(want, func() bool { return s.Pane.Side.Inspector.Sums.Of.Text == want })
		}
		of("scene/customLayerData", "48 bytes of “customLayerData”, in 2 places")
		of("layout", "5,170 bytes in all")
	})
}
