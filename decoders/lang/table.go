package lang

import (
	"math"
	"strconv"

	"cutaway/decoders/expr"
)

// A Table is rows by number, with columns of numbers, texts and types.
type Table struct {
	Name    string
	Len     int
	columns []column // in the order of the description
	numbers map[string][]int64
	labels  map[string][]string
	types   []Type
	rows    map[string]int64     // by the column "name"
	label   func(n int64) string // instead of a column "name", or nil
	known   []int64              // numbers that label is described for
}

// A column is a column of numbers or texts as a description shows it.
type column struct {
	name string
	text func(l *Language, i int) string
}

// NewTable takes columns of the rows of a format's own table.
func NewTable[R any](name string, rows []R, columns ...Column[R]) *Table {
	t := &Table{Name: name, Len: len(rows), numbers: map[string][]int64{}, labels: map[string][]string{}, rows: map[string]int64{}}
	for _, c := range columns {
		for i := range rows {
			c(t, i, &rows[i])
		}
	}
	for i, label := range t.labels["name"] {
		if _, taken := t.rows[label]; !taken && label != "" {
			t.rows[label] = int64(i)
		}
	}
	return t
}

// Labels is a table whose column "name" Go computes, for numbers that are too many or that a format writes in several ways. The
// description lists the known numbers.
func Labels(name string, of func(n int64) string, known ...int64) *Table {
	return &Table{Name: name, label: of, known: known}
}

// A Column takes one column of a row.
type Column[R any] func(t *Table, i int, row *R)

// Number is a column of numbers, "table[i].name" in expressions. The description shows math.MaxInt64 as a dash.
func Number[R any](name string, of func(row *R) int64) Column[R] {
	return numbers(name, of, func(_ *Language, n int64) string {
		if n == math.MaxInt64 {
			return "–"
		}
		return strconv.FormatInt(n, 10)
	})
}

// Release is a column of versions (Version), math.MaxInt64 for none.
func Release[R any](name string, of func(row *R) int64) Column[R] {
	return numbers(name, of, func(_ *Language, n int64) string {
		if n == math.MaxInt64 {
			return "–"
		}
		return expr.VersionText(n)
	})
}

// Among is a column of numbers of the rows of another table of the language.
func Among[R any](name, table string, of func(row *R) int64) Column[R] {
	return numbers(name, of, func(l *Language, n int64) string { return l.index.tables[table].Label(n) })
}

// Flag is a column of conditions, numbers 0 and 1 in expressions.
func Flag[R any](name string, of func(row *R) bool) Column[R] {
	number := func(row *R) int64 {
		if of(row) {
			return 1
		}
		return 0
	}
	return numbers(name, number, func(_ *Language, n int64) string {
		if n == 0 {
			return ""
		}
		return "yes"
	})
}

// numbers is a column of numbers that text shows in the description.
func numbers[R any](name string, of func(row *R) int64, text func(l *Language, n int64) string) Column[R] {
	return func(t *Table, i int, row *R) {
		if i == 0 {
			t.numbers[name] = make([]int64, t.Len)
			t.columns = append(t.columns, column{name, func(l *Language, i int) string { return text(l, t.numbers[name][i]) }})
		}
		t.numbers[name][i] = of(row)
	}
}

// Label is a column of texts. The column "name" names numbers (Field.NamedBy), and in expressions "table.label" is the
// number of the first row with that label.
func Label[R any](name string, of func(row *R) string) Column[R] {
	return func(t *Table, i int, row *R) {
		if i == 0 {
			t.labels[name] = make([]string, t.Len)
			t.columns = append(t.columns, column{name, func(_ *Language, i int) string { return t.labels[name][i] }})
		}
		t.labels[name][i] = of(row)
	}
}

// Of is the column of types, which Row picks from. A row without a type is nil.
func Of[R any](of func(row *R) Type) Column[R] {
	return func(t *Table, i int, row *R) {
		if i == 0 {
			t.types = make([]Type, t.Len)
		}
		t.types[i] = of(row)
	}
}

// Label returns the text of a row in the column "name", or "" if no row has the number.
func (t *Table) Label(n int64) string {
	if t.label != nil {
		return t.label(n)
	}
	if names := t.labels["name"]; n >= 0 && n < int64(len(names)) {
		return names[n]
	}
	return ""
}
