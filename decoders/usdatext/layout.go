package usdatext

import (
	"cmp"
	"context"
	"slices"
	"unsafe"

	"cutaway/decoders/usda"
	"cutaway/model"
	"cutaway/source"
)

func (l *layer) layoutRoot(ctx context.Context) model.Node {
	n := model.Node{Name: model.LayoutView, Type: "USD text", Spans: []model.Span{l.src.Whole()}, Children: l.layout,
		Help: "statements and tokens, as they are in the file"}
	if e := l.encoding(ctx); e != nil {
		n.Problems = []model.Problem{e.problem(l.src)}
	}
	return n
}

func (l *layer) layoutChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	if _, err := l.load(ctx, progress); err != nil {
		return nil, err
	}
	return l.inside(ctx, part{0, l.src.Size(), 0, true})
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
			if st := &x.statements[at]; st.off >= from && !x.isHead(of, st.off) {
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

// partsIn are the parts in one: of a variant that is stated more than once, those of one of its blocks.
func (l *layer) partsIn(of part) []part {
	if len(l.index.blocks[of.spec]) == 0 {
		return l.parts(of.spec)
	}
	all := l.split.Of(of.spec, func() []part { return l.parts(of.spec) })
	byOff := func(p part, off int64) int { return cmp.Compare(p.off, off) }
	first, _ := slices.BinarySearchFunc(all, of.off, byOff)
	last, _ := slices.BinarySearchFunc(all, of.end, byOff)
	return all[first:last]
}

// isHead reports whether a variant is stated once more at an offset.
func (x *index) isHead(of int32, off int64) bool {
	_, found := slices.BinarySearchFunc(x.blocks[of], off, func(b model.Span, off int64) int { return cmp.Compare(b.Off, off) })
	return found
}

// variantParts are the variants of a set, whose blocks may be several.
func (l *layer) variantParts(set int32) []part {
	var all []part
	for _, v := range l.index.of(set, kindVariant) {
		s := &l.index.specs[v]
		all = append(all, part{s.off, s.end, v, true})
		for i, b := range l.index.blocks[v] {
			if i > 0 {
				all = append(all, part{b.Off, b.End(), v, true})
			}
		}
	}
	return all
}

// piece is a child of a part: another part, or a token, of which only where it is is kept.
type piece struct {
	off, end int64
	spec     int32 // of a part
	kind     pieceKind
}

type pieceKind uint8

const (
	wholePiece     pieceKind = iota // of a spec that others are in
	statementPiece                  // of a spec
	spacePiece
	arrayPiece
	tokenPiece
	unreadPiece // could not be read, or was not for want of memory
)

// pieces is the children of a part.
type pieces struct {
	l    *layer
	of   part
	list []piece
	err  error // why the last one was not read; nil: for want of memory
}

// maxPieces is how many children of one part are told.
func maxPieces() int { return int(max(source.CacheLimit()/4/int64(unsafe.Sizeof(piece{}))/2, 1<<12)) }

func (c *pieces) add(kind pieceKind, off, end int64, spec int32) {
	c.list = append(c.list, piece{off, end, spec, kind})
}

// inside makes the children of a part: the parts in it, and the tokens between them.
func (l *layer) inside(ctx context.Context, of part) (model.Children, error) {
	c := &pieces{l: l, of: of}
	off, end, most := of.off, of.end, maxPieces()
	var parts []part
	if of.whole {
		parts = l.partsIn(of)
	}
	stop := min(end, l.index.end)
	for _, p := range parts {
		if len(c.list) >= most {
			break
		}
		if p.end > stop || p.off < off {
			continue
		}
		l.tokens(ctx, off, p.off, c, most)
		if len(c.list) < most {
			kind := statementPiece
			if p.whole {
				kind = wholePiece
			}
			c.add(kind, p.off, p.end, p.spec)
			off = p.end
		}
	}
	l.tokens(ctx, off, stop, c, most)
	if n := len(c.list); n > 0 {
		off = c.list[n-1].end
	}
	if off < end && c.err == nil {
		c.add(unreadPiece, off, end, 0)
	}
	return c, ctx.Err()
}

// Len implements model.Children.
func (c *pieces) Len(context.Context) (int64, bool) { return int64(len(c.list)), true }

// Find implements model.Finder.
func (c *pieces) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, c, q)
	}
	i, ok := model.ParseIndex(q.Name)
	return i, ok && i < int64(len(c.list))
}

// At implements model.Children.
func (c *pieces) At(ctx context.Context, i int64) model.Node {
	p, l := c.list[i], c.l
	at := l.src.Span(p.off, p.end-p.off)
	n := model.Node{Type: "space", Role: model.Padding, Spans: []model.Span{at}}
	switch p.kind {
	case wholePiece, statementPiece:
		n = l.partNode(part{p.off, p.end, p.spec, p.kind == wholePiece})
	case arrayPiece:
		n.Type, n.Role = "array", model.Explained
		if a, known := l.index.arrays[p.off]; known {
			n.Brief = plural(a.count, "element", "elements")
		}
	case tokenPiece:
		n = l.tokenNode(ctx, at)
	case unreadPiece:
		n.Type, n.Role = "bytes", model.Unknown
		if c.err != nil {
			n.Problems = []model.Problem{model.AsProblem(c.err, ruleRead, at)}
		} else {
			n.Problems = []model.Problem{l.index.limit(at)}
		}
	}
	n.Name = model.IndexName(i)
	return n
}

// partNode is the node of a part.
func (l *layer) partNode(p part) model.Node {
	s := &l.index.specs[p.spec]
	n := model.Node{Type: kindNames[s.kind], Brief: s.name, Spans: []model.Span{l.src.Span(p.off, p.end-p.off)}}
	if !p.whole {
		n.Type = "statement"
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "spec", Path: l.scenePath(ctx, p.spec), Text: l.path(p.spec)}}
	}
	n.Children = &shortPart{l, p}
	if p.end-p.off > longPart {
		n.Children = l.long.Of(p, func() *model.Lazy {
			return model.NewLazy(func(ctx context.Context, _ model.Progress) (model.Children, error) { return l.inside(ctx, p) })
		})
	}
	return n
}

// longPart is how many bytes a part has whose children are made in the background, and stay for as long as it is among those
// that were used last: those of all would take far more memory than the text.
const longPart = 256 << 10

// shortPart is the children of a part with few bytes, which are made when they are looked at.
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
		return &pieces{}
	}
	return c
}

// Len implements model.Children.
func (s *shortPart) Len(ctx context.Context) (int64, bool) { return s.made(ctx).Len(ctx) }

// At implements model.Children.
func (s *shortPart) At(ctx context.Context, i int64) model.Node { return s.made(ctx).At(ctx, i) }

// Find implements model.Finder.
func (s *shortPart) Find(ctx context.Context, q model.Query) (int64, bool) {
	return model.Find(ctx, s.made(ctx), q)
}

// tokenNames are the types of the nodes of tokens.
var tokenNames = [...]string{usda.Bad: "unknown", usda.Blank: "space", usda.Newline: "space", usda.Comment: "comment", usda.Word: "word",
	usda.Number: "number", usda.String: "string", usda.Asset: "asset path", usda.PathRef: "path", usda.Punct: "mark"}

// tokens adds the tokens of a range, as far as there are fewer than the most. Blanks are one; so is a long array, whose elements
// the scene has.
func (l *layer) tokens(ctx context.Context, off, end int64, c *pieces, most int) {
	if off >= end {
		return
	}
	x := newLexer(ctx, l.src, off, end, nil)
	var open []int // the brackets of arrays that have not ended, in the list
	for ctx.Err() == nil && len(c.list) < most {
		at := x.pos
		if a, long := l.index.arrays[at]; long && a.end <= end {
			c.add(arrayPiece, at, a.end, 0)
			x.pos = a.end
			continue
		}
		kind, text, ok := x.raw()
		if !ok {
			break
		}
		last := len(c.list) - 1
		switch {
		case kind != usda.Blank && kind != usda.Newline:
			c.add(tokenPiece, at, x.pos, 0)
			open = c.bracket(open, text)
		case last >= 0 && c.list[last].kind == spacePiece && c.list[last].end == at && at > off:
			c.list[last].end = x.pos
		default:
			c.add(spacePiece, at, x.pos, 0)
		}
	}
	if x.err != nil && x.pos < end {
		c.err = x.err
		c.add(unreadPiece, x.pos, end, 0)
	}
}

// bracket looks whether the token that was added last opens or ends an array: one of which the index does not know, such as a
// sample's, becomes one piece when it has ended and was long.
func (c *pieces) bracket(open []int, text []byte) []int {
	last := len(c.list) - 1
	switch {
	case string(text) == "[":
		return append(open, last)
	case string(text) != "]" || len(open) == 0:
		return open
	}
	first := open[len(open)-1]
	if p := &c.list[first]; c.list[last].end-p.off > longArray {
		p.kind, p.end = arrayPiece, c.list[last].end
		c.list = c.list[:first+1]
	}
	return open[:len(open)-1]
}

// shownToken is how many bytes of a token its node has as text.
const shownToken = 1 << 10

func (l *layer) tokenNode(ctx context.Context, span model.Span) model.Node {
	kind, text, _ := newLexer(ctx, l.src, span.Off, span.End(), nil).raw()
	n := model.Node{Type: tokenNames[kind], Spans: []model.Span{span}}
	switch {
	case kind == usda.Bad:
		n.Role = model.Unknown
		n.Value = model.Blob{Span: span}
	case span.Len > shownToken:
		n.Value = model.Blob{Span: span}
	default:
		n.Value = model.Text(text)
	}
	return n
}
