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

func TestContextText(t *testing.T) {
	src := model.NewFileSource("x", model.BytesReader("0123456789abcdefghijklmnopqrstuvwxyz\x00\xff"))
	for _, c := range []struct {
		off, n int64
		want   string
	}{
		{0, 2, "[30 31] 32 33 34 35 36 37 38 39   [01]23456789"},
		{2, 1, "30 31 [32] 33 34 35 36 37 38 39 61   01[2]3456789a"},
		{36, 2, "77 78 79 7a [00 ff]   wxyz[..]"},
		{10, 26, "36 37 38 39 [61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f 70] 71 72 73 74 75 76 77 78   6789[abcdefghijklmnop]qrstuvwx"},
	} {
		if got := contextText(t.Context(), src, c.off, c.n); got != c.want {
			t.Errorf("%d+%d: %q, want %q", c.off, c.n, got, c.want)
		}
	}
}
