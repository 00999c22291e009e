package usdc

import (
	"context"
	"fmt"

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

var listBits = []bitField{
	{"isExplicit", 1, "the op replaces what weaker layers say; it may have an empty list"},
	{"explicit", 1, "the list of items that replaces"},
	{"added", 1, "items to add where they are not there"},
	{"deleted", 1, "items to take out"},
	{"ordered", 1, "the order of items"},
	{"prepended", 1, "items for the front; from 0.2.0"},
	{"appended", 1, "items for the back; from 0.2.0"},
	{"unused", 1, "0"},
}

// listOp walks a list op: the bits, and the lists that they name.
func (w *walker) listOp(ctx context.Context) {
	bits, ok := w.read(ctx, partBits, 1)
	if !ok {
		return
	}
	for i, l := range listOrder {
		if uint8(bits)&l.bit == 0 {
			continue
		}
		w.list = uint8(i + 1)
		if !w.items(ctx) {
			return
		}
	}
}

// items walks one list of a list op.
func (w *walker) items(ctx context.Context) bool {
	least, item := w.c.listItem(w.r.typ())
	if item == nil {
		return w.vec(ctx, least)
	}
	n, ok := w.counted(ctx, partCount, 8, least)
	for i := int64(0); ok && i < n; i++ {
		w.item = int32(i)
		ok = item(w, ctx)
	}
	w.item = -1
	return ok
}

// listItem is the least size of an item of a list op, and how to walk one that is more than an element.
func (c *crate) listItem(t valueType) (int64, func(w *walker, ctx context.Context) bool) {
	switch t {
	case typeReferenceListOp:
		return referenceSize, (*walker).reference
	case typeUnregisteredValueListOp:
		return nestedSize, (*walker).nested
	case typePayloadListOp:
		if c.before(8, 0) {
			return 8, (*walker).payload
		}
		return 24, (*walker).payload
	}
	return t.info().elem.size(), nil
}

// fillListOp makes a child of the bits and of each list that is there.
func (c *crate) fillListOp(ctx context.Context, n *model.Node, t *taken, in *outer) {
	if len(t.parts) == 0 {
		return
	}
	bits := &t.parts[0]
	children := []model.Node{c.partNode(ctx, t, bits)}
	for _, g := range split(t.parts[1:], func(p *part) int32 { return int32(p.list) }) {
		l := c.itemList(t, g, in)
		children = append(children, l)
		if n.Brief != "" {
			n.Brief += ", "
		}
		n.Brief += fmt.Sprintf("%d %s", g[0].raw, l.Name)
	}
	if bits.raw&1 != 0 && len(children) == 1 {
		n.Brief = "explicit, empty"
	}
	n.Children = model.NewList(children...)
}

// split cuts parts where key changes.
func split(parts []part, key func(p *part) int32) [][]part {
	var all [][]part
	from := 0
	for i := range parts {
		if i > 0 && key(&parts[i]) != key(&parts[i-1]) {
			all = append(all, parts[from:i])
			from = i
		}
	}
	if from < len(parts) {
		all = append(all, parts[from:])
	}
	return all
}

// itemList is one list of a list op; its parts begin with the count.
func (c *crate) itemList(t *taken, parts []part, in *outer) model.Node {
	typ := t.r.typ()
	last := &parts[len(parts)-1]
	n := model.Node{
		Name: listOrder[parts[0].list-1].name, Spans: (&taken{parts: parts}).spans(c.src),
		Help: listHelp(parts[0].list),
	}
	_, structured := c.listItem(typ)
	if structured == nil {
		e := &typ.info().elem
		n.Type = e.name + "[]"
		v := vec{r: t.r, e: e, inArray: true}
		if last.kind == partElements {
			v.plain, v.count = last, last.len/e.size()
		}
		n.Value, n.Children = c.array(v), c.rows(v)
		n.Elements = n.Children != nil
		return n
	}
	items := split(parts[1:], func(p *part) int32 { return p.item })
	n.Brief = plural(int64(parts[0].raw), "item", "items")
	name := map[valueType]string{typeReferenceListOp: "Reference", typePayloadListOp: "Payload"}[typ]
	if name == "" {
		name = "Value"
	}
	n.Type = name + "[]"
	if len(items) > 0 {
		n.Children = &model.Rows{Count: int64(len(items)), Make: func(ctx context.Context, i int64) model.Node {
			item := model.Node{Name: model.IndexName(i), Type: name, Spans: (&taken{parts: items[i]}).spans(c.src)}
			if typ == typeUnregisteredValueListOp {
				c.fillNested(ctx, &item, items[i], in)
			} else {
				c.fillAsset(ctx, &item, items[i], in)
			}
			return item
		}}
	}
	return n
}

// listHelp is what the bits say of a list.
func listHelp(list uint8) string {
	for _, b := range listBits {
		if b.name == listOrder[list-1].name {
			return b.help
		}
	}
	return ""
}

// assetTypes are the types of the fields of references and payloads in text layers.
var assetTypes = map[partKind]string{partAssetPath: "asset", partPrimPath: "path"}

// fillAsset makes a child of each field of a reference or payload; its parts may be cut short.
func (c *crate) fillAsset(ctx context.Context, n *model.Node, parts []part, in *outer) {
	var children []model.Node
	t := &taken{parts: parts}
	for i := range parts {
		switch p := &parts[i]; p.kind {
		case partAssetPath, partPrimPath:
			f := c.partNode(ctx, t, p)
			f.Name, f.Type = partInfos[p.kind].name, assetTypes[p.kind]
			children = append(children, f)
			if text, ok := f.Value.(model.Text); ok {
				n.Brief += assetText(p.kind, string(text))
			}
		case partOffset:
			if i+1 < len(parts) && parts[i+1].kind == partScale {
				e := &types[typeLayerOffsetVector].elem
				children = append(children, c.elementNode(ctx, "layerOffset", e, false, c.src, p.off))
			}
		case partCount:
			d := model.Node{Name: "customData", Type: "dictionary", Spans: (&taken{parts: parts[i:]}).spans(c.src)}
			c.fillDictionary(&d, parts[i:], in)
			children = append(children, d)
			n.Children = model.NewList(children...)
			return
		}
	}
	if len(children) > 0 {
		n.Children = model.NewList(children...)
	}
}

// assetText writes a path of a reference or payload as text layers do.
func assetText(kind partKind, text string) string {
	switch {
	case text == "":
		return ""
	case kind == partAssetPath:
		return "@" + text + "@"
	}
	return "<" + text + ">"
}
