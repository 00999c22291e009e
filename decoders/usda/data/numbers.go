package data

import (
	"context"
	"encoding/binary"
	"runtime"
	"slices"
	"sync"

	"cutaway/model"
	"cutaway/model/values"
)

// window is the number of bytes of values that are read at once, and looked at once where they are in memory.
const (
	window = 64 << 10
	looked = 1 << 20
)

// A visit is given the bytes of the elements of an array from first on. It returns false to end.
type visit func(p *model.Packing, first int64, b []byte) bool

// packed visits the bytes of the numbers of an array, in windows of whole elements.
func packed(ctx context.Context, a model.Array, each visit) error {
	c, err := values.ArrayColumn(ctx, a)
	if err != nil || !c.Numeric() {
		return ctx.Err()
	}
	return packedIn(ctx, c, 0, a.Len(), each)
}

// packedIn is packed for the elements from first up to end.
func packedIn(ctx context.Context, c *values.Column, first, end int64, each visit) error {
	p, size := &c.Packing, c.Packing.Size()
	for isPlain(p, end) && first < end {
		n, more := min(looked/size, end-first), false
		whole := p.At.Source.LookAt(p.At.Off+first*size, n*size, func(b []byte) {
			if int64(len(b)) == n*size {
				more = each(p, first, b)
			}
		})
		if !whole {
			break // not in memory, or the file has shrunk
		}
		if first += n; !more || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	buf := make([]byte, min(max(window/size, 1), max(end-first, 0))*size)
	for first < end {
		got, err := c.ReadPacked(ctx, first, buf[:min(int64(len(buf)), (end-first)*size)])
		if got == 0 || err != nil || !each(p, first, buf[:int64(got)*size]) {
			return ctx.Err() // elements that cannot be read are reported where they are decoded
		}
		first += int64(got)
	}
	return nil
}

// isPlain reports whether n elements are stored as they are read.
func isPlain(p *model.Packing, n int64) bool {
	return p.Decode == nil && p.At.Source != nil && !p.Big && p.Order == nil && p.Size() <= looked && n <= p.At.Len/p.Size()
}

// notFinite returns the first element of an array with a component that is infinite or not a number, or -1. All processors look
// at a long array that is stored as it is read.
func notFinite(ctx context.Context, a model.Array) (at int64, err error) {
	c, err := values.ArrayColumn(ctx, a)
	if err != nil || !c.Packing.Number.Float() {
		return -1, ctx.Err()
	}
	parts := int64(1)
	if isPlain(&c.Packing, a.Len()) {
		parts = min(int64(runtime.GOMAXPROCS(0)), max(a.Len()*c.Packing.Size()/looked, 1))
	}
	found := make([]int64, parts)
	look := func(i int64) {
		found[i] = -1
		_ = packedIn(ctx, c, a.Len()*i/parts, a.Len()*(i+1)/parts, func(p *model.Packing, first int64, b []byte) bool { // the context's error is returned below
			if k := NotFinite(p.Number, b); k >= 0 {
				found[i] = first + int64(k)/int64(p.Components)
			}
			return found[i] < 0
		})
	}
	var others sync.WaitGroup
	for i := int64(1); i < parts; i++ {
		others.Go(func() { look(i) })
	}
	look(0) // what is decoded is so on the caller's goroutine, whose panics are a problem of the node
	others.Wait()
	if i := slices.IndexFunc(found, func(at int64) bool { return at >= 0 }); i >= 0 {
		return found[i], ctx.Err()
	}
	return -1, ctx.Err()
}

// NotFinite returns the first number in b that is infinite or not a number, or -1.
func NotFinite(kind model.NumberKind, b []byte) int {
	if !kind.Float() {
		return -1
	}
	l := lanes[kind]
	size, i := int(kind.Size()), 0
	for ; i+block <= len(b); i += block { // most blocks have none
		c, one, two := (*[block]byte)(b[i:]), uint64(0), uint64(0)
		for k := 0; k < block; k += 16 {
			one |= binary.LittleEndian.Uint64(c[k:])&l.exponents + l.lowest
			two |= binary.LittleEndian.Uint64(c[k+8:])&l.exponents + l.lowest
		}
		if (one|two)&l.signs != 0 {
			break
		}
	}
	for ; i+size <= len(b); i += size {
		if exponent := l.exponents & (1<<(8*size-1) - 1); model.UintOf(b[i:i+size], false)&exponent == exponent {
			return i / size
		}
	}
	return -1
}

// block is the number of bytes that are looked at together.
const block = 256

// lanes hold, for numbers side by side in 8 bytes, the bits of their exponents, the lowest ones of these, and those of their
// signs. An exponent whose bits are all set carries into the sign when its lowest bit is added: such numbers are not finite.
var lanes = map[model.NumberKind]struct{ exponents, lowest, signs uint64 }{
	model.NumberF16: {0x7c007c007c007c00, 0x0400040004000400, 0x8000800080008000},
	model.NumberF32: {0x7f8000007f800000, 0x0080000000800000, 0x8000000080000000},
	model.NumberF64: {0x7ff0000000000000, 0x0010000000000000, 0x8000000000000000},
}

// A summary holds the sum of integers, and the first faulty ones.
type summary struct {
	whole    bool // the elements are integers of 32 bits, and each was read
	rough    bool // where the faults are was not looked for
	sum      int64
	negative fault // the first negative one
	above    fault // the first that is not below the limit
}

// A fault is an element of an array; at is -1 if there is none.
type fault struct{ at, value int64 }

// integersOf sums an array of int, and finds the first that is negative and the first that is not below a limit.
//
// With roughly it does not look for the place of a fault in an array whose range is known: at is then 0.
func integersOf(ctx context.Context, a model.Array, limit int64, roughly bool) (x summary, err error) {
	x = summary{negative: fault{at: -1}, above: fault{at: -1}}
	if x.known(a, limit, roughly) {
		return x, nil
	}
	read := int64(0)
	err = packed(ctx, a, func(p *model.Packing, first int64, b []byte) bool {
		if p.Number != model.NumberI32 || p.Components != 1 {
			return false
		}
		for i := 0; i+4 <= len(b); i += 4 {
			v := int64(int32(binary.LittleEndian.Uint32(b[i:])))
			x.sum += v
			if v < 0 && x.negative.at < 0 {
				x.negative = fault{first + int64(i/4), v}
			}
			if v >= limit && x.above.at < 0 {
				x.above = fault{first + int64(i/4), v}
			}
		}
		read = first + int64(len(b)/4)
		return true
	})
	x.whole = err == nil && read == a.Len()
	return x, err
}

// known takes the summary of an array whose range is known, if it has no fault or the place of a fault does not matter.
func (x *summary) known(a model.Array, limit int64, roughly bool) bool {
	r, is := a.(model.Ranged)
	if !is {
		return false
	}
	all, known := r.Range()
	if !known || (all.Least < 0 || all.Most >= limit) && !roughly {
		return false
	}
	x.whole, x.rough, x.sum = true, true, all.Sum
	if all.Least < 0 {
		x.negative = fault{0, all.Least}
	}
	if all.Most >= limit {
		x.above = fault{0, all.Most}
	}
	return true
}
