package model

import (
	"context"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// A NumberKind is a kind of number in arrays.
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

// Size returns the number of bytes of a number.
func (n NumberKind) Size() int64 { return [...]int64{0, 1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8}[n] }

// Float reports whether the numbers may have fractions, infinities and NaN.
func (n NumberKind) Float() bool { return n >= NumberF16 }

// Value returns the number whose little-endian bytes b begins with.
func (n NumberKind) Value(b []byte) Value { return n.OfBits(UintOf(b[:n.Size()], false)) }

// OfBits returns the number in the lowest bits.
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

// UintOf returns the unsigned number in b, which has at most 8 bytes, in a byte order.
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

// NumberOf returns the kind of number of a value in an array whose elements are of type elem. The type's name implies
// the width of integers, unless the value needs more. It is NoNumber for other values.
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

// FitsInteger reports whether a value is an integer of at most width bytes.
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

// FloatOf returns a number as a float64, integers beyond 2^53 rounded. ok is false for other values, including Bool.
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

// IntegerWidth returns the width in bytes of the integers of a type, by its name: "int64" and "long" are 8, "uint" and
// "int3" 4, "ushort" and "int16" 2, "uchar" and "byte" 1. Kaitai Struct's names have a digit: "u8le" is 8. Unknown
// names are 8.
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

// A Packing describes array elements as numbers. Each element has Components numbers, in the order of its Value. The
// numbers are stored in a source, or Decode makes them.
type Packing struct {
	Number     NumberKind // or NoNumber if the elements are no numbers
	Components int

	At    Span  // bytes of all elements, contiguous; without a Source, Decode makes them
	Big   bool  // most significant byte first
	Order []int // for each component, its index in the stored element, or nil if in order
	// Decode fills dst with packed elements from first on, as Read does.
	Decode func(ctx context.Context, first int64, dst []byte) (int, error)
	// Coding names the encoding of the elements, such as "integers", or is "".
	Coding string
	// Coded are all the bytes that Decode reads: equal bytes of one Coding make equal elements. It may be empty.
	Coded []Span
}

// Packed is implemented by Arrays that can be read without making a Value of each element.
type Packed interface {
	Array
	Packing() Packing
}

// PackingOf returns the packing of an array, or the zero Packing.
func PackingOf(a Array) Packing {
	if p, ok := a.(Packed); ok {
		return p.Packing()
	}
	return Packing{}
}

// Located is implemented by Arrays whose elements have bytes, but are not contiguous.
type Located interface {
	Array
	At(ctx context.Context, i int64) Span
}

// Ranged is implemented by Arrays of integers whose range and sum are known from another pass over them.
type Ranged interface {
	Array
	// Range returns false if they are not known.
	Range() (IntegerRange, bool)
}

// An IntegerRange holds the least and the greatest of integers, and their sum.
type IntegerRange struct{ Least, Most, Sum int64 }

// NoIntegers is the range before the first integer.
var NoIntegers = IntegerRange{Least: math.MaxInt64, Most: math.MinInt64}

// Add adds integers.
func (r *IntegerRange) Add(all []int64) {
	least, most, sum := r.Least, r.Most, r.Sum
	for _, v := range all {
		least, most, sum = min(least, v), max(most, v), sum+v
	}
	*r = IntegerRange{least, most, sum}
}

// ElementSpan returns the bytes of element i of an array, or no Source if it has none of its own.
func ElementSpan(ctx context.Context, a Array, i int64) Span {
	if l, ok := a.(Located); ok {
		return l.At(ctx, i)
	}
	p := PackingOf(a)
	return p.element(i)
}

// element returns the bytes of element i, if the elements are contiguous.
func (p *Packing) element(i int64) Span {
	if p.At.Source == nil || p.Decode != nil || p.Size() == 0 {
		return Span{}
	}
	return p.At.Source.Span(p.At.Off+i*p.Size(), p.Size())
}

// Size returns the number of bytes of a packed element.
func (p *Packing) Size() int64 { return p.Number.Size() * int64(p.Components) }

// Read fills dst with whole elements from first on, whose numbers are little-endian, and returns their number. The
// elements before an error are valid.
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

// arrange converts elements as stored: it orders components, makes them little-endian, and true 1.
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

// PackedSize returns the size in bytes of the elements of an array of numbers in another encoding, or 0 for other
// nodes.
func (n *Node) PackedSize() int64 {
	if a, ok := n.Value.(Array); ok {
		if p := PackingOf(a); p.Decode != nil {
			return a.Len() * p.Size()
		}
	}
	return 0
}
