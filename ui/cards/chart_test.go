package cards

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/uitest"
)

func labels(ticks []kit.Tick) string {
	var all []string
	for _, t := range ticks {
		all = append(all, t.Label)
	}
	return strings.Join(all, " ")
}

// TestTicks: marks are at round values, and their labels tell them apart.
func TestTicks(t *testing.T) {
	for _, c := range []struct {
		from, to float64
		most     int
		want     string
	}{
		{0, 10, 5, "0 2 4 6 8 10"}, {-1, 1, 4, "-1.0 -0.5 0.0 0.5 1.0"}, {0.013, 0.027, 4, "0.015 0.020 0.025"},
		{1600000000.25, 1600000000.75, 3, "1600000000.4 1600000000.6"}, {-3e9, 7e9, 3, "0 5000000000"}, {0, 3e-12, 3, "0 1e-12 2e-12 3e-12"},
		{5, 5, 3, ""}, {math.NaN(), 1, 3, ""}, {0, math.Inf(1), 3, ""},
	} {
		if got := labels(kit.Ticks(c.from, c.to, c.most)); got != c.want {
			t.Errorf("%g … %g, at most %d: %q, want %q", c.from, c.to, c.most, got, c.want)
		}
	}
}

// TestReduce: each column of a curve keeps its extremes, and what is no number leaves a hole.
func TestReduce(t *testing.T) {
	s := &uitest.Series{}
	p, err := reduce(t.Context(), s, nil, func(plot) {})
	if err != nil || p.points != 100_000 || p.least != -500 || p.top != 499 || p.from != 0 || p.to != 9999.9 {
		t.Fatalf("%d points, %g … %g, %g … %g, %v", p.points, p.least, p.top, p.from, p.to, err)
	}
	for i, c := range p.columns {
		if !(c.low <= c.first && c.first <= c.high && c.low <= c.last && c.last <= c.high) {
			t.Fatalf("column %d: %+v", i, c)
		}
	}
	hole := newCurve("")
	for i, v := range []float64{1, math.NaN(), 2, math.Inf(1), 3} {
		hole.add(i, v)
	}
	if hole.least != 1 || hole.top != 3 || !hole.columns[1].hole || hole.columns[2].hole || !math.IsNaN(hole.columns[3].first) {
		t.Errorf("%v", hole.columns[:5])
	}
}

// TestReduceWithin: of a zoomed curve only the points in sight are read; to those before and after it goes straight on.
func TestReduceWithin(t *testing.T) {
	s := &uitest.Series{}
	p, err := reduceWithin(t.Context(), s, 499.95, 500.25, nil)
	if err != nil || p.points != 3 || p.low != -500 || p.high != -498 || p.least != -500 || math.Abs(p.top+0.5) > 1e-6 {
		t.Fatalf("%d points, %g … %g, %v", p.points, p.least, p.top, err)
	}
	first, last := p.columns[0], p.columns[chartColumns-1]
	if math.Abs(first.first+0.5) > 1e-6 || math.Abs(last.last+497.5) > 1e-6 {
		t.Errorf("at the edges are %g and %g", first.first, last.last)
	}
	if s.Reads.Load() > 2*20+4 {
		t.Errorf("%d reads for three points", s.Reads.Load())
	}
	if p, err = reduceWithin(t.Context(), s, 500.11, 500.14, nil); err != nil || p.points != 0 || math.Abs(p.least+498.9) > 1e-6 || math.Abs(p.top+498.6) > 1e-6 {
		t.Errorf("between two points: %d points, %g … %g, %v", p.points, p.least, p.top, err)
	}
}

// TestPointAt: the point nearest to a time is found with few reads.
func TestPointAt(t *testing.T) {
	s := &uitest.Series{}
	for at, want := range map[float64]float64{-5: 0, 0: 0, 123.44: 123.4, 123.46: 123.5, 9999.9: 9999.9, 1e9: 9999.9} {
		if p, _, err := pointAt(t.Context(), s, at); err != nil || p.Time != want {
			t.Errorf("at %g: point of %g, %v; want %g", at, p.Time, err, want)
		}
	}
	if s.Reads.Load() > 6*20 {
		t.Errorf("%d reads for six points", s.Reads.Load())
	}
}

// TestReduceSound: every channel has its curve; what cannot be read ends it, and the rest is kept.
func TestReduceSound(t *testing.T) {
	w, err := reduceSound(t.Context(), &uitest.Sound{}, nil, func(*wave) {})
	if err != nil || w.frames != 100_000 || w.channels[0].least != -1 || w.peak() != 1 || w.channels[1].top != 0 {
		t.Fatalf("%d frames, peak %g, %v", w.frames, w.peak(), err)
	}
	if w.channels[0].title != "left" || channelName(0, 1) != "" || channelName(2, 6) != "channel 2" {
		t.Error("the channels have other names")
	}
	torn := &uitest.Sound{Broken: 50_000}
	w, err = reduceSound(t.Context(), torn, nil, func(*wave) {})
	if err == nil || w.frames != 50_000 || !strings.Contains(soundText(torn, w), "50,000 read so far") {
		t.Errorf("%d frames of a torn tape, %v: %s", w.frames, err, soundText(torn, w))
	}
}

// TestChartPaint: a rising line is where its values are, at any number of pixels.
func TestChartPaint(t *testing.T) {
	test.NewTempApp(t)
	for _, points := range []int{2, 100, 50_000} {
		c, line := newChart(), newCurve("")
		c.Resize(fyne.NewSize(600, 200))
		for i := range points {
			line.add(i*(chartColumns-1)/(points-1), float64(i)/float64(points-1))
		}
		c.set([]*curve{line}, 0, 1, 0, 1)
		_, size, _ := c.plotArea()
		w, h := int(size.Width), int(size.Height)
		if foot, top := c.level(0, 0, h-1), c.level(1, 0, h-1); foot != h-1 || top < 3 || top > 8 {
			t.Errorf("0 is in row %d of %d, the greatest value in row %d", foot, h, top)
		}
		img := c.paint(w, h)
		for _, x := range []int{0, 100, 250, 400, w - 1} {
			want := c.level(float64(x)/float64(w-1), 0, h-1)
			if at := darkest(img.At, x, h, c); math.Abs(float64(at-want)) > 2 {
				t.Errorf("%d points: at column %d the line is in row %d, want %d", points, x, at, want)
			}
		}
	}
}

// darkest is the row of a column that has the curve's colour.
func darkest(at func(x, y int) color.Color, x, h int, c *chart) int {
	ink := c.Theme().Color("primary", fyne.CurrentApp().Settings().ThemeVariant())
	for y := range h {
		if fmt.Sprint(at(x, y)) == fmt.Sprint(color.RGBAModel.Convert(ink)) {
			return y
		}
	}
	return -1000
}

// TestValueTicks: at two values at least the axis is marked, whatever is drawn and however low it is, and their labels do not meet.
func TestValueTicks(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		least, top float64
		log        bool
		want       string
	}{{-0.9, 0.06, false, "-0.8 0.0"}, {-0.938, 0.938, false, "-0.8 0.0 0.8"}, {2, 7, true, "2 7"}, {3, 3, false, "2 4"}, {1, 1000, true, "1 10 100 1000"}} {
		k, line := newChart(), newCurve("")
		k.log = c.log
		k.Resize(fyne.NewSize(600, 60))
		line.add(0, c.least)
		line.add(1, c.top)
		k.set([]*curve{line, line, line}, 0, 1, c.least, c.top)
		if got := labels(k.valueTicks()); got != c.want {
			t.Errorf("%g … %g: %q, want %q", c.least, c.top, got, c.want)
		}
	}
}

// TestTitleCorner: the title of a curve hides none of its points: it is where nothing is drawn.
func TestTitleCorner(t *testing.T) {
	test.NewTempApp(t)
	room := fyne.NewSize(600, 60)
	for _, c := range []struct {
		values []float64 // over the width
		below  bool
		right  bool
	}{{[]float64{0, 0, 0}, false, false}, {[]float64{1, 1, 1}, true, false}, {[]float64{1, 0, 0}, false, true}, {[]float64{1, 0, 1}, false, false}} {
		k, line := newChart(), newCurve("a title")
		for i, v := range c.values {
			line.add(i*(chartColumns-1)/(len(c.values)-1), v)
		}
		k.set([]*curve{line}, 0, 1, 0, 1)
		at := k.titles(line, fyne.Position{}, room)[0].Position()
		if below, right := at.Y > 0, at.X > 300; below != c.below || right != c.right {
			t.Errorf("of %g the title is at %v", c.values, at)
		}
	}
}

// TestChartApart: a line is between two curves, which no label crosses, and no label of the values is beside one of the time.
func TestChartApart(t *testing.T) {
	test.NewTempApp(t)
	k, line := newChart(), newCurve("a title")
	k.Resize(fyne.NewSize(600, 240))
	line.add(0, 0)
	line.add(chartColumns-1, 5)
	k.unit = "s"
	for _, curves := range [][]*curve{{line}, {line, line, line}} {
		k.set(curves, 1, 6, 0, 5)
		pos, size, _ := k.plotArea()
		var lines []float32
		objects := k.arrange(k.Size())
		for _, o := range objects {
			if o.Size().Width == k.Size().Width {
				lines = append(lines, o.Position().Y)
			}
		}
		if len(lines) != len(curves)-1 {
			t.Errorf("%d lines are between %d curves", len(lines), len(curves))
		}
		times := 0
		for _, o := range objects {
			label, is := o.(*canvas.Text)
			if !is {
				continue
			}
			top := label.Position().Y
			foot := top + label.Size().Height
			if isTime := top > pos.Y+size.Height; isTime {
				times++
				if !strings.HasSuffix(label.Text, " s") || label.Position().X < pos.X-chartPad {
					t.Errorf("%q is at %v, the curves are from %v on", label.Text, label.Position(), pos)
				}
			} else if foot > pos.Y+size.Height+chartPad/2+0.5 {
				t.Errorf("%q reaches to the labels of the time", label.Text)
			}
			for _, y := range lines {
				if top < y && foot > y {
					t.Errorf("%q is from %g to %g, a line at %g", label.Text, top, foot, y)
				}
			}
		}
		if times < 2 {
			t.Errorf("%d times", times)
		}
	}
	if k.counts = true; k.timeText(2) != "2.000" {
		t.Errorf("an axis of values has %q", k.timeText(2))
	}
}

// TestDuration: how long something lasts and how fast it is are told in a unit that keeps them short.
func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{8.0 / 48000: "167 µs", 0.25: "250 ms", 12.5: "12.5 s", 3661.25: "3,661.25 s", 0: "0 s", 1.0 / 3: "333 ms"} {
		if got := duration(seconds); got != want {
			t.Errorf("%g: %q, want %q", seconds, got, want)
		}
	}
	for f, want := range map[float64]string{48000: "48,000", 44100.5: "44,100.5", -0.5: "-0.5", -1234567: "-1,234,567", 1e300: "1e+300"} {
		if got := groupedFloat(f); got != want {
			t.Errorf("%g: %q, want %q", f, got, want)
		}
	}
	c := newChart()
	c.seconds, c.to = true, 8.0/48000
	if got := labels(c.placeTicks(400)); got != "0 µs 50 µs 100 µs 150 µs" || c.timeText(1e-4) != "100.00 µs" {
		t.Errorf("the axis has %q, a place %q", got, c.timeText(1e-4))
	}
}

// TestRowBytes: the bytes of a row are those of its cells that lie together.
func TestRowBytes(t *testing.T) {
	src, other := model.NewFileSource("a", model.BytesReader("")), model.NewFileSource("b", model.BytesReader(""))
	cell := func(s *model.Source, off, n int64) model.Cell { return model.Cell{Spans: []model.Span{s.Span(off, n)}} }
	for _, c := range []struct {
		cells    []model.Cell
		off, len int64
	}{
		{[]model.Cell{cell(src, 100, 12), cell(src, 112, 8)}, 100, 20},
		{[]model.Cell{{}, cell(src, 100, 12), cell(src, 116, 8)}, 100, 24},
		{[]model.Cell{cell(src, 100, 4), cell(src, 5000, 8), cell(other, 104, 4)}, 100, 4},
		{nil, 0, 0},
	} {
		if got := spanOf(c.cells); got.Off != c.off || got.Len != c.len {
			t.Errorf("%v, want %d+%d", got, c.off, c.len)
		}
	}
}

// TestWindowedErrors: rows before an error are there, those after it tell of it.
func TestWindowedErrors(t *testing.T) {
	reads := 0
	w := windowed[int]{read: func(first int64, dst []int) (int, error) {
		reads++
		for i := range 10 {
			dst[i] = int(first) + i
		}
		return 10, errors.New("broken")
	}}
	if v, err := w.get(9); v != 9 || err != nil {
		t.Errorf("row 9: %d, %v", v, err)
	}
	if _, err := w.get(10); err == nil {
		t.Error("row 10 is there")
	}
	if reads != 1 {
		t.Errorf("read %d times", reads)
	}
	for i := range int64(20) {
		_, _ = w.get(i * windowRows)
	}
	if len(w.kept) > 8 {
		t.Errorf("%d windows are kept", len(w.kept))
	}
}

// TestTableRow: a row has its number and the values of its cells.
func TestTableRow(t *testing.T) {
	if row := tableRow(t.Context(), readTable(t.Context(), &uitest.Table{}), 7); row.Cells[0] != "7" || row.Cells[1] != "49" {
		t.Errorf("row 7: %q", row.Cells)
	}
}
