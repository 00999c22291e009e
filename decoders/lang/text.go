package lang

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"cutaway/decoders/grammar"
)

var (
	latin1 = grammar.Text("latin-1", func(b []byte) (string, error) { return decodeLatin1(b), nil }).Total()
	utf16l = grammar.Text("utf-16", func(b []byte) (string, error) { return decodeUTF16(b), nil }).Total()
)

// decodeLatin1 decodes text of a byte a character.
func decodeLatin1(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}

// decodeUTF16 decodes little-endian text; half of a pair of surrogates is U+FFFD.
func decodeUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
