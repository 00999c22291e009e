package values

import (
	"math"

	"cutaway/model"
)

const (
	bins      = 4096 // while counting
	shownBins = 64   // at most, of a Distribution
)

// A histogram counts values in bins of equal width, a power of two that grows with the range of the values: bin i holds
// first+i ≤ v/width < first+i+1. So one pass with constant memory gives exact counts.
type histogram struct {
	whole  bool // bins are no narrower than 1
	exp    int  // binary logarithm of the width
	first  float64
	counts []int64
}

// A Distribution is the number of values in successive ranges of equal width, beginning at From.
type Distribution struct {
	Base        model.Value // the integer that From is a distance from, or nil for 0
	From, Width float64
	Counts      []int64
}

// Over sets the base of the ranges.
func (d *Distribution) Over(base model.Value) {
	d.From += distanceOf(d.Base, base)
	d.Base = base
}

// Start returns the least value of range i.
func (d *Distribution) Start(i int) model.Value { return Plus(d.Base, d.From+float64(i)*d.Width) }

// Limits of the exponent of a width, so that its inverse is finite.
const leastExp, mostExp = -1020, 1020

// add adds finite values with the given least and greatest value.
func (h *histogram) add(x []float64, low, high float64) {
	h.reach(low, high)
	scale, first := math.Ldexp(1, -h.exp), int64(h.first)
	counts := (*[bins]int64)(h.counts)
	for _, v := range x {
		t := v * scale // exact, since scale is a power of two
		i, below := int64(t), int64(0)
		if t < float64(i) {
			below = 1
		}
		counts[(i-below-first)&(bins-1)]++
	}
}

// reach widens the bins until they include a range.
func (h *histogram) reach(low, high float64) {
	if h.counts == nil {
		h.counts = make([]int64, bins)
		h.exp = h.expFor(low, high)
		h.first = math.Floor(math.Ldexp(low, -h.exp)) - bins/4
	}
	for !h.holds(low) || !h.holds(high) {
		by := 1
		for h.exp+by < mostExp && math.Ldexp(high/2-low/2, 1-h.exp-by) > bins/2 {
			by++
		}
		h.widen(by, low)
	}
}

// mostDigits is the most bits of a value that the number of its bin takes, so that it is exact.
const mostDigits = 50

// expFor returns a width such that a range takes a quarter of the bins. For a single value the width is far below its
// precision.
func (h *histogram) expFor(low, high float64) int {
	_, exp := math.Frexp(high/2 - low/2)
	_, size := math.Frexp(max(math.Abs(low), math.Abs(high)))
	if low == high {
		exp = size - 20
	}
	least := leastExp
	if h.whole {
		least = 0
	}
	return min(max(exp+1-10, size-mostDigits, least), mostExp)
}

func (h *histogram) holds(v float64) bool {
	t := math.Floor(math.Ldexp(v, -h.exp)) - h.first
	return t >= 0 && t < bins
}

// widen multiplies the width by 2^by and moves the counts so that low is well inside.
func (h *histogram) widen(by int, low float64) {
	from, to := -1, -1 // of the bins with values
	for i, n := range h.counts {
		if n > 0 {
			if to = i; from < 0 {
				from = i
			}
		}
	}
	exp := h.exp + by
	bottom := math.Floor(math.Ldexp(low, -exp))
	if from >= 0 {
		bottom = min(bottom, math.Floor(math.Ldexp(h.first+float64(from), -by)))
	}
	first := bottom - bins/4
	counts := make([]int64, bins)
	for i := max(from, 0); i <= to; i++ {
		counts[int(math.Floor(math.Ldexp(h.first+float64(i), -by))-first)] += h.counts[i]
	}
	h.exp, h.first, h.counts = exp, first, counts
}

// distribution returns the counts over a range in at most shownBins bins.
func (h *histogram) distribution(low, high float64) Distribution {
	by := 0
	at := func(v float64) float64 { return math.Floor(math.Ldexp(v, -h.exp-by)) }
	for at(high)-at(low) >= shownBins {
		by++
	}
	first := at(low)
	d := Distribution{From: math.Ldexp(first, h.exp+by), Width: math.Ldexp(1, h.exp+by), Counts: make([]int64, int(at(high)-first)+1)}
	for i, n := range h.counts {
		if n > 0 {
			k := int(math.Floor(math.Ldexp(h.first+float64(i), -by)) - first)
			d.Counts[min(max(k, 0), len(d.Counts)-1)] += n
		}
	}
	return d
}
