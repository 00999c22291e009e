package udm

import (
	"context"

	"cutaway/model"
)

// scan is the text, whose index is made once.
func (d *udm) scan(ctx context.Context, progress model.Progress) (*text, error) {
	return d.text.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*text, error) {
		x, err := parse(ctx, d.src, progress)
		if err != nil {
			return nil, err
		}
		t := &text{d: d, x: x}
		t.recent.Limit = maxKept
		return t, nil
	})
}

// textRoot is the root of the layout of an ASCII file.
func (d *udm) textRoot(ctx context.Context) model.Node {
	n := model.Node{
		Name: model.LayoutView, Type: "UDM text", Spans: []model.Span{d.src.Whole()}, Children: d.layout,
		Help: "the entries of the text, with all that stands between them",
	}
	if d.layout.Resolved() != nil {
		n = d.layoutNode.Get(ctx, func(ctx context.Context) model.Node {
			n.Problems = d.rootProblems(ctx, n.Spans[0])
			return n
		})
	}
	return n
}

func (d *udm) textChildren(ctx context.Context, progress model.Progress) (model.Children, error) {
	t, err := d.scan(ctx, progress)
	if err != nil {
		return nil, err
	}
	p := &part{t: t, at: &where{name: d.src.LayoutPath()}}
	if t.x.size == d.src.Size() {
		return p, nil
	}
	at := d.src.Span(t.x.size, d.src.Size()-t.x.size)
	return model.Concat(p, model.NewList(model.Node{
		Name: "rest~0", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at},
		Problems: []model.Problem{model.Problemf(model.Malformed, ruleTextLimit, at,
			"the text could be read only so far: it ends here, or passes Cutaway's limit of %d bytes", int64(maxIndexed))},
	})), nil
}

// file is the root element of a text.
func (t *text) file() *tval {
	return &tval{t: t, typ: tElement, at: &where{name: t.d.src.LayoutPath()}, word: -1, keyword: -1, file: true}
}

func (v *tval) kind() typeID { return v.typ }

func (v *tval) kids(context.Context, func(context.Context, model.Progress) (model.Children, error)) model.Children {
	return nil
}

func (v *tval) layoutPath(context.Context) string { return v.at.String() }

// span is from the first to the last part of the value.
func (v *tval) span() model.Span {
	x := v.t.x
	if v.file {
		return x.src.Span(0, x.size)
	}
	at := model.Span{}
	add := func(s model.Span) {
		if at.Source == nil {
			at = s
		}
		at.Len = s.End() - at.Off
	}
	if v.word >= 0 {
		add(x.tokenSpan(uint32(v.word)))
	}
	for _, g := range []uint32{v.numbers, v.structure, v.block, v.header, v.items, v.data} {
		if g > 0 {
			add(x.groupSpan(g))
		}
	}
	return at
}

// look implements datum.
func (v *tval) look(ctx context.Context) look {
	l := look{}
	l.value, l.brief = v.short(ctx)
	x := v.t.x
	switch {
	case v.word >= 0:
		if _, issue := parseWord(v.typ, x.word(ctx, uint32(v.word))); issue != nil {
			at := x.tokenSpan(uint32(v.word))
			l.problems = append(l.problems, model.Problemf(model.Suspicious, issue.rule, at, "%s", issue.message))
		}
	case v.data > 0 && (v.typ == tBlob || v.typ == tUTF8):
		if src, problems, err := v.decoded(ctx); err == nil {
			l.problems = problems
			l.value = v.decodedNode(ctx, src).Value
		}
	case v.data > 0 && v.typ == tLZ4:
		if b := v.lz4Block(ctx); b != nil {
			v.t.d.lookAt(ctx, &l, tLZ4, &content{block: b})
		}
	case v.data > 0:
		h := v.t.header(ctx, v.header)
		if !h.item.fixed() && h.shape == nil {
			break
		}
		if b := v.lz4Block(ctx); b != nil {
			v.t.d.lookAt(ctx, &l, tArrayLZ4, &content{block: b, item: h.item, shape: h.shape, count: max(h.count, 0)})
			l.brief = ""
			if l.value == nil {
				l.brief = briefOf(l.rows.elem(), l.rows.len(ctx))
			}
		}
	case v.structure > 0:
		if v.shape != nil {
			l.rows = &textRows{t: v.t, shape: v.shape, item: tStruct, alone: v.structure, at: v.at.at(roleNames[isValue])}
		}
	case v.items > 0:
		h := v.t.header(ctx, v.header)
		if h.item.fixed() || h.shape != nil {
			l.rows = &textRows{t: v.t, shape: h.shape, item: h.item, g: v.items, at: v.at.at(roleNames[isItems])}
			l.brief = ""
			if l.value = l.rows.array(ctx); l.value == nil {
				l.brief = briefOf(l.rows.elem(), l.rows.len(ctx))
			}
		}
	}
	return l
}

// decoded is the source of what the base64 data of the value gives.
func (v *tval) decoded(ctx context.Context) (*model.Source, []model.Problem, error) {
	at := v.at.at(roleNames[isData]).at(roleNames[isBase64])
	o := &v.t.x.groups[v.data]
	in := v.t.x.src.Span(v.t.x.off(o.first)+1, 0)
	for i := o.first; i < o.end; i++ {
		if v.t.x.kinds[i] == tkData {
			in = v.t.x.tokenSpan(i)
		}
	}
	return v.decode(ctx, at, in)
}

// lz4Block is the LZ4 block of the value; nil: its data could not be read.
func (v *tval) lz4Block(ctx context.Context) *block {
	src, _, err := v.decoded(ctx)
	if err != nil {
		return nil
	}
	return v.lz4(ctx, src)
}

// contents implements datum.
func (v *tval) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	c := &contents{}
	switch {
	case v.file || v.block > 0:
		v.entries(ctx, c)
	case v.items > 0:
		h := v.t.header(ctx, v.header)
		c.item, c.shape = h.item, h.shape
		if l := v.look(ctx); l.rows != nil {
			c.rows = l.rows
			return c, nil
		}
		v.itemsOf(ctx, c)
	case v.structure > 0:
		c.shape, c.rows = v.shape, v.look(ctx).rows
	case v.data > 0 && (v.typ == tBlob || v.typ == tUTF8):
		src, _, err := v.decoded(ctx)
		if err != nil {
			return c, ctx.Err()
		}
		c.data = src.Whole()
	case v.data > 0:
		b := v.lz4Block(ctx)
		if b == nil {
			return c, ctx.Err()
		}
		h := header{}
		if v.typ != tLZ4 {
			h = v.t.header(ctx, v.header)
		}
		k := &content{block: b, item: h.item, shape: h.shape, count: max(h.count, 0)}
		return k.contents(ctx, v.typ, progress)
	case v.header > 0 && v.t.x.groups[v.header].kind == gHeader:
		c.item = v.t.header(ctx, v.header).item
	}
	return c, nil
}

// entries are the properties and child elements of a block, or of the file.
func (v *tval) entries(ctx context.Context, c *contents) {
	k := v.t.kids(ctx, v.block)
	at := v.at
	if !v.file && !v.inList {
		at = at.at(roleNames[isBlock])
	}
	c.named, c.n = true, k.n
	c.find = k.names.find
	c.over = func(_ context.Context, src *model.Source, off int64) (int64, bool) { return k.over(v.t, src, off) }
	c.at = func(ctx context.Context, i int64) member {
		name := k.names.name(ctx, i)
		m := member{name: name, key: k.names.key(ctx, i)}
		n, ok := k.at(v.t, i)
		if !ok {
			m.datum = v.t.file()
			return m
		}
		g, _ := k.list[n].child.group()
		entry := at.at(entryName(name))
		value := v.t.groupValue(ctx, g, entry)
		if value.keyword >= 0 {
			m.keySpan = v.t.x.tokenSpan(uint32(value.keyword))
			m.keyPath = entry.at(roleNames[isKey]).String()
		}
		m.datum = value
		return m
	}
}

// itemsOf are the items of an array.
func (v *tval) itemsOf(ctx context.Context, c *contents) {
	k := v.t.kids(ctx, v.items)
	at := v.at.at(roleNames[isItems])
	item := v.t.x.groups[v.items].typ
	c.n = k.n
	if item == tNil {
		c.n = 0
	}
	c.over = func(_ context.Context, src *model.Source, off int64) (int64, bool) { return k.over(v.t, src, off) }
	c.at = func(ctx context.Context, i int64) member {
		name := model.IndexName(i)
		m := member{name: name}
		n, ok := k.at(v.t, i)
		if !ok {
			m.datum = &tval{t: v.t, typ: item, at: at, word: -1, keyword: -1}
			return m
		}
		if g, group := k.list[n].child.group(); group {
			value := v.t.groupValue(ctx, g, at.at(name))
			value.inList = value.block > 0
			m.datum = value
		} else {
			m.datum = v.t.wordValue(item, uint32(k.list[n].child), at.at(name))
		}
		return m
	}
}

// textRows are packed values that stand as text: those of an array, or one struct.
type textRows struct {
	t     *text
	item  typeID
	shape *shape
	g     uint32 // the items
	alone uint32 // or the members of the one struct
	at    *where // the layout node that has the values as its children
}

func (r *textRows) len(ctx context.Context) int64 {
	if r.alone > 0 {
		return 1
	}
	return r.t.kids(ctx, r.g).n
}

func (r *textRows) types() (typeID, *shape) { return r.item, r.shape }

func (r *textRows) elem() string { return (&packed{typ: r.item, shape: r.shape}).elem() }

func (r *textRows) array(ctx context.Context) model.Value {
	if r.shape != nil {
		return nil
	}
	return &model.Elements{Type: r.elem(), Count: r.len(ctx), Make: func(ctx context.Context, i int64) (model.Value, error) { return r.value(ctx, i), nil }}
}

// child is value i.
func (r *textRows) child(ctx context.Context, i int64) (child, bool) {
	if r.alone > 0 {
		return child(r.alone | isGroup), true
	}
	k := r.t.kids(ctx, r.g)
	n, ok := k.at(r.t, i)
	if !ok {
		return 0, false
	}
	return k.list[n].child, true
}

func (r *textRows) value(ctx context.Context, i int64) model.Value {
	c, ok := r.child(ctx, i)
	if !ok {
		return model.None{}
	}
	if g, group := c.group(); group && r.t.x.groups[g].kind == gMembers {
		return r.t.members(ctx, g, r.shape)
	}
	return r.t.memberValue(ctx, c, 0, &shape{types: []typeID{r.item}})
}

func (r *textRows) nodes(ctx context.Context) model.Children {
	if (&packed{typ: r.item, shape: r.shape}).size() == 0 || r.len(ctx) == 0 {
		return nil
	}
	return &model.Rows{Count: r.len(ctx), Make: r.row}
}

// row is the node of value i.
func (r *textRows) row(ctx context.Context, i int64) model.Node {
	name := model.IndexName(i)
	n := model.Node{Name: name, Type: r.elem(), Help: r.item.help()}
	c, ok := r.child(ctx, i)
	if !ok {
		return n
	}
	at := r.at
	if r.alone == 0 {
		at = at.at(name)
	}
	n.Spans = []model.Span{r.t.x.childSpan(c)}
	n.Value = r.value(ctx, i)
	n.Refs = layoutRef(at)
	g, group := c.group()
	if !group || r.shape == nil {
		return n
	}
	n.Type = tStruct.String()
	var members []model.Node
	for _, m := range r.t.kids(ctx, g).list {
		if k := int(m.nth); r.t.isNth(m.child) && k < len(r.shape.types) {
			members = append(members, model.Node{
				Name: r.shape.names[k], Type: r.shape.types[k].String(), Value: r.t.memberValue(ctx, m.child, k, r.shape),
				Spans: []model.Span{r.t.x.childSpan(m.child)}, Help: r.shape.types[k].help(), Refs: layoutRef(at.at(r.shape.names[k])),
			})
		}
	}
	n.Children = model.NewList(members...)
	return n
}

func layoutRef(at *where) func(context.Context) []model.Ref {
	return func(context.Context) []model.Ref { return []model.Ref{{Kind: "layout", Path: at.String()}} }
}

// childSpan is the bytes of a child.
func (x *index) childSpan(c child) model.Span {
	if g, ok := c.group(); ok {
		return x.groupSpan(g)
	}
	return x.tokenSpan(uint32(c))
}

func (r *textRows) eachValue(ctx context.Context, visit func(v model.Value) error) error {
	for i := range r.len(ctx) {
		if i&1023 == 1023 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := visit(r.value(ctx, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r *textRows) cards(ctx context.Context) func(context.Context) []model.Card {
	if r.shape == nil || r.alone > 0 || r.len(ctx) == 0 {
		return nil
	}
	return func(ctx context.Context) []model.Card {
		return []model.Card{&textTable{CardBase: model.CardBase{Title: "Table"}, r: r, count: r.len(ctx)}}
	}
}

// textTable is an array of structs that stand as text: a row for each, a column for each member.
type textTable struct {
	model.CardBase
	r     *textRows
	count int64
}

// Columns implements model.Table.
func (t *textTable) Columns() []model.Column { return (&table{p: &packed{shape: t.r.shape}}).Columns() }

// Rows implements model.Table.
func (t *textTable) Rows() (int64, bool) { return t.count, true }

// Read implements model.Table.
func (t *textTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	for i := range dst {
		at := first + int64(i)
		if at >= t.count {
			return i, nil
		}
		if err := ctx.Err(); err != nil {
			return i, err
		}
		row := t.r.row(ctx, at)
		clear(dst[i])
		if row.Children == nil {
			continue
		}
		n, _ := row.Children.Len(ctx)
		for k := range n {
			m := row.Children.At(ctx, k)
			dst[i][k] = model.Cell{Value: m.Value, Spans: m.Spans, Path: m.Refs(ctx)[0].Path}
		}
	}
	return len(dst), nil
}
