package document

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/nodes"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// An Origin traces selected bytes of a derived source back to the bytes of its parents.
type Origin struct {
	shell.Opened
	pane       *Pane
	Origins    [][]model.Span // level by level
	OriginText string         // the same in words
}

// Limits of the bytes of a selection that are traced, and of the pieces that are marked.
const (
	maxMapped = 1 << 20
	maxPieces = 20_000
)

// findMapped marks the origin of a span in all parents of its source.
func (s *Origin) findMapped(span model.Span) {
	s.OriginText, s.Origins = "", nil
	above := s.pane.host.Outer(span)
	if span.Source == nil || span.Source.Origin() == nil && above.Source == nil {
		return
	}
	s.Tasks.Try(s.pane.about, "tracing bytes", func(ctx context.Context, _ model.Progress) (func(), error) {
		if above.Source != nil {
			levels := append([][]model.Span{{above}}, trace(ctx, above)...)
			return func() {
				s.Origins = levels
				s.OriginText = originText(span, levels)
				s.pane.CursorMoved()
			}, nil
		}
		levels := trace(ctx, span)
		return func() {
			for _, spans := range levels {
				s.pane.Hex.ShowMapped(spans)
				s.Log.Write("from", spans[0].Source.Name(), spans[0].Off, nodes.SpansLen(spans))
			}
			s.Origins = levels
			s.OriginText = originText(span, levels)
			s.pane.CursorMoved()
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

// originText returns the origin of a derived span in words: "from 0x1234+56 in File, LZ4 3.2:1".
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

// ToOrigin shows the origin of the selection, or with a negative n the bytes that are derived from the selection.
func (s *Origin) ToOrigin(n int) {
	shown := s.pane.Hex.Shown.Src
	if n > 0 {
		if s.pane.host.Outer(shown.Span(0, 1)).Source != nil {
			off, size := s.pane.Hex.Shown.View.Selection()
			if size == 0 {
				off, size = s.pane.Hex.Shown.View.Cursor(), 1
			}
			s.pane.host.ShowOuter(s.pane.host.Outer(shown.Span(off, size)))
			return
		}
		for k, spans := range s.Origins {
			from := s.pane.own.first().Source
			if k > 0 {
				from = s.Origins[k-1][0].Source
			}
			if from.Same(shown) {
				s.pane.Nav.VisitSpan(model.Span{Source: spans[0].Source, Off: spans[0].Off, Len: spans[0].Len})
				return
			}
		}
		return
	}
	for k, spans := range s.Origins {
		if !spans[0].Source.Same(shown) {
			continue
		}
		down := s.pane.own.first()
		if k > 0 {
			down = s.Origins[k-1][0]
		}
		s.pane.Nav.VisitSpan(down)
		s.pane.host.Did(WentInto, s.pane.current)
		return
	}
	s.intoDerived()
}

// intoDerived opens the first source that is derived from the node at the cursor, or from one of its ancestors.
func (s *Origin) intoDerived() {
	t := s.pane.Hex.Shown
	src, off, view := t.Src, t.View.Cursor(), s.pane.Trees.view
	s.Tasks.Try(s.pane.Nav.way.Next(s.Ctx), "opening what is compressed here", func(ctx context.Context, progress model.Progress) (func(), error) {
		what, err := findByte(ctx, s.Doc, view, src, off, progress)
		if err != nil {
			return nil, err
		}
		// In a described file only the fields know what is derived from their bytes; the layout does not.
		for _, p := range slices.Concat([]*model.Place{what.layout}, what.here, what.made) {
			for ; p != nil; p = p.Parent {
				if len(p.Node.Derived) == 0 || !p.Node.Span().Covers(src, off) {
					continue
				}
				derived, err := p.Derive(ctx, 0)
				if err != nil {
					return nil, err
				}
				target := into(ctx, derived, off)
				return func() { s.pane.Show(target, Showing{hex: true, history: true, event: WentInto}) }, nil
			}
		}
		return nil, fmt.Errorf("the bytes at %#x are not compressed or packed", off)
	})
}

// into returns the node of a derived source that is made from the parent's byte at off, or the root if that is unknown.
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
