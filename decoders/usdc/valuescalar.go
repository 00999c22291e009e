package usdc

import (
	"context"
	"encoding/binary"
	"math"

	"cutaway/model"
)

// component decodes one component from its bytes. For an index that leads nowhere the error is a problem without a
// place, and the value is the number itself.
func (c *crate) component(ctx context.Context, s scalar, inArray bool, b []byte) (model.Value, error) {
	if number := s.number(); number != model.NoNumber {
		return number.Value(b), nil
	}
	return c.indexed(ctx, s, inArray, binary.LittleEndian.Uint32(b))
}

// element decodes an element from its bytes, in the order of text layers; errors as those of component.
func (c *crate) element(ctx context.Context, e *elem, inArray bool, b []byte) (model.Value, error) {
	if e.shape == single {
		return c.component(ctx, e.scalar, inArray, b)
	}
	var failed error
	size := e.scalar.size()
	all := make(model.Tuple, e.count)
	for i := range all {
		v, err := c.component(ctx, e.scalar, inArray, b[int64(i)*size:])
		all[i] = v
		if err != nil && failed == nil {
			failed = err
		}
	}
	return e.arrange(all), failed
}

// elementNode is an element that is at off of src; span problems and refs included.
func (c *crate) elementNode(ctx context.Context, name string, e *elem, inArray bool, src *model.Source, off int64) model.Node {
	n := model.Node{Name: name, Type: e.name, Spans: []model.Span{src.Span(off, e.size())}}
	var small [32]byte
	b := small[:]
	if e.size() > int64(len(small)) {
		b = make([]byte, e.size())
	}
	b = b[:e.size()]
	if _, err := src.ReadFull(ctx, b, off); err != nil {
		n.Problems = append(n.Problems, model.AsProblem(err, "usdc.value.truncated", n.Spans[0]))
		return n
	}
	v, err := c.element(ctx, e, inArray, b)
	n.Value = v
	if err != nil {
		n.Problems = append(n.Problems, problemAt(err, n.Spans[0]))
	}
	if p, wrong := badExpression(e, v, n.Spans[0]); wrong {
		n.Problems = append(n.Problems, p)
	}
	if e.scalar == scalarBool && b[0] > 1 {
		n.Problems = append(n.Problems, oddBool(b[0], n.Spans[0]))
	}
	if e.shape != single {
		n.Children, n.Elements = c.componentRows(e, inArray, src, off), true
		return n
	}
	if e.scalar >= scalarString {
		i := binary.LittleEndian.Uint32(b)
		n.Refs = func(ctx context.Context) []model.Ref { return c.indexRefs(ctx, e.scalar, i, inArray) }
	}
	return n
}

// componentRows are the parts of the element at off of src, in the order of the file: components, of a matrix rows.
func (c *crate) componentRows(e *elem, inArray bool, src *model.Source, off int64) model.Children {
	part := singleOf(e.scalar.String(), e.scalar)
	count := e.count
	if e.shape == matrix {
		count = e.rows()
		part = elem{name: "row", scalar: e.scalar, count: count, shape: vector}
	}
	return model.FixedRows(src, off, part.size(), int64(count), func(ctx context.Context, i int64) model.Node {
		return c.elementNode(ctx, e.partName(i), &part, inArray, src, off+i*part.size())
	})
}

// inlined is the value in the low 32 bits of a rep placed in the rep, small or whole, except the empty structures.
func (c *crate) inlined(ctx context.Context, r rep) (model.Value, error) {
	t := r.typ()
	info := t.info()
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], r.low())
	switch {
	case t == typeValueBlock:
		return model.None{}, nil
	case t == typeAnimationBlock:
		return model.Symbol{Name: "AnimationBlock"}, nil
	case info.values != nil:
		s := model.Symbol{Number: int64(r.low())}
		if s.Number < int64(len(info.values)) {
			s.Name = info.values[s.Number]
		}
		return s, nil
	case r.placement() == placedInRep:
		return c.element(ctx, &info.elem, false, b[:])
	}
	switch t {
	case typeInt64:
		return model.Int(int32(r.low())), nil
	case typeUint64:
		return model.Uint(r.low()), nil
	case typeDouble:
		return model.Float64(math.Float32frombits(r.low())), nil
	}
	e := &info.elem
	all := make(model.Tuple, e.count)
	for i := range all {
		switch {
		case e.shape != matrix:
			all[i] = converted(e.scalar, int64(int8(b[i])))
		case i/e.rows() == i%e.rows():
			all[i] = converted(e.scalar, int64(int8(b[i%e.rows()])))
		default:
			all[i] = converted(e.scalar, 0)
		}
	}
	return e.arrange(all), nil
}

// inlinedBits returns the number of low bits of a rep that an inlined value takes.
func inlinedBits(r rep) uint {
	switch info := r.typ().info(); {
	case info.values != nil:
		return 32
	case info.elem.count == 0:
		return 0 // blocks and empty structures
	case info.inline == inlineAlways:
		return uint(8 * info.elem.size())
	case info.elem.shape == matrix:
		return uint(8 * info.elem.rows())
	case info.elem.shape == vector:
		return uint(8 * info.elem.count)
	}
	return 32
}

// inlinedSpan narrows the span of a rep to the bits of the value in it.
func inlinedSpan(r rep, span model.Span) model.Span {
	if n := inlinedBits(r); n > 0 && span.Len == 8 {
		span.Mask = 1<<n - 1
	}
	return span
}

// inlinedRows are the components of an inlined vector or matrix diagonal; nil where there is one part only.
func (c *crate) inlinedRows(r rep, span model.Span, v model.Value) model.Children {
	e := r.typ().info().elem
	all, ok := v.(model.Tuple)
	if !ok || span.Len != 8 {
		return nil
	}
	width, n, typ := uint(8), int64(len(all)), "i8"
	if r.typ() == typeHalf2 {
		width, typ = 16, "half"
	}
	return &model.Rows{Count: n, Make: func(_ context.Context, i int64) model.Node {
		part := model.Node{Name: model.IndexName(i), Type: typ, Value: all[i], Spans: []model.Span{span}}
		if e.shape == matrix {
			part.Value = all[i].(model.Tuple)[i]
			part.Help = "entry of the diagonal; all others are 0"
		}
		part.Spans[0].Mask = (1<<width - 1) << (width * uint(i))
		return part
	}}
}
