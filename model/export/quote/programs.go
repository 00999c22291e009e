package quote

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// cLine is the width at which C strings are broken.
const cLine = 96

// Digits appends a signed number.
func Digits(dst []byte, n int64, _ int) []byte { return strconv.AppendInt(dst, n, 10) }

// UnsignedDigits appends an unsigned number.
func UnsignedDigits(dst []byte, n uint64, _ int) []byte { return strconv.AppendUint(dst, n, 10) }

// CInt appends a signed number. The least ones have no literal in C: without the sign they overflow.
func CInt(dst []byte, v int64, width int) []byte {
	switch {
	case v == math.MinInt64:
		return append(dst, "INT64_MIN"...)
	case v == math.MinInt32 && width == 4:
		return append(dst, "INT32_MIN"...)
	case v > math.MaxInt32 || v < math.MinInt32:
		return append(strconv.AppendInt(append(dst, "INT64_C("...), v, 10), ')')
	}
	return strconv.AppendInt(dst, v, 10)
}

// CUint appends an unsigned number, with a suffix if it is too large for an int.
func CUint(dst []byte, n uint64, width int) []byte {
	switch {
	case width == 8 && n > math.MaxUint32:
		return append(strconv.AppendUint(append(dst, "UINT64_C("...), n, 10), ')')
	case n > math.MaxInt32:
		return append(strconv.AppendUint(dst, n, 10), 'u')
	}
	return strconv.AppendUint(dst, n, 10)
}

// CText appends a string. Characters other than printable ASCII are octal, which a following digit cannot change.
// Repeated question marks could be trigraphs.
func CText(dst []byte, s string) []byte {
	dst = append(dst, '"')
	column := 0
	for i := range len(s) {
		if column >= cLine {
			dst = append(dst, "\"\n    \""...)
			column = 0
		}
		at := len(dst)
		switch b := s[i]; {
		case b == '\n':
			dst = append(dst, `\n`...)
		case b == '"' || b == '\\' || b == '?' && i > 0 && s[i-1] == '?':
			dst = append(dst, '\\', b)
		case b < 0x20 || b >= 0x7f:
			dst = append(dst, '\\', '0'+b>>6, '0'+b>>3&7, '0'+b&7)
		default:
			dst = append(dst, b)
		}
		column += len(dst) - at
	}
	return append(dst, '"')
}

// PythonText appends a string, or bytes if it is invalid UTF-8.
func PythonText(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return strconv.AppendQuote(dst, text)
	}
	return PythonBytes(dst, []byte(text))
}

// PythonBytes appends bytes.
func PythonBytes(dst, p []byte) []byte {
	dst = append(dst, `b"`...)
	for _, b := range p {
		switch {
		case b == '"' || b == '\\':
			dst = append(dst, '\\', b)
		case b < 0x20 || b >= 0x7f:
			dst = append(dst, '\\', 'x', HexDigits[b>>4], HexDigits[b&15])
		default:
			dst = append(dst, b)
		}
	}
	return append(dst, '"')
}
