package quote

import (
	"encoding/json"
	"strings"
)

// shortJSON is the greatest length in bytes of an array or object on one line.
const shortJSON = 80

// Pretty indents text that is one JSON array or object, and returns other text as it is.
func Pretty(text string) string {
	if t := strings.TrimSpace(text); t != "" && (t[0] == '{' || t[0] == '[') && json.Valid([]byte(t)) {
		return IndentJSON(t)
	}
	return text
}

// IndentJSON indents JSON, whose end may be missing. Short arrays and objects stay on one line. Line feeds between
// top-level values stay too.
func IndentJSON(s string) string {
	var b strings.Builder
	depth := 0
	line := func(d int) {
		depth = max(depth+d, 0)
		b.WriteString("\n" + strings.Repeat("  ", depth))
	}
	for i := 0; i < len(s); {
		end := i + 1
		switch c := s[i]; c {
		case '"':
			end = stringEnd(s, i)
			b.WriteString(s[i:end])
		case '{', '[':
			if e := closing(s, i); e > 0 {
				end = e
				b.WriteString(spaced(s[i:e]))
			} else {
				b.WriteByte(c)
				line(1)
			}
		case '}', ']':
			line(-1)
			b.WriteByte(c)
		case ',':
			b.WriteByte(c)
			line(0)
		case ':':
			b.WriteString(": ")
		case '\n':
			if depth == 0 {
				b.WriteByte(c)
			}
		case ' ', '\t', '\r':
		default:
			b.WriteByte(c)
		}
		i = end
	}
	return b.String()
}

// stringEnd returns the offset after the string that begins at i, or the length of s if the string has no end.
func stringEnd(s string, i int) int {
	for i++; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// closing returns the end of the array or object that begins at i, or 0 if it is long or its end is missing.
func closing(s string, i int) int {
	depth := 0
	for k := i; k < min(len(s), i+shortJSON); k++ {
		switch s[k] {
		case '"':
			k = stringEnd(s, k) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return k + 1
			}
		}
	}
	return 0
}

// spaced returns JSON on one line, with a space after each comma and colon.
func spaced(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			end := stringEnd(s, i)
			b.WriteString(s[i:end])
			i = end - 1
		case ',', ':':
			b.WriteString(s[i:i+1] + " ")
		case ' ', '\n', '\t', '\r':
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
