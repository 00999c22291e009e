// Package quote appends values in the syntax of JSON, YAML, C and Python.
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

// String appends s as a string of JSON and YAML. Invalid UTF-8 becomes U+FFFD. Characters that YAML rejects, or may
// take for line breaks, are escaped.
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

// appendEscape appends the escape of an ASCII character.
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

// Text appends a text in a file: a JSON string, or {"base64":…} if it is invalid UTF-8.
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

// exactInt is the greatest integer that JSON readers with binary64 numbers read exactly.
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

// Uint is like Int, for unsigned numbers.
func Uint(dst []byte, v uint64) []byte {
	if v > exactInt {
		dst = append(dst, '"')
		dst = strconv.AppendUint(dst, v, 10)
		return append(dst, '"')
	}
	return strconv.AppendUint(dst, v, 10)
}

// Float appends the shortest digits that are read back as f with so many bits; NaN and the infinities are strings.
// Negative zero has a decimal point, and numbers from 2^53 on an exponent, so that neither is taken for an integer.
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
