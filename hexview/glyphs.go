package hexview

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// Glyphs are numbered by their ASCII code minus that of the space; the middle dot follows.
const (
	firstGlyph = int(' ')
	lastGlyph  = int('~')
	middleDot  = lastGlyph - firstGlyph + 1
	glyphCount = middleDot + 1
)

// A typeface is a monospaced font.
type typeface struct {
	font    *sfnt.Font
	content []byte
	advance float64 // widths and heights are fractions of the font's size
	xHeight float64
	capital float64
}

// parseFace parses a TrueType or OpenType font.
func parseFace(content []byte) (*typeface, error) {
	f, err := sfnt.Parse(content)
	if err != nil {
		return nil, err
	}
	t := &typeface{font: f, content: content}
	return t, t.measure()
}

// measure computes the widths and heights of the font.
func (t *typeface) measure() error {
	f := t.font
	var buf sfnt.Buffer
	const em = 1024
	glyph, err := f.GlyphIndex(&buf, '0')
	if err != nil {
		return err
	}
	advance, err := f.GlyphAdvance(&buf, glyph, fixed.I(em), font.HintingNone)
	if err != nil {
		return err
	}
	t.advance = max(float64(advance)/64/em, 0.1)
	height := func(r rune) float64 {
		glyph, err := f.GlyphIndex(&buf, r)
		if err != nil {
			return 0
		}
		bounds, _, err := f.GlyphBounds(&buf, glyph, fixed.I(em), font.HintingNone)
		if err != nil {
			return 0
		}
		return -float64(bounds.Min.Y) / 64 / em
	}
	t.xHeight, t.capital = height('x'), height('H')
	return nil
}

// cells returns the metrics for characters of about size pixels. The width is a whole number of pixels, so that all
// copies of a glyph are equal, and determines the font's size.
func (t *typeface) cells(size float64) cellMetrics {
	char := max(3, int(math.Round(size*t.advance)))
	px := float64(char) / t.advance
	row := int(math.Round(px * 1.4))
	return cellMetrics{char: char, row: row, baseline: (row + int(math.Round(px*t.capital))) / 2}
}

// masks renders all glyphs as coverage masks, a byte for each pixel, char×row pixels each.
func (t *typeface) masks(c cellMetrics) []uint8 {
	out := make([]uint8, glyphCount*c.char*c.row)
	var buf sfnt.Buffer
	var raster vector.Rasterizer
	for g := range glyphCount {
		r := rune(firstGlyph + g)
		if g == middleDot {
			r = '·'
		}
		index, err := t.font.GlyphIndex(&buf, r)
		if err != nil {
			continue
		}
		px := float64(c.char) / t.advance
		segments, err := t.font.LoadGlyph(&buf, index, fixed.Int26_6(math.Round(px*64)), nil)
		if err != nil {
			continue
		}
		raster.Reset(c.char, c.row)
		t.trace(&raster, segments, px, float32(c.baseline))
		mask := &image.Alpha{Pix: out[g*c.char*c.row:][:c.char*c.row], Stride: c.char, Rect: image.Rect(0, 0, c.char, c.row)}
		raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	}
	return out
}

// A runeMask is the coverage mask of a character beyond ASCII, a byte for each pixel, wide×row pixels.
type runeMask struct {
	pix  []uint8
	wide int
}

const (
	// maxRunes is the most rendered characters that are kept; a screen has some thousand.
	maxRunes = 4096
	// maxRuneCells is the most cells of a character; wider ones are clipped.
	maxRuneCells = 4
)

// rune renders a character at the size px of the pane's typeface. It returns false if the typeface lacks the character.
func (t *typeface) rune(r rune, c cellMetrics, px float64) (runeMask, bool) {
	var buf sfnt.Buffer
	index, err := t.font.GlyphIndex(&buf, r)
	if err != nil || index == 0 {
		return runeMask{}, false
	}
	size := fixed.Int26_6(math.Round(px * 64))
	advance, err := t.font.GlyphAdvance(&buf, index, size, font.HintingNone)
	if err != nil {
		return runeMask{}, false
	}
	segments, err := t.font.LoadGlyph(&buf, index, size, nil)
	if err != nil { // a bitmap, as in coloured emoji
		return runeMask{}, false
	}
	m := runeMask{wide: min(max(advance.Ceil(), c.char), maxRuneCells*c.char)}
	m.pix = make([]uint8, m.wide*c.row)
	raster := vector.NewRasterizer(m.wide, c.row)
	t.trace(raster, segments, px, float32(c.baseline))
	mask := &image.Alpha{Pix: m.pix, Stride: m.wide, Rect: image.Rect(0, 0, m.wide, c.row)}
	raster.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return m, true
}

// runeOf returns a character rendered by the first font that has it, or none, possibly only for now.
func (p *painter) runeOf(r rune) runeMask {
	if m, ok := p.runes[r]; ok {
		return m
	}
	if p.runes == nil || len(p.runes) >= maxRunes {
		p.runes = make(map[rune]runeMask)
	}
	px := float64(p.cell.char) / p.face.advance
	m, ok := p.face.rune(r, p.cell, px)
	if !ok && p.others != nil {
		face, known := p.others.faceFor(r)
		if !known {
			return runeMask{} // requested again once it is known
		}
		if face != nil {
			m, _ = face.rune(r, p.cell, px)
		}
	}
	p.runes[r] = m
	return m
}

// paintRune paints a character beyond ASCII over the fills of its bytes. It returns false if no font has the character.
func (p *painter) paintRune(x, y int, l letter, c color.RGBA) bool {
	m := p.runeOf(l.r)
	if m.wide == 0 {
		return false
	}
	from, to := max(x, p.clip.from), min(x+min(m.wide, max(int(l.n), 1)*p.cell.char), p.clip.to)
	y += p.origin
	for row := range min(p.cell.row, p.bottom-y) {
		mask := m.pix[row*m.wide:]
		pix := p.img.Pix[(y+row)*p.img.Stride:]
		for at := from; at < to; at++ {
			a := int(mask[at-x])
			d := pix[4*at : 4*at+3]
			d[0], d[1], d[2] = blend(d[0], c.R, a), blend(d[1], c.G, a), blend(d[2], c.B, a)
		}
	}
	return true
}

// A fallback finds fonts for characters that the pane's own font lacks.
type fallback interface {
	// faceFor returns a typeface with the character, or nil. known is false while the search runs.
	faceFor(r rune) (t *typeface, known bool)
}

// trace adds a glyph's outline to the rasterizer. It moves stems at the glyph's edges, and the heights of small letters
// and capitals, to whole pixels. This makes text crisp at the small sizes of a hex dump.
func (t *typeface) trace(raster *vector.Rasterizer, segments sfnt.Segments, px float64, baseline float32) {
	bounds := segments.Bounds()
	fitX := fit(float32(bounds.Min.X)/64, float32(bounds.Max.X)/64)
	fitY := t.fitHeights(px)
	point := func(p fixed.Point26_6) (x, y float32) {
		return fitX(float32(p.X) / 64), baseline - fitY(-float32(p.Y)/64)
	}
	for _, s := range segments {
		x, y := point(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			raster.ClosePath()
			raster.MoveTo(x, y)
		case sfnt.SegmentOpLineTo:
			raster.LineTo(x, y)
		case sfnt.SegmentOpQuadTo:
			x1, y1 := point(s.Args[1])
			raster.QuadTo(x, y, x1, y1)
		case sfnt.SegmentOpCubeTo:
			x1, y1 := point(s.Args[1])
			x2, y2 := point(s.Args[2])
			raster.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	raster.ClosePath()
}

// fit returns a function that maps [from, to] so that both ends are whole pixels. A narrow range is only moved.
func fit(from, to float32) func(float32) float32 {
	left := round32(from)
	right := round32(to)
	if to-from < 2.5 || right <= left {
		left = round32((from+to)/2-round32(to-from)/2) + (round32(to-from)-(to-from))/2
		return func(x float32) float32 { return x - from + left }
	}
	scale := (right - left) / (to - from)
	return func(x float32) float32 { return left + (x-from)*scale }
}

// fitHeights returns a function that maps heights over the baseline so that the baseline and the heights of small
// letters and capitals are whole pixels. The overshoot of round letters is flattened.
func (t *typeface) fitHeights(px float64) func(float32) float32 {
	overshoot := float32(0.02 * px)
	small, capital := float32(t.xHeight*px), float32(t.capital*px)
	from := []float32{-overshoot, 0, small, small + overshoot, capital, capital + overshoot}
	to := []float32{0, 0, round32(small), round32(small), round32(capital), round32(capital)}
	return func(y float32) float32 {
		if y <= from[0] {
			return y - from[0]
		}
		for i := 1; i < len(from); i++ {
			if y <= from[i] {
				return to[i-1] + (y-from[i-1])*(to[i]-to[i-1])/max(from[i]-from[i-1], 1e-3)
			}
		}
		last := len(from) - 1
		return to[last] + y - from[last]
	}
}

func round32(x float32) float32 { return float32(math.Round(float64(x))) }

// tint colours masks. The result is opaque, so that painting a glyph is copying.
func tint(masks []uint8, fg, bg color.RGBA) []uint8 {
	var ramp [256][4]uint8
	for a := range ramp {
		ramp[a] = [4]uint8{blend(bg.R, fg.R, a), blend(bg.G, fg.G, a), blend(bg.B, fg.B, a), 0xff}
	}
	pix := make([]uint8, 4*len(masks))
	for i, a := range masks {
		copy(pix[4*i:], ramp[a][:])
	}
	return pix
}

func blend(bg, fg uint8, a int) uint8 {
	return uint8((int(bg)*(255-a) + int(fg)*a + 127) / 255)
}
