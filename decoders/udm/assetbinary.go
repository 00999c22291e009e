package udm

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

var _ datum = (*value)(nil)

// pending returns the nodes that find finds, or nil if the value has few children.
func (v *value) pending(ctx context.Context, find func(context.Context, model.Progress) (model.Children, error)) model.Children {
	if !v.many(ctx) {
		return nil
	}
	v = v.kept(ctx)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.inAsset == nil {
		v.inAsset = model.NewLazy(find)
	}
	return v.inAsset
}

// look returns the value, words and problems of the node.
func (v *value) look(ctx context.Context) shownDatum {
	switch {
	case v.tooDeep():
		return shownDatum{problems: []model.Problem{nesting(v.span())}}
	case !v.typ.Known():
		return shownDatum{}
	case v.typ == types.Element:
		return shownDatum{brief: v.countText(ctx)}
	case v.typ == types.Array:
		if of, _, ok := v.itemCount(ctx); !ok || !of.Fixed() && of != types.Struct {
			return shownDatum{brief: v.countText(ctx)}
		}
	}
	k, err := v.content(ctx, nil)
	if err != nil {
		return shownDatum{}
	}
	l := k.look(ctx, v.typ)
	l.problems = append(v.problems(ctx), l.problems...)
	return l
}

// problems are those of the value's fields.
func (v *value) problems(ctx context.Context) (all []model.Problem) {
	r := grammar.Glance(ctx)
	defer r.Return()
	if v = v.kept(ctx); v.o.Sound(r) {
		return nil
	}
	fields := v.o.Children(ctx)
	n, _ := fields.Len(ctx)
	for i := range n {
		all = append(all, fields.At(ctx, i).Problems...)
	}
	return all
}

// contents reads the children, items or packed values.
func (v *value) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	if v.tooDeep() || !v.typ.Known() {
		return &contents{}, nil
	}
	k, err := v.content(ctx, progress)
	if err != nil {
		return nil, err
	}
	return k.contents(ctx, progress)
}

// fill sets the children of an element, or the items of an array.
func (v *value) fill(ctx context.Context, c *contents) {
	if v.typ != types.Element {
		c.list(listOf(ctx, v.o, itemsName))
		return
	}
	keys, values, names := listOf(ctx, v.o, keysName), listOf(ctx, v.o, valuesName), namesOf(ctx, v.o)
	c.list(values)
	c.named, c.find = true, func(ctx context.Context, name string) (int64, bool) {
		i, ok := names.find(ctx, name)
		return i, ok && i < c.n
	}
	c.over = func(ctx context.Context, src *model.Source, off int64) (i int64, ok bool) {
		for _, l := range []*grammar.List{keys, values} {
			if i, ok = l.Over(ctx, src, off); ok {
				break
			}
		}
		return i, ok && i < c.n
	}
}

// list takes the values of a list as what is in the datum.
func (c *contents) list(l *grammar.List) {
	if l == nil {
		return
	}
	c.n, c.over = l.Known(), l.Over
	c.at = func(ctx context.Context, i int64) member {
		if o := l.Object(ctx, i); o != nil {
			return valueOf(ctx, o).member(ctx)
		}
		return member{segment: model.IndexName(i), datum: unreadable{}} // or ctx has ended
	}
}

// unreadable is a value that could not be read.
type unreadable struct{}

func (unreadable) kind() types.ID                    { return types.Unknown }
func (unreadable) span() model.Span                  { return model.Span{} }
func (unreadable) layoutPath(context.Context) string { return model.LayoutView }
func (unreadable) look(context.Context) shownDatum   { return shownDatum{} }
func (unreadable) contents(ctx context.Context, _ model.Progress) (*contents, error) {
	return &contents{}, ctx.Err()
}
func (unreadable) pending(context.Context, func(context.Context, model.Progress) (model.Children, error)) model.Children {
	return nil
}
