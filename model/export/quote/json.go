// Package quote appends values as JSON, YAML, C and Python have them.
package quote

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"cutaway/model"
)

// HexDigits are the hexadecimal digits.
const HexDigits = "0123456789abcdef"

// String appends s as a string of JSON and of YAML; bytes that are not UTF-8 become U+FFFD. What YAML does not
// take as it is, or may take for a line break, is escaped.
func String(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscape(dst, c)
			i++
			start = i
			continue
		}
		if r, size := utf8.DecodeRuneInString(s[i:]); r != utf8.RuneError || size > 1 {
			if r <= 0x9f || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\ufffe' || r == '\uffff' {
				dst = append(dst, s[start:i]...)
				dst = append(dst, '\\', 'u', HexDigits[r>>12], HexDigits[r>>8&15], HexDigits[r>>4&15], HexDigits[r&15])
				start = i + size
			}
			i += size
			continue
		}
		dst = append(dst, s[start:i]...)
		dst = append(dst, "\ufffd"...)
		i++
		start = i
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

// appendEscape appends an ASCII character that cannot stand for itself.
func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\t':
		return append(dst, '\\', 't')
	case '\r':
		return append(dst, '\\', 'r')
	}
	return append(dst, '\\', 'u', '0', '0', HexDigits[c>>4], HexDigits[c&15])
}

// Text appends text of a file: a JSON string, or {"base64":…} where it is not UTF-8.
func Text(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return String(dst, s)
	}
	return Base64(dst, []byte(s))
}

// Base64 appends bytes that are no text: {"base64":…}.
func Base64(dst, b []byte) []byte {
	dst = append(dst, `{"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, `"}`...)
}

// exactInt is the greatest integer up to which a JSON reader that keeps numbers as binary64 loses nothing.
const exactInt = 1 << 53

// Int appends an integer; beyond ±2^53 it is a JSON string.
func Int(dst []byte, v int64) []byte {
	if v > exactInt || v < -exactInt {
		dst = append(dst, '"')
		dst = strconv.AppendInt(dst, v, 10)
		return append(dst, '"')
	}
	return strconv.AppendInt(dst, v, 10)
}

// Uint is Int for unsigned numbers.
func Uint(dst []byte, v uint64) []byte {
	if v > exactInt {
		dst = append(dst, '"')
		dst = strconv.AppendUint(dst, v, 10)
		return append(dst, '"')
	}
	return strconv.AppendUint(dst, v, 10)
}

// Float appends the shortest digits that read back as f in bits bits; NaN and the infinities are strings.
// Negative zero keeps its sign by its decimal point, and what is 2^53 or more has an exponent, so that neither is
// taken for an integer.
func Float(dst []byte, f float64, bits int) []byte {
	a := math.Abs(f)
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		dst = append(dst, '"')
		dst = append(dst, model.FormatFloat(f, bits)...)
		return append(dst, '"')
	case a == 0 && math.Signbit(f):
		return append(dst, "-0.0"...)
	case a != 0 && (a < 1e-6 || a >= exactInt):
		return strconv.AppendFloat(dst, f, 'e', -1, bits)
	}
	return strconv.AppendFloat(dst, f, 'f', -1, bits)
}
