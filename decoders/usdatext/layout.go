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
	return l.inside(ctx, textPart{0, l.src.Size(), 0, true})
}

// A textPart is a range of text with tokens of its own: a prim, variant or variant set with its body, or a statement.
type textPart struct {
	off, end int64
	spec     int32
	whole    bool // has a body
}

// parts returns the parts of a spec's body, in the order of the text.
func (l *layer) parts(i int32) []textPart {
	x := l.index
	var all []textPart
	statements := func(of int32, from int64) {
		for at := x.specs[of].first; at >= 0; at = x.statements[at].next {
			if st := &x.statements[at]; st.off >= from && !x.isHead(of, st.off) {
				all = append(all, textPart{st.off, st.end, of, false})
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
			all = append(all, textPart{kid.off, kid.end, k, true})
		}
	}
	slices.SortFunc(all, func(a, b textPart) int { return int(min(max(a.off-b.off, -1), 1)) })
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

// partsIn returns the parts of a part. If its variant is repeated, they are those of one definition.
func (l *layer) partsIn(of textPart) []textPart {
	if len(l.index.blocks[of.spec]) == 0 {
		return l.parts(of.spec)
	}
	all := l.split.Of(of.spec, func() []textPart { return l.parts(of.spec) })
	byOff := func(p textPart, off int64) int { return cmp.Compare(p.off, off) }
	first, _ := slices.BinarySearchFunc(all, of.off, byOff)
	last, _ := slices.BinarySearchFunc(all, of.end, byOff)
	return all[first:last]
}

// isHead reports whether a definition of spec of begins at off.
func (x *index) isHead(of int32, off int64) bool {
	_, found := slices.BinarySearchFunc(x.blocks[of], off, func(b model.Span, off int64) int { return cmp.Compare(b.Off, off) })
	return found
}

// variantParts returns the definitions of the variants of a set.
func (l *layer) variantParts(set int32) []textPart {
	var all []textPart
	for _, v := range l.index.childrenOf(set, kindVariant) {
		s := &l.index.specs[v]
		all = append(all, textPart{s.off, s.end, v, true})
		for i, b := range l.index.blocks[v] {
			if i > 0 {
				all = append(all, textPart{b.Off, b.End(), v, true})
			}
		}
	}
	return all
}

// A textPiece is a child of a part: another part, or a token.
type textPiece struct {
	off, end int64
	spec     int32 // of a part
	kind     pieceKind
}

type pieceKind uint8

const (
	wholePiece     pieceKind = iota // a part with a body
	statementPiece                  // a part without
	spacePiece
	arrayPiece
	tokenPiece
	unreadPiece // failed to read, or beyond the memory limit
)

// pieces holds the children of a part.
type pieces struct {
	l    *layer
	of   textPart
	list []textPiece
	err  error // why the last piece was not read, or nil if the memory limit is the reason
}

var (
	_ model.Bulk   = (*pieces)(nil)
	_ model.Finder = (*pieces)(nil)
)

// maxPieces returns the most children that a part shows.
func maxPieces() int {
	return int(max(source.CacheLimit()/4/int64(unsafe.Sizeof(textPiece{}))/2, 1<<12))
}

func (c *pieces) add(kind pieceKind, off, end int64, spec int32) {
	c.list = append(c.list, textPiece{off, end, spec, kind})
}

// inside makes the children of a part: the parts inside and the tokens between them.
func (l *layer) inside(ctx context.Context, of textPart) (model.Children, error) {
	c := &pieces{l: l, of: of}
	off, end, most := of.off, of.end, maxPieces()
	var parts []textPart
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

func (c *pieces) Len(context.Context) (int64, bool) { return int64(len(c.list)), true }

func (c *pieces) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, c, q)
	}
	i, ok := model.ParseIndex(q.Name)
	return i, ok && i < int64(len(c.list))
}

func (c *pieces) At(ctx context.Context, i int64) model.Node {
	p, l := c.list[i], c.l
	at := l.src.Span(p.off, p.end-p.off)
	n := model.Node{Type: "space", Role: model.Padding, Spans: []model.Span{at}}
	switch p.kind {
	case wholePiece, statementPiece:
		n = l.partNode(textPart{p.off, p.end, p.spec, p.kind == wholePiece})
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

// partNode returns the node of a part.
func (l *layer) partNode(p textPart) model.Node {
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

// longPart is the size in bytes above which the children of a part are made in the background. A few are kept: those of
// all parts would take far more memory than the text.
const longPart = 256 << 10

// A shortPart makes the children of a small part on demand.
type shortPart struct {
	l *layer
	p textPart
}

var _ model.Finder = (*shortPart)(nil)

// children returns the children from the cache, or makes them.
func (s *shortPart) children(ctx context.Context) model.Children {
	c, err := s.l.recent.Get(ctx, s.p, func(ctx context.Context) (model.Children, error) {
		return s.l.inside(ctx, s.p)
	})
	if err != nil {
		return &pieces{}
	}
	return c
}

func (s *shortPart) Len(ctx context.Context) (int64, bool) { return s.children(ctx).Len(ctx) }

func (s *shortPart) At(ctx context.Context, i int64) model.Node { return s.children(ctx).At(ctx, i) }

func (s *shortPart) Find(ctx context.Context, q model.Query) (int64, bool) {
	return model.Find(ctx, s.children(ctx), q)
}

// tokenNames are the types of token nodes.
var tokenNames = [...]string{usda.Bad: "unknown", usda.Blank: "space", usda.Newline: "space", usda.Comment: "comment", usda.Word: "word",
	usda.Number: "number", usda.String: "string", usda.Asset: "asset path", usda.PathRef: "path", usda.Punct: "mark"}

// tokens adds the tokens of a range up to most pieces in c. A run of blanks is one piece; so is a long array, whose
// elements the scene shows.
func (l *layer) tokens(ctx context.Context, off, end int64, c *pieces, most int) {
	if off >= end {
		return
	}
	x := newLexer(ctx, l.src, off, end, nil)
	var open []int // pieces that are brackets of unfinished arrays
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

// bracket updates the open brackets by the last token. When an array that the index lacks, such as a sample's, ends and
// was long, bracket joins its tokens to one piece.
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

// shownToken is the greatest length in bytes of a token whose node has its text as value.
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
