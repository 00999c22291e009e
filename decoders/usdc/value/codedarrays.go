package value

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// codedElements is the compressed integers of one array, measured once.
type codedElements struct {
	values *Values
	data   elementData
	ints   *coding.Ints
	lut    model.Memo[[]byte] // the lookup table; nil where there is none, or it cannot be read
}

// codedElements returns the compressed integers of an array; those of the last few arrays are kept.
func (vs *Values) codedElements(ctx context.Context, v elementData) *codedElements {
	k, _ := vs.codedArrays.Get(ctx, v.coded.Off, func(ctx context.Context) (*codedElements, error) {
		k := &codedElements{values: vs, data: v}
		width := int64(integerWidth(v.r.Type()))
		in := coding.Setting{Derived: &vs.crate.Derived, Owner: vs.crate.ValuePath(v.r.Payload()) + "/integers", Title: "integers at " + table.ValueName(v.r.Payload())}
		k.ints = coding.NewInts(ctx, in, v.coded, v.count, width, k.show)
		if v.indexes {
			k.ints.Root = k.checkedLayout
		} else {
			k.ints.Scanned = func(r model.IntegerRange) { vs.ranges.store(v.coded.Off, v.count, r) }
		}
		return k, nil
	})
	return k
}

// table returns the bytes of the lookup table.
func (k *codedElements) table(ctx context.Context) []byte {
	return k.lut.Get(ctx, func(ctx context.Context) (b []byte) {
		if t := k.data.table; t.Len > 0 {
			b, _ = k.values.crate.Src.Bytes(ctx, t.Off, t.Len)
		}
		return b
	})
}

// checkedLayout returns the layout of the inflated source with the check that no index is outside the table.
func (k *codedElements) checkedLayout(ctx context.Context, in *coding.Inflated) (model.Node, error) {
	n, err := k.ints.Layout(ctx, in)
	if err != nil {
		return n, err
	}
	l, err := k.ints.Load(ctx, nil)
	if err != nil {
		return n, err
	}
	size := k.tableLen()
	var buf [4096]int64
	for first := int64(0); first < l.Good; {
		got, err := l.Read(ctx, first, buf[:])
		for i, v := range buf[:got] {
			if uint32(v) >= size {
				at := l.Spans(ctx, first+int64(i))
				n.Problems = append(n.Problems, k.outside(first+int64(i), uint32(v), at))
				return n, nil
			}
		}
		if first += int64(got); got == 0 || err != nil {
			return n, err
		}
	}
	return n, nil
}

// tableLen returns the number of elements of the lookup table.
func (k *codedElements) tableLen() uint32 {
	return uint32(k.data.table.Len / k.data.e.Size())
}

func (k *codedElements) outside(i int64, index uint32, at []model.Span) model.Problem {
	p := model.Problemf(model.Malformed, "usdc.array.table-index", model.Span{},
		"element %d: lookup index %d is outside the table", i, index).Want(fmt.Sprintf("below %d", k.tableLen()), index)
	if len(at) > 0 {
		p.Span = at[len(at)-1]
	}
	return p
}

// convert returns element i, whose stored integer is v.
func (k *codedElements) convert(ctx context.Context, i, v int64) (model.Value, error) {
	if k.data.indexes {
		size := k.data.e.Size()
		index := uint32(v)
		lut := k.table(ctx)
		if index >= k.tableLen() || (int64(index)+1)*size > int64(len(lut)) {
			return nil, k.outside(i, index, nil)
		}
		return k.values.component(ctx, k.data.e.Scalar, true, lut[int64(index)*size:])
	}
	return converted(k.data.e.Scalar, v), nil
}

// converted returns a coded integer as an element of a type.
func converted(s table.Scalar, v int64) model.Value {
	switch s {
	case table.ScalarI32:
		return model.Int(int32(v))
	case table.ScalarU32:
		return model.Uint(uint32(v))
	case table.ScalarI64:
		return model.Int(v)
	case table.ScalarU64:
		return model.Uint(v)
	case table.ScalarF16:
		return model.HalfOf(float64(float32(v)))
	case table.ScalarF32:
		return model.Float32(v)
	}
	return model.Float64(v)
}

// show completes the node of integer i in the inflated source: as an element, or as an index that leads to its
// entry of the table.
func (k *codedElements) show(_ context.Context, i, v int64, n *model.Node) {
	if !k.data.indexes {
		n.Type, n.Value = k.data.e.Name, converted(k.data.e.Scalar, v)
		return
	}
	index := uint32(v)
	n.Type, n.Value = "index", model.Uint(index)
	if index >= k.tableLen() {
		n.Problems = append(n.Problems, k.outside(i, index, n.Spans))
		return
	}
	n.Refs = func(context.Context) []model.Ref {
		return []model.Ref{{Kind: "table", Span: k.tableSpan(index),
			Path: k.values.crate.ValuePath(k.data.r.Payload()) + "/" + "table" + "/" + model.IndexName(int64(index))}}
	}
}

func (k *codedElements) tableSpan(index uint32) model.Span {
	size := k.data.e.Size()
	return k.values.crate.Src.Span(k.data.table.Off+int64(index)*size, size)
}

// codedRows returns the elements of a compressed array as nodes. The first look at one inflates the integers.
func (vs *Values) codedRows(v elementData) model.Children {
	return &model.Rows{Count: v.count, Make: func(ctx context.Context, i int64) model.Node {
		return vs.codedElements(ctx, v).node(ctx, i)
	}, ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
		l, err := vs.codedElements(ctx, v).ints.Load(ctx, nil)
		if err != nil || src != l.Src {
			return 0, false
		}
		return l.Find(ctx, off)
	}}
}

// node returns element i: its code bits and delta in the inflated source, and its entry of the table in the file.
func (k *codedElements) node(ctx context.Context, i int64) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: k.data.e.Name}
	l, err := k.ints.Load(ctx, nil)
	if err == nil && i >= l.Good {
		err = k.missing(ctx, l, i)
	}
	if err != nil {
		n.Problems = append(n.Problems, coding.ProblemAt(err, k.data.coded))
		return n
	}
	n.Spans = l.Spans(ctx, i)
	v, err := l.Integer(ctx, i)
	if err == nil {
		n.Value, err = k.convert(ctx, i, v)
	}
	switch {
	case err != nil:
		n.Problems = append(n.Problems, coding.ProblemAt(err, n.Spans[len(n.Spans)-1]))
	case k.data.indexes:
		n.Spans = append(n.Spans, k.tableSpan(uint32(v)))
	}
	return n
}

// missing returns the problem before element i, which cannot be read.
func (k *codedElements) missing(ctx context.Context, l *coding.List, i int64) error {
	if in, err := k.ints.Inflate(ctx); err == nil && len(in.Problems) > 0 {
		return in.Problems[0]
	}
	if len(l.Problems) > 0 {
		return l.Problems[0]
	}
	return model.Problemf(model.Truncated, "usdc.array.truncated", k.data.coded, "element %d of %d is missing", i, k.data.count)
}

// codedArray is the value of a compressed array.
type codedArray struct {
	model.ArrayBase
	values *Values
	data   elementData
}

var _ model.Packed = (*codedArray)(nil)

func (a *codedArray) Elem() string { return a.data.e.Name }

func (a *codedArray) Len() int64 { return a.data.count }

// Read implements model.Array. The first read inflates the integers once to find their checkpoints.
func (a *codedArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	k := a.values.codedElements(ctx, a.data)
	return k.each(ctx, first, int64(len(dst)), func(i, v int64) (err error) {
		dst[i-first], err = k.convert(ctx, i, v)
		return err
	})
}

// Range returns the range that a scan of the integers has found.
func (a *codedArray) Range() (model.IntegerRange, bool) {
	r, known := a.values.ranges.get(a.data.coded.Off)
	return r, known && a.data.e.Scalar == table.ScalarI32 && !a.data.indexes && r.Least >= math.MinInt32 && r.Most <= math.MaxInt32
}

func (a *codedArray) Packing() model.Packing {
	p := a.data.e.Packing()
	p.Decode = a.decode
	p.Coded = []model.Span{a.data.coded}
	if a.data.table.Len > 0 {
		p.Coded = append(p.Coded, a.data.table)
	}
	if p.Coding = "LZ4, integers"; a.data.indexes {
		p.Coding = "LZ4, indexes of a table"
	}
	return p
}

// decode is the Packing's Decode.
func (a *codedArray) decode(ctx context.Context, first int64, dst []byte) (int, error) {
	k, size := a.values.codedElements(ctx, a.data), a.data.e.Size()
	put := packer(a.data.e.Scalar)
	if k.data.indexes {
		lut := k.table(ctx)
		put = func(b []byte, v int64) bool {
			index := int64(uint32(v))
			return (index+1)*size <= int64(len(lut)) && copy(b[:size], lut[index*size:]) > 0
		}
	}
	return k.each(ctx, first, int64(len(dst))/size, func(i, v int64) error {
		if !put(dst[(i-first)*size:], v) {
			return k.outside(i, uint32(v), nil)
		}
		return nil
	})
}

// packer writes coded integers as numbers of a type.
func packer(s table.Scalar) func(b []byte, v int64) bool {
	le := binary.LittleEndian
	switch s {
	case table.ScalarF16:
		return func(b []byte, v int64) bool { le.PutUint16(b, uint16(model.HalfOf(float64(float32(v))))); return true }
	case table.ScalarF32:
		return func(b []byte, v int64) bool { le.PutUint32(b, math.Float32bits(float32(v))); return true }
	case table.ScalarF64:
		return func(b []byte, v int64) bool { le.PutUint64(b, math.Float64bits(float64(v))); return true }
	case table.ScalarI64, table.ScalarU64:
		return func(b []byte, v int64) bool { le.PutUint64(b, uint64(v)); return true }
	}
	return func(b []byte, v int64) bool { le.PutUint32(b, uint32(v)); return true }
}

// each visits n of the stored integers from first on, and returns how many there were.
func (k *codedElements) each(ctx context.Context, first, n int64, visit func(i, v int64) error) (int, error) {
	l, err := k.ints.Load(ctx, nil)
	if err != nil {
		return 0, err
	}
	want := min(n, k.data.count-first)
	var ints [1024]int64
	done := int64(0)
	for done < want {
		got, err := l.Read(ctx, first+done, ints[:min(int64(len(ints)), want-done)])
		if got == 0 && err == nil {
			return int(done), k.missing(ctx, l, first+done)
		}
		for i, v := range ints[:got] {
			if err := visit(first+done+int64(i), v); err != nil {
				return int(done) + i, coding.ProblemAt(err, k.data.coded)
			}
		}
		if done += int64(got); err != nil {
			return int(done), err
		}
	}
	return int(done), nil
}
