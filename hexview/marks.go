package hexview

import (
	"image/color"
	"sort"

	"cutaway/model"
)

// paintMarks paints the lines around and below bytes, over fills and text.
func (p *painter) paintMarks(s *scene) {
	g := s.grid
	for row := range s.rows() {
		for place := range g.cols {
			p.paintMark(s, false, row, place)
			p.paintMark(s, true, row, place)
		}
	}
	p.paintSegments(s)
	p.paintCursor(s)
}

// cellOf returns the span of a place in a row, as lookOf numbers places.
func cellOf(s *scene, text bool, place int) span {
	x := s.grid.hexSlot(place)
	if text {
		x = s.grid.textCell(place)
	}
	return span{x.from - s.left, x.to - s.left}
}

// paintMark paints the lines of a byte in one column.
func (p *painter) paintMark(s *scene, text bool, row, place int) {
	g := s.grid
	l := p.lookOf(g, text, row, place)
	if l.marks|marks(l.flaw|l.kept) == 0 || p.beyond(s, text, row, place) {
		return
	}
	y := span{row * g.cell.row, (row + 1) * g.cell.row}
	cell := cellOf(s, text, place)
	joined := cell // with the gap to the next byte of the row
	var next look
	if place+1 < g.cols && !p.beyond(s, text, row, place+1) {
		joined.to = cellOf(s, text, place+1).from
		next = *p.lookOf(g, text, row, place+1)
	}
	p.paintEdges(g, text, place, cell, y, l)
	if l.marks&markMapped != 0 {
		p.dots(until(cell, joined, next.marks&markMapped != 0), y, p.palette.Mapped)
	}
	if l.kept > 0 {
		p.cellRect(until(cell, joined, next.kept == l.kept), span{y.from, y.from + p.bold()}, p.keptInk(s.kept[l.kept-1].color))
	}
	if l.marks&markHover != 0 && l.fill != fillHover {
		x := until(cell, joined, next.marks&markHover != 0)
		p.cellRect(x, span{y.to - g.line, y.to}, p.palette.inks[l.fill][inkText])
	}
	if l.flaw > 0 {
		p.flaw(until(cell, joined, next.flaw == l.flaw), y, *l)
	}
	if l.marks&markParent != 0 {
		p.outline(s, text, row, place, until(cell, joined, next.marks&markParent != 0), y)
	}
}

// paintEdges paints the beginning of a field, and the corner of a replaced byte.
func (p *painter) paintEdges(g *grid, text bool, place int, cell, y span, l *look) {
	if l.marks&markBorder != 0 && (text || g.mode.digits() || place%g.mode.Group == 0) { // not inside of a number
		p.border(cell.from, y, p.palette.lines[l.fill])
	}
	if l.marks&markOver != 0 && !text {
		p.corner(cell.to, y, p.palette.inks[l.fill][inkOver])
	}
}

// beyond reports whether a place in a row is after the last visible byte.
func (p *painter) beyond(s *scene, text bool, row, place int) bool {
	if !text {
		place = s.grid.slot(place)
	}
	return row*s.grid.cols+place >= len(s.data)
}

// until returns joined if the mark continues in the next cell, or else cell.
func until(cell, joined span, on bool) span {
	if on {
		return joined
	}
	return cell
}

// border paints the thin line where a field begins.
func (p *painter) border(x int, y span, c color.RGBA) {
	p.cellRect(span{x, x + p.thin()}, y, c)
}

// corner paints a small triangle in the upper right corner of a cell.
func (p *painter) corner(right int, y span, c color.RGBA) {
	for i := range max(3, p.cell.row/5) {
		p.cellRect(span{right - p.cell.row/5 + i, right}, span{y.from + i, y.from + i + 1}, c)
	}
}

// thin returns the thickness of a thin line, bold that of a strong one.
func (p *painter) thin() int { return max(1, p.cell.row/19) }
func (p *painter) bold() int { return max(2, p.cell.row/10) }

// dots paints a dotted line at the bottom.
func (p *painter) dots(x, y span, c color.RGBA) {
	size := p.thin()
	for at := (x.from + 3*size - 1) / (3 * size) * (3 * size); at < x.to; at += 3 * size {
		p.cellRect(span{at, min(at+size, x.to)}, span{y.to - size, y.to}, c)
	}
}

// flaw underlines: a wave for an error, dashes for a warning, a line for a note.
func (p *painter) flaw(x, y span, l look) {
	size := p.thin()
	c := p.palette.flaws[l.fill][min(l.flaw-1, 2)]
	switch model.Severity(l.flaw - 1) {
	case model.Error:
		for at := x.from; at < x.to; at++ {
			step := at / size % 4
			rise := min(step, 4-step) * size
			p.cellRect(span{at, at + 1}, span{y.to - rise - 2*size, y.to - rise}, c)
		}
	case model.Warning:
		for at := x.from; at < x.to; at++ {
			if at/(3*size)%2 == 0 {
				p.cellRect(span{at, at + 1}, span{y.to - 2*size, y.to}, c)
			}
		}
	default:
		p.cellRect(x, span{y.to - size, y.to}, c)
	}
}

// outline paints the sides of a byte's cell at which the outlined bytes end.
func (p *painter) outline(s *scene, text bool, row, place int, x, y span) {
	g, c, size := s.grid, p.palette.Parent, p.bold()/2+p.bold()%2
	inside := func(row, place int) bool { return p.lookOf(g, text, row, place).marks&markParent != 0 }
	if !inside(row-1, place) {
		p.cellRect(x, span{y.from, y.from + size}, c)
	}
	if !inside(row+1, place) {
		p.cellRect(x, span{y.to - size, y.to}, c)
	}
	if place == 0 || !inside(row, place-1) {
		p.cellRect(span{x.from, x.from + size}, y, c)
	}
	if place == g.cols-1 || !inside(row, place+1) {
		p.cellRect(span{x.to - size, x.to}, y, c)
	}
}

// paintCursor paints a box around the cursor's byte in both columns, strong if focused.
func (p *painter) paintCursor(s *scene) {
	g := s.grid
	i := int(s.cursor - s.first)
	if s.cursor < s.first || i >= len(s.data) {
		return
	}
	row, col := i/g.cols, i%g.cols
	y := span{row * g.cell.row, (row + 1) * g.cell.row}
	size := p.thin()
	if s.focused {
		size = p.bold()
	}
	c := p.palette.rings[p.looks[i+g.cols].fill]
	hex, text := g.hexCell(col), g.textCell(col)
	if !g.mode.digits() { // around the whole number
		first := col - col%g.mode.Group
		hex = span{g.hexSlot(first).from, g.hexSlot(first + g.mode.Group - 1).to}
	}
	if s.typing.on {
		p.caret(s, i, y, c)
	}
	p.box(span{hex.from - s.left, hex.to - s.left}, y, size, c)
	p.box(span{text.from - s.left - size, text.to - s.left + size}, y, size, c)
}

// caret paints a bar below the digit or character that the next key changes.
func (p *painter) caret(s *scene, i int, y span, c color.RGBA) {
	col := i % s.grid.cols
	x := s.grid.textCell(col)
	if !s.typing.text {
		x.from = s.grid.hex[s.grid.slot(col)] + s.grid.wide - 2*p.cell.char
		if s.typing.low {
			x.from += p.cell.char
		}
		x.to = x.from + p.cell.char
	}
	p.cellRect(span{x.from - s.left, x.to - s.left}, span{y.to - 2*p.bold(), y.to}, c)
}

func (p *painter) box(x, y span, size int, c color.RGBA) {
	p.cellRect(x, span{y.from, y.from + size}, c)
	p.cellRect(x, span{y.to - size, y.to}, c)
	p.cellRect(span{x.from, x.from + size}, y, c)
	p.cellRect(span{x.to - size, x.to}, y, c)
}

// paintSegments paints a line between the files of a source, and a tick in the gutter. If there is room right of the
// text, it adds the name of the next file. The line of a missing file is red.
func (p *painter) paintSegments(s *scene) {
	g := s.grid
	end := s.first + int64(len(s.data))
	i := sort.Search(len(s.segments), func(i int) bool { return s.segments[i].Start >= s.first })
	for i < len(s.segments) && s.segments[i].Start <= end {
		seg := s.segments[i] // of several at one offset, the missing one or else the last
		first := i == 0
		for i++; i < len(s.segments) && s.segments[i].Start == seg.Start; i++ {
			if !seg.Missing {
				seg = s.segments[i]
			}
		}
		if first && !seg.Missing {
			continue
		}
		at := int(seg.Start - s.first)
		p.segmentLine(s, at/g.cols, at%g.cols, seg.Missing)
		p.segmentName(s, at/g.cols, seg)
	}
}

// segmentName writes the end of a file's name, where the names of a recording's parts differ.
func (p *painter) segmentName(s *scene, row int, seg model.Segment) {
	x := s.grid.content - s.left
	room := (s.grid.strip.from - x) / p.cell.char
	if room < 6 {
		return
	}
	name, how := seg.File, inkQuiet
	if seg.Missing {
		how = inkFailed
	}
	if len(name) > room {
		name = name[len(name)-room+2:]
		p.text(x, row, "..", fillPlain, how)
		x += 2 * p.cell.char
	}
	p.text(x, row, name, fillPlain, how)
}

// segmentLine paints a line above the bytes from col on, and below the bytes of the previous row before col.
func (p *painter) segmentLine(s *scene, row, col int, missing bool) {
	g := s.grid
	c := p.palette.Cursor
	if missing {
		c = p.palette.Error
	}
	size := p.bold()
	y := row * g.cell.row
	top := span{max(y-size/2, 0), max(y-size/2, 0) + size}
	low := span{top.from + g.cell.row, top.to + g.cell.row}
	p.rect(span{0, g.gutter - g.pad/2}, span{top.from, min(top.to, p.bottom-p.origin)}, c)
	line := func(left, mid, right int) {
		if col == 0 {
			p.cellRect(span{left, right}, top, c)
			return
		}
		p.cellRect(span{mid, right}, top, c)
		p.cellRect(span{mid - size/2, mid - size/2 + size}, span{top.from, low.to}, c)
		p.cellRect(span{left, mid}, low, c)
	}
	last := g.cols - 1
	line(g.hexSlot(0).from-s.left, g.hexSlot(col).from-s.left, g.hexSlot(last).to-s.left)
	line(g.textCell(0).from-s.left, g.textCell(col).from-s.left, g.textCell(last).to-s.left)
}
