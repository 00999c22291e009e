package treeview

import (
	"slices"
)

// Column is a column of the tree; the first one has the names.
type Column struct {
	Title   string
	Width   float32 // at least, where the column stretches and there is room
	Least   float32 // the width that it gives way to without room, or 0 if leastStretch where it stretches, else none
	Mono    bool
	Right   bool // aligned to the right
	Quiet   bool // in the colour of secondary text
	Marked  bool // of a list's first: the signs of problems are before its text, not at its end
	Follows bool // has no place of its own: its texts follow those of the first column
	Stretch int  // its share of the room that is left; the column with the largest takes all when the others were set
}

const (
	// minColumn is the least width that a user can give a column.
	minColumn = 36
	// leastStretch is the width that columns that stretch give way to, unless they say otherwise.
	leastStretch = 90
	// leastSeen is the width below which nothing can be read in a column: one that gives way further has no room at all.
	leastSeen = 44
)

// setWidth gives a column a width of its own.
func (c *Column) setWidth(width float32) {
	c.Width, c.Stretch, c.Least = max(minColumn, width), 0, 0
}

// spare returns the part of its width that a column gives way.
func (c *Column) spare() float32 {
	switch {
	case c.Least > 0:
		return max(c.Width-c.Least, 0)
	case c.Stretch > 0:
		return max(c.Width-leastStretch, 0)
	}
	return 0
}

// A columnSet is the columns of a tree.
type columnSet []Column

// widest returns the column that stretches most, which the user cannot set, or -1 if none does.
func (c columnSet) widest() int {
	most := -1
	for i := range c {
		if c[i].Stretch > 0 && (most < 0 || c[i].Stretch > c[most].Stretch) {
			most = i
		}
	}
	return most
}

// moved returns the column whose width the divider after a column changes. The one that stretches most takes the room that is
// left, so its neighbour changes.
func (c columnSet) moved(column int) int {
	if column == c.widest() {
		column++
		for column < len(c)-1 && c[column].Follows {
			column++
		}
	}
	return column
}

// columnsIn places the columns. Those that stretch share the room that is left, or that lacks. A column that would be too
// narrow to be read has none, that which gives way most before the others.
func (m *metrics) columnsIn(columns columnSet) {
	for m.place(columns); ; m.place(columns) {
		least := -1
		for i, c := range columns {
			if c.Least > 0 && c.Least < leastSeen && m.width[i] < leastSeen && (least < 0 || c.Least < columns[least].Least) {
				least = i
			}
		}
		if least < 0 {
			return
		}
		columns = slices.Clone(columns)
		columns[least] = Column{}
	}
}

// place places the columns, each with its least width at least.
func (m *metrics) place(columns columnSet) {
	m.x, m.width = make([]float32, len(columns)), make([]float32, len(columns))
	var least, spare float32
	shares := 0
	for _, c := range columns {
		least += c.Width
		shares += c.Stretch
		spare += c.spare()
	}
	left, lack := max(m.view.Width-least, 0), min(max(least-m.view.Width, 0), spare)
	m.total = 0
	for i, c := range columns {
		w := c.Width
		if c.Stretch > 0 {
			w += left * float32(c.Stretch) / float32(shares)
		}
		if lack > 0 {
			w -= lack * c.spare() / spare
		}
		m.x[i], m.width[i] = m.total, w
		m.total += w
	}
}
