package hexview

import (
	"image"
	"image/color"

	"cutaway/model"
	"cutaway/model/inspect"
)

// A scene is the content of a picture.
type scene struct {
	grid *grid
	top  int64 // the first row
	left int   // horizontal scrolling in pixels
	seen Range // from the first visible byte to the last, including folds
	// runs are the rows between folds, top to bottom; rowRun is the current one.
	runs []rowRun
	*rowRun
	folds []foldRow
	room  buffers

	selected, parent, mapped, lit spanSet
	kept                          []keptSet
	hover, picked                 Range
	pointed                       int64 // offset of the fold under the pointer, or -1
	cursor                        int64
	focused                       bool
	typing                        typing
	segments                      []model.Segment
	message                       string // shown instead of bytes
	barHover                      area   // the scroll bar under the pointer

	strip   strip
	profile []inspect.Profile
}

// A rowRun is a run of rows between folds.
type rowRun struct {
	row     int   // of the pane
	first   int64 // offset of data
	n       int   // number of bytes
	data    []byte
	state   []cellState
	letters []letter // of the text column
	bands   []Band
	flaws   []Flaw
	matches []Range
	over    []Range // replaced bytes
}

// buffers is the reused memory of all runs.
type buffers struct {
	ranges  []Range
	letters []letter
	bands   []Band
	flaws   []Flaw
	matches []Range
	over    []Range
}

// A painter paints scenes. It keeps glyphs and buffers between pictures, so that painting allocates nothing once every
// colour in use has been seen.
type painter struct {
	face    *typeface
	palette *palette
	cell    cellMetrics
	masks   []uint8
	tiles   [fillCount][inkCount][]uint8

	// img and its clipping while Paint runs.
	img    *image.RGBA
	clip   span // columns of the bytes
	bottom int  // end of the rows
	origin int  // top of row 0

	// looks of the visible bytes, and of one row before and after.
	looks []look
	base  int64 // offset of looks[0]; may be negative
	blank []uint8

	runes    map[rune]runeMask         // of characters beyond ASCII
	others   fallback                  // the fonts of the system
	keptInks map[color.RGBA]color.RGBA // of marks, by their given colours
	number   []byte                    // buffer of a number's text
}

// A look is the set of marks on a byte.
type look struct {
	fill  fill
	flaw  uint8 // 1 + model.Severity
	kept  uint8 // 1 + the index of its keptSet
	marks marks
}

type marks uint8

const (
	markParent marks = 1 << iota
	markMapped
	markHover
	markBorder // a field begins here
	markOver   // the byte is replaced
)

// setFont sets the first font that can be parsed.
func (p *painter) setFont(contents ...[]byte) {
	for _, content := range contents {
		if p.face != nil && len(content) > 0 && len(content) == len(p.face.content) && &content[0] == &p.face.content[0] {
			return
		}
		if face, err := parseFace(content); err == nil {
			p.face, p.masks, p.runes = face, nil, nil
			p.dropTiles()
			return
		}
	}
}

// setPalette changes the colours.
func (p *painter) setPalette(next *palette) {
	if p.palette != nil && *p.palette == *next {
		return
	}
	p.palette, p.keptInks = next, nil
	p.dropTiles()
}

func (p *painter) dropTiles() { p.tiles = [fillCount][inkCount][]uint8{} }

// Paint paints the scene on all of img, whose size is the grid's.
func (p *painter) Paint(img *image.RGBA, s *scene) {
	g := s.grid
	if p.masks == nil || p.cell != g.cell {
		p.cell, p.masks, p.runes = g.cell, p.face.masks(g.cell), nil
		p.dropTiles()
	}
	p.img = img
	p.clip, p.bottom = span{g.gutter, g.strip.from}, g.h-g.foot
	p.origin = 0
	p.clear(s)
	if s.message != "" {
		p.text(g.gutter+g.cell.char, 0, s.message, fillPlain, inkQuiet)
	}
	for i := range s.runs {
		p.paintRun(s, &s.runs[i])
	}
	for i := range s.folds {
		p.paintFold(s, &s.folds[i])
	}
	p.origin = 0
	p.paintBars(s)
	p.img = nil
}

// paintRun paints rows of bytes.
func (p *painter) paintRun(s *scene, rows *rowRun) {
	s.rowRun, p.origin = rows, rows.row*s.grid.cell.row
	p.examine(s)
	p.paintGutter(s)
	for row := range s.rows() {
		p.paintRow(s, row)
	}
	p.paintMarks(s)
	p.paintUnfolds(s)
}

// rows returns the number of rows of the current run.
func (s *scene) rows() int { return (len(s.data) + s.grid.cols - 1) / s.grid.cols }

// clear paints the background: one line, copied to all others.
func (p *painter) clear(s *scene) {
	g := s.grid
	stride := p.img.Stride
	if cap(p.blank) < stride {
		p.blank = make([]uint8, stride)
	}
	line := p.blank[:stride]
	fillLine(line, span{0, g.w}, p.palette.Background)
	fillLine(line, span{0, min(g.gutter-g.line, g.w)}, p.palette.fills[fillGutter])
	fillLine(line, span{min(g.gutter-g.line, g.w), min(g.gutter, g.w)}, p.palette.line)
	for y := range g.h {
		copy(p.img.Pix[y*stride:], line)
	}
}

func fillLine(line []uint8, s span, c color.RGBA) {
	for x := s.from; x < s.to; x++ {
		line[4*x], line[4*x+1], line[4*x+2], line[4*x+3] = c.R, c.G, c.B, 0xff
	}
}

// rect fills a rectangle, clipped to the picture.
func (p *painter) rect(x, y span, c color.RGBA) {
	x.from, x.to = max(x.from, 0), min(x.to, p.img.Rect.Dx())
	y.from, y.to = max(y.from+p.origin, 0), min(y.to+p.origin, p.img.Rect.Dy())
	if x.from >= x.to || y.from >= y.to {
		return
	}
	stride := p.img.Stride
	first := p.img.Pix[y.from*stride:]
	fillLine(first, x, c)
	for row := y.from + 1; row < y.to; row++ {
		copy(p.img.Pix[row*stride+4*x.from:row*stride+4*x.to], first[4*x.from:4*x.to])
	}
}

// cellRect fills a rectangle among the bytes.
func (p *painter) cellRect(x, y span, c color.RGBA) {
	p.rect(span{max(x.from, p.clip.from), min(x.to, p.clip.to)}, span{y.from, min(y.to, p.bottom-p.origin)}, c)
}

// ground returns the glyphs in a colour on a fill.
func (p *painter) ground(f fill, i ink) []uint8 {
	if p.tiles[f][i] == nil {
		p.tiles[f][i] = tint(p.masks, p.palette.inks[f][i], p.palette.fills[f])
	}
	return p.tiles[f][i]
}

// glyph copies a glyph to a position, clipped to x and to the bottom of the rows.
func (p *painter) glyph(x, y int, glyph int, tiles []uint8, clip span) {
	y += p.origin
	char, rows := p.cell.char, min(p.cell.row, p.bottom-y)
	from, to := max(x, clip.from), min(x+char, clip.to)
	if from >= to || rows <= 0 {
		return
	}
	stride := p.img.Stride
	src := tiles[4*(glyph*char*p.cell.row+from-x):]
	dst := p.img.Pix[y*stride+4*from:]
	n := 4 * (to - from)
	for row := range rows {
		copy(dst[row*stride:row*stride+n], src[row*4*char:])
	}
}

// text writes a line among the bytes, in a row of the pane, and returns its right end.
func (p *painter) text(x, row int, s string, f fill, i ink) (end int) {
	tiles := p.ground(f, i)
	for _, r := range s {
		glyph := int(r) - firstGlyph
		if glyph < 0 || glyph > lastGlyph-firstGlyph {
			glyph = glyphOfDoubt
			if p.paintRune(x, row*p.cell.row, letter{r, 1}, p.palette.inks[f][i]) {
				x += p.cell.char
				continue
			}
		}
		p.glyph(x, row*p.cell.row, glyph, tiles, p.clip)
		x += p.cell.char
	}
	return x
}

const (
	glyphOfDot   = int('.') - firstGlyph
	glyphOfDoubt = int('?') - firstGlyph
)

// glyphOfDigit holds the glyphs of hexadecimal digits.
var glyphOfDigit = func() (g [16]int) {
	for i := range g {
		g[i] = int(hexDigits[i]) - firstGlyph
	}
	return g
}()

// paintGutter writes the offsets of the rows.
func (p *painter) paintGutter(s *scene) {
	for row := range s.rows() {
		p.offset(s, s.first+int64(row)*int64(s.grid.cols), row)
	}
}

// offset writes the offset of a row, with leading zeros dimmed.
func (p *painter) offset(s *scene, off int64, row int) {
	g := s.grid
	tiles, quiet := p.ground(fillGutter, inkText), p.ground(fillGutter, inkQuiet)
	all := span{0, min(g.gutter, g.strip.from)}
	base := int64(16)
	if g.mode.DecimalOffsets {
		base = 10
	}
	for d := g.digits - 1; d >= 0; d-- {
		if off == 0 && d < g.digits-1 {
			tiles = quiet
		}
		p.glyph(g.offsets()+d*g.cell.char, row*g.cell.row, glyphOfDigit[off%base], tiles, all)
		off /= base
	}
}

// lookOf returns the look at a place in a row: a byte of the text column, or a slot of the hex column.
func (p *painter) lookOf(g *grid, text bool, row, place int) *look {
	if !text {
		place = g.slot(place)
	}
	return &p.looks[(row+1)*g.cols+place] // looks begin a row before the data
}

// paintRow paints the bytes of a row in both columns.
func (p *painter) paintRow(s *scene, row int) {
	g := s.grid
	start := row * g.cols
	if start >= len(s.data) {
		return
	}
	count := min(g.cols, len(s.data)-start)
	p.fillRow(s, row, count)
	for i := 0; i < count; i += g.mode.Group {
		n := min(g.mode.Group, count-i)
		if g.mode.digits() || n < g.mode.Group || !present(s.state[start+i:start+i+n]) {
			for k := i; k < i+n; k++ {
				p.paintDigits(s, row, k)
			}
			continue
		}
		p.paintNumber(s, row, i)
	}
	for i := range count {
		p.paintLetter(s, row, i)
	}
}

func present(states []cellState) bool {
	for _, s := range states {
		if s != cellPresent {
			return false
		}
	}
	return true
}

// paintDigits writes byte i of a row as two digits.
func (p *painter) paintDigits(s *scene, row, i int) {
	g := s.grid
	at := row*g.cols + i
	b := s.data[at]
	high, low, how := glyphOfDigit[b>>4], glyphOfDigit[b&15], inkText
	switch {
	case s.state[at] == cellFailed:
		high, low, how = glyphOfDoubt, glyphOfDoubt, inkFailed
	case s.state[at] == cellPending:
		high, low, how = middleDot, middleDot, inkQuiet
	case p.lookOf(g, true, row, i).marks&markOver != 0:
		how = inkOver
	case b == 0:
		how = inkQuiet
	}
	tiles := p.ground(p.lookOf(g, true, row, i).fill, how)
	x, y := g.hex[g.slot(i)]+g.wide-2*g.cell.char-s.left, row*g.cell.row
	p.glyph(x, y, high, tiles, p.clip)
	p.glyph(x+g.cell.char, y, low, tiles, p.clip)
}

// paintNumber writes the group that begins with byte i of a row, aligned right in its cell. Each character is on the
// fill of the byte whose part of the cell it is in.
func (p *painter) paintNumber(s *scene, row, i int) {
	g := s.grid
	group := s.data[row*g.cols+i:][:g.mode.Group]
	how := inkQuiet
	for _, b := range group {
		if b != 0 {
			how = inkText
		}
	}
	p.number = g.mode.format(p.number[:0], group)
	chars := g.wide / g.cell.char
	first := len(group)*chars - len(p.number)
	for k, c := range p.number {
		at := first + k
		look := p.lookOf(g, false, row, i+at/chars)
		tiles := p.ground(look.fill, how)
		if look.marks&markOver != 0 {
			tiles = p.ground(look.fill, inkOver)
		}
		p.glyph(g.hex[i]+at*g.cell.char-s.left, row*g.cell.row, int(c)-firstGlyph, tiles, p.clip)
	}
}

// paintLetter writes the letter at byte i of a row.
func (p *painter) paintLetter(s *scene, row, i int) {
	g := s.grid
	at := row*g.cols + i
	x, y := g.textCell(i).from-s.left, row*g.cell.row
	look := p.lookOf(g, true, row, i)
	l := s.letters[at]
	strong, glyph, how := inkText, glyphOfDot, inkQuiet
	if look.marks&markOver != 0 {
		strong, how = inkOver, inkOver
	}
	switch {
	case s.state[at] == cellFailed:
		glyph, how = glyphOfDoubt, inkFailed
	case s.state[at] == cellPending:
		glyph = middleDot
	case l.n == 0: // a later byte of a character
		return
	case l.r >= rune(firstGlyph) && l.r <= rune(lastGlyph):
		glyph, how = int(l.r)-firstGlyph, strong
	case l.r != 0:
		if p.paintRune(x, y, l, p.palette.inks[look.fill][strong]) {
			return
		}
	}
	p.glyph(x, y, glyph, p.ground(look.fill, how), p.clip)
}

// fillRow paints the background of a row's digits and text: runs of one fill from gap to gap.
func (p *painter) fillRow(s *scene, row, count int) {
	g := s.grid
	y := span{row * g.cell.row, (row + 1) * g.cell.row}
	slots := count
	if g.mode.reversed() {
		slots = min(g.cols, (count+g.mode.Group-1)/g.mode.Group*g.mode.Group)
	}
	for from := 0; from < slots; {
		f, to := p.lookOf(g, false, row, from).fill, from+1
		for to < slots && p.lookOf(g, false, row, to).fill == f {
			to++
		}
		if f != fillPlain {
			x := span{g.hexSlot(from).from, g.hexSlot(to - 1).to}
			if to < slots && joins(f, p.lookOf(g, false, row, to).fill) {
				x.to = g.hexSlot(to).from
			}
			p.cellRect(span{x.from - s.left, x.to - s.left}, y, p.palette.fills[f])
		}
		from = to
	}
	for i := range count {
		if f := p.lookOf(g, true, row, i).fill; f != fillPlain {
			x := g.textCell(i)
			p.cellRect(span{x.from - s.left, x.to - s.left}, y, p.palette.fills[f])
		}
	}
}

// joins reports whether a fill covers the gap to the next one, as between adjacent fields.
func joins(f, next fill) bool { return f <= fillOdd && next != fillPlain && next <= fillOdd }

// examine computes the looks of the visible bytes.
func (p *painter) examine(s *scene) {
	g := s.grid
	n := len(s.data) + 2*g.cols
	if cap(p.looks) < n {
		p.looks = make([]look, n)
	}
	p.looks = p.looks[:n]
	clear(p.looks)
	p.base = s.first - int64(g.cols)
	for _, b := range s.bands {
		f := fillEven
		if b.Odd {
			f = fillOdd
		}
		looks, starts := p.looksOf(b.Range)
		for i := range looks {
			looks[i].fill = f
		}
		if starts && len(looks) > 0 {
			looks[0].marks |= markBorder
		}
	}
	p.paintSet(s.lit, fillHover, markHover)
	p.paintRange(s.hover, fillHover, markHover)
	p.paintSet(s.selected, fillSelected, 0)
	for _, m := range s.matches {
		if r, ok := s.selected.find(m.Off); !ok || m.Off > r.Off || m.End() < r.End() { // otherwise the match would hide the selection
			p.paintRange(m, fillMatch, 0)
		}
	}
	p.paintRange(s.picked, fillPicked, 0)
	p.paintSet(s.parent, fillPlain, markParent)
	p.paintSet(s.mapped, fillPlain, markMapped)
	for i := range s.kept {
		p.paintKept(s.kept[i].spans, uint8(i+1))
	}
	for _, r := range s.over {
		p.paintRange(r, fillPlain, markOver)
	}
	for _, f := range s.flaws {
		looks, _ := p.looksOf(f.Range)
		for i := range looks {
			looks[i].flaw = max(looks[i].flaw, 1+uint8(f.Severity))
		}
	}
}

// looksOf returns the looks of a range; starts reports whether they include that of its first byte.
func (p *painter) looksOf(r Range) (looks []look, starts bool) {
	first, last := max(r.Off-p.base, 0), int64(len(p.looks))
	if r.Len < p.base+last-r.Off {
		last = r.End() - p.base
	}
	if first >= last {
		return nil, false
	}
	return p.looks[first:last], r.Off >= p.base
}

// paintSet marks the visible bytes of a set's ranges; fillPlain leaves the fill unchanged.
func (p *painter) paintSet(set spanSet, f fill, m marks) {
	end := p.base + int64(len(p.looks))
	for i := set.from(p.base); i < len(set) && set[i].Off < end; i++ {
		p.paintRange(set[i], f, m)
	}
}

// paintKept marks the bytes of a set of a user's marks.
func (p *painter) paintKept(set spanSet, number uint8) {
	end := p.base + int64(len(p.looks))
	for i := set.from(p.base); i < len(set) && set[i].Off < end; i++ {
		looks, _ := p.looksOf(set[i])
		for k := range looks {
			looks[k].kept = number
		}
	}
}

func (p *painter) paintRange(r Range, f fill, m marks) {
	looks, _ := p.looksOf(r)
	for i := range looks {
		if f != fillPlain {
			looks[i].fill = f
		}
		looks[i].marks |= m
	}
}
