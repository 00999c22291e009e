package udm

import (
	"context"

	"cutaway/decoders/read"
	"cutaway/model"
)

func (v *bin) heavyPart(ctx context.Context) *heavy {
	if v.heavy(ctx) {
		return v.d.heavyPart(v)
	}
	if v.typ == tArrayLZ4 {
		if k, err := v.content(ctx, nil); err == nil && k.many() {
			return v.d.heavyPart(v)
		}
	}
	return nil
}

// look implements datum.
func (v *bin) look(ctx context.Context) look {
	if v.depth > maxNesting {
		return look{problems: []model.Problem{nesting(v.span())}}
	}
	l := look{}
	if !v.typ.known() {
		return l
	}
	switch v.typ {
	case tElement:
		l.brief = v.countText(ctx)
		return l
	case tArray:
		if item, _, ok := v.itemCount(ctx); !ok || !item.fixed() && item != tStruct {
			l.brief = v.countText(ctx)
			return l
		}
	}
	k, err := v.content(ctx, nil)
	if err != nil {
		return l
	}
	l.value = k.value
	for i := range k.nodes {
		l.problems = append(l.problems, k.nodes[i].Problems...)
	}
	v.d.lookAt(ctx, &l, v.typ, k)
	return l
}

// lookAt fills in what a value with packed or compressed data shows.
func (d *udm) lookAt(ctx context.Context, l *look, t typeID, k *content) {
	switch {
	case t == tLZ4 && k.block != nil:
		src, problems, err := k.block.inflate(ctx)
		if err != nil {
			l.problems = append(l.problems, model.AsProblem(err, ruleRead, k.block.in))
			return
		}
		l.value = model.Blob{Span: src.Whole()}
		l.problems = append(l.problems, problems...)
	case k.packed != nil:
		l.rows = k.packed
	case t == tArrayLZ4 && k.block != nil && (k.item.fixed() || k.shape != nil):
		l.rows = &inflatedRows{b: k.block, item: k.item, shape: k.shape, count: k.count}
	case t == tArrayLZ4 || t == tArray:
		l.brief = briefOf(typeText(k.item), k.count)
	}
	if l.rows == nil {
		return
	}
	if t == tStruct {
		if p := k.packed; p != nil && p.count == 1 && p.size() > 0 {
			l.value = p.row(ctx, 0, false).Value
		}
		return
	}
	if l.value = l.rows.array(ctx); l.value == nil {
		l.brief = briefOf(l.rows.elem(), l.rows.len(ctx))
	}
}

// contents implements datum.
func (v *bin) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	if v.depth > maxNesting || !v.typ.known() {
		return &contents{}, nil
	}
	k, err := v.load(ctx, progress)
	if err != nil {
		return nil, err
	}
	return v.contentsOf(ctx, k, progress)
}

func (v *bin) contentsOf(ctx context.Context, k *content, progress model.Progress) (*contents, error) {
	c := &contents{block: k.block, item: k.item, shape: k.shape}
	switch {
	case k.element != nil:
		k.element.contents(ctx, c)
	case k.packed != nil:
		c.rows = k.packed
	case k.items != nil:
		k.items.contents(c)
	case k.block != nil && v.typ == tLZ4:
		src, _, err := k.block.inflate(ctx)
		if err != nil {
			return c, ctx.Err()
		}
		c.data = src.Whole()
	case k.block != nil && (k.item.fixed() || k.shape != nil):
		c.rows = &inflatedRows{b: k.block, item: k.item, shape: k.shape, count: k.count}
	case k.block != nil:
		return c, v.inflatedContents(ctx, k, c, progress)
	}
	if blob, ok := k.value.(model.Blob); ok {
		c.data = blob.Span
	}
	return c, nil
}

// inflatedContents are the items of a compressed array of elements or strings.
func (v *bin) inflatedContents(ctx context.Context, k *content, c *contents, progress model.Progress) error {
	if k.block.want == 0 {
		return nil
	}
	src, _, err := k.block.inflate(ctx)
	if err != nil {
		return ctx.Err()
	}
	r := read.New(ctx, src, 0, src.Size(), ruleTruncated)
	_, x, err := v.inside(src, tArray).readInflated(ctx, r, k.item, k.count, k.shape, progress)
	if x != nil {
		x.contents(c)
	}
	return err
}

// contents are the children of an element.
func (e *element) contents(ctx context.Context, c *contents) {
	if e.names == nil {
		e.names, _ = newNames(ctx, 0, nil)
	}
	c.named, c.n, c.find, c.over = true, e.count(), e.find, e.over
	c.at = e.member
}

// over is the child whose key or value has a byte.
func (e *element) over(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if e.count() <= 0 {
		return 0, false
	}
	if i, ok := e.keyOver(ctx, src, off); ok {
		return i, i < e.count()
	}
	return e.valueOver(ctx, src, off)
}

// member is child i of an element.
func (e *element) member(ctx context.Context, i int64) member {
	at, _ := e.keyAt(newWindow(ctx, e.v.src), i)
	return member{name: e.names.name(ctx, i), key: e.key(ctx, i), keySpan: at, keyPath: e.keyPath(i), datum: e.value(ctx, i)}
}

// asciiCard offers a member of a known type in the ASCII form.
func asciiCard(t typeID, m func() member) func(context.Context) []model.Card {
	if !t.known() {
		return nil
	}
	return func(context.Context) []model.Card { return []model.Card{&asASCII{CardBase: asciiTitle, m: m()}} }
}

// contents are the items of an array.
func (x *items) contents(c *contents) {
	c.n, c.over = x.count(), x.over
	c.at = func(_ context.Context, i int64) member { return member{name: model.IndexName(i), datum: x.value(i)} }
}
