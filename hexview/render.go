package hexview

import (
	"image"
	"math"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// A renderer shows the raster with the picture.
type renderer struct{ v *View }

// CreateRenderer returns the renderer of the view.
func (v *View) CreateRenderer() fyne.WidgetRenderer {
	v.ExtendBaseWidget(v)
	v.applyTheme()
	return renderer{v}
}

func (r renderer) Destroy() {
	r.v.tip.forget()
}

func (r renderer) Layout(size fyne.Size) {
	if size = r.v.wholePixels(size); size == r.v.raster.Size() {
		return
	}
	r.v.hideTip()
	r.v.raster.Resize(size)
	r.v.relayout()
}

// wholePixels returns the size rounded up to whole pixels of the screen: Fyne stretches a raster that begins inside of
// a pixel over one more, or leaves one out.
func (v *View) wholePixels(size fyne.Size) fyne.Size {
	scale := float32(v.scale())
	whole := func(dp float32) float32 { return float32(math.Ceil(float64(dp*scale)-0.01)) / scale }
	return fyne.NewSize(whole(size.Width), whole(size.Height))
}

// scale returns the number of pixels of the screen per unit of Fyne.
func (v *View) scale() float64 {
	if v.grid != nil {
		return v.grid.scale
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		return float64(c.Scale())
	}
	return 1
}

// MinSize returns a small size, so that dividers can be moved freely; the rest is scrolled.
func (r renderer) MinSize() fyne.Size { return fyne.NewSize(160, 48) }

func (r renderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.v.raster} }

// Refresh is called by Fyne when the theme changes.
func (r renderer) Refresh() {
	r.v.applyTheme()
	r.v.relayout()
}

// applyTheme sets font and colours from the theme.
func (v *View) applyTheme() {
	v.painter.setFont(v.Theme().Font(fyne.TextStyle{Monospace: true}).Content(), theme.DefaultTextMonospaceFont().Content())
	v.painter.setPalette(themePalette(v.Theme(), fyne.CurrentApp().Settings().ThemeVariant()))
}

// relayout makes the grid for the view's current size. The first visible byte stays in the first row.
func (v *View) relayout() {
	size := v.raster.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	scale := v.scale()
	px := func(dp float32) int { return int(math.Ceil(float64(dp) * scale)) }
	v.setGrid(px(size.Width), px(size.Height), scale)
	v.redraw()
}

func (v *View) setGrid(w, h int, scale float64) {
	cell := v.painter.face.cells(float64(v.Theme().Size(theme.SizeNameText)) * scale)
	var first int64
	inSight := false // the last revealed bytes
	if v.grid != nil {
		first, _ = v.grid.offsetOf(v.top)
		row, _ := v.grid.rowOf(v.clamp(v.wanted.Off))
		inSight = v.wanted.Len > 0 && row >= v.top && row < v.top+int64(v.grid.full)
	}
	mode := v.mode
	mode.HideProfile = mode.HideProfile || !v.Profiled
	g := newGrid(w, h, scale, cell, v.size, mode)
	v.grid = g
	v.foldGrid()
	v.top, _ = g.rowOf(v.clamp(first))
	if row, _ := g.rowOf(v.clamp(v.wanted.Off)); inSight { // they stay visible in a lower pane
		v.top = max(v.top, row-int64(g.full)+1)
	}
	v.top = min(v.top, g.lastTop())
	v.left = min(v.left, g.lastLeft())
	v.stale = true
	if v.reveal != (Range{}) {
		v.doReveal()
	}
}

// generate paints the view. Fyne calls it for each frame after a change of the raster. The picture is reused for the
// next frame, after it was uploaded.
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

// pixelScale returns the number of pixels per unit. Fyne rounds the width up to whole pixels; its scales are multiples
// of a twentieth, so rounding returns the exact one.
func pixelScale(px int, dp float32) float64 {
	if dp <= 0 {
		return 1
	}
	return math.Max(0.25, math.Round(float64(px)/float64(dp)*20)/20)
}

// compose updates the scene: the visible bytes and their marks.
func (v *View) compose() {
	s := &v.scene
	s.grid, s.top, s.left = v.grid, v.top, v.left
	first, n := v.VisibleBytes()
	s.seen = Range{first, n}
	if v.stale {
		v.cut()
		v.stale = false
	}
	v.loader.begin()
	s.room.letters, s.room.over = s.room.letters[:0], s.room.over[:0]
	for i := range s.runs {
		v.fill(&s.runs[i])
	}
	s.typing = v.typing
	s.selected, s.mapped, s.kept = v.selected, v.mapped, v.kept
	s.lit, s.hover = v.lit, v.tip.lit
	off, length := v.Selection()
	s.picked = Range{off, length}
	s.cursor, s.focused = v.cursor, v.focused
	s.segments = v.segments
	s.barHover, s.pointed = v.mouse.area, -1
	if v.mouse.area == areaFold {
		s.pointed = v.mouse.off
	}
	s.message = ""
	switch {
	case v.src == nil:
		s.message = "Nothing to show."
	case v.size == 0:
		s.message = "There are no bytes."
	}
}

// cut computes the visible runs of rows, the folds between them, and the marks.
func (v *View) cut() {
	s, g := &v.scene, v.grid
	b := &s.room
	s.runs, s.folds = s.runs[:0], s.folds[:0]
	b.ranges, b.bands, b.flaws, b.matches = b.ranges[:0], b.bands[:0], b.flaws[:0], b.matches[:0]
	for row := 0; row < g.shown; {
		first, fold := g.offsetOf(v.top + int64(row))
		if first >= g.size {
			break
		}
		if fold != nil {
			s.folds = append(s.folds, v.foldRow(row, fold))
			row++
			continue
		}
		rows := g.rowsTo(v.top+int64(row), g.shown-row)
		n := min(int64(rows*g.cols), g.size-first)
		s.runs = append(s.runs, rowRun{row: row, first: first, n: int(n)})
		b.ranges = append(b.ranges, Range{first, n})
		row += rows
	}
	if v.ranges.Fields != nil && len(b.ranges) > 0 {
		b.bands = v.ranges.Fields(b.bands, b.ranges)
	}
	for i := range s.runs {
		v.mark(&s.runs[i])
	}
}

// mark sets the marks of a run.
func (v *View) mark(p *rowRun) {
	b := &v.scene.room
	last := p.first + int64(p.n)
	from := sort.Search(len(b.bands), func(i int) bool { return b.bands[i].End() > p.first })
	to := sort.Search(len(b.bands), func(i int) bool { return b.bands[i].Off >= last })
	p.bands = b.bands[from:max(from, to)]
	if v.ranges.Flaws != nil {
		from := len(b.flaws)
		b.flaws = v.ranges.Flaws(b.flaws, p.first, last)
		p.flaws = b.flaws[from:]
	}
	if v.ranges.Matches != nil {
		from := len(b.matches)
		b.matches = v.ranges.Matches(b.matches, p.first, last)
		p.matches = b.matches[from:]
	}
}

// fill updates the bytes of a run, and their letters.
func (v *View) fill(p *rowRun) {
	b, n := &v.scene.room, int64(p.n)
	before := min(p.first, contextBefore)
	data, state := v.loader.view(p.first-before, int(min(before+n+contextAfter, v.size-p.first+before)))
	p.data, p.state = data[before:before+n], state[before:before+n]
	from := len(b.over)
	if v.over != nil {
		v.over.Apply(data, p.first-before)
		v.over.Each(p.first, p.first+n, func(off int64, now []byte) { b.over = append(b.over, Range{off, int64(len(now))}) })
	}
	p.over = b.over[from:]
	at := len(b.letters)
	b.letters = slices.Grow(b.letters, p.n)[:at+p.n]
	p.letters = b.letters[at:]
	clear(p.letters)
	v.mode.Encoding.letters(p.letters, data, int(before), p.first, p.bands)
}
