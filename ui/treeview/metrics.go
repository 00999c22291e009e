package treeview

import (
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Measures in Fyne's units.
const (
	indent     = 16
	expander   = 16 // room for the expander
	cellPad    = 6
	barWidth   = 12
	minThumb   = 28
	markWide   = 14  // the width and height of the sign of a problem
	iconWide   = 14  // the width and height of an icon
	followsAt  = 150 // where a text that follows the name begins, unless the name is longer
	followsGap = 12
)

// A scroll is the part of a tree that is in sight.
type scroll struct {
	top    int64   // first visible row
	shift  float32 // the part of that row that is scrolled away
	asked  int64   // the first row that SetTop asked for, until something else scrolls; negative: none
	left   float32 // how far the columns are scrolled sideways
	reveal bool    // the cursor row is to be brought into sight when the size is known
	jumped bool    // it was gone to: where it is out of sight it comes to stand a third down
}

// setTop makes a row the first in sight.
func (s *scroll) setTop(row int64) { s.top, s.shift, s.asked = row, 0, -1 }

// move scrolls by a distance.
func (s *scroll) move(dx, dy float32, m *metrics) {
	s.left += dx
	s.shift += dy
	rows := float32(math.Floor(float64(s.shift / m.row)))
	s.top += int64(rows)
	s.shift -= rows * m.row
	s.asked = -1
}

// clamp keeps the position inside of the tree.
func (s *scroll) clamp(m *metrics) {
	if last := m.maxTop(); s.top >= last {
		s.top, s.shift = last, 0
	}
	if s.top < 0 {
		s.top, s.shift = 0, 0
	}
	s.left = max(0, min(s.left, m.total-m.view.Width))
}

// show scrolls as little as brings a row into sight. A row that is gone to, or more than a page away, is put at a third.
func (s *scroll) show(row int64, m *metrics) {
	switch {
	case row >= s.top && row < s.top+m.wholeRows && (row > s.top || s.shift == 0):
	case s.jumped || row < s.top-m.wholeRows || row > s.top+2*m.wholeRows:
		s.setTop(row - m.wholeRows/3)
	case row <= s.top:
		s.setTop(row)
	default:
		s.setTop(row - m.wholeRows + 1)
	}
}

// metrics are the places of rows, columns and bars, for one size of the widget.
type metrics struct {
	scroll  *scroll
	columns columnSet
	flat    bool  // it is a list without branches
	rows    int64 // of the tree

	size        fyne.Size
	text        float32 // text size
	drop        float32 // by which equally wide letters stand lower, so that all of a row are on one line; set to draw
	row         float32 // height of a row
	head        float32 // height of the column titles
	view        fyne.Size
	x, width    []float32 // columns, before scrolling sideways
	total       float32   // width of all columns
	vbar, hbar  bool
	wholeRows   int64 // rows that fit whole
	shownRows   int   // rows to draw
	thumb, seat float32
}

func (t *Tree) measure() metrics {
	m := metrics{scroll: &t.scroll, columns: t.columns, flat: t.branches.flat && !t.nests, rows: t.out.rows(), size: t.Size(),
		text: t.Theme().Size(theme.SizeNameText)}
	m.row = float32(math.Ceil(float64(fyne.MeasureText("Mg", m.text, fyne.TextStyle{}).Height))) + float32(math.Round(float64(t.Theme().Size(theme.SizeNamePadding))*3/4))
	if !t.Led && slices.ContainsFunc(t.columns, func(c Column) bool { return c.Title != "" }) {
		m.head = m.row + 3
	}
	m.view = fyne.NewSize(m.size.Width, max(m.size.Height-m.head, 0))
	for range 2 { // a bar takes room, which may call for the other bar
		m.columnsIn(m.columns)
		m.wholeRows = int64(m.view.Height / m.row)
		if !m.hbar && m.total > m.view.Width+0.5 {
			m.hbar = true
			m.view.Height = max(m.view.Height-barWidth, 0)
		}
		if !m.vbar && m.wholeRows < m.rows {
			m.vbar = true
			m.view.Width = max(m.view.Width-barWidth, 0)
		}
	}
	m.columnsIn(m.columns)
	m.wholeRows = int64(m.view.Height / m.row)
	m.shownRows = int(m.view.Height/m.row) + 2
	m.thumb = max(minThumb, float32(float64(m.view.Height)*float64(m.wholeRows)/float64(max(m.rows, 1))))
	m.seat = max(m.view.Height-m.thumb, 0)
	return m
}

// lower returns the distance by which equally wide letters must stand lower to be on one line with others. Fyne puts a text's
// middle on the row's, and its letters on the next whole pixel below their line.
func lower(text, scale float32) float32 {
	line := func(style fyne.TextStyle) float32 {
		box, baseline := fyne.CurrentApp().Driver().RenderedTextSize("0", text, style, nil)
		return float32(math.Ceil(float64(baseline*scale)))/scale - box.Height/2
	}
	return line(fyne.TextStyle{}) - line(fyne.TextStyle{Monospace: true})
}

// maxTop returns the first row in sight when the tree is scrolled to its end.
func (m *metrics) maxTop() int64 { return max(m.rows-m.wholeRows, 0) }

// thumbAt returns where the scrollbar's thumb begins, from the top of its track.
func (m *metrics) thumbAt() float32 {
	last := m.maxTop()
	if last == 0 {
		return 0
	}
	return float32((float64(m.scroll.top) + float64(m.scroll.shift/m.row)) / float64(last) * float64(m.seat))
}

// rowAt returns the row at a height, which may be outside of the tree.
func (m *metrics) rowAt(y float32) int64 {
	return m.scroll.top + int64(math.Floor(float64((y-m.head+m.scroll.shift)/m.row)))
}

// left returns where a column begins.
func (m *metrics) left(column int) float32 { return m.x[column] - m.scroll.left }

// columnAt returns the column at x, or -1 if there is none.
func (m *metrics) columnAt(x float32) int {
	for i := range m.columns {
		if left := m.left(i); x >= left && x < left+m.width[i] {
			return i
		}
	}
	return -1
}

// cellBox returns where the text of column i of a row goes.
func (m *metrics) cellBox(i int, p pos, row *Row) (x, w float32) {
	follows := m.columns[i].Follows
	if i > 0 && !follows {
		return m.left(i) + cellPad, m.width[i] - 2*cellPad
	}
	x = m.nameAt(p)
	if row.Icon != nil {
		x += iconWide + 6
	}
	if follows && len(row.Cells) > 0 {
		x = max(x+fyne.MeasureText(oneLine(row.Cells[0]), m.text, fyne.TextStyle{Bold: row.Strong}).Width+followsGap, m.left(0)+followsAt)
	}
	end := m.left(0) + m.width[0] - cellPad
	if max(row.Mark, row.Below) > Sound && !m.columns[0].Marked {
		end = m.markAt() - 4
	}
	return x, max(end-x, 0)
}

// textAt returns the column whose text in a row is at x, or -1.
func (m *metrics) textAt(x float32, p pos, row *Row) int {
	for i := range m.columns {
		if from, w := m.cellBox(i, p, row); m.columns[i].Follows && w > 0 && x >= from && x < from+w {
			return i
		}
	}
	return m.columnAt(x)
}

// fitting returns the width of a column that has room for its title and for the texts of some rows.
func (m *metrics) fitting(column int, rows map[pos]*made) float32 {
	c := m.columns[column]
	widest := fyne.MeasureText(c.Title+" ↓", m.text-1, fyne.TextStyle{}).Width + 2*cellPad
	for p, ready := range rows {
		if column >= len(ready.row.Cells) || len(ready.row.Cells[column]) > longestShown {
			continue
		}
		from, _ := m.cellBox(column, p, &ready.row)
		style := fyne.TextStyle{Monospace: c.Mono, Bold: column == 0 && ready.row.Strong}
		width := from - m.left(column) + fyne.MeasureText(oneLine(ready.row.Cells[column]), m.text, style).Width + cellPad + 1
		if column == 0 {
			width += markWide
		}
		widest = max(widest, width)
	}
	return min(widest, max(m.view.Width*3/4, minColumn))
}

// nameAt returns where the name of a row begins; the indent of deep rows is bounded by the column.
func (m *metrics) nameAt(p pos) float32 {
	x := m.left(0) + min(float32(p.depth())*indent, m.width[0]/2) + expander + 4
	if m.flat {
		x = m.left(0) + cellPad + 2
	}
	if m.columns[0].Marked {
		x += markWide + 4
	}
	return x
}

// markAt returns where the sign of a row's problems begins.
func (m *metrics) markAt() float32 {
	if m.columns[0].Marked {
		return m.left(0) + cellPad
	}
	return m.left(0) + m.width[0] - cellPad - markWide
}
