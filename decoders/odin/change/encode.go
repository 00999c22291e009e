package change

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// encodeBinary returns the bytes of a value of the binary form. was are those of the value before.
func encodeBinary(k kind.Kind, v model.Value, was []byte) []byte {
	var b []byte
	switch v := v.(type) {
	case model.Bool:
		if v {
			return []byte{1}
		}
		return []byte{0}
	case model.Int:
		b = binary.LittleEndian.AppendUint64(nil, uint64(v))
	case model.Uint:
		b = binary.LittleEndian.AppendUint64(nil, uint64(v))
	case model.Float32:
		b = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
	case model.Float64:
		b = binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(v)))
	case model.Text:
		switch k {
		case kind.String:
			return encodeString(string(v), len(was) > 0 && was[0] == 0)
		case kind.Char:
			b = binary.LittleEndian.AppendUint16(nil, utf16.Encode([]rune(string(v)))[0])
		case kind.GUID:
			b = encodeGUID(string(v))
		case kind.Decimal:
			b = encodeDecimal(string(v))
		}
	}
	return b[:k.Scalar().Size()]
}

// encodeString returns a string of the binary form: the width of its characters, their number, and the characters. They have 8 bits
// if narrow and all fit, else 16.
func encodeString(text string, narrow bool) []byte {
	runes := []rune(text)
	for _, r := range runes {
		narrow = narrow && r <= 0xff
	}
	units := utf16.Encode(runes)
	b := make([]byte, 1, 5+2*len(units))
	if !narrow {
		b[0] = 1
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(units)))
	for _, u := range units {
		if narrow {
			b = append(b, byte(u))
		} else {
			b = binary.LittleEndian.AppendUint16(b, u)
		}
	}
	return b
}

// encodeGUID returns the bytes of a GUID: a number of 32 bits and two of 16, little-endian, then the rest as printed.
func encodeGUID(text string) []byte {
	digits := strings.ReplaceAll(text, "-", "")
	high, _ := strconv.ParseUint(digits[:16], 16, 64)
	low, _ := strconv.ParseUint(digits[16:], 16, 64)
	b := binary.LittleEndian.AppendUint32(nil, uint32(high>>32))
	b = binary.LittleEndian.AppendUint16(b, uint16(high>>16))
	b = binary.LittleEndian.AppendUint16(b, uint16(high))
	return binary.BigEndian.AppendUint64(b, low)
}

// encodeDecimal returns the bytes of a decimal: flags, then the high, low and middle 32 bits of the magnitude.
func encodeDecimal(text string) []byte {
	d, _ := decimal(text)
	flags := uint32(d.scale) << 16
	if d.negative {
		flags |= 1 << 31
	}
	var magnitude [12]byte
	d.magnitude.FillBytes(magnitude[:])
	b := binary.LittleEndian.AppendUint32(nil, flags)
	b = binary.LittleEndian.AppendUint32(b, binary.BigEndian.Uint32(magnitude[:]))
	return binary.LittleEndian.AppendUint64(b, binary.BigEndian.Uint64(magnitude[4:]))
}

// encodeText returns the characters of a value of a text form: of JSON, or of the Data of a node.
func encodeText(k kind.Kind, v model.Value, nodes bool) string {
	switch v := v.(type) {
	case model.Float32:
		return float(float64(v), 32)
	case model.Float64:
		return float(float64(v), 64)
	case model.Text:
		switch {
		case k == kind.Decimal, k == kind.GUID && !nodes:
			return string(v)
		case k == kind.GUID:
			return strings.ReplaceAll(string(v), "-", "")
		case nodes:
			return yaml(string(v))
		}
		return csharp(string(v))
	}
	return fmt.Sprint(v)
}

// float writes a number as .NET does in no particular language.
func float(f float64, bits int) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return strconv.FormatFloat(f, 'G', -1, bits)
}

// escapes are the letters of escapes by their characters.
var escapes = map[uint16]byte{'"': '"', '\\': '\\', '\a': 'a', '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't', 0: '0'}

// csharp returns a text in quotes, with escapes for quotes, control characters and all that is not ASCII.
func csharp(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(text)) {
		switch letter := escapes[u]; {
		case letter != 0:
			b.WriteByte('\\')
			b.WriteByte(letter)
		case u < ' ' || u > '~':
			fmt.Fprintf(&b, `\u%04x`, u)
		default:
			b.WriteByte(byte(u))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// bare matches texts that need no quotes in YAML.
var bare = regexp.MustCompile(`^[A-Za-z0-9_]([A-Za-z0-9_., ]*[A-Za-z0-9_.])?$`)

// yaml returns a text as a scalar of YAML, in one line.
func yaml(text string) string {
	switch special := strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsControl(r) }); {
	case text == "" || bare.MatchString(text):
		return text
	case special:
		return csharp(text)
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}
