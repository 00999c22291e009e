package usddiff

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
)

// A field is the type and value of a field. Values are built from map[string]any, []any and model.Values that are
// neither arrays nor tuples, in the shapes that read_usd.py describes.
type field struct {
	Type  string
	Value any
	// Reached is false where usd-core's Python cannot reach the value.
	Reached bool
}

// A spec is an object of a layer with its fields.
type spec struct {
	Kind   string
	Fields map[string]field
}

// specKinds are the node types of the scene view that stand for specs.
var specKinds = map[string]bool{"pseudoRoot": true, "prim": true, "attribute": true, "relationship": true,
	"variant": true, "variantSet": true, "connection": true, "relationshipTarget": true, "mapper": true,
	"mapperArg": true, "expression": true}

// pathOnly is the node type of a path that no spec is of.
const pathOnly = "path"

// open opens a file, or the member of a package as in file[member], and checks it; format "" lets detection choose.
func open(t testing.TB, name, format string) (*model.Document, *model.Report) {
	t.Helper()
	doc := openOnly(t, name, format)
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc, report
}

// openOnly is open without the check.
func openOnly(t testing.TB, name, format string) *model.Document {
	t.Helper()
	target := decoders.Target{File: name, Offset: -1}
	if file, inner, ok := strings.Cut(strings.TrimSuffix(name, "]"), "["); ok {
		target.File, target.Inner = file, inner
	}
	doc, err := decoders.OpenTarget(t.Context(), target, decoders.OpenOptions{Options: decoders.Options{Format: format}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return doc
}

// decode reads a sound crate with the product's decoder: its specs by path, and the problems that it has.
func decode(t testing.TB, name string) (map[string]spec, *model.Report) {
	t.Helper()
	ctx := t.Context()
	doc, report := open(t, name, "")
	defer doc.Close()
	specs := make(map[string]spec)
	err := model.Walk(ctx, doc.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		switch {
		case specKinds[p.Node.Type]:
			path := string(p.Node.Value.(model.Text))
			if _, twice := specs[path]; twice {
				t.Errorf("%s: %s stands twice in the scene", name, path)
			}
			specs[path] = spec{p.Node.Type, fields(ctx, p)}
			return nil
		case p.Node.Type == pathOnly:
			return nil
		}
		return model.ErrSkip // a field: read with its spec
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return specs, report
}

// fields reads the fields of a spec: those of its children that are neither specs nor paths.
func fields(ctx context.Context, p *model.Place) map[string]field {
	all := make(map[string]field)
	for _, n := range children(ctx, &p.Node) {
		if !specKinds[n.Type] && n.Type != pathOnly {
			all[n.Name] = read(ctx, n)
		}
	}
	return all
}

func children(ctx context.Context, n *model.Node) []model.Node {
	if n.Children == nil {
		return nil
	}
	count, _ := n.Children.Len(ctx)
	all := make([]model.Node, count)
	for i := range all {
		all[i] = n.Children.At(ctx, int64(i))
	}
	return all
}

// child finds a child by its name; a node without a type where there is none.
func child(ctx context.Context, n *model.Node, name string) model.Node {
	for _, c := range children(ctx, n) {
		if c.Name == name {
			return c
		}
	}
	return model.Node{}
}

// read takes the value of a node apart by its type.
func read(ctx context.Context, n model.Node) field {
	f := field{Type: n.Type, Reached: true}
	for _, holder := range []string{"UnregisteredValue", "Value"} {
		if inner, ok := strings.CutPrefix(n.Type, holder+": "); ok {
			n.Type = inner
			return field{Type: holder, Value: read(ctx, n), Reached: true}
		}
	}
	switch {
	case n.Type == "dictionary":
		f.Value = dictionary(ctx, &n)
	case strings.HasSuffix(n.Type, "ListOp"):
		f.Value = listOp(ctx, &n)
	case n.Type == "TimeSamples":
		samples := []any{}
		for _, s := range children(ctx, &n) {
			samples = append(samples, []any{child(ctx, &s, "time").Value, read(ctx, child(ctx, &s, "value"))})
		}
		f.Value = samples
	case n.Type == "Spline":
		f.Value = spline(ctx, &n)
	case n.Type == "VariantSelectionMap":
		selections := map[string]any{}
		for _, s := range children(ctx, &n) {
			selections[s.Name] = s.Value
		}
		f.Value = selections
	case n.Type == "Payload":
		f.Value = arc(ctx, &n)
	case strings.HasSuffix(n.Type, " edit"):
		f.Type = strings.TrimSuffix(n.Type, " edit")
		f.Value = map[string]any{"edit": model.Text(editText(ctx, &n))}
	case n.Type == "AnimationBlock":
		f.Value = nil
	default:
		f.Value = plain(ctx, n.Value)
	}
	return f
}

// plain turns arrays and tuples into lists.
func plain(ctx context.Context, v model.Value) any {
	switch v := v.(type) {
	case model.None:
		return nil
	case model.Tuple:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(ctx, v[i])
		}
		return list
	case model.Array:
		elements := make([]model.Value, v.Len())
		n, err := v.Read(ctx, 0, elements)
		if err != nil || n < len(elements) {
			return fmt.Sprintf("read %d of %d elements: %v", n, len(elements), err)
		}
		list := make([]any, n)
		for i := range elements {
			list[i] = plain(ctx, elements[i])
		}
		return list
	}
	return v
}

func dictionary(ctx context.Context, n *model.Node) map[string]any {
	entries := map[string]any{}
	for _, e := range children(ctx, n) {
		entries[e.Name] = read(ctx, e)
	}
	return entries
}

// listOp reads a list op; empty lists are left out, since usd-core does not tell them from absent ones.
func listOp(ctx context.Context, n *model.Node) map[string]any {
	bits := child(ctx, n, "bits")
	op := map[string]any{"explicit": child(ctx, &bits, "isExplicit").Value}
	for _, list := range children(ctx, n) {
		if list.Name == "bits" {
			continue
		}
		name := list.Name
		if name == "explicit" {
			name = "items"
		}
		items := []any{}
		switch list.Type {
		case "Reference[]", "Payload[]":
			for _, item := range children(ctx, &list) {
				items = append(items, arc(ctx, &item))
			}
		case "Value[]":
			for _, item := range children(ctx, &list) {
				items = append(items, read(ctx, item).Value)
			}
		default:
			items = plain(ctx, list.Value).([]any)
		}
		if len(items) > 0 {
			op[name] = items
		}
	}
	return op
}

// arc reads a reference or payload.
func arc(ctx context.Context, n *model.Node) map[string]any {
	a := map[string]any{"asset": child(ctx, n, "assetPath").Value, "prim": child(ctx, n, "primPath").Value,
		"offset": model.Float64(0), "scale": model.Float64(1)}
	if a["prim"] == (model.None{}) {
		a["prim"] = model.Text("")
	}
	if offset, ok := child(ctx, n, "layerOffset").Value.(model.Tuple); ok {
		a["offset"], a["scale"] = offset[0], offset[1]
	}
	if data := child(ctx, n, "customData"); data.Type != "" {
		a["customData"] = dictionary(ctx, &data)
	}
	return a
}

// spline reads a spline; what is in no byte of an empty one is as usd-core makes it.
func spline(ctx context.Context, n *model.Node) map[string]any {
	word := func(v model.Value) any {
		s, ok := v.(model.Symbol)
		if !ok {
			return v
		}
		return model.Text(strings.ReplaceAll(s.Name, " ", ""))
	}
	s := map[string]any{"valueType": model.Text(""), "curve": model.Text("bezier"), "timeValued": model.Bool(false)}
	if v := child(ctx, n, "curveType").Value; v != nil {
		s["curve"] = word(v)
	}
	if v := child(ctx, n, "valuesAreTimes").Value; v != nil {
		s["timeValued"] = v
	}
	for _, side := range []string{"pre", "post"} {
		mode := map[string]any{"mode": model.Text("held")}
		if v := child(ctx, n, side+"Extrapolation").Value; v != nil {
			mode["mode"] = word(v)
		}
		if v := child(ctx, n, side+"Slope").Value; v != nil {
			mode["slope"] = v
		}
		s[side] = mode
	}
	if v := child(ctx, n, "loopStart").Value; v != nil {
		s["loop"] = []any{v, child(ctx, n, "loopEnd").Value, child(ctx, n, "loopsBefore").Value, child(ctx, n, "loopsAfter").Value,
			child(ctx, n, "loopValueOffset").Value}
	}
	knots := []any{}
	list := child(ctx, n, "knots")
	for _, k := range children(ctx, &list) {
		s["valueType"] = word(child(ctx, n, "valueType").Value)
		if s["valueType"] == model.Text("duration") || s["valueType"] == model.Text("timecode") {
			s["timeValued"] = model.Bool(true) // by the type: data version 4 has no flag
		}
		flags := child(ctx, &k, "flags")
		data := child(ctx, &k, "customData")
		algorithms := child(ctx, &k, "tangentAlgorithms")
		knot := map[string]any{"time": child(ctx, &k, "time").Value, "value": child(ctx, &k, "value").Value,
			"interpolation": word(child(ctx, &flags, "interpolation").Value), "customData": dictionary(ctx, &data)}
		for key, name := range map[string]string{"preSlope": "preTangentSlope", "postSlope": "postTangentSlope",
			"preWidth": "preTangentWidth", "postWidth": "postTangentWidth", "preValue": "preValue"} {
			if v := child(ctx, &k, name).Value; v != nil {
				knot[key] = v
			}
		}
		for _, side := range []string{"pre", "post"} {
			knot[side+"Algorithm"] = model.Text("none")
			if v := child(ctx, &algorithms, side+"Tangent").Value; v != nil {
				knot[side+"Algorithm"] = word(v)
			}
		}
		knots = append(knots, knot)
	}
	s["knots"] = knots
	return s
}

// editText writes an array edit as usd-core's dump does.
func editText(ctx context.Context, n *model.Node) string {
	var literals []any
	if l := child(ctx, n, "literals"); l.Value != nil {
		literals = plain(ctx, l.Value).([]any)
	}
	var ops []string
	instructions := child(ctx, n, "instructions")
	for _, i := range children(ctx, &instructions) {
		repeats := []model.Node{i}
		if i.Value == nil {
			repeats = children(ctx, &i)
		}
		for _, r := range repeats {
			ops = append(ops, editOp(ctx, &r, literals))
		}
	}
	return "edit [" + strings.Join(ops, "; ") + "]"
}

func editOp(ctx context.Context, n *model.Node, literals []any) string {
	index := func(name string) string { return "[" + model.Show(ctx, child(ctx, n, name).Value, 40) + "]" }
	literal := func() string {
		return literalText(ctx, literals[int64(child(ctx, n, "literal").Value.(model.Int))])
	}
	size := func(word string) string { return word + " " + model.Show(ctx, child(ctx, n, "size").Value, 40) }
	position := func() (string, string) {
		switch p := index("position"); p {
		case "[end]":
			return "append", ""
		case "[0]":
			return "prepend", ""
		default:
			return "insert", " at " + p
		}
	}
	switch n.Type {
	case "write literal":
		return "write " + literal() + " to " + index("destination")
	case "write reference":
		return "write " + index("source") + " to " + index("destination")
	case "insert literal":
		verb, at := position()
		return verb + " " + literal() + at
	case "insert reference":
		verb, at := position()
		return verb + " " + index("source") + at
	case "erase":
		return "erase " + index("position")
	case "minimum size":
		return size("minsize")
	case "minimum size, fill":
		return size("minsize") + " fill " + literal()
	case "set size":
		return size("resize")
	case "set size, fill":
		return size("resize") + " fill " + literal()
	case "maximum size":
		return size("maxsize")
	}
	return n.Type
}

func literalText(ctx context.Context, v any) string {
	switch v := v.(type) {
	case model.Text:
		return string(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = literalText(ctx, v[i])
		}
		return "(" + strings.Join(parts, ", ") + ")"
	case model.Value:
		return strings.NewReplacer("Infinity", "inf", "NaN", "nan", "e+", "e", "e-0", "e-").Replace(model.Show(ctx, v, 400))
	}
	return fmt.Sprint(v)
}
