package grammar

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// A Decoder reads the numbers at the start of a record out of its bytes: for passes over millions of records, where an
// Object for each would cost more than the numbers do.
type Decoder struct {
	title  string
	fields []place
}

// place is where a number is.
type place struct {
	at   int64
	size int64
	big  bool
}

// Decoder is the decoder of the record's fields up to the first that is no number at a fixed place.
func (r *Record) Decoder() *Decoder {
	d := &Decoder{title: r.Title}
	for i, f := range r.Fields[:r.sequence] {
		of, ok := f.Of.(*Scalar)
		if !ok || of.kind == composite || of.order == inherited || f.size() < 0 || f.Repeat != nil || f.Extent != nil {
			break
		}
		d.fields = append(d.fields, place{r.offsets[i], of.size, of.order == big})
	}
	return d
}

// Decode reads the first fields of the record that b begins with, in their order, into pointers to numbers of their
// sizes. It panics where a pointer is to another size, which is a mistake of the caller.
func (d *Decoder) Decode(b []byte, into ...any) {
	for i, p := range into {
		f := &d.fields[i]
		ok := false
		switch p := p.(type) {
		case *uint8:
			*p, ok = b[f.at], f.size == 1
		case *uint16:
			*p, ok = f.u16(b), f.size == 2
		case *uint32:
			*p, ok = f.u32(b), f.size == 4
		case *int32:
			*p, ok = int32(f.u32(b)), f.size == 4
		case *uint64:
			*p, ok = f.u64(b), f.size == 8
		case *int64:
			*p, ok = int64(f.u64(b)), f.size == 8
		case *float64:
			*p, ok = math.Float64frombits(f.u64(b)), f.size == 8
		}
		if !ok {
			panic(fmt.Sprintf("grammar: field %d of %s has %d bytes", i, d.title, f.size))
		}
	}
}

func (f *place) u16(b []byte) uint16 {
	if v := binary.LittleEndian.Uint16(b[f.at:]); !f.big {
		return v
	}
	return binary.BigEndian.Uint16(b[f.at:])
}

func (f *place) u32(b []byte) uint32 {
	if v := binary.LittleEndian.Uint32(b[f.at:]); !f.big {
		return v
	}
	return binary.BigEndian.Uint32(b[f.at:])
}

func (f *place) u64(b []byte) uint64 {
	v := binary.LittleEndian.Uint64(b[f.at:])
	if f.big {
		v = bits.ReverseBytes64(v)
	}
	return v
}
