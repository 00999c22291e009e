package textio

import (
	"context"
	"strconv"
	"strings"

	"cutaway/decoders/odin/dotnet"
	"cutaway/model"
)

// MaxBytes bounds the bytes of a text that are held in memory. Longer ones are shown as bytes.
const MaxBytes = 1 << 20

// ByteOrderMark is the byte order mark of UTF-8.
var ByteOrderMark = []byte("\xef\xbb\xbf")

// Unquote returns a YAML scalar of one line without its quotes.
func Unquote(text string) string {
	text = strings.TrimSpace(text)
	n := len(text)
	switch {
	case n >= 2 && text[0] == '\'' && text[n-1] == '\'':
		return strings.ReplaceAll(text[1:n-1], "''", "'")
	case n >= 2 && text[0] == '"' && text[n-1] == '"':
		return unescapeYAML(text[1 : n-1])
	}
	return text
}

// unescapeYAML replaces the escapes of double-quoted scalars: those of C#, a blank, and characters by 2 or 8 digits.
func unescapeYAML(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		digits := 0
		if s[i] == '\\' && i+1 < len(s) {
			digits = map[byte]int{'x': 2, 'U': 8}[s[i+1]]
		}
		switch {
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
			continue
		case s[i+1] == ' ':
			b.WriteByte(' ')
			i++
			continue
		case digits > 0 && i+2+digits <= len(s):
			if v, err := strconv.ParseUint(s[i+2:i+2+digits], 16, 32); err == nil {
				if v == '\\' {
					b.WriteByte('\\') // since Unescape replaces two by one
				}
				b.WriteRune(rune(v))
				i += 1 + digits
				continue
			}
		}
		b.WriteString(s[i : i+2])
		i++
	}
	return Unescape(b.String())
}

// Value returns the text of a span, or the span if the text is longer than MaxBytes or could not be read.
func Value(ctx context.Context, at model.Span) model.Value {
	if at.Len > MaxBytes {
		return model.Blob{Span: at}
	}
	b, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		return model.Blob{Span: at}
	}
	return model.Text(b)
}

// Unescape replaces the escapes of strings of C#.
func Unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var units []uint16
	out := make([]byte, 0, len(s))
	flush := func() {
		out = append(out, dotnet.TextOfUnits(units)...)
		units = units[:0]
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			flush()
			out = append(out, s[i])
			continue
		}
		i++
		if s[i] == 'u' && i+4 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+5], 16, 16); err == nil {
				units = append(units, uint16(v))
				i += 4
				continue
			}
		}
		flush()
		if k := strings.IndexByte(`abfnrt0`, s[i]); k >= 0 {
			out = append(out, "\a\b\f\n\r\t\x00"[k])
		} else {
			out = append(out, s[i])
		}
	}
	flush()
	return string(out)
}

// Unfold returns the text of a YAML scalar: its lines joined, its quotes removed.
func Unfold(s string) string {
	var all string
	for i, part := range strings.Split(s, "\n") {
		if i > 0 {
			part = strings.TrimSpace(part)
			if all != "" && part != "" {
				part = " " + part
			}
		}
		all += strings.TrimSuffix(part, "\r")
	}
	return Unquote(all)
}
