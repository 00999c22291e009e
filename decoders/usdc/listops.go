package usdc

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// listOrder is the lists of a list op in the order of the file, each with its bit (12.3).
var listOrder = [...]struct {
	name string
	bit  uint8
}{
	{"explicit", 0x02},
	{"added", 0x04},
	{"prepended", 0x20},
	{"appended", 0x40},
	{"deleted", 0x08},
	{"ordered", 0x10},
}

var listBits = []grammar.Bit{
	grammar.Part("isExplicit", 1, "the op replaces what weaker layers say; it may have an empty list"),
	grammar.Part("explicit", 1, "the list of items that replaces"),
	grammar.Part("added", 1, "items to add where they are not there"),
	grammar.Part("deleted", 1, "items to take out"),
	grammar.Part("ordered", 1, "the order of items"),
	grammar.Part("prepended", 1, "items for the front; from 0.2.0"),
	grammar.Part("appended", 1, "items for the back; from 0.2.0"),
	grammar.Part("unused", 1, "always 0"),
}

// showListBits folds the bits into one row, which names those that are set.
func showListBits(s grammar.Scope, v grammar.Value, n *model.Node) {
	showBits(listBits)(s, v, n)
	names := make([]string, len(listBits))
	for i := range listBits {
		names[i] = listBits[i].Name
	}
	if bits, ok := v.Uint(); ok {
		n.Value, n.Elements = model.Flags(bits, names), true
	}
}

// newListOp is the description of list ops (12.3) whose lists are records of a kind.
func newListOp(list *grammar.Record) *grammar.Record {
	fields := []*grammar.Field{grammar.F("bits", grammar.U8, "which lists follow").Shown(showListBits)}
	for _, l := range listOrder {
		fields = append(fields, grammar.F(l.name, list, listHelp(l.name)).If(grammar.HasBits(grammar.Ref("bits"), grammar.Const(int64(l.bit)))))
	}
	return grammar.NewRecord("list op", fields...)
}

// newAsset is the description of references and payloads (12.4, 12.5), which have a layer offset on a condition.
func newAsset(title string, layerOffset grammar.Expr, more ...*grammar.Field) *grammar.Record {
	return grammar.NewRecord(title, append([]*grammar.Field{
		stringField("assetPath", "the layer; empty: this one"),
		grammar.F("primPath", pathIndex, "the prim; the empty path: the layer's default prim").Shown(showIndexOf(scalarPath)),
		grammar.F("offset", grammar.F64, "layer offset: added to times").If(layerOffset),
		grammar.F("scale", grammar.F64, "layer offset: times are multiplied with it").If(layerOffset),
	}, more...)...)
}

// fillListOp makes a child of the bits and of each list that is there.
func (c *crate) fillListOp(ctx context.Context, n *model.Node, t *storedValue, in *enclosing) {
	if len(t.starts) == 0 {
		return
	}
	fields := t.object.Record().Fields
	children := []model.Node{t.leafNode(ctx, 0)}
	for _, f := range fields[1:] {
		if t.object.SpanOf(ctx, f).Len == 0 {
			continue
		}
		l := c.itemList(ctx, t, f, in)
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

// itemList is one list of a list op.
func (c *crate) itemList(ctx context.Context, t *storedValue, f *grammar.Field, in *enclosing) model.Node {
	list := t.object.Inner(ctx, f)
	n := model.Node{Name: f.Name, Spans: c.leafSpans(ctx, list), Help: f.Help}
	count, items := list.Record().Fields[0], list.Record().Fields[1]
	if items.Of == elements {
		v := plainElements(t.r, list.SpanOf(ctx, items))
		n.Type, n.Value, n.Children = v.e.name+"[]", c.array(v), c.rows(v)
		n.Elements = n.Children != nil
		return n
	}
	typ := t.r.typ()
	n.Brief = plural(int64(list.Uint(ctx, count)), "item", "items")
	name := map[valueType]string{typeReferenceListOp: "Reference", typePayloadListOp: "Payload"}[typ]
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
		item := model.Node{Name: model.IndexName(i), Type: name, Spans: c.leafSpans(ctx, o)}
		if typ == typeUnregisteredValueListOp {
			c.fillNested(ctx, &item, o, in)
		} else {
			c.fillAsset(ctx, &item, o, in)
		}
		return item
	}}
	return n
}

// listHelp is what the bits say of a list.
func listHelp(list string) string {
	for _, b := range listBits {
		if b.Name == list {
			return b.Help
		}
	}
	return ""
}

// fillAsset makes a child of each field of a reference or payload, which may be cut short.
func (c *crate) fillAsset(ctx context.Context, n *model.Node, o *grammar.Object, in *enclosing) {
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
			f = c.elementNode(ctx, "layerOffset", &types[typeLayerOffsetVector].elem, false, c.src, f.Span().Off)
		case "scale":
			continue
		case "customData":
			d := o.Inner(ctx, o.Record().Field(f.Name))
			f = model.Node{Name: f.Name, Type: "dictionary", Spans: c.leafSpans(ctx, d)}
			c.fillDictionary(ctx, &f, d, in)
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
