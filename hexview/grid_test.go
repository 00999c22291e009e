package hexview

import (
	"math/rand/v2"
	"slices"
	"testing"
)

var cell8 = cellMetrics{char: 8, row: 19, baseline: 14}

// Every byte is hit by the pixels of its cells, and by no other's.
func TestHitFindsCells(t *testing.T) {
	for _, cols := range []int{0, 8, 16, 32} {
		g := newGrid(900, 300, 1, cell8, 5000, Mode{RowWidth: cols})
		const top, left = 7, 3
		for row := range g.full {
			for col := range g.cols {
				want := int64(row+top)*int64(g.cols) + int64(col)
				y := row*cell8.row + row%cell8.row
				hex, text := g.hexCell(col), g.textCell(col)
				for _, x := range []int{hex.from, (hex.from + hex.to) / 2, hex.to - 1, text.from, text.to - 1} {
					if x-left >= g.strip.from || x-left < g.gutter {
						continue
					}
					if _, off, inside := g.hit(x-left, y, top, left); off != want || !inside {
						t.Fatalf("%d columns: pixel %d,%d is byte %d (inside: %v), want %d", cols, x, y, off, inside, want)
					}
				}
			}
		}
	}
}

func TestColumnsThatFit(t *testing.T) {
	last := 4
	for w := 0; w < 4000; w += 10 {
		g := newGrid(w, 300, 1, cell8, 1<<20, Mode{RowWidth: 0})
		if g.cols > 4 && !slices.Contains(rowLengths, g.cols) || g.cols < last {
			t.Fatalf("%d pixels have %d columns after %d", w, g.cols, last)
		}
		if g.cols > 4 && g.content > g.strip.from {
			t.Fatalf("%d columns take %d of %d pixels", g.cols, g.content, g.strip.from)
		}
		last = g.cols
	}
	if last != rowLengths[len(rowLengths)-1] {
		t.Errorf("4000 pixels have %d columns", last)
	}
}

func TestGutterHoldsTheLastOffset(t *testing.T) {
	for size, want := range map[int64]int{0: 8, 1: 8, 1 << 32: 8, 1<<32 + 1: 10, 1 << 40: 10, 1<<62 + 1: 16} {
		if g := newGrid(900, 300, 1, cell8, size, Mode{RowWidth: 16}); g.digits != want {
			t.Errorf("%#x bytes: %d digits, want %d", size, g.digits, want)
		}
	}
}

func TestThumbAndBack(t *testing.T) {
	for _, total := range []int64{100, 1 << 20, 1 << 58, 1<<62 + 7} {
		const track, least, shown = 600, 24, 30
		before := -1
		for i := range int64(101) {
			first := (total - shown) / 100 * i
			th := thumb(track, least, first, shown, total)
			if th.from < before || th.from < 0 || th.to > track || th.len() < least {
				t.Fatalf("of %d rows, row %d has the handle %v", total, first, th)
			}
			before = th.from
			back := unthumb(track, th.len(), float64(th.from), shown, total)
			if perPixel := float64(total) / float64(track-th.len()); float64(back-first) > perPixel || float64(first-back) > perPixel {
				t.Fatalf("of %d rows, row %d comes back as %d", total, first, back)
			}
		}
		if got := unthumb(track, least, 1e9, shown, total); got != total-shown {
			t.Errorf("of %d rows, the end of the track is row %d", total, got)
		}
	}
}

func TestSpanSet(t *testing.T) {
	const size = 64
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		var ranges []Range
		var want [size]bool
		for range r.IntN(8) {
			a := Range{r.Int64N(90) - 10, r.Int64N(20) - 2}
			ranges = append(ranges, a)
			for off := range int64(size) {
				want[off] = want[off] || a.Holds(off)
			}
		}
		s := newSpanSet(ranges, size)
		for off := range int64(size) {
			if _, got := s.find(off); got != want[off] {
				t.Fatalf("%v holds %d: %v, want %v (as %v)", ranges, off, got, want[off], s)
			}
		}
		for i := 1; i < len(s); i++ {
			if s[i].Off <= s[i-1].End() {
				t.Fatalf("%v touch", s)
			}
		}
	}
	if s := newSpanSet([]Range{{5, 1<<63 - 1}, {1<<63 - 1, 1<<63 - 1}}, 1<<40); len(s) != 1 || s[0] != (Range{5, 1<<40 - 5}) {
		t.Errorf("ranges beyond the source become %v", s)
	}
}
