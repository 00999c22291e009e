package hexview

import (
	"math"
	"math/bits"
	"strconv"
)

// profileWidth is the width of the profile strip, in the view's units.
const profileWidth = 10

// maxColumns is the most bytes of a row.
const maxColumns = 128

// cellMetrics holds the sizes of a monospaced font in pixels.
type cellMetrics struct {
	char     int // width of a character
	row      int // height of a row
	baseline int // from the row's top
}

// A grid is the layout of the pane, in pixels. It is made anew when the pane's size, the scale, the font, the row width
// or the source's size changes.
type grid struct {
	w, h  int
	scale float64
	cell  cellMetrics
	size  int64 // of the source
	mode  Mode  // its row width is the requested one

	cols   int // bytes in a row
	digits int // digits of an offset in the gutter
	full   int // fully visible rows
	shown  int // fully or partly visible rows

	pad     int   // around gutter and columns
	gap     int   // between two groups
	gutter  int   // right end of the gutter
	hex     []int // left end of each slot of the hex column, without horizontal scrolling
	wide    int   // width of a slot
	text    int   // left end of the text column, without horizontal scrolling
	content int   // width of gutter and columns

	folded []foldedRows // closed folds, in order
	open   []foldedRows // open folds

	strip, bar span // the overview strip and the scroll bar, left to right
	profile    span // the left part of the strip with the profile, or empty
	foot       int  // height of the horizontal scroll bar, or 0 if all columns fit
	line       int  // thickness of a thin line
}

// A span is a range of pixels [from, to).
type span struct{ from, to int }

func (s span) holds(x int) bool { return x >= s.from && x < s.to }
func (s span) len() int         { return s.to - s.from }

// newGrid lays out a pane of w×h pixels.
func newGrid(w, h int, scale float64, cell cellMetrics, size int64, mode Mode) *grid {
	mode = mode.normal()
	g := &grid{w: w, h: h, scale: scale, cell: cell, size: size, mode: mode}
	px := func(dp float64) int { return max(1, int(math.Round(dp*scale))) }
	g.line = max(1, int(scale))
	barWidth, stripWidth := px(12), px(14)
	g.bar = span{max(0, w-barWidth), w}
	g.strip = span{max(0, g.bar.from-stripWidth), g.bar.from}
	if !mode.HideProfile {
		g.strip.from = max(0, g.strip.from-px(profileWidth))
		g.profile = span{g.strip.from, min(g.strip.from+px(profileWidth), g.strip.to)}
	}

	g.digits = max(8, (bits.Len64(uint64(max(size-1, 0)))+7)/8*2)
	if mode.DecimalOffsets {
		g.digits = max(8, len(strconv.FormatInt(max(size-1, 0), 10)))
	}
	g.pad = px(5)
	g.gutter = g.offsets() + g.digits*cell.char + g.pad
	g.wide = mode.chars() * cell.char

	g.gap = max(2, cell.char*3/8)
	if g.cols = mode.RowWidth; g.cols == 0 {
		g.cols = g.mostColumns()
	}
	g.content = g.place(g.cols)
	g.hex = make([]int, g.cols)
	x := g.gutter + g.pad
	for i := range g.hex {
		x += g.before(i)
		g.hex[i] = x
		x += g.wide
	}
	g.text = x + g.textGap()

	if g.content > g.strip.from {
		g.foot = barWidth
	}
	g.full = max(1, (h-g.foot)/cell.row)
	g.shown = max(1, (h-g.foot+cell.row-1)/cell.row)
	return g
}

// rowLengths are the numbers of bytes that a row has where the user has set none.
var rowLengths = []int{4, 8, 12, 16, 24, 32, 48}

// mostColumns returns how many bytes a row has: the most of those lengths that fit, in whole groups.
func (g *grid) mostColumns() int {
	unit := g.mode.unit()
	cols := unit
	for _, n := range rowLengths {
		if n%unit == 0 && g.place(n) <= g.strip.from {
			cols = n
		}
	}
	return cols
}

// before returns the empty space to the left of slot i of a row: none within a group, more between every eight bytes, a
// little more in their middle.
func (g *grid) before(i int) int {
	switch {
	case i == 0 || i%g.mode.Group != 0:
		return 0
	case i%8 == 0 && g.mode.Group < 8:
		return g.gap + g.cell.char
	case i%4 == 0 && g.mode.Group < 4:
		return g.gap + g.cell.char/3
	}
	return g.gap
}

// place positions the given number of columns, and returns the width.
func (g *grid) place(cols int) int {
	x := g.gutter + g.pad
	for i := range cols {
		x += g.before(i) + g.wide
	}
	return x + g.textGap() + cols*g.cell.char + g.pad
}

// textGap returns the space between hex column and text column.
func (g *grid) textGap() int { return g.cell.char * 3 / 2 }

// rows returns the number of rows of the whole source.
func (g *grid) rows() int64 {
	cols := int64(g.cols)
	return g.size/cols + min(g.size%cols, 1) - g.saved()
}

// lastTop returns the first row when scrolled to the end.
func (g *grid) lastTop() int64 { return max(0, g.rows()-int64(g.full)) }

// lastLeft returns the greatest horizontal scrolling, in pixels.
func (g *grid) lastLeft() int { return max(0, g.content-g.strip.from) }

// slot returns the slot of byte i of a row in the hex column, and vice versa.
func (g *grid) slot(i int) int {
	if g.mode.reversed() {
		return i ^ (g.mode.Group - 1)
	}
	return i
}

// hexSlot returns the span of a slot of the hex column, with half of the gaps on both sides of its group.
func (g *grid) hexSlot(slot int) span {
	s := span{g.hex[slot], g.hex[slot] + g.wide}
	if slot%g.mode.Group == 0 {
		s.from -= g.gap / 2
	}
	if (slot+1)%g.mode.Group == 0 {
		s.to += g.gap - g.gap/2
	}
	s.from = max(s.from, g.gutter)
	s.to = min(s.to, g.text-g.textGap()/2)
	return s
}

// hexCell returns the span of byte i of a row in the hex column.
func (g *grid) hexCell(i int) span { return g.hexSlot(g.slot(i)) }

// textCell returns the span of byte i of a row in the text column.
func (g *grid) textCell(i int) span {
	x := g.text + i*g.cell.char
	return span{x, x + g.cell.char}
}

// An area is an area of the pane.
type area uint8

const (
	areaNone area = iota
	areaGutter
	areaFold   // a row that stands for a fold
	areaUnfold // the sign beside an open fold
	areaHex
	areaText
	areaStrip
	areaBar
	areaFoot
)

// hit returns the area at a pixel of the pane, which is scrolled to row top and by left pixels. Among bytes, off is the
// nearest byte and inside reports whether the pixel is on that byte. In the gutter and on a fold, off is the row's
// first byte.
func (g *grid) hit(x, y int, top int64, left int) (p area, off int64, inside bool) {
	switch {
	case g.bar.holds(x):
		return areaBar, 0, false
	case g.strip.holds(x):
		return areaStrip, 0, false
	case g.foot > 0 && y >= g.h-g.foot:
		return areaFoot, 0, false
	}
	row := floorDiv(y, g.cell.row)
	first, fold := g.offsetOf(top + int64(row))
	if fold != nil {
		return areaFold, first, true
	}
	if x >= g.gutter {
		return g.hitByte(x+left, first)
	}
	inside = row >= 0 && first < g.size
	if _, open := g.openAt(first); open && inside && x < g.offsets() {
		return areaUnfold, first, true
	}
	return areaGutter, g.clamp(first), inside
}

// hitByte is hit among the bytes of a row that begins at first; x is without horizontal scrolling.
func (g *grid) hitByte(x int, first int64) (p area, off int64, inside bool) {
	p, col := areaHex, 0
	if mid := (g.hex[g.cols-1] + g.wide + g.text) / 2; x >= mid {
		p = areaText
		col = floorDiv(x-g.text, g.cell.char)
		inside = col >= 0 && col < g.cols
		col = min(max(col, 0), g.cols-1)
	} else {
		for col+1 < g.cols && x >= g.hex[col+1]-g.before(col+1)/2 {
			col++
		}
		inside = g.hexSlot(col).holds(x)
		col = g.slot(col)
	}
	off = first + int64(col)
	return p, g.clamp(off), inside && off >= 0 && off < g.size
}

// offsets returns the left end of the offsets in the gutter, right of the signs of folds, if any.
func (g *grid) offsets() int {
	if g.mode.Fold {
		return g.pad + g.cell.char
	}
	return g.pad
}

// clamp returns the nearest offset in the source, or 0 if it is empty.
func (g *grid) clamp(off int64) int64 { return max(0, min(off, g.size-1)) }

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// thumb returns the handle of a scroll bar of track pixels, for shown of total rows from first on. It is at least least
// long. It computes in floats: at 2⁶² bytes a pixel stands for more rows than an integer product can hold.
func thumb(track, least int, first, shown, total int64) span {
	if track <= 0 || total <= shown {
		return span{0, max(track, 0)}
	}
	length := min(track, max(least, int(float64(track)*float64(shown)/float64(total))))
	from := int(math.Round(float64(track-length) * (float64(first) / float64(total-shown))))
	from = min(max(from, 0), track-length)
	return span{from, from + length}
}

// unthumb returns the first row for a handle of a length whose upper end is at pos.
func unthumb(track, length int, pos float64, shown, total int64) int64 {
	room := track - length
	last := max(0, total-shown)
	if room <= 0 || pos <= 0 {
		return 0
	}
	f := pos / float64(room)
	if f >= 1 {
		return last
	}
	return min(last, int64(math.Round(f*float64(last))))
}
