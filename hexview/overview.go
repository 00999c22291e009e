package hexview

import (
	"image/color"
	"math"
)

// A MarkKind is the kind of a Mark. Kinds differ in position and shape, not only in colour.
type MarkKind uint8

// The kinds of marks. Later kinds are drawn over earlier ones.
const (
	MarkSection    MarkKind = iota // a section of the file: a block in the strip
	MarkSectionOdd                 // a block in the alternate tint
	MarkUnknown                    // unknown bytes: a hatched block
	MarkMatch                      // a match of the search: a short bar on the left
	MarkKept                       // a user's mark: a narrow bar on the left
	MarkOver                       // replaced bytes: a narrow bar in the middle
	MarkNote                       // a note: a short bar on the right
	MarkWarning                    // a warning: a longer bar
	MarkError                      // an error: a bar across the strip
)

// A Mark is a range shown in the overview strip.
type Mark struct {
	Range
	Kind  MarkKind
	Color color.Color // of MarkKept, or nil for the default
}

// A strip is the overview strip. Its lines are computed when the marks or its height change and not while painting,
// since there may be many marks.
type strip struct {
	marks    []Mark
	selected spanSet
	size     int64
	lines    []stripLine // one for each pixel, or empty until computed
}

type stripLine struct {
	block    uint8 // 1 + MarkSection, MarkSectionOdd or MarkUnknown
	flaw     uint8 // 1 + MarkNote, MarkWarning or MarkError
	begins   bool  // a block begins here
	match    bool
	kept     bool
	color    color.RGBA // of a MarkKept
	over     bool
	selected bool
}

// stripLineOf returns the line of a strip of height h for an offset.
func stripLineOf(off, size int64, h int) int {
	if size <= 0 {
		return 0
	}
	return min(max(int(float64(off)/float64(size)*float64(h)), 0), h-1)
}

// stripOffset returns the first offset of a line of the strip.
func (g *grid) stripOffset(y int) int64 {
	f := min(max(float64(y)/float64(g.h), 0), 1)
	return max(0, min(int64(math.Round(f*float64(g.size))), g.size-1))
}

// arrange computes the lines of a strip of height h. A mark has at least least lines.
func (s *strip) arrange(h, least int) {
	if cap(s.lines) < h {
		s.lines = make([]stripLine, h)
	}
	s.lines = s.lines[:h]
	clear(s.lines)
	each := func(r Range, least int, f func(l *stripLine)) {
		from := stripLineOf(r.Off, s.size, h)
		to := stripLineOf(r.Off+max(r.Len-1, 0), s.size, h) + 1
		to = min(max(to, from+least), h)
		for i := max(0, min(from, to-least)); i < to; i++ {
			f(&s.lines[i])
		}
	}
	for _, m := range s.marks {
		switch m.Kind {
		case MarkSection, MarkSectionOdd, MarkUnknown:
			begins := true
			each(m.Range, 1, func(l *stripLine) {
				l.block, l.begins = 1+uint8(m.Kind), l.begins || begins
				begins = false
			})
		case MarkMatch:
			each(m.Range, least, func(l *stripLine) { l.match = true })
		case MarkKept:
			each(m.Range, least, func(l *stripLine) { l.kept, l.color = true, plainColor(m.Color) })
		case MarkOver:
			each(m.Range, least, func(l *stripLine) { l.over = true })
		default:
			each(m.Range, least, func(l *stripLine) { l.flaw = max(l.flaw, 1+uint8(m.Kind)) })
		}
	}
	for _, r := range s.selected {
		each(r, least, func(l *stripLine) { l.selected = true })
	}
}

// paintBars paints the overview strip and the scroll bars.
func (p *painter) paintBars(s *scene) {
	g := s.grid
	p.rect(g.strip, span{0, g.h}, p.palette.track)
	p.rect(g.bar, span{0, g.h}, p.palette.track)
	p.paintProfile(s)
	p.paintStrip(s)
	p.rect(span{g.strip.from, g.strip.from + g.line}, span{0, g.h}, p.palette.line)
	p.rect(span{g.bar.from, g.bar.from + g.line}, span{0, g.h}, p.palette.line)
	if g.rows() > int64(g.full) {
		c := p.palette.thumb
		if s.barHover == areaBar {
			c = p.palette.grip
		}
		inset := g.bar.len() / 4
		y := thumb(g.h, g.leastThumb(), s.top, int64(g.full), g.rows())
		p.rect(span{g.bar.from + inset, g.bar.to - inset + g.line}, span{y.from + inset/2, y.to - inset/2}, c)
	}
	if g.foot > 0 {
		p.rect(span{0, g.strip.from}, span{g.h - g.foot, g.h}, p.palette.track)
		c := p.palette.thumb
		if s.barHover == areaFoot {
			c = p.palette.grip
		}
		inset := g.foot / 4
		x := thumb(g.strip.from, g.leastThumb(), int64(s.left), int64(g.strip.from), int64(g.content))
		p.rect(span{x.from + inset/2, x.to - inset/2}, span{g.h - g.foot + inset, g.h - inset}, c)
	}
}

// leastThumb returns the least length of a scroll bar's handle.
func (g *grid) leastThumb() int { return 2 * g.bar.len() }

func (p *painter) paintStrip(s *scene) {
	g := s.grid
	if s.strip.size == 0 {
		return
	}
	if len(s.strip.lines) != g.h {
		s.strip.arrange(g.h, 2*g.line)
	}
	x := span{g.strip.from + g.profile.len() + g.line, g.strip.to}
	part := x.len() / 3
	for y, l := range s.strip.lines {
		at := span{y, y + 1}
		if l.block > 0 {
			p.stripBlock(l, x, at)
		}
		if l.selected {
			p.rect(span{x.from + part, x.to - part}, at, p.palette.Parent)
		}
		if l.match {
			p.rect(span{x.from, x.from + part}, at, p.palette.match)
		}
		if l.kept {
			p.rect(span{x.from, x.from + part/2 + 1}, at, p.keptInk(l.color))
		}
		if l.over {
			p.rect(span{x.from + part, x.to - part}, at, p.palette.inks[fillPlain][inkOver])
		}
		switch {
		case l.flaw == 1+uint8(MarkNote):
			p.rect(span{x.to - part, x.to}, at, p.palette.Note)
		case l.flaw == 1+uint8(MarkWarning):
			p.rect(span{x.to - 2*part, x.to}, at, p.palette.Warning)
		case l.flaw == 1+uint8(MarkError):
			p.rect(x, at, p.palette.Error)
		}
	}
	from := stripLineOf(s.seen.Off, g.size, g.h)
	to := max(stripLineOf(s.seen.End()-1, g.size, g.h)+1, from+4*g.line)
	if to > g.h {
		from, to = from-(to-g.h), g.h
	}
	if g.rows() > int64(g.full) {
		p.frame(x, span{from, to}, g.line, p.palette.view)
	}
}

// stripBlock paints a line of a section's block, or of a hatched one.
func (p *painter) stripBlock(l stripLine, x, y span) {
	var c color.RGBA
	switch MarkKind(l.block - 1) {
	case MarkUnknown:
		size := 2 * p.thin()
		for at := x.from; at < x.to; at++ {
			if (at+y.from)/size%3 == 0 {
				p.rect(span{at, at + 1}, y, p.palette.view)
			}
		}
		return
	case MarkSectionOdd:
		c = p.palette.parts[1]
	default:
		c = p.palette.parts[0]
	}
	if l.begins {
		c = p.palette.line
	}
	p.rect(x, y, c)
}

// frame paints the sides of a rectangle.
func (p *painter) frame(x, y span, size int, c color.RGBA) {
	p.rect(x, span{y.from, y.from + size}, c)
	p.rect(x, span{y.to - size, y.to}, c)
	p.rect(span{x.from, x.from + size}, y, c)
	p.rect(span{x.to - size, x.to}, y, c)
}
