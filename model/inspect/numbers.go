package inspect

import (
	"encoding/binary"
	"fmt"

	"cutaway/model"
)

// An order is a byte order.
type order bool

const (
	little order = false
	big    order = true
)

// number returns b, at most 8 bytes, as an unsigned number.
func (o order) number(b []byte) uint64 { return model.UintOf(b, o == big) }

// float returns b as a float of a kind.
func (o order) float(kind model.NumberKind, b []byte) float64 {
	f, _ := model.FloatOf(kind.OfBits(o.number(b)))
	return f
}

func showUnsigned(b []byte, o order) string {
	v := o.number(b)
	return fmt.Sprintf("%d   %#x", v, v)
}

func showDecimal(b []byte, o order) string { return fmt.Sprint(o.number(b)) }

func showHex(b []byte, o order) string { return fmt.Sprintf("%#x", o.number(b)) }

func showSigned(b []byte, o order) string {
	unused := 64 - 8*len(b)
	return fmt.Sprint(int64(o.number(b)<<unused) >> unused)
}

func showHalf(b []byte, o order) string {
	return model.FormatFloat(model.Half(o.number(b)).Shortest(), 64)
}

func showFloat(b []byte, o order) string {
	return model.FormatFloat(o.float(model.NumberF32, b), 32)
}

func showDouble(b []byte, o order) string {
	return model.FormatFloat(o.float(model.NumberF64, b), 64)
}

func readBool(b []byte) (Value, int) {
	if b[0] > 1 {
		return Value{Why: "neither 0 nor 1"}, 0
	}
	return Value{Text: fmt.Sprint(b[0] == 1)}, 1
}

func readULEB(b []byte) (Value, int) {
	v, n := binary.Uvarint(b)
	switch {
	case n > 0:
		return Value{Text: fmt.Sprintf("%d   %#x   %s", v, v, model.Counted(int64(n), "byte"))}, n
	case n < 0:
		return Value{Why: tooLong}, 0
	}
	return Value{Why: noLEB(len(b))}, 0
}

// readSLEB reads a number in two's complement, whose sign is bit 6 of its last byte.
func readSLEB(b []byte) (Value, int) {
	const payload, sign, last = 7, 0x40, binary.MaxVarintLen64 - 1
	var v int64
	for i, c := range b[:min(len(b), last+1)] {
		v |= int64(c&0x7f) << (payload * i)
		switch {
		case c >= 0x80:
		case i == last && c != 0 && c != 0x7f:
			return Value{Why: tooLong}, 0
		default:
			if c&sign != 0 && i < last {
				v |= -1 << (payload * (i + 1))
			}
			return Value{Text: fmt.Sprintf("%d   %s", v, model.Counted(int64(i+1), "byte"))}, i + 1
		}
	}
	return Value{Why: noLEB(len(b))}, 0
}

const tooLong = "more than 64 bits"

// noLEB returns the message that n bytes contain no end of a LEB128 number.
func noLEB(n int) string {
	if n < binary.MaxVarintLen64 {
		return endsInside
	}
	return tooLong
}

const endsInside = "the source ends inside it"

// showGUID returns 16 bytes as in RFC 9562 or, if little, as in .NET and Windows, where the first three groups are
// little-endian.
func showGUID(b []byte, o order) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", o.number(b[:4]), o.number(b[4:6]), o.number(b[6:8]), b[8:10], b[10:16])
}
