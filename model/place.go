package model

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
)

// A Place is a node in its tree, with the path to the root. Places are made while descending and kept only by those
// that need them, such as a selection or a visible row.
type Place struct {
	Parent *Place
	Node   Node
	// Index is the node's number among its parent's children, or -1-k for the root of the parent's derivation k.
	Index int64
	// Of is the source whose layout the place is in, or nil in other views.
	Of *Source

	path    atomic.Pointer[string]     // nil for a leaf, for a long path, or until asked for
	root    func(context.Context) Node // makes the node of a root again, or nil for a child
	pending bool                       // the node was made while pending; another place may have resolved it since
	// fleeting means that a walk reuses the place. Up to the walk's start, no ancestor of a place that is not fleeting
	// is fleeting.
	fleeting bool
	bare     bool // the node lacks parts that a lean walk omits, or the walk, now far below, dropped its value
}

// Keep makes a place of a walk with WalkOptions.Fleeting last, with its ancestors. Other places last anyway.
func (p *Place) Keep(ctx context.Context) {
	for ; p != nil && p.fleeting; p = p.Parent {
		p.fleeting = false
		if p.bare {
			p.bare = false
			p.Remake(ctx)
		}
	}
}

// thin drops the value of a fleeting place, so that a walk far below does not hold the values of all ancestors.
func (p *Place) thin() {
	if p.fleeting && p.Node.Value != nil {
		p.Node.Value, p.bare = nil, true
	}
}

func newRoot(path string, n Node, of *Source, again func(context.Context) Node) *Place {
	p := &Place{Of: of, root: again}
	p.set(n)
	p.path.Store(&path)
	return p
}

// LongPath is the length in bytes above which few paths are kept for descendants: in a chain of nodes the sum of all
// paths grows quadratically.
const LongPath = 4 << 10

// Path returns the place's path, such as "layout/TOKENS/text@inflated/[3]". It is the same in every run.
func (p *Place) Path() string {
	if path := p.path.Load(); path != nil {
		return *path
	}
	var few [8]*Place
	unknown, above := few[:0], p
	for ; above.path.Load() == nil; above = above.Parent {
		unknown = append(unknown, above)
	}
	path := []byte(*above.path.Load())
	for _, below := range slices.Backward(unknown) {
		before := len(path)
		path = append(append(path, '/'), EscapeSegment(below.Node.InPath())...)
		keep := len(path) <= LongPath || len(path)/LongPath > before/LongPath
		if keep && (below.Node.Children != nil || len(below.Node.Derived) > 0) {
			known := string(path)
			below.path.Store(&known) // a prefix for descendants
		}
	}
	return string(path)
}

// HasLongPath reports whether the path is longer than LongPath, without making it.
func (p *Place) HasLongPath() bool {
	length := 0
	for ; length <= LongPath; p = p.Parent {
		if path := p.path.Load(); path != nil {
			return length+len(*path) > LongPath
		}
		length += 1 + len(EscapeSegment(p.Node.InPath()))
	}
	return true
}

// Segments returns the places from the root to p.
func (p *Place) Segments() []*Place {
	if p.Parent == nil {
		return []*Place{p}
	}
	return append(p.Parent.Segments(), p)
}

// Len returns the number of children, without derived roots.
func (p *Place) Len(ctx context.Context) (n int64, exact bool) {
	if p.Node.Children == nil {
		return 0, true
	}
	return p.Node.Children.Len(ctx)
}

// Child makes child i.
func (p *Place) Child(ctx context.Context, i int64) *Place {
	nodesMade.Add(1)
	child := new(Place)
	child.place(p, p.Node.Children.At(ctx, i), i)
	return child
}

// Below returns the node that numbers of children lead to from p, a level each, or nil if there is none.
func (p *Place) Below(ctx context.Context, way []int64) (*Place, error) {
	for _, i := range way {
		if err := p.Resolve(ctx, nil); err != nil {
			return nil, err
		}
		if n, _ := p.Len(ctx); uint64(i) >= uint64(n) {
			return nil, nil
		}
		p = p.Child(ctx, i)
	}
	return p, nil
}

// place makes p the place of n, child i of parent.
func (p *Place) place(parent *Place, n Node, i int64) {
	*p = Place{Parent: parent, Index: i, Of: parent.Of}
	p.set(n)
}

// set sets the place's node.
func (p *Place) set(n Node) {
	p.Node = n
	p.pending = p.Node.IsPending()
	for i := range n.Problems {
		if doubted := n.Problems[i].doubted(n.Span().Source); doubted.Kind != n.Problems[i].Kind {
			p.Node.Problems = slices.Clone(p.Node.Problems) // shared with other makings
			p.Node.Problems[i] = doubted
		}
	}
}

// Remake makes the place's node again, after Resolve.
func (p *Place) Remake(ctx context.Context) {
	if p.root != nil {
		p.set(p.root(ctx))
	} else {
		p.set(p.Parent.Node.Children.At(ctx, p.Index))
	}
}

// Copy returns a copy of p, to be resolved while others read p.
func (p *Place) Copy() *Place {
	c := &Place{Parent: p.Parent, Node: p.Node, Index: p.Index, Of: p.Of, root: p.root, pending: p.pending, fleeting: p.fleeting}
	c.path.Store(p.path.Load())
	return c
}

// Fresh returns p, with its node made again if it was pending and is resolved now.
func (p *Place) Fresh(ctx context.Context) *Place {
	if !p.pending || p.Node.IsPending() {
		return p
	}
	fresh := p.Copy()
	fresh.Remake(ctx)
	return fresh
}

// Resolve does the pending work of the place's node, if any, and makes the node again.
func (p *Place) Resolve(ctx context.Context, progress Progress) error {
	if !p.pending && !p.Node.IsPending() {
		return nil
	}
	if err := p.Node.Resolve(ctx, progress); err != nil {
		return err
	}
	p.Remake(ctx)
	return nil
}

// Derive opens derivation k of the node and returns the root of its layout.
func (p *Place) Derive(ctx context.Context, k int) (*Place, error) {
	src, root, err := p.Node.Derived[k].Open(ctx)
	if err != nil {
		return nil, err
	}
	nodesMade.Add(1)
	again := func(ctx context.Context) Node {
		if _, now, err := p.Node.Derived[k].Open(ctx); err == nil {
			return now
		}
		return root
	}
	derived := newRoot(src.LayoutPath(), root, src, again)
	derived.Parent, derived.Index = p, -1-int64(k)
	return derived, nil
}

// EscapeSegment percent-encodes '%', '/', '#' and control bytes in a segment of a path.
func EscapeSegment(name string) string {
	clean := true
	for i := 0; i < len(name); i++ {
		clean = clean && !mustEscape(name[i])
	}
	if clean {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		if mustEscape(name[i]) {
			fmt.Fprintf(&b, "%%%02X", name[i])
		} else {
			b.WriteByte(name[i])
		}
	}
	return b.String()
}

func mustEscape(c byte) bool { return c < 0x20 || c == 0x7f || c == '%' || c == '/' || c == '#' }

// UnescapeSegment is the inverse of EscapeSegment. A '%' without two hex digits stands for itself.
func UnescapeSegment(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// ErrNoNode is the error that a path has no node.
type ErrNoNode struct {
	Path  string // the requested path
	Found string // its longest part that exists
}

func (e *ErrNoNode) Error() string {
	if e.Found == "" {
		return fmt.Sprintf("no node %q: there is no such view", e.Path)
	}
	return fmt.Sprintf("no node %q: nothing of that name under %q", e.Path, e.Found)
}

// PathNamed returns the path of a node by a name in the format's own notation. It returns other names, and paths,
// unchanged.
func (d *Document) PathNamed(ctx context.Context, path string) string {
	view, _, _ := strings.Cut(path, "/")
	view, _, _ = strings.Cut(view, "@")
	if d.Named == nil || d.View(view) != nil {
		return path
	}
	for _, name := range []string{path, "/" + path} { // the slash in front is easily left out
		if known, ok := d.Named(ctx, name); ok {
			return known
		}
	}
	return path
}

// Lookup returns the place of a path, resolving pending nodes on the way.
func (d *Document) Lookup(ctx context.Context, path string) (*Place, error) {
	path = d.PathNamed(ctx, path)
	view, rest, more := strings.Cut(strings.TrimSuffix(path, "/"), "/")
	view, name, ofRoot := strings.Cut(view, "@")
	v := d.View(view)
	if v == nil {
		return nil, &ErrNoNode{Path: path}
	}
	p := v.Place(ctx)
	if ofRoot {
		if err := p.Resolve(ctx, nil); err != nil {
			return nil, err
		}
		root, err := p.derived(ctx, name)
		if err != nil {
			return nil, err
		}
		if root == nil {
			return nil, &ErrNoNode{Path: path, Found: view}
		}
		p = root
	}
	for more {
		var seg string
		seg, rest, more = strings.Cut(rest, "/")
		next, err := p.step(ctx, seg)
		if err != nil {
			return nil, err
		}
		if next == nil {
			return nil, &ErrNoNode{Path: path, Found: p.Path()}
		}
		p = next
	}
	return p, nil
}

// step follows one segment: that of a child, possibly followed by "@name" of derivations. Derivations are tried first:
// they are found by their owner's segment, while the whole segment might be compared with all rows.
func (p *Place) step(ctx context.Context, seg string) (*Place, error) {
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	if at := strings.LastIndexByte(seg, '@'); at > 0 {
		owner, err := p.step(ctx, seg[:at])
		if err != nil {
			return nil, err
		}
		if owner != nil {
			if root, err := owner.derived(ctx, seg[at+1:]); root != nil || err != nil {
				return root, err
			}
		}
	}
	if p.Node.Children != nil {
		if i, ok := IndexOf(ctx, p.Node.Children, UnescapeSegment(seg)); ok {
			return p.Child(ctx, i), nil
		}
	}
	return nil, nil
}

// derived opens the derivation with segment seg, or returns nil.
func (p *Place) derived(ctx context.Context, seg string) (*Place, error) {
	for k, d := range p.Node.Derived {
		if d.Name == UnescapeSegment(seg) {
			return p.Derive(ctx, k)
		}
	}
	return nil, nil
}

// At returns the deepest known layout node over the byte at off of src, without work, or nil if src has no such byte.
// final is false if a pending node covers the byte.
func (d *Document) At(ctx context.Context, src *Source, off int64) (place *Place, final bool) {
	p, err := d.Lookup(ctx, src.LayoutPath())
	if err != nil || !p.Node.Span().Covers(src, off) {
		return nil, true
	}
	for {
		if p.Node.IsPending() {
			return p, false
		}
		next := p.childAt(ctx, src, off)
		if next == nil {
			return p, true
		}
		p = next
	}
}

// ResolveAt returns the deepest layout node over the byte at off of src, resolving pending nodes on the way, and only
// those.
func (d *Document) ResolveAt(ctx context.Context, src *Source, off int64, progress Progress) (*Place, error) {
	p, err := d.Lookup(ctx, src.LayoutPath())
	if err != nil || !p.Node.Span().Covers(src, off) {
		return nil, err
	}
	for {
		if err := p.Resolve(ctx, progress); err != nil {
			return p, err
		}
		next := p.childAt(ctx, src, off)
		if next == nil {
			return p, nil
		}
		p = next
	}
}

func (p *Place) childAt(ctx context.Context, src *Source, off int64) *Place {
	if p.Node.Children == nil {
		return nil
	}
	i, ok := Locate(ctx, p.Node.Children, src, off)
	if !ok {
		return nil
	}
	return p.Child(ctx, i)
}
