package timebar

import (
	"context"
	"image"
	"math"
	"strconv"
	"sync"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
)

// line draws the moments of all tracks in the head of the bar, while the tracks are folded. A click goes to a time.
type line struct {
	widget.BaseWidget
	p      *Pane
	counts task.Latest
	hover  float64 // the time under the pointer, or NaN

	raster *canvas.Raster
	mu     sync.Mutex // the raster is painted elsewhere
	all    density    // of all tracks; without counts before they are known
	at     float64    // the selected moment, or NaN
}

func newLine(p *Pane) *line {
	l := &line{p: p, hover: math.NaN(), at: math.NaN()}
	l.raster = canvas.NewRaster(l.paint)
	l.ExtendBaseWidget(l)
	return l
}

func (l *line) CreateRenderer() fyne.WidgetRenderer {
	return kit.NewDrawing(l, l.raster, fyne.NewSize(0, rowHeight()), l.arrange)
}

// show forgets the moments of other tracks; the range is that of the bar's tracks.
func (l *line) show(from, to float64) {
	l.counts.Stop()
	l.set(density{from: from, to: to})
}

// read draws, and counts the moments of all tracks in the background unless they are known.
func (l *line) read() {
	l.Refresh()
	tracks, from, to := l.p.Tracks, l.all.from, l.all.to
	if l.all.counts != nil || !(from < to) {
		return
	}
	l.p.Tasks.Go(l.counts.Next(l.p.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		d := densityOf(ctx, tracks, from, to)
		return func() { l.set(d) }
	})
}

// set draws the moments of all tracks.
func (l *line) set(all density) {
	l.mu.Lock()
	l.all = all
	l.mu.Unlock()
	l.Refresh()
}

// words returns the selected time, the times of all tracks, and their number or in its place the time under the pointer.
func (l *line) words() (at, times, tracks string) {
	unit := phrase.Unit(l.p.unit())
	if s := l.p.At; s != nil {
		at = model.FormatTime(s.Moment.Time) + unit
	}
	if from, to := l.all.from, l.all.to; from < to {
		const long = 12 // runes
		times = model.FormatTime(from) + " … " + model.FormatTime(to) + unit
		if utf8.RuneCountInString(times) > long {
			times = strconv.FormatFloat(to-from, 'g', 4, 64) + unit
		}
		if l.hover == l.hover {
			return at, times, timeText(l.hover, to-from) + unit
		}
	}
	return at, times, model.GroupedCount(int64(len(l.p.Tracks)), "track")
}

const lineGap = 10 // in Fyne's units, between the words and the moments

// area returns the bounds of the moments: all but the words at both sides. Without room for both, there are only the words.
func (l *line) area() (x, width float32) {
	at, times, _ := l.words()
	if at != "" {
		x = kit.CaptionSize(at, fyne.TextStyle{}).Width + lineGap
	}
	const least = 60
	width = l.Size().Width - x - kit.CaptionSize(times, fyne.TextStyle{}).Width - tracksWidth() - 2*lineGap
	if width < least {
		width = 0
	}
	return x, width
}

// tracksWidth returns the room for the number of tracks and for the time under the pointer: the moments stay where they are.
func tracksWidth() float32 { return kit.CaptionSize("0000000.000 s", fyne.TextStyle{}).Width }

// arrange places the raster between the selected time and the words on all tracks.
func (l *line) arrange(size fyne.Size) (texts []fyne.CanvasObject) {
	at, times, tracks := l.words()
	x, width := l.area()
	kit.PutRaster(l, l.raster, x, 0, width, size.Height)
	l.mu.Lock()
	l.at = math.NaN()
	if s := l.p.At; s != nil {
		l.at = s.Moment.Time
	}
	l.mu.Unlock()
	y := (size.Height - kit.CaptionSize("0", fyne.TextStyle{}).Height) / 2
	caption := func(text string, ink fyne.ThemeColorName, x, width float32) {
		texts = append(texts, kit.Caption(kit.Fitting(text, width), fyne.TextStyle{}, ink, x, y, width))
	}
	caption(at, theme.ColorNameForeground, 0, x)
	if width > 0 {
		x += width + lineGap
	}
	end := max(size.Width-tracksWidth(), x)
	caption(times, theme.ColorNamePlaceHolder, x, end-x)
	caption(tracks, theme.ColorNamePlaceHolder, end, size.Width-end)
	return texts
}

// paint draws an axis, the moments and the selected one.
func (l *line) paint(w, h int) image.Image {
	l.mu.Lock()
	d, selected := l.all, l.at
	l.mu.Unlock()
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	if !(d.from < d.to) {
		return img
	}
	p := kit.Pen{Img: img, Width: max(1, int(1/kit.Pixel(l)+0.25))}
	at := func(t float64) int { return int(math.Round((t - d.from) / (d.to - d.from) * float64(w-p.Width))) }
	p.Fill(0, h/2, w, h/2+p.Width, kit.GridInk())
	d.paint(p, at, h/4, h-h/4, kit.Paint(theme.ColorNamePrimary))
	if selected >= d.from && selected <= d.to {
		p.Fill(at(selected), 0, at(selected)+2*p.Width, h, kit.Paint(theme.ColorNameForeground))
	}
	return img
}

// timeAt returns the time at a place, or NaN beside the moments.
func (l *line) timeAt(x float32) float64 {
	left, width := l.area()
	part := float64((x - left) / width)
	if !(part >= 0 && part <= 1) {
		return math.NaN()
	}
	return l.all.from + part*(l.all.to-l.all.from)
}

// Tapped goes to the last moment up to the time there.
func (l *line) Tapped(e *fyne.PointEvent) {
	if t := l.timeAt(e.Position.X); t == t {
		l.p.goBefore(t)
	}
}

func (l *line) MouseIn(e *desktop.MouseEvent) { l.MouseMoved(e) }

func (l *line) MouseMoved(e *desktop.MouseEvent) {
	l.hover = l.timeAt(e.Position.X)
	l.Refresh()
}

func (l *line) MouseOut() {
	l.hover = math.NaN()
	l.Refresh()
}
