package ui

import (
	"fmt"
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// bitGrid shows the bits of a few bytes, a row for each byte, its highest bit first. Bits of one field share a ground;
// those of neighbours differ.
type bitGrid struct {
	widget.BaseWidget
	bytes  []byte
	off    int64    // of the first byte
	masks  []uint64 // of the fields, in the bytes taken as one little-endian number
	chosen int      // the field that is selected; -1: none
	tap    func(bit int)
}

func newBitGrid(tap func(bit int)) *bitGrid {
	g := &bitGrid{tap: tap, chosen: -1}
	g.ExtendBaseWidget(g)
	return g
}

// set shows other bytes.
func (g *bitGrid) set(b []byte, off int64, masks []uint64, chosen int) {
	g.bytes, g.off, g.masks, g.chosen = b, off, masks, chosen
	g.Refresh()
}

// fieldOf is which field has a bit; -1: none.
func (g *bitGrid) fieldOf(bit int) int {
	for k, m := range g.masks {
		if m>>bit&1 != 0 {
			return k
		}
	}
	return -1
}

// Measures of the grid in Fyne's units: a bit, the row of positions, the gap behind four bits.
const (
	bitWide, bitHigh = 21, 20
	bitHead          = 16
	nibbleGap        = 4
)

// labelWide is the room of the offsets at the left.
func (g *bitGrid) labelWide() float32 {
	return fyne.MeasureText(signedHex(g.off+longestBits), theme.SizeForWidget(theme.SizeNameText, g), fyne.TextStyle{Monospace: true}).Width + 12
}

// cellAt is where a bit is drawn.
func (g *bitGrid) cellAt(bit int) fyne.Position {
	column := 7 - bit%8
	x := g.labelWide() + float32(column*bitWide)
	if column > 3 {
		x += nibbleGap
	}
	return fyne.NewPos(x, bitHead+float32(bit/8*bitHigh))
}

// bitAt is the bit at a position; -1: none.
func (g *bitGrid) bitAt(p fyne.Position) int {
	for bit := range 8 * len(g.bytes) {
		if at := g.cellAt(bit); p.X >= at.X && p.X < at.X+bitWide && p.Y >= at.Y && p.Y < at.Y+bitHigh {
			return bit
		}
	}
	return -1
}

// Tapped implements fyne.Tappable.
func (g *bitGrid) Tapped(e *fyne.PointEvent) {
	if bit := g.bitAt(e.Position); bit >= 0 {
		g.tap(bit)
	}
}

// Cursor implements desktop.Cursorable.
func (g *bitGrid) Cursor() desktop.Cursor {
	if len(g.masks) > 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// CreateRenderer implements fyne.Widget.
func (g *bitGrid) CreateRenderer() fyne.WidgetRenderer {
	r := &bitRenderer{g: g}
	r.Refresh()
	return r
}

type bitRenderer struct {
	g       *bitGrid
	objects []fyne.CanvasObject
}

// Destroy implements fyne.WidgetRenderer.
func (r *bitRenderer) Destroy() {}

// Layout implements fyne.WidgetRenderer.
func (r *bitRenderer) Layout(fyne.Size) {}

// MinSize implements fyne.WidgetRenderer.
func (r *bitRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.g.labelWide()+8*bitWide+nibbleGap, bitHead+float32(max(len(r.g.bytes), 1)*bitHigh))
}

// Objects implements fyne.WidgetRenderer.
func (r *bitRenderer) Objects() []fyne.CanvasObject { return r.objects }

// Refresh implements fyne.WidgetRenderer.
func (r *bitRenderer) Refresh() {
	g, th, variant := r.g, r.g.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(n fyne.ThemeColorName) color.Color { return th.Color(n, variant) }
	r.objects = nil
	text := func(s string, x, y, w, h, size float32, col color.Color) {
		t := canvas.NewText(s, col)
		t.TextStyle.Monospace, t.TextSize, t.Alignment = true, size, fyne.TextAlignCenter
		put(t, x, y, w, h)
		r.objects = append(r.objects, t)
	}
	size := th.Size(theme.SizeNameText)
	for bit := range 8 * min(len(g.bytes), 1) {
		at := g.cellAt(bit)
		text(strconv.Itoa(bit), at.X, 0, bitWide, bitHead, size-2.5, paint(theme.ColorNamePlaceHolder))
	}
	for k, b := range g.bytes {
		at := g.cellAt(8 * k)
		text(fmt.Sprintf("%#x", g.off+int64(k)), 0, at.Y, g.labelWide()-12, bitHigh, size, paint(theme.ColorNamePlaceHolder))
		for bit := 8 * k; bit < 8*k+8; bit++ {
			at = g.cellAt(bit)
			if field := g.fieldOf(bit); field >= 0 {
				ground := canvas.NewRectangle(paint(theme.ColorNamePressed))
				switch {
				case field == g.chosen:
					ground.FillColor = paint(theme.ColorNameSelection)
				case field%2 == 1:
					ground.FillColor = paint(theme.ColorNameHeaderBackground)
				}
				put(ground, at.X, at.Y, bitWide, bitHigh-1)
				r.objects = append(r.objects, ground)
			}
			text(strconv.Itoa(int(b>>(bit%8)&1)), at.X, at.Y, bitWide, bitHigh-1, size, paint(theme.ColorNameForeground))
		}
	}
	canvas.Refresh(g)
}
