package udm

import (
	"context"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// A content holds what was read of a value in either form.
type content struct {
	value    model.Value // of a scalar
	brief    string      // of one
	problems []model.Problem
	item     types.ID // of an array: the type of its items
	count    int64    // of an array: how many items it claims
	shape    *shape
	rows     rows                                   // of packed values
	fill     func(ctx context.Context, c *contents) // takes the children of an element, or the items of an array
	block    *block                                 // of a compressed value
	data     model.Span                             // of blob and utf8: the bytes
}

// many reports whether a compressed array has many items that must be found.
func (k *content) many() bool {
	return (k.item == types.Element || k.item == types.String) && k.count > manyCount
}

// packedRows returns the packed values, which may be compressed, or nil if there are none.
func (k *content) packedRows() rows {
	if k.rows == nil && k.block != nil && k.block.array != nil && (k.item.Fixed() || k.shape != nil) {
		return &inflatedRows{b: k.block, item: k.item, shape: k.shape, count: k.count}
	}
	return k.rows
}

// look returns the parts of the node of a value of a type.
func (k *content) look(ctx context.Context, t types.ID) shownDatum {
	l := shownDatum{value: k.value, brief: k.brief, problems: k.problems, rows: k.packedRows()}
	switch {
	case k.block != nil && k.block.array == nil:
		src, problems, err := k.block.inflate(ctx)
		if err != nil {
			l.problems = append(l.problems, model.AsProblem(err, ascii.RuleRead, k.block.in))
			break
		}
		l.value = model.Blob{Span: src.Whole()}
		l.problems = append(l.problems, problems...)
	case l.rows != nil && t != types.Struct:
		if l.value, l.brief = l.rows.array(ctx), ""; l.value == nil {
			l.brief = briefOf(l.rows.elem(), l.rows.len(ctx))
		}
	case t == types.Array || t == types.ArrayLZ4:
		l.brief = briefOf(types.Text(k.item), k.count)
	}
	return l
}

// contents returns the children, items or packed values. It fails only when ctx ends.
func (k *content) contents(ctx context.Context, progress model.Progress) (*contents, error) {
	c := &contents{block: k.block, item: k.item, shape: k.shape, data: k.data, rows: k.packedRows()}
	if k.fill != nil {
		k.fill(ctx, c)
	}
	if k.block == nil || c.rows != nil || k.block.array != nil && k.block.want == 0 {
		return c, nil
	}
	src, _, err := k.block.inflate(ctx)
	switch {
	case err != nil:
		return c, ctx.Err()
	case k.block.array == nil:
		c.data = src.Whole()
		return c, nil
	}
	v := k.block.content(ctx, src)
	if err := v.read(ctx, progress); err != nil {
		return c, err
	}
	c.list(listOf(ctx, v.o, itemsName))
	return c, nil
}
