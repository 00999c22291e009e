package timebar_test

import (
	"slices"
	"strings"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/treeview"
)

// TestTimeBar: a view with times has a bar; its keys, clicks, ruler and field select moments, and it follows the selection.
func TestTimeBar(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/usdc/samples.usdc"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) > 0 })
		if !p.Object.Visible() || len(p.Tracks) != 7 {
			t.Fatalf("%d tracks, seen: %t", len(p.Tracks), p.Object.Visible())
		}
		s.Pane.Nav.GoTo("scene/World/.number/timeSamples/[1]")
		b.Until("the moment", func() bool { return p.At != nil && p.At.Path() == "scene/World/.number/timeSamples/[1]" })

		b.Menu("Next of this track").Action()
		b.At(s, "scene/World/.number/timeSamples/[2]")
		b.Menu("Previous of this track").Action()
		b.At(s, "scene/World/.number/timeSamples/[1]")
		b.Menu("Next of any track").Action()
		b.Until("another track", func() bool { return p.At.Track.Track.Name != "/World.number" })
		if p.At.Moment.Time != 1 {
			t.Errorf("after 1 comes %g", p.At.Moment.Time)
		}
		b.Menu("Previous of any track").Action()
		b.Idle()
		b.At(s, "scene/World/.number/timeSamples/[1]")

		p.GoToTime(nil, 9)
		b.At(s, "scene/World/.number/timeSamples/[3]")
		b.Menu("Next of this track").Action()
		b.Idle()
		b.At(s, "scene/World/.number/timeSamples/[3]")

		board := p.Object.Objects[1].(*fyne.Container).Objects[0]
		middle, right := fyne.NewPos(board.Size().Width/2, 2), fyne.NewPos(board.Size().Width-12, 2)
		test.TapAt(board.(fyne.Tappable), right)
		b.Until("the last of the first track in sight", func() bool { return p.At.Track.Track.Name != "/World.number" })
		b.At(s, p.At.Path())
		of, last := p.At.Track, p.At.Moment.Time
		if last != of.Facts.Last {
			t.Errorf("at the right end is %g, not %g", last, of.Facts.Last)
		}
		ruler := fyne.NewPos(board.Size().Width*0.15, board.Size().Height-3)
		board.(fyne.Draggable).Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: ruler}, Dragged: fyne.NewDelta(4, 0)})
		board.(fyne.Draggable).DragEnd()
		b.Idle()
		if p.At.Track != of || p.At.Moment.Time == last {
			t.Errorf("along the ruler it goes to %g of %s", p.At.Moment.Time, p.At.Track.Track.Name)
		}

		keys := board.(fyne.Focusable)
		keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
		b.Until("the first of the track", func() bool { return p.At.Track == of && p.At.Moment.Time == of.Facts.First })
		keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		b.Until("the next of the track", func() bool { return p.At.Track == of && p.At.Moment.Time > of.Facts.First })
		keys.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
		b.Until("the track below", func() bool { return p.At.Track == p.Tracks[slices.Index(p.Tracks, of)+1] })
		b.At(s, p.At.Path())
		all := labelsOf(board)
		keys.TypedRune('+')
		b.Idle()
		if labelsOf(board) == all {
			t.Error("+ does not zoom")
		}
		keys.TypedRune('0')
		b.Idle()

		before := labelsOf(board)
		board.(fyne.Scrollable).Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: middle}, Scrolled: fyne.NewDelta(0, 30)})
		b.Idle()
		if labelsOf(board) == before {
			t.Error("the wheel does not zoom")
		}

		s.Pane.ShowView(s.Pane.Doc.Views[2], true)
		if p.Object.Visible() {
			t.Error("the layout has no times, and shows some")
		}
		s.Pane.ShowView(s.Pane.Doc.Views[0], true)
		if !p.Object.Visible() {
			t.Error("the times do not come back")
		}
	})
}

// labelsOf is the texts of a drawing.
func labelsOf(o fyne.CanvasObject) string {
	var texts []string
	for _, part := range test.WidgetRenderer(o.(fyne.Widget)).Objects() {
		if t, ok := part.(*canvas.Text); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "|")
}

// TestTimeBarOfRecords: the records of a recording.
func TestTimeBarOfRecords(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/audio.vrs"})
		b.Until("times", func() bool { return len(s.Pane.Time.Tracks) > 0 })
		x := s.Pane.Time.Tracks[len(s.Pane.Time.Tracks)-1]
		s.Pane.Nav.GoTo(x.Track.Path)
		b.At(s, x.Track.Path)
		s.Pane.Time.Step(false, false)
		b.At(s, x.Track.Path+"/[0]")
		s.Pane.Time.GoToTime(x, x.Facts.Last)
		b.Until("the last record", func() bool { return s.Pane.Time.At != nil && s.Pane.Time.At.Moment.Time == x.Facts.Last })
		b.At(s, s.Pane.Time.At.Path())
	})
}

// TestTimeList: gaps, jumps of counters and drift are listed with the numbers of the command line, and lead to their records.
func TestTimeList(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/damaged-record-size-too-large.vrs"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) > 0 })
		b.Menu("Gaps and drift").Action()
		s.Pane.Nav.GoTo("streams/999-1")
		b.At(s, "streams/999-1")
		p.Step(false, false) // into its data, of which it has more than of its configuration
		b.At(s, "streams/999-1/data/[0]")
		b.Until("all that is found", func() bool {
			return strings.Contains(windowtest.Words(p.Object), "1 gap, 0 out of order, 1 jump, 2 drifts")
		})
		list := windowtest.First[*treeview.Tree](p.Object)
		var got []string
		for _, f := range p.Findings() {
			got = append(got, f.What+" | "+f.Of+" | "+f.Text)
		}
		want := []string{
			"gap | 999-1 data | 2 s long, from 2 s to 4 s",
			"jump | 999-1 data | number from 1 to 3",
			"drift | 999-1 data:timestamp | starts with 999-1 data, drifts by 0 ppm; 5 pairs, at most 0 s off that line",
			"drift | 999-1 data:number | starts 1 s before 999-1 data, drifts by 0 ppm; 5 pairs, at most 0 s off that line",
		}
		if !slices.Equal(got, want) || list.Rows() != 4 {
			t.Errorf("listed are\n%s", strings.Join(got, "\n"))
		}
		list.SelectIndex(0, false)
		b.At(s, "streams/999-1/data/[2]")
		b.Menu("Gaps and drift").Action()
		if b.W.Shell.Win.Canvas().Focused() == fyne.Focusable(list) {
			t.Error("the keyboard stays in a list that is hidden")
		}
	})
}

// TestTracksInSight: of more tracks than have room it is told which are in sight, and a high window has more of them; the wheel beside them
// and a drag of the thumb scroll.
func TestTracksInSight(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/audio.vrs"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) == 20 })
		s.Pane.Nav.GoTo("streams/999-1/data")
		b.At(s, "streams/999-1/data")
		b.Idle()
		board := p.Object.Objects[1].(*fyne.Container).Objects[0]
		sees := func(what string, rows int, text string) {
			t.Helper()
			b.Idle()
			told := false
			for part := range windowtest.All(p.Object) {
				l, ok := part.(*widget.Label)
				told = told || ok && strings.HasSuffix(l.Text, text)
			}
			if got := strings.Count(labelsOf(board), "Unit Test"); got != rows || !told {
				t.Errorf("%s: %d tracks are in sight, want %d, and %q", what, got, rows, text)
			}
		}
		sees("the first", 5, "tracks 1…5 of 20")
		right := fyne.NewPos(board.Size().Width-3, 40)
		board.(fyne.Scrollable).Scrolled(&fyne.ScrollEvent{PointEvent: fyne.PointEvent{Position: right}, Scrolled: fyne.NewDelta(0, -10)})
		sees("the wheel", 5, "tracks 2…6 of 20")
		right.Y = board.Size().Height - 2
		board.(fyne.Draggable).Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: right}, Dragged: fyne.NewDelta(0, 40)})
		board.(fyne.Draggable).DragEnd()
		sees("a drag", 5, "tracks 16…20 of 20")
		b.W.Shell.Win.Resize(fyne.NewSize(1200, 1100))
		s.Pane.Nav.GoTo("streams/999-3/data")
		b.At(s, "streams/999-3/data")
		sees("a high window", 8, "of 20")
	})
}

// TestTimesLow: the bar is one line until something with times is selected; then, with its list too, it has a third of the height at most,
// and less in a low window, where the tracks go before the list.
func TestTimesLow(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/damaged-record-size-too-large.vrs"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) > 0 })
		b.Idle()
		line := p.Object.MinSize().Height
		if p.Unfolded() || line > 50 {
			t.Errorf("at first it is %g high, unfolded %v", line, p.Unfolded())
		}
		s.Pane.Nav.GoTo("streams/999-1/data/[1]")
		b.At(s, "streams/999-1/data/[1]")
		b.Until("the moment", func() bool { return p.At != nil })
		if !p.Unfolded() || p.Object.MinSize().Height <= line {
			t.Errorf("a record leaves it %g high", p.Object.MinSize().Height)
		}
		for _, height := range []float32{1080, 860, 700} {
			b.W.Shell.Win.Resize(fyne.NewSize(1300, height))
			for range 2 {
				b.W.Shell.Win.Canvas().Capture()
				if high := p.Object.MinSize().Height; high > height/3 {
					t.Errorf("in a window of %g it is %g high", height, high)
				}
				p.ShowList()
			}
		}
	})
}

// TestTimeOfPictures: a time goes to a stream of pictures where none is selected, else to the one that is.
func TestTimeOfPictures(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/vrs/pixels.vrs"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) > 0 })
		for _, way := range [][2]string{{"streams", "/data/"}, {"streams/999-3/configuration", "streams/999-3/configuration/"}} {
			selected, want := way[0], way[1]
			s.Pane.Nav.GoTo(selected)
			b.At(s, selected)
			b.Idle()
			p.FocusField()
			b.Type("0.5\n")
			b.Idle()
			if got := s.Pane.Current().Path(); !strings.Contains(got, want) {
				t.Errorf("from %s a time leads to %s", selected, got)
			}
		}
	})
}

// TestTimesInOneLine: while the tracks are folded, the head shows the moments of all, names the time under the pointer, and a click goes
// there. Nothing moves meanwhile.
func TestTimesInOneLine(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../testdata/usdc/samples.usdc"})
		p := s.Pane.Time
		b.Until("times", func() bool { return len(p.Tracks) > 0 })
		b.W.Shell.Win.Resize(fyne.NewSize(1360, 860))
		b.Idle()
		var line fyne.Widget
		for o := range windowtest.All(p.Object.Objects[0]) {
			if w, ok := o.(desktop.Hoverable); ok && o.Visible() && strings.Contains(labelsOfAny(o), "7 tracks") {
				line = w.(fyne.Widget)
			}
		}
		if line == nil {
			t.Fatalf("the head says %q", windowtest.Words(p.Object))
		}
		first := strings.Split(labelsOf(line), "|")[1]
		if !strings.Contains(first, " … ") {
			t.Errorf("the times are %q", first)
		}
		over := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(line.Size().Width/3, 4)}}
		line.(desktop.Hoverable).MouseMoved(over)
		if got := labelsOf(line); strings.Contains(got, "tracks") || !strings.Contains(got, first) {
			t.Errorf("under the pointer it says %q", got)
		}
		line.(desktop.Hoverable).MouseOut()
		line.(fyne.Tappable).Tapped(&over.PointEvent)
		b.Until("a moment", func() bool { return p.At != nil })
		b.At(s, p.At.Path())
		if !p.Unfolded() || line.Visible() {
			t.Error("a moment is selected, and its tracks are not seen")
		}
		p.Fold()
		if at := strings.Split(labelsOf(line), "|")[0]; !line.Visible() || at != model.FormatTime(p.At.Moment.Time) {
			t.Errorf("folded again, the line says %q", labelsOf(line))
		}
	})
}

// labelsOfAny is the texts of an object that may be a drawing.
func labelsOfAny(o fyne.CanvasObject) string {
	if _, ok := o.(fyne.Widget); !ok {
		return ""
	}
	return labelsOf(o)
}
