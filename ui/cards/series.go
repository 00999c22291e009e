package cards

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
)

// drawnEvery is how often a curve is drawn while it is still being read.
const drawnEvery = 250 * time.Millisecond

// plot is a series reduced to what a screen can show.
type plot struct {
	*curve
	from, to float64 // times
	points   int64   // read so far
}

// readWindow is how many points or frames are read at once.
const readWindow = 4096

// reduce reads a whole series in windows, and shows from time to time what it has. When ctx ends, or a point cannot be
// read, it returns what it has.
func reduce(ctx context.Context, s model.Series, progress model.Progress, show func(plot)) (plot, error) {
	n, _ := s.Points()
	p := plot{curve: newCurve("")}
	var err error
	if p.from, p.to, err = timesOf(ctx, s, n); err != nil || n == 0 {
		return p, err
	}
	buf := make([]model.Point, readWindow)
	drawn := time.Now()
	for p.points < n {
		got, err := s.Read(ctx, p.points, buf[:min(int64(len(buf)), n-p.points)])
		for _, pt := range buf[:got] {
			if part := (pt.Time - p.from) / (p.to - p.from); !math.IsNaN(part) {
				p.add(int(part*(chartColumns-1)), pt.Value)
			}
		}
		p.points += int64(got)
		if err != nil || got == 0 {
			return p, err
		}
		progress.Report(p.points, n, "points")
		if time.Since(drawn) > drawnEvery {
			show(plot{p.snapshot(), p.from, p.to, p.points})
			drawn = time.Now()
		}
	}
	return p, nil
}

// timesOf is the times of the first and the last point, apart from each other.
func timesOf(ctx context.Context, s model.Series, n int64) (from, to float64, err error) {
	if n == 0 {
		return 0, 0, nil
	}
	var first, last [1]model.Point
	if _, err = s.Read(ctx, 0, first[:]); err == nil {
		_, err = s.Read(ctx, n-1, last[:])
	}
	from, to = first[0].Time, last[0].Time
	if !(from < to) {
		from, to = from-0.5, from+0.5
	}
	return from, to, err
}

// pointAt finds the last point that is not later than a time; the times of points do not decrease.
func pointAt(ctx context.Context, s model.Series, time float64) (model.Point, error) {
	var found [1]model.Point
	low, high := int64(0), int64(0)
	if n, _ := s.Points(); n > 0 {
		high = n - 1
	}
	for low < high {
		mid := (low + high + 1) / 2
		if _, err := s.Read(ctx, mid, found[:]); err != nil {
			return found[0], err
		}
		if found[0].Time <= time {
			low = mid
		} else {
			high = mid - 1
		}
	}
	_, err := s.Read(ctx, low, found[:])
	return found[0], err
}

// chartCard is a chart below a line that says what it shows, or what is under the pointer.
type chartCard struct {
	chart   *chart
	label   *widget.Label
	caption string
}

func newChartCard(unit string) *chartCard {
	k := &chartCard{chart: newChart(), label: widget.NewLabel("reading…")}
	k.label.Importance, k.label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	k.chart.onHover = func(at float64, col int) {
		if col < 0 {
			k.label.SetText(k.caption)
		} else {
			k.label.SetText(pointedText(k.chart, at, col, unit))
		}
	}
	return k
}

func (k *chartCard) say(caption string) {
	k.caption = caption
	k.label.SetText(caption)
}

func (k *chartCard) object() fyne.CanvasObject {
	return kit.Border(k.label, nil, nil, nil, k.chart)
}

// drawSteps draws what reducing shows from time to time, and its result; where it failed half-way, also why.
func drawSteps[T any](ctx context.Context, d *Deck, card model.Card, k *chartCard, reduce func(context.Context, model.Progress, func(T)) (T, error),
	some func(T) bool, draw func(T)) {
	d.load(ctx, card, func(ctx context.Context, progress model.Progress) (func(), error) {
		got, err := reduce(ctx, progress, func(part T) {
			d.Tasks.Show(ctx, func() { draw(part) })
		})
		if err == nil || !some(got) {
			return func() { draw(got) }, err
		}
		return func() {
			draw(got)
			k.say(k.caption + "; no further: " + err.Error())
		}, nil
	}, k.label)
}

func (d *Deck) seriesCard(ctx context.Context, s model.Series) fyne.CanvasObject {
	unit := ""
	if u := s.Unit(); u != "" {
		unit = " " + u
	}
	k := newChartCard(unit)
	k.chart.onTap = func(at float64) {
		d.Tasks.Try(d.host.Selection(), "finding the point", func(ctx context.Context, _ model.Progress) (func(), error) {
			p, err := pointAt(ctx, s, at)
			return func() { d.host.Follow(model.Ref{Path: p.Path, Span: p.Span}) }, err
		})
	}
	drawSteps(ctx, d, s, k, func(ctx context.Context, progress model.Progress, show func(plot)) (plot, error) {
		return reduce(ctx, s, progress, show)
	}, func(p plot) bool { return p.points > 0 }, func(p plot) {
		k.say(plotText(s, p, unit))
		if p.least <= p.top {
			k.chart.set([]*curve{p.curve}, p.from, p.to, p.least, p.top)
		}
	})
	return k.object()
}

// plotText says what a plot shows.
func plotText(s model.Series, p plot, unit string) string {
	n, _ := s.Points()
	switch {
	case n == 0:
		return "no points"
	case p.points < n:
		return fmt.Sprintf("%s of %s points so far", model.Grouped(p.points), model.Grouped(n))
	case p.least > p.top:
		return model.Grouped(p.points) + " points, none of them with a number"
	}
	values := shortFloat(p.least)
	if p.least < p.top {
		values += " … " + shortFloat(p.top)
	} else {
		values = "all " + values
	}
	return fmt.Sprintf("%s points, %s%s over time %s … %s", model.Grouped(p.points), values, unit, model.FormatFloat(p.from, 64), model.FormatFloat(p.to, 64))
}

// near is the column nearest to the left of one, or itself, that has a value; 0 where there is none.
func (c *curve) near(col int) int {
	for col > 0 && math.IsNaN(c.columns[col].first) {
		col--
	}
	return col
}

// shortFloat is a number with up to 9 digits that matter.
func shortFloat(f float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 9, 64), 64)
	if err != nil {
		short = f
	}
	return model.FormatFloat(short, 64)
}

// pointedText says what the curves have in a column.
func pointedText(c *chart, at float64, col int, unit string) string {
	text := "at " + shortTime(at, c.to-c.from)
	for _, one := range c.curves {
		v := one.columns[one.near(col)]
		switch {
		case math.IsNaN(v.first):
			continue
		case v.low == v.high:
			text += ":  " + one.title + " " + shortFloat(v.low) + unit
		default:
			text += ":  " + one.title + " " + shortFloat(v.low) + " … " + shortFloat(v.high) + unit
		}
	}
	return text
}

// shortTime is a time with as many decimals as a column of a chart over span can tell.
func shortTime(t, span float64) string {
	decimals := max(0, min(9, int(math.Ceil(-math.Log10(span/chartColumns)))))
	return strconv.FormatFloat(t, 'f', decimals, 64)
}
