package model

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"strconv"
	"sync/atomic"
)

// Role tells what the bytes of a layout leaf are to the format.
type Role uint8

// The roles. Only Explained nodes may have children.
const (
	Explained    Role = iota // a rule of the format explains the bytes
	Padding                  // filler that the format or its writers put there, whatever its content
	Unreferenced             // a region of the format that nothing points at, such as dead values
	Unknown                  // bytes outside any rule
)

// String is the role's name in coverage.
func (r Role) String() string {
	return [...]string{"explained", "padding", "unreferenced", "unknown"}[r]
}

// A Node is one decoded thing. Nodes are small values, made when asked for and not kept; two makings of one node
// are equal.
//
// In a layout, Spans[0] is the range of the node in the layout's source, the children lie inside it in the order
// of their offsets, and the leaves tile the source. A node with Elements is a leaf of the tiling although it has
// children: they are the elements of an array, for looking at.
type Node struct {
	Name string // as the format has it, exactly; "[i]" in lists
	// Segment stands for Name in paths where Name alone does not: of an empty name, and of one that a sibling before it has.
	// The list that has the node makes it.
	Segment string
	Type    string // in the format's own words
	Value   Value  // nil where the children say it all
	Brief   string // a few words for the value column where Value is nil, "12 fields", or stands for something: "start"
	Spans   []Span
	Role    Role
	// Shared marks a leaf that several owners share on purpose.
	Shared   bool
	Problems []Problem
	Children Children                         // nil: none
	Elements bool                             // Children are elements of an array: a walk does not open them unless told to
	Columns  []Column                         // of a sequence: its columns where it has no elements that tell them; nil: these do, or it is none
	Derived  []*Derivation                    // sources made from this node's bytes
	Refs     func(ctx context.Context) []Ref  // outgoing; nil: none
	Cards    func(ctx context.Context) []Card // nil: none
	Help     string                           // one line: what the specification says of the field
}

// InWords is what the value column shows in place of a value: where there is none, and of the least or greatest number, which
// stands for something where there are words for it.
func (n *Node) InWords() (words string, ok bool) {
	f, number := n.Value.(Float64)
	return n.Brief, n.Value == nil || number && n.Brief != "" && math.Abs(float64(f)) == math.MaxFloat64
}

// A Ref is a directed link to another node or to a bare range.
type Ref struct {
	Kind string // what the link is: "token", "value", "spec", "vtable", …
	Path string // the target's path; may be empty when Span says where
	Span Span   // the target's bytes; Source may be nil when Path says where
	Text string // a few words that name the target for a person
	File string // another file, as the document names it; then there is no span, and Path is what Document.Named takes in that file
}

// A Derivation is a source that can be made from a node's bytes.
type Derivation struct {
	Name  string // its root's path is the node's path, "@" and Name
	Title string // for a tab
	Codec string
	// Open makes the source and the root of its layout, or gives both from memory. A damaged input gives the good
	// part as a source whose layout carries the problem; an error means that there is nothing to show.
	Open func(ctx context.Context) (*Source, Node, error)
}

// Children makes the children of a node on demand. Implementations are safe for concurrent use. Its methods may read
// bytes, which may have to be fetched or inflated first, and give up when their context ends: what they then return is
// to be thrown away, and nothing of it is remembered. What takes more than a few reads is Pending.
type Children interface {
	// Len is the number of children. While exact is false it is a lower bound.
	Len(context.Context) (n int64, exact bool)
	// At makes child i, 0 ≤ i < n.
	At(ctx context.Context, i int64) Node
}

// Pending is implemented by Children that need work before they can be made or counted. A layout node whose
// Children are pending has none yet and tiles as one leaf; once resolved its children never change.
type Pending interface {
	Children
	Pending() bool
	// Resolve does the work. It returns early only when ctx ends, and then keeps what it can; damage is told by the
	// nodes, not by the error.
	Resolve(ctx context.Context, progress Progress) error
}

// Indexer is implemented by Children that find a child by what its path has for it without walking its siblings.
type Indexer interface {
	Index(ctx context.Context, segment string) (i int64, ok bool)
}

// Lean is implemented by Children that make a child for much less where nobody asks where it is and what belongs to it.
type Lean interface {
	// LeanAt is At of a node that need not have its spans, links, cards and help.
	LeanAt(ctx context.Context, i int64) Node
}

// LeanAt makes child i of c, without spans, links, cards and help where that is less work.
func LeanAt(ctx context.Context, c Children, i int64) Node {
	if l, ok := c.(Lean); ok {
		return l.LeanAt(ctx, i)
	}
	return c.At(ctx, i)
}

// Recurring is implemented by Children that are below several nodes, so that a walk needs to go over them only once.
type Recurring interface {
	// Recurs identifies child i: it is number n of the count children that of has. Where the answers are equal, so are the
	// nodes, apart from their paths. of is nil where that is not known.
	Recurs(i int64) (of any, n, count int64)
}

// Locator is implemented by Children that find the child over a byte faster than by bisection, or whose order is
// not that of their offsets.
type Locator interface {
	Locate(ctx context.Context, src *Source, off int64) (i int64, ok bool)
}

// Progress receives how much of a piece of work is done, in units that only compare to each other; total is 0
// while unknown. It may be nil: call Report.
type Progress func(done, total int64, what string)

// Report calls p if there is one.
func (p Progress) Report(done, total int64, what string) {
	if p != nil {
		p(done, total, what)
	}
}

var nodesMade atomic.Int64

// NodesMade counts the nodes that the process has made so far through lists, rows and places. Tests of laziness
// compare it before and after.
func NodesMade() int64 { return nodesMade.Load() }

// List is Children that are held in memory.
type List struct {
	nodes []Node
	index *Segments // made for long lists only
}

const indexedList = 16

// NewList holds nodes as children, and makes the segments of those that want one.
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

// free is the first of name, name~2, … that no node before i has as its segment.
func (l *List) free(name string, i int) string {
	segment := cmp.Or(name, NoName)
	name = segment
	has := func(n Node) bool { return n.InPath() == segment }
	for k := 2; slices.ContainsFunc(l.nodes[:i], has); k++ {
		segment = NthSegment(name, k)
	}
	return segment
}

// Len implements Children.
func (l *List) Len(context.Context) (int64, bool) { return int64(len(l.nodes)), true }

// At implements Children.
func (l *List) At(_ context.Context, i int64) Node { return l.nodes[i] }

// Index implements Indexer.
func (l *List) Index(_ context.Context, segment string) (int64, bool) {
	if l.index != nil {
		return l.index.Find(segment)
	}
	i := slices.IndexFunc(l.nodes, func(n Node) bool { return n.InPath() == segment })
	return int64(i), i >= 0
}

// Rows is Children that a function makes, such as the elements of an array. Rows that are all named "[i]" are found
// without more; others want Find, which takes a segment.
type Rows struct {
	Count  int64
	Make   func(ctx context.Context, i int64) Node
	Find   func(ctx context.Context, segment string) (int64, bool)              // may be nil
	ByByte func(ctx context.Context, src *Source, off int64) (i int64, ok bool) // may be nil: bisection over the spans
}

// Len implements Children.
func (r *Rows) Len(context.Context) (int64, bool) { return r.Count, true }

// At implements Children.
func (r *Rows) At(ctx context.Context, i int64) Node {
	nodesMade.Add(1)
	return r.Make(ctx, i)
}

// Index implements Indexer.
func (r *Rows) Index(ctx context.Context, segment string) (int64, bool) {
	if i, ok := ParseIndex(segment); ok && i < r.Count && isSegmentOf(ctx, segment, r, i) {
		return i, true
	}
	if r.Find != nil {
		return r.Find(ctx, segment)
	}
	if r.Count > 0 && isSegmentOf(ctx, IndexName(0), r, 0) {
		return 0, false // all are named by their number
	}
	for i := range r.Count {
		if isSegmentOf(ctx, segment, r, i) {
			return i, true
		}
	}
	return 0, false
}

// Locate implements Locator.
func (r *Rows) Locate(ctx context.Context, src *Source, off int64) (int64, bool) {
	if r.ByByte != nil {
		return r.ByByte(ctx, src, off)
	}
	return bisect(ctx, r, r.Count, src, off)
}

// FixedRows is Rows of size bytes each from start on in src; a byte's row is found by division.
func FixedRows(src *Source, start, size, count int64, row func(ctx context.Context, i int64) Node) *Rows {
	return &Rows{Count: count, Make: row, ByByte: func(_ context.Context, s *Source, off int64) (int64, bool) {
		if !s.Same(src) || off < start || (off-start)/size >= count {
			return 0, false
		}
		return (off - start) / size, true
	}}
}

// Locate finds the child of c over the byte at off of src: through Locator, else by bisection, which needs
// children in the order of their offsets with Spans[0] in src.
func Locate(ctx context.Context, c Children, src *Source, off int64) (int64, bool) {
	if l, ok := c.(Locator); ok {
		return l.Locate(ctx, src, off)
	}
	n, _ := c.Len(ctx)
	return bisect(ctx, c, n, src, off)
}

// emptyNeighbours is how many nodes without bytes may be together for bisection to see past them.
const emptyNeighbours = 64

func bisect(ctx context.Context, c Children, n int64, src *Source, off int64) (int64, bool) {
	// The last child that begins at or before off. A node without a span begins where those before it do.
	i := int64(sort.Search(int(n), func(i int) bool {
		for k := int64(i); k >= 0 && k > int64(i)-emptyNeighbours; k-- {
			if spans := c.At(ctx, k).Spans; len(spans) > 0 {
				return spans[0].Off > off
			}
		}
		return false
	})) - 1
	for low := i - emptyNeighbours; i >= 0 && i > low; i-- {
		if spans := c.At(ctx, i).Spans; len(spans) > 0 && spans[0].Covers(src, off) {
			return i, true
		}
	}
	return 0, false
}

// IsPending reports whether the node's children need Resolve first.
func (n *Node) IsPending() bool {
	p, ok := n.Children.(Pending)
	return ok && p.Pending()
}

// Resolve does the node's pending work, if any.
func (n *Node) Resolve(ctx context.Context, progress Progress) error {
	if p, ok := n.Children.(Pending); ok && p.Pending() {
		return p.Resolve(ctx, progress)
	}
	return nil
}

// Span is the node's first span; its Source is nil where the node has no bytes of its own.
func (n *Node) Span() Span {
	if len(n.Spans) == 0 {
		return Span{}
	}
	return n.Spans[0]
}

// ParseIndex reads "[i]".
func ParseIndex(name string) (int64, bool) {
	if len(name) < 3 || name[0] != '[' || name[len(name)-1] != ']' {
		return 0, false
	}
	i, err := strconv.ParseInt(name[1:len(name)-1], 10, 64)
	return i, err == nil && i >= 0 && IndexName(i) == name
}

// IndexName is the name of list element i: "[i]".
func IndexName(i int64) string { return "[" + strconv.FormatInt(i, 10) + "]" }
