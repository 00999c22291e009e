package card

import (
	"fmt"
	"image"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/look"
)

// drawn is a row that paints itself: a picture between texts at its left and right.
type drawn struct {
	widget.BaseWidget
	high   float32
	paint  func(p kit.Pen, w, h int)
	raster *canvas.Raster
	texts  []string // its name, what is left of the picture, and what is right of it; or none
	ink    fyne.ThemeColorName
}

func (d *drawn) CreateRenderer() fyne.WidgetRenderer {
	d.raster = canvas.NewRaster(func(w, h int) image.Image {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		d.paint(kit.Pen{Img: img, Width: 1}, w, h)
		return img
	})
	return kit.NewDrawing(d, d.raster, fyne.NewSize(0, d.high), d.lay)
}

// What the name and a number take of a row, and the room between them and the picture.
const nameWide, numberWide, drawnGap = 20, 62, 6

func (d *drawn) lay(size fyne.Size) (texts []fyne.CanvasObject) {
	if len(d.texts) == 0 {
		kit.PutRaster(d, d.raster, 0, 0, size.Width, size.Height)
		return nil
	}
	mono := fyne.TextStyle{Monospace: true}
	y := (size.Height - kit.CaptionSize("0", mono).Height) / 2
	least, greatest := kit.CaptionSize(d.texts[1], mono).Width, kit.CaptionSize(d.texts[2], mono).Width
	wide := max(numberWide, least, greatest)
	left := nameWide + wide + drawnGap
	kit.PutRaster(d, d.raster, left, 0, max(size.Width-left-wide-drawnGap, 0), size.Height)
	return []fyne.CanvasObject{kit.Caption(d.texts[0], fyne.TextStyle{Bold: true}, d.ink, 0, y, nameWide),
		kit.Caption(d.texts[1], mono, theme.ColorNameForeground, nameWide+wide-least, y, least),
		kit.Caption(d.texts[2], mono, theme.ColorNameForeground, size.Width-greatest, y, greatest)}
}

// newSpread shows a component of values: the least, how many are in each range, the greatest.
func newSpread(name string, k int, c *values.Component) *drawn {
	d := &drawn{high: 24, ink: theme.ColorNamePrimary, texts: []string{name, shortNumber(c.Min), shortNumber(c.Max)}}
	if k < 3 && name != "" {
		d.ink = []fyne.ThemeColorName{look.X, look.Y, look.Z}[k]
	}
	counts := c.Histogram.Counts
	d.paint = func(p kit.Pen, w, h int) {
		most := int64(1)
		for _, n := range counts {
			most = max(most, n)
		}
		for i, n := range counts {
			from, to := i*w/len(counts), (i+1)*w/len(counts)
			if to-from > 2 {
				to--
			}
			high := int(float64(n) / float64(most) * float64(h-2))
			if n > 0 {
				high = max(high, 1)
			}
			p.Fill(from, h-1-high, to, h-1, kit.Paint(d.ink))
		}
		p.Fill(0, h-1, w, h, kit.Paint(theme.ColorNameSeparator))
	}
	d.ExtendBaseWidget(d)
	return d
}

// shortNumber is a number in few digits.
func shortNumber(v model.Value) string {
	if text := model.ShowHeld(v, 30); len(text) <= 8 {
		return text
	}
	f, _ := model.FloatOf(v)
	return fmt.Sprintf("%.5g", f)
}

// newStrip shows all of a source, and which parts of it spans are.
func newStrip(src *model.Source, spans []model.Span) *drawn {
	d := &drawn{high: 8, paint: func(p kit.Pen, w, h int) {
		p.Fill(0, 0, w, h, kit.Paint(look.Share))
		const least = 3 // pixels, however short the span
		for _, s := range spans[:min(len(spans), mostSpans)] {
			at := func(off int64) int { return int(float64(off) / float64(max(src.Size(), 1)) * float64(w)) }
			from := min(at(s.Off), w-least)
			p.Fill(from, 0, max(at(s.End()), from+least), h, kit.Paint(theme.ColorNamePrimary))
		}
	}}
	d.ExtendBaseWidget(d)
	return d
}
