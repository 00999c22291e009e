package model

import (
	"cmp"
	"context"
	"strconv"
)

// NoName is the segment of a node with an empty name.
const NoName = `""`

// InPath returns the node's part of a path, unescaped: its segment, or else its name.
func (n *Node) InPath() string {
	if n.Segment != "" {
		return n.Segment
	}
	return n.Name
}

// Label returns the node's name for a person, or NoName if it is empty.
func (n *Node) Label() string { return cmp.Or(n.Name, NoName) }

// Label returns the name for a person; the root of a derived source has that of its derivation.
func (p *Place) Label() string {
	if k := int(-1 - p.Index); p.Parent != nil && p.Index < 0 && k < len(p.Parent.Node.Derived) {
		return "@" + p.Parent.Node.Derived[k].Name
	}
	return p.Node.Label()
}

// Title returns the label; that of an element follows the label of its list: "points [3]".
func (p *Place) Title() string {
	if _, element := ParseIndex(p.Label()); element && p.Parent != nil {
		return p.Parent.Label() + " " + p.Label()
	}
	return p.Label()
}

// PathUnder returns the path of the node, given that of its parent.
func (n *Node) PathUnder(parent string) string { return parent + "/" + EscapeSegment(n.InPath()) }

// Named returns n with the name in the file. Its previous name becomes the segment of its path.
func (n Node) Named(name string) Node {
	segment := n.InPath()
	n.Name = name
	n.setSegment(segment)
	return n
}

// setSegment sets the segment of the node.
func (n *Node) setSegment(segment string) {
	if n.Segment = segment; segment == n.Name {
		n.Segment = ""
	}
}

// isSegmentOf reports whether child i has the segment.
func isSegmentOf(ctx context.Context, segment string, c Children, i int64) bool {
	n := c.At(ctx, i)
	return n.InPath() == segment
}

// Segments makes the unique segments of siblings in order, and finds siblings by segment. The zero value is empty.
type Segments struct {
	list  []string
	index map[string]int64
	again map[string]int // the last number given to a repeated name
}

// Reserve excludes segments from use by siblings.
func (s *Segments) Reserve(segments ...string) {
	for _, segment := range segments {
		s.insert(segment, -1)
	}
}

// Add returns the segment of the next sibling: its name, or the first of name~2, name~3, … that is unused. An empty
// name becomes NoName.
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

// Has reports whether a segment is used.
func (s *Segments) Has(segment string) bool {
	_, taken := s.index[segment]
	return taken
}

// Len returns the number of segments.
func (s *Segments) Len() int64 { return int64(len(s.list)) }

// At returns the segment of sibling i.
func (s *Segments) At(i int64) string { return s.list[i] }

// Find returns the index of the sibling with a segment.
func (s *Segments) Find(segment string) (int64, bool) {
	i, ok := s.index[segment]
	return i, ok && i >= 0
}

// NthSegment returns the segment of the k-th sibling of a name, if no sibling is named like a segment.
func NthSegment(name string, k int) string {
	if k == 1 {
		return name
	}
	return name + "~" + strconv.Itoa(k)
}
