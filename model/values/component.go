package values

import (
	"math"
	"math/bits"

	"cutaway/model"
)

// A component accumulates the facts of one component of the elements, a block at a time.
type component struct {
	kind model.NumberKind

	finite    int64
	min, max  float64 // of the finite values
	mean, sq  float64 // of the finite values, and the sum of their squared distances from the mean
	nan, inf  int64
	zero, neg int64 // zeros of either sign, and negative zeros

	wide         *wide // for 64-bit integers, whose min to histogram are of distances from a base
	falls, rises bool
	last         float64
	lastKey      uint64
	seen         int64
	distinct     distinct
	histogram    histogram
	keys         []uint64
	room         []float64
}

// wide holds the facts of 64-bit integers that float64s cannot represent.
type wide struct {
	base        base
	least, most uint64 // of all values, as keys
	high, low   uint64 // the sum of the keys, in 128 bits
}

func newComponent(kind model.NumberKind) *component {
	c := &component{kind: kind, min: math.Inf(1), max: math.Inf(-1)}
	if isWide(kind) {
		c.wide = &wide{least: math.MaxUint64}
	}
	return c
}

// add adds a block of values.
func (c *component) add(x []float64) {
	sum := summarize(x)
	if math.IsNaN(sum.off) || math.IsInf(sum.off, 0) { // some are not finite
		x = c.onlyFinite(x)
		sum = summarize(x)
	}
	if len(x) == 0 {
		return
	}
	if sum.min <= 0 && sum.max >= 0 && c.wide == nil {
		c.countZeros(x)
	}
	c.merge(int64(len(x)), sum.mean, sum.squares)
	c.min, c.max = min(c.min, sum.min), max(c.max, sum.max)
	c.histogram.add(x, sum.min, sum.max)
}

// A summary holds the facts of a block.
type summary struct{ min, max, off, mean, squares float64 }

// summarize sums distances from the first value, so that squares keep their precision.
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

// onlyFinite counts the values that are not finite, and returns the others.
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

// merge adds n values with a mean and a sum of squared distances (Chan, Golub and LeVeque 1979).
func (c *component) merge(n int64, mean, squares float64) {
	all := float64(c.finite + n)
	d := mean - c.mean
	c.sq += squares + d*d*float64(c.finite)*(float64(n)/all)
	c.mean += d * (float64(n) / all)
	c.finite += n
}

// order updates whether the values ascend or descend.
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

// addWide adds a block of 64-bit integers in packed elements, and fills x with their distances from the base.
func (c *component) addWide(x []float64, b []byte, components, k int) {
	if cap(c.keys) < len(x) {
		c.keys = make([]uint64, len(x))
	}
	keys, w := c.keys[:len(x)], c.wide
	readKeys(keys, b, c.kind, components, k)
	if c.seen == 0 {
		w.base = baseAt(c.kind, keys[0])
		c.histogram.whole = w.base.far()
		c.lastKey = keys[0]
	}
	last, least, most, high, low := c.lastKey, w.least, w.most, w.high, w.low
	falls, rises := c.falls, c.rises
	for _, v := range keys {
		least, most = min(least, v), max(most, v)
		falls, rises = falls || v < last, rises || v > last
		last = v
		var carry uint64
		low, carry = bits.Add64(low, v, 0)
		high += carry
	}
	c.lastKey, w.least, w.most, w.high, w.low = last, least, most, high, low
	c.falls, c.rises = falls, rises
	c.distinct.addKeys(keys)
	if zero := keyZero(c.kind); least <= zero && zero <= most {
		for _, v := range keys {
			if v == zero {
				c.zero++
			}
		}
	}
	w.base.distances(x, keys, least, most)
}

// mean returns the mean of n integers, rounded to an integer if 53 bits cannot represent it.
func (w *wide) mean(n int64) model.Value {
	q, r := bits.Div64(w.high, w.low, uint64(n))
	if f := w.base.zeroed().distance(q); math.Abs(f) < 1<<53 {
		return model.Float64(f + float64(r)/float64(n))
	}
	if r > uint64(n)/2 {
		q++
	}
	return w.base.value(q)
}

// sorted returns the order of the values, or "".
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

// facts returns the facts so far.
func (c *component) facts() Component {
	f := Component{NaN: c.nan, Inf: c.inf, Zero: c.zero, NegativeZero: c.neg, Sorted: c.sorted(), Finite: c.finite}
	f.Distinct = c.distinct.count()
	if c.finite == 0 {
		return f
	}
	f.Min, f.Max, f.Mean = toValue(c.kind, c.min), toValue(c.kind, c.max), model.Float64(c.mean)
	f.Std = math.Sqrt(c.sq / float64(c.finite))
	f.Histogram = c.histogram.distribution(c.min, c.max)
	if w := c.wide; w != nil {
		f.Min, f.Max, f.Mean = w.base.value(w.least), w.base.value(w.most), w.mean(c.finite)
		f.Histogram.Base = w.base.orNil()
	}
	return f
}
