// Package scene has the prims and properties that the specs of a crate describe: scene.go as a tree by USD path, pathtree.go as the
// tree of path items that encodes the paths. The other files answer questions about the scene as a whole: facts, names, times, sizes,
// hashes for comparison, text.
package scene

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"strings"
	"sync"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
	"cutaway/model/crossref"
)

// View is the name of the view of the scene.
const View = "scene"

// A Scene is the prims and properties that the specs of a crate describe, as two views: by USD path, and by the encoding of paths.
type Scene struct {
	crate         *table.Crate
	values        *value.Values
	Top, pathTree *model.Lazy // the children of the roots of the two views
	index         model.Once[Index]
	geometry      usda.Geometry
	hashes        model.Once[itemHashes]
}

// New returns the scene of a crate, whose tables are loaded when its children are asked for. Tables lead to its nodes from now on.
func New(crate *table.Crate, values *value.Values) *Scene {
	s := &Scene{crate: crate, values: values}
	s.Top = model.NewLazy(s.makeChildren)
	s.pathTree = model.NewLazy(s.makePathTree)
	crate.Scene = s
	return s
}

// An Index finds what the scene is made of: path items with their specs' fields, as a tree.
type Index struct {
	crate  *table.Crate
	values *value.Values
	scene  *Scene
	*table.Tables
	kids    *crossref.Inverse // items under each item
	again   map[int32]int32   // of items with the element of an earlier sibling: which one of them it is, from 1 on
	repeats map[uint32]uint32 // tokens whose text an earlier token has, by which they are compared
	stray   []int32           // specs that no item shows: of a path that has another spec, or no item

	mu    sync.Mutex
	named int32        // the item whose children's segments are in names
	names []uint64     // of each child a hash of its segment, in the high half, and its number; sorted
	seed  maphash.Seed // of the hashes
}

// Index returns the index of the scene, which loads all tables when it is first asked for. Its error is that of the context.
func (s *Scene) Index(ctx context.Context, progress model.Progress) (*Index, error) {
	return s.index.Get(ctx, progress, s.makeIndex)
}

func (s *Scene) makeIndex(ctx context.Context, progress model.Progress) (*Index, error) {
	t, err := s.crate.Tables(ctx, progress)
	if err != nil {
		return nil, err
	}
	x := &Index{crate: s.crate, values: s.values, scene: s, Tables: t, again: map[int32]int32{}, named: -1, seed: maphash.MakeSeed()}
	if x.repeats, err = x.Tokens.Repeats(ctx); err != nil {
		return nil, err
	}
	if x.kids, err = x.Paths.Kids(ctx); err != nil {
		return nil, err
	}
	if err := x.findRepeats(ctx, progress, x.Tokens.Count); err != nil {
		return nil, err
	}
	own := x.Specs.ByPath.Cursor()
	for i, path := range x.Specs.Paths.Slice(0, x.Specs.Count()).All() {
		if int64(path) >= x.Specs.ByPath.Len() || own.At(int64(path)) != uint32(i) {
			x.stray = append(x.stray, int32(i))
		}
	}
	return x, nil
}

// canonical returns the token that stands for all with its text.
func (x *Index) canonical(token uint32) uint32 {
	if first, is := x.repeats[token]; is {
		return first
	}
	return token
}

// element identifies an item's element among its siblings.
type element struct {
	token    uint32
	property bool
}

func (f *repeatFinder) element(item int32) element {
	return element{f.x.canonical(f.token.At(int64(item))), f.x.Paths.Property.Has(item)}
}

// findRepeats notes which children of an item have the element of an earlier one.
func (x *Index) findRepeats(ctx context.Context, progress model.Progress, tokens int64) error {
	f := repeatFinder{x: x, seen: [2]table.Bitset{make(table.Bitset, (tokens+63)/64), make(table.Bitset, (tokens+63)/64)}, tokens: tokens, token: x.Paths.Token.Cursor()}
	seen := int64(0)
	for item, kids := range x.kids.All() {
		if kids.Len() > 1 {
			f.among(kids)
		}
		if seen += kids.Len(); seen > 1<<16 {
			seen = 0
			progress.Report(item, x.Paths.Items(), "comparing siblings")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeatFinder marks the elements of one item's children, a bit each: maps of millions would cost far more.
type repeatFinder struct {
	x      *Index
	tokens int64
	token  *model.NumbersCursor // of each item
	seen   [2]table.Bitset      // by token, of children that are properties and that are not
}

func (f *repeatFinder) among(kids model.Numbers) {
	var counts map[element]int32 // of elements that were seen before, and of tokens that are not in the table
	for _, kid := range kids.All() {
		kid := int32(kid)
		e := f.element(kid)
		bits := f.bits(e)
		if bits != nil && !bits.Has(int32(e.token)) {
			bits.Set(int32(e.token))
			continue
		}
		if counts == nil {
			counts = map[element]int32{}
		}
		if counts[e]++; bits == nil {
			f.x.note(kid, counts[e]-1)
		} else {
			f.x.note(kid, counts[e])
		}
	}
	for _, kid := range kids.All() {
		if e := f.element(int32(kid)); f.bits(e) != nil {
			f.bits(e).Clear(int32(e.token))
		}
	}
}

// bits returns the marks of elements such as e, or nil if its token is not in the table.
func (f *repeatFinder) bits(e element) table.Bitset {
	switch {
	case int64(e.token) >= f.tokens || e.token > math.MaxInt32:
		return nil
	case e.property:
		return f.seen[1]
	}
	return f.seen[0]
}

// note remembers that before siblings of an item have its element.
func (x *Index) note(item, before int32) {
	if before > 0 {
		x.again[item] = before
	}
}

// Root returns the root of the scene view.
func (s *Scene) Root(ctx context.Context) model.Node {
	n := model.Node{Name: "/", Type: "pseudoRoot", Value: model.Text("/"), Help: "the layer: its metadata, and the prims under it"}
	if s.Top.Resolved() != nil {
		if x, err := s.Index(ctx, nil); err == nil && x.Paths.Items() > 0 {
			n = x.node(ctx, 0)
		}
	}
	n.Children, n.Cards = s.Top, func(ctx context.Context) []model.Card {
		return append(s.textCards(0)(ctx), s.geometry.Cards(ctx, s.Top)...)
	}
	return n
}

func (s *Scene) makeChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	x, err := s.Index(ctx, progress)
	if err != nil {
		return nil, err
	}
	return x.children(0), nil
}

// node makes the node of an item.
func (x *Index) node(ctx context.Context, item int32) model.Node {
	n, p := x.leanNode(ctx, item), x.Paths
	spec, has := x.spec(item)
	n.Spans = p.ItemSpans(ctx, item)
	if has {
		n.Spans = append(n.Spans, x.Specs.Spans(ctx, spec)...)
		if n.Principal = usda.Principal(&n, nil); n.Principal == nil {
			n.Principal = model.Group
		}
	} else {
		n.Help = "a path that no spec is of"
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{p.Ref(ctx, item)}
		if has {
			refs = append(append(refs, x.crate.Entries.SpecRef(uint32(spec))), x.crate.FieldSetRefs(ctx, x.Specs.Sets.At(spec))...)
		}
		return refs
	}
	if has {
		n.Cards = func(ctx context.Context) []model.Card {
			return append(x.scene.textCards(item)(ctx), usda.ShapeCards(ctx, x.children(item), x.children(0))...)
		}
	}
	return n
}

// leanNode is node without spans, links, cards and help.
func (x *Index) leanNode(ctx context.Context, item int32) model.Node {
	p := x.Paths
	n := model.Node{Name: x.segment(ctx, item), Type: "path", Value: model.Text(p.ItemText(ctx, item)), Problems: p.Problems[item]}
	n = n.Named(p.Element(ctx, item))
	spec, has := x.spec(item)
	if has {
		if n.Type = table.SpecTypeName(x.Specs.Types.At(spec)); n.Type == "" {
			n.Type = fmt.Sprintf("spec type %d", x.Specs.Types.At(spec))
		}
		if more := x.Specs.Problems[spec]; len(more) > 0 {
			n.Problems = append(n.Problems[:len(n.Problems):len(n.Problems)], more...)
		}
	}
	if children := x.childrenBelow(item, spec, has); children.count() > 0 {
		n.Children = children
	}
	return n
}

// spec returns the spec of an item.
func (x *Index) spec(item int32) (int64, bool) {
	index := x.Paths.Index.At(int64(item))
	if own, ok := x.Paths.ItemOf(index); !ok || own != item {
		return 0, false
	}
	return x.Specs.SpecAt(index)
}

// segment returns the segment of an item in paths: its element, with ~k where fields or siblings before it have that name.
func (x *Index) segment(ctx context.Context, item int32) string {
	return model.NthSegment(cmp.Or(x.Paths.Element(ctx, item), "(empty)"), 1+x.before(item))
}

// before returns the number of fields and siblings before an item that have its name.
func (x *Index) before(item int32) int {
	repeats := int(x.again[item])
	if parent := x.Paths.Parent(item); parent >= 0 && !x.Paths.Property.Has(item) {
		for _, f := range x.group(parent) {
			if int64(f) < x.Fields.Count && x.canonical(x.Fields.Names.At(int64(f))) == x.canonical(x.Paths.Token.At(int64(item))) {
				repeats++
			}
		}
	}
	return repeats
}

// group returns the fields of an item's spec.
func (x *Index) group(item int32) []uint32 {
	if spec, ok := x.spec(item); ok {
		return x.Sets.Group(x.Specs.Sets.At(spec))
	}
	return nil
}

// children returns the fields of an item's spec, the items under it and, under the root, the stray specs.
func (x *Index) children(item int32) *children {
	spec, has := int64(0), false
	if int64(item) < x.Paths.Items() {
		spec, has = x.spec(item)
	}
	return x.childrenBelow(item, spec, has)
}

// childrenBelow is children of an item whose spec is known, if it has one.
func (x *Index) childrenBelow(item int32, spec int64, has bool) *children {
	k := &children{x: x, item: item, kids: x.kids.Of(int64(item))}
	if has {
		k.set = x.Specs.Sets.At(spec)
		k.fields = x.Sets.Group(k.set)
		k.spec = table.SpecTypeName(x.Specs.Types.At(spec))
	}
	if item == 0 {
		k.stray = x.stray
	}
	return k
}

// fieldName returns the name of the node of field i of a set, and its segment in paths.
func (x *Index) fieldName(ctx context.Context, fields []uint32, i int64) (name, segment string) {
	index := fields[i]
	const many = 1024 // of damaged sets, repeats that far apart share their name
	earlier := fields[max(0, i-many):i]
	repeats := 0
	if int64(index) >= x.Fields.Count {
		for _, before := range earlier {
			if before == index {
				repeats++
			}
		}
		name = fmt.Sprintf("(field %d)", index)
		return name, model.NthSegment(name, 1+repeats)
	}
	token := x.Fields.Names.At(int64(index))
	name, err := x.crate.TokenAt(ctx, token)
	segment = name
	if err != nil || name == "" {
		segment = fmt.Sprintf("(token %d)", token)
	}
	if err != nil {
		name = segment
	}
	for _, before := range earlier {
		if int64(before) < x.Fields.Count && x.canonical(x.Fields.Names.At(int64(before))) == x.canonical(token) {
			repeats++
		}
	}
	return name, model.NthSegment(segment, 1+repeats)
}

// fieldNode returns the node of field i of a set.
func (x *Index) fieldNode(ctx context.Context, fields []uint32, i int64) model.Node {
	name, segment := x.fieldName(ctx, fields, i)
	n := x.fieldCalled(ctx, fields[i], segment)
	return n.Named(name)
}

// fieldCalled returns the node of a field by its segment in paths.
func (x *Index) fieldCalled(ctx context.Context, index uint32, segment string) model.Node {
	if int64(index) >= x.Fields.Count {
		_, err := x.crate.FieldName(ctx, index)
		return model.Node{Name: segment, Type: "field", Problems: []model.Problem{coding.ProblemAt(err, x.crate.ContentsSpan())}}
	}
	at := x.Fields.RepSpan(int64(index))
	r, err := x.Fields.Rep(ctx, int64(index))
	if err != nil {
		return model.Node{Name: segment, Type: "field", Spans: []model.Span{at}, Problems: []model.Problem{coding.ProblemAt(err, at)}}
	}
	token := x.Fields.Names.At(int64(index))
	return x.values.Node(ctx, segment, r, at, func(ctx context.Context) []model.Ref {
		refs := []model.Ref{x.crate.Entries.FieldRef(index)}
		if word, err := x.crate.TokenAt(ctx, token); err == nil {
			ref := x.crate.Entries.TokenRef(token)
			ref.Kind, ref.Text = "name", word
			refs = append(refs, ref)
		}
		return refs
	})
}

// leanField is fieldNode, without spans and links if the value is in the rep.
func (x *Index) leanField(ctx context.Context, fields []uint32, i int64) model.Node {
	if index := int64(fields[i]); index < x.Fields.Count {
		if r, err := x.Fields.Rep(ctx, index); err == nil {
			if r.Placement().InRep() {
				name, segment := x.fieldName(ctx, fields, i)
				n := x.values.Bare(segment, r, x.Fields.RepSpan(index))
				x.values.FillInlined(ctx, &n, r, x.Fields.RepSpan(index))
				return n.Named(name)
			}
		}
	}
	return x.fieldNode(ctx, fields, i)
}

func strayName(spec int32) string { return fmt.Sprintf("(spec %d)", spec) }

// strayNode returns the node of a spec that no item shows.
func (x *Index) strayNode(ctx context.Context, spec int32) model.Node {
	path, _ := x.crate.PathAt(ctx, x.Specs.Paths.At(int64(spec)))
	n := model.Node{
		Name: strayName(spec), Type: table.SpecTypeName(x.Specs.Types.At(int64(spec))), Value: model.Text(path),
		Spans: x.Specs.Spans(ctx, int64(spec)), Problems: x.Specs.Problems[int64(spec)],
		Help: "a spec whose path has another spec, or is not in the table",
		Refs: func(ctx context.Context) []model.Ref {
			refs := append([]model.Ref{x.crate.Entries.SpecRef(uint32(spec))}, x.crate.FieldSetRefs(ctx, x.Specs.Sets.At(int64(spec)))...)
			if _, ok := x.Paths.ItemOf(x.Specs.Paths.At(int64(spec))); ok {
				refs = append(refs, x.crate.PathRef(ctx, x.Specs.Paths.At(int64(spec))))
			}
			return refs
		},
	}
	set := x.Specs.Sets.At(int64(spec))
	if fields := x.Sets.Group(set); len(fields) > 0 {
		n.Children = &children{x: x, item: -2 - spec, set: set, fields: fields}
	}
	return n
}

// Path returns the path of an item's node in the scene view.
func (x *Index) Path(ctx context.Context, item int32) string {
	var segments []string
	for ; x.Paths.Parent(item) >= 0 && len(segments) < table.MaxPathDepth; item = x.Paths.Parent(item) {
		segments = append(segments, model.EscapeSegment(x.segment(ctx, item)))
	}
	b := strings.Builder{}
	b.WriteString(View)
	for i := len(segments) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(segments[i])
	}
	return b.String()
}

// Made returns the index of the scene if it was asked for before, or nil.
func (s *Scene) Made() *Index { return s.index.Made() }
