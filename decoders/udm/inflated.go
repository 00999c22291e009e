package udm

import (
	"context"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// nodes returns the values as nodes.
func (p *packed) nodes(context.Context) model.Children { return p.children(true) }

func (p *packed) len(context.Context) int64 { return p.count }

func (p *packed) types() (types.ID, *shape) { return p.typ, p.shape }

func (p *packed) eachValue(ctx context.Context, visit func(v model.Value) error) error {
	if p.size() == 0 {
		for i := int64(0); i < p.count; i++ {
			v := model.Value(model.None{})
			if p.shape != nil {
				v = p.shape.tuple(nil)
			}
			if err := visit(v); err != nil {
				return err
			}
		}
		return nil
	}
	var failed error
	_, err := p.each(ctx, 0, p.count, func(_ int64, b []byte) {
		if failed != nil {
			return
		}
		if p.shape != nil {
			failed = visit(p.shape.tuple(b))
		} else {
			failed = visit(p.typ.Value(b))
		}
	})
	if failed != nil {
		return failed
	}
	return err
}

// inflatedRows are packed values in a compressed array. It is inflated when one of them is looked at.
type inflatedRows struct {
	b     *block
	item  types.ID
	shape *shape
	count int64
	got   model.Once[packed]
}

// packed inflates.
func (r *inflatedRows) packed(ctx context.Context) (*packed, error) {
	return r.got.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*packed, error) {
		src, problems, err := r.b.inflate(ctx)
		if err != nil {
			return nil, err
		}
		p := &packed{src: src, lacks: model.LacksBytes(problems), count: r.count, typ: r.item, shape: r.shape, at: (&nodePath{name: src.LayoutPath()}).child(dataName)}
		if size := p.size(); size > 0 {
			p.count = min(p.count, src.Size()/size)
		}
		return p, nil
	})
}

func (r *inflatedRows) like() *packed { return &packed{count: r.count, typ: r.item, shape: r.shape} }

func (r *inflatedRows) len(context.Context) int64 { return r.count }

func (r *inflatedRows) types() (types.ID, *shape) { return r.item, r.shape }

func (r *inflatedRows) elem() string { return r.like().elem() }

func (r *inflatedRows) array(ctx context.Context) model.Value {
	if r.shape != nil {
		return nil
	}
	if r.item.Size() == 0 {
		return r.like().array(ctx)
	}
	return &inflatedArray{r: r}
}

func (r *inflatedRows) nodes(context.Context) model.Children {
	if r.like().size() == 0 || r.count == 0 {
		return nil
	}
	return &model.Rows{Count: r.count, Make: func(ctx context.Context, i int64) model.Node {
		p, err := r.packed(ctx)
		if err == nil && i < p.count {
			return p.row(ctx, i, true)
		}
		n := model.Node{Name: model.IndexName(i), Type: r.like().elem()}
		if err == nil {
			err = model.Problemf(model.Truncated, ruleArrayCount, r.b.in, "the value is missing: the block gives %d of %d", p.count, r.count)
		}
		n.Problems = []model.Problem{model.AsProblem(err, ascii.RuleRead, r.b.in)}
		return n
	}}
}

func (r *inflatedRows) cards(context.Context) func(context.Context) []model.Card {
	if r.shape == nil || r.like().size() == 0 || r.count == 0 {
		return nil
	}
	return func(ctx context.Context) []model.Card {
		p, err := r.packed(ctx)
		if err != nil || p.count == 0 {
			return nil
		}
		return p.cards(ctx)(ctx)
	}
}

func (r *inflatedRows) eachValue(ctx context.Context, visit func(v model.Value) error) error {
	p, err := r.packed(ctx)
	if err != nil {
		return err
	}
	return p.eachValue(ctx, visit)
}

// inflatedArray is the values of an inflatedRows as an array.
type inflatedArray struct {
	model.ArrayBase
	r *inflatedRows
}

var _ model.Packed = (*inflatedArray)(nil)

// Elem returns the type of a value.
func (a *inflatedArray) Elem() string { return a.r.elem() }

// Len returns the number of values that the array counts.
func (a *inflatedArray) Len() int64 { return a.r.count }

// Packing returns how the values are packed in the block.
func (a *inflatedArray) Packing() model.Packing {
	p := a.r.like().typ.Packing()
	p.Coding = "LZ4"
	p.Decode = func(ctx context.Context, first int64, dst []byte) (int, error) {
		in, err := a.r.packed(ctx)
		if err != nil {
			return 0, err
		}
		plain := (&packedArray{p: in}).Packing()
		n, err := plain.Read(ctx, first, dst)
		return n, a.missing(n, int64(len(dst))/plain.Size(), first, in, err)
	}
	return p
}

// Read inflates and decodes some values.
func (a *inflatedArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	p, err := a.r.packed(ctx)
	if err != nil {
		return 0, err
	}
	n, err := (&packedArray{p: p}).Read(ctx, first, dst)
	return n, a.missing(n, int64(len(dst)), first, p, err)
}

// missing is the error of a read of n of the wanted values from first on, where the block did not give them all.
func (a *inflatedArray) missing(n int, wanted, first int64, in *packed, err error) error {
	if err == nil && int64(n) < wanted && first+int64(n) < a.r.count {
		return model.Problemf(model.Truncated, ruleArrayCount, a.r.b.in, "the block gives %d of %d values", in.count, a.r.count)
	}
	return err
}
