package lang

// A Table is rows by number, with columns of numbers, texts and types.
type Table struct {
	Name    string
	Len     int
	numbers map[string][]int64
	labels  map[string][]string
	types   []Type
	rows    map[string]int64     // by the column "name"
	label   func(n int64) string // instead of a column "name", or nil
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

// Labels is a table whose column "name" Go computes, for numbers that are too many or that a format writes in several ways.
func Labels(name string, of func(n int64) string) *Table { return &Table{Name: name, label: of} }

// A Column takes one column of a row.
type Column[R any] func(t *Table, i int, row *R)

// Number is a column of numbers, "table[i].name" in expressions.
func Number[R any](name string, of func(row *R) int64) Column[R] {
	return func(t *Table, i int, row *R) {
		if i == 0 {
			t.numbers[name] = make([]int64, t.Len)
		}
		t.numbers[name][i] = of(row)
	}
}

// Flag is a column of conditions, numbers 0 and 1 in expressions.
func Flag[R any](name string, of func(row *R) bool) Column[R] {
	return Number(name, func(row *R) int64 {
		if of(row) {
			return 1
		}
		return 0
	})
}

// Label is a column of texts. The column "name" names numbers (Field.NamedBy), and in expressions "table.label" is the
// number of the first row with that label.
func Label[R any](name string, of func(row *R) string) Column[R] {
	return func(t *Table, i int, row *R) {
		if i == 0 {
			t.labels[name] = make([]string, t.Len)
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
