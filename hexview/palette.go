package hexview

import (
	"image/color"
	"math"
)

// Colors are the colours of the view, for legends and for tests of pixels. Text on every fill has a contrast of at
// least 4.5, or 7 in themes of black and white.
type Colors struct {
	Background     color.RGBA
	Even, Odd      color.RGBA // fills of fields, alternating
	Hover          color.RGBA // fill under the pointer
	Selected       color.RGBA // fill of the selected node's bytes
	Match          color.RGBA // fill of a match of the search
	Picked         color.RGBA // fill of bytes selected by hand
	Parent         color.RGBA // outline of the parent's bytes
	Mapped         color.RGBA // dotted line below mapped bytes
	Kept           color.RGBA // line above a user's marks
	Error, Warning color.RGBA // lines below problems
	Note           color.RGBA
	Cursor         color.RGBA // box around the cursor's byte
}

// A fill is the background of a byte; the greater one wins.
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

// An ink is a style of text.
type ink uint8

const (
	inkText   ink = iota
	inkQuiet      // zero bytes, dots, leading zeros of offsets, unread bytes
	inkFailed     // unreadable bytes
	inkOver       // replaced bytes
	inkCount
)

// A palette holds all colours of a picture.
type palette struct {
	Colors
	fills [fillCount]color.RGBA
	inks  [fillCount][inkCount]color.RGBA
	flaws [fillCount][3]color.RGBA // by model.Severity
	rings [fillCount]color.RGBA    // the cursor's box
	lines [fillCount]color.RGBA    // between fields
	line  color.RGBA               // between the areas of the pane
	track color.RGBA               // of scroll bar and overview strip
	thumb color.RGBA               // the scroll bar's handle, at rest and under the pointer
	grip  color.RGBA
	parts [2]color.RGBA // sections in the overview strip, alternating
	view  color.RGBA    // frame of the visible rows in the overview strip
	match color.RGBA
	bytes [kindsOfBytes]color.RGBA // in the profile strip
}

// readable is the least contrast of text (WCAG 2.2, 1.4.3), enhanced that in a theme of black and white (1.4.6),
// visible that of lines and marks (1.4.11).
const (
	readable = 4.5
	enhanced = 7.0
	visible  = 3.0
)

// blackAndWhite is the least contrast of the text of a high-contrast theme.
const blackAndWhite = 20

// themeColors are the colours of a theme that determine a palette.
type themeColors struct{ background, foreground, primary, danger, warning color.Color }

// newPalette derives all colours from those of a theme. Fills are the background with a little of another colour. Texts
// and lines move away from their background until they are visible, whatever the theme.
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
	for part := 0.52; farthest(p.fills[fillSelected]) < least; part -= 0.04 { // no text is readable on a background of medium lightness
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

// colors returns the exported colours, from the fills and a theme.
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

// opaque returns a colour without its transparency.
func opaque(c color.Color) color.RGBA {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	return color.RGBA{n.R, n.G, n.B, 0xff}
}

// mix returns a with a share of b from 0 to 1.
func mix(a, b color.RGBA, part float64) color.RGBA {
	n := int(math.Round(part * 255))
	return color.RGBA{blend(a.R, b.R, n), blend(a.G, b.G, n), blend(a.B, b.B, n), 0xff}
}

// contrast returns the contrast ratio of two colours as defined by WCAG: 1 to 21.
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

// farthest returns the greater of the contrasts of a background with black and white.
func farthest(ground color.RGBA) float64 {
	return max(contrast(color.RGBA{A: 0xff}, ground), contrast(color.RGBA{0xff, 0xff, 0xff, 0xff}, ground))
}

// contrastTo moves c towards black or white, whichever is farther from ground, until it has the contrast want. One of
// the two always reaches at least 4.5.
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
