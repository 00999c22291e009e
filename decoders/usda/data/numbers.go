package data

import (
	"context"
	"encoding/binary"

	"cutaway/model"
	"cutaway/model/values"
)

// window is the number of bytes of values that are read at once.
const window = 64 << 10

// packed visits the bytes of the numbers of an array, in windows of whole elements. It stops if each returns false.
func packed(ctx context.Context, a model.Array, each func(p *model.Packing, first int64, b []byte) bool) error {
	c, err := values.ArrayColumn(ctx, a)
	if err != nil || !c.Numeric() {
		return ctx.Err()
	}
	if done, err := looked(ctx, &c.Packing, a.Len(), each); done {
		return err
	}
	size := int(c.Packing.Size())
	buf := make([]byte, max(window/size, 1)*size)
	for first, n := int64(0), a.Len(); first < n; {
		got, err := c.ReadPacked(ctx, first, buf)
		if got == 0 || err != nil {
			return ctx.Err() // elements that cannot be read are reported where they are decoded
		}
		if !each(&c.Packing, first, buf[:got*size]) {
			return nil
		}
		first += int64(got)
	}
	return nil
}

// looked is packed for an array whose bytes are in memory as they are. done is false for others.
func looked(ctx context.Context, p *model.Packing, n int64, each func(p *model.Packing, first int64, b []byte) bool) (done bool, err error) {
	const atOnce = 1 << 20
	size := p.Size()
	if p.Decode != nil || p.At.Source == nil || p.Big || p.Order != nil || n*size > p.At.Len {
		return false, nil
	}
	for first := int64(0); first < n; {
		count, more := min(max(atOnce/size, 1), n-first), false
		if !p.At.Source.LookAt(p.At.Off+first*size, count*size, func(b []byte) {
			if int64(len(b)) == count*size {
				more = each(p, first, b)
			}
		}) {
			return false, ctx.Err()
		}
		if first += count; !more || ctx.Err() != nil {
			break
		}
	}
	return true, ctx.Err()
}

// notFinite returns the first element of an array with a component that is infinite or not a number, or -1.
func notFinite(ctx context.Context, a model.Array) (at int64, err error) {
	at = -1
	err = packed(ctx, a, func(p *model.Packing, first int64, b []byte) bool {
		if i := NotFinite(p.Number, b); i >= 0 {
			at = first + int64(i)/int64(p.Components)
		}
		return at < 0 && p.Number.Float()
	})
	return at, err
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
	x.whole, x.sum = true, all.Sum
	if all.Least < 0 {
		x.negative = fault{0, all.Least}
	}
	if all.Most >= limit {
		x.above = fault{0, all.Most}
	}
	return true
}
