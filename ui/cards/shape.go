package cards

import (
	"context"
	"fmt"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// Bounds of what is drawn of a shape, so that it turns smoothly; of more points every n-th is drawn, without what joins them.
const (
	mostPoints  = 200_000
	mostCorners = 600_000
)

// solid is a shape as it is drawn.
type solid struct {
	points []vec   // around their middle, the farthest about 1 away
	step   int64   // the points are every step-th of the array
	total  int64   // of the array
	parts  []int32 // where each part begins in corners, and where the last ends; nil: points only
	corner []int32 // numbers of points
	closed bool
	wrong  string // what could not be read; "": all could
	box    []vec  // the corners of the bounds, x fastest; nil: there are none
	middle vec    // of the points, and how far the farthest is from it, before they were moved
	reach  float64
	facts  *values.ShapeFacts // of all points; nil: not counted yet
	paint  *paint             // what the points or parts are coloured by; nil: nothing
}

// paint is a colour for each point, or each part.
type paint struct {
	ofParts bool
	inks    []color.NRGBA
	text    string // what is what
}

type vec [3]float64

// pointsOf is the array of points as a card: those of an array of vectors are nothing but points.
type pointsOf struct {
	model.CardBase
	array model.Array
}

func (p *pointsOf) Points(context.Context) model.Array { return p.array }

func (p *pointsOf) Parts(context.Context) (counts, indices model.Array, closed bool) {
	return nil, nil, false
}

// readSolid reads a shape as far as it is drawn.
func readSolid(ctx context.Context, s model.Shape, progress model.Progress) (*solid, *values.Column, error) {
	a := s.Points(ctx)
	if a == nil {
		return nil, nil, fmt.Errorf("there are no points")
	}
	c, err := values.ArrayColumn(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if !c.Numeric() || c.Packing.Components < 2 || c.Packing.Components > 3 {
		return nil, nil, fmt.Errorf("the points are %s, not of 2 or 3 numbers each", a.Elem())
	}
	d := &solid{total: a.Len(), step: max((a.Len()+mostPoints-1)/mostPoints, 1)}
	if err := d.readPoints(ctx, c, progress); err != nil {
		return nil, nil, err
	}
	d.center()
	if detailed, ok := s.(model.DetailedShape); ok {
		d.readBounds(ctx, detailed.Bounds(ctx))
	}
	if counts, indices, closed := s.Parts(ctx); counts != nil && d.step == 1 {
		d.closed = closed
		d.readParts(ctx, counts, indices)
	}
	return d, c, ctx.Err()
}

// readPoints reads the points, all or every n-th.
func (d *solid) readPoints(ctx context.Context, c *values.Column, progress model.Progress) error {
	const window = 1024
	buf := make([]model.Value, window)
	if d.step > window {
		buf = buf[:1]
	}
	for at := int64(0); at < d.total; {
		n, err := c.Read(ctx, at, buf[:min(int64(len(buf)), d.total-at)])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i := int64(0); i < int64(n); i++ {
			if (at+i)%d.step == 0 {
				d.points = append(d.points, vecOf(buf[i]))
			}
		}
		if n == 0 || err != nil {
			d.wrong = "the points from " + model.Grouped(at+int64(n)) + " on cannot be read"
			break
		}
		if at += int64(n); len(buf) == 1 {
			at += d.step - 1
		}
		progress.Report(at, d.total, "points")
	}
	if len(d.points) == 0 {
		return fmt.Errorf("there are no points")
	}
	return nil
}

// vecOf is a value of two or three numbers; what is none is NaN.
func vecOf(v model.Value) (p vec) {
	for i, part := range values.AppendComponents(nil, v) {
		if i < len(p) {
			p[i] = numberOf(part)
		}
	}
	return p
}

func numberOf(v model.Value) float64 {
	if f, ok := model.FloatOf(v); ok {
		return f
	}
	return math.NaN()
}

// center moves the points around their middle, and makes the farthest about 1 away.
func (d *solid) center() {
	low, high := vec{math.Inf(1), math.Inf(1), math.Inf(1)}, vec{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, p := range d.points {
		if p.finite() {
			for k := range p {
				low[k], high[k] = min(low[k], p[k]), max(high[k], p[k])
			}
		}
	}
	for k := range low {
		d.middle[k] = (low[k] + high[k]) / 2
	}
	for _, p := range d.points {
		if p.finite() {
			d.reach = max(d.reach, math.Hypot(math.Hypot(p[0]-d.middle[0], p[1]-d.middle[1]), p[2]-d.middle[2]))
		}
	}
	if !(d.reach > 0) {
		d.reach = 1
	}
	for i := range d.points {
		d.points[i] = d.moved(d.points[i])
	}
}

// moved is a point as it is drawn.
func (d *solid) moved(p vec) vec {
	const margin = 0.95
	for k := range p {
		p[k] = (p[k] - d.middle[k]) / d.reach * margin
	}
	return p
}

// readBounds reads the box around a shape.
func (d *solid) readBounds(ctx context.Context, bounds model.Array) {
	var ends [2]model.Value
	if bounds == nil || bounds.Len() < 2 {
		return
	}
	if n, err := bounds.Read(ctx, 0, ends[:]); n < 2 || err != nil {
		return
	}
	low, high := vecOf(ends[0]), vecOf(ends[1])
	for i := range 8 {
		corner := low
		for k := range corner {
			if i>>k&1 == 1 {
				corner[k] = high[k]
			}
		}
		d.box = append(d.box, d.moved(corner))
	}
}

func (p vec) finite() bool {
	sum := p[0] + p[1] + p[2]
	return !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// readParts reads what joins the points. Parts that name a point that is not there are left out, and told of.
func (d *solid) readParts(ctx context.Context, counts, indices model.Array) {
	sizes, err := integers(ctx, counts, mostCorners)
	all := int64(0)
	for _, n := range sizes {
		all += int64(max(n, 0))
	}
	if err != nil || all > mostCorners {
		d.wrong = "too much joins the points to be drawn"
		return
	}
	var numbers []int32
	if indices != nil {
		if numbers, err = integers(ctx, indices, mostCorners); err != nil {
			d.wrong = phrase.Sentence(err)
			return
		}
	}
	d.parts = []int32{0}
	next, bad := 0, 0
	for _, n := range sizes {
		if !d.addPart(next, int(n), numbers, indices != nil) {
			bad++
		}
		next += int(max(n, 0))
	}
	if bad > 0 {
		d.wrong = model.GroupedCount(int64(bad), "part") + " cannot be drawn: points that are not there"
	}
}

// addPart adds a part of the n points from number first on, or, where it is numbered, of those that numbers say there. It
// reports whether they all are there.
func (d *solid) addPart(first, n int, numbers []int32, numbered bool) bool {
	if n <= 0 || numbered && first+n > len(numbers) {
		return false
	}
	from := len(d.corner)
	for i := first; i < first+n; i++ {
		p := int32(i)
		if numbered {
			p = numbers[i]
		}
		if p < 0 || int(p) >= len(d.points) || !d.points[p].finite() {
			d.corner = d.corner[:from]
			return false
		}
		d.corner = append(d.corner, p)
	}
	d.parts = append(d.parts, int32(len(d.corner)))
	return true
}

// integers reads an array of whole numbers.
func integers(ctx context.Context, a model.Array, most int64) ([]int32, error) {
	if a.Len() > most {
		return nil, fmt.Errorf("%s are too many", model.GroupedCount(a.Len(), "number"))
	}
	list := make([]int32, 0, a.Len())
	buf := make([]model.Value, 1024)
	for int64(len(list)) < a.Len() {
		n, err := a.Read(ctx, int64(len(list)), buf[:min(int64(len(buf)), a.Len()-int64(len(list)))])
		for _, v := range buf[:n] {
			list = append(list, int32(min(max(numberOf(v), -1), math.MaxInt32)))
		}
		if err != nil || n == 0 {
			return list, err
		}
	}
	return list, nil
}

// plain is the name of no colouring.
const plain = "Plain"

// shapeCard is a shape that is turned by dragging.
func (d *Deck) shapeCard(ctx context.Context, s model.Shape) (fyne.CanvasObject, *turntable) {
	t := newTurntable()
	_, ofArray := s.(*pointsOf)
	label := widget.NewLabel("reading…")
	label.Importance, label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	mode := kit.NewSelect([]string{"Points"}, func(name string) {
		t.mode = name
		t.Refresh()
	})
	paints := kit.NewSelect(nil, nil)
	painted := kit.FixedWidth(150, paints)
	painted.Hide()
	up := kit.NewCheck("Z up", func(on bool) {
		t.zUp, d.zUp = on, on
		t.Refresh()
	})
	box := kit.NewCheck("Bounds", func(on bool) {
		t.box = on
		t.Refresh()
	})
	box.Hide()
	tools := container.NewHBox(up, box, painted, kit.FixedWidth(130, mode))
	bar := kit.Padded(2, 2, 4, 5, kit.Border(nil, nil, nil, tools, label))
	d.load(ctx, s, func(within context.Context, progress model.Progress) (func(), error) {
		solid, column, err := readSolid(within, s, progress)
		if err != nil {
			return nil, err
		}
		arrays := solid.fitting(within, s)
		zUp := d.zUp || isZUp(within, s)
		return func() {
			t.turn(column.Packing.Components == 2, zUp, up)
			t.solid = solid
			mode.Options = solid.modes()
			mode.SetSelected(mode.Options[len(mode.Options)-1])
			kit.SetVisible(box, solid.box != nil)
			box.SetChecked(solid.box != nil && len(solid.points) <= 2) // nothing else is to be seen
			label.SetText(solid.text())
			d.tellShape(ctx, s, t, label)
			d.followPoints(ctx, t, column, ofArray, label)
			paints.Options = []string{plain}
			for _, a := range arrays {
				paints.Options = append(paints.Options, a.Name)
			}
			kit.SetVisible(painted, len(arrays) > 0)
			bar.Refresh()
			paints.SetSelected(plain)
			paints.OnChanged = func(string) { d.paintShape(ctx, t, arrays, paints.SelectedIndex()-1, label) }
		}, nil
	}, label)
	return kit.Border(bar, nil, nil, nil, t), t
}

// followPoints selects a point that is clicked and names one that is marked.
func (d *Deck) followPoints(ctx context.Context, t *turntable, column *values.Column, ofArray bool, label *widget.Label) {
	t.onTap = func(i int) {
		d.tellPoint(ctx, column, int64(i)*t.solid.step, label, func(i int64, ref model.Ref) {
			d.showBytes(ref)
			if ofArray {
				d.keepRow(i)
			}
		})
	}
	t.onMark = func(i int64) {
		if i < 0 {
			label.SetText(t.solid.text())
		} else {
			d.tellPoint(ctx, column, i, label, nil)
		}
	}
	t.mark(t.marked)
}

// modes are the ways to draw it, the best last.
func (d *solid) modes() []string {
	switch {
	case d.parts == nil:
		return []string{"Points"}
	case d.closed:
		return []string{"Points", "Wireframe", "Flat"}
	}
	return []string{"Points", "Wireframe"}
}

// radius is how large points are drawn, in Fyne's units: few are seen only if they are not too small.
func (d *solid) radius() int {
	const few = 5000
	if len(d.points) <= few {
		return 2
	}
	return 1
}

// isZUp reports whether a shape says that the third axis is up.
func isZUp(ctx context.Context, s model.Shape) bool {
	upright, ok := s.(model.UprightShape)
	return ok && upright.ZUp(ctx)
}

// fitting are the arrays with a number for each point, or each part.
func (d *solid) fitting(ctx context.Context, s model.Shape) (list []model.NamedArray) {
	detailed, ok := s.(model.DetailedShape)
	if !ok {
		return nil
	}
	for _, a := range detailed.Arrays(ctx) {
		n := a.Array.Len()
		if c, err := values.ArrayColumn(ctx, a.Array); err == nil && c.Numeric() && (n == d.total || d.parts != nil && n == int64(len(d.parts)-1)) {
			list = append(list, a)
		}
	}
	return list
}

// paintShape colours a shape by array i, or with -1 by none.
func (d *Deck) paintShape(ctx context.Context, t *turntable, arrays []model.NamedArray, i int, label *widget.Label) {
	bare := *t.solid
	if bare.paint = nil; i < 0 {
		t.solid = &bare
		label.SetText(bare.text())
		t.Refresh()
		return
	}
	d.Tasks.Go(d.painted.Next(ctx), "colouring", func(ctx context.Context, _ model.Progress) func() {
		p, err := bare.paintBy(ctx, arrays[i])
		if ctx.Err() != nil {
			return nil
		}
		return func() {
			if err != nil {
				label.SetText(phrase.Sentence(err))
				return
			}
			now := bare
			now.paint = p
			t.solid = &now
			label.SetText(p.text)
			t.Refresh()
		}
	})
}

// tellShape tells of all the points of a shape, once they are counted.
func (d *Deck) tellShape(ctx context.Context, s model.Shape, t *turntable, label *widget.Label) {
	d.Tasks.Go(ctx, "reading points", func(ctx context.Context, progress model.Progress) func() {
		f, err := values.SummarizeShape(ctx, s, values.Reporting(progress, "points"))
		if ctx.Err() != nil || err != nil { // what cannot be read is told where it is drawn
			return nil
		}
		return func() {
			said := t.solid.text()
			t.solid.facts = f
			if label.Text == said { // else of a point, or of colours
				label.SetText(t.solid.text())
			}
		}
	})
}

// text says what is drawn.
func (d *solid) text() string {
	text := model.GroupedCount(d.total, "point")
	if d.step > 1 {
		text = fmt.Sprintf("%s, one in %d is drawn", text, d.step)
	}
	if d.facts != nil {
		for _, more := range []string{d.facts.PartsText(), d.facts.RangeText()} {
			if more != "" {
				text += ", " + more
			}
		}
	}
	if d.wrong != "" {
		text += "; " + d.wrong
	}
	return text + "   a drag turns, with Shift it moves, the wheel zooms, a click tells of a point"
}

// tellPoint tells of point i of a column in a label, and hands on where it is; then may be nil.
func (d *Deck) tellPoint(ctx context.Context, c *values.Column, i int64, label *widget.Label, then func(i int64, ref model.Ref)) {
	d.Tasks.Go(d.pointed.Next(ctx), "", func(ctx context.Context, _ model.Progress) func() {
		var cell [1]model.Cell
		if n, err := c.Cells(ctx, i, cell[:]); n == 0 || err != nil {
			return nil
		}
		ref := model.Ref{Span: spanOf(cell[:])}
		if a := c.Array(); ref.Span.Source == nil && a != nil {
			ref.Span = model.ElementSpan(ctx, a, i)
		}
		text := fmt.Sprintf("[%d]   %s", i, model.Show(ctx, cell[0].Value, phrase.ShownValue))
		return func() {
			label.SetText(text)
			if then != nil {
				then(i, ref)
			}
		}
	})
}
