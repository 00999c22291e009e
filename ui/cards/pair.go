package cards

import (
	"context"
	"math"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"cutaway/model"
	"cutaway/model/values"
)

// Pair draws two arrays over the numbers of their elements, the second above the first in one place, so that what differs
// sticks out; components have places of their own, and one axis of values.
type Pair struct {
	Object fyne.CanvasObject
	chart  *chart
}

// NewPair makes a pair that shows nothing yet.
func NewPair() *Pair {
	c := newChart()
	c.apart = 1
	return &Pair{c, c}
}

// Drawn is two arrays as a Pair draws them.
type Drawn struct {
	curves     []*curve
	end        float64
	least, top float64
}

// mostPaired is the most components of two arrays that are drawn.
const mostPaired = 3

// ReadPair reads two arrays to be drawn: of several components those that differ. It returns nil if they are not both numbers of one shape.
func ReadPair(ctx context.Context, titles [2]string, arrays [2]model.Array) *Drawn {
	var bands [2]*values.Band
	var columns [2]*values.Column
	end := int64(1)
	for _, a := range arrays {
		end = max(end, a.Len())
	}
	for i, a := range arrays {
		c, err := values.ArrayColumn(ctx, a)
		if err != nil || !c.Numeric() {
			return nil
		}
		columns[i] = c
		// What cannot be read is not drawn; the value says why.
		bands[i], _ = values.Bands(ctx, c, 0, a.Len(), int(max(1, chartColumns*a.Len()/end)))
		if ctx.Err() != nil || bands[i] == nil {
			return nil
		}
	}
	if len(bands[0].Low) != len(bands[1].Low) {
		return nil
	}
	for k, base := range bands[0].Base {
		bands[1].From(k, base)
	}
	d := &Drawn{end: float64(end), least: math.Inf(1), top: math.Inf(-1)}
	for _, k := range differing(bands) {
		var both [2]*curve
		for i, b := range bands {
			part := float64(arrays[i].Len()) / float64(end)
			c := bandPart(b, k, strings.TrimSpace(titles[i]+" "+values.ComponentName(columns[i], k)), part)
			d.least, d.top = min(d.least, c.least), max(d.top, c.top)
			both[i] = c
		}
		both[1].under = both[0]
		d.curves = append(d.curves, both[1])
	}
	if d.least > d.top {
		return nil
	}
	return d
}

// differing are the components of two bands that differ, or the first.
func differing(bands [2]*values.Band) (list []int) {
	same := func(a, b float64) bool { return a == b || a != a && b != b }
	for k := range bands[0].Low {
		if !slices.EqualFunc(bands[0].Low[k], bands[1].Low[k], same) || !slices.EqualFunc(bands[0].High[k], bands[1].High[k], same) {
			list = append(list, k)
		}
	}
	if len(list) == 0 {
		return []int{0}
	}
	return list[:min(len(list), mostPaired)]
}

// Show draws two arrays.
func (p *Pair) Show(d *Drawn) { p.chart.set(d.curves, -half, d.end-half, d.least, d.top) }
