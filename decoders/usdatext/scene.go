package usdatext

import (
	"context"
	"slices"
	"sort"

	"cutaway/decoders/usda"
	"cutaway/model"
)

const sceneView = "scene"

// A layer is an opened file.
type layer struct {
	src      *model.Source
	scan     model.Once[index]
	index    *index // valid after load
	twins    map[int32]bool
	recent   model.Cache[textPart, model.Children] // of short layout parts
	long     model.Cache[textPart, *model.Lazy]    // of long layout parts
	split    model.Cache[int32, []textPart]        // parts of repeated variants
	scene    *model.Lazy
	layout   *model.Lazy
	features model.Once[usda.FeatureSet]

	geometry usda.Geometry
}

// load returns the index, scanning the layer once.
func (l *layer) load(ctx context.Context, progress model.Progress) (*index, error) {
	return l.scan.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*index, error) {
		from := int64(0)
		if e := l.encoding(ctx); e != nil {
			from = e.textOffset(l.src.Size())
		}
		x, err := scan(ctx, l.src, from, progress)
		if err != nil {
			return nil, err
		}
		l.twins = x.twins()
		l.index = x
		return x, nil
	})
}

// twins returns the prims that share their name with an earlier sibling.
func (x *index) twins() map[int32]bool {
	twins := map[int32]bool{}
	seen := map[string]bool{}
	for i := range x.specs {
		clear(seen)
		for k := x.specs[i].kid; k >= 0; k = x.specs[k].next {
			s := &x.specs[k]
			if s.kind != kindPrim {
				continue
			}
			if seen[s.name] {
				twins[k] = true
			}
			seen[s.name] = true
		}
	}
	return twins
}

// path returns the USD path of a spec.
func (l *layer) path(i int32) string {
	var up []int32
	for ; i > 0; i = l.index.specs[i].parent {
		up = append(up, i)
	}
	b := []byte{}
	for k := len(up) - 1; k >= 0; k-- {
		s := &l.index.specs[up[k]]
		switch s.kind {
		case kindPrim:
			if len(b) == 0 || b[len(b)-1] != '}' {
				b = append(b, '/')
			}
			b = append(b, s.name...)
		case kindVariantSet:
			if k == 0 {
				b = append(append(append(b, '{'), s.name...), "=}"...)
			}
		default:
			b = append(b, l.element(up[k])...)
		}
	}
	if len(b) == 0 {
		return "/"
	}
	return string(b)
}

// element returns the name of a spec's node, which is its part of a USD path.
func (l *layer) element(i int32) string {
	switch s := &l.index.specs[i]; s.kind {
	case kindPrim:
		return s.name
	case kindVariantSet:
		return "{" + s.name + "=}"
	case kindVariant:
		return "{" + l.index.specs[s.parent].name + "=" + s.name + "}"
	default:
		return "." + s.name
	}
}

func (l *layer) sceneRoot(context.Context) model.Node {
	return model.Node{Name: "/", Type: "pseudoRoot", Value: model.Text("/"), Children: l.scene, Spans: []model.Span{l.src.Whole()},
		Help: "the layer: its metadata, and the prims under it", Cards: l.textCards(0)}
}

func (l *layer) sceneChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	if _, err := l.load(ctx, progress); err != nil {
		return nil, err
	}
	return l.childrenOf(0), nil
}

// node returns the node of a spec.
func (l *layer) node(i int32) model.Node {
	s := &l.index.specs[i]
	n := model.Node{Name: l.element(i), Type: kindNames[s.kind], Value: model.Text(l.path(i)), Cards: l.textCards(i),
		Spans: []model.Span{l.src.Span(s.off, max(s.end-s.off, 0))}, Children: l.childrenOf(i)}
	if blocks := l.index.blocks[i]; blocks != nil {
		n.Spans = slices.Clip(blocks)
	}
	if s.kind == kindAttribute || s.kind == kindRelationship {
		n.Spans = nil
		for at := s.first; at >= 0; at = l.index.statements[at].next {
			st := &l.index.statements[at]
			n.Spans = append(n.Spans, l.src.Span(st.off, st.end-st.off))
		}
		n.Principal = usda.Principal(&n, n.Spans)
	}
	return n
}

// specChildren makes the fields and child specs of a spec on demand.
type specChildren struct {
	l    *layer
	i    int32
	memo model.Memo[*specContents]
}

var _ model.Finder = (*specChildren)(nil)

// specContents holds the children of a spec.
type specContents struct {
	fields []model.Node
	specs  []int32  // in the order of the text; variants are siblings of their set
	bare   []string // variant sets named in metadata but not defined
	again  bool     // a spec is repeated, so that offsets may not ascend
}

func (l *layer) childrenOf(i int32) *specChildren { return &specChildren{l: l, i: i} }

func (b *specChildren) load(ctx context.Context) *specContents {
	k := &specContents{fields: b.l.fieldsOf(ctx, b.i)}
	x := b.l.index
	for at := x.specs[b.i].kid; at >= 0; at = x.specs[at].next {
		if x.specs[at].kind == kindVariant {
			continue
		}
		k.specs = append(k.specs, at)
		if x.specs[at].kind == kindVariantSet {
			k.specs = append(k.specs, x.childrenOf(at, kindVariant)...)
		}
	}
	if x.specs[b.i].kind == kindVariantSet {
		k.specs = nil
	}
	k.bare = b.bareSets(ctx, k)
	k.again = len(x.blocks) > 0 && (x.blocks[b.i] != nil || slices.ContainsFunc(k.specs, func(i int32) bool { return x.blocks[i] != nil }))
	return k
}

// bareSets returns the variant sets that the metadata of a prim names but its body does not define.
func (b *specChildren) bareSets(ctx context.Context, k *specContents) []string {
	i := slices.IndexFunc(k.fields, func(n model.Node) bool { return n.Name == "variantSetChildren" })
	if i < 0 {
		return nil
	}
	names, ok := k.fields[i].Value.(*model.Elements)
	if !ok {
		return nil
	}
	var listed, bare []string
	for i := range names.Count {
		v, _ := names.Make(ctx, i)
		if text, ok := v.(model.Text); ok {
			listed = append(listed, string(text))
		}
	}
	for _, name := range listed {
		if !slices.ContainsFunc(k.specs, func(s int32) bool {
			return b.l.index.specs[s].kind == kindVariantSet && b.l.index.specs[s].name == name
		}) {
			bare = append(bare, name)
		}
	}
	return bare
}

func (b *specChildren) kids(ctx context.Context) *specContents { return b.memo.Get(ctx, b.load) }

func (b *specChildren) Len(ctx context.Context) (int64, bool) {
	k := b.kids(ctx)
	return int64(len(k.fields) + len(k.specs) + len(k.bare)), true
}

func (b *specChildren) At(ctx context.Context, i int64) model.Node {
	k := b.kids(ctx)
	if i < int64(len(k.fields)) {
		return k.fields[i]
	}
	if i -= int64(len(k.fields)); i < int64(len(k.specs)) {
		n := b.l.node(k.specs[i])
		if segment := b.l.segmentBeside(k.fields, k.specs[i]); segment != n.Name {
			n.Segment = segment
		}
		return n
	}
	if i -= int64(len(k.specs)); i >= int64(len(k.bare)) {
		return model.Node{Name: model.IndexName(i)} // ctx ended, and fewer children were found
	}
	set := k.bare[i]
	return model.Node{Name: "{" + set + "=}", Type: kindNames[kindVariantSet], Value: model.Text(b.l.path(b.i) + "{" + set + "=}"),
		Help: "a variant set that the metadata names, and that has no variants"}
}

// segment returns a spec's segment of a scene path.
func (l *layer) segment(ctx context.Context, i int32) string {
	var fields []model.Node
	if s := &l.index.specs[i]; s.kind == kindPrim { // only prims share a name with a field
		fields = l.fieldsOf(ctx, s.parent)
	}
	return l.segmentBeside(fields, i)
}

// segmentBeside returns a spec's segment of a scene path, given the fields of its parent.
func (l *layer) segmentBeside(fields []model.Node, i int32) string {
	name, nth := l.element(i), 1
	if slices.ContainsFunc(fields, func(f model.Node) bool { return f.Name == name }) {
		nth++
	}
	x := l.index
	for at := x.specs[x.specs[i].parent].kid; l.isTwin(i) && at != i && at >= 0; at = x.specs[at].next {
		if x.specs[at].kind == x.specs[i].kind && x.specs[at].name == x.specs[i].name {
			nth++
		}
	}
	return model.NthSegment(name, nth)
}

func (b *specChildren) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source == nil {
		return model.Search(ctx, b, q)
	}
	return b.locate(ctx, q.Source, q.Off)
}

func (b *specChildren) locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	k := b.kids(ctx)
	covers := func(n *model.Node) bool {
		return slices.ContainsFunc(n.Spans, func(s model.Span) bool { return s.Covers(src, off) })
	}
	x := b.l.index
	if k.again {
		if i := b.smallest(k, func(s model.Span) bool { return s.Covers(src, off) }); i >= 0 {
			return int64(len(k.fields) + i), true
		}
	}
	i := sort.Search(len(k.specs), func(i int) bool { return x.specs[k.specs[i]].off > off }) - 1
	for ; i >= 0; i-- {
		n := b.l.node(k.specs[i])
		if covers(&n) {
			return int64(len(k.fields) + i), true
		}
		if x.specs[k.specs[i]].kind == kindPrim {
			break
		}
	}
	for i := range k.fields {
		if covers(&k.fields[i]) {
			return int64(i), true
		}
	}
	return 0, false
}

// smallest returns the index in k.specs of the spec with the smallest span that covers accepts, or -1 if none.
func (b *specChildren) smallest(k *specContents, covers func(model.Span) bool) int {
	found, size := -1, int64(0)
	for i, of := range k.specs {
		n := b.l.node(of)
		for _, s := range n.Spans {
			if covers(s) && (found < 0 || s.Len < size) {
				found, size = i, s.Len
			}
		}
	}
	return found
}

// textCards returns the maker of a spec's cards: its text, and its shape if the spec is a prim.
func (l *layer) textCards(i int32) func(context.Context) []model.Card {
	return func(ctx context.Context) []model.Card {
		cards := []model.Card{&specText{usda.NewTextCard(), l, i}}
		if i == 0 {
			return append(cards, l.geometry.Cards(ctx, l.scene)...)
		}
		if x := l.scan.Made(); x != nil && x.specs[i].kind == kindPrim {
			cards = append(cards, usda.ShapeCards(ctx, l.childrenOf(i), l.childrenOf(0))...)
		}
		return cards
	}
}
