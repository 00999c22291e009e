package guard

import (
	"context"

	"cutaway/model"
)

// guardValue wraps what is read of a value when it is looked at.
func guardValue(v model.Value) model.Value {
	if a, ok := v.(model.Array); ok {
		return guardedArray{model.ArrayBase{}, a}
	}
	return v
}

func guardArray(a model.Array) model.Array {
	if a == nil {
		return nil
	}
	return guardedArray{model.ArrayBase{}, a}
}

// guardedArray is an Array behind the guard, with every optional interface of Array.
type guardedArray struct {
	model.ArrayBase
	in model.Array
}

func (g guardedArray) Elem() (elem string) {
	defer quiet()
	return g.in.Elem()
}

func (g guardedArray) Len() (n int64) {
	defer quiet()
	return g.in.Len()
}

func (g guardedArray) Read(ctx context.Context, first int64, dst []model.Value) (n int, err error) {
	defer caught(&err, "reading an array")
	n, err = g.in.Read(ctx, first, dst)
	for i := range dst[:n] {
		dst[i] = guardValue(dst[i])
	}
	return n, err
}

func (g guardedArray) At(ctx context.Context, i int64) (at model.Span) {
	defer quiet()
	return model.ElementSpan(ctx, g.in, i)
}

func (g guardedArray) Packing() (p model.Packing) {
	defer quiet()
	packing := model.PackingOf(g.in)
	guardPacking(&packing)
	return packing
}

func guardPacking(p *model.Packing) {
	if decode := p.Decode; decode != nil {
		p.Decode = func(ctx context.Context, first int64, dst []byte) (n int, err error) {
			defer caught(&err, "reading an array")
			return decode(ctx, first, dst)
		}
	}
}
