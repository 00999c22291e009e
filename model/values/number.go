package values

import (
	"encoding/binary"
	"math"

	"cutaway/model"
)

// alike reports whether v is a number of a kind. Integers may have any width.
func alike(v model.Value, kind model.NumberKind) bool {
	switch v.(type) {
	case model.Int:
		return kind == model.NumberI8 || kind == model.NumberI16 || kind == model.NumberI32 || kind == model.NumberI64
	case model.Uint:
		return kind == model.NumberU8 || kind == model.NumberU16 || kind == model.NumberU32 || kind == model.NumberU64
	}
	return model.NumberOf(v, "") == kind
}

// putNumber writes a number little-endian into all of b.
func putNumber(b []byte, v model.Value) {
	var n uint64
	switch v := v.(type) {
	case model.Bool:
		if v {
			n = 1
		}
	case model.Int:
		n = uint64(v)
	case model.Uint:
		n = uint64(v)
	case model.Half:
		n = uint64(v)
	case model.Float32:
		n = uint64(math.Float32bits(float32(v)))
	case model.Float64:
		n = math.Float64bits(float64(v))
	}
	for i := range b {
		b[i] = byte(n)
		n >>= 8
	}
}

// unpack writes component c of the packed elements in b as float64s. 64-bit integers beyond 2^53 are rounded.
func unpack(dst []float64, b []byte, kind model.NumberKind, components, c int) {
	le := binary.LittleEndian
	width := int(kind.Size())
	step := components * width
	b = b[c*width:]
	switch kind {
	case model.NumberF32:
		for i := range dst {
			dst[i] = float64(math.Float32frombits(le.Uint32(b[i*step:])))
		}
	case model.NumberF64:
		for i := range dst {
			dst[i] = math.Float64frombits(le.Uint64(b[i*step:]))
		}
	case model.NumberF16:
		for i := range dst {
			dst[i] = float64(model.Half(le.Uint16(b[i*step:])).Float())
		}
	case model.NumberI8:
		for i := range dst {
			dst[i] = float64(int8(b[i*step]))
		}
	case model.NumberU8, model.NumberBool:
		for i := range dst {
			dst[i] = float64(b[i*step])
		}
	default:
		unpackIntegers(dst, b, kind, step)
	}
}

func unpackIntegers(dst []float64, b []byte, kind model.NumberKind, step int) {
	le := binary.LittleEndian
	switch kind {
	case model.NumberI16:
		for i := range dst {
			dst[i] = float64(int16(le.Uint16(b[i*step:])))
		}
	case model.NumberU16:
		for i := range dst {
			dst[i] = float64(le.Uint16(b[i*step:]))
		}
	case model.NumberI32:
		for i := range dst {
			dst[i] = float64(int32(le.Uint32(b[i*step:])))
		}
	case model.NumberU32:
		for i := range dst {
			dst[i] = float64(le.Uint32(b[i*step:]))
		}
	case model.NumberI64:
		for i := range dst {
			dst[i] = float64(int64(le.Uint64(b[i*step:])))
		}
	case model.NumberU64:
		for i := range dst {
			dst[i] = float64(le.Uint64(b[i*step:]))
		}
	}
}

// toValue returns a float64 from unpack as a number of its kind.
func toValue(kind model.NumberKind, f float64) model.Value {
	switch kind {
	case model.NumberBool:
		return model.Bool(f != 0)
	case model.NumberF16, model.NumberF32:
		return model.Float32(f)
	case model.NumberF64:
		return model.Float64(f)
	case model.NumberU8, model.NumberU16, model.NumberU32:
		return model.Uint(f)
	}
	return model.Int(f)
}
