package odin

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"cutaway/model"
)

// Layouts of single values (chapters 3 and 6).

// decodeText decodes the characters of a string: Latin-1, or UTF-16LE where wide. A lone surrogate keeps its number
// in the three bytes that UTF-8 would give it, so that the text is not UTF-8 then but loses nothing.
func decodeText(b []byte, wide bool) string {
	if !wide {
		var s strings.Builder
		for _, c := range b {
			s.WriteRune(rune(c))
		}
		return s.String()
	}
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return textOfUnits(units)
}

func textOfUnits(units []uint16) string {
	out := make([]byte, 0, len(units))
	for i := 0; i < len(units); i++ {
		u := rune(units[i])
		if !utf16.IsSurrogate(u) {
			out = utf8.AppendRune(out, u)
			continue
		}
		if i+1 < len(units) {
			if r := utf16.DecodeRune(u, rune(units[i+1])); r != utf8.RuneError {
				out = utf8.AppendRune(out, r)
				i++
				continue
			}
		}
		out = append(out, 0xe0|byte(u>>12), 0x80|byte(u>>6)&0x3f|0x80, 0x80|byte(u)&0x3f)
	}
	return string(out)
}

// decimalText writes the 16 bytes of a .NET decimal; false where flags that must be 0 are not, or the scale is above 28.
func decimalText(b []byte) (string, bool) {
	flags := binary.LittleEndian.Uint32(b)
	scale := int(flags >> 16 & 0xff)
	sound := flags&^0x80ff0000 == 0 && scale <= 28
	magnitude := new(big.Int).SetUint64(uint64(binary.LittleEndian.Uint32(b[4:])))
	magnitude.Lsh(magnitude, 64)
	magnitude.Or(magnitude, new(big.Int).SetUint64(binary.LittleEndian.Uint64(b[8:])))
	digits := magnitude.String()
	if scale > 0 {
		if len(digits) <= scale {
			digits = strings.Repeat("0", scale-len(digits)+1) + digits
		}
		digits = digits[:len(digits)-scale] + "." + digits[len(digits)-scale:]
	}
	if flags>>31 != 0 {
		digits = "-" + digits
	}
	return digits, sound
}

// guidText writes the 16 bytes of a GUID.
func guidText(b []byte) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:]),
		binary.LittleEndian.Uint16(b[6:]), b[8:10], b[10:16])
}

// scalar decodes the content of an entry of fixed size, or of an element of a primitive array.
func scalar(k kind, b []byte) model.Value {
	le := binary.LittleEndian
	switch k {
	case kSByte:
		return model.Int(int8(b[0]))
	case kByte:
		return model.Uint(b[0])
	case kShort:
		return model.Int(int16(le.Uint16(b)))
	case kUShort:
		return model.Uint(le.Uint16(b))
	case kInt, kInternal, kExternalIndex:
		return model.Int(int32(le.Uint32(b)))
	case kUInt:
		return model.Uint(le.Uint32(b))
	case kLong, kArray:
		return model.Int(int64(le.Uint64(b)))
	case kULong:
		return model.Uint(le.Uint64(b))
	case kFloat:
		return model.Float32(math.Float32frombits(le.Uint32(b)))
	case kDouble:
		return model.Float64(math.Float64frombits(le.Uint64(b)))
	case kDecimal:
		text, _ := decimalText(b)
		return model.Text(text)
	case kChar:
		return model.Text(textOfUnits([]uint16{le.Uint16(b)}))
	case kGUID, kExternalGUID:
		return model.Text(guidText(b))
	case kBoolean:
		if b[0] > 1 {
			return model.Uint(b[0]) // readers take it for false
		}
		return model.Bool(b[0] == 1)
	case kNull:
		return model.None{}
	}
	return nil
}

// primitiveKinds are the element types of primitive arrays by their .NET names, with their size in bytes.
var primitiveKinds = map[string]kind{
	"System.Char": kChar, "System.SByte": kSByte, "System.Int16": kShort, "System.Int32": kInt, "System.Int64": kLong,
	"System.Byte": kByte, "System.UInt16": kUShort, "System.UInt32": kUInt, "System.UInt64": kULong,
	"System.Decimal": kDecimal, "System.Boolean": kBoolean, "System.Single": kFloat, "System.Double": kDouble,
	"System.Guid": kGUID,
}

// scalarSize is the number of bytes of a kind of fixed size.
func scalarSize(k kind) int64 {
	for _, c := range codes {
		if c.kind == k && c.content > 0 {
			return int64(c.content)
		}
	}
	return 0
}

func isNaN(v model.Value) bool {
	switch v := v.(type) {
	case model.Float32:
		return v != v
	case model.Float64:
		return v != v
	}
	return false
}
