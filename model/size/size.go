// Package size measures the bytes of a file that each node of a view accounts for. It knows no format.
package size

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"cutaway/model"
)

// A Size is the number of bytes of a node. Shared bytes belong to the first of the nodes, descendants before ancestors.
// Decoded bytes stand for their share of the bytes they were decoded from, rounded down; the remainder belongs to the
// node with all these bytes.
type Size struct {
	Own     int64 // of the file's bytes, without descendants
	Stored  int64 // of the file's bytes, with descendants
	Logical int64 // after all decoding, with descendants
}

// A Node is a node of a view with its size.
type Node struct {
	Name, Type string // for a person
	Segment    string // in its path
	Index      int64  // among its parent's children
	Path       string
	Size
	Count    int64   // number of nodes, with descendants
	Where    Extent  // of its bytes and those of descendants in the file
	Children []*Node // those large enough for the tree, largest first
	Small    Size    // of all other children
	Smaller  int64   // number of the other children
	Open     bool    // may grow, see Peek
}

// A Part is bytes that no node of the view has.
type Part struct {
	Path string // of the layout node with the bytes, or of an ancestor
	Role model.Role
	Size int64
}

// A Tree holds the sizes of the nodes of a view.
type Tree struct {
	Total int64 // size of all files of the document: Root.Stored and Free
	Root  *Node
	Free  []Part  // bytes that no node of the view has, largest first
	top   []*Node // the nodes with the most bytes of their own, whatever their size, without children
	Left  int64   // during a measurement, see Peek: bytes without a node so far
}

// kept is the inverse of the least share of a file for a node to be in the tree. In files of at most small bytes all
// nodes are.
const kept, small = 20_000, 1 << 18

// mostLargest is the length of the list of largest nodes.
const mostLargest = 50

// Largest returns the n nodes with the most bytes of their own among at and its descendants, largest first. It
// considers the nodes of the tree, and the 50 largest of the others that were measured individually.
func (t *Tree) Largest(at *Node, n int) []*Node {
	all := at.Largest(n)
	known := make(map[string]bool)
	for _, one := range all {
		known[one.Path] = true
	}
	for _, one := range t.top {
		if !known[one.Path] && at.holds(one.Path) {
			all = append(all, one)
		}
	}
	sort.SliceStable(all, func(i, k int) bool { return all[i].Own > all[k].Own })
	return all[:min(len(all), n)]
}

// Least returns the least size in bytes of nodes in the tree.
func (t *Tree) Least() int64 {
	if t.Total <= small {
		return 0
	}
	return t.Total / kept
}

// LeastOf returns that size for a branch of so many bytes.
func LeastOf(branch int64) int64 { return max(branch/kept, 1) }

// Options control the measurement of a view.
type Options struct {
	// Each is called for each node, after its descendants, and must not keep it. It may be nil.
	Each func(path string, n *Node) error
	// Least is the least size in bytes of nodes that Each is called for, except the root. If it is not 0, smaller nodes
	// are summed without being made if the format supports that.
	Least int64
	// Branch is a node whose descendants of BranchLeast bytes are in the tree, even if smaller than others.
	Branch      *model.Place
	BranchLeast int64
	Progress    model.Progress
	Peek        *Peek // receives the tree during the measurement; may be nil
}

// Measure measures the nodes of a view, and the parts of the layout without such a node.
func Measure(ctx context.Context, d *model.Document, v *model.View, opt Options) (*Tree, error) {
	m := &measurement{ctx: ctx, opt: opt, ledger: newLedger(), view: v}
	t := &Tree{}
	for _, s := range d.Sources {
		t.Total += s.Size()
	}
	m.total = t.Total
	m.least = max(opt.Least, t.Least())
	m.bulk = model.Measurement{Least: m.least, Visit: m.addSpans, Notes: make(map[any]any)}
	if opt.Each != nil {
		m.bulk.Least = opt.Least
	}
	if opt.Branch != nil {
		m.way = opt.Branch.Segments()
	}
	m.walk = model.WalkOptions{Resolve: true, Derived: v.Name == model.LayoutView, Fleeting: true, Progress: opt.Progress}
	if err := model.Walk(ctx, v.Place(ctx), m.walk, m.visit); err != nil {
		return nil, err
	}
	if err := m.leave(0); err != nil {
		return nil, err
	}
	t.Root, t.top = m.root, m.top
	t.Root.name(v.Name)
	free, err := m.free(d)
	t.Free = free
	return t, err
}

// Of returns the size of a node alone, or for an array that of its elements: the file's bytes that its spans are stored
// in, with a share of each decoded run.
func Of(n *model.Node) Size {
	spans := n.Spans
	var packing model.Packing
	a, array := n.Value.(model.Array)
	if array {
		if packing = model.PackingOf(a); packing.Number != model.NoNumber && packing.At.Source != nil {
			spans = []model.Span{packing.At} // without a preceding count and links
		}
	}
	var s Size
	for i, at := range spans {
		if at.Source == nil || slices.ContainsFunc(spans[:i], func(o model.Span) bool { return covers(o, at) }) {
			continue
		}
		s.Stored += storedOf(at)
		s.Logical += at.Len
	}
	s.Own = s.Stored
	if packing.Number != model.NoNumber {
		s.Logical = a.Len() * packing.Size()
	}
	return s
}

func covers(o, s model.Span) bool {
	return s.Source.Same(o.Source) && s.Off >= o.Off && s.End() <= o.End()
}

// storedOf returns the number of bytes of the file that a span came from.
func storedOf(s model.Span) (n int64) {
	o := s.Source.Origin()
	if o == nil {
		return s.Len
	}
	for _, in := range o.Spans {
		n += storedOf(in)
	}
	return share(min(s.Len, s.Source.Size()), n, max(s.Source.Size(), 1))
}

type measurement struct {
	ctx      context.Context
	opt      Options
	view     *model.View
	total    int64 // bytes of the file
	ledger   *ledger
	least    int64
	open     []frame // from the root to the last node visited
	root     *Node
	top      []*Node // largest first
	again    []*Node // for reuse
	walk     model.WalkOptions
	bulk     model.Measurement
	measured Size           // by nodes measured in bulk
	where    Extent         // of these
	deep     int            // nested walks
	way      []*model.Place // from the root to the branch, or nil
	on       int            // number of open nodes on the way
}

// inBranch reports whether the last open node is the branch or a descendant.
func (m *measurement) inBranch() bool { return m.on > 0 && m.on == len(m.way) }

// A frame is a node whose children are being measured.
type frame struct {
	place  *model.Place
	node   *Node
	spans  []model.Span
	packed int64 // bytes of the elements of an array of numbers in another encoding, or 0
}

func (m *measurement) visit(p *model.Place) error {
	depth := len(m.open)
	for depth > 0 && m.open[depth-1].place != p.Parent {
		depth--
	}
	if err := m.leave(depth); err != nil {
		return err
	}
	m.peek()
	n := m.node()
	*n = Node{Name: m.view.LabelOf(m.ctx, p), Segment: p.Node.InPath(), Type: p.Node.Type, Index: p.Index, Count: 1}
	if m.opt.Each != nil || p.Index < 0 {
		n.Path = p.Path()
	}
	m.open = append(m.open, frame{place: p, node: n, spans: p.Node.Spans, packed: p.Node.PackedSize()})
	if m.on == depth && depth < len(m.way) && p.Index == m.way[depth].Index {
		m.on++
	}
	return m.inBulk(p)
}

// Limits of measuring in bulk.
const (
	fewChildren = 16 // fewer are visited individually
	deepest     = 64 // nested walks
)

// inBulkOf returns the number of children of a node. can is false if they are visited individually.
func (m *measurement) inBulkOf(p *model.Place) (count int64, can bool) {
	if model.BulkOf(p.Node.Children).Measure == nil || m.bulk.Least == 0 || p.Node.Elements || m.deep == deepest {
		return 0, false
	}
	count, exact := p.Len(m.ctx)
	return count, exact && count >= fewChildren
}

// inBulk measures children that are too small for the tree without making nodes, and visits the others.
func (m *measurement) inBulk(p *model.Place) error {
	count, can := m.inBulkOf(p)
	if !can {
		return nil
	}
	depth := len(m.open)
	into := m.open[depth-1].node
	m.deep++
	defer func(least int64) { m.deep--; m.bulk.Least = least }(m.bulk.Least)
	if m.inBranch() {
		m.bulk.Least = m.opt.BranchLeast
	}
	for i := range count {
		m.measured, m.where = Size{}, Extent{}
		var nodes int64
		var err error
		if toBranch := m.on == depth && depth < len(m.way) && i == m.way[depth].Index; !toBranch {
			nodes, err = model.Measure(m.ctx, p.Node.Children, i, &m.bulk)
		}
		switch {
		case err != nil:
			return err
		case nodes > 0:
			into.addSmall(m.measured, nodes)
			into.Where.add(m.where)
			m.peek()
			continue
		}
		if err := model.WalkChildren(m.ctx, p, i, i+1, m.walk, m.visit); err != nil {
			return err
		}
		if err := m.leave(depth); err != nil {
			return err
		}
	}
	return model.ErrSkip
}

// addSpans adds bytes to the node that is measured in bulk.
func (m *measurement) addSpans(spans []model.Span, packed int64) {
	var logical int64
	for _, s := range spans {
		stored, decoded := m.ledger.claim(s)
		m.where.add(m.ledger.extent(s))
		m.measured.Stored += stored + m.ledger.rest(s)
		logical += decoded
	}
	if packed > 0 && logical > 0 {
		logical = packed
	}
	m.measured.Logical += logical
}

// leave ends the nodes from a depth on, deepest first, and gives them the rest of their bytes.
func (m *measurement) leave(depth int) error {
	for len(m.open) > depth {
		f := m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		n := f.node
		var logical int64
		for _, s := range f.spans {
			stored, decoded := m.ledger.claim(s)
			n.Where.add(m.ledger.extent(s))
			n.Own += stored + m.ledger.rest(s)
			logical += decoded
		}
		if f.packed > 0 && logical > 0 {
			logical = f.packed
		}
		n.Stored += n.Own
		n.Logical += logical
		m.rank(n)
		if m.opt.Each != nil && (n.Stored >= m.opt.Least || len(m.open) == 0) {
			if err := m.opt.Each(n.Path, n); err != nil {
				return err
			}
		}
		sort.SliceStable(n.Children, func(i, k int) bool { return n.Children[i].Stored > n.Children[k].Stored })
		if len(m.open) == 0 {
			m.root = n
			return nil
		}
		least := m.least
		if m.inBranch() || m.on > len(m.open) {
			least = m.opt.BranchLeast
		}
		m.on = min(m.on, len(m.open))
		if !m.open[len(m.open)-1].node.add(n, least) {
			m.again = append(m.again, n)
		}
	}
	return nil
}

// rank adds a node below the open ones to the list of largest nodes, if it is one.
func (m *measurement) rank(n *Node) {
	last := len(m.top) - 1
	if n.Own == 0 || last == mostLargest-1 && n.Own <= m.top[last].Own {
		return
	}
	i := sort.Search(len(m.top), func(i int) bool { return m.top[i].Own < n.Own })
	m.top = slices.Insert(m.top, i, &Node{Name: n.Name, Type: n.Type, Path: m.path(n), Size: n.Size, Count: n.Count})
	m.top = m.top[:min(len(m.top), mostLargest)]
}

// path returns the path of a node below the open ones.
func (m *measurement) path(n *Node) string {
	if n.Path != "" {
		return n.Path
	}
	below := ""
	for i := len(m.open) - 1; i >= 0; i-- {
		below = "/" + model.EscapeSegment(n.Segment) + below
		if n = m.open[i].node; n.Path != "" {
			return n.Path + below
		}
	}
	return m.view.Name + below
}

// node returns a node to fill in, reused if possible.
func (m *measurement) node() *Node {
	last := len(m.again) - 1
	if last < 0 {
		return new(Node)
	}
	n := m.again[last]
	m.again = m.again[:last]
	return n
}

// add adds a child to n, and reports whether it is kept.
func (n *Node) add(child *Node, least int64) bool {
	n.Where.add(child.Where)
	if child.Stored == 0 || child.Stored < least {
		n.addSmall(child.Size, child.Count)
		return false
	}
	n.Stored += child.Stored
	n.Logical += child.Logical
	n.Count += child.Count
	n.Children = append(n.Children, child)
	return true
}

// addSmall adds a child that is too small for the tree, with the number of its nodes.
func (n *Node) addSmall(s Size, count int64) {
	n.Stored += s.Stored
	n.Logical += s.Logical
	n.Count += count
	n.Smaller++
	n.Small.Stored += s.Stored
	n.Small.Logical += s.Logical
}

// name sets the paths of n and its descendants.
func (n *Node) name(path string) {
	if n.Path == "" {
		n.Path = path
	}
	for _, c := range n.Children {
		c.name(n.Path + "/" + model.EscapeSegment(c.Segment))
	}
}

// free returns the parts of the layout without a node of the view.
func (m *measurement) free(d *model.Document) ([]Part, error) {
	var parts []Part
	at := make(map[string]int)
	add := func(path string, role model.Role, size int64) {
		if size == 0 {
			return
		}
		key := fmt.Sprintf("%s %d", path, role)
		if i, ok := at[key]; ok {
			parts[i].Size += size
			return
		}
		at[key] = len(parts)
		parts = append(parts, Part{path, role, size})
	}
	for _, r := range m.ledger.runs {
		if r.parent != nil {
			add(section(r.of.Owner()), model.Explained, r.stored-r.given)
		}
	}
	for _, src := range d.Sources {
		r := m.ledger.run(src)
		if r.free(0, r.size) == 0 {
			continue
		}
		p, err := d.Lookup(m.ctx, src.LayoutPath())
		if err == nil {
			err = m.freeBelow(p, r, add)
		}
		if err != nil {
			return nil, err
		}
	}
	sort.SliceStable(parts, func(i, k int) bool {
		if parts[i].Size != parts[k].Size {
			return parts[i].Size > parts[k].Size
		}
		return parts[i].Path < parts[k].Path
	})
	return parts, nil
}

// freeBelow visits the nodes of a layout with unclaimed bytes.
func (m *measurement) freeBelow(p *model.Place, r *run, add func(path string, role model.Role, size int64)) error {
	walk := model.WalkOptions{Resolve: true, Fleeting: true, Progress: m.opt.Progress}
	return model.Walk(m.ctx, p, walk, func(p *model.Place) error {
		s := p.Node.Span()
		if s.Source == nil || !s.Source.Same(r.of) || s.Mask != 0 {
			return nil
		}
		free := r.free(s.Off, s.End())
		if free == 0 {
			return model.ErrSkip
		}
		if n, exact := p.Len(m.ctx); !p.Node.Elements && (n > 0 || !exact) && !p.Node.IsPending() && !bitFields(m.ctx, p) {
			return nil
		}
		add(section(p.Path()), p.Node.Role, free)
		return model.ErrSkip
	})
}

// bitFields reports whether the children are parts of the node's bytes.
func bitFields(ctx context.Context, p *model.Place) bool {
	if n, _ := p.Len(ctx); n == 0 {
		return false
	}
	first := p.Node.Children.At(ctx, 0)
	return first.Span().Mask != 0
}

// section returns the first level of a layout path.
func section(path string) string {
	parts := strings.SplitN(path, "/", 3)
	return strings.Join(parts[:min(len(parts), 2)], "/")
}
