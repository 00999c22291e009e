package cards

import (
	"context"

	"cutaway/model"
	"cutaway/ui/nodes"
)

// Found is the cards of a node, and the array that it has them of.
type Found struct {
	Cards  []model.Card
	Array  model.Array  // nil where the node is none
	At     *model.Place // of the array
	Target string       // the path of the array that the elements are numbers of, or ""
}

// Of finds the cards of a node: its own, and those that the window makes of its array, elements or only rows.
func Of(ctx context.Context, doc *model.Document, p *model.Place) (f Found) {
	if p.Node.Cards != nil {
		f.Cards = p.Node.Cards(ctx)
	}
	a, of := arrayAt(ctx, p)
	if a == nil || a.Len() == 0 {
		f.Cards = append(f.Cards, rowsBelow(ctx, p, f.Cards)...)
		f.Cards = append(f.Cards, elementsTable(ctx, p, f.Cards)...)
		return f
	}
	f.Array, f.At, f.Target = a, of, indexed(ctx, doc, of)
	f.Cards = append(f.Cards, OfArray(ctx, a, elementOf(of), f.Target)...)
	return f
}

// indexed returns the path of the array that the elements of the one at p are numbers of, or "".
func indexed(ctx context.Context, doc *model.Document, p *model.Place) string {
	v := doc.View(nodes.ViewOf(p))
	if v == nil || v.Indexed == nil {
		return ""
	}
	target := v.Indexed(p)
	if target == "" {
		return ""
	}
	if _, err := doc.Lookup(ctx, target); err != nil {
		return ""
	}
	return target
}

// A node stands for the only array among at most fewChildren children.
const fewChildren = 8

// arrayAt returns the array that a node is, or that the only array among its few children is, as of an attribute. It returns nil
// where there is none.
func arrayAt(ctx context.Context, p *model.Place) (a model.Array, of *model.Place) {
	if a, ok := p.Node.Value.(model.Array); ok {
		return a, p
	}
	n, exact := p.Len(ctx)
	if p.Parent == nil || !exact || n > fewChildren || p.Node.Elements {
		return nil, nil
	}
	for i := range n {
		c := p.Child(ctx, i)
		if is, ok := c.Node.Value.(model.Array); ok {
			if a != nil {
				return nil, nil
			}
			a, of = is, c
		}
	}
	return a, of
}

// The columns of a sequence's table come from at most fewElements elements.
const fewElements = 1 << 10

// elementsTable returns the table of those elements of a node that are structures, unless the node has rows of its own.
func elementsTable(ctx context.Context, p *model.Place, own []model.Card) []model.Card {
	if len(model.WithRows(own)) > 0 || !model.HasElements(ctx, &p.Node) {
		return nil
	}
	t, err := model.FieldsOf(ctx, p, fewElements, nil)
	if err != nil {
		return nil
	}
	if rows, _ := t.Rows(); rows == 0 || t.Plain() && !p.Node.Elements {
		return nil
	}
	return []model.Card{t}
}

// rowsBelow returns the tables and series of the only one among a node's few children that has some, such as the samples of an attribute.
// It returns nothing if the node has some of its own.
func rowsBelow(ctx context.Context, p *model.Place, own []model.Card) (rows []model.Card) {
	n, exact := p.Len(ctx)
	if p.Parent == nil || !exact || n > fewChildren || p.Node.Elements || len(model.WithRows(own)) > 0 {
		return nil
	}
	for i := range n {
		c := p.Child(ctx, i)
		if c.Node.Cards == nil {
			continue
		}
		if list := model.WithRows(c.Node.Cards(ctx)); rows != nil && list != nil {
			return nil
		} else if list != nil {
			rows = list
		}
	}
	return rows
}

// elementOf returns a function that makes the place of an element of the array at p, or nil where its elements are no nodes.
func elementOf(p *model.Place) func(ctx context.Context, i int64) *model.Place {
	if !p.Node.Elements || p.Node.Children == nil {
		return nil
	}
	return func(ctx context.Context, i int64) *model.Place {
		if n, _ := p.Len(ctx); i >= n {
			return nil
		}
		return p.Child(ctx, i)
	}
}
