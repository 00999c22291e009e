package read

import (
	"bytes"
	"context"
	"fmt"
	"math"

	"cutaway/model"
)

// Text reads n bytes as text.
func (c *Cursor) Text(name string, n int64, help string) string {
	b, f := c.bytes(name, "text", n, help)
	if f == nil {
		return ""
	}
	f.Value = model.Text(b)
	return string(b)
}

// PaddedText reads n bytes as text that ends at its first NUL byte, if it has one. What stands behind it, unless
// NUL bytes only, is not returned but shown.
func (c *Cursor) PaddedText(name string, n int64, help string) string {
	b, f := c.bytes(name, "text", n, help)
	if f == nil {
		return ""
	}
	f.Value = model.Text(bytes.TrimRight(b, "\x00"))
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text)
}

// Bytes reads n bytes into memory. Use Skip for bytes whose content the decoder does not need.
func (c *Cursor) Bytes(name string, n int64, help string) []byte {
	b, f := c.bytes(name, "bytes", n, help)
	if f != nil {
		f.Value = model.Blob{Span: f.Spans[0]}
	}
	return b
}

func (c *Cursor) bytes(name, typ string, n int64, help string) ([]byte, *model.Node) {
	f := c.take(name, typ, help, n)
	if f == nil {
		return nil, nil
	}
	b, err := c.src.Bytes(c.ctx, f.Spans[0].Off, n)
	if err != nil {
		c.fail(f, err)
		return nil, nil
	}
	return b, f
}

// Skip makes a node of n bytes without reading them and returns their span.
func (c *Cursor) Skip(name string, n int64, role model.Role, help string) model.Span {
	f := c.take(name, "bytes", help, n)
	if f == nil {
		return model.Span{}
	}
	f.Role = role
	f.Value = model.Blob{Span: f.Spans[0]}
	return f.Spans[0]
}

// Pad is Skip for filler, whatever its content. It makes no node of 0 bytes.
func (c *Cursor) Pad(name string, n int64, help string) {
	if n != 0 {
		c.Skip(name, n, model.Padding, help)
	}
}

// Rest is Skip for all that is left. It makes no node of 0 bytes.
func (c *Cursor) Rest(name string, role model.Role, help string) {
	if n := c.Remaining(); n > 0 {
		c.Skip(name, n, role, help)
	}
}

// Add puts a node that the decoder made itself behind the last field. Its span must begin at Off and end inside the
// cursor's range; reading goes on behind it.
func (c *Cursor) Add(n model.Node) {
	if c.cut {
		return
	}
	c.nodes = append(c.nodes, n)
	c.off = n.Span().End()
}

// Group makes one node of the fields that fields reads. After the cut it makes none.
func (c *Cursor) Group(name, typ, help string, fields func()) {
	if c.cut {
		return
	}
	outer, start := c.nodes, c.off
	c.nodes = nil
	fields()
	c.nodes = append(outer, group(name, typ, help, c.src.Span(start, c.off-start), c.nodes))
}

// Sized is a Group of exactly n bytes: fields cannot read beyond them, a field cut there ends only the group, and
// bytes that no field took become an unknown leaf "rest". A group that itself does not fit is cut off.
func (c *Cursor) Sized(name, typ string, n int64, help string, fields func()) {
	if c.cut {
		return
	}
	outer, start := c.nodes, c.off
	end, left := c.end, c.Remaining()
	c.nodes, c.end = nil, start+min(max(n, 0), left)
	fields()
	inner := c.cut
	c.cut = false
	c.Rest("rest", model.Unknown, "bytes behind the known fields of "+name)
	made := group(name, typ, help, c.src.Span(start, c.off-start), c.nodes)
	if c.cut = n < 0 || n > left; c.cut && !inner {
		made.Problems = append(made.Problems, c.cutOff(name, made.Spans[0], n, left))
	}
	c.nodes, c.end = append(outer, made), end
}

// Each makes n groups named "[i]", i from 0 on, inside one node: a list whose elements differ in size. It stops
// behind an element that is cut off or that takes no bytes, so that a wrong count cannot keep it busy; Count says
// what is wrong with it.
func (c *Cursor) Each(name, elem string, n uint64, help string, fields func(i int64)) {
	c.Group(name, elem+"[]", help, func() {
		for i := int64(0); uint64(i) < n && !c.cut; i++ {
			start := c.off
			c.Group(model.IndexName(i), elem, "", func() { fields(i) })
			if c.off == start {
				return
			}
		}
	})
}

// Array makes one leaf of n elements of size bytes (≥ 1) each, which are read when looked at: value makes an
// element out of its bytes, which it must not keep. Of an array that is cut off, the whole elements that are there
// still show.
func (c *Cursor) Array(name, elem string, n uint64, size int64, help string, value func(b []byte) model.Value) {
	f, fit := c.elements(name, elem, n, size, help)
	if f == nil {
		return
	}
	a := &array{elem: elem, count: fit, src: c.src, start: f.Spans[0].Off, size: size, value: value}
	truncated := c.truncated
	f.Value = a
	f.Children = model.FixedRows(a.src, a.start, size, fit, func(ctx context.Context, i int64) model.Node {
		node := model.Node{Name: model.IndexName(i), Type: elem, Spans: []model.Span{a.src.Span(a.start+i*size, size)}}
		b, err := a.src.Bytes(ctx, node.Spans[0].Off, size)
		if err != nil {
			node.Problems = []model.Problem{model.AsProblem(err, truncated, node.Spans[0])}
			return node
		}
		node.Value = value(b)
		return node
	})
}

// array is the elements of an Array as a value.
type array struct {
	model.ArrayBase
	elem        string
	count       int64
	src         *model.Source
	start, size int64
	value       func(b []byte) model.Value
}

// Elem implements model.Array.
func (a *array) Elem() string { return a.elem }

// Len implements model.Array.
func (a *array) Len() int64 { return a.count }

// Read implements model.Array.
func (a *array) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	const run = 64 << 10
	for done := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return int(done), err
		}
		n := min(int64(len(dst))-done, a.count-first-done, max(run/a.size, 1))
		if n <= 0 {
			return int(done), nil
		}
		b, err := a.src.Bytes(ctx, a.start+(first+done)*a.size, n*a.size)
		if err != nil {
			return int(done), err
		}
		for i := range n {
			dst[done+i] = a.value(b[i*a.size : (i+1)*a.size])
		}
		done += n
	}
}

// Records makes one leaf of n records of size bytes (≥ 1) each, whose fields are read when looked at. The leaf is
// one step of a walk, so what fields checks is seen by who opens the record only: checks that must be found by
// every walk go through Document.Check. Of records that are cut off, the whole ones that are there still show.
func (c *Cursor) Records(name, elem string, n uint64, size int64, help string, fields func(c *Cursor, i int64)) {
	f, fit := c.elements(name, elem, n, size, help)
	if f == nil {
		return
	}
	f.Brief = elementsText(fit)
	src, start, order, truncated := c.src, f.Spans[0].Off, c.order, c.truncated
	f.Children = model.FixedRows(src, start, size, fit, func(ctx context.Context, i int64) model.Node {
		at := start + i*size
		r := New(ctx, src, at, at+size, truncated)
		r.order = order
		fields(r, i)
		r.Rest("rest", model.Unknown, "bytes behind the known fields")
		return group(model.IndexName(i), elem, "", src.Span(at, size), r.nodes)
	})
}

// elements makes the leaf of n elements and tells how many of them are there. It returns nil after an earlier cut.
func (c *Cursor) elements(name, elem string, n uint64, size int64, help string) (*model.Node, int64) {
	if c.cut {
		return nil, 0
	}
	fit := c.Remaining() / size
	length := int64(math.MaxInt64) // too many for any file: take reports it
	if n <= uint64(length/size) {
		length = int64(n) * size
		fit = min(fit, int64(n))
	}
	c.take(name, elem+"[]", help, length)
	f := &c.nodes[len(c.nodes)-1]
	f.Elements = fit > 0
	return f, fit
}

func elementsText(n int64) string {
	if n == 1 {
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}
