package udm

import (
	"context"
	"sync"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// A valueContext is shared by the values of one source: the file, or the output of an LZ4 block.
type valueContext struct {
	d       *udm
	depth   int      // of the values outside, in levels of nesting
	array   *content // the compressed array that the source is of
	session *grammar.Session
}

func (d *udm) newContext(src *model.Source, depth int, array *content) *valueContext {
	r := &valueContext{d: d, depth: depth, array: array, session: d.plan.Session()}
	r.session.Root, r.session.Env, r.session.Eager = src.LayoutPath(), r, 2*manyCount+1 // keys and values
	return r
}

// value is a value in the binary form.
type value struct {
	*valueContext
	o   *grammar.Object
	typ types.ID

	mu      sync.Mutex
	inAsset *model.Lazy // its nodes in the asset, where they are many
}

// valueOf returns the value that an object is.
func valueOf(ctx context.Context, o *grammar.Object) *value {
	return &value{valueContext: o.Scope(nil).Env().(*valueContext), o: o, typ: typeOf(ctx, o)}
}

// typeOf returns the type of a property, which its first byte says, or of an item, which is given it.
func typeOf(ctx context.Context, o *grammar.Object) types.ID {
	if given, ok := o.Arg(0).Int(); ok {
		return types.ID(given)
	}
	return types.ID(o.Uint(ctx, o.Record().Lookup(typeName)))
}

func (v *value) kind() types.ID { return v.typ }

// nested returns the number of elements and arrays around the value.
func (v *value) nested() int { return v.depth + v.o.Depth() }

func (v *value) tooDeep() bool { return v.nested() > types.MaxNesting }

// span is the value with its type byte, if it has one.
func (v *value) span() model.Span {
	in, end := v.o.Stream(), v.o.End()
	if v.o.Record().SizedBy != "" && in.Start == v.o.Start() {
		end = in.End
	}
	return in.Source.Span(v.o.Start(), end-v.o.Start())
}

// field is the bytes of a field; none where the value has none of that name.
func (v *value) field(ctx context.Context, name string) model.Span {
	return v.o.SpanOf(ctx, v.o.Record().Lookup(name))
}

func (v *value) number(ctx context.Context, name string) uint64 {
	return v.o.Uint(ctx, v.o.Record().Lookup(name))
}

// segment returns the segment of the value's node in paths.
func (v *value) segment(ctx context.Context) string { return segmentOf(ctx, v.o) }

func (v *value) layoutPath(ctx context.Context) string { return pathOf(ctx, v.o) }

func segmentOf(ctx context.Context, o *grammar.Object) string {
	switch {
	case o.Index() < 0:
		return o.Field().Name
	case o.Field().Name == valuesName:
		return namesOf(ctx, o.Parent()).segment(ctx, o.Index())
	}
	return model.IndexName(o.Index())
}

// pathOf returns the path of a value's node in the layout.
func pathOf(ctx context.Context, o *grammar.Object) string {
	up, path := o.Parent(), ""
	if up.Parent() == nil {
		path = up.Path()
	} else {
		path = pathOf(ctx, up)
	}
	if o.Index() >= 0 {
		path += "/" + o.Field().Name
	}
	return path + "/" + model.EscapeSegment(segmentOf(ctx, o))
}

// keyPath returns the path of the layout's node of key i of an element.
func keyPath(ctx context.Context, element *grammar.Object, i int64) string {
	return pathOf(ctx, element) + "/" + keysName + "/" + model.IndexName(i)
}

// namesOf returns the names of the children of an element.
func namesOf(ctx context.Context, element *grammar.Object) *names {
	r := grammar.Glance(ctx)
	defer r.Return()
	return namesIn(element.Scope(r))
}

func listOf(ctx context.Context, o *grammar.Object, name string) *grammar.List {
	return o.List(ctx, o.Record().Lookup(name))
}

// manyCount is the most children or items of a value that are found at once; those of others are pending.
const manyCount = 4096

// many reports whether finding the value's children takes time.
func (v *value) many(ctx context.Context) bool {
	if v.array != nil && v.o.Parent() == nil {
		return v.array.many()
	}
	t, count, ok := v.itemCount(ctx)
	if !ok || count <= manyCount || v.tooDeep() {
		return false
	}
	return v.typ == types.Element || !t.Fixed() && t != types.Struct
}

// children are the fields of the value, read once for all who ask while the value is kept.
func (v *value) children(ctx context.Context) model.Children {
	return v.kept(ctx).o.Children(ctx)
}

// A position identifies a value; others inside may begin at the same byte.
type position struct {
	source string
	off    int64
	nested int
}

// maxKept is the most values that are kept of those looked at lately: the way down to a node leads through the same elements
// again and again.
const maxKept = 256

// kept returns the kept value that is equal to v; if there is none it keeps v.
func (v *value) kept(ctx context.Context) *value {
	values := &v.d.recent
	if v.many(ctx) {
		values = &v.d.many
	}
	at := position{v.o.Stream().Source.Name(), v.o.Start(), v.nested()}
	kept, _ := values.Get(ctx, at, func(context.Context) (*value, error) { return v, nil })
	return kept
}

// itemCount is the type and number of the items of an array, or the number of the children of an element, read from its
// beginning only.
func (v *value) itemCount(ctx context.Context) (of types.ID, count int64, ok bool) {
	if v.tooDeep() || v.typ != types.Element && v.typ != types.Array && v.typ != types.ArrayLZ4 {
		return types.Unknown, 0, false
	}
	if v.typ != types.Element {
		of = types.ID(v.number(ctx, itemName))
	}
	return of, int64(v.number(ctx, countName)), v.field(ctx, countName).Len > 0
}

// countText is itemCount in words.
func (v *value) countText(ctx context.Context) string {
	of, count, ok := v.itemCount(ctx)
	switch {
	case !ok:
		return ""
	case v.typ == types.Element:
		return propertiesText(count)
	}
	return briefOf(types.Text(of), count)
}

// member is the value with its name, and of a child its key.
func (v *value) member(ctx context.Context) member {
	m := member{segment: v.segment(ctx), datum: v}
	if v.o.Index() >= 0 && v.o.Field().Name == valuesName {
		up, i := v.o.Parent(), v.o.Index()
		m.key, m.child = namesOf(ctx, up).key(ctx, i), true
		m.keyPath = keyPath(ctx, up, i)
		if key := listOf(ctx, up, keysName).Object(ctx, i); key != nil {
			m.keySpan = key.Stream().Source.Span(key.Start(), key.End()-key.Start())
		}
	}
	return m
}

// read reads all fields of the value. It fails only when ctx ends.
func (v *value) read(ctx context.Context, progress model.Progress) error {
	if p, ok := v.o.Children(ctx).(model.Pending); ok && p.Pending() {
		return p.Resolve(ctx, progress)
	}
	return nil
}

// node is the layout's node of a field.
func (v *value) node(ctx context.Context, name string) (model.Node, bool) {
	c := v.o.Children(ctx)
	i, ok := model.IndexOf(ctx, c, name)
	if !ok {
		return model.Node{}, false
	}
	return c.At(ctx, i), true
}

// scalar returns the value of a scalar, text or blob, or nil if it is cut.
func (v *value) scalar(ctx context.Context) model.Value {
	name := valueName
	switch v.typ {
	case types.Nil:
		return model.None{}
	case types.String, types.Ref, types.UTF8:
		name = textName
	case types.Blob:
		name = dataName
	}
	n, ok := v.node(ctx, name)
	switch {
	case ok || !v.o.OK():
		return n.Value
	case v.typ == types.Blob:
		return model.Blob{Span: v.o.Stream().Source.Span(v.o.End(), 0)}
	}
	return model.Text("")
}

// content reads what the value holds. It fails only when ctx ends.
func (v *value) content(ctx context.Context, progress model.Progress) (*content, error) {
	v = v.kept(ctx)
	if err := v.read(ctx, progress); err != nil {
		return nil, err
	}
	k := &content{item: types.Nil}
	switch v.typ {
	case types.Element:
		k.fill = v.fill
	case types.Array, types.ArrayLZ4, types.Struct:
		r := grammar.Glance(ctx)
		defer r.Return()
		k.shape = shapeIn(v.o.Scope(r))
		v.arrayContent(ctx, k)
	case types.LZ4:
		k.block = v.block(ctx)
	default:
		k.value = v.scalar(ctx)
		if blob, ok := k.value.(model.Blob); ok {
			k.data = blob.Span
		}
	}
	return k, nil
}

// arrayContent completes the content of an array or struct, whose shape is known.
func (v *value) arrayContent(ctx context.Context, k *content) {
	if v.typ == types.Struct {
		if k.shape == nil {
			return
		}
		p := v.packed(ctx, types.Struct, k.shape, 1, v.field(ctx, dataName))
		if p.alone, k.rows = true, p; p.count == 1 && p.size() > 0 {
			k.value = p.row(ctx, 0, false).Value
		}
		return
	}
	k.item, k.count, _ = v.itemCount(ctx)
	switch {
	case v.typ == types.ArrayLZ4:
		k.block = v.block(ctx)
	case v.field(ctx, countName).Len > 0 && (k.item.Fixed() || k.shape != nil):
		k.rows = v.packed(ctx, k.item, k.shape, k.count, v.field(ctx, dataName))
	default:
		k.fill = v.fill
	}
}

// packed is the packed values in some bytes of the value.
func (v *value) packed(ctx context.Context, t types.ID, s *shape, count int64, at model.Span) *packed {
	p := &packed{src: v.o.Stream().Source, off: at.Off, count: count, typ: t, shape: s, at: &nodePath{name: v.layoutPath(ctx) + "/" + dataName}}
	if size := p.size(); size > 0 {
		p.count = min(count, at.Len/size)
	}
	return p
}

// packedIn is the packed values that the block of a compressed array gives.
func (k *content) packedIn(src *model.Source) *packed {
	p := &packed{src: src, count: k.count, typ: k.item, shape: k.shape, at: (&nodePath{name: src.LayoutPath()}).child(dataName)}
	if size := p.size(); size > 0 {
		p.count = min(p.count, src.Size()/size)
	}
	return p
}

// block returns the LZ4 block of a compressed value, or nil if the value is cut before it.
func (v *value) block(ctx context.Context) *block {
	r := grammar.Glance(ctx)
	defer r.Return()
	s := v.o.Scope(r)
	b := &block{d: v.d, title: v.segment(ctx), want: clamp(gives(s)), depth: v.nested(), in: v.field(ctx, dataName)}
	last := "uncompressedSize"
	if v.typ == types.ArrayLZ4 {
		last = countName
		of, count, _ := v.itemCount(ctx)
		b.array = &content{item: of, count: count, shape: shapeIn(s)}
	}
	if v.field(ctx, last).Len == 0 {
		return nil
	}
	if b.in.Source == nil {
		b.in = v.o.Stream().Source.Span(v.o.End(), 0)
	}
	b.owner = v.layoutPath(ctx) + "/" + dataName
	return b
}

// gives returns the number of bytes that the LZ4 block of a value is to give.
func gives(s grammar.Scope) uint64 {
	v, _ := s.Named("gives")
	n, _ := v.Uint()
	return n
}
