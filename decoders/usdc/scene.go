package usdc

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"

	"cutaway/decoders/usda"
	"cutaway/model"
)

const sceneView = "scene"

// scene is the tree by USD path: path items with their specs' fields.
type scene struct {
	crate, values, scene *crate
	*tables
	kids    *model.Inverse    // items under each item
	again   map[int32]int32   // of items with the element of an earlier sibling: which one of them it is, from 1 on
	repeats map[uint32]uint32 // tokens whose text an earlier token has, by which they are compared
	stray   []int32           // specs that no item shows: of a path that has another spec, or no item

	mu    sync.Mutex
	named int32        // the item whose children's segments are in names
	names []uint64     // of each child a hash of its segment, in the high half, and its number; sorted
	seed  maphash.Seed // of the hashes
}

// sceneIndex makes the scene, which loads all tables.
func (c *crate) sceneIndex(ctx context.Context, progress model.Progress) (*scene, error) {
	return c.index.Get(ctx, progress, c.loadScene)
}

func (c *crate) loadScene(ctx context.Context, progress model.Progress) (*scene, error) {
	t, err := c.tables(ctx, progress)
	if err != nil {
		return nil, err
	}
	x := &scene{crate: c, values: c, scene: c, tables: t, again: map[int32]int32{}, named: -1, seed: maphash.MakeSeed()}
	if x.repeats, err = x.tokens.repeats(ctx); err != nil {
		return nil, err
	}
	if x.kids, err = x.paths.kids(ctx); err != nil {
		return nil, err
	}
	if err := x.findRepeats(ctx, progress, x.tokens.n); err != nil {
		return nil, err
	}
	own := x.specs.byPath.Cursor()
	for i, path := range x.specs.paths.Slice(0, x.specs.count()).All() {
		if int64(path) >= x.specs.byPath.Len() || own.At(int64(path)) != uint32(i) {
			x.stray = append(x.stray, int32(i))
		}
	}
	return x, nil
}

// canonical is the token that stands for all with its text.
func (x *scene) canonical(token uint32) uint32 {
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
	return element{f.x.canonical(f.token.At(int64(item))), f.x.paths.property.contains(item)}
}

// findRepeats notes which children of an item have the element of an earlier one.
func (x *scene) findRepeats(ctx context.Context, progress model.Progress, tokens int64) error {
	f := repeatFinder{x: x, seen: [2]bitset{make(bitset, (tokens+63)/64), make(bitset, (tokens+63)/64)}, tokens: tokens, token: x.paths.token.Cursor()}
	seen := int64(0)
	for item, kids := range x.kids.All() {
		if kids.Len() > 1 {
			f.among(kids)
		}
		if seen += kids.Len(); seen > 1<<16 {
			seen = 0
			progress.Report(item, x.paths.items(), "comparing siblings")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeatFinder marks the elements of one item's children, a bit each: maps of millions would cost far more.
type repeatFinder struct {
	x      *scene
	tokens int64
	token  *model.NumbersCursor // of each item
	seen   [2]bitset            // by token, of children that are properties and that are not
}

func (f *repeatFinder) among(kids model.Numbers) {
	var counts map[element]int32 // of elements that were seen before, and of tokens that are not in the table
	for _, kid := range kids.All() {
		kid := int32(kid)
		e := f.element(kid)
		bits := f.bits(e)
		if bits != nil && !bits.contains(int32(e.token)) {
			bits.set(int32(e.token))
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
			f.bits(e).clear(int32(e.token))
		}
	}
}

// bits are those in which e is marked; nil where its token is not in the table.
func (f *repeatFinder) bits(e element) bitset {
	switch {
	case int64(e.token) >= f.tokens || e.token > math.MaxInt32:
		return nil
	case e.property:
		return f.seen[1]
	}
	return f.seen[0]
}

// note remembers that before siblings of an item have its element.
func (x *scene) note(item, before int32) {
	if before > 0 {
		x.again[item] = before
	}
}

// sceneRoot is the root of the scene view.
func (c *crate) sceneRoot(ctx context.Context) model.Node {
	n := model.Node{Name: "/", Type: "pseudoRoot", Value: model.Text("/"), Help: "the layer: its metadata, and the prims under it"}
	if c.top.Resolved() != nil {
		if x, err := c.sceneIndex(ctx, nil); err == nil && x.paths.items() > 0 {
			n = x.node(ctx, 0)
		}
	}
	n.Children, n.Cards = c.top, c.textCards(0)
	return n
}

func (c *crate) sceneChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	x, err := c.sceneIndex(ctx, progress)
	if err != nil {
		return nil, err
	}
	return x.children(0), nil
}

// node makes the node of an item.
func (x *scene) node(ctx context.Context, item int32) model.Node {
	n, p := x.leanNode(ctx, item), x.paths
	spec, has := x.spec(item)
	n.Spans = p.itemSpans(ctx, item)
	if has {
		n.Spans = append(n.Spans, x.specs.spans(ctx, spec)...)
		if n.Principal = usda.Principal(&n, nil); n.Principal == nil {
			n.Principal = model.Group
		}
	} else {
		n.Help = "a path that no spec is of"
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		refs := []model.Ref{p.ref(ctx, item)}
		if has {
			refs = append(append(refs, x.crate.specRef(uint32(spec))), x.crate.setRefs(ctx, x.specs.sets.At(spec))...)
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
func (x *scene) leanNode(ctx context.Context, item int32) model.Node {
	p := x.paths
	n := model.Node{Name: x.segment(ctx, item), Type: "path", Value: model.Text(p.itemText(ctx, item)), Problems: p.problems[item]}
	n = n.Named(p.element(ctx, item))
	spec, has := x.spec(item)
	if has {
		if n.Type = specTypeName(x.specs.types.At(spec)); n.Type == "" {
			n.Type = fmt.Sprintf("spec type %d", x.specs.types.At(spec))
		}
		if more := x.specs.problems[spec]; len(more) > 0 {
			n.Problems = append(n.Problems[:len(n.Problems):len(n.Problems)], more...)
		}
	}
	if children := x.childrenBelow(item, spec, has); children.count() > 0 {
		n.Children = children
	}
	return n
}

// spec is the spec of an item.
func (x *scene) spec(item int32) (int64, bool) {
	index := x.paths.index.At(int64(item))
	if own, ok := x.paths.itemOf(index); !ok || own != item {
		return 0, false
	}
	return x.specs.specAt(index)
}

// segment returns the segment of an item in paths: its element, with ~k where fields or siblings before it have that name.
func (x *scene) segment(ctx context.Context, item int32) string {
	return model.NthSegment(cmp.Or(x.paths.element(ctx, item), "(empty)"), 1+x.before(item))
}

// before returns the number of fields and siblings before an item that have its name.
func (x *scene) before(item int32) int {
	repeats := int(x.again[item])
	if parent := x.paths.parent(item); parent >= 0 && !x.paths.property.contains(item) {
		for _, f := range x.group(parent) {
			if int64(f) < x.fields.n && x.canonical(x.fields.names.At(int64(f))) == x.canonical(x.paths.token.At(int64(item))) {
				repeats++
			}
		}
	}
	return repeats
}

// group is the fields of an item's spec.
func (x *scene) group(item int32) []uint32 {
	if spec, ok := x.spec(item); ok {
		return x.sets.group(x.specs.sets.At(spec))
	}
	return nil
}

// children are the fields of an item's spec, the items under it and, under the root, the stray specs.
func (x *scene) children(item int32) *sceneChildren {
	spec, has := int64(0), false
	if int64(item) < x.paths.items() {
		spec, has = x.spec(item)
	}
	return x.childrenBelow(item, spec, has)
}

// childrenBelow is children of an item whose spec is known, if it has one.
func (x *scene) childrenBelow(item int32, spec int64, has bool) *sceneChildren {
	k := &sceneChildren{x: x, item: item, kids: x.kids.Of(int64(item))}
	if has {
		k.set = x.specs.sets.At(spec)
		k.fields = x.sets.group(k.set)
	}
	if item == 0 {
		k.stray = x.stray
	}
	return k
}

type sceneChildren struct {
	x      *scene
	item   int32
	set    uint32 // where the fields begin in the list of field sets
	fields []uint32
	kids   model.Numbers
	stray  []int32
}

func (k *sceneChildren) count() int64 {
	return int64(len(k.fields)) + k.kids.Len() + int64(len(k.stray))
}

var (
	_ model.Finder = (*sceneChildren)(nil)
	_ model.Bulk   = (*sceneChildren)(nil)
)

func (k *sceneChildren) Len(context.Context) (int64, bool) { return k.count(), true }

func (k *sceneChildren) At(ctx context.Context, i int64) model.Node {
	if i < int64(len(k.fields)) {
		return k.x.fieldNode(ctx, k.fields, i)
	}
	if i -= int64(len(k.fields)); i < k.kids.Len() {
		return k.x.node(ctx, int32(k.kids.At(i)))
	}
	return k.x.strayNode(ctx, k.stray[i-k.kids.Len()])
}

func (*sceneChildren) Bulk() *model.BulkFuncs { return sceneBulk }

var sceneBulk = &model.BulkFuncs{
	Lean: func(ctx context.Context, c model.Children, i int64) model.Node {
		return c.(*sceneChildren).lean(ctx, i)
	},
	Recurs: func(c model.Children, i int64) (of any, n, count int64) { return c.(*sceneChildren).recurs(i) },
	Hashes: func(ctx context.Context, c model.Children, progress model.Progress) (func(i int64) uint64, error) {
		return c.(*sceneChildren).hashes(ctx, progress)
	},
	Measure: func(ctx context.Context, c model.Children, i int64, m *model.Measurement) (int64, error) {
		return c.(*sceneChildren).measure(ctx, i, m)
	},
}

// recurs identifies child i by its place in a field set: specs share these.
func (k *sceneChildren) recurs(i int64) (of any, n, count int64) {
	if i >= int64(len(k.fields)) {
		return nil, 0, 0
	}
	return k.x, int64(k.set) + i, int64(len(k.x.sets.list))
}

// lean makes child i without spans, links, cards and help.
func (k *sceneChildren) lean(ctx context.Context, i int64) model.Node {
	if i < int64(len(k.fields)) {
		return k.x.leanField(ctx, k.fields, i)
	}
	if kid := i - int64(len(k.fields)); kid < k.kids.Len() {
		return k.x.leanNode(ctx, int32(k.kids.At(kid)))
	}
	return k.At(ctx, i)
}

func (k *sceneChildren) segment(ctx context.Context, i int64) string {
	if i < int64(len(k.fields)) {
		_, segment := k.x.fieldName(ctx, k.fields, i)
		return segment
	}
	if i -= int64(len(k.fields)); i < k.kids.Len() {
		return k.x.segment(ctx, int32(k.kids.At(i)))
	}
	return strayName(k.stray[i-k.kids.Len()])
}

func (k *sceneChildren) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, k, q)
	}
	return k.index(ctx, q.Name)
}

func (k *sceneChildren) index(ctx context.Context, segment string) (int64, bool) {
	const few = 64
	if k.count() > few {
		return k.indexed(ctx, segment)
	}
	for i := range k.count() {
		if k.segment(ctx, i) == segment {
			return i, true
		}
	}
	return 0, false
}

// indexed finds a child by the hash of its segment. Those of the children of one node, 8 bytes each, are kept until
// another node's are asked for.
func (k *sceneChildren) indexed(ctx context.Context, segment string) (int64, bool) {
	x := k.x
	x.mu.Lock()
	defer x.mu.Unlock()
	hash := func(name string) uint64 { return maphash.String(x.seed, name) &^ (1<<32 - 1) }
	if x.named != k.item {
		x.named, x.names = k.item, make([]uint64, k.count())
		for i := range x.names {
			x.names[i] = hash(k.segment(ctx, int64(i))) | uint64(i)
		}
		slices.Sort(x.names)
		if ctx.Err() != nil {
			x.named, x.names = -1, nil
			return 0, false
		}
	}
	at, _ := slices.BinarySearch(x.names, hash(segment))
	for ; at < len(x.names) && x.names[at]&^(1<<32-1) == hash(segment); at++ {
		if i := int64(uint32(x.names[at])); k.segment(ctx, i) == segment {
			return i, true
		}
	}
	return 0, false
}

// fieldName is the name of the node of field i of a set, and its segment in paths.
func (x *scene) fieldName(ctx context.Context, fields []uint32, i int64) (name, segment string) {
	index := fields[i]
	const many = 1024 // of damaged sets, repeats that far apart share their name
	earlier := fields[max(0, i-many):i]
	repeats := 0
	if int64(index) >= x.fields.n {
		for _, before := range earlier {
			if before == index {
				repeats++
			}
		}
		name = fmt.Sprintf("(field %d)", index)
		return name, model.NthSegment(name, 1+repeats)
	}
	token := x.fields.names.At(int64(index))
	name, err := x.crate.token(ctx, token)
	segment = name
	if err != nil || name == "" {
		segment = fmt.Sprintf("(token %d)", token)
	}
	if err != nil {
		name = segment
	}
	for _, before := range earlier {
		if int64(before) < x.fields.n && x.canonical(x.fields.names.At(int64(before))) == x.canonical(token) {
			repeats++
		}
	}
	return name, model.NthSegment(segment, 1+repeats)
}

// fieldNode is the node of field i of a set.
func (x *scene) fieldNode(ctx context.Context, fields []uint32, i int64) model.Node {
	name, segment := x.fieldName(ctx, fields, i)
	n := x.fieldCalled(ctx, fields[i], segment)
	return n.Named(name)
}

// fieldCalled returns the node of a field by its segment in paths.
func (x *scene) fieldCalled(ctx context.Context, index uint32, segment string) model.Node {
	if int64(index) >= x.fields.n {
		_, err := x.crate.fieldName(ctx, index)
		return model.Node{Name: segment, Type: "field", Problems: []model.Problem{problemAt(err, x.crate.tocSpan())}}
	}
	at := x.fields.repSpan(int64(index))
	r, err := x.fields.rep(ctx, int64(index))
	if err != nil {
		return model.Node{Name: segment, Type: "field", Spans: []model.Span{at}, Problems: []model.Problem{problemAt(err, at)}}
	}
	token := x.fields.names.At(int64(index))
	return x.values.valueNode(ctx, segment, r, at, func(ctx context.Context) []model.Ref {
		refs := []model.Ref{x.crate.fieldRef(index)}
		if word, err := x.crate.token(ctx, token); err == nil {
			ref := x.crate.tokenRef(token)
			ref.Kind, ref.Text = "name", word
			refs = append(refs, ref)
		}
		return refs
	})
}

// leanField is fieldNode without spans and links where the value is in the rep.
func (x *scene) leanField(ctx context.Context, fields []uint32, i int64) model.Node {
	if index := int64(fields[i]); index < x.fields.n {
		if r, err := x.fields.rep(ctx, index); err == nil {
			if placed := r.placement(); placed == placedInRep || placed == placedSmall {
				name, segment := x.fieldName(ctx, fields, i)
				n := x.values.bareValue(segment, r, x.fields.repSpan(index))
				x.values.fillInlined(ctx, &n, r, x.fields.repSpan(index))
				return n.Named(name)
			}
		}
	}
	return x.fieldNode(ctx, fields, i)
}

func strayName(spec int32) string { return fmt.Sprintf("(spec %d)", spec) }

// strayNode is the node of a spec that no item shows.
func (x *scene) strayNode(ctx context.Context, spec int32) model.Node {
	path, _ := x.crate.path(ctx, x.specs.paths.At(int64(spec)))
	n := model.Node{
		Name: strayName(spec), Type: specTypeName(x.specs.types.At(int64(spec))), Value: model.Text(path),
		Spans: x.specs.spans(ctx, int64(spec)), Problems: x.specs.problems[int64(spec)],
		Help: "a spec whose path has another spec, or is not in the table",
		Refs: func(ctx context.Context) []model.Ref {
			refs := append([]model.Ref{x.crate.specRef(uint32(spec))}, x.crate.setRefs(ctx, x.specs.sets.At(int64(spec)))...)
			if _, ok := x.paths.itemOf(x.specs.paths.At(int64(spec))); ok {
				refs = append(refs, x.crate.pathRef(ctx, x.specs.paths.At(int64(spec))))
			}
			return refs
		},
	}
	set := x.specs.sets.At(int64(spec))
	if fields := x.sets.group(set); len(fields) > 0 {
		n.Children = &sceneChildren{x: x, item: -2 - spec, set: set, fields: fields}
	}
	return n
}

// path is the path of an item's node in the scene view.
func (x *scene) path(ctx context.Context, item int32) string {
	var segments []string
	for ; x.paths.parent(item) >= 0 && len(segments) < maxPathDepth; item = x.paths.parent(item) {
		segments = append(segments, model.EscapeSegment(x.segment(ctx, item)))
	}
	b := strings.Builder{}
	b.WriteString(sceneView)
	for i := len(segments) - 1; i >= 0; i-- {
		b.WriteByte('/')
		b.WriteString(segments[i])
	}
	return b.String()
}

// specRef leads to the node that shows spec i in the scene view.
func (l sceneLinks) specRef(ctx context.Context, i int64) model.Ref {
	ref := model.Ref{Kind: "target", Path: sceneView}
	if x, err := l.scene.sceneIndex(ctx, nil); err == nil {
		ref.Path = x.specPath(ctx, int32(i))
	}
	return ref
}

// pathRef leads to path i in the scene view.
func (l sceneLinks) pathRef(ctx context.Context, i uint32) model.Ref {
	ref := model.Ref{Kind: "target", Path: sceneView}
	x, err := l.scene.sceneIndex(ctx, nil)
	if err != nil {
		return ref
	}
	if item, ok := x.paths.itemOf(i); ok {
		ref.Path, ref.Text = x.path(ctx, item), x.paths.itemText(ctx, item)
	}
	return ref
}

// sceneLinks leads from tables to the scene.
type sceneLinks struct{ scene *crate }

// shownAbove is the item that a node of the scene shows, of one with items below it.
func (x *scene) shownAbove(p *model.Place) (item int32, ok bool) {
	up := p.Segments()
	if up[0].Path() != sceneView || x == nil {
		return 0, false
	}
	for _, p := range up[1:] {
		k := x.children(item)
		i := p.Index - int64(len(k.fields))
		if i < 0 || i >= k.kids.Len() {
			return 0, false
		}
		item = int32(k.kids.At(i))
	}
	return item, true
}

// specPath is the path of the scene node that shows a spec.
func (x *scene) specPath(ctx context.Context, spec int32) string {
	if item, ok := x.paths.itemOf(x.specs.paths.At(int64(spec))); ok {
		if own, is := x.spec(item); is && own == int64(spec) {
			return x.path(ctx, item)
		}
	}
	return sceneView + "/" + model.EscapeSegment(strayName(spec))
}

// ownerPath is the path of the scene node of the field at a position of the list, as spec has it.
func (x *scene) ownerPath(ctx context.Context, spec int32, position int64) string {
	start := x.specs.sets.At(int64(spec))
	_, segment := x.fieldName(ctx, x.sets.group(start), position-int64(start))
	return x.specPath(ctx, spec) + "/" + model.EscapeSegment(segment)
}

// shownItem is the item that a node of the scene is shown for; of a spec that no item shows, the item of its path.
func (x *scene) shownItem(p *model.Place) (int64, bool) {
	if p.Parent == nil {
		return 0, p.Path() == sceneView
	}
	above, ok := x.shownAbove(p.Parent)
	if !ok {
		return 0, false
	}
	k := x.children(above)
	switch i := p.Index - int64(len(k.fields)); {
	case i < 0:
	case i < k.kids.Len():
		return int64(k.kids.At(i)), true
	case i < k.kids.Len()+int64(len(k.stray)):
		item, ok := x.paths.itemOf(x.specs.paths.At(int64(k.stray[i-k.kids.Len()])))
		return int64(item), ok
	}
	return 0, false
}

// specsOf calls visit for each spec of an item's path.
func (x *scene) specsOf(item int64, visit func(spec int64) bool) {
	if spec, ok := x.spec(int32(item)); ok {
		visit(spec)
	}
	for _, spec := range x.stray {
		if x.specs.paths.At(int64(spec)) == x.paths.index.At(item) {
			visit(int64(spec))
		}
	}
}

// madeScene returns the index of the scene if it was asked for before, or nil.
func (c *crate) madeScene() *scene { return c.index.Made() }

// openScene makes the crate ready to make the scene.
func (c *crate) openScene() {
	c.top = model.NewLazy(c.sceneChildren)
	c.pathTree = model.NewLazy(c.pathTreeChildren)
	c.scenes = sceneLinks{c}
}
