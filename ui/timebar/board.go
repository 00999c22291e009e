package timebar

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"sort"
	"strconv"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/timeline"
	"cutaway/ui/kit"
)

// board draws the tracks below one another over a ruler.
type board struct {
	widget.BaseWidget
	p        *Pane
	from, to float64 // the times in sight
	first    int     // the first track in sight
	counted  int     // how many tracks were in sight when their moments were counted
	laid     string  // what was in sight when it was laid out last
	hover    float64 // the time under the pointer, or NaN
	along    bool    // a drag that began in the ruler
	scrolls  bool    // a drag that began beside the tracks, where the thumb is
	dragging bool
	focused  bool
	thumb    *canvas.Rectangle // which of the tracks are in sight

	raster *canvas.Raster
	mu     sync.Mutex // the raster is painted elsewhere
	rows   map[*timeline.Index]density
	scene  scene
}

// density is the numbers of moments of a track in equal parts of a range of time.
type density struct {
	from, to float64
	counts   []int64
	most     int64
}

// densityOf counts the moments of tracks together. A track that cannot be read has none.
func densityOf(ctx context.Context, tracks []*timeline.Index, from, to float64) density {
	d := density{from: from, to: to, counts: make([]int64, parts)}
	of := make([]int64, parts)
	for _, x := range tracks {
		if x.Density(ctx, from, to, of) != nil {
			continue
		}
		for i, n := range of {
			d.counts[i] += n
			d.most = max(d.most, d.counts[i])
		}
	}
	return d
}

// scene is the content of the raster.
type scene struct {
	width    float32
	from, to float64
	rows     []painted
	at       float64 // of the selected moment, or NaN
	of       *timeline.Index
	hover    float64
	focused  bool
}

type painted struct {
	index *timeline.Index
	density
}

// Measures in Fyne's units.
const (
	fewRows, manyRows = 5, 8 // in sight at once, in a window of the usual height and in a high one
	highWindow        = 1000
	thumbWidth        = 4
	mostNames         = 190 // the width of their names
	parts             = 1024
	leastZoom         = 1e-9 // of the time itself: closer, numbers have no digits left
)

func newBoard(p *Pane) *board {
	b := &board{p: p, hover: math.NaN(), thumb: &canvas.Rectangle{CornerRadius: thumbWidth / 2}, rows: map[*timeline.Index]density{}}
	b.raster = canvas.NewRaster(b.paint)
	b.ExtendBaseWidget(b)
	return b
}

func rowHeight() float32 { return kit.CaptionSize("Mg", fyne.TextStyle{}).Height + 3 }

// mostRows returns the number of tracks that are in sight at once.
func (b *board) mostRows() int {
	if b.p.Win.Canvas().Size().Height >= highWindow {
		return manyRows
	}
	return fewRows
}

// inSight returns the tracks that have a row.
func (b *board) inSight() []*timeline.Index {
	all, most := b.p.Tracks, b.mostRows()
	b.first = max(min(b.first, len(all)-most), 0)
	return all[b.first:min(b.first+most, len(all))]
}

// sightText returns the numbers of the tracks in sight, or "" if all or none are.
func (b *board) sightText() string {
	rows := len(b.inSight())
	if rows == len(b.p.Tracks) || !b.Visible() || b.p.isLow() {
		return ""
	}
	return fmt.Sprintf("%d…%d of %d", b.first+1, b.first+rows, len(b.p.Tracks))
}

// scrollTo brings tracks into sight from one on.
func (b *board) scrollTo(first int) {
	b.first = first
	b.read()
	b.p.describe(nil, math.NaN())
}

// area returns the bounds of tracks and ruler.
func (b *board) area() (x, width float32) {
	for _, t := range b.p.Tracks {
		x = max(x, min(kit.CaptionSize(t.Track.Title(), fyne.TextStyle{}).Width, mostNames))
	}
	x += 20
	return x, max(b.Size().Width-x-10, 1)
}

// showAll brings all times into sight.
func (b *board) showAll() { b.showRange(timeline.Range(b.p.Tracks)) }

func (b *board) showRange(from, to float64) {
	const margin = 0.01 // of the whole, so that the first and the last are seen
	b.show(from-margin*(to-from), to+margin*(to-from))
}

// show brings a stretch of time into sight.
func (b *board) show(from, to float64) {
	if from == to {
		from, to = from-0.5, to+0.5
	}
	b.from, b.to = from, to
	b.read()
}

// read counts the moments in sight in the background, and draws.
func (b *board) read() {
	b.Refresh()
	rows, from, to := b.inSight(), b.from, b.to
	b.counted = len(rows)
	if len(rows) == 0 || !(from < to) || !b.Visible() {
		return
	}
	b.p.Tasks.Go(b.p.counts.Next(b.p.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		got := make(map[*timeline.Index]density, len(rows))
		for _, x := range rows {
			got[x] = densityOf(ctx, []*timeline.Index{x}, from, to)
		}
		return func() {
			b.mu.Lock()
			b.rows = got
			b.mu.Unlock()
			b.Refresh()
		}
	})
}

// reveal brings a moment into sight: its time and its track.
func (b *board) reveal(s *timeline.Stop) {
	b.rowTo(s.Track)
	if t := s.Moment.Time; t < b.from || t > b.to {
		half := (b.to - b.from) / 2
		b.from, b.to = t-half, t+half
	}
	b.read()
}

// rowTo scrolls to a track that is out of sight.
func (b *board) rowTo(x *timeline.Index) {
	most := b.mostRows()
	if i := slices.Index(b.p.Tracks, x); i >= 0 && (i < b.first || i >= b.first+most) {
		b.first = i - most/2
	}
}

// timeAt returns the time at a place; ok is false beside the tracks.
func (b *board) timeAt(x float32) (t float64, ok bool) {
	left, width := b.area()
	part := float64((x - left) / width)
	return b.from + min(max(part, 0), 1)*(b.to-b.from), part >= 0 && part <= 1 && b.from < b.to
}

// rowAt returns the track at a height, or nil.
func (b *board) rowAt(y float32) *timeline.Index {
	rows := b.inSight()
	if i := int(y / rowHeight()); i >= 0 && i < len(rows) {
		return rows[i]
	}
	return nil
}

// timeText returns a time with the decimals that a pixel can show.
func (b *board) timeText(t float64) string { return timeText(t, b.to-b.from) }

// timeText returns a time with as many decimals as the parts of a stretch of time differ in.
func timeText(t, stretch float64) string {
	decimals := max(0, min(9, int(math.Ceil(-math.Log10(stretch/parts)))))
	return strconv.FormatFloat(t, 'f', decimals, 64)
}

// Tapped selects the nearest moment of the track there, or in the ruler that of the selected track.
func (b *board) Tapped(e *fyne.PointEvent) {
	b.p.Focus(b)
	if t, ok := b.timeAt(e.Position.X); ok {
		b.p.GoToTime(b.rowAt(e.Position.Y), t)
	}
}

// Scrolled zooms around the pointer, or over the names scrolls the tracks.
func (b *board) Scrolled(e *fyne.ScrollEvent) {
	const notch = 10
	steps := float64(e.Scrolled.DY+e.Scrolled.DX) / notch
	t, ok := b.timeAt(e.Position.X)
	if !ok {
		b.scrollTo(b.first - int(math.Copysign(1, steps)))
		return
	}
	b.zoom(t, steps)
}

// zoom shows less time around one, or with steps below 0 more.
func (b *board) zoom(t, steps float64) {
	s := b.sight().Zoom(t, steps, leastZoom*max(math.Abs(t), 1))
	b.show(s.From, s.To)
}

// sight returns the times in sight, within all times and a margin.
func (b *board) sight() kit.Sight {
	least, most := timeline.Range(b.p.Tracks)
	margin := max(most-least, 1e-9) / 10
	return kit.Sight{From: b.from, To: b.to, Least: min(least-margin, b.from), Most: max(most+margin, b.to)}
}

// Dragged moves along time. A drag from the ruler selects the moments that it passes, one from the thumb scrolls the tracks.
func (b *board) Dragged(e *fyne.DragEvent) {
	x, width := b.area()
	if !b.dragging {
		b.dragging, b.along, b.scrolls = true, b.rowAt(e.Position.Y) == nil, e.Position.X-e.Dragged.DX > x+width
	}
	if b.scrolls {
		rows := len(b.inSight())
		b.scrollTo(int(e.Position.Y/rowHeight()/float32(rows)*float32(len(b.p.Tracks))) - rows/2)
		return
	}
	if b.along {
		t, _ := b.timeAt(e.Position.X)
		b.hover = t
		b.p.GoToTime(nil, t)
		return
	}
	s := b.sight().Pan(float64(e.Dragged.DX / width))
	b.show(s.From, s.To)
}

func (b *board) DragEnd() { b.dragging = false }

func (b *board) MouseIn(e *desktop.MouseEvent) { b.MouseMoved(e) }

func (b *board) MouseMoved(e *desktop.MouseEvent) {
	t, ok := b.timeAt(e.Position.X)
	if !ok {
		t = math.NaN()
	}
	b.hover = t
	b.p.describe(b.rowAt(e.Position.Y), t)
	b.Refresh()
}

func (b *board) MouseOut() {
	b.hover = math.NaN()
	b.p.describe(nil, b.hover)
	b.Refresh()
}

func (b *board) CreateRenderer() fyne.WidgetRenderer {
	return &boardRenderer{kit.NewDrawing(b, b.raster, fyne.Size{}, b.arrange), b}
}

// lowWindow is the height in Fyne's units below which a window has room for the head of the bar only, and for a few rows of its list.
const lowWindow = 560

func (p *Pane) isLow() bool { return p.Win.Canvas().Size().Height < lowWindow }

// boardRenderer is as high as the tracks need, and gives way in a low window.
type boardRenderer struct {
	*kit.Drawing
	b *board
}

func (r *boardRenderer) MinSize() fyne.Size {
	if r.b.p.isLow() {
		return fyne.NewSize(200, 0)
	}
	return fyne.NewSize(200, rowHeight()*float32(len(r.b.inSight())+1)+4)
}

// Layout follows the height of the window, by which other tracks come into sight.
func (r *boardRenderer) Layout(size fyne.Size) {
	r.Drawing.Layout(size)
	b := r.b
	if len(b.inSight()) > b.counted {
		b.read()
	}
	if is := b.sightText() + strconv.FormatBool(b.p.isLow()); is != b.laid {
		b.laid = is
		b.p.describe(nil, math.NaN())
	}
}

// arrange places the raster over the whole width, the names, the labels of the ruler, and the thumb.
func (b *board) arrange(size fyne.Size) (texts []fyne.CanvasObject) {
	x, width := b.area()
	rows := b.inSight()
	kit.PutRaster(b, b.raster, x, 0, width, size.Height)
	if size.Height < rowHeight() || len(rows) == 0 {
		return nil
	}
	s := scene{width: width, from: b.from, to: b.to, at: math.NaN(), hover: b.hover, focused: b.focused}
	s.of = b.selected()
	if b.p.At != nil {
		s.at = b.p.At.Moment.Time
	}
	b.mu.Lock()
	for _, t := range rows {
		s.rows = append(s.rows, painted{t, b.rows[t]})
	}
	b.scene = s
	b.mu.Unlock()
	for i, t := range rows {
		style, ink := fyne.TextStyle{}, theme.ColorNamePlaceHolder
		if t == s.of {
			ink = theme.ColorNameForeground
		}
		texts = append(texts, kit.Caption(fittingEnd(t.Track.Title(), x-12), style, ink, 10, float32(i)*rowHeight()+1, x-12))
	}
	mono, ruler := fyne.TextStyle{Monospace: true}, float32(len(rows))*rowHeight()+2
	texts = append(texts, kit.Caption(b.p.unit(), fyne.TextStyle{}, theme.ColorNamePlaceHolder, 10, ruler, x-12))
	for _, t := range kit.FittingTicks(b.from, b.to, width) {
		w := kit.CaptionSize(t.Label, mono).Width
		at := x + width*float32((t.At-b.from)/(b.to-b.from))
		texts = append(texts, kit.Caption(t.Label, mono, theme.ColorNamePlaceHolder, min(max(at-w/2, x), x+width-w), ruler, w))
	}
	if all := len(b.p.Tracks); len(rows) < all {
		each := float32(len(rows)) * rowHeight() / float32(all)
		b.thumb.FillColor = kit.Paint(theme.ColorNameScrollBar)
		kit.Put(b.thumb, size.Width-thumbWidth-2, each*float32(b.first), thumbWidth, each*float32(len(rows)))
		texts = append(texts, b.thumb)
	}
	return texts
}

// fittingEnd returns a name, or as much of its end as fits: names of tracks begin alike.
func fittingEnd(name string, width float32) string {
	wide := func(s string) float32 { return kit.CaptionSize(s, fyne.TextStyle{}).Width }
	runes := []rune(name)
	for n := 0; wide(name) > width && n < len(runes); n++ {
		name = "…" + string(runes[n+1:])
	}
	return name
}

// paint draws a row for each track with its density and gaps, the ticks, and the selected moment.
func (b *board) paint(w, h int) image.Image {
	b.mu.Lock()
	s := b.scene
	b.mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if s.width <= 0 || !(s.from < s.to) {
		return img
	}
	scale := float64(w) / float64(s.width)
	p := kit.Pen{Img: img, Width: max(1, int(scale+0.25))}
	at := func(t float64) int { return int(math.Round((t - s.from) / (s.to - s.from) * float64(w-p.Width))) }
	height := float64(rowHeight()) * scale
	grid, ink, gap := kit.GridInk(), kit.Paint(theme.ColorNamePrimary), kit.Paint(theme.ColorNameWarning)
	bottom := int(float64(len(s.rows)) * height)
	for _, t := range kit.FittingTicks(s.from, s.to, s.width) {
		p.Fill(at(t.At), 0, at(t.At)+p.Width, bottom+2*p.Width, grid)
	}
	for i, row := range s.rows {
		top, end := int(float64(i)*height)+p.Width, int(float64(i+1)*height)-p.Width
		if row.index == s.of {
			p.Fill(0, top-p.Width, w, end+p.Width, kit.Paint(theme.ColorNameHover))
		}
		row.paintGaps(p, s, at, top, end, gap)
		row.paint(p, at, top, end, ink)
		if row.index.Facts.First < s.from {
			paintBeyond(p, 0, 1, (top+end)/2, ink)
		}
		if row.index.Facts.Last > s.to {
			paintBeyond(p, w-1, -1, (top+end)/2, ink)
		}
		p.Fill(0, end, w, end+p.Width, grid)
	}
	if s.hover == s.hover {
		p.Fill(at(s.hover), 0, at(s.hover)+p.Width, bottom, kit.Paint(theme.ColorNamePlaceHolder))
	}
	if s.at == s.at {
		p.Fill(at(s.at), 0, at(s.at)+2*p.Width, bottom+4*p.Width, kit.Paint(theme.ColorNameForeground))
	}
	if s.focused {
		p.Frame(img.Rect, kit.Paint(theme.ColorNameFocus))
	}
	return img
}

// paint draws a bar for each part of the time that has moments, the higher the more they are.
func (r *density) paint(p kit.Pen, at func(float64) int, top, end int, ink color.Color) {
	n := float64(len(r.counts))
	for i, count := range r.counts {
		if count == 0 {
			continue
		}
		x0 := at(r.from + (float64(i)+0.5)/n*(r.to-r.from))
		x1 := max(at(r.from+(float64(i)+1.5)/n*(r.to-r.from)), x0+p.Width)
		if r.most == 1 {
			x1 = x0 + p.Width // they are apart, and are seen so
		}
		const least = 0.35 // of the height, so that a single moment is seen
		part := least + (1-least)*math.Sqrt(float64(count)/float64(r.most))
		p.Fill(x0, end-int(math.Round(part*float64(end-top))), x1, end, ink)
	}
}

// paintBeyond draws an arrow at an edge, which says that a track has moments beyond it: the tip at x, the rest to the side of inner.
func paintBeyond(p kit.Pen, x, inner, y int, ink color.Color) {
	for i := range 5 * p.Width {
		from := x + i*inner
		p.Fill(from, y-i, from+1, y+i+1, ink)
	}
}

// paintGaps draws a line where a track has longer intervals than usual.
func (r *painted) paintGaps(p kit.Pen, s scene, at func(float64) int, top, end int, ink color.Color) {
	gaps := r.index.Facts.Gaps
	first := sort.Search(len(gaps), func(i int) bool { return gaps[i].To >= s.from })
	for _, g := range gaps[first:] {
		if g.From > s.to {
			return
		}
		x0, x1 := max(at(max(g.From, s.from)), 0), at(min(g.To, s.to))
		if x1-x0 > 4*p.Width { // the density shows narrower ones
			p.Fill(x0+2*p.Width, (top+end)/2, x1-p.Width, (top+end)/2+p.Width, ink)
		}
	}
}
