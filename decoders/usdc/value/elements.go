package value

import (
	"context"
	"encoding/binary"
	"math"

	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// component decodes one component from its bytes. For an index that leads nowhere the error is a problem without a
// place, and the value is the number itself.
func (vs *Values) component(ctx context.Context, s table.Scalar, inArray bool, b []byte) (model.Value, error) {
	if number := s.Number(); number != model.NoNumber {
		return number.Value(b), nil
	}
	return vs.crate.Indexed(ctx, s, inArray, binary.LittleEndian.Uint32(b))
}

// element decodes an element from its bytes, in the order of text layers; errors as those of component.
func (vs *Values) element(ctx context.Context, e *table.Elem, inArray bool, b []byte) (model.Value, error) {
	if e.Shape == table.Single {
		return vs.component(ctx, e.Scalar, inArray, b)
	}
	var failed error
	size := e.Scalar.Size()
	all := make(model.Tuple, e.Count)
	for i := range all {
		v, err := vs.component(ctx, e.Scalar, inArray, b[int64(i)*size:])
		all[i] = v
		if err != nil && failed == nil {
			failed = err
		}
	}
	return e.Arrange(all), failed
}

// elementNode returns an element that is at off of src; span problems and refs included.
func (vs *Values) elementNode(ctx context.Context, name string, e *table.Elem, inArray bool, src *model.Source, off int64) model.Node {
	n := model.Node{Name: name, Type: e.Name, Spans: []model.Span{src.Span(off, e.Size())}}
	var small [32]byte
	b := small[:]
	if e.Size() > int64(len(small)) {
		b = make([]byte, e.Size())
	}
	b = b[:e.Size()]
	if _, err := src.ReadFull(ctx, b, off); err != nil {
		n.Problems = append(n.Problems, model.AsProblem(err, "usdc.value.truncated", n.Spans[0]))
		return n
	}
	v, err := vs.element(ctx, e, inArray, b)
	n.Value = v
	if err != nil {
		n.Problems = append(n.Problems, coding.ProblemAt(err, n.Spans[0]))
	}
	if p, wrong := badText(e.Name, v, n.Spans[0]); wrong {
		n.Problems = append(n.Problems, p)
	}
	if e.Scalar == table.ScalarBool && b[0] > 1 {
		n.Problems = append(n.Problems, oddBool(b[0], n.Spans[0]))
	}
	if e.Shape != table.Single {
		n.Children, n.Elements = vs.componentRows(e, inArray, src, off), true
		return n
	}
	if e.Scalar >= table.ScalarString {
		i := binary.LittleEndian.Uint32(b)
		n.Refs = func(ctx context.Context) []model.Ref { return vs.crate.IndexRefs(ctx, e.Scalar, i, inArray) }
	}
	return n
}

// componentRows returns the parts of the element at off of src, in the order of the file: components, of a matrix rows.
func (vs *Values) componentRows(e *table.Elem, inArray bool, src *model.Source, off int64) model.Children {
	part := table.SingleOf(e.Scalar.String(), e.Scalar)
	count := e.Count
	if e.Shape == table.Matrix {
		count = e.Rows()
		part = table.Elem{Name: "row", Scalar: e.Scalar, Count: count, Shape: table.Vector}
	}
	return model.FixedRows(src, off, part.Size(), int64(count), func(ctx context.Context, i int64) model.Node {
		return vs.elementNode(ctx, e.PartName(i), &part, inArray, src, off+i*part.Size())
	})
}

// inlined returns the value in the low 32 bits of a rep placed in the rep, small or whole, except the empty structures.
func (vs *Values) inlined(ctx context.Context, r table.Rep) (model.Value, error) {
	t := r.Type()
	info := t.Info()
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], r.Low())
	switch {
	case t == table.TypeValueBlock:
		return model.None{}, nil
	case t == table.TypeAnimationBlock:
		return model.Symbol{Name: "AnimationBlock"}, nil
	case info.Values != nil:
		s := model.Symbol{Number: int64(r.Low())}
		if s.Number < int64(len(info.Values)) {
			s.Name = info.Values[s.Number]
		}
		return s, nil
	case r.Placement() == table.PlacedInRep:
		return vs.element(ctx, &info.Elem, false, b[:])
	}
	switch t {
	case table.TypeInt64:
		return model.Int(int32(r.Low())), nil
	case table.TypeUint64:
		return model.Uint(r.Low()), nil
	case table.TypeDouble:
		return model.Float64(math.Float32frombits(r.Low())), nil
	}
	e := &info.Elem
	all := make(model.Tuple, e.Count)
	for i := range all {
		switch {
		case e.Shape != table.Matrix:
			all[i] = converted(e.Scalar, int64(int8(b[i])))
		case i/e.Rows() == i%e.Rows():
			all[i] = converted(e.Scalar, int64(int8(b[i%e.Rows()])))
		default:
			all[i] = converted(e.Scalar, 0)
		}
	}
	return e.Arrange(all), nil
}

// InlinedBits returns the number of low bits of a rep that an inlined value takes, or 0 for values without bytes.
func InlinedBits(r table.Rep) uint {
	switch info := r.Type().Info(); {
	case info.Values != nil:
		return 32
	case info.Elem.Count == 0:
		return 0 // blocks and empty structures
	case info.Inline == table.InlineAlways:
		return uint(8 * info.Elem.Size())
	case info.Elem.Shape == table.Matrix:
		return uint(8 * info.Elem.Rows())
	case info.Elem.Shape == table.Vector:
		return uint(8 * info.Elem.Count)
	}
	return 32
}

// inlinedSpan narrows the span of a rep to the bits of its inlined value.
func inlinedSpan(r table.Rep, span model.Span) model.Span {
	if n := InlinedBits(r); n > 0 && span.Len == 8 {
		span.Mask = 1<<n - 1
	}
	return span
}

// inlinedRows returns the components of an inlined vector or matrix diagonal, or nil if there is one part only.
func (vs *Values) inlinedRows(r table.Rep, span model.Span, v model.Value) model.Children {
	e := r.Type().Info().Elem
	all, ok := v.(model.Tuple)
	if !ok || span.Len != 8 {
		return nil
	}
	width, n, typ := uint(8), int64(len(all)), "i8"
	if r.Type() == table.TypeHalf2 {
		width, typ = 16, "half"
	}
	return &model.Rows{Count: n, Make: func(_ context.Context, i int64) model.Node {
		part := model.Node{Name: model.IndexName(i), Type: typ, Value: all[i], Spans: []model.Span{span}}
		if e.Shape == table.Matrix {
			part.Value = all[i].(model.Tuple)[i]
			part.Help = "entry of the diagonal; all others are 0"
		}
		part.Spans[0].Mask = (1<<width - 1) << (width * uint(i))
		return part
	}}
}
