package hexview

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"

	"cutaway/model"
)

const (
	// tipDelay is the time from the rest of the pointer to the tooltip. A visible tooltip follows at once.
	tipDelay = 400 * time.Millisecond
	tipLines = 8
)

// A tooltip describes the byte under the pointer and highlights a range.
type tooltip struct {
	back  *canvas.Rectangle
	lines [tipLines]*canvas.Text
	delay time.Duration

	asks  latest
	gone  context.CancelFunc // cancels the last request
	turn  int64              // counts positions of the pointer; answers for earlier ones are dropped
	off   int64
	pos   fyne.Position
	lit   Range
	text  string
	shown bool
	timer *time.Timer
}

func (t *tooltip) init() {
	t.delay = tipDelay
	t.back = canvas.NewRectangle(nil)
	t.back.StrokeWidth = 1
	t.back.Hide()
	for i := range t.lines {
		t.lines[i] = canvas.NewText("", nil)
		t.lines[i].Hide()
	}
}

// objects returns the pane below and the tooltip over it.
func (t *tooltip) objects(below fyne.CanvasObject) []fyne.CanvasObject {
	all := []fyne.CanvasObject{below, t.back}
	for _, l := range t.lines {
		all = append(all, l)
	}
	return all
}

func (t *tooltip) applyTheme(v *View) {
	th, variant := v.Theme(), fyne.CurrentApp().Settings().ThemeVariant()
	t.back.FillColor = th.Color(theme.ColorNameOverlayBackground, variant)
	t.back.StrokeColor = th.Color(theme.ColorNamePlaceHolder, variant)
	t.back.CornerRadius = th.Size(theme.SizeNameInputRadius)
	for _, l := range t.lines {
		l.Color = th.Color(theme.ColorNameForeground, variant)
		l.TextSize = th.Size(theme.SizeNameCaptionText) + 1
	}
}

func (t *tooltip) stop() {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
}

// hover is called when the pointer reaches another byte, or the gutter of another row.
func (v *View) hover(off int64, p area, pos fyne.Position) {
	t := &v.tip
	t.turn++
	t.off, t.pos = off, pos
	turn, own := t.turn, v.ownText(off)
	switch p {
	case areaFold:
		_, fold := v.grid.rowOf(off)
		own = v.foldText(fold)
	case areaUnfold:
		own = "click to fold these bytes again"
	}
	if v.HoverText == nil || !p.bytes() {
		v.explain(turn, own, Range{})
		return
	}
	ask, src := v.HoverText, v.src
	t.forget()
	ctx, gone := context.WithCancel(v.loader.ctx)
	t.gone = gone
	t.asks.ask(func() {
		text, span := ask(ctx, off)
		v.do(func() {
			v.explain(turn, joinLines(text, own), lightOf(src, span))
		})
	})
}

// forget cancels the current request.
func (t *tooltip) forget() {
	if t.gone != nil {
		t.gone()
		t.gone = nil
	}
}

func lightOf(src *model.Source, span model.Span) Range {
	if span.Source != src {
		return Range{}
	}
	return Range{span.Off, span.Len}
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

// ownText returns the view's own lines on a byte: its file, if the source has several, and why it cannot be read.
func (v *View) ownText(off int64) string {
	var lines []string
	if s := segmentAt(v.segments, off); s != nil {
		lines = append(lines, fmt.Sprintf("%s + %#x", s.File, off-s.Start))
	}
	if err := v.loader.failedAt(off); err != nil {
		lines = append(lines, "cannot be read: "+err.Error())
	}
	return strings.Join(lines, "\n")
}

// segmentAt returns the file with the byte at off, or nil.
func segmentAt(segments []model.Segment, off int64) *model.Segment {
	i := sort.Search(len(segments), func(i int) bool { return segments[i].Start > off })
	for i--; i >= 0; i-- {
		if s := &segments[i]; s.Length > 0 {
			if off < s.Start+s.Length {
				return s
			}
			break
		}
	}
	return nil
}

// explain shows the answer for a turn.
func (v *View) explain(turn int64, text string, lit Range) {
	t := &v.tip
	if turn != t.turn {
		return
	}
	t.text = text
	if t.lit != lit {
		t.lit = lit
		v.redraw()
	}
	switch {
	case text == "":
		t.stop()
		t.conceal()
	case t.shown || t.delay == 0:
		v.showTip()
	default:
		t.stop()
		t.timer = time.AfterFunc(t.delay, func() {
			v.do(func() {
				if turn == t.turn {
					v.showTip()
				}
			})
		})
	}
}

// hideTip removes tooltip and highlight, and cancels the request.
func (v *View) hideTip() {
	t := &v.tip
	t.turn++
	t.stop()
	t.forget()
	t.conceal()
	v.mouse.in = false
	if t.lit != (Range{}) {
		t.lit = Range{}
		v.redraw()
	}
}

func (t *tooltip) conceal() {
	if !t.shown {
		return
	}
	t.shown = false
	t.back.Hide()
	for _, l := range t.lines {
		l.Hide()
	}
}

// showTip shows the tooltip inside of the view, below the pointer or, without room there, above it.
func (v *View) showTip() {
	t := &v.tip
	t.shown = true
	const pad = 6
	room := v.Size()
	lines := strings.Split(t.text, "\n")
	if len(lines) > tipLines {
		lines = lines[:tipLines]
		lines[tipLines-1] += " …"
	}
	var width, height float32
	for i, l := range t.lines {
		if i >= len(lines) {
			l.Hide()
			continue
		}
		l.Text = elide(lines[i], room.Width-4*pad, func(s string) float32 {
			return fyne.MeasureText(s, l.TextSize, l.TextStyle).Width
		})
		size := l.MinSize()
		width = max(width, size.Width)
		height += size.Height
	}
	width, height = width+2*pad, height+2*pad
	below := float32(20)
	pos := t.pos.AddXY(12, below)
	if pos.Y+height > room.Height {
		pos.Y = max(0, t.pos.Y-height-below/2)
	}
	pos.X = max(0, min(pos.X, room.Width-width-1))
	t.back.Move(pos)
	t.back.Resize(fyne.NewSize(width, height))
	t.back.Show()
	y := pos.Y + pad
	for _, l := range t.lines[:len(lines)] {
		l.Move(fyne.NewPos(pos.X+pad, y))
		l.Resize(l.MinSize())
		l.Show()
		l.Refresh()
		y += l.MinSize().Height
	}
	v.redraw() // the canvas does not know objects that were never painted, and requests no repaint
}

// elide omits the middle of s until it is at most width wide.
func elide(s string, width float32, measure func(string) float32) string {
	if measure(s) <= width {
		return s
	}
	runes := []rune(s)
	cut := func(n int) string { return string(runes[:(n+1)/2]) + "…" + string(runes[len(runes)-n/2:]) }
	n := sort.Search(utf8.RuneCountInString(s), func(n int) bool { return measure(cut(n+1)) > width })
	return cut(n)
}
