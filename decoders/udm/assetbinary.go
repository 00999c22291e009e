package udm

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// kids implements datum.
func (v *value) kids(ctx context.Context, make func(context.Context, model.Progress) (model.Children, error)) model.Children {
	if !v.many(ctx) {
		return nil
	}
	v = v.kept(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.inAsset == nil {
		v.inAsset = model.NewLazy(make)
	}
	return v.inAsset
}

// look implements datum.
func (v *value) look(ctx context.Context) look {
	if v.tooDeep() {
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
		if of, _, ok := v.itemCount(ctx); !ok || !of.fixed() && of != tStruct {
			l.brief = v.countText(ctx)
			return l
		}
	}
	k, err := v.content(ctx, nil)
	if err != nil {
		return l
	}
	l.value = k.value
	fields := v.children(ctx)
	n, _ := fields.Len(ctx)
	for i := range n {
		l.problems = append(l.problems, fields.At(ctx, i).Problems...)
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
func (v *value) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	if v.tooDeep() || !v.typ.known() {
		return &contents{}, nil
	}
	k, err := v.content(ctx, progress)
	if err != nil {
		return nil, err
	}
	return k.contents(ctx, v.typ, progress)
}

// contents is what is in a value of a type.
func (k *content) contents(ctx context.Context, t typeID, progress model.Progress) (*contents, error) {
	c := &contents{block: k.block, item: k.item, shape: k.shape}
	switch {
	case t == tElement:
		c.named, c.find = true, func(ctx context.Context, name string) (int64, bool) {
			i, ok := k.names.find(ctx, name)
			return i, ok && i < c.n
		}
		c.list(k.items)
		c.over = func(ctx context.Context, src *model.Source, off int64) (i int64, ok bool) {
			for _, l := range []*grammar.List{k.keys, k.items} {
				if i, ok = l.Over(ctx, src, off); ok {
					break
				}
			}
			return i, ok && i < c.n
		}
	case k.packed != nil:
		c.rows = k.packed
	case k.items != nil:
		c.list(k.items)
	case k.block != nil && t == tLZ4:
		src, _, err := k.block.inflate(ctx)
		if err != nil {
			return c, ctx.Err()
		}
		c.data = src.Whole()
	case k.block != nil && (k.item.fixed() || k.shape != nil):
		c.rows = &inflatedRows{b: k.block, item: k.item, shape: k.shape, count: k.count}
	case k.block != nil && k.block.want > 0:
		src, _, err := k.block.inflate(ctx)
		if err != nil {
			return c, ctx.Err()
		}
		v := k.block.content(ctx, src)
		if err := v.read(ctx, progress); err != nil {
			return c, err
		}
		c.list(v.list(ctx, itemsName))
	}
	if blob, ok := k.value.(model.Blob); ok {
		c.data = blob.Span
	}
	return c, nil
}

// list takes the values of a list as what is in the datum.
func (c *contents) list(l *grammar.List) {
	if l == nil {
		return
	}
	c.n, c.over = l.Known(), l.Over
	c.at = func(ctx context.Context, i int64) member {
		if o := l.Object(ctx, i); o != nil {
			return valueOf(o).member(ctx)
		}
		return member{name: model.IndexName(i), datum: unreadable{}} // or ctx has ended
	}
}

// unreadable is a value that could not be read.
type unreadable struct{}

func (unreadable) kind() typeID                      { return tUnknown }
func (unreadable) span() model.Span                  { return model.Span{} }
func (unreadable) layoutPath(context.Context) string { return model.LayoutView }
func (unreadable) look(context.Context) look         { return look{} }
func (unreadable) contents(ctx context.Context, _ model.Progress) (*contents, error) {
	return &contents{}, ctx.Err()
}
func (unreadable) kids(context.Context, func(context.Context, model.Progress) (model.Children, error)) model.Children {
	return nil
}
