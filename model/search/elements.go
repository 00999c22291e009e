package search

import (
	"context"
	"slices"

	"cutaway/model"
)

// window is the number of elements of an array in memory.
const window = 4096

// elements searches the elements of the node's array. It searches the readable part of a damaged array, whose node has
// the problem.
func (q *Query) elements(ctx context.Context, p *model.Place, a model.Array, found func(context.Context, Hit) error) error {
	left := q.unmatched(ctx, p)
	if len(left) == 0 || slices.ContainsFunc(left, func(t *term) bool { return t.field != anyField && t.field != valueField }) {
		return nil // all terms match the array itself, or a term cannot match elements
	}
	room := make([]model.Value, min(window, a.Len()))
	for first := int64(0); first < a.Len(); {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := a.Read(ctx, first, room)
		for i, v := range room[:n] {
			if f, ok := allIn(ctx, left, v); ok {
				if err := found(ctx, q.elementHit(ctx, p, first+int64(i), &f)); err != nil {
					return err
				}
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || n == 0 {
			return nil
		}
		first += int64(n)
	}
	return nil
}

// elementsBelow reports whether a descendant has the elements of the node's array, as in the layout of a stored array.
func elementsBelow(ctx context.Context, p *model.Place) bool {
	const few = 8
	if p.Node.Elements || p.Node.Children == nil {
		return false
	}
	n, _ := p.Len(ctx)
	for i := range min(n, few) {
		if p.Node.Children.At(ctx, i).Elements {
			return true
		}
	}
	return false
}

// unmatched returns the terms that the node of an array does not match by itself.
func (q *Query) unmatched(ctx context.Context, p *model.Place) []*term {
	var left []*term
	for _, t := range q.terms {
		if _, _, ok := t.match(ctx, p, false); !ok {
			left = append(left, t)
		}
	}
	return left
}

func allIn(ctx context.Context, terms []*term, v model.Value) (found, bool) {
	var best found
	for i, t := range terms {
		f, ok := t.value(ctx, v)
		if !ok {
			return found{}, false
		}
		if i == 0 {
			best = f
		}
	}
	return best, true
}

// elementHit returns the hit of element i of the node's array.
func (q *Query) elementHit(ctx context.Context, p *model.Place, i int64, f *found) Hit {
	p.Keep(ctx)
	at := p
	if n, _ := p.Len(ctx); p.Node.Elements && i < n {
		at = p.Child(ctx, i)
	}
	h := f.hit(ctx, at)
	index := model.IndexName(i) + " = "
	h.Text = index + h.Text
	if h.To > h.From {
		h.From, h.To = h.From+len(index), h.To+len(index)
	}
	return h
}
