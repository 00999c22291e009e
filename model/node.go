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
	Padding                  // filler of the format or its writers, whatever its content
	Unreferenced             // a region of the format that nothing refers to, such as dead values
	Unknown                  // bytes outside of any rule
)

// String returns the role's name in coverage.
func (r Role) String() string {
	return [...]string{"explained", "padding", "unreferenced", "unknown"}[r]
}

// A Node is one decoded thing. Nodes are small values, made on demand and not kept; two makings of a node are equal.
//
// In a layout, Spans[0] is the range of the node in the layout's source. The children lie inside in the order of their
// offsets, and the leaves tile the source. A node with Elements is a leaf of the tiling although it has children: these
// are the elements of an array, for display.
type Node struct {
	Name string // exactly as in the format; "[i]" in lists
	// Segment replaces Name in paths if Name is empty or that of an earlier sibling. The list with the node sets it.
	Segment string
	Type    string // in the format's own words
	Value   Value  // or nil if the children are the content
	Brief   string // a few words if Value is nil, "12 fields", or has a meaning: "start"
	Spans   []Span // all bytes that the node follows from, including those of its presence
	Role    Role
	// Principal returns the bytes that a person associates with the node, if Spans are others: for a USD attribute
	// those of its value. It returns nil for a group, whose bytes are those of its descendants. It is nil if Spans are
	// the ones.
	Principal func(ctx context.Context) []Span
	// Shared marks a leaf that several owners share by design.
	Shared bool
	// Absent marks a field that its record leaves out. It has no bytes, and its value is the default.
	Absent   bool
	Problems []Problem
	Children Children                         // or nil
	Elements bool                             // Children are elements of an array; walks visit these only with WalkOptions.Elements
	Columns  []Column                         // the columns of a sequence whose elements lack some, or nil
	Derived  []*Derivation                    // sources derived from this node's bytes
	Refs     func(ctx context.Context) []Ref  // outgoing references, or nil
	Cards    func(ctx context.Context) []Card // or nil
	Help     string                           // one line: what the specification says of the field
	Clause   string                           // of the format's standard that says it, with its title, or ""
}

// InWords returns words for a node without a value, and for extreme numbers that have words.
func (n *Node) InWords() (words string, ok bool) {
	f, number := n.Value.(Float64)
	return n.Brief, n.Value == nil || number && n.Brief != "" && math.Abs(float64(f)) == math.MaxFloat64
}

// A Ref is a directed link to another node or to a range of bytes.
type Ref struct {
	Kind string // the kind of link: "token", "value", "spec", "vtable", …
	Path string // the target's path, or "" if Span is the target
	Span Span   // the target's bytes; Source may be nil if Path is the target
	Text string // a few words that name the target
	File string // another file, as the document names it; Path is then a name for Document.Named of that file
}

// A Derivation is a source that can be derived from a node's bytes.
type Derivation struct {
	Name  string // the path of its root is the node's path, "@" and Name
	Title string // for a tab
	Codec string
	// Open returns the source and the root of its layout. For damaged input it returns the part before the damage, and
	// the layout has the problem; it returns an error if there is nothing to show.
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

// Span returns the node's first span, whose Source is nil if the node has no bytes of its own.
func (n *Node) Span() Span {
	if len(n.Spans) == 0 {
		return Span{}
	}
	return n.Spans[0]
}

// PrincipalSpans returns the bytes that a person associates with the node, or nil for a group, whose bytes are those of
// its descendants.
func (n *Node) PrincipalSpans(ctx context.Context) []Span {
	if n.Principal != nil {
		return n.Principal(ctx)
	}
	return n.Spans
}

// IsGroup reports whether a person takes the node for a container: it has children, and no bytes or value of its own.
func (n *Node) IsGroup(ctx context.Context) bool {
	return n.Children != nil && !n.Elements && (n.Value == nil || n.Principal != nil && n.PrincipalSpans(ctx) == nil)
}

// Group is the Principal of a node whose bytes are those of its descendants.
func Group(context.Context) []Span { return nil }

// ParseIndex parses "[i]".
func ParseIndex(name string) (int64, bool) {
	if len(name) < 3 || name[0] != '[' || name[len(name)-1] != ']' {
		return 0, false
	}
	i, err := strconv.ParseInt(name[1:len(name)-1], 10, 64)
	return i, err == nil && i >= 0 && IndexName(i) == name
}

// IndexName returns the name of list element i: "[i]".
func IndexName(i int64) string { return "[" + strconv.FormatInt(i, 10) + "]" }
