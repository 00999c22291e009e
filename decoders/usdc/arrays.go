package usdc

import (
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The codes of compressed arrays of floats (chapter 11).
const (
	codeIntegers = 'i' // integers, each converted
	codeTable    = 't' // indexes into a table of the distinct elements
)

// shortArray is from how many elements on an array can be compressed.
const shortArray = 16

// newArray is the description of arrays (chapter 11).
func newArray() *grammar.Record {
	width := &grammar.Switch{On: since(7), Types: []grammar.Type{grammar.U32, grammar.U64}, Pick: countType}
	count := grammar.F("count", width, countHelp)
	coded := func(s grammar.Scope) bool {
		n, _ := s.Value(count)
		items, _ := n.Uint()
		return items >= shortArray && crateOf(s).coded(repOf(s))
	}
	count.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Uint()
		c, size := crateOf(s), elemOf(s).size()
		room := uint64((c.size - s.Span(count).End()) / size)
		if coded(s) || n <= room {
			return model.Problem{}, false
		}
		return model.Problemf(model.Truncated, "usdc.array.past-end", model.Span{},
			"an array of %d elements of type %s runs off the file", n, repOf(s).typ()).WantAtMost(room, n), true
	})
	code := grammar.F("code", arrayCode, "how the numbers are coded: i as integers, t by a lookup table")
	code.If(grammar.When(func(s grammar.Scope) bool { return coded(s) && repOf(s).typ() >= typeHalf })).Ends(checkCode)
	code.NamedBy(func(_ grammar.Scope, n int64) string {
		return map[int64]string{codeIntegers: "integers", codeTable: "table"}[n]
	})
	size := grammar.F("tableSize", lookupSize, "number of elements in the lookup table")
	size.If(grammar.When(func(s grammar.Scope) bool { return s.Int(code) == codeTable }))
	size.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		k, _ := v.Int()
		room := (crateOf(s).size - s.Span(size).End()) / elemOf(s).size()
		return model.Problemf(model.Truncated, "usdc.array.table-past-end", model.Span{},
			"a lookup table of %d elements runs off the file", k).WantAtMost(room, k), k > room
	})
	return grammar.NewRecord("array",
		grammar.F("rank", grammar.U32, "always 1, ignored; below 0.5.0 only").
			If(grammar.When(func(s grammar.Scope) bool { return crateOf(s).before(5, 0) })),
		count,
		grammar.F("elements", elements, "").Sized(elementSize(count)).Shown(showElements).
			If(grammar.When(func(s grammar.Scope) bool { return s.Int(count) > 0 && !coded(s) })),
		code, size,
		grammar.F("table", lookupTable, "the distinct elements, which the coded integers index").Sized(elementSize(size)).
			If(positive(size)).Shown(showElements),
		grammar.F("integers", codedIntegers, "compressed integers: their size and a chunk container (5.2 to 5.4)").
			If(grammar.When(coded)))
}

// countType is the type of the count of an array: of 64 bits from 0.7.0 on.
func countType(_ grammar.Scope, on grammar.Value) (grammar.Type, error) {
	if wide, _ := on.Bool(); wide {
		return grammar.U64, nil
	}
	return grammar.U32, nil
}

func checkCode(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
	code, _ := v.Int()
	if code == codeIntegers || code == codeTable {
		return model.Problem{}, false
	}
	return model.Problemf(model.Malformed, "usdc.array.code", model.Span{}, "no such code for a compressed array of type %s",
		repOf(s).typ()).Want("'i' or 't'", fmt.Sprintf("%q", rune(code))), true
}

// readCodedIntegers measures the coded integers of an array (5.4): a size and a chunk container, which are one leaf. Its
// value is how many there are.
func readCodedIntegers(s grammar.Scope, in grammar.Stream, off int64) (end int64, v grammar.Value, problem *model.Problem) {
	items, _ := s.Value(s.Object().Record().Field("count"))
	n, _ := items.Uint()
	width := integerWidth(repOf(s).typ())
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

// integerWidth is the bytes of the integers that arrays of a type are coded as.
func integerWidth(t valueType) uint64 {
	if t == typeInt64 || t == typeUint64 {
		return 8
	}
	return 4
}

// showCodedIntegers completes the node of the compressed integers of an array with the source that they give.
func showCodedIntegers(s grammar.Scope, _ grammar.Value, n *model.Node) {
	c, ctx := crateOf(s), s.Reading().Context()
	k := c.codedElements(ctx, c.elementsOf(ctx, &storedValue{c: c, r: repOf(s), object: s.Object()}))
	n.Value = &codedArray{c: c, data: k.data}
	n.Derived = []*model.Derivation{k.ints.derivation()}
	if len(k.ints.nodes) > 0 {
		n.Children = model.NewList(append([]model.Node(nil), k.ints.nodes...)...)
	}
}

// mostCoded is the greatest size that n coded integers of width bytes can have in the file (5.4). n has been checked
// against the bytes there are, so that nothing overflows.
func mostCoded(n, width uint64) uint64 {
	plain := width + (n+3)/4 + n*width
	return plain + plain/255 + 17
}

// elementData is what makes up the elements of an array or vector.
type elementData struct {
	r       rep
	e       *elem
	inArray bool
	count   int64      // 0 where the elements cannot be had
	plain   model.Span // the elements as they are,
	coded   model.Span // or compressed integers
	table   model.Span // and the table that they index, if there is one
	indexes bool       // the integers are indexes
}

// elementsOf finds the elements of an array or vector.
func (c *crate) elementsOf(ctx context.Context, t *storedValue) elementData {
	v := plainElements(t.r, t.span(ctx, "elements"))
	if v.inArray = c.placement(t.r) == placedArray; !v.inArray {
		return v
	}
	if v.coded = t.span(ctx, "integers"); v.coded.Len > 0 {
		v.count, v.table = int64(t.number(ctx, "integers")), t.span(ctx, "table")
		v.indexes = t.number(ctx, "code") == codeTable
	}
	return v
}

// plainElements is elements that are one after the other.
func plainElements(r rep, at model.Span) elementData {
	e := &r.typ().info().elem
	return elementData{r: r, e: e, plain: at, count: at.Len / e.size()}
}

// array is the elements as a value.
func (c *crate) array(v elementData) model.Array {
	if v.coded.Len > 0 {
		return &codedArray{c: c, data: v}
	}
	return &plainArray{c: c, e: v.e, inArray: v.inArray, src: c.src, off: v.plain.Off, count: v.count}
}

// rows are the elements as nodes; nil where there are none.
func (c *crate) rows(v elementData) model.Children {
	switch {
	case v.count == 0:
		return nil
	case v.coded.Len > 0:
		return c.codedRows(v)
	}
	return c.plainRows(v.e, v.inArray, c.src, v.plain.Off, v.count)
}

// plainRows are count elements from off on.
func (c *crate) plainRows(e *elem, inArray bool, src *model.Source, off, count int64) model.Children {
	return model.FixedRows(src, off, e.size(), count, func(ctx context.Context, i int64) model.Node {
		return c.elementNode(ctx, model.IndexName(i), e, inArray, src, off+i*e.size())
	})
}

// plainArray is an array of fixed-size elements that are one after the other in a source.
type plainArray struct {
	model.ArrayBase
	c          *crate
	e          *elem
	inArray    bool
	src        *model.Source
	off, count int64
}

// Elem implements model.Array.
func (a *plainArray) Elem() string { return a.e.name }

// Len implements model.Array.
func (a *plainArray) Len() int64 { return a.count }

// Packing implements model.Packed.
func (a *plainArray) Packing() model.Packing {
	p := a.e.packing()
	p.At = a.src.Span(a.off, a.count*a.e.size())
	return p
}

// packing is how elements are packed.
func (e *elem) packing() model.Packing {
	p := model.Packing{Number: scalarNumbers[e.scalar], Components: e.count}
	if e.shape == quaternion {
		p.Order = []int{3, 0, 1, 2}
	}
	return p
}

// Read implements model.Array, with one read for each 32 KiB.
func (a *plainArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	want := min(int64(len(dst)), a.count-first)
	if want <= 0 {
		return 0, nil
	}
	size, done := a.e.size(), int64(0)
	at := a.src.Span(a.off+first*size, want*size)
	var failed error
	err := eachRun(ctx, at, size, func(_ int64, b []byte) bool {
		for ; len(b) > 0 && failed == nil; b = b[size:] {
			if dst[done], failed = a.c.element(ctx, a.e, a.inArray, b[:size]); isEmpty(failed) {
				failed = nil // the element tells it
			} else if failed != nil {
				failed = problemAt(failed, a.src.Span(at.Off+done*size, size))
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
