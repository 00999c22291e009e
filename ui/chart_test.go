package ui

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model"
)

func labels(ticks []tick) string {
	var all []string
	for _, t := range ticks {
		all = append(all, t.label)
	}
	return strings.Join(all, " ")
}

// TestTicks: marks stand at round values, and their labels tell them apart.
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
		if got := labels(ticksOf(c.from, c.to, c.most)); got != c.want {
			t.Errorf("%g … %g, at most %d: %q, want %q", c.from, c.to, c.most, got, c.want)
		}
	}
}

// TestReduce: each column of a curve keeps its extremes, and what is no number leaves a hole.
func TestReduce(t *testing.T) {
	s := &fakeSeries{}
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

// TestPointAt: the point at a time is found with few reads.
func TestPointAt(t *testing.T) {
	s := &fakeSeries{}
	for at, want := range map[float64]float64{-5: 0, 0: 0, 123.45: 123.4, 9999.9: 9999.9, 1e9: 9999.9} {
		if p, err := pointAt(t.Context(), s, at); err != nil || p.Time != want {
			t.Errorf("at %g: point of %g, %v; want %g", at, p.Time, err, want)
		}
	}
	if s.reads > 5*20 {
		t.Errorf("%d reads for five points", s.reads)
	}
}

// TestReduceSound: every channel has its curve; what cannot be read ends it, and the rest is kept.
func TestReduceSound(t *testing.T) {
	w, err := reduceSound(t.Context(), &fakeSound{}, nil, func(*wave) {})
	if err != nil || w.frames != 100_000 || w.channels[0].least != -1 || w.peak() != 1 || w.channels[1].top != 0 {
		t.Fatalf("%d frames, peak %g, %v", w.frames, w.peak(), err)
	}
	if w.channels[0].title != "left" || channelName(0, 1) != "" || channelName(2, 6) != "channel 2" {
		t.Error("the channels have other names")
	}
	torn := &fakeSound{broken: 50_000}
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
		img := c.paint(w, h)
		for _, x := range []int{0, 100, 250, 400, w - 1} {
			want := h - 1 - x*(h-1)/(w-1)
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

// TestSeriesLeads: a click on a plot leads to the point's node.
func TestSeriesLeads(t *testing.T) { synctest.Test(t, testSeriesLeads) }

func testSeriesLeads(t *testing.T) {
	b := newBench(t)
	s, _ := b.fake()
	s.goTo("layout/header")
	b.at(s, "layout/header")
	d := s.details
	b.until("the cards", func() bool { return len(d.cards) == 5 })
	d.choose(fixedTabs + 3)
	object := d.cardView[3].object.(*fyne.Container)
	var c *chart
	for _, o := range object.Objects {
		if one, ok := o.(*chart); ok {
			c = one
		}
	}
	b.until("the curve", func() bool { return len(c.curves) == 1 })
	c.Resize(fyne.NewSize(800, 300))
	pos, size, _ := c.plotArea()
	at := fyne.NewPos(pos.X+size.Width/2, 100)
	c.onHover(5000, chartColumns/2)
	if got := words(object); !strings.Contains(got, "at 5000") || !strings.Contains(got, "m/s") {
		t.Errorf("under the pointer: %q", got)
	}
	want, _ := pointAt(context.Background(), d.cards[3].(model.Series), 4999.95)
	c.Tapped(&fyne.PointEvent{Position: at})
	b.at(s, want.Path)
}
