package hexview

import (
	"fmt"
	"image/color"
)

// A foldRow is a row that stands for a fold.
type foldRow struct {
	row   int // of the pane
	bytes Range
	what  string
	until string // end of the fold, as text
	flaw  uint8  // 1 + the worst model.Severity of its bytes
	match bool   // it contains a match of the search
}

// foldRow returns the row of a fold, with the marks of its bytes.
func (v *View) foldRow(row int, f *foldedRows) foldRow {
	r := v.grid.bytes(f)
	until := fmt.Sprintf("to %#x", r.End()-1)
	if v.mode.DecimalOffsets {
		until = "to " + fmt.Sprint(r.End()-1)
	}
	shown := f.fold
	shown.Range = r
	one := foldRow{row: row, bytes: r, what: shown.String(), until: until}
	if v.ranges.Flaws != nil {
		for _, flaw := range v.ranges.Flaws(nil, r.Off, r.End()) {
			one.flaw = max(one.flaw, 1+uint8(flaw.Severity))
		}
	}
	if v.ranges.Matches != nil {
		one.match = len(v.ranges.Matches(nil, r.Off, r.End())) > 0
	}
	return one
}

// foldText returns the tooltip of a fold.
func (v *View) foldText(f *foldedRows) string {
	return f.fold.String() + fmt.Sprintf("\n%#x … %#x\nclick to show them", f.fold.Off, f.fold.End()-1)
}

// foldFill returns the fill of a fold's row.
func (s *scene) foldFill(r Range) fill {
	meets := func(set spanSet) bool {
		i := set.from(r.Off)
		return i < len(set) && set[i].Off < r.End()
	}
	switch {
	case s.picked.Len > 0 && s.picked.Off < r.End() && s.picked.End() > r.Off:
		return fillPicked
	case meets(s.selected):
		return fillSelected
	case s.pointed == r.Off || meets(s.lit):
		return fillHover
	}
	return fillGutter
}

// paintFold paints the row of a fold.
func (p *painter) paintFold(s *scene, row *foldRow) {
	g := s.grid
	p.origin = row.row * g.cell.row
	x, y := span{g.gutter, min(g.content-s.left, g.strip.from)}, span{0, g.cell.row}
	f := s.foldFill(row.bytes)
	p.cellRect(x, y, p.palette.fills[f])
	if row.match {
		p.cellRect(span{x.from, x.from + p.bold()}, y, p.palette.match)
	}
	p.offset(s, row.bytes.Off, 0)
	p.sign(s, true)
	at := g.hex[0] - s.left
	end := p.text(at, 0, row.what, f, inkText)
	if row.flaw > 0 {
		p.flaw(span{at, end}, y, look{fill: f, flaw: row.flaw})
	}
	p.text(end+2*g.cell.char, 0, row.until, f, inkQuiet)
	p.cellRect(x, span{0, g.line}, p.palette.line)
	p.cellRect(x, span{y.to - g.line, y.to}, p.palette.line)
	for _, k := range s.kept {
		if i := k.spans.from(row.bytes.Off); i < len(k.spans) && k.spans[i].Off < row.bytes.End() {
			p.cellRect(x, span{0, p.bold()}, p.keptInk(k.color))
		}
	}
	if s.cursor >= row.bytes.Off && s.cursor < row.bytes.End() {
		size := p.thin()
		if s.focused {
			size = p.bold()
		}
		p.box(x, y, size, p.palette.rings[f])
	}
}

// paintUnfolds paints the signs beside open folds in a run of rows.
func (p *painter) paintUnfolds(s *scene) {
	g := s.grid
	origin := p.origin
	for i := range g.open {
		first := g.open[i].first * int64(g.cols)
		if first >= s.first && first < s.first+int64(s.n) {
			p.origin = origin + int(first-s.first)/g.cols*g.cell.row
			p.sign(s, false)
		}
	}
	p.origin = origin
}

// sign paints a triangle in the gutter: pointing right beside a fold, down beside an open one.
func (p *painter) sign(s *scene, folded bool) {
	g := s.grid
	size := max(3, g.cell.char*5/8)
	c := p.palette.inks[fillGutter][inkText]
	mid := span{g.offsets() - g.cell.char/2 - g.line, g.cell.row / 2}
	for i := range size {
		across, along := span{-(size - 1 - i), size - i}, span{i - size/2, i - size/2 + 1}
		if folded {
			p.gutterRect(span{mid.from + along.from, mid.from + along.to}, span{mid.to + across.from, mid.to + across.to}, c)
		} else {
			p.gutterRect(span{mid.from + across.from, mid.from + across.to}, span{mid.to + along.from, mid.to + along.to}, c)
		}
	}
}

// gutterRect fills a rectangle in the gutter.
func (p *painter) gutterRect(x, y span, c color.RGBA) {
	p.rect(x, span{y.from, min(y.to, p.bottom-p.origin)}, c)
}
