package usdc

import (
	"context"
	"fmt"
	"sync"

	"cutaway/model"
)

// The codes of compressed arrays of floats (chapter 11).
const (
	codeIntegers = 'i' // integers, each converted
	codeTable    = 't' // indexes into a table of the distinct elements
)

// array walks an array (chapter 11).
func (w *walker) array(ctx context.Context) {
	if w.c.before(5, 0) && !w.number(ctx, partRank, 4) {
		return
	}
	width := 8
	if w.c.before(7, 0) {
		width = 4
	}
	at, size := w.at, w.r.typ().info().elem.size()
	n, ok := w.read(ctx, partCount, width)
	switch {
	case !ok:
	case n >= shortArray && w.c.coded(w.r):
		w.codedArray(ctx, n)
	case n > uint64((w.c.size-w.at)/size):
		w.fail(model.Problemf(model.Truncated, "usdc.array.past-end", w.where(at, int64(width)),
			"an array of %d elements of type %s runs off the file", n, w.r.typ()).
			Want(fmt.Sprintf("at most %d", (w.c.size-w.at)/size), n))
	case n > 0:
		w.emit(partElements, int64(n)*size, n)
	}
}

// codedArray walks what follows the count of a compressed array.
func (w *walker) codedArray(ctx context.Context, n uint64) {
	t := w.r.typ()
	if t == typeInt64 || t == typeUint64 {
		w.integers(ctx, n, 8)
		return
	}
	if t == typeInt || t == typeUint {
		w.integers(ctx, n, 4)
		return
	}
	at := w.at
	code, ok := w.read(ctx, partCode, 1)
	switch {
	case !ok:
	case code == codeIntegers:
		w.integers(ctx, n, 4)
	case code == codeTable:
		w.table(ctx, n)
	default:
		w.fail(model.Problemf(model.Malformed, "usdc.array.code", w.where(at, 1),
			"no such code for a compressed array of type %s", t).
			Want("'i' or 't'", fmt.Sprintf("%q", rune(code))))
	}
}

// table walks a lookup table and the coded indexes into it.
func (w *walker) table(ctx context.Context, n uint64) {
	at, size := w.at, w.r.typ().info().elem.size()
	k, ok := w.read(ctx, partTableSize, 4)
	if !ok {
		return
	}
	if room := uint64((w.c.size - w.at) / size); k > room {
		w.fail(model.Problemf(model.Truncated, "usdc.array.table-past-end", w.where(at, 4),
			"a lookup table of %d elements runs off the file", k).Want(fmt.Sprintf("at most %d", room), k))
		return
	}
	if k == 0 || w.emit(partTable, int64(k)*size, k) {
		w.integers(ctx, n, 4)
	}
}

// integers walks n coded integers of width bytes (5.4): a size and a chunk container, which are one part.
func (w *walker) integers(ctx context.Context, n uint64, width uint64) {
	at := w.at
	left := w.c.size - at - 8
	if left < 0 {
		w.run(partCoded, 8)
		return
	}
	size, err := w.in.u64(ctx, at)
	if err != nil {
		w.fail(model.AsProblem(err, "usdc.read", w.where(at, 8)))
		return
	}
	place := w.where(at, 8)
	switch {
	case size > uint64(left):
		w.fail(model.Problemf(model.Truncated, "usdc.array.coded-past-end", place,
			"%d bytes of compressed integers run off the file", size).Want(fmt.Sprintf("at most %d", left), size))
	case n/1020 > size:
		w.fail(model.Problemf(model.Malformed, "usdc.array.count", place,
			"%d elements cannot come from %d compressed bytes", n, size).Want(fmt.Sprintf("at most %d", size*1020), n))
	case size > mostCoded(n, width):
		w.fail(model.Problemf(model.Malformed, "usdc.array.coded-size", place,
			"%d elements never take %d compressed bytes", n, size).
			Want(fmt.Sprintf("at most %d", mostCoded(n, width)), size))
	default:
		w.emit(partCoded, 8+int64(size), n)
	}
}

// mostCoded is the greatest size that n coded integers of width bytes can have in the file (5.4). n has been checked
// against the bytes there are, so that nothing overflows.
func mostCoded(n, width uint64) uint64 {
	plain := width + (n+3)/4 + n*width
	return plain + plain/255 + 17
}

// vec is what makes up the elements of an array or vector.
type vec struct {
	r       rep
	e       *elem
	inArray bool
	count   int64 // 0 where the elements cannot be had
	plain   *part // the elements as they are,
	coded   *part // or compressed integers
	table   *part // and the table that they index, if there is one
	indexes bool  // the integers are indexes
}

// vecOf finds the elements of an array or vector.
func (c *crate) vecOf(t *taken) vec {
	v := vec{r: t.r, e: &t.r.typ().info().elem, inArray: c.form(t.r) == formArray}
	v.plain, v.coded, v.table = t.find(partElements), t.find(partCoded), t.find(partTable)
	code := t.find(partCode)
	v.indexes = code != nil && code.raw == codeTable
	switch {
	case v.plain != nil:
		v.count = v.plain.len / v.e.size()
	case v.coded != nil:
		v.count = int64(v.coded.raw)
	}
	return v
}

// array is the elements as a value.
func (c *crate) array(v vec) model.Array {
	if v.coded != nil {
		return &codedArray{c: c, vec: v}
	}
	a := &plainArray{c: c, e: v.e, inArray: v.inArray, src: c.src, count: v.count}
	if v.plain != nil {
		a.off = v.plain.off
	}
	return a
}

// rows are the elements as nodes; nil where there are none.
func (c *crate) rows(v vec) model.Children {
	switch {
	case v.count == 0:
		return nil
	case v.coded != nil:
		return c.codedRows(v)
	}
	return c.plainRows(v.e, v.inArray, c.src, v.plain.off, v.count)
}

// plainRows are count elements from off on.
func (c *crate) plainRows(e *elem, inArray bool, src *model.Source, off, count int64) model.Children {
	return model.FixedRows(src, off, e.size(), count, func(ctx context.Context, i int64) model.Node {
		return c.elementNode(ctx, model.IndexName(i), e, inArray, src, off+i*e.size())
	})
}

// plainArray is an array of fixed-size elements that stand one behind the other in a source.
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

// bulk is how many bytes are read at once.
const bulk = 32 << 10

var bulks = sync.Pool{New: func() any { return new([bulk]byte) }}

// Read implements model.Array, with one read for each 32 KiB.
func (a *plainArray) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	want := min(int64(len(dst)), a.count-first)
	if want <= 0 {
		return 0, nil
	}
	buf := bulks.Get().(*[bulk]byte)
	defer bulks.Put(buf)
	size := a.e.size()
	for done := int64(0); done < want; {
		if err := ctx.Err(); err != nil {
			return int(done), err
		}
		n := min(want-done, bulk/size)
		at := a.off + (first+done)*size
		if _, err := a.src.ReadFull(ctx, buf[:n*size], at); err != nil {
			return int(done), model.AsProblem(err, "usdc.read", a.src.Span(at, n*size))
		}
		for i := range n {
			v, err := a.c.element(ctx, a.e, a.inArray, buf[i*size:(i+1)*size])
			if err != nil {
				return int(done + i), problemAt(err, a.src.Span(at+i*size, size))
			}
			dst[done+i] = v
		}
		done += n
	}
	return int(want), nil
}
