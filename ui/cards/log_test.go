package cards

import (
	"fmt"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"cutaway/model/values"
)

// TestLogAxis: powers of ten are equally far apart, and what is not above 0 is at the foot.
func TestLogAxis(t *testing.T) {
	test.NewTempApp(t)
	c := newChart()
	c.Resize(fyne.NewSize(400, 300))
	c.log = true
	one := newCurve("")
	for i, v := range []float64{-5, 0, 1, 10, 100, 1000} {
		one.add(i*400, v)
	}
	c.set([]*curve{one}, 0, 1, -5, 1000)
	if c.least != 0.9 || c.top != 1000 {
		t.Fatalf("from %g to %g", c.least, c.top)
	}
	if a, b := c.part(10)-c.part(1), c.part(1000)-c.part(100); math.Abs(a-b) > 1e-9 || c.part(-5) != 0 {
		t.Errorf("a power of ten takes %g and %g, what is negative is at %g", a, b, c.part(-5))
	}
	if got := fmt.Sprint(labels(c.valueTicks())); got != "1 10 100 1000" {
		t.Errorf("ticks %s", got)
	}
}

// TestBinCurve: each range of a distribution is filled up to its count, where it is on the axis.
func TestBinCurve(t *testing.T) {
	c := binCurve(values.Distribution{From: 2, Width: 2, Counts: []int64{5, 0, 7}}, 0, 8, "")
	for _, want := range []struct {
		at   float64
		high float64
	}{{1, math.NaN()}, {3, 5}, {5, 0}, {7, 7}} {
		col := c.columns[int(want.at/8*chartColumns)]
		if got := col.first; want.high != want.high && got == got || want.high == want.high && (col.high != want.high || col.low != 0) {
			t.Errorf("at %g: %+v", want.at, col)
		}
	}
}

// TestNarrowBins: ranges that are narrower than a pixel are drawn, and told of near them: one component of an array may have one
// value, and another one a wide range.
func TestNarrowBins(t *testing.T) {
	narrow := distribution{values.Distribution{From: 3, Width: 1e-6, Counts: []int64{4}}, "[1]"}
	wide := distribution{values.Distribution{From: 0, Width: 0.5, Counts: []int64{1, 0, 0, 0, 0, 0, 9, 2}}, "[0]"}
	c := binCurve(narrow.Distribution, 0, 4, "")
	seen := 0
	for i := range c.columns {
		if c.columns[i].high == 4 {
			seen++
		}
	}
	if seen != 1 {
		t.Errorf("%d columns", seen)
	}
	for at, want := range map[float64]string{3.001: "[1] 4: 3 … 3.000001   [0] 9: 3 … 3.5", 3.2: "[0] 9: 3 … 3.5", 2.999: "[1] 4: 3 … 3.000001   [0] 0: 2.5 … 3"} {
		if got := binText([]distribution{narrow, wide}, at, 4./512); got != want {
			t.Errorf("at %g: %q, want %q", at, got, want)
		}
	}
}
