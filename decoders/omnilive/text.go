package omnilive

import (
	"context"
	"fmt"
	"io"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// usdText is the layer as a USD text layer. Its sections become nodes of specs and their fields, as decoders/usda
// writes them.
type usdText struct {
	usda.TextCard
	l *live
}

// WriteText writes the layer as text.
func (c *usdText) WriteText(ctx context.Context, out io.Writer, omitted *model.Omissions) error {
	res, err := c.l.upTo.get(ctx, nil)
	if err != nil {
		return err
	}
	t := &specs{l: c.l, res: res, lay: res.layer}
	root := model.Node{Type: "pseudoRoot", Value: model.Text("/")}
	if n := t.lay.find(rootID); t.lay.isAlive(n) {
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

// findBelow finds the specs below a section. The variants of a set are beside the set.
func (t *specs) findBelow(n int32, path string) *specsBelow {
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
	b := t.findBelow(n, path)
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

// hasTypeOrValue reports whether fields give the type of an attribute.
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

// value returns the value of a field or sample, if it is in the file.
func (t *specs) value(ctx context.Context, f *setField) (x value, ok bool) {
	d := t.l.deltas[f.delta]
	r := d.carrier.buffer.Reader(ctx)
	defer d.carrier.buffer.Release(r)
	s, ok := d.setting(r, f.sample, f.index)
	at := d.valueSpan(&s)
	if !ok || at.Source == nil {
		return value{}, false
	}
	slack := int64(0)
	if s.external() {
		slack = maxPadding
	}
	x, err := d.values.open(at, slack).resolved(ctx, nil)
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

// crateName returns the name that crates have for the type of a value.
func (x value) crateName(ctx context.Context) string {
	t, _, isArray := x.kind(ctx)
	name := crateNames[t.name]
	switch {
	case !t.isKnown():
		return x.typeName(ctx)
	case name != "":
	case t.array:
		name = strings.ToLower(t.name)
	default:
		name = t.name
	}
	if isArray {
		name += "[]"
	}
	return name
}

// field returns a value as a field of a spec, or as a part of one.
func (x value) field(ctx context.Context, name string) model.Node {
	n := model.Node{Name: name, Type: x.crateName(ctx)}
	if !x.isRead(ctx) {
		return n
	}
	t, _, isArray := x.kind(ctx)
	o := x.content(ctx)
	switch {
	case isArray:
		n.Value = sequence(ctx, o, "elements", t.elementName())
		return n
	case o == nil:
		n.Value = scalarOf(ctx, x.o, "value")
		return n
	}
	switch o.Record().Title {
	case "text":
		n.Value = wholeText(ctx, o)
	case "ValueBlock":
		n.Value = model.None{}
	case "Value", "UnregisteredValue":
		inner, _ := x.v.nestedIn(ctx, o)
		n = inner.field(ctx, name)
		if t.name == "UnregisteredValue" {
			n.Type = "UnregisteredValue: " + n.Type
		}
	case "list op":
		return x.v.listOp(ctx, o, name, n.Type)
	case "Payload":
		n.Children = x.v.arc(ctx, o)
	default:
		x.v.list(ctx, o, &n)
	}
	return n
}

// list sets the value or the children of the field that a record "list" is.
func (v *values) list(ctx context.Context, o *grammar.Object, n *model.Node) {
	switch of := itemOf(o); of.name {
	case "entry":
		n.Children = v.entries(ctx, o)
	case "selection":
		n.Children = selections(ctx, o)
	case "sample":
	default:
		n.Value = sequence(ctx, o, "items", of.name)
	}
}

// sequence returns the scalars or texts of a list as an array.
func sequence(ctx context.Context, o *grammar.Object, name, of string) model.Array {
	n, ok := nodeOf(ctx, o, name)
	if !ok {
		return &model.Elements{Type: of}
	}
	array, _ := n.Value.(model.Array)
	switch {
	case of == "text":
		return textArray(listOf(ctx, o, name), wholeText)
	case isQuaternion(of):
		return &model.Elements{Type: of, Count: array.Len(), Make: func(ctx context.Context, i int64) (model.Value, error) {
			var one [1]model.Value
			if _, err := array.Read(ctx, i, one[:]); err != nil {
				return nil, err
			}
			return realFirst(one[0]), nil
		}, Place: func(ctx context.Context, i int64) model.Span { return model.ElementSpan(ctx, array, i) }}
	}
	return array
}

// scalarOf returns the field of a name that is a scalar.
func scalarOf(ctx context.Context, o *grammar.Object, name string) model.Value {
	n, _ := nodeOf(ctx, o, name)
	if isQuaternion(n.Type) {
		return realFirst(n.Value)
	}
	return n.Value
}

func isQuaternion(of string) bool { return strings.HasPrefix(of, "Quat") }

// realFirst returns a quaternion in the order of text, which has the real part first.
func realFirst(v model.Value) model.Value {
	if q, ok := v.(model.Tuple); ok {
		return model.Tuple{q[3], q[0], q[1], q[2]}
	}
	return v
}

// wholeText returns a record "text" as text, whatever its length is.
func wholeText(ctx context.Context, o *grammar.Object) model.Value {
	at := textBytes(ctx, o)
	if at.Len == 0 {
		return model.Text("")
	}
	b, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		return nil
	}
	return model.Text(b)
}

// entries returns those of a dictionary. Of equal keys the last counts.
func (v *values) entries(ctx context.Context, o *grammar.Object) model.Children {
	var list []model.Node
	at := map[string]int{}
	eachItem(ctx, o, func(e *grammar.Object) {
		key, _ := wholeText(ctx, innerOf(ctx, e, "key")).(model.Text)
		entry := v.sized(ctx, innerOf(ctx, e, "value"), string(key))
		if i, again := at[entry.Name]; again {
			list[i] = entry
		} else {
			at[entry.Name] = len(list)
			list = append(list, entry)
		}
	})
	return model.NewList(list...)
}

// sized returns the value of a record "sized value" as a part of a field.
func (v *values) sized(ctx context.Context, o *grammar.Object, name string) model.Node {
	x, ok := v.nestedIn(ctx, o)
	if ok {
		x, _ = x.resolved(ctx, nil)
		return x.field(ctx, name)
	}
	return model.Node{Name: name, Type: noType}
}

// selections returns the chosen variants by their sets.
func selections(ctx context.Context, o *grammar.Object) model.Children {
	var list []model.Node
	eachItem(ctx, o, func(s *grammar.Object) {
		set, _ := wholeText(ctx, innerOf(ctx, s, "variantSet")).(model.Text)
		list = append(list, model.Node{Name: string(set), Type: "string", Value: wholeText(ctx, innerOf(ctx, s, "variant"))})
	})
	return model.NewList(list...)
}

// eachItem visits the items of a list of records.
func eachItem(ctx context.Context, o *grammar.Object, visit func(item *grammar.Object)) {
	list := listOf(ctx, o, "items")
	if list == nil {
		return
	}
	for i := range list.Known() {
		if item := list.Object(ctx, i); item != nil {
			visit(item)
		}
	}
}

// arc returns the parts of a reference or payload.
func (v *values) arc(ctx context.Context, o *grammar.Object) model.Children {
	var list []model.Node
	for _, f := range o.Record().Fields {
		n := model.Node{Name: f.Name, Type: f.Name}
		switch inner := innerOf(ctx, o, f.Name); {
		case inner == nil:
			n.Value = scalarOf(ctx, o, f.Name)
		case inner.Record().Title == "text":
			n.Value = wholeText(ctx, inner)
		default:
			n.Type, n.Children = "dictionary", v.entries(ctx, inner)
		}
		list = append(list, n)
	}
	return model.NewList(list...)
}

// listOp returns a list op with its lists.
func (v *values) listOp(ctx context.Context, o *grammar.Object, name, typ string) model.Node {
	of := itemOf(o).name
	var lists []model.Node
	for _, list := range listNames {
		inner := innerOf(ctx, o, list)
		if inner == nil {
			continue
		}
		n := model.Node{Name: list, Type: of + "[]"}
		switch of {
		case "Payload", "Reference", "value":
			n.Children = v.items(ctx, inner, of)
		default:
			n.Value = sequence(ctx, inner, "items", of)
		}
		lists = append(lists, n)
	}
	return usda.ListOp(name, typ, isExplicit(ctx, o), lists...)
}

// items returns those of a list that are more than a number or text.
func (v *values) items(ctx context.Context, o *grammar.Object, of string) model.Children {
	var list []model.Node
	eachItem(ctx, o, func(item *grammar.Object) {
		n := model.Node{Name: model.IndexName(int64(len(list))), Type: of}
		if of == "value" {
			n = v.sized(ctx, item, n.Name)
			n.Type = "Value: " + n.Type
		} else {
			n.Children = v.arc(ctx, item)
		}
		list = append(list, n)
	})
	return model.NewList(list...)
}
