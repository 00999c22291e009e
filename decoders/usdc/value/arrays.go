package value

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// The codes of compressed arrays of floats (chapter 11).
const (
	codeIntegers = 'i' // integers, each converted
	codeTable    = 't' // indexes into a table of the distinct elements
)

// arrayCodes names the codes.
var arrayCodes = [...]string{codeIntegers: "integers", codeTable: "table"}

// codedIntegers are the compressed integers of an array.
var codedIntegers = &grammar.Custom{Display: "cints", Read: readCodedIntegers, Node: showCodedIntegers}

// readCodedIntegers measures the coded integers of an array (5.4): a size and a chunk container, which are one leaf. Its
// value is their number.
func readCodedIntegers(s grammar.Scope, in grammar.Stream, off int64) (end int64, v grammar.Value, problem *model.Problem) {
	items, _ := s.Value(s.Object().Record().Field("count"))
	n, _ := items.Uint()
	width := integerWidth(repOf(s).Type())
	left := in.End - off - 8
	if left < 0 {
		cut := in.Source.Span(off, in.End-off)
		p := model.Problemf(model.Truncated, "usdc.value.truncated", cut, "").Want("8 bytes", cut.Len)
		return in.End, v, &p
	}
	var b [8]byte
	if _, err := in.Source.ReadFull(s.Reading().Context(), b[:], off); err != nil {
		p := model.AsProblem(err, "usdc.read", in.Source.Span(off, 8))
		return off, v, &p
	}
	size := binary.LittleEndian.Uint64(b[:])
	var p model.Problem
	switch place := in.Source.Span(off, 8); {
	case size > uint64(left):
		p = model.Problemf(model.Truncated, "usdc.array.coded-past-end", place,
			"%d bytes of compressed integers run off the file", size).WantAtMost(left, size)
	case n/1020 > size:
		p = model.Problemf(model.Malformed, "usdc.array.count", place,
			"%d elements cannot come from %d compressed bytes", n, size).WantAtMost(size*1020, n)
	case size > mostCoded(n, width):
		p = model.Problemf(model.Malformed, "usdc.array.coded-size", place,
			"%d elements never take %d compressed bytes", n, size).
			WantAtMost(mostCoded(n, width), size)
	default:
		return off + 8 + int64(size), grammar.UintValue(n), nil
	}
	return off, v, &p
}

// integerWidth returns the bytes of the integers that arrays of a type are coded as.
func integerWidth(t table.ValueType) uint64 {
	if t == table.TypeInt64 || t == table.TypeUint64 {
		return 8
	}
	return 4
}

// showCodedIntegers completes the node of the compressed integers of an array with the source that they give.
func showCodedIntegers(s grammar.Scope, _ grammar.Value, n *model.Node) {
	vs, ctx := valuesOf(s), s.Reading().Context()
	k := vs.codedElements(ctx, vs.elementsOf(ctx, &storedValue{values: vs, r: repOf(s), object: s.Object()}))
	n.Value = &codedArray{values: vs, data: k.data}
	n.Derived = []*model.Derivation{k.ints.Derivation()}
	if len(k.ints.Nodes) > 0 {
		n.Children = model.NewList(append([]model.Node(nil), k.ints.Nodes...)...)
	}
}

// mostCoded returns the greatest size that n coded integers of width bytes can have in the file (5.4). n has been checked
// against the bytes there are, so that nothing overflows.
func mostCoded(n, width uint64) uint64 {
	plain := width + (n+3)/4 + n*width
	return plain + plain/255 + 17
}

// elementData holds the elements of an array or vector, or says where they are.
type elementData struct {
	r       table.Rep
	e       *table.Elem
	inArray bool
	count   int64      // 0 if the elements cannot be read
	plain   model.Span // the elements as they are,
	coded   model.Span // or compressed integers
	table   model.Span // and the table that they index, if there is one
	indexes bool       // the integers are indexes
}

// elementsOf finds the elements of an array or vector.
func (vs *Values) elementsOf(ctx context.Context, t *storedValue) elementData {
	v := plainElements(t.r, t.span(ctx, "elements"))
	if v.inArray = t.r.Placement() == table.PlacedArray; !v.inArray {
		return v
	}
	if v.coded = t.span(ctx, "integers"); v.coded.Len > 0 {
		v.count, v.table = int64(t.number(ctx, "integers")), t.span(ctx, "table")
		v.indexes = t.number(ctx, "code") == codeTable
	}
	return v
}

// plainElements returns elements that are one after the other.
func plainElements(r table.Rep, at model.Span) elementData {
	e := &r.Type().Info().Elem
	return elementData{r: r, e: e, plain: at, count: at.Len / e.Size()}
}

// array returns the elements as a value.
func (vs *Values) array(v elementData) model.Array {
	if v.coded.Len > 0 {
		return &codedArray{values: vs, data: v}
	}
	return &plainArray{values: vs, e: v.e, inArray: v.inArray, src: vs.crate.Src, off: v.plain.Off, count: v.count}
}

// rows returns the elements as nodes; nil where there are none.
func (vs *Values) rows(v elementData) model.Children {
	switch {
	case v.count == 0:
		return nil
	case v.coded.Len > 0:
		return vs.codedRows(v)
	}
	return vs.plainRows(v.e, v.inArray, vs.crate.Src, v.plain.Off, v.count)
}

// plainRows returns count elements from off on.
func (vs *Values) plainRows(e *table.Elem, inArray bool, src *model.Source, off, count int64) model.Children {
	return model.FixedRows(src, off, e.Size(), count, func(ctx context.Context, i int64) model.Node {
		return vs.elementNode(ctx, model.IndexName(i), e, inArray, src, off+i*e.Size())
	})
}

// plainArray is an array of fixed-size elements that are one after the other in a source.
type plainArray struct {
	model.ArrayBase
	values     *Values
	e          *table.Elem
	inArray    bool
	src        *model.Source
	off, count int64
}

var _ model.Packed = (*plainArray)(nil)

func (a *plainArray) Elem() string { return a.e.Name }

func (a *plainArray) Len() int64 { return a.count }

func (a *plainArray) Packing() model.Packing {
	p := a.e.Packing()
	p.At = a.src.Span(a.off, a.count*a.e.Size())
	return p
}

// Read reads 32 KiB at once.
func (a *plainArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	want := min(int64(len(dst)), a.count-first)
	if want <= 0 {
		return 0, nil
	}
	size, done := a.e.Size(), int64(0)
	at := a.src.Span(a.off+first*size, want*size)
	var failed error
	err := table.EachRun(ctx, at, size, func(_ int64, b []byte) bool {
		for ; len(b) > 0 && failed == nil; b = b[size:] {
			if dst[done], failed = a.values.element(ctx, a.e, a.inArray, b[:size]); table.IsEmpty(failed) {
				failed = nil // it is a problem of the element
			} else if failed != nil {
				failed = coding.ProblemAt(failed, a.src.Span(at.Off+done*size, size))
				return false
			}
			done++
		}
		return true
	})
	switch {
	case failed != nil:
		return int(done), failed
	case err != nil && ctx.Err() == nil:
		err = model.AsProblem(err, "usdc.read", a.src.Span(at.Off+done*size, at.Len-done*size))
	}
	return int(done), err
}

// ArrayOf returns the array of a rep, which must lie outside it.
func (vs *Values) ArrayOf(ctx context.Context, r table.Rep) model.Array {
	return vs.array(vs.elementsOf(ctx, vs.stored(ctx, r)))
}
