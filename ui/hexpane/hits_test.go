package hexpane

import "testing"

// manyHits is hits of 3 bytes at every offset below n.
type manyHits int64

func (n manyHits) In(_ string, f func(off, length int64, node bool)) {
	for i := range int64(n) {
		f(i, 3, false)
	}
}

// TestMarksOf: all hits are marked among the bytes, and no more of them on the strip than it has room for.
func TestMarksOf(t *testing.T) {
	const n = 500_000
	if m := marksOf(manyHits(n), "a", n); len(m.Ranges) != n || m.longest != 3 || len(m.Strip) > StripParts {
		t.Errorf("%d ranges, %d marks", len(m.Ranges), len(m.Strip))
	}
	if m := marksOf(manyHits(0), "a", 9); len(m.Ranges) != 0 || len(m.Strip) != 0 {
		t.Error("marks without hits")
	}
}
