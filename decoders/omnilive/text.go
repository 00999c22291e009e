package omnilive

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// usdText is the layer as a USD text layer. Its sections become nodes of specs and their fields, as decoders/usda
// writes them.
type usdText struct {
	model.CardBase
	l *live
}

// WriteText implements model.Words.
func (c *usdText) WriteText(ctx context.Context, out io.Writer, omitted *model.Omissions) error {
	res, err := c.l.upTo.get(ctx, nil)
	if err != nil {
		return err
	}
	t := &specs{l: c.l, res: res, lay: res.layer}
	root := model.Node{Type: "pseudoRoot", Value: model.Text("/")}
	if n := t.lay.find(rootID); t.lay.alive(n) {
		root = t.node(n, "/")
	}
	if err := usda.Write(ctx, out, omitted, &root, "1.0"); err != nil {
		return err
	}
	for _, n := range t.lay.orphans {
		path := strings.NewReplacer("\n", " ", "\r", " ").Replace(strings.ToValidUTF8(t.lay.path(n), "\uFFFD"))
		const reason = "its place is in a base that is not at hand; what is below it is not written either"
		omitted.Lose(path, reason)
		if _, err := fmt.Fprintf(out, "# not written: %s: %s\n", path, reason); err != nil {
			return err
		}
	}
	return nil
}

// specs makes the nodes of specs out of sections.
type specs struct {
	l   *live
	res *result
	lay *layer
}

// specNames are the types of the nodes of specs.
var specNames = map[uint32]string{
	specPrim: "prim", specAttribute: "attribute", specRelationship: "relationship", specVariantSet: "variantSet", specVariant: "variant",
	specConnection: "connection", specTarget: "relationshipTarget", specPseudoRoot: "pseudoRoot",
}

// node is the spec of a section.
func (t *specs) node(n int32, path string) model.Node {
	s := &t.lay.nodes[n]
	typ := specNames[s.specType]
	if typ == "" {
		typ = "spec type " + specName(s.specType)
	}
	if t.lay.isTwin(n, t.lay.element(n)) {
		typ = "spec type " + specName(s.specType) + ", a second section of one path"
	}
	return model.Node{Name: s.name, Type: typ, Value: model.Text(path), Children: model.NewLazy(
		func(ctx context.Context, _ model.Progress) (model.Children, error) {
			return t.children(ctx, n, path), nil
		})}
}

// specsBelow is the specs below a section, with their paths, and the names of each kind.
type specsBelow struct {
	nodes []int32
	paths []string
	names map[string][]string // by the field that lists them
}

func (b *specsBelow) add(field, name string, n int32, path string) {
	b.nodes, b.paths = append(b.nodes, n), append(b.paths, path)
	if field != "" {
		b.names[field] = append(b.names[field], name)
	}
}

// below finds what is below a section. The variants of a set are beside it.
func (t *specs) below(n int32, path string) *specsBelow {
	b := &specsBelow{names: map[string][]string{}}
	if path == "/" {
		path = ""
	}
	separator := "/"
	if strings.HasSuffix(path, "}") {
		separator = ""
	}
	for _, k := range t.lay.live(n) {
		name := t.lay.nodes[k].name
		if t.lay.isTwin(k, t.lay.element(k)) {
			b.add("", "", k, t.lay.path(k))
			continue
		}
		switch t.lay.nodes[k].specType {
		case specPrim:
			b.add("primChildren", name, k, path+separator+name)
		case specAttribute, specRelationship:
			b.add("properties", name, k, path+"."+name)
		case specVariantSet:
			b.add("variantSetChildren", name, k, path+"{"+name+"=}")
			for _, v := range t.lay.live(k) {
				b.add("", "", v, path+"{"+name+"="+t.lay.nodes[v].name+"}")
			}
		case specConnection:
			b.add("connectionPaths", name, k, path+"["+name+"]")
		case specTarget:
			b.add("targetPaths", name, k, path+"["+name+"]")
		case specVariant: // beside its set
			b.names["variantChildren"] = append(b.names["variantChildren"], name)
		default:
			b.add("", "", k, path+separator+"("+name+")")
		}
	}
	return b
}

// children are the fields of a section, those that its place among the others says, and the specs below it.
func (t *specs) children(ctx context.Context, n int32, path string) model.Children {
	b := t.below(n, path)
	fields := t.fields(ctx, n, b)
	return &model.Rows{Count: int64(len(fields) + len(b.nodes)), Make: func(_ context.Context, i int64) model.Node {
		if i < int64(len(fields)) {
			return fields[i]
		}
		i -= int64(len(fields))
		return t.node(b.nodes[i], b.paths[i])
	}}
}

// fields are the fields of a section.
func (t *specs) fields(ctx context.Context, n int32, b *specsBelow) []model.Node {
	var fields []model.Node
	for field, names := range b.names {
		array := &model.Elements{Type: "token", Count: int64(len(names)), Make: func(_ context.Context, i int64) (model.Value, error) {
			return model.Text(names[i]), nil
		}}
		if field == "connectionPaths" || field == "targetPaths" {
			fields = append(fields, usda.ListOp(field, "PathListOp", true, model.Node{Name: "explicit", Type: "path[]", Value: array}))
			continue
		}
		fields = append(fields, model.Node{Name: field, Type: "TokenVector", Value: array})
	}
	samples := model.Node{}
	s := &t.lay.nodes[n]
	for i := range s.settings {
		f := &s.settings[i]
		switch {
		case !f.live():
		case f.sample:
			samples = t.samples(ctx, n)
		case b.names[f.key] == nil:
			fields = append(fields, t.field(ctx, f))
		}
	}
	if samples.Type != "" {
		fields = append(fields, samples)
		if !hasTypeOrValue(fields) {
			fields = append(fields, model.Node{Name: "typeName", Type: "token", Value: model.Text(t.sampledType(ctx, &samples))})
		}
	}
	return fields
}

// hasTypeOrValue reports whether fields say of which type an attribute is.
func hasTypeOrValue(fields []model.Node) bool {
	for i := range fields {
		if name := fields[i].Name; name == "typeName" || name == "default" && fields[i].Value != nil && fields[i].Type != "ValueBlock" {
			return true
		}
	}
	return false
}

// sampledType is the type of the first sample whose type an attribute can have.
func (t *specs) sampledType(ctx context.Context, samples *model.Node) string {
	count, _ := samples.Children.Len(ctx)
	for i := range count {
		sample := samples.Children.At(ctx, i)
		v := sample.Children.At(ctx, 1)
		if _, known := usda.TypeOf(strings.TrimSuffix(v.Type, "[]")); known && v.Value != nil {
			return v.Type
		}
	}
	return ""
}

// field is a field as it was set.
func (t *specs) field(ctx context.Context, f *setField) model.Node {
	x, ok := t.value(ctx, f)
	if !ok {
		return model.Node{Name: f.key, Type: "value that is not at hand"}
	}
	return x.field(ctx, f.key)
}

// value is the value of a field or sample.
func (t *specs) value(ctx context.Context, f *setField) (x value, ok bool) {
	d := t.l.deltas[f.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	s, ok := d.setting(r, f.sample, f.index)
	at := d.valueSpan(&s)
	if !ok || at.Source == nil {
		return value{}, false
	}
	var err error
	if s.external() {
		x, err = d.values.readPart(ctx, at, nil)
	} else {
		x, err = d.values.readLong(ctx, at, 0, 0, nil)
	}
	return x, err == nil
}

// samples is the time samples of a section, in the order of their times.
func (t *specs) samples(ctx context.Context, n int32) model.Node {
	c := t.l.newChildren(ctx, t.res, n)
	for g, list := range c.lists {
		if c.extra[g].Type != samplesName {
			continue
		}
		return model.Node{Name: samplesName, Type: "TimeSamples", Children: &model.Rows{Count: int64(len(list)),
			Make: func(ctx context.Context, i int64) model.Node {
				f := &t.lay.nodes[n].settings[list[i]]
				v := t.field(ctx, f)
				v.Name = "value"
				return model.Node{Name: model.IndexName(i), Type: "sample", Children: model.NewList(
					model.Node{Name: "time", Type: "double", Value: model.Float64(f.time)}, v)}
			}}}
	}
	return model.Node{}
}

// crateNames are the names of types that crates have others for than small letters.
var crateNames = map[string]string{
	"AssetPath": "asset", "Vec2d": "double2", "Vec2f": "float2", "Vec2h": "half2", "Vec2i": "int2", "Vec3d": "double3",
	"Vec3f": "float3", "Vec3h": "half3", "Vec3i": "int3", "Vec4d": "double4", "Vec4f": "float4", "Vec4h": "half4", "Vec4i": "int4",
	"Dictionary": "dictionary",
}

// crateName is the name that crates have for the type of a value.
func (x *value) crateName() string {
	t := x.known()
	if t == nil {
		return x.typeName()
	}
	name := crateNames[t.name]
	switch {
	case name != "":
	case t.array:
		name = strings.ToLower(t.name)
	default:
		name = t.name
	}
	if x.isArray {
		name += "[]"
	}
	return name
}

// field is a value as a field of a spec, or what is in one.
func (x *value) field(ctx context.Context, name string) model.Node {
	n := model.Node{Name: name, Type: x.crateName()}
	if x.raw {
		return n
	}
	s := x.known().shape
	switch {
	case x.isArray:
		n.Value = x.v.sequence(x, s, x.data, x.end, x.count)
	case s.form == fixed, s.form == text:
		n.Value = x.v.scalar(ctx, s, x.data, x.end)
	case s.form == nothing:
		n.Value = model.None{}
	case s.form == rest, s.form == unregistered:
		inner := x.v.read(ctx, x.data, x.end, x.depth+1)
		n = inner.field(ctx, name)
		if s.form == unregistered {
			n.Type = "UnregisteredValue: " + n.Type
		}
	case s.form == listOp:
		return x.listOp(ctx, name)
	case s.form == record:
		n.Children = x.v.arc(ctx, s, x.data, x.end, x.depth)
	case s == dictShape:
		n.Children = x.v.entries(ctx, x.data, x.end, x.depth)
	case x.known().name == "VariantSelectionMap":
		n.Children = x.v.selections(ctx, x.data, x.end)
	case s.item.form == fixed, s.item.form == text:
		n.Value = x.v.sequence(x, s.item, x.data+8, x.end, x.count)
	}
	return n
}

// sequence is count values of a shape as an array; of is the value that they are in, whose places it uses, or nil.
func (v *values) sequence(of *value, s *shape, off, end, count int64) model.Array {
	a := &model.Elements{Type: s.name, Count: count}
	if s.form == fixed {
		a.Make = func(ctx context.Context, i int64) (model.Value, error) {
			if x := v.scalar(ctx, s, off+i*s.size, end); x != nil {
				return x, nil
			}
			return nil, fmt.Errorf("element %d cannot be read", i)
		}
		a.Place = func(_ context.Context, i int64) model.Span { return v.src.Span(off+i*s.size, s.size) }
		return a
	}
	r := &rows{v: v, s: s, off: off, end: end, count: count}
	if of != nil {
		r.places = of.places
	}
	a.Make = func(ctx context.Context, i int64) (model.Value, error) {
		if r.places == nil {
			found, err := r.find(ctx, nil)
			if err != nil {
				return nil, err
			}
			r.places = found.(*rows).places
		}
		from, to := r.place(ctx, i)
		return v.scalar(ctx, s, from, to), nil
	}
	return a
}

// scalar is a value of fixed size or a text.
func (v *values) scalar(ctx context.Context, s *shape, off, end int64) model.Value {
	if s.form == text {
		b, err := v.src.Bytes(ctx, off+4, end-off-4)
		if err != nil {
			return nil
		}
		return model.Text(b)
	}
	x := v.fixedValue(ctx, s, off)
	if q, ok := x.(model.Tuple); ok && strings.HasPrefix(s.name, "Quat") {
		return model.Tuple{q[3], q[0], q[1], q[2]} // text has the real part first
	}
	return x
}

// entries are those of a dictionary; of equal keys the last counts.
func (v *values) entries(ctx context.Context, off, end int64, depth int) model.Children {
	r := v.scan(ctx)
	defer v.release(r)
	n, _ := r.Number(off, 8)
	off += 8
	var list []model.Node
	at := map[string]int{}
	for range n {
		keyEnd, _ := v.measure(r, textShape, off, end)
		next, ok := v.measure(r, sizedShape, keyEnd, end)
		if !ok {
			break
		}
		key, _ := v.scalar(ctx, textShape, off, keyEnd).(model.Text)
		x := v.read(ctx, keyEnd+8, next, depth+1)
		entry := x.field(ctx, string(key))
		if i, again := at[entry.Name]; again {
			list[i] = entry
		} else {
			at[entry.Name] = len(list)
			list = append(list, entry)
		}
		off = next
	}
	return model.NewList(list...)
}

// selections are which variants are chosen.
func (v *values) selections(ctx context.Context, off, end int64) model.Children {
	r := v.scan(ctx)
	defer v.release(r)
	n, _ := r.Number(off, 8)
	off += 8
	var list []model.Node
	for range n {
		mid, _ := v.measure(r, textShape, off, end)
		next, ok := v.measure(r, textShape, mid, end)
		if !ok {
			break
		}
		set, _ := v.scalar(ctx, textShape, off, mid).(model.Text)
		list = append(list, model.Node{Name: string(set), Type: "string", Value: v.scalar(ctx, textShape, mid, next)})
		off = next
	}
	return model.NewList(list...)
}

// arc is the parts of a reference or payload.
func (v *values) arc(ctx context.Context, s *shape, off, end int64, depth int) model.Children {
	r := v.scan(ctx)
	defer v.release(r)
	var list []model.Node
	for _, f := range s.fields {
		next, ok := v.measure(r, f.shape, off, end)
		if !ok {
			break
		}
		n := model.Node{Name: f.name, Type: f.name}
		if f.shape == dictShape {
			n.Type, n.Children = "dictionary", v.entries(ctx, off, next, depth)
		} else {
			n.Value = v.scalar(ctx, f.shape, off, next)
		}
		list = append(list, n)
		off = next
	}
	return model.NewList(list...)
}

// listOp is a list op with the lists that it has.
func (x *value) listOp(ctx context.Context, name string) model.Node {
	v := x.v
	r := v.scan(ctx)
	defer v.release(r)
	header, _ := r.U8(x.data)
	item := x.known().shape.item
	off := x.data + 1
	var lists []model.Node
	for _, l := range listOpParts {
		if header>>l.bit&1 == 0 {
			continue
		}
		count, _ := r.Number(off, 8)
		next, ok := v.measure(r, listOf("", item), off, x.end)
		if !ok || count > math.MaxInt32 {
			break
		}
		list := model.Node{Name: l.name, Type: item.name + "[]"}
		switch item.form {
		case fixed, text:
			list.Value = v.sequence(nil, item, off+8, next, int64(count))
		default:
			list.Children = x.items(ctx, r, item, off+8, next, int64(count))
		}
		lists = append(lists, list)
		off = next
	}
	return usda.ListOp(name, x.crateName(), header&1 == 1, lists...)
}

// items are those of a list of a list op that are more than a number or text.
func (x *value) items(ctx context.Context, r *scan, item *shape, off, end, count int64) model.Children {
	var list []model.Node
	for i := range count {
		next, _ := x.v.measure(r, item, off, end)
		n := model.Node{Name: model.IndexName(i), Type: item.name}
		if item.form == record {
			n.Children = x.v.arc(ctx, item, off, next, x.depth)
		} else {
			inner := x.v.read(ctx, off+8, next, x.depth+1)
			n = inner.field(ctx, n.Name)
			n.Type = "Value: " + n.Type
		}
		list = append(list, n)
		off = next
	}
	return model.NewList(list...)
}
