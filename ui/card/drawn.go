package card

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/profile"
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
	texts  []string // the name, the text at the left and the one at the right; or none
	ink    fyne.ThemeColorName
}

func (d *drawn) CreateRenderer() fyne.WidgetRenderer {
	d.raster = canvas.NewRaster(func(w, h int) image.Image {
		img := image.NewRGBA(image.Rect(0, 0, w, h))
		d.paint(kit.Pen{Img: img, Width: 1}, w, h)
		return img
	})
	return kit.NewDrawing(d, d.raster, fyne.NewSize(0, d.high), d.layOut)
}

// What the name and a number take of a row, and the room between them and the picture.
const nameWide, numberWide, drawnGap = 20, 62, 6

func (d *drawn) layOut(size fyne.Size) (texts []fyne.CanvasObject) {
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

// newSpread shows a component of values: the least, the greatest, and between them the curve or how many are in each range.
func newSpread(name string, k int, c *values.Component, curve *values.Band) *drawn {
	d := &drawn{high: 24, ink: theme.ColorNamePrimary, texts: []string{name, shortNumber(c.Min), shortNumber(c.Max)}}
	if k < 3 && name != "" {
		d.ink = []fyne.ThemeColorName{look.X, look.Y, look.Z}[k]
	}
	d.paint = func(p kit.Pen, w, h int) { paintCounts(p, w, h, c.Histogram.Counts, kit.Paint(d.ink)) }
	if curve != nil {
		d.high = 44
		d.paint = func(p kit.Pen, w, h int) { paintCurve(p, w, h, curve, kit.Paint(d.ink)) }
	}
	d.ExtendBaseWidget(d)
	return d
}

// paintCounts paints a histogram.
func paintCounts(p kit.Pen, w, h int, counts []int64, ink color.Color) {
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
		p.Fill(from, h-1-high, to, h-1, ink)
	}
	p.Fill(0, h-1, w, h, kit.Paint(theme.ColorNameSeparator))
}

// paintCurve paints the first component of values in their order.
func paintCurve(p kit.Pen, w, h int, b *values.Band, ink color.Color) {
	low, high := math.Inf(1), math.Inf(-1)
	for i := range b.Low[0] {
		if !math.IsNaN(b.Low[0][i]) {
			low, high = min(low, b.Low[0][i]), max(high, b.High[0][i])
		}
	}
	level := func(v float64) int {
		if high <= low {
			return h / 2
		}
		return int((high - v) / (high - low) * float64(h-3))
	}
	n, before := len(b.Low[0]), -1
	for x := range w {
		i := min(x*n/max(w, 1), n-1)
		if math.IsNaN(b.Low[0][i]) {
			before = -1
			continue
		}
		top, bottom := level(b.High[0][i]), level(b.Low[0][i])
		if before >= 0 {
			top, bottom = min(top, before), max(bottom, before)
		}
		p.Fill(x, top, x+1, bottom+2, ink)
		before = level(b.Low[0][i])
	}
}

// newStrip draws a source as a strip with its sections, and marks spans. Without spans the sections are in full colour.
func newStrip(src *model.Source, sections []profile.Section, spans []model.Span) *drawn {
	d := &drawn{high: 8, paint: func(p kit.Pen, w, h int) {
		const least = 3 // pixels, however short the span
		at := func(off int64) int { return int(float64(off) / float64(max(src.Size(), 1)) * float64(w)) }
		p.Fill(0, 0, w, h, kit.Paint(look.Share))
		for k, s := range sections {
			ink := kit.Paint(sectionInk(&s, k))
			if len(spans) > 0 {
				ink = kit.Mix(kit.Paint(theme.ColorNameBackground), ink, 1)
			}
			p.Fill(at(s.At.Off), 0, max(at(s.At.End()), at(s.At.Off)+1), h, ink)
		}
		for _, s := range spans[:min(len(spans), mostSpans)] {
			from := min(at(s.Off), w-least)
			p.Fill(from, 0, max(at(s.End()), from+least), h, kit.Paint(theme.ColorNamePrimary))
		}
	}}
	if len(spans) == 0 {
		d.high = 12
	}
	d.ExtendBaseWidget(d)
	return d
}

// newLegend names the largest sections in their colours.
func newLegend(sections []profile.Section) fyne.CanvasObject {
	const most = 8
	flow := kit.Flow(nil)
	for k, s := range sections[:min(len(sections), most)] {
		square := canvas.NewRectangle(kit.Paint(sectionInk(&s, k)))
		square.SetMinSize(fyne.NewSquareSize(9))
		flow.Add(container.NewHBox(container.NewCenter(square), kit.NewLine(s.Place.Node.Name, fyne.TextStyle{}, theme.ColorNameForeground, theme.SizeNameCaptionText),
			kit.NewLine(model.Grouped(s.At.Len), fyne.TextStyle{Monospace: true}, theme.ColorNamePlaceHolder, theme.SizeNameCaptionText)))
	}
	return flow
}

// newBar shows a link, a bar as long as a part of the file, and its bytes.
func newBar(link fyne.CanvasObject, bytes int64, part float32) fyne.CanvasObject {
	bar := &drawn{high: 8, paint: func(p kit.Pen, w, h int) {
		p.Fill(0, 0, w, h, kit.Paint(theme.ColorNameInputBackground))
		p.Fill(0, 0, max(int(part*float32(w)), 1), h, kit.Paint(theme.ColorNamePrimary))
	}}
	bar.ExtendBaseWidget(bar)
	number := kit.NewLine(model.Grouped(bytes), fyne.TextStyle{Monospace: true}, theme.ColorNameForeground, theme.SizeNameCaptionText)
	return container.New(barred{}, link, bar, number)
}

// barred lays out a link, a bar and a number in columns.
type barred struct{}

func (barred) Layout(o []fyne.CanvasObject, size fyne.Size) {
	high := o[1].MinSize().Height
	name, bar := 0.44*size.Width, size.Width-numberWide
	kit.Put(o[0], 0, 0, min(o[0].MinSize().Width, name-drawnGap), size.Height)
	kit.Put(o[1], name, (size.Height-high)/2, max(bar-name-drawnGap, 0), high)
	wide := min(o[2].MinSize().Width, numberWide)
	kit.Put(o[2], size.Width-wide, (size.Height-o[2].MinSize().Height)/2, wide, o[2].MinSize().Height)
}

func (barred) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(0, o[0].MinSize().Height)
}
