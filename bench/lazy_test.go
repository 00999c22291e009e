package bench

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/internal/crategen"
	"cutaway/source"
)

// TestLazy opens generated crates, shows 50 rows of several nodes and counts. A scene needs the structural sections whole,
// which are compressed; arrays are never read.
func TestLazy(t *testing.T) {
	for _, c := range []struct {
		kind   crategen.Kind
		size   int64
		limits decodertest.Limits
	}{
		{crategen.Arrays, 64 << 20, decodertest.Limits{Path: "layout", Bytes: 4 << 10}},
		{crategen.Arrays, 64 << 20, decodertest.Limits{Path: "scene/World", Bytes: 16 << 10}},
		{crategen.Arrays, 64 << 20, decodertest.Limits{Path: "scene/World/Mesh_0003/.points/default", Bytes: 32 << 10}},
		// Coded integers are inflated whole, here out of 0.8 MB, which are read twice.
		{crategen.Arrays, 64 << 20, decodertest.Limits{Path: "scene/World/Mesh_0003/.faceVertexIndices/default", Bytes: 2 << 20}},
		{crategen.Sparse, 5 << 30, decodertest.Limits{Path: "layout", Bytes: 4 << 10}},
		{crategen.Sparse, 5 << 30, decodertest.Limits{Path: "scene/World/.hole/default", Bytes: 32 << 10}},
		{crategen.Specs, 200_000, decodertest.Limits{Path: "layout", Bytes: 4 << 10}},
		{crategen.Specs, 200_000, decodertest.Limits{Path: "scene/World", Bytes: 4 << 20}},
		{crategen.Children, 300_000, decodertest.Limits{Path: "layout", Bytes: 4 << 10}},
		{crategen.Children, 300_000, decodertest.Limits{Path: "scene/World", Bytes: 6 << 20}},
	} {
		name := input(t, c.kind, c.size)
		t.Run(string(c.kind)+" "+c.limits.Path, func(t *testing.T) {
			f, err := source.Open(name, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			decodertest.Lazy(t, usdc.Format, name, f, c.limits)
		})
	}
}
