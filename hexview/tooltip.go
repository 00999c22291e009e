package hexview

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/model"
)

// A tooltip describes the byte under the pointer and highlights a range.
type tooltip struct {
	asks latest
	gone context.CancelFunc // cancels the last request
	turn int64              // counts positions of the pointer; answers for earlier ones are dropped
	pos  fyne.Position
	lit  Range
	text string // shown now, or empty
}

// hover is called when the pointer reaches another byte, or the gutter of another row.
func (v *View) hover(off int64, p area, pos fyne.Position) {
	t := &v.tip
	t.turn++
	t.pos = pos
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
	if t.lit != lit {
		t.lit = lit
		v.redraw()
	}
	if shown := t.text != "" || text != ""; shown && v.ShowTip != nil {
		v.ShowTip(text, t.pos)
	}
	t.text = text
}

// hideTip removes tooltip and highlight, and cancels the request.
func (v *View) hideTip() {
	v.tip.turn++
	v.tip.forget()
	v.mouse.in = false
	v.explain(v.tip.turn, "", Range{})
}
