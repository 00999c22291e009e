package crategen

import (
	"encoding/binary"
	"math"
	"slices"
)

// Value writes what a value needs into the file and returns its representation.
type Value func(w *Writer) Rep

// Raw returns a rep as it stands, right or wrong.
func Raw(rep Rep) Value { return func(*Writer) Rep { return rep } }

// Inline returns a value that lies in its rep (chapter 10).
func Inline(t Type, bits uint32) Value { return Raw(MakeRep(t, InlinedBit, int64(bits))) }

// Bytes returns a value out of line, given by its bytes.
func Bytes(t Type, body []byte) Value {
	return func(w *Writer) Rep {
		at := w.Pos()
		w.write(body)
		return MakeRep(t, 0, at)
	}
}

// Bool returns a bool.
func Bool(v bool) Value {
	if v {
		return Inline(TBool, 1)
	}
	return Inline(TBool, 0)
}

// Int returns an int.
func Int(v int32) Value { return Inline(TInt, uint32(v)) }

// Float returns a float.
func Float(v float32) Value { return Inline(TFloat, math.Float32bits(v)) }

// Int64 returns an int64, inlined when small.
func Int64(v int64) Value {
	if v == int64(int32(v)) {
		return Inline(TInt64, uint32(v))
	}
	return Bytes(TInt64, binary.LittleEndian.AppendUint64(nil, uint64(v)))
}

// UInt64 returns a uint64, inlined when small.
func UInt64(v uint64) Value {
	if v == uint64(uint32(v)) {
		return Inline(TUInt64, uint32(v))
	}
	return Bytes(TUInt64, binary.LittleEndian.AppendUint64(nil, v))
}

// Double returns a double, inlined when a float says the same.
func Double(v float64) Value {
	if f := float32(v); float64(f) == v {
		return Inline(TDouble, math.Float32bits(f))
	}
	return Bytes(TDouble, Doubles(v))
}

// Doubles are f64 in a row: bytes for Bytes and Array.
func Doubles(vs ...float64) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return b
}

// Floats are f32 in a row.
func Floats(vs ...float32) []byte {
	var b []byte
	for _, v := range vs {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

// Words are integers of size bytes in a row; halves are given by their bits.
func Words(size int, vs ...int64) []byte {
	var b []byte
	for _, v := range vs {
		b = appendInt(b, v, size)
	}
	return b
}

// Text returns a string.
func Text(s string) Value { return func(w *Writer) Rep { return Inline(TString, w.String(s))(w) } }

// Token returns a token.
func Token(s string) Value { return func(w *Writer) Rep { return Inline(TToken, w.Token(s))(w) } }

// Asset returns an asset path: a token index, unlike in arrays.
func Asset(s string) Value { return func(w *Writer) Rep { return Inline(TAsset, w.Token(s))(w) } }

// indexes maps texts to indexes with one of the writer's tables.
func indexes(texts []string, index func(string) uint32) []byte {
	var b []byte
	for _, s := range texts {
		b = binary.LittleEndian.AppendUint32(b, index(s))
	}
	return b
}

// counted is vec<X>: the count and the items.
func counted(n int, items []byte) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(n)), items...)
}

// Tokens returns a TokenVector.
func Tokens(names ...string) Value {
	return func(w *Writer) Rep { return Bytes(TTokenVector, counted(len(names), indexes(names, w.Token)))(w) }
}

// Strings returns a StringVector.
func Strings(texts ...string) Value {
	return func(w *Writer) Rep { return Bytes(TStringVector, counted(len(texts), indexes(texts, w.String)))(w) }
}

// Paths returns a PathVector.
func Paths(paths ...string) Value {
	return func(w *Writer) Rep { return Bytes(TPathVector, counted(len(paths), indexes(paths, w.Path)))(w) }
}

// Relocates returns pairs of source and target paths.
func Relocates(pairs ...string) Value {
	return func(w *Writer) Rep { return Bytes(TRelocates, counted(len(pairs)/2, indexes(pairs, w.Path)))(w) }
}

// Selections returns a VariantSelectionMap: pairs of variant set and variant.
func Selections(pairs ...string) Value {
	return func(w *Writer) Rep {
		return Bytes(TVariantSelectionMap, counted(len(pairs)/2, indexes(pairs, w.String)))(w)
	}
}

// arrayHeader writes what is before the elements (chapter 11) and returns its offset.
func (w *Writer) arrayHeader(count int64, align bool) int64 {
	if align && w.Version.From(7) {
		w.fill(int(-w.Pos() & 7))
	}
	at := w.Pos()
	switch {
	case w.Version.From(7):
		w.u64(uint64(count))
	case w.Version.From(5):
		w.u32(uint32(count))
	default:
		w.u32(1) // rank
		w.u32(uint32(count))
	}
	return at
}

// Array returns an array of plain elements, given by their bytes.
func Array(t Type, count int, elements []byte) Value {
	return func(w *Writer) Rep {
		if count == 0 {
			return MakeRep(t, ArrayBit, 0)
		}
		at := w.arrayHeader(int64(count), true)
		w.write(elements)
		return MakeRep(t, ArrayBit, at)
	}
}

// Texts returns an array of string, token, asset or pathExpression.
func Texts(t Type, texts ...string) Value {
	return func(w *Writer) Rep {
		index := w.String
		if t == TToken {
			index = w.Token
		}
		return Array(t, len(texts), indexes(texts, index))(w)
	}
}

// minCompressed is the shortest array that is compressed.
const minCompressed = 16

// Ints returns an array of int, uint, int64 or uint64, compressed where the version can.
func Ints(t Type, vs ...int64) Value {
	width := 4
	if t == TInt64 || t == TUInt64 {
		width = 8
	}
	return func(w *Writer) Rep {
		if !w.Version.From(5) || len(vs) < minCompressed {
			return Array(t, len(vs), Words(width, vs...))(w)
		}
		at := w.arrayHeader(int64(len(vs)), false)
		w.write(codedInts(vs, width))
		return MakeRep(t, ArrayBit|CompressedBit, at)
	}
}

// FloatArray returns an array of float, compressed where the version can and the values suit: as integers (code i), or
// through a table (code t).
func FloatArray(vs ...float32) Value {
	return func(w *Writer) Rep {
		if !w.Version.From(6) || len(vs) < minCompressed {
			return Array(TFloat, len(vs), Floats(vs...))(w)
		}
		if ints, ok := asInts(vs); ok {
			return w.codedFloats(len(vs), []byte{'i'}, codedInts(ints, 4))
		}
		var table []float32
		var at []uint32
		for _, v := range vs {
			i := slices.Index(table, v)
			if i < 0 {
				i = len(table)
				table = append(table, v)
			}
			at = append(at, uint32(i))
		}
		if len(table)*4 > len(vs) {
			return Array(TFloat, len(vs), Floats(vs...))(w)
		}
		head := binary.LittleEndian.AppendUint32([]byte{'t'}, uint32(len(table)))
		return w.codedFloats(len(vs), append(head, Floats(table...)...), codedInts(at, 4))
	}
}

func (w *Writer) codedFloats(count int, parts ...[]byte) Rep {
	at := w.arrayHeader(int64(count), false)
	for _, p := range parts {
		w.write(p)
	}
	return MakeRep(TFloat, ArrayBit|CompressedBit, at)
}

func asInts(vs []float32) ([]int32, bool) {
	var ints []int32
	for _, v := range vs {
		i := int32(v)
		if float32(i) != v || i == 0 && math.Signbit(float64(v)) {
			return nil, false
		}
		ints = append(ints, i)
	}
	return ints, true
}
