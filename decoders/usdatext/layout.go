package usdatext

import (
	"context"
	"slices"

	"cutaway/decoders/usda"
	"cutaway/model"
)

func (l *layer) layoutRoot(context.Context) model.Node {
	return model.Node{Name: model.LayoutView, Type: "USD text", Spans: []model.Span{l.src.Whole()}, Children: l.layout,
		Help: "statements and tokens, as they stand in the file"}
}

func (l *layer) layoutChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	if _, err := l.load(ctx, progress); err != nil {
		return nil, err
	}
	return l.pieces(ctx, 0, l.src.Size(), l.parts(0))
}

// part is a piece of text with tokens of its own: a prim, variant or variant set with what is in it, or a statement.
type part struct {
	off, end int64
	spec     int32
	whole    bool // of a spec that others are in
}

// parts are those of a spec's body, in the order of the text.
func (l *layer) parts(i int32) []part {
	x := l.index
	var all []part
	statements := func(of int32, from int64) {
		for at := x.specs[of].first; at >= 0; at = x.statements[at].next {
			if st := &x.statements[at]; st.off >= from {
				all = append(all, part{st.off, st.end, of, false})
			}
		}
	}
	s := &x.specs[i]
	statements(i, s.body)
	for k := s.kid; k >= 0; k = x.specs[k].next {
		switch kid := &x.specs[k]; kid.kind {
		case kindAttribute, kindRelationship:
			statements(k, 0)
		case kindVariantSet:
			all = append(all, l.variantParts(k)...)
		default:
			all = append(all, part{kid.off, kid.end, k, true})
		}
	}
	slices.SortFunc(all, func(a, b part) int { return int(min(max(a.off-b.off, -1), 1)) })
	kept := all[:0]
	end := int64(0)
	for _, p := range all {
		if p.off >= end && p.end > p.off {
			kept = append(kept, p)
			end = p.end
		}
	}
	return kept
}

// variantParts are the variants of a set, whose blocks may be several.
func (l *layer) variantParts(set int32) []part {
	var all []part
	for _, v := range l.index.of(set, kindVariant) {
		s := &l.index.specs[v]
		all = append(all, part{s.off, s.end, v, true})
	}
	return all
}

// pieces makes the children of a range: its parts, and the tokens between them.
func (l *layer) pieces(ctx context.Context, off, end int64, parts []part) (model.Children, error) {
	var list []model.Node
	add := func(n model.Node) {
		n.Name = model.IndexName(int64(len(list)))
		list = append(list, n)
	}
	for _, p := range parts {
		if p.end > end || p.off < off {
			continue
		}
		l.tokens(ctx, off, p.off, add)
		add(l.partNode(p))
		off = p.end
	}
	l.tokens(ctx, off, end, add)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return model.NewList(list...), nil
}

// partNode is the node of a part.
func (l *layer) partNode(p part) model.Node {
	s := &l.index.specs[p.spec]
	n := model.Node{Type: kindNames[s.kind], Brief: s.name, Spans: []model.Span{l.src.Span(p.off, p.end-p.off)}}
	if !p.whole {
		n.Type = "statement"
	}
	n.Refs = func(context.Context) []model.Ref {
		return []model.Ref{{Kind: "spec", Path: l.scenePath(p.spec), Text: l.path(p.spec)}}
	}
	n.Children = &shortPart{l, p}
	if p.end-p.off > longPart {
		n.Children = model.NewLazy(func(ctx context.Context, _ model.Progress) (model.Children, error) { return l.inside(ctx, p) })
	}
	return n
}

// inside makes the children of a part.
func (l *layer) inside(ctx context.Context, p part) (model.Children, error) {
	if p.whole {
		return l.pieces(ctx, p.off, p.end, l.parts(p.spec))
	}
	return l.pieces(ctx, p.off, p.end, nil)
}

// longPart is how many bytes a part has whose children are made once, in the background.
const longPart = 256 << 10

// shortPart is the children of a part with few bytes. They are made anew when they are looked at: those of all parts would
// take far more memory than the text.
type shortPart struct {
	l *layer
	p part
}

// made are the children, of which those that were used last are kept.
func (s *shortPart) made(ctx context.Context) model.Children {
	c, err := s.l.recent.Get(ctx, s.p, func(ctx context.Context) (model.Children, error) {
		return s.l.inside(ctx, s.p)
	})
	if err != nil {
		return model.NewList()
	}
	return c
}

// Len implements model.Children.
func (s *shortPart) Len(ctx context.Context) (int64, bool) { return s.made(ctx).Len(ctx) }

// At implements model.Children.
func (s *shortPart) At(ctx context.Context, i int64) model.Node { return s.made(ctx).At(ctx, i) }

// Index implements model.Indexer.
func (s *shortPart) Index(ctx context.Context, name string) (int64, bool) {
	return s.made(ctx).(*model.List).Index(ctx, name)
}

// tokenNames are the types of the nodes of tokens.
var tokenNames = [...]string{usda.Bad: "unknown", usda.Blank: "space", usda.Newline: "space", usda.Comment: "comment", usda.Word: "word",
	usda.Number: "number", usda.String: "string", usda.Asset: "asset path", usda.PathRef: "path", usda.Punct: "mark"}

// tokens makes the nodes of the tokens of a range. Blanks are one; so is an array, whose elements the scene has.
func (l *layer) tokens(ctx context.Context, off, end int64, add func(model.Node)) {
	if off >= end {
		return
	}
	x := newRaw(ctx, l.src, off, end)
	space := model.Span{}
	flush := func() {
		if space.Len > 0 {
			add(model.Node{Type: "space", Role: model.Padding, Spans: []model.Span{space}})
		}
		space = model.Span{}
	}
	for ctx.Err() == nil {
		at := x.pos
		if a, long := l.index.arrays[at]; long && a.end <= end {
			flush()
			add(model.Node{Type: "array", Brief: plural(a.count, "element", "elements"), Spans: []model.Span{l.src.Span(at, a.end-at)}})
			x.pos = a.end
			continue
		}
		kind, text, ok := x.raw()
		if !ok {
			break
		}
		span := l.src.Span(at, x.pos-at)
		if kind == usda.Blank || kind == usda.Newline {
			if space.Len == 0 {
				space = span
			} else {
				space.Len += span.Len
			}
			continue
		}
		flush()
		add(l.tokenNode(kind, text, span))
	}
	flush()
	if x.err != nil && x.pos < end {
		p := model.AsProblem(x.err, ruleRead, l.src.Span(x.pos, end-x.pos))
		add(model.Node{Type: "bytes", Role: model.Unknown, Spans: []model.Span{l.src.Span(x.pos, end-x.pos)}, Problems: []model.Problem{p}})
	}
}

// newRaw is a lexer that has gone over nothing yet.
func newRaw(ctx context.Context, src *model.Source, off, end int64) *lexer {
	return &lexer{ctx: ctx, src: src, end: end, pos: off, before: off}
}

// shownToken is how many bytes of a token its node has as text.
const shownToken = 1 << 10

func (l *layer) tokenNode(kind usda.Token, text []byte, span model.Span) model.Node {
	n := model.Node{Type: tokenNames[kind], Spans: []model.Span{span}}
	switch {
	case kind == usda.Bad:
		n.Role = model.Unknown
		n.Value = model.Blob{Span: span}
	case len(text) > shownToken:
		n.Value = model.Blob{Span: span}
	default:
		n.Value = model.Text(text)
	}
	return n
}
