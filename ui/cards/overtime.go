package cards

import (
	"context"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// overTime is the last view of a series. The same field of all records of a stream shows one series: from one record to the next it is
// not read again and stays zoomed.
type overTime struct {
	key    string
	points int64
	all    plot // without a curve before it is read
	sight  kit.Sight
	log    bool
}

// timed is a series over time on the screen.
type timed struct {
	axis
	*overTime
	s    model.Series
	unit string
	now  plot // the visible part
}

// seriesSet holds the series of a node; one is shown at a time.
type seriesSet struct {
	model.CardBase
	list []model.Series
}

// setCard is the series that was shown last of those that have its title, or the first, with a box to choose another.
func (d *Deck) setCard(ctx context.Context, set *seriesSet) fyne.CanvasObject {
	body := container.NewStack()
	shown := 0
	var names []string
	for i, s := range set.list {
		if names = append(names, s.CardTitle()); s.CardTitle() == d.field {
			shown = i
		}
	}
	end := func() {}
	choose := kit.NewSelect(names, nil)
	choose.OnChanged = func(string) {
		end()
		k := max(choose.SelectedIndex(), 0)
		var within context.Context
		within, end = context.WithCancel(ctx)
		d.field = names[k]
		kit.Swap(body, d.seriesCard(within, set.list[k], kit.FixedWidth(200, choose)))
	}
	choose.SetSelectedIndex(shown)
	return body
}

// seriesCard is a series as a plot, with some tools of its own.
func (d *Deck) seriesCard(ctx context.Context, s model.Series, tools ...fyne.CanvasObject) fyne.CanvasObject {
	n, _ := s.Points()
	at := d.position()
	if key := at.key() + " " + s.CardTitle(); d.series == nil || d.series.key != key || d.series.points != n {
		d.series = &overTime{key: key, points: n}
	}
	p := &timed{overTime: d.series, s: s}
	d.curve = p
	if u := s.Unit(); u != "" {
		p.unit = " " + u
	}
	p.axis = axis{chartCard: newChartCard(p.unit), d: d, ctx: ctx, sight: &d.series.sight, column: values.SeriesColumn(s), what: "point", closest: closestTime,
		wants: func(int) bool { return true }, show: p.show, draw: p.draw, point: p.point, choose: p.choose}
	if at.track != nil {
		p.chart.unit = at.track.Track.Unit
	}
	known := p.all
	drawSteps(ctx, d, s, p.chartCard, func(ctx context.Context, progress model.Progress, show func(plot)) (plot, error) {
		if known.curve != nil {
			return known, nil
		}
		return reduce(ctx, s, progress, show)
	}, func(p plot) bool { return p.points > 0 }, func(got plot) {
		p.now = got
		if got.points < n || got.curve == nil { // so far
			p.redraw()
			return
		}
		if p.all.curve == nil {
			p.all, p.overTime.sight = got, kit.Sight{From: got.from, To: got.to, Least: got.from, Most: got.to}
		}
		p.follow()
	})
	p.chart.log = p.log
	return p.object(tools...)
}

// closestTime returns the least range of time around a time that can be in sight: with less, numbers have no digits left.
func closestTime(at float64) float64 { return 1e-9 * max(math.Abs(at), 1e-3) }

// mark marks a time and brings it into sight.
func (p *timed) mark(time float64) {
	p.chart.mark, p.chart.cursor = time, time
	if p.all.curve != nil {
		p.follow()
	}
}

// follow shows the part that was in sight, moved to the time that is marked.
func (p *timed) follow() {
	s := p.axis.sight
	if span, at := s.To-s.From, p.chart.mark; at < s.From || at > s.To {
		*s = s.Move(at-span/2, span)
	}
	p.show()
}

// draw shows values over time.
func (p *timed) draw() {
	p.log = p.chart.log
	if p.now.curve == nil {
		return
	}
	p.say(plotText(p.now, p.points, p.all.curve != nil, p.unit, p.chart.unit))
	p.chart.set([]*curve{p.now.curve}, p.now.from, p.now.to, p.now.least, p.now.top)
}

// show reads what is in sight, unless it is all.
func (p *timed) show() {
	within := p.latest.Next(p.ctx)
	from, to := p.axis.sight.From, p.axis.sight.To
	if from <= p.all.from && to >= p.all.to {
		p.now = p.all
		p.redraw()
		return
	}
	p.d.Tasks.Go(within, "plotting", func(ctx context.Context, progress model.Progress) func() {
		got, err := reduceWithin(ctx, p.s, from, to, progress)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			p.now = got
			if p.redraw(); err != nil {
				p.say(p.caption + "; no further: " + err.Error())
			}
		}
	})
}

// point describes the column under the pointer at once, and the point itself when that is read.
func (p *timed) point(at float64, col int) {
	p.label.SetText(pointedText(p.chart, at, col, p.unit))
	p.d.Tasks.Go(p.d.pointed.Next(p.ctx), "", func(ctx context.Context, _ model.Progress) func() {
		pt, i, err := pointAt(ctx, p.s, at)
		if err != nil {
			return nil
		}
		value := model.ShowHeld(pt.Number(), 40) + p.unit
		if pt.None {
			value = "no value"
		}
		text := "[" + strconv.FormatInt(i, 10) + "]   at " + model.FormatTime(pt.Time) + phrase.Unit(p.chart.unit) + ":  " + value
		return func() { p.label.SetText(text) }
	})
}

// choose selects the node of the point nearest to a time, or where it has none its bytes. The keyboard stays.
func (p *timed) choose(at float64) {
	p.d.Tasks.Try(p.d.host.Selection(), "finding the point", func(ctx context.Context, _ model.Progress) (func(), error) {
		pt, _, err := pointAt(ctx, p.s, at)
		return func() {
			if pt.Path != "" {
				p.d.host.GoToNode(pt.Path)
			} else {
				p.d.showBytes(model.Ref{Span: pt.Span})
			}
		}, err
	})
}
