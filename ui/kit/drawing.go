package kit

import (
	"image"
	"image/color"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// Drawing renders a widget that paints itself: a raster, with texts over it that are laid out anew whenever it is.
type Drawing struct {
	of     fyne.Widget
	raster *canvas.Raster
	least  fyne.Size
	lay    func(size fyne.Size) []fyne.CanvasObject
	texts  []fyne.CanvasObject
}

// NewDrawing renders a widget of a least size. lay places the raster, whose pixels are those of the screen, and returns the texts over it.
func NewDrawing(of fyne.Widget, raster *canvas.Raster, least fyne.Size, lay func(size fyne.Size) []fyne.CanvasObject) *Drawing {
	raster.ScaleMode = canvas.ImageScalePixels // no mean of four pixels for each
	return &Drawing{of: of, raster: raster, least: least, lay: lay}
}

// PutRaster moves and sizes a raster of a widget that paints itself. It has at least the pixels of the screen that it is to have, and no
// part of one: Fyne stretches a raster that begins in the midst of a pixel over one more, or leaves one out.
func PutRaster(of fyne.CanvasObject, raster *canvas.Raster, x, y, w, h float32) {
	scale := float32(1 / Pixel(of))
	whole := func(dp float32) float32 { return float32(math.Ceil(float64(dp*scale)-0.01)) / scale }
	Put(raster, x, y, whole(w), whole(h))
}

// Pixel returns the size of a pixel of an object's screen, in Fyne's units.
func Pixel(of fyne.CanvasObject) float64 {
	if c := fyne.CurrentApp().Driver().CanvasForObject(of); c != nil && c.Scale() > 0 {
		return 1 / float64(c.Scale())
	}
	return 1
}

// Destroy does nothing.
func (d *Drawing) Destroy() {}

// MinSize returns the least size.
func (d *Drawing) MinSize() fyne.Size { return d.least }

// Layout keeps the objects of texts. Fyne lays a widget out anew for each object that is new, with every frame of the window.
func (d *Drawing) Layout(size fyne.Size) {
	before := d.texts
	d.texts = d.lay(size)
	for i := range min(len(d.texts), len(before)) {
		is, isText := d.texts[i].(*canvas.Text)
		kept, wasText := before[i].(*canvas.Text)
		if !isText || !wasText {
			continue
		}
		d.texts[i] = kept
		if kept.Text != is.Text || kept.Color != is.Color || kept.TextSize != is.TextSize || kept.TextStyle != is.TextStyle {
			kept.Text, kept.Color, kept.TextSize, kept.TextStyle = is.Text, is.Color, is.TextSize, is.TextStyle
			kept.Refresh()
		}
		Put(kept, is.Position().X, is.Position().Y, is.Size().Width, is.Size().Height)
	}
}

// Objects returns the raster and the texts over it.
func (d *Drawing) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{d.raster}, d.texts...)
}

// Refresh paints anew.
func (d *Drawing) Refresh() {
	d.Layout(d.of.Size())
	canvas.Refresh(d.of)
	d.raster.Refresh()
}

// Paint is a colour of the theme.
func Paint(name fyne.ThemeColorName) color.Color {
	return fyne.CurrentApp().Settings().Theme().Color(name, fyne.CurrentApp().Settings().ThemeVariant())
}

// GridInk is the colour of a drawing's grid: seen, and in every theme weaker than what is drawn over it.
func GridInk() color.Color {
	return Mix(Paint(theme.ColorNameBackground), Paint(theme.ColorNameForeground), 5)
}

// Mix returns a colour with so many parts of the ground for each part of the ink.
func Mix(ground, ink color.Color, parts uint32) color.Color {
	r0, g0, b0, _ := ground.RGBA()
	r1, g1, b1, _ := ink.RGBA()
	mix := func(ground, ink uint32) uint8 { return uint8((parts*ground + ink) / (parts + 1) >> 8) }
	return color.NRGBA{R: mix(r0, r1), G: mix(g0, g1), B: mix(b0, b1), A: 0xff}
}

// IsDark reports whether the theme's ground is.
func IsDark() bool { return light(theme.ColorNameBackground) < 3*0x8000 }

// IsStrong reports whether the theme is one of high contrast: its text and ground are black and white.
func IsStrong() bool {
	text, ground := light(theme.ColorNameForeground), light(theme.ColorNameBackground)
	return max(text, ground) == 3*0xffff && min(text, ground) == 0
}

// light returns the lightness of a colour of the theme, 0 to 3 × 0xffff.
func light(name fyne.ThemeColorName) uint32 {
	r, g, b, _ := Paint(name).RGBA()
	return r + g + b
}

// Caption is a small text of a drawing, at a place.
func Caption(text string, style fyne.TextStyle, ink fyne.ThemeColorName, x, y, width float32) *canvas.Text {
	t := canvas.NewText(text, Paint(ink))
	t.TextSize, t.TextStyle = theme.CaptionTextSize(), style
	Put(t, x, y, width, CaptionSize("0", style).Height)
	return t
}

// CaptionSize is the room that a small text takes.
func CaptionSize(text string, style fyne.TextStyle) fyne.Size {
	return fyne.MeasureText(text, theme.CaptionTextSize(), style)
}

// Fitting returns a name, or as much of its beginning as a caption of a width has room for, or "" if that is too little.
func Fitting(name string, width float32) string {
	wide := func(s string) float32 { return CaptionSize(s, fyne.TextStyle{}).Width }
	if wide(name) <= width {
		return name
	}
	runes := []rune(name)
	n := min(len(runes), int(width/theme.CaptionTextSize()*2.2))
	for n >= 3 && wide(string(runes[:n])+"…") > width {
		n--
	}
	if n < 3 {
		return ""
	}
	return string(runes[:n]) + "…"
}

// Tick is a marked value of an axis.
type Tick struct {
	At    float64
	Label string
}

// Ticks marks from … to at 1, 2 or 5 times a power of ten, with at most about most marks. Labels have only the decimals
// by which neighbours differ.
func Ticks(from, to float64, most int) []Tick {
	if !(from < to) || most < 1 || math.IsInf(to-from, 0) {
		return nil
	}
	step := math.Pow(10, math.Floor(math.Log10((to-from)/float64(most))))
	for _, k := range []float64{1, 2, 5, 10} {
		if (to-from)/(step*k) <= float64(most) {
			step *= k
			break
		}
	}
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	format, large := byte('f'), max(math.Abs(from), math.Abs(to))
	if decimals > 9 || large >= 1e15 {
		format, decimals = 'g', -1
	}
	var ticks []Tick
	for k := math.Ceil(from/step - 1e-9); k*step <= to+step*1e-9 && len(ticks) <= most+1; k++ {
		v := k * step
		if k == 0 {
			v = 0 // not -0
		}
		if format == 'g' {
			v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 12, 64), 64)
		}
		ticks = append(ticks, Tick{v, strconv.FormatFloat(v, format, decimals, 64)})
	}
	return ticks
}

// FittingTicks marks an axis of a width as densely as the labels leave room.
func FittingTicks(from, to float64, width float32) []Tick {
	const between = 24
	for most := 12; most > 1; most-- {
		ticks := Ticks(from, to, most)
		room := float32(0)
		for _, t := range ticks {
			room = max(room, CaptionSize(t.Label, fyne.TextStyle{Monospace: true}).Width+between)
		}
		if room*float32(len(ticks)) <= width {
			return ticks
		}
	}
	return nil
}

// WholeTicks are those of an axis that are at whole numbers, which are all that it has.
func WholeTicks(ticks []Tick) (whole []Tick) {
	const nearly = 1e-9
	for _, t := range ticks {
		if n := math.Round(t.At); math.Abs(t.At-n) < nearly {
			whole = append(whole, Tick{At: n, Label: strconv.FormatFloat(n, 'f', -1, 64)})
		}
	}
	return whole
}

// Pen draws on a picture with lines of a width in pixels.
type Pen struct {
	Img   *image.RGBA
	Width int
}

// Fill paints a rectangle over the picture.
func (p Pen) Fill(x0, y0, x1, y1 int, ink color.Color) {
	r, g, b, a := ink.RGBA()
	at := image.Rect(x0, y0, x1, y1).Intersect(p.Img.Bounds())
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			k := p.Img.PixOffset(x, y)
			for i, c := range [4]uint32{r, g, b, a} { // premultiplied
				p.Img.Pix[k+i] = uint8((c + uint32(p.Img.Pix[k+i])*257*(0xffff-a)/0xffff) >> 8)
			}
		}
	}
}

// Line draws from left to right, a run of rows for each column.
func (p Pen) Line(x0, y0, x1, y1 int, ink color.Color) {
	last := y0
	for x := x0; x <= x1; x++ {
		y := y1
		if x1 > x0 {
			y = y0 + (y1-y0)*(x-x0)/(x1-x0)
		}
		p.Fill(x, min(last, y), x+1, max(last, y)+p.Width, ink)
		last = y
	}
}

// Frame draws a frame inside a rectangle.
func (p Pen) Frame(at image.Rectangle, ink color.Color) {
	if at.Empty() {
		return
	}
	p.Fill(at.Min.X, at.Min.Y, at.Max.X, at.Min.Y+p.Width, ink)
	p.Fill(at.Min.X, at.Max.Y-p.Width, at.Max.X, at.Max.Y, ink)
	p.Fill(at.Min.X, at.Min.Y+p.Width, at.Min.X+p.Width, at.Max.Y-p.Width, ink)
	p.Fill(at.Max.X-p.Width, at.Min.Y+p.Width, at.Max.X, at.Max.Y-p.Width, ink)
}
