package cards

import (
	"context"
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/task"
)

// overTime is how a series was looked at last. The fields of all records of a stream show one series: going from one to the
// next neither reads it again nor loses what was zoomed to.
type overTime struct {
	key      string
	points   int64
	all      plot    // without a curve: it is not read yet
	from, to float64 // the times in sight
	log      bool
}

// timed is a series over time on the screen.
type timed struct {
	*chartCard
	*overTime
	d       *Deck
	ctx     context.Context
	s       model.Series
	unit    string
	latest  task.Latest    // reads what is in sight
	bins    []distribution // nil: not asked for yet
	counted bool           // the distribution is shown, in place of the values over time
}

func (d *Deck) seriesCard(ctx context.Context, s model.Series) fyne.CanvasObject {
	n, _ := s.Points()
	at := d.seat()
	if key := at.key() + " " + s.CardTitle(); d.series == nil || d.series.key != key || d.series.points != n {
		d.series = &overTime{key: key, points: n}
	}
	p := &timed{overTime: d.series, d: d, ctx: ctx, s: s}
	if u := s.Unit(); u != "" {
		p.unit = " " + u
	}
	p.chartCard = newChartCard(p.unit)
	p.chart.onTap, p.chart.onHover, p.chart.onWheel, p.chart.onDrag, p.chart.onAll = p.choose, p.point, p.zoom, p.pan, p.showAll
	known, mark := p.all, math.NaN()
	drawSteps(ctx, d, s, p.chartCard, func(ctx context.Context, progress model.Progress, show func(plot)) (plot, error) {
		if at.track != nil {
			if stop, err := at.track.Of(ctx, at.child); err == nil && stop != nil {
				mark = stop.Moment.Time
			}
		}
		if known.curve != nil {
			return known, nil
		}
		return reduce(ctx, s, progress, show)
	}, func(p plot) bool { return p.points > 0 }, func(got plot) {
		if got.points < n || got.curve == nil { // so far
			p.draw(got)
			return
		}
		if p.all.curve == nil {
			p.all, p.from, p.to = got, got.from, got.to
		}
		p.chart.mark, p.chart.cursor = mark, mark
		p.follow(mark)
	})
	log := kit.NewCheck("log", func(on bool) {
		p.log, p.chart.log = on, on
		p.again()
	})
	p.chart.log, log.Checked = p.log, p.log
	whole := widget.NewButton("All", p.showAll)
	whole.Importance = widget.LowImportance
	bar := container.NewHBox(log, kit.NewCheck("histogram", p.count), whole)
	top := container.New(layout.NewCustomPaddedLayout(0, 0, 4, 5), kit.Border(nil, nil, nil, bar, p.label))
	return kit.Border(top, nil, nil, nil, p.chart)
}

// follow shows what was in sight, moved to where a moment is.
func (p *timed) follow(moment float64) {
	if span := p.to - p.from; moment < p.from || moment > p.to {
		p.from = min(max(moment-span/2, p.all.from), p.all.to-span)
		p.to = p.from + span
	}
	p.show(p.from, p.to)
}

// draw shows values over time.
func (p *timed) draw(got plot) {
	if p.counted {
		return
	}
	p.say(plotText(got, p.points, p.all.curve != nil, p.unit))
	if got.least <= got.top {
		p.chart.set([]*curve{got.curve}, got.from, got.to, got.least, got.top)
	} else {
		p.chart.set(nil, 0, 1, 0, 1)
	}
}

// again draws what is in sight once more.
func (p *timed) again() {
	switch {
	case p.counted:
		p.drawCounts()
	case p.all.curve != nil:
		p.show(p.from, p.to)
	}
}

// show brings some time into sight.
func (p *timed) show(from, to float64) {
	p.from, p.to = from, to
	within := p.latest.Next(p.ctx)
	if from <= p.all.from && to >= p.all.to {
		p.draw(p.all)
		return
	}
	p.d.Tasks.Go(within, "plotting", func(ctx context.Context, progress model.Progress) func() {
		got, err := reduceWithin(ctx, p.s, from, to, progress)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if p.draw(got); err != nil {
				p.say(p.caption + "; no further: " + err.Error())
			}
		}
	})
}

// zooms reports whether what is in sight can be another stretch of time.
func (p *timed) zooms() bool { return !p.counted && p.all.curve != nil }

// showAll brings all times into sight.
func (p *timed) showAll() {
	if p.zooms() {
		p.show(p.all.from, p.all.to)
	}
}

// zoom shows less time around one, or with steps below 0 more.
func (p *timed) zoom(at float64, steps float32) {
	if !p.zooms() {
		return
	}
	const closest = 1e-9 // of the time itself: closer, numbers have no digits left
	span := max((p.to-p.from)*math.Pow(0.8, float64(steps)), closest*max(math.Abs(at), 1e-3))
	part := (at - p.from) / (p.to - p.from)
	p.move(at-part*span, span)
}

// pan moves by a part of what is shown.
func (p *timed) pan(part float64) {
	if p.zooms() {
		p.move(p.from-part*(p.to-p.from), p.to-p.from)
	}
}

// move brings a stretch of time into sight that is within all.
func (p *timed) move(from, span float64) {
	span = min(span, p.all.to-p.all.from)
	from = min(max(from, p.all.from), p.all.to-span)
	if from != p.from || from+span != p.to {
		p.show(from, from+span)
	}
}

// point tells of what is under the pointer: at once what the column has, and of the point itself when that is read.
func (p *timed) point(at float64, col int) {
	switch {
	case col < 0:
		p.label.SetText(p.caption)
		return
	case p.counted:
		p.label.SetText(binText(p.bins, at))
		return
	}
	p.label.SetText(pointedText(p.chart, at, col, p.unit))
	p.d.Tasks.Go(p.d.pointed.Next(p.ctx), "", func(ctx context.Context, _ model.Progress) func() {
		pt, i, err := pointAt(ctx, p.s, at)
		if err != nil {
			return nil
		}
		text := "[" + strconv.FormatInt(i, 10) + "]   at " + model.FormatFloat(pt.Time, 64) + ":  " + model.FormatFloat(pt.Value, 64) + p.unit
		return func() { p.label.SetText(text) }
	})
}

// choose selects the node of the point nearest to a time, or where it has none its bytes. The keyboard stays.
func (p *timed) choose(at float64) {
	if p.counted {
		return
	}
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

// count shows how the values are distributed, or them over time again.
func (p *timed) count(on bool) {
	if p.counted = on; !on || p.bins != nil {
		p.again()
		return
	}
	p.d.Tasks.Go(p.ctx, "counting values", func(ctx context.Context, progress model.Progress) func() {
		f, err := values.Summarize(ctx, values.SeriesColumn(p.s), func(s *values.Stats) {
			done, total := s.Done()
			progress.Report(done, total, "values")
		})
		if err != nil && f == nil || ctx.Err() != nil {
			return nil
		}
		return func() {
			p.bins = []distribution{}
			for k := range f.By {
				p.bins = append(p.bins, distribution{f.By[k].Histogram, ""})
			}
			p.again()
		}
	})
}

func (p *timed) drawCounts() {
	p.say(countsText(p.points, "point"))
	p.chart.setCounts(p.bins)
}
