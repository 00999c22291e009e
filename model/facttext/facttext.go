// Package facttext shows the value of a fact as lines or a table of text.
package facttext

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"cutaway/model"
)

// Shown is a fact's value as text: a table for a list of structures, otherwise lines.
type Shown struct {
	Table *Table
	Lines []string
}

// A Table has rows of text under titles.
type Table struct {
	Head  []string
	Right []bool // columns of numbers
	Rows  [][]string
}

// Significant digits of a fact that is a number, and of numbers in tables. JSON has all digits.
const factDigits, cellDigits = 10, 6

// Show returns a fact as text, each text shortened to limit bytes. Keys become words, with their units.
func Show(ctx context.Context, f *model.Fact, limit int) Shown {
	w := factWriter{ctx: ctx, units: f.Units, limit: limit}
	switch v := f.Value.(type) {
	case nil:
		return Shown{}
	case model.Object:
		return Shown{Lines: w.members(v)}
	case model.Seq:
		if t := w.table(v); t != nil {
			return Shown{Table: t}
		}
		var lines []string
		for _, one := range v {
			text, _ := w.text(one, factDigits)
			lines = append(lines, text)
		}
		return Shown{Lines: lines}
	default:
		if text, _ := w.text(v, factDigits); text != "" {
			return Shown{Lines: []string{text}}
		}
		return Shown{}
	}
}

type factWriter struct {
	ctx   context.Context
	units map[string]string
	limit int
}

// table returns a list of structures as rows, or nil for other lists. Missing keys are empty cells.
func (w *factWriter) table(list model.Seq) *Table {
	var keys []string
	t := &Table{}
	for _, one := range list {
		o, ok := one.(model.Object)
		if !ok {
			return nil
		}
		row := make([]string, len(keys), max(len(keys), len(o)))
		for _, m := range o {
			text, number := w.text(m.Value, cellDigits)
			k := slices.Index(keys, m.Key)
			if k < 0 {
				k = len(keys)
				keys, t.Head, t.Right = append(keys, m.Key), append(t.Head, w.title(m.Key)), append(t.Right, true)
				row = append(row, "")
			}
			if text == "" && k == 0 { // what names the row
				text = "(no " + t.Head[k] + ")"
			}
			row[k] = text
			t.Right[k] = t.Right[k] && number
		}
		t.Rows = append(t.Rows, row)
	}
	for i, row := range t.Rows { // keys that only later rows have
		t.Rows[i] = append(row, make([]string, len(keys)-len(row))...)
	}
	if len(keys) == 0 {
		return nil
	}
	return t
}

// members returns a line for each member of a structure.
func (w *factWriter) members(o model.Object) []string {
	var lines []string
	for _, m := range o {
		text, _ := w.text(m.Value, factDigits)
		lines = append(lines, w.title(m.Key)+": "+text)
	}
	return lines
}

// text returns a value as text, and reports whether it is a number.
func (w *factWriter) text(v model.Value, digits int) (text string, number bool) {
	switch v := v.(type) {
	case model.Int:
		return model.Grouped(int64(v)), true
	case model.Float64:
		return model.FormatFloat(rounded(float64(v), digits), 64), true
	case model.Object:
		return strings.Join(w.members(v), ", "), false
	case nil, model.None:
		return "", true
	}
	return model.Show(w.ctx, v, w.limit), false
}

// rounded rounds f to significant digits, but to no fewer than three decimals.
func rounded(f float64, digits int) float64 {
	if whole := math.Log10(math.Abs(f)); whole > 0 {
		digits = max(digits, int(whole)+4)
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', digits, 64), 64)
	if err != nil {
		return f
	}
	return r
}

// title returns a key as words: "largest gap" for "largestGap", with the unit in brackets.
func (w *factWriter) title(key string) string {
	if first, _ := utf8.DecodeRuneInString(key); !unicode.IsLower(first) || strings.ContainsAny(key, " ./:-_") {
		return key // a name in the file, not a key of ours
	}
	var b strings.Builder
	last := 'A'
	for i, r := range key {
		next, _ := utf8.DecodeRuneInString(key[i+utf8.RuneLen(r):])
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
			if !unicode.IsUpper(next) {
				r = unicode.ToLower(r)
			}
		}
		b.WriteRune(r)
		last = r
	}
	if unit := w.units[key]; unit != "" {
		return b.String() + " (" + unit + ")"
	}
	return b.String()
}
