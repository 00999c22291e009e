// Package phrase formats numbers, sizes, offsets and references as the window shows them, and parses what is typed.
package phrase

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// Unit returns a unit with a space before it, or "" if the unit is empty.
func Unit(unit string) string {
	if unit == "" {
		return ""
	}
	return " " + unit
}

// Hex returns an offset in hexadecimal, such as "0x1f".
func Hex(n int64) string {
	if n < 0 {
		return "-0x" + strconv.FormatInt(-n, 16)
	}
	return "0x" + strconv.FormatInt(n, 16)
}

// Bytes returns a size for people: "1 byte", "1,234 bytes".
func Bytes(n int64) string { return model.GroupedCount(n, "byte") }

// Roughly returns a number of bytes in two or three digits of a unit: "4.2 MB", "120 kB".
func Roughly(n int64) string {
	const step = 1000
	if n < step {
		return Bytes(n)
	}
	units := []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	f := float64(n) / step
	for f >= step-0.5 { // else it would be rounded to four digits
		f, units = f/step, units[1:]
	}
	if f < 9.95 {
		return fmt.Sprintf("%.1f %s", f, units[0])
	}
	return fmt.Sprintf("%.0f %s", f, units[0])
}

// ParseCount parses a number in decimal, or in hexadecimal with 0x before it or h after it. Blanks, _ and , may group
// digits.
func ParseCount(s string) (int64, bool) {
	s = strings.NewReplacer("_", "", ",", "", " ", "").Replace(s)
	base := 10
	if hex, ok := strings.CutPrefix(s, "0x"); ok {
		s, base = hex, 16
	} else if hex, ok := strings.CutSuffix(s, "h"); ok {
		s, base = hex, 16
	}
	n, err := strconv.ParseUint(s, base, 62)
	return int64(n), err == nil
}

// Short cuts the middle of s out so that about n characters are left.
func Short(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n*2/3]) + "…" + string(r[len(r)-n/3:])
}

// Capital begins a label with a capital letter.
func Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if word, _, _ := strings.Cut(s, " "); strings.ContainsFunc(word, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_' }) {
		return s // a name
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// Sentence returns an error as a sentence.
func Sentence(err error) string {
	return Capital(err.Error()) + "."
}

// Offset returns the first offset of a span: "0x4", or "0x4 in PATHS" for a span of a derived source.
func Offset(s model.Span) string {
	if s.Source.Origin() == nil {
		return Hex(s.Off)
	}
	return Hex(s.Off) + " in " + s.Source.Title()
}

// Span describes a span: "0x58 … 0x5f   8 bytes   in File".
func Span(s model.Span) string {
	text := Hex(s.Off)
	if s.Len > 1 {
		text += " … " + Hex(s.End()-1)
	}
	text += "   " + Bytes(s.Len)
	if s.Mask != 0 {
		text += fmt.Sprintf("   bits %#x", s.Mask)
	}
	return text + "   in " + s.Source.Title()
}

// Ref returns the text of a reference in a menu or link: its kind and its target.
func Ref(r model.Ref) string {
	text := r.Kind + "  " + Target(r)
	if r.Path != "" && r.Text != "" {
		text += "  " + r.Text
	}
	return text
}

// Target returns the name of a reference's target.
func Target(r model.Ref) string {
	return cmp.Or(r.File, r.Path, r.Text)
}

// Holds reports whether one of the texts contains the text of a filter, in upper or lower case.
func Holds(typed string, texts ...string) bool {
	typed = strings.ToLower(typed)
	return slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(strings.ToLower(s), typed) })
}

// Problem returns the text of a problem, with its offset and rule.
func Problem(p model.Problem) string {
	text := p.Error()
	if p.Span.Source != nil {
		text += fmt.Sprintf("  at %#x in %s", p.Span.Off, p.Span.Source.Title())
	}
	return text + "  [" + p.Rule + "]"
}

// ShownValue is the maximum length of a value in a row, in bytes.
const ShownValue = 160
