package search

import (
	"testing"

	"cutaway/model"
)

// TestHits: a million fit, those of many sources are told apart, and no more.
func TestHits(t *testing.T) {
	h := newHits()
	files := []*model.Source{model.NewFileSource("a", model.BytesReader("abc")), model.NewSource("b", "b", "layout", model.BytesReader("abc"))}
	for i := range int64(maxHits) {
		if !h.addBytes(files[i/10%2], i, 3) {
			t.Fatalf("no room for hit %d", i)
		}
	}
	if h.addBytes(files[0], 0, 1) || h.Len() != maxHits {
		t.Error("more than the limit is kept")
	}
	if f, ok := h.At(maxHits - 1); !ok || f.Source != "b" || f.Off != maxHits-1 || f.Path != "" {
		t.Errorf("the last is %+v", f)
	}
	n := 0
	h.In(model.FileSource, func(off, length int64, node bool) {
		if off/10%2 != 0 || length != 3 || node {
			t.Fatalf("hit at %d+%d", off, length)
		}
		n++
	})
	if n != maxHits/2 {
		t.Errorf("%d hits in a file", n)
	}
	h.In("c", func(int64, int64, bool) { t.Error("hits in a source without any") })
}
