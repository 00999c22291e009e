package hexview

import (
	"image"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// renderer shows the raster that everything is painted on, and the tooltip over it.
type renderer struct{ v *View }

// CreateRenderer implements fyne.Widget.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	v.ExtendBaseWidget(v)
	v.applyTheme()
	return renderer{v}
}

func (r renderer) Destroy() {
	r.v.tip.stop()
	r.v.tip.forget()
}

// Layout is also called when the tooltip's text changes, which must not hide it.
func (r renderer) Layout(size fyne.Size) {
	if size == r.v.raster.Size() {
		return
	}
	r.v.hideTip()
	r.v.raster.Resize(size)
	r.v.relayout()
}

// MinSize is small, so that dividers can be moved freely; what does not fit is scrolled.
func (r renderer) MinSize() fyne.Size { return fyne.NewSize(160, 80) }

func (r renderer) Objects() []fyne.CanvasObject { return r.v.tip.objects(r.v.raster) }

// Refresh is called by Fyne when the theme changes.
func (r renderer) Refresh() {
	r.v.applyTheme()
	r.v.relayout()
}

// applyTheme takes font and colours from the theme.
func (v *View) applyTheme() {
	v.painter.setFont(v.Theme().Font(fyne.TextStyle{Monospace: true}).Content(), theme.DefaultTextMonospaceFont().Content())
	v.painter.setPalette(themePalette(v.Theme(), fyne.CurrentApp().Settings().ThemeVariant()))
	v.tip.applyTheme(v)
}

// relayout makes the grid for the view's present size. The first byte in sight stays in the first row.
func (v *View) relayout() {
	size := v.raster.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	scale := 1.0
	if v.grid != nil {
		scale = v.grid.scale
	} else if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		scale = float64(c.Scale())
	}
	px := func(dp float32) int { return int(math.Ceil(float64(dp) * scale)) }
	v.setGrid(px(size.Width), px(size.Height), scale)
	v.redraw()
}

func (v *View) setGrid(w, h int, scale float64) {
	cell := v.painter.face.cells(float64(v.Theme().Size(theme.SizeNameText)) * scale)
	var first int64
	if v.grid != nil {
		first = v.top * int64(v.grid.cols)
	}
	mode := v.mode
	mode.HideProfile = mode.HideProfile || !v.Profiled
	g := newGrid(w, h, scale, cell, v.size, mode)
	v.grid = g
	v.top = min(first/int64(g.cols), g.lastTop())
	v.left = min(v.left, g.lastLeft())
	v.stale = true
	if v.reveal != (Range{}) {
		v.doReveal()
	}
}

// generate paints the view; Fyne calls it for each frame in which the raster has changed. The picture is used again
// for the next frame: by then it has been uploaded.
func (v *View) generate(w, h int) image.Image {
	if w <= 0 || h <= 0 {
		return image.NewRGBA(image.Rectangle{})
	}
	scale := pixelScale(w, v.raster.Size().Width)
	if v.grid == nil || v.grid.w != w || v.grid.h != h || v.grid.scale != scale {
		v.setGrid(w, h, scale)
	}
	if v.img == nil || v.img.Rect.Dx() != w || v.img.Rect.Dy() != h {
		v.img = image.NewRGBA(image.Rect(0, 0, w, h))
	}
	v.compose()
	v.painter.Paint(v.img, &v.scene)
	return v.img
}

// pixelScale is how many pixels the unit has. Fyne rounds the width up to whole pixels; its scales are multiples of a
// twentieth, so rounding finds the true one.
func pixelScale(px int, dp float32) float64 {
	if dp <= 0 {
		return 1
	}
	return math.Max(0.25, math.Round(float64(px)/float64(dp)*20)/20)
}

// compose brings the scene up to date: the bytes in sight and what is marked among them.
func (v *View) compose() {
	s := &v.scene
	s.grid, s.top, s.left = v.grid, v.top, v.left
	first, n := v.VisibleBytes()
	s.first = first
	before := min(first, contextBefore)
	data, state := v.loader.view(first-before, int(min(before+n+contextAfter, v.size-first+before)))
	if n > 0 {
		s.data, s.state = data[before:before+n], state[before:before+n]
	} else {
		s.data, s.state = nil, nil
	}
	s.over = s.over[:0]
	if v.over != nil {
		v.over.Apply(data, first-before)
		v.over.Each(first, first+n, func(off int64, now []byte) { s.over = append(s.over, Range{off, int64(len(now))}) })
	}
	s.typing = v.typing
	s.selected, s.parent, s.mapped, s.kept = v.selected, v.parent, v.mapped, v.kept
	s.lit, s.hover = v.lit, v.tip.lit
	off, length := v.Selection()
	s.picked = Range{off, length}
	s.cursor, s.focused = v.cursor, v.focused
	s.segments = v.segments
	s.barHover = v.mouse.part
	s.message = ""
	switch {
	case v.src == nil:
		s.message = "nothing to show"
	case v.size == 0:
		s.message = "empty: 0 bytes"
	}
	if v.stale {
		s.bands, s.flaws, s.matches = s.bands[:0], s.flaws[:0], s.matches[:0]
		if v.ranges.Fields != nil && n > 0 {
			s.bands = v.ranges.Fields(s.bands, first, first+n)
		}
		if v.ranges.Flaws != nil && n > 0 {
			s.flaws = v.ranges.Flaws(s.flaws, first, first+n)
		}
		if v.ranges.Matches != nil && n > 0 {
			s.matches = v.ranges.Matches(s.matches, first, first+n)
		}
		v.stale = false
	}
	if cap(s.letters) < len(s.data) {
		s.letters = make([]letter, len(s.data))
	}
	s.letters = s.letters[:len(s.data)]
	clear(s.letters)
	v.mode.Encoding.letters(s.letters, data, int(before), first, s.bands)
}
