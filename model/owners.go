package model

import "context"

// Owners returns at most limit nodes of a view that own bytes of a span, and the number of all. Each is the deepest: if
// a child, such as an element of an array, has the whole span, it is returned instead.
func (d *Document) Owners(ctx context.Context, v *View, s Span, limit int) ([]*Place, int64, error) {
	if v.Find == nil {
		p, err := v.Descend(ctx, s)
		if p == nil || p.Parent == nil || err != nil {
			return nil, 0, err
		}
		return []*Place{p}, 1, nil
	}
	paths, total, err := v.Find(ctx, s, limit)
	if err != nil {
		return nil, 0, err
	}
	var places []*Place
	seen := make(map[string]bool)
	own := make(map[string]bool) // paths of owners
	for _, path := range paths {
		own[path] = true
	}
	for _, path := range paths {
		p, err := d.Lookup(ctx, path)
		if err == nil {
			p, err = p.descend(ctx, s, own)
		}
		switch {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err != nil || seen[p.Path()]:
			total--
		default:
			seen[p.Path()] = true
			places = append(places, p)
		}
	}
	return places, total, nil
}

// maxSiblings is the most children that are searched for a byte without a Finder.
const maxSiblings = 4096

// Descend returns the deepest node of the view that has the whole span, if its nodes nest like their spans. Nodes of a
// derived source are below the node with the bytes that the source was made from.
func (v *View) Descend(ctx context.Context, s Span) (*Place, error) {
	levels := []Span{s}
	for origin := s.Source.Origin(); origin != nil && len(origin.Spans) > 0; origin = levels[len(levels)-1].Source.Origin() {
		levels = append(levels, origin.Spans[0])
	}
	p := v.Place(ctx)
	for k := len(levels) - 1; k >= 0; k-- {
		var err error
		if p, err = p.Descend(ctx, levels[k]); err != nil {
			return p, err
		}
	}
	return p, nil
}

// Descend returns the deepest node at or below p that has the whole span, if those nodes nest like their spans.
func (p *Place) Descend(ctx context.Context, s Span) (*Place, error) { return p.descend(ctx, s, nil) }

// descend is like Descend, without the nodes whose paths are in but.
func (p *Place) descend(ctx context.Context, s Span, but map[string]bool) (*Place, error) {
	for {
		if err := p.Resolve(ctx, nil); err != nil {
			return p, err
		}
		next := p.childOver(ctx, s)
		if next == nil || but[next.Path()] {
			return p, ctx.Err()
		}
		p = next
	}
}

func (p *Place) childOver(ctx context.Context, span Span) *Place {
	if p.Node.Children == nil {
		return nil
	}
	if i, ok := Locate(ctx, p.Node.Children, span.Source, span.Off); ok {
		if last, ok := Locate(ctx, p.Node.Children, span.Source, max(span.Off, span.End()-1)); ok && last == i {
			return p.Child(ctx, i)
		}
		return nil
	}
	n, _ := p.Len(ctx)
	for i := range min(n, maxSiblings) {
		if child := p.Child(ctx, i); child.Node.owns(span) {
			return child
		}
	}
	return nil
}

// owns reports whether one span of the node has the first byte of s, and one the last.
func (n *Node) owns(s Span) bool {
	first, last := false, false
	for _, own := range n.Spans {
		first = first || own.Covers(s.Source, s.Off)
		last = last || own.Covers(s.Source, max(s.Off, s.End()-1))
	}
	return first && last
}
