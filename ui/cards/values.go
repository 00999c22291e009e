package cards

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// OfArray returns the cards of an array: a table of its elements, and a plot if they are numbers. place returns the node of element i or
// nil. target is the path of the array that the elements are numbers of, or "".
func OfArray(ctx context.Context, a model.Array, place func(ctx context.Context, i int64) *model.Place, target string) []model.Card {
	c, err := values.ArrayColumn(ctx, a)
	if err != nil || a.Len() == 0 {
		return nil
	}
	t := &arrayTable{CardBase: model.CardBase{Title: "Values"}, column: c, place: place, target: target}
	if !c.Numeric() {
		return []model.Card{t}
	}
	cards := []model.Card{t, &arrayPlot{model.CardBase{Title: "Plot"}, t}}
	if c.IsSpatial() {
		cards = append(cards, &pointsOf{model.CardBase{Title: "Points"}, a})
	}
	return cards
}

// arrayTable is an array as a table: a row for each element, a column for each of its components.
type arrayTable struct {
	model.CardBase
	column *values.Column
	place  func(ctx context.Context, i int64) *model.Place
	target string // the array that the elements are numbers of, or ""
}

func (t *arrayTable) Columns() []model.Column {
	if t.column.Packing.Components <= 1 {
		return []model.Column{{Name: "value", Type: t.column.Type}}
	}
	typ := "int"
	switch n := t.column.Packing.Number; {
	case n == model.NumberF64:
		typ = "double"
	case n.Float():
		typ = "float"
	case n.Size() == 8:
		typ = "int64"
	}
	columns := make([]model.Column, t.column.Packing.Components)
	for k := range columns {
		columns[k] = model.Column{Name: values.ComponentName(t.column, k), Type: typ}
	}
	return columns
}

func (t *arrayTable) Rows() (int64, bool) { return t.column.Len() }

func (t *arrayTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	cells := make([]model.Cell, len(dst))
	n, err := t.column.Cells(ctx, first, cells)
	for i, cell := range cells[:n] {
		if len(cell.Spans) == 0 {
			t.locate(ctx, first+int64(i), &cell)
		}
		parts := values.AppendComponents(nil, cell.Value)
		if of, ok := model.FloatOf(cell.Value); t.target != "" && ok && of >= 0 {
			cell.Path = t.target + "/" + model.IndexName(int64(of))
		}
		for k := range dst[i] {
			if dst[i][k] = (model.Cell{Spans: cell.Spans, Path: cell.Path}); k < len(parts) {
				dst[i][k].Value = parts[k]
			} else {
				dst[i][k].Value = model.None{}
			}
		}
	}
	return n, err
}

// locate adds where element i is to its cell.
func (t *arrayTable) locate(ctx context.Context, i int64, cell *model.Cell) {
	if t.place != nil {
		if p := t.place(ctx, i); p != nil {
			cell.Spans, cell.Path = p.Node.Spans, p.Path()
			return
		}
	}
	if a := t.column.Array(); a != nil {
		if at := model.ElementSpan(ctx, a, i); at.Source != nil {
			cell.Spans = []model.Span{at}
		}
	}
}

// leads says where Enter goes from a row.
func (t *arrayTable) leads() string {
	if t.target == "" {
		return ""
	}
	return "   Enter goes to the element of " + t.target + " that the number is of"
}

// arrayCard is the rows of an array, with a field for the number of the one to go to.
func (d *Deck) arrayCard(ctx context.Context, t *arrayTable) (fyne.CanvasObject, *treeview.Tree) {
	list := d.tableCard(ctx, t)
	n, _ := t.Rows()
	text := widget.NewLabel(model.GroupedCount(n, "element") + " of " + t.column.Type + ", " + t.column.Coding() + t.leads())
	text.Importance = widget.LowImportance
	body, row := container.NewStack(list), d.rowField(list, n)
	tools := []fyne.CanvasObject{text}
	if !t.column.Numeric() {
		tools = append(tools, d.distinctBox(ctx, t.column, list, body))
	}
	return kit.Border(kit.NewBar(text, row, append(tools, row)...).Box, nil, nil, nil, body), list
}

// arrayPlot is the components of an array over their index.
type arrayPlot struct {
	model.CardBase
	*arrayTable
}

func (p *arrayPlot) CardTitle() string { return p.CardBase.CardTitle() }

// half is from the place of an element to where it ends: the first is at 0.
const half = 0.5

// Limits of a plot.
const (
	maxCurves  = 4 // components that are drawn above one another
	leastShown = 8 // elements that are shown at least
)

// plotted is a plot of an array on the screen.
type plotted struct {
	axis
	card  *arrayPlot
	boxes []*kit.Check    // of the components
	keep  func(row int64) // selects a row in the table that it is of
	band  *values.Band    // or nil before it is read
	base  model.Value     // the value that curves are distances to, or nil for 0
	first int64           // of the elements that are read
	end   int64
	text  string // which they are
}

// plotCard is a plot; keep selects the row of an element in the table that it is of.
func (d *Deck) plotCard(ctx context.Context, card *arrayPlot, keep func(row int64)) (fyne.CanvasObject, *plotted) {
	n, _ := card.column.Len()
	p := &plotted{card: card, keep: keep}
	var tools []fyne.CanvasObject
	p.axis = axis{chartCard: newChartCard(""), d: d, ctx: ctx, sight: &kit.Sight{From: -half, To: float64(n) - half, Least: -half, Most: float64(n) - half}, whole: true, column: card.column, what: "element",
		closest: func(float64) float64 { return leastShown }, wants: p.wants, show: p.show, draw: p.draw, point: p.point, choose: p.choose}
	for k := range min(card.column.Packing.Components, 16) {
		if card.column.Packing.Components > 1 {
			box := kit.NewCheck(values.ComponentName(card.column, k), nil)
			box.Checked = k < maxCurves
			box.OnChanged = func(bool) { p.redraw() }
			p.boxes, tools = append(p.boxes, box), append(tools, box)
		}
	}
	p.show()
	return p.object(tools...), p
}

// mark marks an element, or with -1 none, and brings it into sight.
func (p *plotted) mark(i int64) {
	if p.chart.mark = math.NaN(); i >= 0 {
		p.chart.mark = float64(i)
		if p.chart.mark < p.sight.From || p.chart.mark > p.sight.To {
			p.look(p.sight.Pan((p.chart.mark - (p.sight.From+p.sight.To)/2) / (p.sight.To - p.sight.From)))
			return
		}
	}
	p.redraw()
}

// show reads the elements in sight, and draws them.
func (p *plotted) show() {
	first, end := int64(math.Floor(p.sight.From+half)), int64(math.Ceil(p.sight.To+half))
	p.d.Tasks.Go(p.latest.Next(p.ctx), "plotting", func(ctx context.Context, _ model.Progress) func() {
		b, err := values.Bands(ctx, p.column, first, end, chartColumns)
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			n, _ := p.column.Len()
			p.band, p.first, p.end = b, first, end
			p.text = fmt.Sprintf("%s of %s   wheel zooms, drag moves, a click selects", phrase.Capital(rowsText(first, end)), model.GroupedCount(n, "element"))
			if err != nil {
				p.text += "; no further: " + err.Error()
			}
			p.redraw()
		}
	})
}

func rowsText(first, end int64) string {
	return "rows " + model.Grouped(first) + " to " + model.Grouped(end-1)
}

// draw shows the components that are chosen.
func (p *plotted) draw() {
	if p.band == nil {
		return
	}
	var curves []*curve
	p.base = nil
	least, top := math.Inf(1), math.Inf(-1)
	for k := range p.band.Low {
		if !p.wants(k) {
			continue
		}
		if base := p.band.Base; len(curves) == 0 {
			p.base = base[k]
		} else {
			p.band.From(k, p.base)
		}
		c := bandCurve(p.band, k, values.ComponentName(p.column, k))
		curves = append(curves, c)
		least, top = min(least, c.least), max(top, c.top)
	}
	p.say(p.text + baseText(p.base))
	p.chart.set(curves, float64(p.first)-half, float64(p.end)-half, least, top)
}

// wants reports whether a component is chosen.
func (p *plotted) wants(k int) bool {
	return k < len(p.boxes) && p.boxes[k].Checked || len(p.boxes) == 0 && k == 0
}

// A distribution has the number of values in each range.
type distribution struct {
	values.Distribution
	name string
}

func countsText(n int64, what string) string {
	return "how many values are in each range, of all " + model.GroupedCount(n, what)
}

// setCounts shows how many values are in each range, all over one axis.
func (c *chart) setCounts(list []distribution) {
	from, to, most := math.Inf(1), math.Inf(-1), int64(0)
	for _, d := range list {
		if len(d.Counts) > 0 {
			from, to = min(from, d.From), max(to, d.From+d.Width*float64(len(d.Counts)))
			most = max(most, slices.Max(d.Counts))
		}
	}
	if !(from < to) {
		c.set(nil, 0, 1, 0, 1)
		return
	}
	var curves []*curve
	for _, d := range list {
		if len(d.Counts) > 0 {
			curves = append(curves, binCurve(d.Distribution, from, to, d.name))
		}
	}
	c.set(curves, from, to, 0, float64(most))
	if c.log {
		c.least = min(c.least, leastCount)
	}
}

// leastCount is the foot of a logarithmic axis of counts: below one, so that one is seen.
const leastCount = 0.9

// binText returns the number of values in the ranges at a value. Of ranges narrower than reach it takes the fullest within reach.
func binText(list []distribution, at, reach float64) string {
	var parts []string
	for _, d := range list {
		i := d.fullest(at, at)
		if d.Width < reach {
			i = d.fullest(at-reach, at+reach)
		}
		if i >= 0 {
			parts = append(parts, strings.TrimSpace(fmt.Sprintf("%s %s: %s … %s", d.name, model.Grouped(d.Counts[i]), shortNumber(d.Start(i)), shortNumber(d.Start(i+1)))))
		}
	}
	return strings.Join(parts, "   ")
}

// fullest returns the range with the most values between two values, or -1 if there is none.
func (d *distribution) fullest(from, to float64) int {
	first, last := max(math.Floor((from-d.From)/d.Width), 0), min(math.Floor((to-d.From)/d.Width), float64(len(d.Counts)-1))
	most := -1
	for i := int(first); float64(i) <= last; i++ {
		if most < 0 || d.Counts[i] > d.Counts[most] {
			most = i
		}
	}
	return most
}

// A bar that is wide enough has a gap after it, in columns of a chart.
const gappedBar, barGap = 24, 4

// binCurve is a distribution as a chart draws it: each range filled up to its count, also where it is narrower than a column.
func binCurve(d values.Distribution, from, to float64, title string) *curve {
	c := newCurve(title)
	column := func(v float64) int {
		return min(max(int(math.Round((v-from)/(to-from)*chartColumns)), 0), chartColumns)
	}
	for i, n := range d.Counts {
		least := d.From + float64(i)*d.Width
		first := min(column(least), chartColumns-1)
		end := max(column(least+d.Width), first+1)
		filled := end
		if end-first >= gappedBar {
			filled -= barGap
		}
		for x := first; x < end; x++ {
			if x < filled {
				c.add(x, float64(n))
			}
			c.add(x, 0)
		}
	}
	return c
}

// bandCurve is one component of a band as a chart draws it.
func bandCurve(b *values.Band, k int, title string) *curve { return bandPart(b, k, title, 1) }

// bandPart is bandCurve over so much of the chart's width, from the left.
func bandPart(b *values.Band, k int, title string, part float64) *curve {
	c := newCurve(title)
	runs := len(b.Low[k])
	for x := range runs {
		at := x
		if runs < chartColumns {
			at = int((float64(x) + 0.5) / float64(runs) * part * (chartColumns - 1))
		}
		c.add(at, b.Low[k][x])
		c.add(at, b.High[k][x])
	}
	return c
}

// element is the number of the element at a place.
func (p *plotted) element(at float64) int64 {
	n, _ := p.column.Len()
	return min(max(int64(math.Floor(at+half)), 0), n-1)
}

// point reads the element under the pointer and shows it.
func (p *plotted) point(at float64, _ int) {
	i := p.element(at)
	p.d.Tasks.Go(p.d.pointed.Next(p.ctx), "", func(ctx context.Context, _ model.Progress) func() {
		var one [1]model.Value
		n, err := p.column.Read(ctx, i, one[:])
		if n == 0 || err != nil {
			return nil
		}
		text := "[" + strconv.FormatInt(i, 10) + "]   " + model.Show(ctx, one[0], phrase.ShownValue)
		return func() { p.label.SetText(text) }
	})
}

// choose marks the bytes of an element, and selects its row in the table.
func (p *plotted) choose(at float64) {
	i := p.element(at)
	p.keep(i)
	p.mark(i)
	p.d.row(p.ctx, func(r model.Ref) { p.d.pick(i, r) }, func() (model.Ref, error) {
		row := [][]model.Cell{make([]model.Cell, len(p.card.Columns()))}
		_, err := p.card.Read(p.ctx, i, row)
		return model.Ref{Span: spanOf(row[0])}, err
	})
}

// factsEvery is the interval at which facts are shown while an array is read.
const factsEvery = 250 * time.Millisecond

// Told holds the facts of values as far as they are read.
type Told struct {
	Text   string
	Column *values.Column
	Facts  *values.Facts
}

// NewTold returns the facts of a column in words.
func NewTold(c *values.Column, f *values.Facts) Told { return Told{f.InWords(c), c, f} }

// Facts reads values in the background and shows their facts from time to time, and in the end.
func Facts(ctx context.Context, tasks *task.Group, of func(context.Context) (*values.Column, error), show func(Told)) {
	tasks.Go(ctx, "reading values", func(ctx context.Context, progress model.Progress) func() {
		c, err := of(ctx)
		if err != nil || c == nil {
			return nil
		}
		shown, report := time.Now(), values.Reporting(progress, "values")
		f, err := values.Summarize(ctx, c, func(s *values.Stats) {
			report(s)
			if time.Since(shown) < factsEvery {
				return
			}
			shown = time.Now()
			t := NewTold(c, s.Facts())
			tasks.Show(ctx, func() { show(t) })
		})
		if ctx.Err() != nil {
			return nil
		}
		t := NewTold(c, f)
		if err != nil {
			t.Text += "\nno further: " + err.Error()
		}
		return func() { show(t) }
	})
}

// ValuesOf is the elements of an array, for Facts.
func ValuesOf(a model.Array) func(context.Context) (*values.Column, error) {
	return func(ctx context.Context) (*values.Column, error) { return values.ArrayColumn(ctx, a) }
}

// Whole reports whether all values are read.
func (t *Told) Whole() bool { return t.Facts.Count == t.Facts.Total }
