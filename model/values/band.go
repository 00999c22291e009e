package values

import (
	"context"
	"math"

	"cutaway/model"
)

// A Band holds the least and the greatest finite value of each component in equal runs of elements, for the pixels of a
// plot. A run without finite values has NaN.
type Band struct {
	First     int64         // the first element
	Step      float64       // elements in a run
	Base      []model.Value // for each component, the integer that values are distances from, or nil for 0
	Low, High [][]float64
}

// From sets the base of component k.
func (b *Band) From(k int, base model.Value) {
	by := distanceOf(b.Base[k], base)
	if b.Base[k] = base; by == 0 {
		return
	}
	for _, list := range [][]float64{b.Low[k], b.High[k]} {
		for i := range list {
			list[i] += by
		}
	}
}

// Bands reads the elements first ≤ i < end, or to the end if end is negative, and returns a band of at most pixels
// runs.
func Bands(ctx context.Context, c *Column, first, end int64, pixels int) (*Band, error) {
	if n, exact := c.Len(); end < 0 || exact && end > n {
		end = n
	}
	runs := int(min(int64(max(pixels, 1)), max(end-first, 0)))
	b := &Band{First: first, Step: float64(end-first) / float64(max(runs, 1))}
	p := &c.Packing
	for range p.Components {
		b.Low, b.High, b.Base = append(b.Low, nans(runs)), append(b.High, nans(runs)), append(b.Base, nil)
	}
	size := int(p.Size())
	if size == 0 {
		return b, nil
	}
	buf := make([]byte, max(windowBytes/size, 1)*size)
	floats, none, bases := make([]float64, len(buf)/size), c.noneRoom(len(buf)/size), make([]base, p.Components)
	for at := first; at < end; {
		n, err := c.readPacked(ctx, at, buf[:min(int64(len(buf)), (end-at)*int64(size))], none)
		for k := range b.Low {
			if isWide(p.Number) {
				if at == first && n > 0 {
					bases[k] = firstBase(buf[:n*size], p, none, k)
					b.Base[k] = bases[k].orNil()
				}
				bases[k].unpack(floats[:n], buf[:n*size], p.Components, k)
			} else {
				unpack(floats[:n], buf[:n*size], p.Number, p.Components, k)
			}
			for i := range min(n, len(none)) {
				if none[i] {
					floats[i] = math.NaN()
				}
			}
			b.add(k, at-first, floats[:n])
		}
		if at += int64(n); err != nil || n == 0 {
			return b, err
		}
	}
	return b, nil
}

func nans(n int) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

// add adds values of component k, from element at of the band on.
func (b *Band) add(k int, at int64, x []float64) {
	low, high := b.Low[k], b.High[k]
	for len(x) > 0 {
		run := min(int(float64(at)/b.Step), len(low)-1)
		n := min(max(int(math.Ceil(float64(run+1)*b.Step))-int(at), 1), len(x))
		for _, v := range x[:n] {
			if math.IsInf(v, 0) || v != v {
				continue
			}
			if !(low[run] <= v) {
				low[run] = v
			}
			if !(high[run] >= v) {
				high[run] = v
			}
		}
		x, at = x[n:], at+int64(n)
	}
}
