package model

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync/atomic"
)

// Children makes the children of a node on demand. Implementations are safe for concurrent use. Methods may read bytes,
// which may have to be fetched or decompressed first. When ctx ends they return early; the caller must discard the
// result, and implementations do not keep it. Work of more than a few reads is Pending.
type Children interface {
	// Len returns the number of children, or a lower bound if exact is false.
	Len(context.Context) (n int64, exact bool)
	// At makes child i, 0 ≤ i < n.
	At(ctx context.Context, i int64) Node
}

// Pending is implemented by Children that need work before they can be made or counted. A layout node with pending
// Children has none yet and tiles as one leaf; once resolved its children never change.
type Pending interface {
	Children
	Pending() bool
	// Resolve does the work. It returns early only when ctx ends, and then keeps its progress if it can. Damage is
	// reported by the nodes, not by the error.
	Resolve(ctx context.Context, progress Progress) error
}

// A Finder is Children that find a child without making its siblings. One that only finds names, or only bytes, calls
// Search for the others.
type Finder interface {
	Children
	Find(ctx context.Context, q Query) (i int64, ok bool)
}

// A Query describes a child: by a byte, or by its name.
type Query struct {
	Name   string  // the segment of its path, if Source is nil
	Source *Source // the byte is at Off of this source
	Off    int64
}

// Find returns the number of the child of c that q describes.
func Find(ctx context.Context, c Children, q Query) (i int64, ok bool) {
	if f, is := c.(Finder); is {
		return f.Find(ctx, q)
	}
	return Search(ctx, c, q)
}

// Search finds a child of c, which may be a Finder, by making children. It finds a name "[i]" by its number, other
// names by comparing all, and a byte by bisection: children must be ordered by the offset of Spans[0].
func Search(ctx context.Context, c Children, q Query) (i int64, ok bool) {
	n, _ := c.Len(ctx)
	if q.Source != nil {
		return bisect(ctx, c, n, q)
	}
	if i, ok := ParseIndex(q.Name); ok && i < n && isSegmentOf(ctx, q.Name, c, i) {
		return i, true
	}
	for i := range n {
		if isSegmentOf(ctx, q.Name, c, i) {
			return i, true
		}
	}
	return 0, false
}

// IndexOf returns the number of the child of c whose path has segment.
func IndexOf(ctx context.Context, c Children, segment string) (i int64, ok bool) {
	return Find(ctx, c, Query{Name: segment})
}

// Locate returns the number of the child of c over the byte at off of src.
func Locate(ctx context.Context, c Children, src *Source, off int64) (i int64, ok bool) {
	return Find(ctx, c, Query{Source: src, Off: off})
}

// emptyNeighbours is the most successive nodes without bytes that bisection skips.
const emptyNeighbours = 64

func bisect(ctx context.Context, c Children, n int64, q Query) (int64, bool) {
	// Find the last child that begins at or before off. A node without a span begins where those before it do.
	i := int64(sort.Search(int(n), func(i int) bool {
		for k := int64(i); k >= 0 && k > int64(i)-emptyNeighbours; k-- {
			if spans := c.At(ctx, k).Spans; len(spans) > 0 {
				return spans[0].Off > q.Off
			}
		}
		return false
	})) - 1
	for low := i - emptyNeighbours; i >= 0 && i > low; i-- {
		if spans := c.At(ctx, i).Spans; len(spans) > 0 && spans[0].Covers(q.Source, q.Off) {
			return i, true
		}
	}
	return 0, false
}

// Progress receives the amount of work that is done, in arbitrary units; total is 0 while unknown. It may be nil: call
// Report.
type Progress func(done, total int64, what string)

// Report calls p unless it is nil.
func (p Progress) Report(done, total int64, what string) {
	if p != nil {
		p(done, total, what)
	}
}

var nodesMade atomic.Int64

// NodesMade returns the number of nodes that the process has made through lists, rows and places. Tests of laziness
// compare it before and after.
func NodesMade() int64 { return nodesMade.Load() }

// A List is Children held in memory.
type List struct {
	nodes []Node
	index *Segments // of long lists only
}

const indexedList = 16

// NewList returns a list of nodes, and sets the segments of those that need one.
func NewList(nodes ...Node) *List {
	nodesMade.Add(int64(len(nodes)))
	l := &List{nodes: nodes}
	if len(nodes) > indexedList {
		l.index = new(Segments)
	}
	for i := range nodes {
		n := &l.nodes[i]
		if l.index != nil {
			n.setSegment(l.index.Add(n.InPath()))
		} else {
			n.setSegment(l.free(n.InPath(), i))
		}
	}
	return l
}

// free returns the first of name, name~2, … that is not the segment of a node before i.
func (l *List) free(name string, i int) string {
	segment := cmp.Or(name, NoName)
	name = segment
	has := func(n Node) bool { return n.InPath() == segment }
	for k := 2; slices.ContainsFunc(l.nodes[:i], has); k++ {
		segment = NthSegment(name, k)
	}
	return segment
}

// Len returns the number of nodes.
func (l *List) Len(context.Context) (int64, bool) { return int64(len(l.nodes)), true }

// At returns node i.
func (l *List) At(_ context.Context, i int64) Node { return l.nodes[i] }

// Find finds a node by an index of names in long lists, or by its bytes.
func (l *List) Find(ctx context.Context, q Query) (int64, bool) {
	switch {
	case q.Source != nil:
		return Search(ctx, l, q)
	case l.index != nil:
		return l.index.Find(q.Name)
	}
	i := slices.IndexFunc(l.nodes, func(n Node) bool { return n.InPath() == q.Name })
	return int64(i), i >= 0
}

// Rows are Children that a function makes, such as the elements of an array. Rows named "[i]" need no other function to
// be found; others need ByName, which takes a segment.
type Rows struct {
	Count  int64
	Make   func(ctx context.Context, i int64) Node
	ByName func(ctx context.Context, segment string) (int64, bool)              // may be nil
	ByByte func(ctx context.Context, src *Source, off int64) (i int64, ok bool) // nil to bisect the spans
}

// Len returns the number of rows.
func (r *Rows) Len(context.Context) (int64, bool) { return r.Count, true }

// At makes row i.
func (r *Rows) At(ctx context.Context, i int64) Node {
	nodesMade.Add(1)
	return r.Make(ctx, i)
}

// Find finds a row by the number in its name, by ByName or ByByte, or by comparing all.
func (r *Rows) Find(ctx context.Context, q Query) (int64, bool) {
	switch {
	case q.Source != nil && r.ByByte != nil:
		return r.ByByte(ctx, q.Source, q.Off)
	case q.Source != nil:
		return bisect(ctx, r, r.Count, q)
	}
	if i, ok := ParseIndex(q.Name); ok && i < r.Count && isSegmentOf(ctx, q.Name, r, i) {
		return i, true
	}
	if r.ByName != nil {
		return r.ByName(ctx, q.Name)
	}
	if r.Count > 0 && isSegmentOf(ctx, IndexName(0), r, 0) {
		return 0, false // all are named by number
	}
	return Search(ctx, r, q)
}

// FixedRows returns rows of size bytes each from start on in src. A byte's row is found by division.
func FixedRows(src *Source, start, size, count int64, row func(ctx context.Context, i int64) Node) *Rows {
	return &Rows{Count: count, Make: row, ByByte: func(_ context.Context, s *Source, off int64) (int64, bool) {
		if !s.Same(src) || off < start || (off-start)/size >= count {
			return 0, false
		}
		return (off - start) / size, true
	}}
}
