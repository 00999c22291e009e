package value

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// showListBits folds the bits into one row, which names those that are set.
func showListBits(s grammar.Scope, v grammar.Value, n *model.Node) {
	bits, ok := v.Uint()
	if !ok {
		return
	}
	n.Value, n.Elements = model.Flags(bits, lang.PartNames(s.Object().Record().Field("bits"))), true
}

// fillListOp makes a child of the bits and of each list that exists.
func (in *nodes) fillListOp(ctx context.Context, n *model.Node, t *storedValue) {
	if len(t.starts) == 0 {
		return
	}
	fields := t.object.Record().Fields
	children := []model.Node{t.leafNode(ctx, 0)}
	for _, f := range fields[1:] {
		if t.object.SpanOf(ctx, f).Len == 0 {
			continue
		}
		l := in.itemList(ctx, t, f)
		children = append(children, l)
		if n.Brief != "" {
			n.Brief += ", "
		}
		list := t.object.Inner(ctx, f)
		n.Brief += fmt.Sprintf("%d %s", list.Uint(ctx, list.Record().Field("count")), l.Name)
	}
	if t.object.Uint(ctx, fields[0])&1 != 0 && len(children) == 1 {
		n.Brief = "explicit, empty"
	}
	n.Children = model.NewList(children...)
}

// itemList returns one list of a list op.
func (in *nodes) itemList(ctx context.Context, t *storedValue, f *grammar.Field) model.Node {
	list := t.object.Inner(ctx, f)
	n := model.Node{Name: f.Name, Spans: in.values.leafSpans(ctx, list), Help: f.Help}
	count, items := list.Record().Field("count"), list.Record().Field("items")
	if t.r.Type().Info().Elem.Count > 0 {
		v := plainElements(t.r, list.SpanOf(ctx, items))
		n.Type, n.Value, n.Children = v.e.Name+"[]", in.values.array(v), in.values.rows(v)
		n.Elements = n.Children != nil
		return n
	}
	typ := t.r.Type()
	n.Brief = usda.Plural(int64(list.Uint(ctx, count)), "item", "items")
	name := map[table.ValueType]string{table.TypeReferenceListOp: "Reference", table.TypePayloadListOp: "Payload"}[typ]
	if name == "" {
		name = "Value"
	}
	n.Type = name + "[]"
	l := list.List(ctx, items)
	if l == nil || l.Known() == 0 {
		return n
	}
	known := l.Known()
	if last := l.Object(ctx, known-1); last == nil || last.End() == last.Start() {
		known--
	}
	n.Children = &model.Rows{Count: known, Make: func(ctx context.Context, i int64) model.Node {
		o := l.Object(ctx, i)
		if o == nil { // the file was cut since
			return model.Node{Name: model.IndexName(i), Type: name}
		}
		item := model.Node{Name: model.IndexName(i), Type: name, Spans: in.values.leafSpans(ctx, o)}
		if typ == table.TypeUnregisteredValueListOp {
			in.fillNested(ctx, &item, o)
		} else {
			in.fillAsset(ctx, &item, o)
		}
		return item
	}}
	return n
}

// fillAsset makes a child of each field of a reference or payload, which may be cut short.
func (in *nodes) fillAsset(ctx context.Context, n *model.Node, o *grammar.Object) {
	var children []model.Node
	fields := o.Nodes(ctx)
	for i, f := range fields {
		switch f.Name {
		case "assetPath", "primPath":
			f.Type = map[string]string{"assetPath": "asset", "primPath": "path"}[f.Name]
			if text, ok := f.Value.(model.Text); ok {
				n.Brief += assetText(f.Type, string(text))
			}
		case "offset":
			if i+1 == len(fields) {
				continue
			}
			f = in.values.elementNode(ctx, "layerOffset", &table.Types[table.TypeLayerOffsetVector].Elem, false, in.values.crate.Src, f.Span().Off)
		case "scale":
			continue
		case "customData":
			d := o.Inner(ctx, o.Record().Field(f.Name))
			f = model.Node{Name: f.Name, Type: "dictionary", Spans: in.values.leafSpans(ctx, d)}
			in.fillDictionary(ctx, &f, d)
		}
		if f.Span().Len > 0 {
			children = append(children, f)
		}
	}
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

// assetText writes a path of a reference or payload as text layers do.
func assetText(typ, text string) string {
	switch {
	case text == "":
		return ""
	case typ == "asset":
		return "@" + text + "@"
	}
	return "<" + text + ">"
}
