package ui

import (
	"context"
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
)

// plotColumns is how many columns a series is reduced to: each keeps its smallest and largest value.
const plotColumns = 1024

// plot is a series reduced to what a screen can show.
type plot struct {
	low, high  [plotColumns]float64 // NaN where a column has no point
	from, to   float64              // times
	least, top float64              // values
	points     int64
}

// reduce reads a whole series in windows. When ctx ends it returns what it has.
func reduce(ctx context.Context, s model.Series, progress model.Progress) (*plot, error) {
	n, _ := s.Points()
	p := &plot{least: math.Inf(1), top: math.Inf(-1)}
	for i := range p.low {
		p.low[i], p.high[i] = math.NaN(), math.NaN()
	}
	buf := make([]model.Point, 4096)
	for p.points < n {
		got, err := s.Read(ctx, p.points, buf[:min(int64(len(buf)), n-p.points)])
		for i, pt := range buf[:got] {
			if p.points == 0 && i == 0 {
				p.from = pt.Time
			}
			p.to = pt.Time
			p.add(int((p.points+int64(i))*plotColumns/n), pt.Value)
		}
		p.points += int64(got)
		if err != nil || got == 0 {
			return p, err
		}
		progress.Report(p.points, n, "points")
	}
	return p, nil
}

func (p *plot) add(column int, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if !(p.low[column] <= v) {
		p.low[column] = v
	}
	if !(p.high[column] >= v) {
		p.high[column] = v
	}
	p.least, p.top = min(p.least, v), max(p.top, v)
}

// draw paints the plot, w × h pixels.
func (p *plot) draw(w, h int, ink color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	span := p.top - p.least
	if w <= 0 || h <= 1 || span < 0 || math.IsInf(span, 0) {
		return img
	}
	y := func(v float64) int {
		if span == 0 {
			return h / 2
		}
		return h - 1 - int((v-p.least)/span*float64(h-1))
	}
	last := -1
	for x := range w {
		c := x * plotColumns / w
		if math.IsNaN(p.low[c]) {
			continue
		}
		from, to := y(p.high[c]), y(p.low[c])
		if last >= 0 { // joined to the column before
			from, to = min(from, last), max(to, last)
		}
		for at := from; at <= to; at++ {
			img.Set(x, at, ink)
		}
		last = y(p.low[c])
	}
	return img
}

func (d *detailsPane) seriesCard(ctx context.Context, s model.Series) fyne.CanvasObject {
	var p *plot
	raster := canvas.NewRaster(func(w, h int) image.Image {
		if p == nil {
			return image.NewRGBA(image.Rect(0, 0, w, h))
		}
		return p.draw(w, h, d.bar.Theme().Color(theme.ColorNamePrimary, fyne.CurrentApp().Settings().ThemeVariant()))
	})
	label := widget.NewLabel("reading…")
	label.Importance = widget.LowImportance
	d.later(ctx, s, func(ctx context.Context, progress model.Progress) (func(), error) {
		got, err := reduce(ctx, s, progress)
		return func() {
			p = got
			unit := s.Unit()
			label.SetText(grouped(p.points) + " points, " + model.FormatFloat(p.least, 32) + " … " + model.FormatFloat(p.top, 32) +
				" " + unit + ", time " + model.FormatFloat(p.from, 64) + " … " + model.FormatFloat(p.to, 64))
			raster.Refresh()
		}, err
	}, label)
	return container.NewBorder(label, nil, nil, nil, raster)
}
