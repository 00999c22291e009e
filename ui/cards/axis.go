package cards

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/task"
)

// nearColumns is the distance from the pointer, in columns, within which ranges too narrow to be pointed at are found.
const nearColumns = 4

// axis is a chart of values over their index or time, or of their distribution. Wheel, drags and keys choose the visible part.
type axis struct {
	*chartCard
	d       *Deck
	ctx     context.Context
	sight   *kit.Sight
	closest func(at float64) float64 // the least part of the axis that can be in sight, around a place
	whole   bool                     // it counts elements
	column  *values.Column           // whose distribution is shown
	what    string                   // one of its values
	wants   func(k int) bool         // component k is drawn
	latest  task.Latest              // reads what is in sight

	show   func() // reads what is in sight and draws it
	draw   func() // draws what was read
	point  func(at float64, col int)
	choose func(at float64)

	bins    []values.Distribution // of each component, or nil before they are asked for
	counted bool                  // the distribution is shown
}

// object returns the chart below a bar: its caption, the given tools, and switches for a logarithmic axis and the distribution.
func (a *axis) object(tools ...fyne.CanvasObject) fyne.CanvasObject {
	c := a.chart
	c.onHover = a.hover
	c.onTap = func(at float64) {
		if !a.counted {
			a.choose(at)
		}
	}
	c.onWheel = func(at float64, steps float32) { a.look(a.sight.Zoom(at, float64(steps), a.closest(at))) }
	c.onDrag = func(part float64) { a.look(a.sight.Pan(part)) }
	c.onAll = func() { a.look(a.sight.All()) }
	a.setApart()
	log := kit.NewCheck("Log", nil)
	log.Checked = c.log
	log.OnChanged = func(on bool) {
		c.log = on
		a.redraw()
	}
	whole := widget.NewButton("Fit", c.onAll)
	whole.Importance = widget.LowImportance
	bar := container.NewHBox(append(tools, log, kit.NewCheck("Histogram", a.count), whole)...)
	top := kit.Padded(0, 0, 4, 5, kit.Border(nil, nil, nil, bar, a.label))
	return kit.Border(top, nil, nil, nil, c)
}

// setApart sets the distance of places on the axis: one for elements, none for times and values.
func (a *axis) setApart() {
	if a.chart.apart = 0; a.whole && !a.counted {
		a.chart.apart = 1
	}
}

// look brings another part into sight.
func (a *axis) look(s kit.Sight) {
	if !a.counted && s.Least < s.Most && s != *a.sight {
		*a.sight = s
		a.show()
	}
}

// redraw draws what was read once more.
func (a *axis) redraw() {
	if a.counted {
		a.drawCounts()
	} else {
		a.draw()
	}
}

// hover describes the element or range under the pointer.
func (a *axis) hover(at float64, col int) {
	switch {
	case col < 0:
		a.label.SetText(a.caption)
	case a.counted:
		a.label.SetText(binText(a.distributions(), at, (a.chart.to-a.chart.from)*nearColumns/chartColumns))
	default:
		a.point(at, col)
	}
}

// count switches between the distribution of the values and the values over the axis.
func (a *axis) count(on bool) {
	a.counted, a.chart.counts = on, on
	a.setApart()
	if !on || a.bins != nil {
		a.redraw()
		return
	}
	a.d.Tasks.Go(a.ctx, "counting values", func(ctx context.Context, progress model.Progress) func() {
		var f *values.Facts
		column, err := a.column.Exact(ctx)
		if err == nil {
			f, err = values.Summarize(ctx, column, values.Reporting(progress, "values"))
		}
		if err != nil && f == nil || ctx.Err() != nil {
			return nil
		}
		return func() {
			a.bins = []values.Distribution{}
			for k := range f.By {
				a.bins = append(a.bins, f.By[k].Histogram)
			}
			a.redraw()
		}
	})
}

// drawCounts shows the number of values in each range, of each chosen component, over one axis.
func (a *axis) drawCounts() {
	n, _ := a.column.Len()
	list := a.distributions()
	text := countsText(n, a.what)
	if len(list) > 0 {
		text += baseText(list[0].Base)
	}
	a.say(text)
	a.chart.setCounts(list)
}

// distributions are those of the components that are chosen.
func (a *axis) distributions() (list []distribution) {
	for k, d := range a.bins {
		if a.wants(k) {
			if len(list) > 0 {
				d.Over(list[0].Base)
			}
			list = append(list, distribution{d, values.ComponentName(a.column, k)})
		}
	}
	return list
}

// baseText says that numbers are distances to an integer.
func baseText(base model.Value) string {
	if base == nil {
		return ""
	}
	return ", as distances to " + model.ShowHeld(base, 40)
}
