package udm

import (
	"context"
	"slices"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// scan is the text, whose index is made once.
func (d *udm) scan(ctx context.Context, progress model.Progress) (*text, error) {
	return d.text.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*text, error) {
		x, err := ascii.Parse(ctx, d.src, progress)
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
		Help: "the entries of the text, with all that is between them",
	}
	if d.src.Size() == 0 {
		n.Problems = []model.Problem{model.Problemf(model.Suspicious, ascii.RuleTextEmpty, d.src.Whole(), "the file has no bytes, which is an empty tree: perhaps nothing was written into it")}
		return n
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
	p := &textNodes{t: t, at: &nodePath{name: d.src.LayoutPath()}}
	if t.x.Size == d.src.Size() {
		return p, nil
	}
	at := d.src.Span(t.x.Size, d.src.Size()-t.x.Size)
	return model.Concat(p, model.NewList(model.Node{
		Name: "rest~0", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at}, Problems: []model.Problem{t.x.EndProblem(at)},
	})), nil
}

// file is the root element of a text.
func (t *text) file() *textValue {
	return &textValue{t: t, typ: types.Element, at: &nodePath{name: t.d.src.LayoutPath()}, word: -1, keyword: -1, file: true}
}

func (v *textValue) kind() types.ID { return v.typ }

func (v *textValue) pending(context.Context, func(context.Context, model.Progress) (model.Children, error)) model.Children {
	return nil
}

func (v *textValue) layoutPath(context.Context) string { return v.at.String() }

// span is from the first to the last part of the value.
func (v *textValue) span() model.Span {
	x := v.t.x
	if v.file {
		return x.Src.Span(0, x.Size)
	}
	at := model.Span{}
	add := func(s model.Span) {
		if at.Source == nil {
			at = s
		}
		at.Len = s.End() - at.Off
	}
	if v.word >= 0 {
		add(x.TokenSpan(uint32(v.word)))
	}
	for _, g := range []uint32{v.numbers, v.structure, v.block, v.header, v.items, v.data} {
		if g > 0 {
			add(x.GroupSpan(g))
		}
	}
	return at
}

var _ datum = (*textValue)(nil)

// look returns the value, words and problems of the node.
func (v *textValue) look(ctx context.Context) shownDatum {
	l := v.content(ctx).look(ctx, v.typ)
	l.problems = append(v.leftOut(ctx), l.problems...)
	return l
}

// contents returns the entries, items or packed values.
func (v *textValue) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	return v.content(ctx).contents(ctx, progress)
}

// content reads the value.
func (v *textValue) content(ctx context.Context) *content {
	k := &content{item: types.Nil, shape: v.shape}
	k.value, k.brief = v.short(ctx)
	if v.header > 0 && v.t.x.Group(v.header).Kind == ascii.GroupHeader {
		h := v.t.header(ctx, v.header)
		k.item, k.count, k.shape = h.item, max(h.count, 0), h.shape
	}
	switch {
	case v.word >= 0:
		if _, issue := ascii.ParseWord(v.typ, v.t.x.Text(ctx, uint32(v.word))); issue != nil {
			k.problems = []model.Problem{model.Problemf(model.Suspicious, issue.Rule, v.t.x.TokenSpan(uint32(v.word)), "%s", issue.Message)}
		}
	case v.file || v.block > 0:
		k.fill = v.entries
	case v.items > 0:
		if k.count = v.t.values(v.items); k.item.Fixed() || k.shape != nil {
			k.rows = &textRows{t: v.t, shape: k.shape, item: k.item, g: v.items, at: v.at.child(ascii.GroupNames[ascii.GroupItems])}
		} else {
			k.fill = v.itemsOf
		}
	case v.structure > 0 && v.shape != nil:
		k.rows = &textRows{t: v.t, shape: v.shape, item: types.Struct, alone: v.structure, at: v.at.child(ascii.GroupNames[ascii.GroupMembers])}
	case v.data > 0:
		v.dataContent(ctx, k)
	}
	return k
}

// dataContent completes the content of a value that is base64 data.
func (v *textValue) dataContent(ctx context.Context, k *content) {
	src, problems, err := v.decoded(ctx)
	switch {
	case err != nil: // its node says so
	case v.typ == types.Blob || v.typ == types.UTF8:
		k.problems, k.data, k.value = problems, src.Whole(), v.decodedNode(ctx, src).Value
	default:
		k.block = v.lz4(ctx, src)
	}
}

// leftOut returns the problems of groups that are nested too deep and lie in the value, but in no value inside.
func (v *textValue) leftOut(ctx context.Context) (problems []model.Problem) {
	x := v.t.x
	for _, f := range x.Deep {
		list := x.Group(max(v.numbers, v.structure)) // one of them is 0: brackets in them are no values
		inList := v.numbers+v.structure > 0 && f.Token >= list.First && f.Token < list.End
		if inList || f.Group > 0 && slices.Contains([]uint32{v.group, v.block, v.items}, f.Group) {
			problems = append(problems, x.Problem(ctx, f))
		}
	}
	return problems
}

// decoded returns the source with the decoded base64 data of the value.
func (v *textValue) decoded(ctx context.Context) (*model.Source, []model.Problem, error) {
	at := v.at.child(ascii.GroupNames[ascii.GroupData]).child(ascii.TokenNames[ascii.TokenBase64])
	o := v.t.x.Group(v.data)
	in := v.t.x.Src.Span(v.t.x.Off(o.First)+1, 0)
	for i := o.First; i < o.End; i++ {
		if v.t.x.Kind(i) == ascii.TokenBase64 {
			in = v.t.x.TokenSpan(i)
		}
	}
	return v.decode(ctx, at, in)
}

// entries are the properties and child elements of a block, or of the file.
func (v *textValue) entries(ctx context.Context, c *contents) {
	k := v.t.children(ctx, v.block)
	at := v.at
	if !v.file && !v.inList {
		at = at.child(ascii.GroupNames[ascii.GroupBlock])
	}
	c.named, c.n = true, v.t.values(v.block)
	c.find, c.over = k.names.find, k.valueOver
	c.at = func(ctx context.Context, i int64) member {
		segment := k.names.segment(ctx, i)
		m := member{segment: segment, key: k.names.key(ctx, i), child: true}
		n, _, _ := k.value(i)
		g, _ := n.Group()
		entry := at.child(entryName(segment))
		value := v.t.groupValue(ctx, g, entry)
		if value.keyword >= 0 {
			m.keySpan = v.t.x.TokenSpan(uint32(value.keyword))
			m.keyPath = entry.child(ascii.TokenNames[ascii.TokenKey]).String()
		}
		m.datum = value
		return m
	}
}

// itemsOf are the items of an array.
func (v *textValue) itemsOf(ctx context.Context, c *contents) {
	k := v.t.children(ctx, v.items)
	at := v.at.child(ascii.GroupNames[ascii.GroupItems])
	item := v.t.x.Group(v.items).Typ
	c.n, c.over = v.t.values(v.items), k.valueOver
	c.at = func(ctx context.Context, i int64) member {
		m := member{segment: model.IndexName(i)}
		n, _, _ := k.value(i)
		if g, group := n.Group(); group {
			value := v.t.groupValue(ctx, g, at.child(m.segment))
			value.inList = value.block > 0
			m.datum = value
		} else {
			m.datum = v.t.wordValue(item, uint32(n), at.child(m.segment))
		}
		return m
	}
}

// textRows are packed values that are written as text: those of an array, or one struct.
type textRows struct {
	t     *text
	item  types.ID
	shape *shape
	g     uint32    // the items
	alone uint32    // or the members of the one struct
	at    *nodePath // the layout node that has the values as its children
}

func (r *textRows) len(context.Context) int64 {
	if r.alone > 0 {
		return 1
	}
	return r.t.values(r.g)
}

func (r *textRows) types() (types.ID, *shape) { return r.item, r.shape }

func (r *textRows) elem() string { return (&packed{typ: r.item, shape: r.shape}).elem() }

func (r *textRows) array(ctx context.Context) model.Value {
	if r.shape != nil {
		return nil
	}
	return &model.Elements{Type: r.elem(), Count: r.len(ctx), Make: func(ctx context.Context, i int64) (model.Value, error) { return r.value(ctx, i), nil }}
}

// child is value i.
func (r *textRows) child(ctx context.Context, i int64) (ascii.Child, bool) {
	if r.alone > 0 {
		return ascii.Child(r.alone | ascii.IsGroup), true
	}
	c, _, ok := r.t.children(ctx, r.g).value(i)
	return c, ok
}

func (r *textRows) value(ctx context.Context, i int64) model.Value {
	c, ok := r.child(ctx, i)
	if !ok {
		return model.None{}
	}
	return r.valueOf(ctx, c)
}

func (r *textRows) valueOf(ctx context.Context, c ascii.Child) model.Value {
	if g, group := c.Group(); group && r.t.x.Group(g).Kind == ascii.GroupMembers {
		return r.t.members(ctx, g, r.shape)
	}
	return r.t.memberValue(ctx, c, 0, &shape{types: []types.ID{r.item}})
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
	n := model.Node{Name: name, Type: r.elem(), Help: r.item.Help()}
	c, ok := r.child(ctx, i)
	if !ok {
		return n
	}
	at := r.at
	if r.alone == 0 {
		at = at.child(name)
	}
	n.Spans = []model.Span{r.t.x.ChildSpan(c)}
	n.Value = r.value(ctx, i)
	n.Refs = layoutRef(at)
	g, group := c.Group()
	if !group || r.shape == nil {
		return n
	}
	n.Type = types.Struct.String()
	var members []model.Node
	r.t.x.EachValue(g, func(k int, c ascii.Child) {
		if k < len(r.shape.types) {
			member := model.Node{
				Name: r.shape.names[k], Type: types.Title(r.shape.types[k]), Value: r.t.memberValue(ctx, c, k, r.shape),
				Spans: []model.Span{r.t.x.ChildSpan(c)}, Help: r.shape.types[k].Help(), Refs: layoutRef(at.child(r.shape.names[k])),
			}
			members = append(members, member.Named(r.shape.keys[k]))
		}
	})
	n.Children = model.NewList(members...)
	return n
}

func layoutRef(at *nodePath) func(context.Context) []model.Ref {
	return func(context.Context) []model.Ref { return []model.Ref{{Kind: "layout", Path: at.String()}} }
}

func (r *textRows) eachValue(ctx context.Context, visit func(v model.Value) error) error {
	if r.alone > 0 {
		return visit(r.value(ctx, 0))
	}
	var err error
	r.t.x.EachValue(r.g, func(i int, c ascii.Child) {
		if i&1023 == 1023 && err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = visit(r.valueOf(ctx, c))
		}
	})
	return err
}

func (r *textRows) cards(ctx context.Context) func(context.Context) []model.Card {
	if r.shape == nil || r.alone > 0 || r.len(ctx) == 0 {
		return nil
	}
	return func(ctx context.Context) []model.Card {
		return []model.Card{&textTable{CardBase: model.CardBase{Title: "Table"}, r: r, count: r.len(ctx)}}
	}
}

// textTable is an array of structs that are as text: a row for each, a column for each member.
type textTable struct {
	model.CardBase
	r     *textRows
	count int64
}

var _ model.Table = (*textTable)(nil)

// Columns returns the members of a struct.
func (t *textTable) Columns() []model.Column { return t.r.shape.columns() }

// Rows returns the number of structs.
func (t *textTable) Rows() (int64, bool) { return t.count, true }

// Read parses the members of some structs.
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
