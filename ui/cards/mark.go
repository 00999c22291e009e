package cards

import (
	"context"
	"strings"

	"cutaway/model"
)

// Mark marks the selected element in card k: a row of a table or a point of a shape. below has the nodes from below the card's own to the
// selected one; without any a shape marks nothing. A scene shows the shapes below the node, at the selected time. A plot over time
// marks that time.
func (d *Deck) Mark(k int, below []*model.Place) {
	v, c := d.views[k], d.cards[k]
	if v.scene != nil {
		path := ""
		if len(below) > 0 {
			path = strings.TrimPrefix(below[len(below)-1].Path(), v.scene.base+"/")
		}
		v.scene.mark(path)
		return
	}
	if v.picture != nil {
		v.picture.followTimes()
		return
	}
	if _, at := d.host.Times(); at != nil && d.curve != nil && kindOf(c) == "Plot" {
		d.curve.mark(at.Moment.Time)
	}
	if v.shape == nil && v.list == nil && v.plot == nil {
		return
	}
	if plot, is := c.(*arrayPlot); is {
		c = plot.arrayTable
	}
	picked := d.picked
	d.Tasks.Go(d.marked.Next(d.Ctx), "", func(ctx context.Context, _ model.Progress) func() {
		at := markedOf(ctx, c, below, picked)
		return func() {
			switch {
			case v.plot != nil:
				v.plot.mark(at)
			case v.shape != nil:
				v.shape.mark(at)
			case at >= 0:
				v.markRow(at)
			}
		}
	})
}

// markRow makes the row of an element or line the selected one.
func (v *cardView) markRow(at int64) {
	if v.code != nil {
		v.code.light(v.code.lit.Next(v.code.ctx), at, func(model.Line) {})
		at = v.code.rowOf(at)
	}
	if v.list.Selection.Item() != any(at) {
		markRow(v.list, at)
	}
}

// markedOf returns the number of the element of a card that is one of the nodes, or that was clicked, or -1.
func markedOf(ctx context.Context, c model.Card, below []*model.Place, picked pick) int64 {
	for _, p := range below {
		if p.Index >= 0 && isElementOf(ctx, c, p) {
			return p.Index
		}
	}
	if isPicked(ctx, c, picked) {
		return picked.i
	}
	return -1
}

// isElementOf reports whether a node is the element or row of a card that its index says.
func isElementOf(ctx context.Context, c model.Card, p *model.Place) bool {
	switch c := c.(type) {
	case model.Shape:
		a := c.Points(ctx)
		return a != nil && p.Index < a.Len() && isAt(model.ElementSpan(ctx, a, p.Index), &p.Node)
	case *arrayTable:
		if c.place == nil {
			return false
		}
		element := c.place(ctx, p.Index)
		return element != nil && element.Path() == p.Path()
	case model.Listing:
		line := make([]model.Line, 1)
		n, err := c.Read(ctx, p.Index, line)
		return n == 1 && err == nil && line[0].Path == p.Path()
	case model.Table:
		return isRowOf(ctx, c, p)
	}
	return false
}

// isRowOf reports whether a node is the row of a table that its index says.
func isRowOf(ctx context.Context, c model.Table, p *model.Place) bool {
	if n, _ := c.Rows(); p.Index >= n {
		return false
	}
	row := [][]model.Cell{make([]model.Cell, len(c.Columns()))}
	if n, err := c.Read(ctx, p.Index, row); n == 0 || err != nil {
		return false
	}
	for _, cell := range row[0] {
		if cell.Path == p.Path() || strings.HasPrefix(cell.Path, p.Path()+"/") {
			return true
		}
	}
	span := spanOf(row[0])
	return span.Source != nil && isAt(span, &p.Node)
}

// isPicked reports whether an element that was clicked is one of the array of a card. One without bytes is of none.
func isPicked(ctx context.Context, c model.Card, picked pick) bool {
	if picked.at.Source == nil {
		return false
	}
	var a model.Array
	switch c := c.(type) {
	case model.Shape:
		a = c.Points(ctx)
	case *arrayTable:
		a = c.column.Array()
	}
	if a == nil || picked.i >= a.Len() {
		return false
	}
	at := model.ElementSpan(ctx, a, picked.i)
	return at.Source.Same(picked.at.Source) && at.Off == picked.at.Off
}

// isAt reports whether bytes are the first of a node.
func isAt(at model.Span, n *model.Node) bool {
	span := n.Span()
	return at.Source != nil && at.Source.Same(span.Source) && at.Off == span.Off
}
