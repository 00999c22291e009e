package values

import (
	"encoding/binary"
	"math"

	"cutaway/model"
)

// component adds up one component of the elements, a block at a time.
type component struct {
	kind model.NumberKind

	finite    int64
	min, max  float64 // of the finite values
	mean, sq  float64 // of them, and the sum of the squares of their distances to it
	nan, inf  int64
	zero, neg int64 // zeros of either sign, and those that are −0

	wide         bool   // integers of 64 bits, whose least, greatest and order float64s do not tell
	least, most  uint64 // of them, as keys that order as they do
	falls, rises bool
	last         float64
	lastKey      uint64
	seen         int64
	distinct     distinct
	histogram    histogram
	keys         []uint64
	room         []float64
}

func newComponent(kind model.NumberKind) *component {
	return &component{kind: kind, wide: kind == model.NumberI64 || kind == model.NumberU64,
		min: math.Inf(1), max: math.Inf(-1), least: math.MaxUint64}
}

// add takes a block of values.
func (c *component) add(x []float64) {
	sum := summarize(x)
	if math.IsNaN(sum.off) || math.IsInf(sum.off, 0) { // not all are finite
		x = c.onlyFinite(x)
		sum = summarize(x)
	}
	if len(x) == 0 {
		return
	}
	if sum.min <= 0 && sum.max >= 0 {
		c.countZeros(x)
	}
	c.merge(int64(len(x)), sum.mean, sum.squares)
	c.min, c.max = min(c.min, sum.min), max(c.max, sum.max)
	c.histogram.add(x, sum.min, sum.max)
}

// summary is what one pass over a block tells.
type summary struct{ min, max, off, mean, squares float64 }

// summarize goes over values by their distance to the first of them, so that squares keep their digits.
func summarize(x []float64) summary {
	if len(x) == 0 {
		return summary{}
	}
	from := x[0]
	lowA, lowB, highA, highB := from, from, from, from
	var s0, s1, q0, q1 float64
	i := 0
	for ; i+2 <= len(x); i += 2 {
		a, b := x[i], x[i+1]
		if a < lowA {
			lowA = a
		}
		if a > highA {
			highA = a
		}
		if b < lowB {
			lowB = b
		}
		if b > highB {
			highB = b
		}
		a -= from
		b -= from
		s0 += a
		s1 += b
		q0 += a * a
		q1 += b * b
	}
	if i < len(x) {
		a := x[i]
		lowA, highA = min(lowA, a), max(highA, a)
		s0 += a - from
		q0 += (a - from) * (a - from)
	}
	n := float64(len(x))
	off := s0 + s1
	return summary{min(lowA, lowB), max(highA, highB), off, from + off/n, max(q0+q1-off*off/n, 0)}
}

// onlyFinite counts the values that are not, and returns the others.
func (c *component) onlyFinite(x []float64) []float64 {
	if cap(c.room) < len(x) {
		c.room = make([]float64, 0, len(x))
	}
	rest := c.room[:0]
	for _, v := range x {
		switch {
		case v != v:
			c.nan++
		case math.IsInf(v, 0):
			c.inf++
		default:
			rest = append(rest, v)
		}
	}
	return rest
}

func (c *component) countZeros(x []float64) {
	for _, v := range x {
		if v == 0 {
			c.zero++
			if math.Signbit(v) {
				c.neg++
			}
		}
	}
}

// merge adds n values of a mean and of squares around it (Chan, Golub and LeVeque 1979).
func (c *component) merge(n int64, mean, squares float64) {
	all := float64(c.finite + n)
	d := mean - c.mean
	c.sq += squares + d*d*float64(c.finite)*(float64(n)/all)
	c.mean += d * (float64(n) / all)
	c.finite += n
}

// order looks whether the values rise or fall.
func (c *component) order(x []float64) {
	if c.falls && c.rises || len(x) == 0 {
		return
	}
	last := x[0]
	if c.seen > 0 {
		last = c.last
	}
	for _, v := range x {
		c.falls = c.falls || !(v >= last)
		c.rises = c.rises || !(v <= last)
		if c.falls && c.rises {
			return
		}
		last = v
	}
	c.last = last
}

// addWide takes a block of integers of 64 bits, from packed elements.
func (c *component) addWide(b []byte, rows, components, k int) {
	if cap(c.keys) < rows {
		c.keys = make([]uint64, rows)
	}
	keys := c.keys[:rows]
	flip := uint64(0)
	if c.kind == model.NumberI64 {
		flip = 1 << 63
	}
	last := c.lastKey
	for i := range keys {
		v := binary.LittleEndian.Uint64(b[(i*components+k)*8:]) ^ flip
		keys[i] = v
		c.least, c.most = min(c.least, v), max(c.most, v)
		if i > 0 || c.seen > 0 {
			c.falls = c.falls || v < last
			c.rises = c.rises || v > last
		}
		last = v
	}
	c.lastKey = last
	c.distinct.addKeys(keys)
}

// sorted says in which order the values are; "" for none.
func (c *component) sorted() string {
	switch {
	case c.seen == 0 || c.falls && c.rises:
		return ""
	case c.falls:
		return "descending"
	case c.rises:
		return "ascending"
	}
	return "constant"
}

// facts is what is known so far.
func (c *component) facts() Component {
	f := Component{NaN: c.nan, Inf: c.inf, Zero: c.zero, NegativeZero: c.neg, Sorted: c.sorted(), Finite: c.finite}
	f.Distinct = c.distinct.count()
	if c.finite == 0 {
		return f
	}
	f.Min, f.Max = toValue(c.kind, c.min), toValue(c.kind, c.max)
	switch c.kind {
	case model.NumberI64:
		f.Min, f.Max = model.Int(c.least^1<<63), model.Int(c.most^1<<63)
	case model.NumberU64:
		f.Min, f.Max = model.Uint(c.least), model.Uint(c.most)
	}
	f.Mean, f.Std = c.mean, math.Sqrt(c.sq/float64(c.finite))
	f.Histogram = c.histogram.distribution(c.min, c.max)
	return f
}
