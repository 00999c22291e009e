package model

import (
	"cmp"
	"context"
	"strconv"
)

// NoName is the segment of a node whose name is empty.
const NoName = `""`

// InPath returns the part of a path that is the node's, before it is escaped: its segment, or else its name.
func (n *Node) InPath() string {
	if n.Segment != "" {
		return n.Segment
	}
	return n.Name
}

// Label returns the node's name for a person: an empty one as two quotes.
func (n *Node) Label() string { return cmp.Or(n.Name, NoName) }

// Label is the name that a person is shown; that of a derived source's root is of its derivation.
func (p *Place) Label() string {
	if k := int(-1 - p.Index); p.Parent != nil && p.Index < 0 && k < len(p.Parent.Node.Derived) {
		return "@" + p.Parent.Node.Derived[k].Name
	}
	return p.Node.Label()
}

// PathUnder is the path of the node where that of its parent is known.
func (n *Node) PathUnder(parent string) string { return parent + "/" + EscapeSegment(n.InPath()) }

// Named returns n with the name that the file has for it. The name before stands for it in paths.
func (n Node) Named(name string) Node {
	segment := n.InPath()
	n.Name = name
	n.setSegment(segment)
	return n
}

// setSegment makes segment stand for the node in paths.
func (n *Node) setSegment(segment string) {
	if n.Segment = segment; segment == n.Name {
		n.Segment = ""
	}
}

// isSegmentOf reports whether a path has segment for child i.
func isSegmentOf(ctx context.Context, segment string, c Children, i int64) bool {
	n := c.At(ctx, i)
	return n.InPath() == segment
}

// Segments makes the segments of siblings, one after another, and finds a sibling by its own. The zero value has none.
type Segments struct {
	list  []string
	index map[string]int64
	again map[string]int // the number that was given last to a name that repeats
}

// Reserve keeps segments from siblings.
func (s *Segments) Reserve(segments ...string) {
	for _, segment := range segments {
		s.insert(segment, -1)
	}
}

// Add makes the segment of the next sibling: its name, or the first of name~2, name~3, … that no sibling before it has; NoName
// stands for an empty name.
func (s *Segments) Add(name string) string {
	segment := cmp.Or(name, NoName)
	for name = segment; s.Has(segment); segment = NthSegment(name, s.again[name]) {
		if s.again == nil {
			s.again = make(map[string]int)
		}
		s.again[name] = max(s.again[name], 1) + 1
	}
	s.insert(segment, int64(len(s.list)))
	s.list = append(s.list, segment)
	return segment
}

func (s *Segments) insert(segment string, i int64) {
	if s.index == nil {
		s.index = make(map[string]int64)
	}
	s.index[segment] = i
}

// Has reports whether a segment is taken.
func (s *Segments) Has(segment string) bool {
	_, taken := s.index[segment]
	return taken
}

// Len returns the number of segments.
func (s *Segments) Len() int64 { return int64(len(s.list)) }

// At is the segment of sibling i.
func (s *Segments) At(i int64) string { return s.list[i] }

// Find is the sibling with a segment.
func (s *Segments) Find(segment string) (int64, bool) {
	i, ok := s.index[segment]
	return i, ok && i >= 0
}

// NthSegment is the segment of the k-th sibling of a name, where no other sibling has that name.
func NthSegment(name string, k int) string {
	if k == 1 {
		return name
	}
	return name + "~" + strconv.Itoa(k)
}
