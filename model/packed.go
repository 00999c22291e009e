package model

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// NumberKind is a kind of number, as arrays are made of.
type NumberKind uint8

// The kinds of numbers.
const (
	NoNumber NumberKind = iota
	NumberBool
	NumberI8
	NumberU8
	NumberI16
	NumberU16
	NumberI32
	NumberU32
	NumberI64
	NumberU64
	NumberF16
	NumberF32
	NumberF64
)

// Size is the number of bytes that a number takes.
func (n NumberKind) Size() int64 { return [...]int64{0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8}[n] }

// Float reports whether the numbers may have fractions, infinities and NaN.
func (n NumberKind) Float() bool { return n >= NumberF16 }

// Value returns the number whose little-endian bytes b begins with.
func (n NumberKind) Value(b []byte) Value { return n.OfBits(UintOf(b[:n.Size()], false)) }

// OfBits returns the number that is stored as the lowest bits, as many as n has.
func (n NumberKind) OfBits(bits uint64) Value {
	switch n {
	case NumberBool:
		return Bool(uint8(bits) != 0)
	case NumberI8:
		return Int(int8(bits))
	case NumberU8:
		return Uint(uint8(bits))
	case NumberI16:
		return Int(int16(bits))
	case NumberU16:
		return Uint(uint16(bits))
	case NumberI32:
		return Int(int32(bits))
	case NumberU32:
		return Uint(uint32(bits))
	case NumberI64:
		return Int(bits)
	case NumberU64:
		return Uint(bits)
	case NumberF16:
		return Half(bits)
	case NumberF32:
		return Float32(math.Float32frombits(uint32(bits)))
	case NumberF64:
		return Float64(math.Float64frombits(bits))
	}
	return None{}
}

// UintOf returns the unsigned number that the bytes of b, at most 8, are in a byte order.
func UintOf(b []byte, bigEndian bool) uint64 {
	var v uint64
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		v = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		v = uint64(binary.LittleEndian.Uint32(b))
	case 8:
		v = binary.LittleEndian.Uint64(b)
	default:
		for i, c := range b {
			v |= uint64(c) << (8 * i)
		}
	}
	if bigEndian {
		v = bits.ReverseBytes64(v) >> (64 - 8*len(b))
	}
	return v
}

// NumberOf returns the kind of number of a value in an array whose elements are of a type: the type's name says the width of
// integers, unless the value takes more. It is NoNumber for any other value.
func NumberOf(v Value, elem string) NumberKind {
	signed := NumberI8
	switch v.(type) {
	case Bool:
		return NumberBool
	case Half:
		return NumberF16
	case Float32:
		return NumberF32
	case Float64:
		return NumberF64
	case Uint:
		signed = NumberU8
	case Int:
	default:
		return NoNumber
	}
	width := IntegerWidth(elem)
	if !FitsInteger(v, width) {
		width = 8
	}
	return signed + [...]NumberKind{1: 0, 2: 2, 4: 4, 8: 6}[width]
}

// FitsInteger reports whether an integer is one of so many bytes.
func FitsInteger(v Value, width int) bool {
	unused := 64 - 8*width
	switch v := v.(type) {
	case Int:
		return v<<unused>>unused == v
	case Uint:
		return v<<unused>>unused == v
	}
	return true
}

// FloatOf returns a number as a float64; integers beyond 2^53 are rounded. ok is false for any other value, and for a Bool.
func FloatOf(v Value) (f float64, ok bool) {
	switch v := v.(type) {
	case Int:
		return float64(v), true
	case Uint:
		return float64(v), true
	case Half:
		return float64(v.Float()), true
	case Float32:
		return float64(v), true
	case Float64:
		return float64(v), true
	}
	return 0, false
}

// IntegerWidth is the width in bytes of the integers of an element type, by its name: "int64" and "long" are 8, "uint"
// and "int3" 4, "ushort" and "int16" 2, "uchar" and "byte" 1; "u8le" is Kaitai Struct's name of one with 8. It is 8 for a name
// that says nothing.
func IntegerWidth(elem string) int {
	name := strings.ToLower(elem)
	if len(name) == len("u8le") && strings.ContainsAny(name[:1], "us") && (name[2:] == "le" || name[2:] == "be") {
		if width := strings.IndexByte("_12_4___8", name[1]); width > 0 {
			return width
		}
	}
	for _, w := range []struct {
		bytes int
		words []string
	}{
		{8, []string{"64", "long"}},
		{4, []string{"32"}},
		{2, []string{"16", "short"}},
		{1, []string{"int8", "i8", "u8", "byte", "char"}},
		{4, []string{"int"}},
	} {
		for _, word := range w.words {
			if strings.Contains(name, word) {
				return w.bytes
			}
		}
	}
	return 8
}

// Packing says how the elements of an array are numbers: each has Components of them, in the order of its Value. They
// are in a source as they are, or Decode makes them.
type Packing struct {
	Number     NumberKind // NoNumber: the elements are something else
	Components int

	At    Span  // of the elements, one after another; without a Source, Decode makes them
	Big   bool  // the most significant byte is first
	Order []int // the number of those at At that is component i, or nil if it is number i
	// Decode fills dst with the packed elements from first on, as Read does.
	Decode func(ctx context.Context, first int64, dst []byte) (int, error)
	// Coding names how the elements are stored, where that is not as they are: "integers".
	Coding string
	// Coded is all the bytes that Decode makes the elements of: equal bytes of one Coding make equal elements. It may be
	// empty.
	Coded []Span
}

// Packed is implemented by Arrays that can be read without making a Value of each element.
type Packed interface {
	Array
	Packing() Packing
}

// PackingOf returns the packing of an array, if it has one.
func PackingOf(a Array) Packing {
	if p, ok := a.(Packed); ok {
		return p.Packing()
	}
	return Packing{}
}

// Located is implemented by Arrays whose elements have bytes, but not one after another.
type Located interface {
	Array
	At(ctx context.Context, i int64) Span
}

// ElementSpan returns the bytes of element i of an array, or no Source if it has none of its own.
func ElementSpan(ctx context.Context, a Array, i int64) Span {
	if l, ok := a.(Located); ok {
		return l.At(ctx, i)
	}
	p := PackingOf(a)
	return p.element(i)
}

// element returns the bytes of element i, if the elements lie one after another.
func (p *Packing) element(i int64) Span {
	if p.At.Source == nil || p.Decode != nil || p.Size() == 0 {
		return Span{}
	}
	return p.At.Source.Span(p.At.Off+i*p.Size(), p.Size())
}

// Size is the number of bytes of a packed element.
func (p *Packing) Size() int64 { return p.Number.Size() * int64(p.Components) }

// Read fills dst with whole elements from first on, whose numbers are little-endian, and returns how many elements there
// were. It fails with what is in the way; the elements before it are good.
func (p *Packing) Read(ctx context.Context, first int64, dst []byte) (int, error) {
	if p.Decode != nil {
		return p.Decode(ctx, first, dst)
	}
	size := p.Size()
	n := min(int64(len(dst))/size, p.At.Len/size-first)
	if n <= 0 {
		return 0, ctx.Err()
	}
	dst = dst[:n*size]
	at := p.At.Off + first*size
	if got, err := p.At.Source.ReadFull(ctx, dst, at); err != nil {
		whole := int64(got) / size
		p.arrange(dst[:whole*size])
		return int(whole), AsProblem(err, "source.read", p.At.Source.Span(at+whole*size, (n-whole)*size))
	}
	p.arrange(dst)
	return int(n), nil
}

// arrange makes elements of bytes as stored: numbers in order, little-endian, and 1 for every true.
func (p *Packing) arrange(b []byte) {
	width := int(p.Number.Size())
	if p.Big && width > 1 {
		for i := 0; i < len(b); i += width {
			slices.Reverse(b[i : i+width])
		}
	}
	if p.Number == NumberBool {
		for i, c := range b {
			if c > 1 {
				b[i] = 1
			}
		}
	}
	if p.Order == nil {
		return
	}
	element := make([]byte, p.Size())
	for ; len(b) > 0; b = b[len(element):] {
		copy(element, b)
		for i, from := range p.Order {
			copy(b[i*width:(i+1)*width], element[from*width:])
		}
	}
}

// PackedSize returns the size in bytes of the elements of an array of numbers that is stored otherwise than it is read, or 0
// for another node.
func (n *Node) PackedSize() int64 {
	if a, ok := n.Value.(Array); ok {
		if p := PackingOf(a); p.Decode != nil {
			return a.Len() * p.Size()
		}
	}
	return 0
}
