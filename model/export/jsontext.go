package export

import (
	"encoding/base64"
	"math"
	"strconv"
	"unicode/utf8"

	"cutaway/model"
)

const hexDigits = "0123456789abcdef"

// appendString appends s as a string of JSON and of YAML; bytes that are not UTF-8 become U+FFFD. What YAML does not
// take as it is, or may take for a line break, is escaped.
func appendString(dst []byte, s string) []byte {
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
				dst = append(dst, '\\', 'u', hexDigits[r>>12], hexDigits[r>>8&15], hexDigits[r>>4&15], hexDigits[r&15])
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
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}

// appendText appends text of a file: a JSON string, or {"base64":…} where it is not UTF-8.
func appendText(dst []byte, s string) []byte {
	if utf8.ValidString(s) {
		return appendString(dst, s)
	}
	return appendBase64(dst, []byte(s))
}

func appendBase64(dst, b []byte) []byte {
	dst = append(dst, `{"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, b)
	return append(dst, `"}`...)
}

// appendPath appends a path as a JSON string; bytes that are not UTF-8 are percent-encoded, which
// model.UnescapeSegment undoes, so that the path can be given back.
func appendPath(dst []byte, path string) []byte { return appendString(dst, string(JSONPath(path))) }

// JSONPath is a path as JSON has it: exact, but for bytes that are not UTF-8, which are percent-encoded.
func JSONPath(path string) model.Text {
	return model.Text(percentEncoded(path, func(rune) bool { return false }))
}

// PathText is a path, or the name of a file, as a person can read it on a terminal and pass it on: bytes that are not UTF-8
// are percent-encoded, and so is what would break the line, move the cursor or turn the direction of the text.
func PathText(path string) string {
	return percentEncoded(path, model.Unprintable)
}

// percentEncoded encodes the bytes of what must, and those that are not UTF-8.
func percentEncoded(path string, must func(rune) bool) string {
	const upper = "0123456789ABCDEF"
	var b []byte // what is before done, once something was encoded
	done := 0
	for i := 0; i < len(path); {
		r, size := utf8.DecodeRuneInString(path[i:])
		if r == utf8.RuneError && size == 1 || must(r) {
			b = append(b, path[done:i]...)
			for _, c := range []byte(path[i : i+size]) {
				b = append(b, '%', upper[c>>4], upper[c&15])
			}
			done = i + size
		}
		i += size
	}
	if done == 0 {
		return path
	}
	return string(append(b, path[done:]...))
}

// exactInt is the greatest integer up to which a JSON reader that keeps numbers as binary64 loses nothing.
const exactInt = 1 << 53

// appendInt appends an integer; beyond ±2^53 it is a JSON string.
func appendInt(dst []byte, v int64) []byte {
	if v > exactInt || v < -exactInt {
		dst = append(dst, '"')
		dst = strconv.AppendInt(dst, v, 10)
		return append(dst, '"')
	}
	return strconv.AppendInt(dst, v, 10)
}

// appendUint is appendInt for unsigned numbers.
func appendUint(dst []byte, v uint64) []byte {
	if v > exactInt {
		dst = append(dst, '"')
		dst = strconv.AppendUint(dst, v, 10)
		return append(dst, '"')
	}
	return strconv.AppendUint(dst, v, 10)
}

// appendFloat appends the shortest digits that read back as f in bits bits; NaN and the infinities are strings.
// Negative zero keeps its sign by its decimal point, and what is 2^53 or more has an exponent, so that neither is
// taken for an integer.
func appendFloat(dst []byte, f float64, bits int) []byte {
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
