package checksum

import (
	"context"
	"slices"

	"cutaway/model"
)

// candidates collects candidates without duplicates.
type candidates struct {
	ctx  context.Context
	at   model.Span
	list []Candidate
	seen map[[2]model.Span]bool
}

// Candidates returns the bytes that the checksum at a span may cover, by its position in the layout: the bytes before
// and after it in each node around it, from and to its siblings; the siblings; their derived sources; and the whole
// source. It also tries any number of bytes directly before or after it.
func Candidates(ctx context.Context, doc *model.Document, at model.Span) []Candidate {
	c := candidates{ctx: ctx, at: at, seen: make(map[[2]model.Span]bool)}
	place, _ := doc.At(ctx, at.Source, at.Off)
	level := 0
	for p := place; p != nil && ctx.Err() == nil; p = p.Parent {
		span := p.Node.Span()
		if !span.Source.Same(at.Source) {
			break
		}
		if span.Off > at.Off || span.End() < at.End() || span.Len <= at.Len {
			continue
		}
		if p.Parent != nil {
			c.addAround(span, p.Path())
		} else {
			c.addAround(span, at.Source.Title())
		}
		c.siblings(p, level < derivedFor)
		level++
	}
	c.addAround(at.Source.Whole(), at.Source.Title())
	if at.Len >= leastOfAny {
		c.anyLength()
	}
	return c.list
}

// anyLength adds the bytes directly before and after the checksum, of every length up to a limit.
func (c *candidates) anyLength() {
	src, at := c.at.Source, c.at
	for n := range int64(anyUpTo) {
		if n < at.Off {
			c.add("right before it", false, src.Span(at.Off-n-1, n+1))
		}
		if n < src.Size()-at.End() {
			c.add("right after it", false, src.Span(at.End(), n+1))
		}
	}
}

// add adds runs of bytes, unless they are empty or a duplicate.
func (c *candidates) add(what string, zeros bool, spans ...model.Span) {
	spans = slices.DeleteFunc(spans, func(s model.Span) bool { return s.Len <= 0 })
	if len(spans) == 0 {
		return
	}
	var key [2]model.Span
	copy(key[:], spans)
	if c.seen[key] {
		return
	}
	c.seen[key] = true
	c.list = append(c.list, Candidate{slices.Clone(spans), zeros, what})
}

// addAround adds the bytes around the checksum in a span.
func (c *candidates) addAround(span model.Span, name string) {
	src, at := c.at.Source, c.at
	before, after := src.Span(span.Off, at.Off-span.Off), src.Span(at.End(), span.End()-at.End())
	c.add(name+" before it", false, before)
	c.add(name+" after it", false, after)
	c.add(name+" without it", false, before, after)
	c.add(name+" with zeros in its place", true, span)
}

// siblings adds the children of a node, near the checksum, that do not contain it.
func (c *candidates) siblings(p *model.Place, derived bool) {
	if p.Node.Children == nil || p.Node.IsPending() {
		return
	}
	at := c.at
	middle, ok := model.Locate(c.ctx, p.Node.Children, at.Source, at.Off)
	if !ok {
		return
	}
	n, _ := p.Len(c.ctx)
	for i := max(middle-nearby, 0); i < min(middle+nearby+1, n) && c.ctx.Err() == nil; i++ {
		child := p.Child(c.ctx, i)
		span := child.Node.Span()
		if !span.Source.Same(at.Source) || span.Off < at.End() && span.End() > at.Off {
			continue
		}
		name := child.Path()
		c.add(name, false, span)
		if span.End() <= at.Off {
			c.add("from "+name+" to it", false, at.Source.Span(span.Off, at.Off-span.Off))
		} else {
			c.add("from it to the end of "+name, false, at.Source.Span(at.End(), span.End()-at.End()))
		}
		if derived {
			c.derived(child)
		}
	}
}

// derived adds the sources derived from a node.
func (c *candidates) derived(p *model.Place) {
	for k := range p.Node.Derived {
		inner, err := p.Derive(c.ctx, k)
		if err != nil {
			continue
		}
		if whole := inner.Node.Span(); whole.Source != nil && whole.Len <= MaxRead {
			c.add(inner.Path(), false, whole.Source.Whole())
		}
	}
}
