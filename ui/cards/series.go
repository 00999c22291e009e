package cards

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/phrase"
)

// drawnEvery is the interval at which a curve is drawn while it is read.
const drawnEvery = 250 * time.Millisecond

// plot is a series reduced to what a screen can show.
type plot struct {
	*curve
	from, to  float64 // times
	points    int64   // read so far
	none      int64   // points without a value
	low, high float64 // of the points; low > high where none is a number
}

func newPlot(from, to float64) plot {
	return plot{curve: newCurve(""), from: from, to: to, low: math.Inf(1), high: math.Inf(-1)}
}

// readWindow is the number of points or frames that are read at once.
const readWindow = 4096

// reduce reads a whole series in windows, and shows from time to time what it has. When ctx ends, or a point cannot be
// read, it returns what it has.
func reduce(ctx context.Context, s model.Series, progress model.Progress, show func(plot)) (plot, error) {
	n, _ := s.Points()
	from, to, err := timesOf(ctx, s, n)
	p := newPlot(from, to)
	if err != nil || n == 0 {
		return p, err
	}
	drawn := time.Now()
	return p, p.read(ctx, s, 0, n, func() {
		progress.Report(p.points, n, "points")
		if time.Since(drawn) > drawnEvery {
			part := p
			part.curve = p.snapshot()
			show(part)
			drawn = time.Now()
		}
	})
}

// read adds the points first … end-1, and calls shown after each window.
func (p *plot) read(ctx context.Context, s model.Series, first, end int64, shown func()) error {
	buf := make([]model.Point, readWindow)
	for first < end {
		got, err := s.Read(ctx, first, buf[:min(int64(len(buf)), end-first)])
		for _, pt := range buf[:got] {
			p.addAt(pt.Time, pt.Value)
			if pt.None {
				p.none++
			}
			if pt.Value-pt.Value == 0 { // a number
				p.low, p.high = min(p.low, pt.Value), max(p.high, pt.Value)
			}
		}
		first += int64(got)
		p.points += int64(got)
		if err != nil || got == 0 {
			return err
		}
		shown()
	}
	return nil
}

func (p *plot) addAt(time, value float64) {
	if part := (time - p.from) / (p.to - p.from); !math.IsNaN(part) {
		p.add(int(part*(chartColumns-1)), value)
	}
}

// reduceWithin is reduce for the points of some time. To what is before and after, the curve goes straight on.
func reduceWithin(ctx context.Context, s model.Series, from, to float64, progress model.Progress) (plot, error) {
	p := newPlot(from, to)
	n, _ := s.Points()
	first, err := notLater(ctx, s, math.Nextafter(from, math.Inf(-1)))
	if err != nil {
		return p, err
	}
	end, err := notLater(ctx, s, to)
	if err != nil {
		return p, err
	}
	edge := func(i int64, time float64) error { // between the points i-1 and i
		if i <= 0 || i >= n {
			return nil
		}
		var two [2]model.Point
		if got, err := s.Read(ctx, i-1, two[:]); err != nil || got < 2 {
			return err
		}
		if part := (time - two[0].Time) / (two[1].Time - two[0].Time); part >= 0 && part <= 1 {
			p.addAt(time, two[0].Value+part*(two[1].Value-two[0].Value))
		}
		return nil
	}
	if err = edge(first, from); err == nil {
		err = p.read(ctx, s, first, end, func() { progress.Report(p.points, end-first, "points") })
	}
	if err == nil {
		err = edge(end, to)
	}
	return p, err
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

// notLater returns the number of points up to a time. The times of points must not decrease.
func notLater(ctx context.Context, s model.Series, time float64) (int64, error) {
	low, high := int64(0), int64(0)
	if n, _ := s.Points(); n > 0 {
		high = n
	}
	for low < high {
		var one [1]model.Point
		mid := (low + high) / 2
		if _, err := s.Read(ctx, mid, one[:]); err != nil {
			return 0, err
		}
		if one[0].Time <= time {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, nil
}

// pointAt finds the point that is nearest to a time, and its number.
func pointAt(ctx context.Context, s model.Series, time float64) (found model.Point, number int64, err error) {
	after, err := notLater(ctx, s, time)
	if err != nil {
		return found, 0, err
	}
	first := max(after-1, 0)
	var two [2]model.Point
	n, _ := s.Points()
	got, err := s.Read(ctx, first, two[:min(2, n-first)])
	switch {
	case got == 2 && math.Abs(two[1].Time-time) < math.Abs(two[0].Time-time):
		return two[1], first + 1, nil
	case got > 0:
		return two[0], first, nil
	case err == nil:
		err = errors.New("there are no points")
	}
	return found, 0, err
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

// plotText says what a plot shows of n points; whole: they were all read, and those in sight are the plot's.
func plotText(p plot, n int64, whole bool, unit, ofTime string) string {
	points := model.Grouped(p.points)
	if p.points < n {
		points += " of " + model.Grouped(n)
	}
	switch {
	case n == 0:
		return "no points"
	case !whole && p.points < n:
		return points + " points so far"
	case p.points > 0 && p.low > p.high:
		return points + " points, none of them with a number"
	}
	values := ""
	if p.points > 0 {
		values = ", all " + shortFloat(p.low)
	}
	if p.low < p.high {
		values = ", " + shortFloat(p.low) + " … " + shortFloat(p.high)
	}
	from, to := model.FormatTime(p.from), model.FormatTime(p.to)
	if p.points < n { // with the digits that a column resolves
		from, to = shortTime(p.from, p.to-p.from), shortTime(p.to, p.to-p.from)
	}
	gaps := ""
	if p.none > 0 {
		gaps = ", " + model.Grouped(p.none) + " without a value"
	}
	return fmt.Sprintf("%s points%s%s over time %s … %s%s%s   wheel zooms, drag moves, a click selects", points, values, unit, from, to, phrase.Unit(ofTime), gaps)
}

// near is the column nearest to the left of one, or itself, that has a value; 0 where there is none.
func (c *curve) near(col int) int {
	for col > 0 && math.IsNaN(c.columns[col].first) {
		col--
	}
	return col
}

// shortNumber is a float64 as shortFloat has it, an integer with all its digits.
func shortNumber(v model.Value) string {
	if f, is := v.(model.Float64); is {
		return shortFloat(float64(f))
	}
	return model.ShowHeld(v, 40)
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
	text := "at " + c.timeText(at)
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

// timeText formats a time of the axis with the decimals that a column resolves.
func (c *chart) timeText(t float64) string {
	unit, per := c.timeUnit()
	return shortTime(t*per, (c.to-c.from)*per) + phrase.Unit(unit)
}

// shortTime formats a time with the decimals that a column of a chart over span resolves.
func shortTime(t, span float64) string {
	decimals := max(0, min(9, int(math.Ceil(-math.Log10(span/chartColumns)))))
	return strconv.FormatFloat(t, 'f', decimals, 64)
}
