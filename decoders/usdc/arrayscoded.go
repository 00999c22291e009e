package usdc

import (
	"context"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

// codedVec is the compressed integers of one array, measured once.
type codedVec struct {
	c    *crate
	vec  vec
	ints *codedInts
	lut  model.Memo[[]byte] // the lookup table; nil where there is none, or it cannot be read
}

// ownerOf is the path of the layout node of the compressed integers.
func (c *crate) ownerOf(v *vec) string {
	return c.valuePath(v.r.payload()) + "/" + "integers"
}

// codedVec returns the compressed integers of an array; those of the last few arrays are kept.
func (c *crate) codedVec(ctx context.Context, v vec) *codedVec {
	k, _ := c.values.coded.Get(ctx, v.coded.Off, func(ctx context.Context) (*codedVec, error) {
		k := &codedVec{c: c, vec: v}
		r := read.New(ctx, c.src, v.coded.Off, v.coded.End(), "usdc.compress.truncated")
		width := int64(integerWidth(v.r.typ()))
		k.ints = c.readInts(r, c.ownerOf(&v), "integers at "+valueName(v.r.payload()), v.count, width, k.show)
		if v.indexes {
			k.ints.root = k.checkedLayout
		}
		return k, nil
	})
	return k
}

// table is the bytes of the lookup table.
func (k *codedVec) table(ctx context.Context) []byte {
	return k.lut.Get(ctx, func(ctx context.Context) (b []byte) {
		if t := k.vec.table; t.Len > 0 {
			b, _ = k.c.src.Bytes(ctx, t.Off, t.Len)
		}
		return b
	})
}

// checkedLayout is the layout of the inflated source with the check that no index is outside the table.
func (k *codedVec) checkedLayout(ctx context.Context, in *inflated) (model.Node, error) {
	n, err := k.ints.layout(ctx, in)
	if err != nil {
		return n, err
	}
	l, err := k.ints.load(ctx, nil)
	if err != nil {
		return n, err
	}
	size := k.tableLen()
	var buf [4096]int64
	for first := int64(0); first < l.good; {
		got := l.read(ctx, first, buf[:])
		for i, v := range buf[:got] {
			if uint32(v) >= size {
				at := l.spans(ctx, first+int64(i))
				n.Problems = append(n.Problems, k.outside(first+int64(i), uint32(v), at))
				return n, nil
			}
		}
		if got == 0 {
			break
		}
		first += int64(got)
		if err := ctx.Err(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// tableLen is the number of elements of the lookup table.
func (k *codedVec) tableLen() uint32 {
	return uint32(k.vec.table.Len / k.vec.e.size())
}

func (k *codedVec) outside(i int64, index uint32, at []model.Span) model.Problem {
	p := model.Problemf(model.Malformed, "usdc.array.table-index", model.Span{},
		"element %d: lookup index %d is outside the table", i, index).Want(fmt.Sprintf("below %d", k.tableLen()), index)
	if len(at) > 0 {
		p.Span = at[len(at)-1]
	}
	return p
}

// convert makes element i out of the integer that is stored for it.
func (k *codedVec) convert(ctx context.Context, i, v int64) (model.Value, error) {
	if k.vec.indexes {
		size := k.vec.e.size()
		index := uint32(v)
		table := k.table(ctx)
		if index >= k.tableLen() || (int64(index)+1)*size > int64(len(table)) {
			return nil, k.outside(i, index, nil)
		}
		return k.c.component(ctx, k.vec.e.scalar, true, table[int64(index)*size:])
	}
	return converted(k.vec.e.scalar, v), nil
}

// converted is a coded integer as an element of a type.
func converted(s scalar, v int64) model.Value {
	switch s {
	case scalarI32:
		return model.Int(int32(v))
	case scalarU32:
		return model.Uint(uint32(v))
	case scalarI64:
		return model.Int(v)
	case scalarU64:
		return model.Uint(v)
	case scalarF16:
		return halfOf(float64(float32(v)))
	case scalarF32:
		return model.Float32(v)
	}
	return model.Float64(v)
}

// show completes the node of integer i in the inflated source: as an element, or as an index that leads to its
// entry of the table.
func (k *codedVec) show(_ context.Context, i, v int64, n *model.Node) {
	if !k.vec.indexes {
		n.Type, n.Value = k.vec.e.name, converted(k.vec.e.scalar, v)
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
			Path: k.c.valuePath(k.vec.r.payload()) + "/" + "table" + "/" + model.IndexName(int64(index))}}
	}
}

func (k *codedVec) tableSpan(index uint32) model.Span {
	size := k.vec.e.size()
	return k.c.src.Span(k.vec.table.Off+int64(index)*size, size)
}

// codedRows are the elements of a compressed array as nodes. The first look at one inflates the integers.
func (c *crate) codedRows(v vec) model.Children {
	return &model.Rows{Count: v.count, Make: func(ctx context.Context, i int64) model.Node {
		return c.codedVec(ctx, v).node(ctx, i)
	}, ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
		l, err := c.codedVec(ctx, v).ints.load(ctx, nil)
		if err != nil || src != l.src {
			return 0, false
		}
		return l.find(ctx, off)
	}}
}

// node is element i: its code bits and delta in the inflated source, and its entry of the table in the file.
func (k *codedVec) node(ctx context.Context, i int64) model.Node {
	n := model.Node{Name: model.IndexName(i), Type: k.vec.e.name}
	l, err := k.ints.load(ctx, nil)
	if err == nil && i >= l.good {
		err = k.missing(ctx, l, i)
	}
	if err != nil {
		n.Problems = append(n.Problems, problemAt(err, k.vec.coded))
		return n
	}
	w := l.to(ctx, i)
	n.Spans = l.spansOf(w)
	n.Value, err = k.convert(ctx, i, w.prev)
	switch {
	case err != nil:
		n.Problems = append(n.Problems, problemAt(err, n.Spans[len(n.Spans)-1]))
	case k.vec.indexes:
		n.Spans = append(n.Spans, k.tableSpan(uint32(w.prev)))
	}
	return n
}

// missing is the problem that stands before element i.
func (k *codedVec) missing(ctx context.Context, l *intList, i int64) error {
	if in, err := k.ints.inflate(ctx); err == nil && len(in.problems) > 0 {
		return in.problems[0]
	}
	if len(l.problems) > 0 {
		return l.problems[0]
	}
	return model.Problemf(model.Truncated, "usdc.array.truncated", k.vec.coded, "element %d of %d is missing", i, k.vec.count)
}

// codedArray is the value of a compressed array.
type codedArray struct {
	model.ArrayBase
	c   *crate
	vec vec
}

// Elem implements model.Array.
func (a *codedArray) Elem() string { return a.vec.e.name }

// Len implements model.Array.
func (a *codedArray) Len() int64 { return a.vec.count }

// Read implements model.Array. The first read inflates the integers once to find their checkpoints.
func (a *codedArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	k := a.c.codedVec(ctx, a.vec)
	l, err := k.ints.load(ctx, nil)
	if err != nil {
		return 0, err
	}
	want := min(int64(len(dst)), a.vec.count-first)
	var ints [1024]int64
	done := int64(0)
	for done < want {
		if err := ctx.Err(); err != nil {
			return int(done), err
		}
		got := l.read(ctx, first+done, ints[:min(int64(len(ints)), want-done)])
		if got == 0 {
			return int(done), k.missing(ctx, l, first+done)
		}
		for i, v := range ints[:got] {
			if dst[done+int64(i)], err = k.convert(ctx, first+done+int64(i), v); err != nil {
				return int(done) + i, problemAt(err, k.vec.coded)
			}
		}
		done += int64(got)
	}
	return int(max(done, 0)), nil
}
