package table

import (
	"testing"

	"cutaway/internal/handgen"
	"cutaway/model"
)

func TestRepBitsTile(t *testing.T) {
	c := Open(t.Context(), model.NewFileSource("built", model.BytesReader(handgen.NewBuilder(8).Bytes())))
	span := c.Src.Span(0, 8)
	n := c.RepNode("rep", Rep(TypeInt)<<TypeShift|InlinedBit|ArrayBit|5, span)
	var all uint64
	count, _ := n.Children.Len(t.Context())
	for i := range count {
		m := n.Children.At(t.Context(), i).Spans[0].Mask
		if all&m != 0 {
			t.Errorf("bit field %d overlaps", i)
		}
		all |= m
	}
	if all != 1<<64-1 {
		t.Errorf("bit fields leave %#x", ^all)
	}
	for off, want := range []string{"payload", "payload", "payload", "payload", "payload", "payload", "type", "unused"} {
		if i, ok := model.Locate(t.Context(), n.Children, c.Src, int64(off)); !ok || n.Children.At(t.Context(), i).Name != want {
			t.Errorf("byte %d: %v, want %s", off, i, want)
		}
	}
}
