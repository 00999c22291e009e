package odin

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
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

// decimalText writes the 16 bytes of a .NET decimal.
func decimalText(b []byte) string {
	flags := binary.LittleEndian.Uint32(b)
	scale := int(flags >> 16 & 0xff)
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
	return digits
}

// guidText writes the 16 bytes of a GUID.
func guidText(b []byte) string {
	return fmt.Sprintf("%08x-%04x-%04x-%x-%x", binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint16(b[4:]),
		binary.LittleEndian.Uint16(b[6:]), b[8:10], b[10:16])
}
