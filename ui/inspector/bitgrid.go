package inspector

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// A bitGrid shows the bits of a few bytes, a row for each byte, its highest bit first. The bits of a field have the
// same background, neighbouring fields different ones.
type bitGrid struct {
	widget.BaseWidget
	Bytes  []byte
	Off    int64    // of the first byte
	masks  []uint64 // of the fields, in the bytes taken as one little-endian number
	Chosen int      // the selected field, or -1
	tap    func(bit int)
}

func newBitGrid(tap func(bit int)) *bitGrid {
	g := &bitGrid{tap: tap, Chosen: -1}
	g.ExtendBaseWidget(g)
	return g
}

// set shows other bytes.
func (g *bitGrid) set(b []byte, off int64, masks []uint64, chosen int) {
	g.Bytes, g.Off, g.masks, g.Chosen = b, off, masks, chosen
	g.Refresh()
}

// fieldOf returns the index of the field with a bit, or -1.
func (g *bitGrid) fieldOf(bit int) int {
	for k, m := range g.masks {
		if m>>bit&1 != 0 {
			return k
		}
	}
	return -1
}

// Measures of the grid in Fyne's units: a bit, the row of positions, the gap after four bits.
const (
	BitWide   = 21
	BitHigh   = 20
	bitHead   = 16
	nibbleGap = 4
)

// labelWide returns the width of the column of offsets.
func (g *bitGrid) labelWide() float32 {
	return fyne.MeasureText(phrase.Hex(g.Off+longestBits), theme.SizeForWidget(theme.SizeNameText, g), fyne.TextStyle{Monospace: true}).Width + 12
}

// CellAt returns the position of a bit's cell.
func (g *bitGrid) CellAt(bit int) fyne.Position {
	column := 7 - bit%8
	x := g.labelWide() + float32(column*BitWide)
	if column > 3 {
		x += nibbleGap
	}
	return fyne.NewPos(x, bitHead+float32(bit/8*BitHigh))
}

// BitAt returns the bit at a position, or -1.
func (g *bitGrid) BitAt(p fyne.Position) int {
	for bit := range 8 * len(g.Bytes) {
		if at := g.CellAt(bit); p.X >= at.X && p.X < at.X+BitWide && p.Y >= at.Y && p.Y < at.Y+BitHigh {
			return bit
		}
	}
	return -1
}

func (g *bitGrid) Tapped(e *fyne.PointEvent) {
	if bit := g.BitAt(e.Position); bit >= 0 {
		g.tap(bit)
	}
}

func (g *bitGrid) Cursor() desktop.Cursor {
	if len(g.masks) > 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (g *bitGrid) CreateRenderer() fyne.WidgetRenderer {
	r := &bitRenderer{g: g}
	add := func(size float32) *canvas.Text {
		t := &canvas.Text{Alignment: fyne.TextAlignCenter, TextStyle: fyne.TextStyle{Monospace: true}, TextSize: size}
		r.objects = append(r.objects, t)
		return t
	}
	size := theme.SizeForWidget(theme.SizeNameText, g)
	for bit := range r.bits {
		r.grounds[bit] = &canvas.Rectangle{}
		r.objects = append(r.objects, r.grounds[bit])
		r.bits[bit] = add(size)
	}
	for k := range longestBits {
		r.heads[k], r.offsets[k] = add(size-2.5), add(size)
		r.heads[k].Text = strconv.Itoa(k)
	}
	r.Refresh()
	return r
}

// A bitRenderer keeps its objects, so that unchanged ones are not drawn again.
type bitRenderer struct {
	g       *bitGrid
	bits    [8 * longestBits]*canvas.Text
	grounds [8 * longestBits]*canvas.Rectangle
	heads   [8]*canvas.Text // positions
	offsets [longestBits]*canvas.Text
	objects []fyne.CanvasObject
}

func (r *bitRenderer) Destroy() {}

func (r *bitRenderer) Layout(fyne.Size) {}

func (r *bitRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.g.labelWide()+8*BitWide+nibbleGap, bitHead+float32(max(len(r.g.Bytes), 1)*BitHigh))
}

func (r *bitRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *bitRenderer) Refresh() {
	g, th, variant := r.g, r.g.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	paint := func(n fyne.ThemeColorName) color.Color { return th.Color(n, variant) }
	quiet := paint(theme.ColorNamePlaceHolder)
	for bit, t := range r.heads {
		setText(t, len(g.Bytes) > 0, t.Text, quiet)
		kit.Put(t, g.CellAt(bit).X, 0, BitWide, bitHead)
	}
	for k, t := range r.offsets {
		setText(t, k < len(g.Bytes), phrase.Hex(g.Off+int64(k)), quiet)
		kit.Put(t, 0, g.CellAt(8*k).Y, g.labelWide()-12, BitHigh)
	}
	for bit, t := range r.bits {
		at, shown, one := g.CellAt(bit), bit < 8*len(g.Bytes), "0"
		if shown && g.Bytes[bit/8]>>(bit%8)&1 != 0 {
			one = "1"
		}
		setText(t, shown, one, paint(theme.ColorNameForeground))
		kit.Put(t, at.X, at.Y, BitWide, BitHigh-1)
		ground := color.Color(color.Transparent)
		switch field := g.fieldOf(bit); {
		case !shown || field < 0:
		case field == g.Chosen:
			ground = paint(theme.ColorNameSelection)
		case field%2 == 0:
			ground = paint(theme.ColorNamePressed)
		default:
			ground = paint(theme.ColorNameHeaderBackground)
		}
		kit.Put(r.grounds[bit], at.X, at.Y, BitWide, BitHigh-1)
		if r.grounds[bit].FillColor != ground {
			r.grounds[bit].FillColor = ground
			r.grounds[bit].Refresh()
		}
	}
}

// setText shows or hides a text. It draws the text only if it has changed.
func setText(t *canvas.Text, shown bool, text string, col color.Color) {
	if shown != t.Visible() {
		t.Hidden = !shown
	}
	if t.Text != text || t.Color != col {
		t.Text, t.Color = text, col
		t.Refresh()
	}
}
