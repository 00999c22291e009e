package diff

import (
	"bytes"
	"context"
	"math"
	"math/bits"

	"cutaway/model"
)

// values compares two values. For arrays and blobs it returns the elements that differ.
func (c *comparer) values(ctx context.Context, a, b model.Value) (*Elements, bool, error) {
	if e, known, err := c.windowed(ctx, a, b); known || err != nil {
		return e, e == nil && err == nil, err
	}
	largest := none
	same, err := c.same(ctx, a, b, &largest)
	return nil, same, err
}

// same compares two values, and raises largest to the largest difference of their numbers.
func (c *comparer) same(ctx context.Context, a, b model.Value, largest *distance) (bool, error) {
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && c.numbers(a, b, x, y, largest), nil
	}
	switch x := a.(type) {
	case model.Text:
		y, ok := b.(model.Text)
		return ok && x == y, nil
	case model.Symbol:
		y, ok := b.(model.Symbol)
		return ok && x.Name == y.Name && (x.Name != "" || x.Number == y.Number), nil
	case model.Tuple:
		y, ok := b.(model.Tuple)
		return c.lists(ctx, x, y, ok, largest)
	case model.Seq:
		y, ok := b.(model.Seq)
		return c.lists(ctx, x, y, ok, largest)
	case model.Object:
		y, ok := b.(model.Object)
		return c.objects(ctx, x, y, ok, largest)
	case model.Array, model.Blob:
		e, known, err := c.windowed(ctx, a, b)
		return known && e == nil, err
	case nil:
		return b == nil, nil
	}
	_, ok := b.(model.None)
	return ok, nil
}

// windowed compares values that are read in windows. known is false if they are of different kinds.
func (c *comparer) windowed(ctx context.Context, a, b model.Value) (e *Elements, known bool, err error) {
	switch x := a.(type) {
	case model.Array:
		if y, ok := b.(model.Array); ok {
			e, err = c.arrays(ctx, x, y)
			return e, true, err
		}
	case model.Blob:
		if y, ok := b.(model.Blob); ok {
			e, err = blobs(ctx, x.Span, y.Span)
			return e, true, err
		}
	}
	return nil, false, nil
}

func (c *comparer) objects(ctx context.Context, a, b model.Object, alike bool, largest *distance) (bool, error) {
	if !alike || len(a) != len(b) {
		return false, nil
	}
	for i := range a {
		if a[i].Key != b[i].Key {
			return false, nil
		}
		if same, err := c.same(ctx, a[i].Value, b[i].Value, largest); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// lists compares two lists to their ends, so that the largest difference is known.
func (c *comparer) lists(ctx context.Context, a, b []model.Value, alike bool, largest *distance) (bool, error) {
	if !alike || len(a) != len(b) {
		return false, nil
	}
	all := true
	for i := range a {
		same, err := c.same(ctx, a[i], b[i], largest)
		if err != nil {
			return false, err
		}
		all = all && same
	}
	return all, nil
}

// number returns a scalar as a number; integers beyond 2^53 are rounded.
func number(v model.Value) (float64, bool) {
	switch v {
	case model.Bool(true):
		return 1, true
	case model.Bool(false):
		return 0, true
	}
	return model.FloatOf(v)
}

// numbers compares two scalars whose values as numbers are x and y. All NaN are equal, and -0 is 0: writers turn one
// into the other.
func (c *comparer) numbers(a, b model.Value, x, y float64, largest *distance) bool {
	if x != x || y != y {
		return x != x && y != y
	}
	by := distance{float: math.Abs(x - y)}
	wholeA, okA := wholeOf(a, x)
	wholeB, okB := wholeOf(b, y)
	switch {
	case okA && okB:
		by = wholeA.from(wholeB)
	case x == y && okA != okB: // 2^64 and the integer before it
		by.float = 1
	}
	if by.float == 0 {
		return true
	}
	if !by.notAbove(*largest) {
		*largest = by
	}
	return by.float <= c.opt.Tolerance
}

// A distance is the exact distance of two numbers, for integers of up to 64 bits.
type distance struct {
	float float64
	whole uint64 // or 0 if only float is known
}

// none is the distance of no numbers.
var none = distance{float: math.NaN()}

// notAbove reports whether a distance is not larger than another; every one is larger than none.
func (d distance) notAbove(other distance) bool {
	if d.whole > 0 && other.whole > 0 {
		return d.whole <= other.whole
	}
	return d.float <= other.float
}

// value returns the distance as a number, or nil.
func (d distance) value() model.Value {
	switch {
	case d.whole > 0:
		return model.Uint(d.whole)
	case d.float != d.float:
		return nil
	}
	return model.Float64(d.float)
}

// A whole is an integer by sign and magnitude.
type whole struct {
	below bool // negative
	size  uint64
}

// wholeOf returns a number as an integer, if it is one; f is its value as a float64.
func wholeOf(v model.Value, f float64) (whole, bool) {
	switch x := v.(type) {
	case model.Int:
		if x < 0 {
			return whole{true, -uint64(x)}, true
		}
		return whole{size: uint64(x)}, true
	case model.Uint:
		return whole{size: uint64(x)}, true
	}
	size := math.Abs(f)
	if size != math.Trunc(size) || size >= 1<<64 {
		return whole{}, false
	}
	return whole{f < 0, uint64(size)}, true
}

// from returns the distance of two integers.
func (w whole) from(other whole) distance {
	if w.below != other.below {
		sum, carry := bits.Add64(w.size, other.size, 0)
		if carry > 0 {
			return distance{float: float64(w.size) + float64(other.size)}
		}
		return distance{float64(sum), sum}
	}
	by := max(w.size, other.size) - min(w.size, other.size)
	return distance{float64(by), by}
}

// arrays compares two arrays element by element, and returns nil if they are equal.
func (c *comparer) arrays(ctx context.Context, a, b model.Array) (*Elements, error) {
	if p, q := model.PackingOf(a), model.PackingOf(b); p.Number != model.NoNumber && p.Number == q.Number && p.Components == q.Components {
		return c.packed(ctx, a.Len(), b.Len(), &p, &q)
	}
	const window = 1024
	var va, vb [window]model.Value
	e := &Elements{First: -1, largest: none}
	n := min(a.Len(), b.Len())
	for at := int64(0); at < n; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		want := min(window, n-at)
		ga, erra := a.Read(ctx, at, va[:want])
		gb, errb := b.Read(ctx, at, vb[:want])
		both := min(ga, gb)
		for i := range both {
			same, err := c.same(ctx, va[i], vb[i], &e.largest)
			if err != nil {
				return nil, err
			}
			if !same {
				e.differ(at+int64(i), 1)
			}
		}
		at += int64(both)
		if int64(both) < want {
			e.unread(at, n, ga == gb && (erra == nil) == (errb == nil))
			break
		}
	}
	return e.end(n, max(a.Len(), b.Len())), ctx.Err()
}

// differ records that n elements from at on differ.
func (e *Elements) differ(at, n int64) {
	if e.First < 0 {
		e.First = at
	}
	e.Count += n
}

// unread records the elements from at to n-1, which could not be read. They differ unless both arrays are damaged
// alike.
func (e *Elements) unread(at, n int64, alike bool) {
	if !alike {
		e.differ(at, n-at)
	}
}

// end records the elements from n on, which only the longer array has.
func (e *Elements) end(n, longer int64) *Elements {
	if longer > n {
		e.differ(n, longer-n)
	}
	return e.orNil()
}

func (e *Elements) orNil() *Elements {
	if e.Count == 0 {
		return nil
	}
	return e
}

// packed compares two arrays of numbers of one kind. It compares bytes first, since most elements are equal.
func (c *comparer) packed(ctx context.Context, lenA, lenB int64, a, b *model.Packing) (*Elements, error) {
	if same, err := sameCode(ctx, lenA, lenB, a, b); same || err != nil {
		return nil, err
	}
	e := &Elements{First: -1, largest: none}
	size := a.Size()
	n := min(lenA, lenB)
	bufA, bufB := c.windows(n, size)
	for at := int64(0); at < n; {
		want := min(int64(len(bufA))/size, n-at)
		ga, erra := a.Read(ctx, at, bufA[:want*size])
		gb, errb := b.Read(ctx, at, bufB[:want*size])
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		both := int64(min(ga, gb))
		if x, y := bufA[:both*size], bufB[:both*size]; !bytes.Equal(x, y) {
			c.components(x, y, a, at, e)
		}
		if at += both; both < want {
			e.unread(at, n, ga == gb && (erra == nil) == (errb == nil))
			break
		}
	}
	return e.end(n, max(lenA, lenB)), nil
}

// sameCode reports whether two arrays are stored as equal bytes in the same coding, and need not be decoded.
func sameCode(ctx context.Context, lenA, lenB int64, a, b *model.Packing) (bool, error) {
	if lenA != lenB || a.Coding != b.Coding || len(a.Coded) == 0 || len(a.Coded) != len(b.Coded) {
		return false, nil
	}
	for i, x := range a.Coded {
		y := b.Coded[i]
		if x.Len != y.Len {
			return false, nil
		}
		if e, err := blobs(ctx, x, y); err != nil || e != nil {
			return false, err
		}
	}
	return true, nil
}

// windows returns two buffers for at most n elements of a size. It reuses them.
func (c *comparer) windows(n, size int64) (a, b []byte) {
	const most = 256 << 10
	want := min(n*size, max(most, size))
	if int64(len(c.bufs)) < 2*want {
		c.bufs = make([]byte, 2*want)
	}
	return c.bufs[:want], c.bufs[want : 2*want]
}

// components compares packed elements. The first is number first of its array.
func (c *comparer) components(x, y []byte, p *model.Packing, first int64, e *Elements) {
	size, width := int(p.Size()), int(p.Number.Size())
	for i := 0; i < len(x); i += size {
		if bytes.Equal(x[i:i+size], y[i:i+size]) {
			continue
		}
		same := true
		for k := i; k < i+size; k += width {
			u, v := p.Number.Value(x[k:]), p.Number.Value(y[k:])
			f, _ := number(u)
			g, _ := number(v)
			same = c.numbers(u, v, f, g, &e.largest) && same
		}
		if !same {
			e.differ(first+int64(i/size), 1)
		}
	}
}

// blobs compares two runs of bytes, and returns nil if they are equal.
func blobs(ctx context.Context, a, b model.Span) (*Elements, error) {
	const window = 64 << 10
	e := &Elements{First: -1, largest: none}
	n := min(a.Len, b.Len)
	bufs := make([]byte, 2*min(window, n))
	for at := int64(0); at < n; {
		want := min(window, n-at)
		x, y := bufs[:want], bufs[len(bufs)/2:][:want]
		ga, erra := a.Source.ReadFull(ctx, x, a.Off+at)
		gb, errb := b.Source.ReadFull(ctx, y, b.Off+at)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		both := min(ga, gb)
		if x, y = x[:both], y[:both]; !bytes.Equal(x, y) {
			for i := range x {
				if x[i] != y[i] {
					e.differ(at+int64(i), 1)
				}
			}
		}
		at += int64(both)
		if int64(both) < want {
			e.unread(at, n, ga == gb && (erra == nil) == (errb == nil))
			break
		}
	}
	return e.end(n, max(a.Len, b.Len)), nil
}
