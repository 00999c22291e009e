// Package read is the cursor with which decoders read fields. A decoder is a list of calls that mirrors its
// specification; each call makes a node with the field's name, type, value, span and one line of help, and a field
// that the bytes do not hold becomes a problem. It serves headers and records, not the millions of rows of a table:
// those are an Array or Records, made one by one when looked at.
package read

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"cutaway/model"
)

// A Cursor reads fields one after another from a range of a source, little-endian unless told otherwise.
//
// Reading past the end gives one truncated problem on the field that was cut, whose node covers what is left;
// later reads make no nodes and return zeros, and later checks hold, so that a decoder need not look after each
// field. Ok tells. A cursor belongs to one goroutine.
type Cursor struct {
	ctx       context.Context
	src       *model.Source
	start     int64
	off, end  int64
	order     binary.ByteOrder
	truncated string // the rule id of the problem of a cut field
	cut       bool
	nodes     []model.Node
	spans     []model.Span // of the nodes to come, taken all at once
	together  int64        // up to here bytes may be read before their fields are
	ahead     [window]byte // the bytes from aheadAt on
	aheadAt   int64
	aheadLen  int64
}

// window is the most bytes that are read at once for fields that follow each other.
const window = 64

// New returns a cursor over the bytes [off, end) of src; end is lowered to the end of src. truncated is the rule
// id of the problem that a field which does not fit gets.
func New(ctx context.Context, src *model.Source, off, end int64, truncated string) *Cursor {
	end = min(end, src.Size())
	if off < 0 || end < off {
		end = off // no bytes: the first field reports it
	}
	return &Cursor{ctx: ctx, src: src, start: off, off: off, end: end, order: binary.LittleEndian, truncated: truncated}
}

// BigEndian makes c read numbers with the most significant byte first from now on, and returns c.
func (c *Cursor) BigEndian() *Cursor {
	c.order = binary.BigEndian
	return c
}

// LittleEndian makes c read numbers with the least significant byte first from now on, and returns c.
func (c *Cursor) LittleEndian() *Cursor {
	c.order = binary.LittleEndian
	return c
}

// Sub returns a cursor of its own over the bytes [off, off+n) of the same source, with the same byte order and
// rule. It may lie outside c's range.
func (c *Cursor) Sub(off, n int64) *Cursor {
	end := off + n
	if n < 0 || end < off {
		end = off
	}
	s := New(c.ctx, c.src, off, end, c.truncated)
	s.order = c.order
	return s
}

// Source is what c reads.
func (c *Cursor) Source() *model.Source { return c.src }

// Off is the offset in the source of the next field.
func (c *Cursor) Off() int64 { return c.off }

// End is the offset behind the last byte that c may read.
func (c *Cursor) End() int64 { return c.end }

// Remaining is the number of bytes left.
func (c *Cursor) Remaining() int64 { return c.end - c.off }

// Ok tells whether all fields so far were there.
func (c *Cursor) Ok() bool { return !c.cut }

// Span is the range from c's first byte to the end of the last field.
func (c *Cursor) Span() model.Span { return c.src.Span(c.start, c.off-c.start) }

// Nodes returns the fields read so far.
func (c *Cursor) Nodes() []model.Node { return c.nodes }

// Node returns the fields read so far as one node. With no fields it is a leaf.
func (c *Cursor) Node(name, typ, help string) model.Node {
	return group(name, typ, help, c.Span(), c.nodes)
}

func group(name, typ, help string, at model.Span, fields []model.Node) model.Node {
	n := model.Node{Name: name, Type: typ, Help: help, Spans: []model.Span{at}}
	if len(fields) > 0 {
		n.Children = model.NewList(fields...)
	}
	return n
}

// Field is the node of the field just read, to add a type, refs, cards or sources to it. It is valid until the next
// read. After the cut it is a node that is thrown away.
func (c *Cursor) Field() *model.Node {
	if c.cut || len(c.nodes) == 0 {
		return new(model.Node)
	}
	return &c.nodes[len(c.nodes)-1]
}

// Check puts a malformed problem on the field just read unless ok, and returns ok. expected and found may be any
// values that print; nil for nothing to say. After the cut it does nothing and returns true: the value it was asked
// about is missing, which is told already.
func (c *Cursor) Check(ok bool, rule string, expected, found any, message string) bool {
	return c.check(ok, model.Malformed, rule, expected, found, message)
}

// Expect is Check with a suspicious problem: a warning, for what is legal but odd.
func (c *Cursor) Expect(ok bool, rule string, expected, found any, message string) bool {
	return c.check(ok, model.Suspicious, rule, expected, found, message)
}

func (c *Cursor) check(ok bool, kind model.Kind, rule string, expected, found any, message string) bool {
	if ok || c.cut {
		return true
	}
	n := c.Field()
	n.Problems = append(n.Problems, model.Problem{
		Rule: rule, Kind: kind, Span: n.Span(), Expected: show(expected), Found: show(found), Message: message,
	})
	return false
}

func show(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// Problem puts a problem on the field just read; without a span it gets the field's.
func (c *Cursor) Problem(p model.Problem) {
	n := c.Field()
	if p.Span.Source == nil {
		p.Span = n.Span()
	}
	n.Problems = append(n.Problems, p)
}

// Count checks a count of the field just read: n elements of at least size bytes (≥ 1) each must fit into what is
// left. It returns how many do, so that nothing is taken on the word of a count that the bytes cannot support; too
// large a count is a truncated problem on its field under rule.
func (c *Cursor) Count(n uint64, size int64, rule string) int64 {
	room := c.Remaining() / size
	if n <= uint64(room) {
		return int64(n)
	}
	if !c.cut {
		f := c.Field()
		what := "bytes"
		if size > 1 {
			what = fmt.Sprintf("elements of at least %d bytes", size)
		}
		f.Problems = append(f.Problems, model.Problemf(model.Truncated, rule, f.Span(),
			"%s claims %d %s, but %d bytes follow", f.Name, n, what, c.Remaining()).
			Want(fmt.Sprintf("at most %d", room), n))
	}
	return room
}

// take makes the node of a field of n bytes and returns it with its offset, or nil where there is none to fill.
func (c *Cursor) take(name, typ, help string, n int64) *model.Node {
	if c.cut {
		return nil
	}
	left := c.Remaining()
	span := c.src.Span(c.off, min(max(n, 0), left))
	c.nodes = append(c.nodes, model.Node{Name: name, Type: typ, Help: help, Spans: c.one(span)})
	f := &c.nodes[len(c.nodes)-1]
	c.off = span.End()
	if n >= 0 && n <= left {
		return f
	}
	c.cut = true
	f.Problems = append(f.Problems, c.cutOff(name, span, n, left))
	return nil
}

// one is a list of one span.
func (c *Cursor) one(span model.Span) []model.Span {
	if len(c.spans) == cap(c.spans) {
		return []model.Span{span}
	}
	n := len(c.spans)
	c.spans = append(c.spans, span)
	return c.spans[n : n+1 : n+1]
}

// Room takes the memory for n more fields at once, and lets the numbers in the next size bytes be read together. It
// makes records that a walk meets by the million cheaper, and changes nothing else.
func (c *Cursor) Room(n int, size int64) {
	c.nodes = slices.Grow(c.nodes, n)
	c.spans = make([]model.Span, 0, n)
	c.together = c.off + min(size, c.Remaining())
}

// read returns size bytes (at most window) at off, which may have been read together with others.
func (c *Cursor) read(off, size int64) ([]byte, error) {
	if off < c.aheadAt || off+size > c.aheadAt+c.aheadLen {
		n := max(size, min(window, c.together-off))
		if _, err := c.src.ReadFull(c.ctx, c.ahead[:n], off); err != nil {
			n = size // what stands behind must not cost this field
			if _, err := c.src.ReadFull(c.ctx, c.ahead[:n], off); err != nil {
				c.aheadLen = 0
				return nil, err
			}
		}
		c.aheadAt, c.aheadLen = off, n
	}
	at := off - c.aheadAt
	return c.ahead[at : at+size], nil
}

func (c *Cursor) cutOff(name string, at model.Span, n, left int64) model.Problem {
	return model.Problemf(model.Truncated, c.truncated, at, "%s is cut off", name).Want(model.Counted(n, "byte"), model.Counted(left, "byte"))
}

// fail turns a read that failed, though the bytes should be there, into a problem and the cut.
func (c *Cursor) fail(f *model.Node, err error) {
	c.cut = true
	f.Value = nil
	f.Problems = append(f.Problems, model.AsProblem(err, c.truncated, f.Span()))
}
