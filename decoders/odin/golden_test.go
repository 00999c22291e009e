package odin

import (
	"testing"

	"cutaway/decoders/decodertest"
)

// TestGolden compares trees that were looked over with what is shown now; -update writes them.
func TestGolden(t *testing.T) {
	for _, c := range []struct{ file, view string }{
		{"every-entry.odin", "layout"}, {"every-entry.odin", "entries"}, {"object.odin", "objects"}, {"object.odin.json", "layout"},
		{"loose.odin.json", "entries"}, {"program.odin", "udon"}, {"nodes.asset", "objects"}, {"nodes.asset", "layout"}, {"override.prefab", "objects"}, {"grid.odin", "objects"}, {"modifications.prefab", "objects"},
		{"gzip-in-hex.asset", "udon"}, {"hex.asset", "layout"}, {"repeated-names.odin", "objects"}, {"damaged-member-without-value.odin", "objects"},
	} {
		doc := openDoc(t, fixture(t, c.file))
		decodertest.Golden(t, fixtures+"/"+c.file+"."+c.view+".txt", decodertest.Tree(t, doc, c.view))
	}
}
