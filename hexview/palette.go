package hexview

import (
	"image/color"
	"math"
)

// Colors is the colours that the view paints with, for legends, and for tests that look at pixels. Text on every fill
// has a contrast of 4.5 at least, in themes of black and white of 7.
type Colors struct {
	Background     color.RGBA
	Even, Odd      color.RGBA // fills of fields, alternating
	Hover          color.RGBA // fill of what the pointer is over
	Selected       color.RGBA // fill of the selected node's bytes
	Match          color.RGBA // fill of what a search has found
	Picked         color.RGBA // fill of bytes selected by hand
	Parent         color.RGBA // outline of the parent's bytes
	Mapped         color.RGBA // dotted line below mapped bytes
	Kept           color.RGBA // line above a person's marks
	Error, Warning color.RGBA // lines below problems
	Note           color.RGBA
	Cursor         color.RGBA // box around the cursor's byte
}

// fill is the ground of a byte; the higher wins.
type fill uint8

const (
	fillPlain fill = iota
	fillEven
	fillOdd
	fillHover
	fillSelected
	fillMatch
	fillPicked
	fillGutter
	fillCount
)

// ink is how text is written.
type ink uint8

const (
	inkText   ink = iota
	inkQuiet      // zero bytes, dots, leading zeros of offsets, what is not read yet
	inkFailed     // what cannot be read
	inkOver       // what is in place of the source's bytes
	inkCount
)

// palette is all colours of a picture.
type palette struct {
	Colors
	fills [fillCount]color.RGBA
	inks  [fillCount][inkCount]color.RGBA
	flaws [fillCount][3]color.RGBA // by model.Severity
	rings [fillCount]color.RGBA    // the cursor's box
	lines [fillCount]color.RGBA    // between fields
	line  color.RGBA               // between the parts of the pane
	track color.RGBA               // of scroll bar and overview strip
	thumb color.RGBA               // the scroll bar's handle, at rest and under the pointer
	grip  color.RGBA
	parts [2]color.RGBA // sections in the overview strip, alternating
	view  color.RGBA    // frame of the rows in sight in the overview strip
	match color.RGBA
	bytes [kindsOfBytes]color.RGBA // in the strip of what the source is made of
}

// readable is the least contrast of text (WCAG 2.2, 1.4.3), enhanced that in a theme of black and white (1.4.6), visible that of lines
// and marks (1.4.11).
const (
	readable = 4.5
	enhanced = 7.0
	visible  = 3.0
)

// blackAndWhite is the contrast of its text from which a theme is one of high contrast.
const blackAndWhite = 20

// themeColors are the colours of a theme that a palette is made from.
type themeColors struct{ background, foreground, primary, danger, warning color.Color }

// newPalette derives all colours from a theme's. Fills are the background with a little of another colour; texts and
// lines move away from their ground until they are well seen, whatever the theme.
func newPalette(t themeColors) *palette {
	bg, fg, primary := opaque(t.background), opaque(t.foreground), opaque(t.primary)
	danger, warning := opaque(t.danger), opaque(t.warning)
	strong, least := contrastTo(fg, bg, 9), readable
	if contrast(fg, bg) >= blackAndWhite {
		least = enhanced
	}
	p := &palette{parts: [2]color.RGBA{mix(bg, primary, 0.22), mix(bg, fg, 0.18)}, line: mix(bg, fg, 0.22), track: mix(bg, fg, 0.06)}
	p.fills = [fillCount]color.RGBA{
		fillPlain:    bg,
		fillEven:     mix(bg, primary, 0.10),
		fillOdd:      mix(bg, fg, 0.09),
		fillHover:    mix(bg, primary, 0.26),
		fillSelected: mix(bg, primary, 0.52),
		fillMatch:    mix(bg, warning, 0.34),
		fillPicked:   mix(strong, primary, 0.25),
		fillGutter:   mix(bg, fg, 0.045),
	}
	for part := 0.52; farthest(p.fills[fillSelected]) < least; part -= 0.04 { // no text is seen well on a ground between light and dark
		p.fills[fillSelected] = mix(bg, primary, part)
	}
	for f, ground := range p.fills {
		text := contrastTo(strong, ground, least)
		p.inks[f] = [inkCount]color.RGBA{
			inkText:   text,
			inkQuiet:  contrastTo(mix(text, ground, 0.5), ground, least),
			inkFailed: contrastTo(danger, ground, least),
			inkOver:   contrastTo(color.RGBA{R: 0xc8, G: 0x28, B: 0xa0, A: 0xff}, ground, least),
		}
	}
	p.inks[fillGutter][inkText] = contrastTo(mix(strong, bg, 0.25), p.fills[fillGutter], max(least, 6))
	p.Colors = p.colors(bg, fg, primary, danger, warning, strong)
	for f, ground := range p.fills {
		for i, c := range [...]color.RGBA{p.Note, p.Warning, p.Error} {
			p.flaws[f][i] = contrastTo(c, ground, visible)
		}
		p.lines[f] = mix(ground, p.inks[f][inkText], 0.22)
		p.rings[f] = contrastTo(p.Cursor, ground, visible)
	}
	p.bytesColors(fg, primary, danger, warning)
	p.thumb = contrastTo(mix(bg, fg, 0.4), p.track, 1.9)
	p.grip = contrastTo(mix(bg, fg, 0.6), p.track, visible)
	p.view = contrastTo(mix(bg, fg, 0.7), bg, visible)
	p.match = contrastTo(mix(bg, warning, 0.7), bg, visible)
	return p
}

// colors are those that other packages use, of the fills and of a theme.
func (p *palette) colors(bg, fg, primary, danger, warning, strong color.RGBA) Colors {
	return Colors{
		Background: bg,
		Even:       p.fills[fillEven],
		Odd:        p.fills[fillOdd],
		Hover:      p.fills[fillHover],
		Selected:   p.fills[fillSelected],
		Match:      p.fills[fillMatch],
		Picked:     p.fills[fillPicked],
		Parent:     contrastTo(primary, bg, readable),
		Mapped:     contrastTo(mix(fg, primary, 0.5), bg, readable),
		Kept:       contrastTo(color.RGBA{R: 0xe0, G: 0xb0, B: 0x20, A: 0xff}, bg, visible),
		Error:      contrastTo(danger, bg, readable),
		Warning:    contrastTo(warning, bg, visible),
		Note:       contrastTo(mix(fg, bg, 0.4), bg, visible),
		Cursor:     strong,
	}
}

// opaque is a colour without its transparency.
func opaque(c color.Color) color.RGBA {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return color.RGBA{n.R, n.G, n.B, 0xff}
}

// mix is a with so much of b, 0 to 1.
func mix(a, b color.RGBA, part float64) color.RGBA {
	n := int(math.Round(part * 255))
	return color.RGBA{blend(a.R, b.R, n), blend(a.G, b.G, n), blend(a.B, b.B, n), 0xff}
}

// contrast is the ratio of the luminances of two colours as WCAG defines it: 1 to 21.
func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// farthest is the contrast of a ground with black or white, the one that is farther from it.
func farthest(ground color.RGBA) float64 {
	return max(contrast(color.RGBA{A: 0xff}, ground), contrast(color.RGBA{0xff, 0xff, 0xff, 0xff}, ground))
}

// contrastTo moves c towards black or white, the one that is farther from ground, as little as gives the contrast. One of
// the two always has 4.5 and more.
func contrastTo(c, ground color.RGBA, want float64) color.RGBA {
	end := color.RGBA{A: 0xff}
	if white := (color.RGBA{0xff, 0xff, 0xff, 0xff}); contrast(white, ground) > contrast(end, ground) {
		end = white
	}
	for part := 0.0; part < 1; part += 0.04 {
		if moved := mix(c, end, part); contrast(moved, ground) >= want {
			return moved
		}
	}
	return end
}
