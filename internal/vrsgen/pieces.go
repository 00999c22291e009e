package vrsgen

import (
	"fmt"
	"math"
	"strings"
)

// A POD is an element type of data pieces: Numbers numbers, written as Scalar each.
type POD struct {
	Name    string
	Scalar  string // "u8", "i8", "u16", …, "f32", "f64"
	Numbers int
}

// PODs are all element types (chapter 7.5).
var PODs = []POD{
	{"Bool", "bool", 1}, {"char", "i8", 1},
	{"int8_t", "i8", 1}, {"uint8_t", "u8", 1}, {"int16_t", "i16", 1}, {"uint16_t", "u16", 1},
	{"int32_t", "i32", 1}, {"uint32_t", "u32", 1}, {"int64_t", "i64", 1}, {"uint64_t", "u64", 1},
	{"float", "f32", 1}, {"double", "f64", 1},
	{"Point2Dd", "f64", 2}, {"Point3Dd", "f64", 3}, {"Point4Dd", "f64", 4},
	{"Point2Df", "f32", 2}, {"Point3Df", "f32", 3}, {"Point4Df", "f32", 4},
	{"Point2Di", "i32", 2}, {"Point3Di", "i32", 3}, {"Point4Di", "i32", 4},
	{"Matrix2Dd", "f64", 4}, {"Matrix3Dd", "f64", 9}, {"Matrix4Dd", "f64", 16},
	{"Matrix2Df", "f32", 4}, {"Matrix3Df", "f32", 9}, {"Matrix4Df", "f32", 16},
	{"Matrix2Di", "i32", 4}, {"Matrix3Di", "i32", 9}, {"Matrix4Di", "i32", 16},
}

// Number is number i of element n of the made values.
func (p *POD) Number(n, i int) float64 {
	v := float64(7*n + 3*i + 1)
	switch p.Scalar {
	case "bool":
		return float64((n + i) % 2)
	case "i8", "i16", "i32", "i64":
		if (n+i)%2 == 1 {
			v = -v
		}
	case "f32", "f64":
		v = -v / 4
	}
	return v
}

// Append appends element n.
func (p *POD) Append(b []byte, n int) []byte {
	for i := range p.Numbers {
		v := p.Number(n, i)
		switch p.Scalar {
		case "bool", "u8", "i8":
			b = append(b, byte(int64(v)))
		case "u16", "i16":
			b = le.AppendUint16(b, uint16(int64(v)))
		case "u32", "i32":
			b = le.AppendUint32(b, uint32(int64(v)))
		case "u64", "i64":
			b = le.AppendUint64(b, uint64(int64(v)))
		case "f32":
			b = le.AppendUint32(b, math.Float32bits(float32(v)))
		case "f64":
			b = le.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

// A Layout collects the pieces of a data layout with the bytes of one block.
type Layout struct {
	pieces   []string
	offset   int
	entries  int
	fixed    []byte
	index    []byte
	variable []byte
}

// Fixed adds a piece of fixed size; more is further members, each with a comma in front.
func (l *Layout) Fixed(name, typ, more string, b []byte) {
	l.pieces = append(l.pieces, fmt.Sprintf(`{"name":%q,"type":%q,"offset":%d%s}`, name, typ, l.offset, more))
	l.offset += len(b)
	l.fixed = append(l.fixed, b...)
}

// Variable adds a piece of variable size.
func (l *Layout) Variable(name, typ, more string, b []byte) {
	l.pieces = append(l.pieces, fmt.Sprintf(`{"name":%q,"type":%q,"index":%d%s}`, name, typ, l.entries, more))
	l.entries++
	l.index = le.AppendUint32(le.AppendUint32(l.index, uint32(len(l.variable))), uint32(len(b)))
	l.variable = append(l.variable, b...)
}

// JSON returns the definition.
func (l *Layout) JSON() string { return `{"data_layout":[` + strings.Join(l.pieces, ",") + "]}" }

// Block returns the bytes.
func (l *Layout) Block() []byte {
	b := append([]byte(nil), l.fixed...)
	return append(append(b, l.index...), l.variable...)
}

// U32 is a piece of the type uint32_t.
func (l *Layout) U32(name string, v uint32) {
	l.Fixed(name, "DataPieceValue<uint32_t>", "", le.AppendUint32(nil, v))
}

// U8 is a piece of the type uint8_t.
func (l *Layout) U8(name string, v uint8) {
	l.Fixed(name, "DataPieceValue<uint8_t>", "", []byte{v})
}

// Elements is the number of elements of the arrays and vectors of AllPieces, and of entries of its maps.
const Elements = 3

// AllPieces returns a layout with every type of piece over every element type, and those of texts.
func AllPieces() *Layout {
	l := &Layout{}
	for _, p := range PODs {
		l.Fixed("value/"+p.Name, "DataPieceValue<"+p.Name+">", "", p.Append(nil, 0))
	}
	for _, p := range PODs {
		l.Fixed("array/"+p.Name, "DataPieceArray<"+p.Name+">", fmt.Sprintf(`,"size":%d`, Elements), p.elements())
	}
	for _, p := range PODs {
		l.Variable("vector/"+p.Name, "DataPieceVector<"+p.Name+">", "", p.elements())
	}
	for _, p := range PODs {
		var b []byte
		for n := range Elements {
			b = p.Append(AppendText(b, Key(n)), n)
		}
		l.Variable("map/"+p.Name, "DataPieceStringMap<"+p.Name+">", "", b)
	}
	l.Variable("string", "DataPieceString", "", []byte(Text(0)))
	texts := le.AppendUint32(nil, Elements)
	var pairs []byte
	for n := range Elements {
		texts = AppendText(texts, Text(n))
		pairs = AppendText(AppendText(pairs, Key(n)), Text(n))
	}
	l.Variable("vector/string", "DataPieceVector<string>", "", texts)
	l.Variable("map/string", "DataPieceStringMap<string>", "", pairs)
	l.Variable("empty string", "DataPieceString", "", nil)
	l.Variable("empty vector/string", "DataPieceVector<string>", "", nil)
	l.Variable("empty map/string", "DataPieceStringMap<string>", "", nil)
	return l
}

func (p *POD) elements() (b []byte) {
	for n := range Elements {
		b = p.Append(b, n)
	}
	return b
}

// Key is key n of the maps of AllPieces.
func Key(n int) string { return fmt.Sprintf("key %d", n) }

// Text is text n of AllPieces.
func Text(n int) string { return strings.Repeat("ä", n) + fmt.Sprintf("text %d", n) }
