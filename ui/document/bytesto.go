package document

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/references"
)

// Tapped selects what the byte at off of src is in the view that is open.
func (s *Pane) Tapped(src *model.Source, off int64, again bool) {
	s.Log.Write("hex-tap", src.Name(), off)
	if again && s.current != nil && s.current.Parent != nil {
		s.Show(s.current.Parent, Showing{tree: nodes.ViewOf(s.current) == s.view.Name, history: true})
		return
	}
	if !again && s.Details.selectRow(src, off) {
		return
	}
	view, hist := s.view, s.History
	s.Tasks.Try(s.way.Next(s.Ctx), "looking up "+phrase.Hex(off), func(ctx context.Context, progress model.Progress) (func(), error) {
		found, err := findByte(ctx, s.Doc, view, src, off, progress)
		if err != nil {
			return nil, err
		}
		return func() { s.showFound(found, hist) }, nil
	})
}

// found is what a byte is.
type found struct {
	layout *model.Place   // the deepest layout node
	here   []*model.Place // in the view that is open, the first of them
	total  int64          // how many there are
	owner  *model.Place   // the nearest in the view where it has none there
}

// showFound selects what was found; of several nodes, the one visited last.
func (s *Pane) showFound(f found, hist *history) {
	switch {
	case len(f.here) > 0:
		paths := make([]string, len(f.here))
		for i, p := range f.here {
			paths[i] = p.Path()
		}
		k := hist.latest(paths)
		others := references.Owners{Paths: append(append([]string(nil), paths[:k]...), paths[k+1:]...), Total: f.total - 1}
		s.Show(f.here[k], Showing{tree: true, history: true, others: others})
	case f.layout != nil:
		if f.owner != nil {
			s.selectIn(s.view, f.owner)
		}
		s.Show(f.layout, Showing{history: true})
	}
}

// maxHere is how many nodes with the same byte are offered.
const maxHere = 64

// findByte finds what the byte at off of src is, in the layout and in a view.
func findByte(ctx context.Context, doc *model.Document, view *model.View, src *model.Source, off int64, progress model.Progress) (found, error) {
	var f found
	var err error
	if f.layout, err = doc.ResolveAt(ctx, src, off, progress); err != nil {
		return f, err
	}
	if view.Name == model.LayoutView {
		if f.layout != nil {
			f.here = []*model.Place{f.layout}
		}
		return f, nil
	}
	if f.here, f.total, err = doc.Owners(ctx, view, src.Span(off, 1), maxHere); err != nil || len(f.here) > 0 {
		return f, err
	}
	// Not in this view: whose bytes are around it, or were made from it?
	for p := f.layout; p != nil && f.owner == nil; p = p.Parent {
		span := p.Node.Span()
		if span.Source == nil || p.Parent == nil {
			continue
		}
		near, _, err := doc.Owners(ctx, view, span, 1)
		if err != nil {
			return f, err
		}
		if len(near) > 0 {
			f.owner = near[0]
		}
	}
	return f, nil
}

// maxMapped bounds the bytes of a selection whose origin is looked for, and the pieces that are marked.
const (
	maxMapped = 1 << 20
	maxPieces = 20_000
)

// findMapped marks, in the parents of a derived source, the bytes that a span was made from.
func (s *Pane) findMapped(span model.Span) {
	s.OriginText, s.Origins = "", nil
	above := s.host.Outer(span)
	if span.Source == nil || span.Source.Origin() == nil && above.Source == nil {
		return
	}
	s.Tasks.Try(s.about, "tracing bytes", func(ctx context.Context, _ model.Progress) (func(), error) {
		if above.Source != nil {
			levels := append([][]model.Span{{above}}, trace(ctx, above)...)
			return func() {
				s.Origins = levels
				s.OriginText = originText(span, levels)
				s.CursorMoved()
			}, nil
		}
		levels := trace(ctx, span)
		return func() {
			for _, spans := range levels {
				s.Hex.ShowMapped(spans)
				s.Log.Write("from", spans[0].Source.Name(), spans[0].Off, nodes.SpansLen(spans))
			}
			s.Origins = levels
			s.OriginText = originText(span, levels)
			s.CursorMoved()
		}, nil
	})
}

// trace follows a span through the origins of its source: the parent's spans, the parent's parent's, …
func trace(ctx context.Context, span model.Span) [][]model.Span {
	var levels [][]model.Span
	now := []model.Span{span}
	for range 8 {
		origin := now[0].Source.Origin()
		if origin == nil {
			break
		}
		var in []model.Span
		for _, s := range now {
			if origin.Map == nil || len(in) > maxPieces {
				break
			}
			pieces, err := origin.Map.From(ctx, s.Off, min(max(s.Len, 1), maxMapped))
			if err != nil {
				break
			}
			for _, p := range pieces {
				in = append(in, p.In...)
			}
		}
		if len(in) == 0 {
			in = origin.Spans
		}
		if len(in) == 0 {
			break
		}
		in = joined(in)
		levels = append(levels, in)
		now = in
	}
	return levels
}

// joined merges spans that touch, keeping their order.
func joined(spans []model.Span) []model.Span {
	var out []model.Span
	for _, s := range spans {
		if k := len(out) - 1; k >= 0 && out[k].Source.Same(s.Source) && s.Off >= out[k].Off && s.Off <= out[k].End() {
			out[k].Len = max(out[k].Len, s.End()-out[k].Off)
			continue
		}
		out = append(out, s)
	}
	return out
}

// originText says where a derived span comes from: "from 0x1234+56 in File, LZ4 3.2:1".
func originText(span model.Span, levels [][]model.Span) string {
	var b strings.Builder
	src := span.Source
	for k, spans := range levels {
		fmt.Fprintf(&b, " ← %#x+%s", spans[0].Off, strconv.FormatInt(nodes.SpansLen(spans), 10))
		if len(spans) > 1 {
			fmt.Fprintf(&b, " in %d pieces", len(spans))
		}
		fmt.Fprintf(&b, " in %s", phrase.Short(spans[0].Source.Title(), kit.LongestTab))
		if k == 0 && src.Origin() != nil && src.Origin().Codec != "" {
			b.WriteString(" (" + src.Origin().Codec)
			if n := nodes.SpansLen(src.Origin().Spans); n > 0 {
				fmt.Fprintf(&b, " %.1f:1", float64(src.Size())/float64(n))
			}
			b.WriteString(")")
		}
	}
	return b.String()
}

// ToOrigin shows the bytes that the selection was made from, n levels up, or with a negative n goes back down.
func (s *Pane) ToOrigin(n int) {
	shown := s.Hex.Shown.Src
	if n > 0 {
		if s.host.Outer(shown.Span(0, 1)).Source != nil {
			off, size := s.Hex.Shown.View.Selection()
			if size == 0 {
				off, size = s.Hex.Shown.View.Cursor(), 1
			}
			s.host.ShowOuter(s.host.Outer(shown.Span(off, size)))
			return
		}
		for k, spans := range s.Origins {
			from := s.current.Node.Span().Source
			if k > 0 {
				from = s.Origins[k-1][0].Source
			}
			if from.Same(shown) {
				s.ShowSpan(model.Span{Source: spans[0].Source, Off: spans[0].Off, Len: spans[0].Len})
				return
			}
		}
		return
	}
	for k, spans := range s.Origins {
		if !spans[0].Source.Same(shown) {
			continue
		}
		down := s.current.Node.Span()
		if k > 0 {
			down = s.Origins[k-1][0]
		}
		s.ShowSpan(down)
		return
	}
	s.intoDerived()
}

// intoDerived opens the first source that is derived from the node at the hex pane's cursor, or from one above it.
func (s *Pane) intoDerived() {
	t := s.Hex.Shown
	src, off := t.Src, t.View.Cursor()
	s.Tasks.Try(s.way.Next(s.Ctx), "opening what is compressed here", func(ctx context.Context, progress model.Progress) (func(), error) {
		p, err := s.Doc.ResolveAt(ctx, src, off, progress)
		if err != nil {
			return nil, err
		}
		for ; p != nil; p = p.Parent {
			if len(p.Node.Derived) == 0 || !p.Node.Span().Source.Same(src) {
				continue
			}
			derived, err := p.Derive(ctx, 0)
			if err != nil {
				return nil, err
			}
			target := into(ctx, derived, off)
			return func() { s.Show(target, Showing{hex: true, history: true}) }, nil
		}
		return nil, fmt.Errorf("the bytes at %#x are not compressed or packed", off)
	})
}

// into is the node of a derived source that was made from the parent's byte at off; the root where that is not
// known.
func into(ctx context.Context, root *model.Place, off int64) *model.Place {
	origin := root.Of.Origin()
	if origin == nil || origin.Map == nil {
		return root
	}
	out, err := origin.Map.To(ctx, off, 1)
	if err != nil || len(out) == 0 {
		return root
	}
	if p, err := root.Descend(ctx, root.Of.Span(out[0].Off, 1)); err == nil {
		return p
	}
	return root
}

// HoverText says what the byte at off of src belongs to. It runs on a goroutine of its own.
func (s *Pane) HoverText(src *model.Source, off int64) (string, model.Span) {
	p, final := s.Doc.At(s.Ctx, src, off)
	if p == nil {
		return "", model.Span{}
	}
	text := p.Path()
	if value := nodes.ValueText(s.Ctx, &p.Node, 80); value != "" {
		text += "\n" + value
	}
	if p.Node.Type != "" {
		text += "\n" + p.Node.Type
	}
	if !final {
		text += "\nnot decoded yet"
	}
	if p.Parent == nil {
		return text, model.Span{} // lighting all lights nothing
	}
	return text, p.Node.Span()
}
