package usda

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"cutaway/model"
)

// Quote returns s in double quotes, triple if it has several lines. Control characters and invalid UTF-8 are escaped.
func Quote(s string) string { return quote(s, '"') }

// Requote returns s quoted as USD does: in single quotes if it contains only double ones.
func Requote(s string) string {
	if strings.Contains(s, `"`) && !strings.Contains(s, "'") {
		return quote(s, '\'')
	}
	return quote(s, '"')
}

func quote(s string, mark rune) string {
	if mark == '"' && plainText(s) {
		return `"` + s + `"`
	}
	long := strings.Contains(s, "\n")
	var b strings.Builder
	marks := string(mark)
	if long {
		marks = strings.Repeat(marks, 3)
	}
	b.WriteString(marks)
	for i, c := range s {
		alone := long && i+1 < len(s) && s[i+1] != byte(mark) // triple quotes end only at three marks
		switch {
		case c == mark && !alone, c == '\\':
			b.WriteByte('\\')
			b.WriteRune(c)
		case isControl(c), c == utf8.RuneError && s[i] != "\uFFFD"[0]:
			b.WriteString(escaped(s[i]))
		default:
			b.WriteRune(c)
		}
	}
	b.WriteString(marks)
	return b.String()
}

func isControl(c rune) bool { return c < 0x20 || c == 0x7f }

// escaped returns the escape of a control byte; a line feed stays.
func escaped(c byte) string {
	switch c {
	case '\n':
		return "\n"
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	return fmt.Sprintf(`\x%02x`, c)
}

// plainText reports whether a string needs no escapes.
func plainText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == 0x7f || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return c >= utf8.RuneSelf && plainRunes(s)
		}
	}
	return true
}

func plainRunes(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return isControl(c) || c == '"' || c == '\\' })
}

// IsAssetPath reports whether USD accepts s as an asset path: it is UTF-8 without control characters.
func IsAssetPath(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(c rune) bool { return c < 0x20 || c >= 0x7f && c < 0xa0 })
}

// QuoteAsset returns an asset path between at signs, triple ones if it contains an at sign. ok is false if USD does not
// accept the path.
func QuoteAsset(s string) (text string, ok bool) {
	if !IsAssetPath(s) {
		return "", false
	}
	if strings.Contains(s, "@") {
		return tripleAt + strings.ReplaceAll(s, tripleAt, `\`+tripleAt) + tripleAt, true
	}
	return "@" + s + "@", true
}

// appendNumber appends a number, or a tuple, with components of kind of.
func appendNumber(b []byte, v model.Value, of Scalar) ([]byte, bool) {
	_, isText := v.(model.Text)
	if _, isTuple := v.(model.Tuple); !isTuple && isText != (of >= Text) {
		return b, false // such as an index without its text
	}
	switch v := v.(type) {
	case model.Bool:
		if v {
			return append(b, '1'), true
		}
		return append(b, '0'), true
	case model.Int:
		return strconv.AppendInt(b, int64(v), 10), true
	case model.Uint:
		return strconv.AppendUint(b, uint64(v), 10), true
	case model.Half:
		return appendFloat(b, float64(v.Float()), 32), true
	case model.Float32:
		return appendFloat(b, float64(v), 32), true
	case model.Float64:
		return appendFloat(b, float64(v), 64), true
	case model.Text:
		return appendText(b, string(v), of)
	case model.Tuple:
		b = append(b, '(')
		for i, e := range v {
			if i > 0 {
				b = append(b, ", "...)
			}
			var ok bool
			if b, ok = appendNumber(b, e, of); !ok {
				return b, false
			}
		}
		return append(b, ')'), len(v) > 0
	}
	return b, false
}

func appendText(b []byte, s string, of Scalar) ([]byte, bool) {
	if of != AssetPath {
		return append(b, Quote(s)...), true
	}
	text, ok := QuoteAsset(s)
	return append(b, text...), ok
}

// appendFloat appends the shortest number that rounds to f when read as a double.
func appendFloat(b []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(b, "nan"...)
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	}
	from := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, bits)
	if bits == 32 {
		if wide, err := strconv.ParseFloat(string(b[from:]), 64); err != nil || float32(wide) != float32(f) {
			return strconv.AppendFloat(b[:from], f, 'g', -1, 64)
		}
	}
	return b
}

// child returns the child with the given name, or a node without type if there is none.
func child(ctx context.Context, n *model.Node, name string) model.Node {
	return kid(ctx, n.Children, name)
}

// textOf returns the text that is the value of n, or "" if it is none.
func textOf(n *model.Node) string {
	switch v := n.Value.(type) {
	case model.Text:
		return string(v)
	case model.Symbol:
		return v.Name
	}
	return ""
}

// window is the number of elements of an array in memory.
const window = 1024

// each calls f for the elements of an array until it returns false. The error is a failure to read.
func each(ctx context.Context, a model.Array, f func(v model.Value) bool) error {
	buf := make([]model.Value, min(window, a.Len()))
	for first := int64(0); first < a.Len(); {
		n, err := a.Read(ctx, first, buf[:min(int64(len(buf)), a.Len()-first)])
		for _, v := range buf[:n] {
			if !f(v) {
				return nil
			}
		}
		if err == nil && n == 0 {
			err = fmt.Errorf("the array ends after %d of %d elements", first, a.Len())
		}
		if err != nil {
			return err
		}
		first += int64(n)
	}
	return ctx.Err()
}

// Unquote returns the value of a string between one or three quotes.
func Unquote(s string) string {
	n := 1
	if len(s) >= 6 && s[1] == s[0] && s[2] == s[0] {
		n = 3
	}
	if len(s) < 2*n {
		return s
	}
	s = s[n : len(s)-n]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		c, length := unescape(s[i:])
		b = append(b, c)
		i += length - 1
	}
	return string(b)
}

// unescape returns the character of an escape sequence, s without its backslash, and the length of s that it takes.
func unescape(s string) (c byte, n int) {
	if at := strings.IndexByte("abfnrtv", s[0]); at >= 0 {
		return "\a\b\f\n\r\t\v"[at], 1
	}
	base, n, from := 8, 0, 0
	if s[0] == 'x' {
		base, from = 16, 1
	}
	for n = from; n < len(s) && n < 3; n++ {
		if _, err := strconv.ParseUint(s[n:n+1], base, 8); err != nil {
			break
		}
	}
	if n == from {
		return s[0], 1
	}
	v, _ := strconv.ParseUint(s[from:n], base, 16)
	return byte(v), n
}

// UnquoteAsset returns the path between at signs.
func UnquoteAsset(s string) string {
	if inner, ok := strings.CutPrefix(s, tripleAt); ok && len(s) >= 2*len(tripleAt) {
		return strings.ReplaceAll(strings.TrimSuffix(inner, tripleAt), `\`+tripleAt, tripleAt)
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "@"), "@")
}
