package cards

import (
	"context"
	"fmt"
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/geometry"
	"cutaway/model/values"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
)

// solid is a shape as it is drawn.
type solid struct {
	*geometry.Solid
	facts *values.ShapeFacts // of all points, or nil before they are counted
	paint *paint             // the colours of the points or parts, or nil
}

type vec = geometry.Vec

// paint is a colour for each point, or each part.
type paint struct {
	ofParts bool
	inks    []color.NRGBA
	text    string // explains the colours
}

// pointsOf is the array of points as a card: those of an array of vectors are nothing but points.
type pointsOf struct {
	model.CardBase
	array model.Array
}

func (p *pointsOf) Points(context.Context) model.Array { return p.array }

func (p *pointsOf) Parts(context.Context) (counts, indices model.Array, closed bool) {
	return nil, nil, false
}

// plain is the name of no colouring.
const plain = "Plain"

// shapeCard is a shape that is turned by dragging.
func (d *Deck) shapeCard(ctx context.Context, s model.Shape) (fyne.CanvasObject, *turntable) {
	t := newTurntable()
	_, ofArray := s.(*pointsOf)
	paints := kit.NewSelect(nil, nil)
	painted := kit.FixedWidth(150, paints)
	painted.Hide()
	box := kit.NewCheck("Bounds", func(on bool) {
		t.box = on
		t.Refresh()
	})
	box.Hide()
	bar, up, mode, label := d.turnBar(t, []string{"Points"}, box, painted)
	d.load(ctx, s, func(within context.Context, progress model.Progress) (func(), error) {
		read, column, err := geometry.Read(within, s, progress)
		if err != nil {
			return nil, err
		}
		solid := &solid{Solid: read}
		arrays := solid.fitting(within, s)
		zUp := d.zUp || isZUp(within, s)
		return func() {
			t.turn(column.Packing.Components == 2, zUp, up)
			t.solid = solid
			mode.Options = solid.modes()
			mode.SetSelected(mode.Options[len(mode.Options)-1])
			kit.SetVisible(box, solid.Box != nil)
			box.SetChecked(solid.Box != nil && len(solid.Points) <= 2) // nothing else is to be seen
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

// turnBar makes the bar over a turntable: a label, a switch for Z up, other tools, and the mode of drawing.
func (d *Deck) turnBar(t *turntable, modes []string, more ...fyne.CanvasObject) (bar *fyne.Container, up *kit.Check, mode *kit.Select, label *widget.Label) {
	label = widget.NewLabel("reading…")
	label.Importance, label.Truncation = widget.LowImportance, fyne.TextTruncateEllipsis
	mode = kit.NewSelect(modes, func(name string) {
		t.mode = name
		t.Refresh()
	})
	up = kit.NewCheck("Z up", func(on bool) {
		t.zUp, d.zUp = on, on
		t.Refresh()
	})
	tools := container.NewHBox(append(append([]fyne.CanvasObject{up}, more...), kit.FixedWidth(130, mode))...)
	return kit.Padded(2, 2, 4, 5, kit.Border(nil, nil, nil, tools, label)), up, mode, label
}

// followPoints selects a point that is clicked and names one that is marked.
func (d *Deck) followPoints(ctx context.Context, t *turntable, column *values.Column, ofArray bool, label *widget.Label) {
	t.onTap = func(i int) {
		d.tellPoint(ctx, column, int64(i)*t.solid.Step, label, func(i int64, ref model.Ref) {
			d.pick(i, ref)
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
	case d.Parts == nil:
		return []string{"Points"}
	case d.Closed:
		return []string{"Points", "Wireframe", "Flat"}
	}
	return []string{"Points", "Wireframe"}
}

// radius returns the radius of points in Fyne's units; few points are larger, to be seen.
func (d *solid) radius() int {
	const few = 5000
	if len(d.Points) <= few {
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
		if c, err := values.ArrayColumn(ctx, a.Array); err == nil && c.Numeric() && (n == d.Total || d.Parts != nil && n == int64(len(d.Parts)-1)) {
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

// tellShape describes all points of a shape once they are counted.
func (d *Deck) tellShape(ctx context.Context, s model.Shape, t *turntable, label *widget.Label) {
	d.Tasks.Go(ctx, "reading points", func(ctx context.Context, progress model.Progress) func() {
		f, err := values.SummarizeShape(ctx, s, values.Reporting(progress, "points"))
		if ctx.Err() != nil || err != nil { // the drawing shows the error
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
	text := model.GroupedCount(d.Total, "point")
	if d.Step > 1 {
		text = fmt.Sprintf("%s, one in %d is drawn", text, d.Step)
	}
	if d.facts != nil {
		if more := d.facts.PartsText(); more != "" {
			text += ", " + more
		}
	}
	if d.Wrong != "" {
		text += "; " + d.Wrong
	}
	return text + "   a drag turns, with Shift it moves, the wheel zooms, a click tells of a point"
}

// tellPoint shows point i of a column in a label and passes its place to then, which may be nil.
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
