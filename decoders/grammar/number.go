package grammar

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A Number is a field at a fixed place of a record, read out of the record's bytes. It serves passes over millions of records,
// where an Object for each would cost more than the numbers, and records that are read when a file is opened. The bytes begin
// with the record. Who reads a field as another type than it is gets other bytes.
type Number struct {
	at, size int64
	big      bool
}

// Numbers returns the fields of the record up to the first that is neither a number nor text or bytes of a fixed size.
func (r *Record) Numbers() []Number {
	var all []Number
	for i, f := range r.Fields[:r.sequence] {
		n := Number{at: r.offsets[i], size: f.width()}
		switch of := f.Of.(type) {
		case *Scalar:
			if of.order == inherited || f.Extent != nil {
				return all
			}
			n.big = of.order == big
		case *Opaque:
		default:
			return all
		}
		if n.size < 0 || f.Repeat != nil {
			return all
		}
		all = append(all, n)
	}
	return all
}

// Number returns the field of that name, which is a number, text or bytes at a fixed place. It panics if there is none.
func (r *Record) Number(name string) Number {
	if i, all := r.Field(name).index, r.Numbers(); i < len(all) {
		return all[i]
	}
	panic(fmt.Sprintf("grammar: the field %q of %s is at no fixed place", name, r.Title))
}

// Off returns where the field begins.
func (n Number) Off() int64 { return n.at }

// Len returns how many bytes the field has.
func (n Number) Len() int64 { return n.size }

// End returns where what follows the field begins.
func (n Number) End() int64 { return n.at + n.size }

// Put writes a number into the field's bytes, which are those of b; of a float its bits.
func (n Number) Put(b []byte, v uint64) {
	for i := range n.size {
		at := n.at + i
		if n.big {
			at = n.at + n.size - 1 - i
		}
		b[at] = byte(v >> (8 * i))
	}
}

// PutF64 writes a float into the field's bytes.
func (n Number) PutF64(b []byte, v float64) { n.Put(b, math.Float64bits(v)) }

// Bytes returns the field's part of b.
func (n Number) Bytes(b []byte) []byte { return b[n.at : n.at+n.size] }

// U8 returns the number in a field of one byte.
func (n Number) U8(b []byte) uint8 { return b[n.at] }

// U16 returns the number in a field of two bytes.
func (n Number) U16(b []byte) uint16 {
	v := binary.LittleEndian.Uint16(b[n.at:])
	if n.big {
		v = bits.ReverseBytes16(v)
	}
	return v
}

// U32 returns the number in a field of four bytes, or its bits if it is signed.
func (n Number) U32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b[n.at:])
	if n.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// U64 returns the number in a field of eight bytes, or its bits if it is signed.
func (n Number) U64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b[n.at:])
	if n.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// F64 returns the number in a field of eight bytes, a float.
func (n Number) F64(b []byte) float64 { return math.Float64frombits(n.U64(b)) }
