package grammar

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A Number is a field of a record of fixed size, read out of the record's bytes in memory: for passes over millions of
// records, where an Object for each would cost more than the numbers. The bytes begin where the record does.
type Number struct {
	at  int64
	big bool
}

// Number is the field of that name. It panics where the record has none, or where it is not at a fixed place and as
// wide as the scalar that the caller will read it as; which happens when the program starts.
func (r *Record) Number(name string, as *Scalar) Number {
	f := r.Field(name)
	of, ok := f.Of.(*Scalar)
	if !ok || of.size != as.size || of.kind != as.kind || of.order == inherited || f.Repeat != nil || r.size < 0 {
		panic(fmt.Sprintf("grammar: field %q of %s is no %s at a fixed place", name, r.Title, as.name))
	}
	return Number{r.offsets[f.index], of.order == big}
}

// Offset is where the field begins in the record.
func (n Number) Offset() int64 { return n.at }

// U8 is a field of one byte.
func (n Number) U8(b []byte) uint8 { return b[n.at] }

// U16 is a field of two bytes.
func (n Number) U16(b []byte) uint16 {
	v := binary.LittleEndian.Uint16(b[n.at:])
	if n.big {
		v = bits.ReverseBytes16(v)
	}
	return v
}

// U32 is a field of four bytes; its bits where it is signed.
func (n Number) U32(b []byte) uint32 {
	v := binary.LittleEndian.Uint32(b[n.at:])
	if n.big {
		v = bits.ReverseBytes32(v)
	}
	return v
}

// U64 is a field of eight bytes; its bits where it is signed.
func (n Number) U64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b[n.at:])
	if n.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}

// F64 is a field of eight bytes that is a float.
func (n Number) F64(b []byte) float64 { return math.Float64frombits(n.U64(b)) }
