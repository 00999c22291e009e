package model

import (
	"context"
	"math"
	"strconv"
)

// Role classifies the bytes of a layout leaf.
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
	Spans   []Span // of all bytes that it follows from, also those of its presence
	Role    Role
	// Principal returns the bytes that a person means by the node, where Spans are others: of a USD attribute those of its
	// value. It returns nil for a group, whose bytes are those of the nodes below. It is nil where Spans are meant.
	Principal func(ctx context.Context) []Span
	// Shared marks a leaf that several owners share on purpose.
	Shared   bool
	Problems []Problem
	Children Children                         // nil: none
	Elements bool                             // Children are elements of an array: a walk opens them only with WalkOptions.Elements
	Columns  []Column                         // of a sequence whose elements do not have all its columns: the columns; else nil
	Derived  []*Derivation                    // sources made from this node's bytes
	Refs     func(ctx context.Context) []Ref  // outgoing references, or nil
	Cards    func(ctx context.Context) []Card // nil: none
	Help     string                           // one line: what the specification says of the field
}

// InWords returns the words of the value column for a node without a value, and for the least or greatest number if it has
// words for that.
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
	File string // another file, as the document names it; then there is no span, and Path is a name for Document.Named of that file
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

// PrincipalSpans returns the bytes that a person means by the node; nil for a group, whose bytes are those below it.
func (n *Node) PrincipalSpans(ctx context.Context) []Span {
	if n.Principal != nil {
		return n.Principal(ctx)
	}
	return n.Spans
}

// Group is the Principal of a node whose bytes are those below it.
func Group(context.Context) []Span { return nil }

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
