package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
)

// WalkOptions control the extent of a walk.
type WalkOptions struct {
	Resolve  bool // do pending work
	Derived  bool // visit derived sources
	Elements bool // visit the elements of arrays
	// Structures visits the elements of arrays without a value, whose content is only in the elements.
	Structures bool
	// Parts visits the parts of values that are no sequences, such as the bits of a number.
	Parts bool
	Depth int // levels below the start, or 0 for all
	// Fleeting reuses places after a visit of their descendants, during which they have no value. This saves most of
	// the memory that a walk allocates. Place.Keep makes a place last.
	Fleeting bool
	// Lean places, which are Fleeting too, may lack their spans, links, cards and help until Place.Keep.
	Lean bool
	// Skip reports, before a child of a place is made, whether to skip the child and its descendants. It may be nil.
	Skip     func(of *Place, i int64) bool
	Progress Progress
}

// ErrSkip is returned by the visitor of a walk to skip the descendants of the place.
var ErrSkip = errors.New("skip what is below")

// A Visit function is called for each place of a walk, before its descendants.
type Visit func(p *Place) error

// Walk visits start and its descendants, depth first and in order: a node, then the layouts of its derived sources,
// then its children. Depth costs no recursion. A derived source that cannot be made is a problem of its owner.
func Walk(ctx context.Context, start *Place, opt WalkOptions, visit Visit) error {
	w := walker{opt: opt, visit: visit}
	if err := w.enter(ctx, start, 0); err != nil {
		return err
	}
	return w.run(ctx)
}

// WalkChildren is a Walk over the children first ≤ i < end of a place and their descendants. Depth counts from the
// place.
func WalkChildren(ctx context.Context, of *Place, first, end int64, opt WalkOptions, visit Visit) error {
	w := walker{opt: opt, visit: visit, stack: []walkFrame{{p: of, next: first, end: end, all: true}}}
	return w.run(ctx)
}

type walker struct {
	opt   WalkOptions
	visit Visit
	stack []walkFrame
	free  []*Place // for reuse
}

type walkFrame struct {
	p       *Place
	derived []*Place // roots to visit
	next    int64    // next child
	end     int64    // number of known children
	all     bool     // there are no more, or they are not visited
	depth   int
}

// closed reports whether the children of a node are elements that the walk skips.
func (o *WalkOptions) closed(n *Node) bool {
	if !n.Elements || o.Elements {
		return false
	}
	switch n.Value.(type) {
	case nil:
		return !o.Structures
	case Array, Seq, Tuple, Blob:
		return true
	}
	return !o.Parts
}

// enter visits a place and pushes it on the stack.
func (w *walker) enter(ctx context.Context, p *Place, depth int) error {
	if w.opt.Resolve {
		if err := p.Resolve(ctx, w.opt.Progress); err != nil {
			return err
		}
	}
	f := walkFrame{p: p, depth: depth, all: w.opt.closed(&p.Node)}
	deeper := w.opt.Depth == 0 || depth < w.opt.Depth
	if w.opt.Derived && deeper {
		var err error
		if f.derived, err = derive(ctx, p); err != nil {
			return err
		}
	}
	switch err := w.visit(p); {
	case errors.Is(err, ErrSkip):
	case err != nil:
		return err
	case deeper && (len(f.derived) > 0 || p.Node.Children != nil):
		p.thin()
		w.stack = append(w.stack, f)
		return nil
	}
	w.leave(p)
	return nil
}

// leave frees a place for reuse.
func (w *walker) leave(p *Place) {
	if p.fleeting {
		w.free = append(w.free, p)
	}
}

func (w *walker) run(ctx context.Context) error {
	made := int64(0)
	defer func() { nodesMade.Add(made) }()
	for steps := 0; len(w.stack) > 0; steps++ {
		if steps&255 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		f := &w.stack[len(w.stack)-1]
		switch {
		case len(f.derived) > 0:
			root := f.derived[0]
			f.derived = f.derived[1:]
			root.fleeting = w.opt.Fleeting
			if err := w.enter(ctx, root, f.depth+1); err != nil {
				return err
			}
		case f.next < f.end || f.more(ctx):
			f.next++
			if w.opt.Skip != nil && w.opt.Skip(f.p, f.next-1) {
				continue
			}
			made++
			child := w.child(ctx, f.p, f.next-1)
			if len(child.Node.Problems) > 0 && ctx.Err() != nil {
				return ctx.Err() // ctx may have caused the failure
			}
			if err := w.enter(ctx, child, f.depth+1); err != nil {
				return err
			}
		default:
			w.stack = w.stack[:len(w.stack)-1]
			w.leave(f.p)
		}
	}
	return nil
}

// child makes a child's place, reusing a free one if possible.
func (w *walker) child(ctx context.Context, p *Place, i int64) *Place {
	var child *Place
	if last := len(w.free) - 1; last >= 0 {
		child, w.free = w.free[last], w.free[:last]
	} else {
		child = new(Place)
	}
	if w.opt.Fleeting && w.opt.Lean {
		child.place(p, Lean(ctx, p.Node.Children, i), i)
		child.bare = true
	} else {
		child.place(p, p.Node.Children.At(ctx, i), i)
	}
	child.fleeting = w.opt.Fleeting
	return child
}

// more counts the children that the walk visits, and reports whether some are left.
func (f *walkFrame) more(ctx context.Context) bool {
	if f.all {
		return false
	}
	f.end, f.all = f.p.Len(ctx)
	return f.next < f.end
}

// derive opens the derivations of a place. A failure becomes a problem of the place's node.
func derive(ctx context.Context, p *Place) ([]*Place, error) {
	var roots []*Place
	for k := range p.Node.Derived {
		root, err := p.Derive(ctx, k)
		switch {
		case err == nil:
			roots = append(roots, root)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		default:
			// Copy the slice, which may belong to the decoder.
			p.Node.Problems = append(p.Node.Problems[:len(p.Node.Problems):len(p.Node.Problems)],
				AsProblem(err, "source.derive", p.Node.Span()))
		}
	}
	return roots, nil
}

// Coverage counts the bytes of a source by the role of their leaves. The five counts between Size and Shared sum to
// Size; Shared is a part of Explained.
type Coverage struct {
	Source                                             *Source
	Size                                               int64
	Explained, Padding, Unreferenced, Unknown, Pending int64
	Shared                                             int64
}

// Sum returns the number of bytes of all leaves.
func (c *Coverage) Sum() int64 {
	return c.Explained + c.Padding + c.Unreferenced + c.Unknown + c.Pending
}

// Add adds the counts of o to c, but for Size.
func (c *Coverage) Add(o *Coverage) {
	c.Explained += o.Explained
	c.Padding += o.Padding
	c.Unreferenced += o.Unreferenced
	c.Unknown += o.Unknown
	c.Pending += o.Pending
	c.Shared += o.Shared
}

// A LocatedProblem is a problem with the path of its node.
type LocatedProblem struct {
	Path   string
	Member string // the member of a package that path and place are in, or ""
	Layer  string // the First of a package if the path is in one of its views, or ""
	Problem
}

// Where returns the path of the node, after its member: "[a.usdc]#layout/header".
func (p *LocatedProblem) Where() string {
	in := cmp.Or(p.Member, p.Layer)
	if in == "" {
		return p.Path
	}
	return "[" + in + "]#" + p.Path
}

// Locate returns a problem at a node of the document.
func (d *Document) Locate(path string, p Problem) LocatedProblem {
	located := LocatedProblem{Path: path, Problem: p}
	if view, _, _ := strings.Cut(path, "/"); view != LayoutView && !strings.HasPrefix(view, LayoutView+"@") {
		located.Layer = d.First
	}
	return located
}

// A LocatedSpan is a range with the path of its node.
type LocatedSpan struct {
	Path string
	Span
}

// maxUnreferenced is the most ranges that a report lists.
const maxUnreferenced = 10_000

// A Report holds the findings of Check.
type Report struct {
	Problems []LocatedProblem
	Coverage []*Coverage
	// Unreferenced are the first maxUnreferenced ranges that nothing refers to, in the order of the walk.
	Unreferenced []LocatedSpan
	// Surveyed counts the nodes whose Survey covered all descendants.
	Surveyed int
	// Tiling lists overlaps and gaps of leaves: faults of the decoder, not of the file.
	Tiling []string
	// Members counts the members of a package that were checked too. Only their problems are part of this report.
	Members int
}

// Sound reports whether no problem is an error.
func (r *Report) Sound() bool { return r.Worst() < Error }

// Worst returns the highest severity of the problems, or Note without any.
func (r *Report) Worst() Severity {
	worst := Note
	for i := range r.Problems {
		worst = max(worst, r.Problems[i].Kind.Severity())
	}
	return worst
}

// CheckAll walks the layout with all derived sources, resolves everything, runs the format's own checks, and does the
// same for the Members. It returns all problems and the coverage of every source. When ctx ends it returns the findings
// so far.
func (d *Document) CheckAll(ctx context.Context, progress Progress) (*Report, error) {
	return d.CheckFound(ctx, progress, nil)
}

// CheckFound is like CheckAll but also reports each problem when it is found, on the goroutine of its caller.
func (d *Document) CheckFound(ctx context.Context, progress Progress, found func(LocatedProblem)) (*Report, error) {
	return d.CheckWith(ctx, progress, CheckOptions{Found: found})
}

// CheckOptions control a check.
type CheckOptions struct {
	Found  func(LocatedProblem) // called for each problem when it is found, or nil
	NoData bool                 // leave out CheckData
	Root   bool                 // the document is one that is opened by itself

	each bool // visit every node
}

// CheckWith is like CheckAll with options.
func (d *Document) CheckWith(ctx context.Context, progress Progress, opt CheckOptions) (*Report, error) {
	r, err := d.survey(ctx, WalkOptions{Resolve: true, Derived: true, Progress: progress}, opt)
	if err == nil {
		opt.Root = false
		err = d.checkMembers(ctx, r, progress, opt)
	}
	return r, err
}

// CheckEach is like CheckAll but visits every node and does not use Survey. Both find the same.
func (d *Document) CheckEach(ctx context.Context, progress Progress) (*Report, error) {
	return d.CheckWith(ctx, progress, CheckOptions{each: true})
}

// Known returns the problems of all decoded nodes, without pending work or derived sources.
func (d *Document) Known(ctx context.Context) (*Report, error) {
	return d.survey(ctx, WalkOptions{}, CheckOptions{each: true})
}

// Limits returns the limits of this program that were exceeded in the Tables: the document lacks everything beyond.
func (d *Document) Limits(ctx context.Context) (exceeded []LocatedProblem, err error) {
	const long = 64
	for _, path := range d.Tables {
		p, missing := d.Lookup(ctx, path)
		if missing != nil {
			continue // a problem of the file
		}
		err := Walk(ctx, p, WalkOptions{Resolve: true}, func(p *Place) error {
			for _, problem := range p.Node.Problems {
				if problem.Kind == Limit {
					exceeded = append(exceeded, LocatedProblem{Path: p.Path(), Problem: problem})
				}
			}
			if n, _ := p.Len(ctx); n > long {
				return ErrSkip
			}
			return nil
		})
		if err != nil {
			return exceeded, err
		}
	}
	return exceeded, nil
}

func (d *Document) survey(ctx context.Context, opt WalkOptions, check CheckOptions) (*Report, error) {
	s := &surveying{of: d, found: check.Found, seen: make(map[string]bool), tilers: make(map[*Source]*tiler)}
	err := Walk(ctx, d.View(LayoutView).Place(ctx), opt, func(p *Place) error {
		for _, pr := range p.Node.Problems {
			if !inMember(cmp.Or(pr.Span.Source, p.Of)) {
				s.add(p.Path(), pr)
			}
		}
		src := p.Node.Span().Source
		if src == nil {
			return nil
		}
		t := s.tiler(src)
		if isLeaf(ctx, &p.Node) {
			s.leaf(p, t)
			return nil
		}
		if check.each || len(p.Node.Derived) > 0 {
			return nil
		}
		c, plain, err := Survey(ctx, p.Node.Children, opt.Progress)
		if err != nil || !plain {
			return err
		}
		s.Surveyed++
		s.Tiling = t.part(p, &c, s.Tiling)
		return ErrSkip
	})
	s.cover(err == nil)
	if err == nil && opt.Resolve {
		err = s.runChecks(ctx, opt.Progress, check)
	}
	for _, src := range d.Sources {
		for _, p := range src.Root().unread() {
			s.add(LayoutView, p)
		}
	}
	return &s.Report, err
}

// runChecks runs the checks of the document's format.
func (s *surveying) runChecks(ctx context.Context, progress Progress, check CheckOptions) (err error) {
	d := s.of
	if d.Check != nil {
		err = d.Check(ctx, progress, s.add)
	}
	if err == nil && d.CheckData != nil && !check.NoData && s.Sound() { // of a damaged file, data may be lost
		err = d.CheckData(ctx, check.Root, progress, s.add)
	}
	return err
}

// inMember reports whether a source is a member of the document, or derived from one.
func inMember(src *Source) bool {
	for src != nil && src.Origin() != nil {
		if src.Origin().Member {
			return true
		}
		src = src.Origin().Parent
	}
	return false
}

// cover ends the coverage of each source; whole is false if the walk did not reach their ends.
func (s *surveying) cover(whole bool) {
	for _, c := range s.Coverage {
		t := s.tilers[c.Source]
		switch {
		case !whole:
			c.Pending += max(c.Size-t.end, 0)
		case t.end != c.Size:
			s.Tiling = append(s.Tiling, fmt.Sprintf("%s: leaves end at %#x, the source at %#x", c.Source.Name(), t.end, c.Size))
		}
	}
}

// surveying is an unfinished report.
type surveying struct {
	Report
	of     *Document
	found  func(LocatedProblem) // called for each problem, or nil
	seen   map[string]bool      // problems, by all their parts
	tilers map[*Source]*tiler
}

// add adds a problem, once.
func (s *surveying) add(path string, p Problem) {
	p = p.doubted(s.of.Source())
	name := ""
	if p.Span.Source != nil {
		name = p.Span.Source.Name()
	}
	key := fmt.Sprintf("%s|%s|%s|%s", p.Rule, name, p.Span, p.Message)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	located := s.of.Locate(path, p)
	s.Problems = append(s.Problems, located)
	if s.found != nil {
		s.found(located)
	}
}

func (s *surveying) leaf(p *Place, t *tiler) {
	if p.Node.Role == Unreferenced && len(s.Unreferenced) < maxUnreferenced {
		s.Unreferenced = append(s.Unreferenced, LocatedSpan{p.Path(), p.Node.Span()})
	}
	s.Tiling = t.leaf(p, s.Tiling)
}

func (s *surveying) tiler(src *Source) *tiler {
	t := s.tilers[src]
	if t == nil {
		t = &tiler{c: &Coverage{Source: src, Size: src.Size()}}
		s.tilers[src] = t
		s.Coverage = append(s.Coverage, t.c)
	}
	return t
}

func isLeaf(ctx context.Context, n *Node) bool {
	if n.Elements || n.Children == nil {
		return true
	}
	count, exact := n.Children.Len(ctx)
	return count == 0 && exact || n.IsPending()
}

// A tiler checks that the leaves of one source are in order, without gap or overlap, and sums their sizes.
type tiler struct {
	c       *Coverage
	end     int64
	pending int64 // end of the pending leaf; known nodes inside do not count
}

// part adds the leaves below p in one step.
func (t *tiler) part(p *Place, c *Coverage, faults []string) []string {
	at := p.Node.Span()
	if at.Off != t.end || c.Sum() != at.Len {
		faults = append(faults, fmt.Sprintf("%s: %d bytes below it at %s, leaves before it end at %#x", p.Path(), c.Sum(), at, t.end))
	}
	t.end = at.End()
	t.c.Add(c)
	return faults
}

func (t *tiler) leaf(p *Place, faults []string) []string {
	n := &p.Node
	for _, s := range n.Spans {
		if s.Source != t.c.Source || s.Mask != 0 && s.Off+s.Len == t.end {
			continue // a part of the same bytes
		}
		if s.End() <= t.pending {
			continue
		}
		if s.Mask != 0 && s.Off == t.end-1 {
			s.Off, s.Len = t.end, s.Len-1 // its first byte has bits of the previous field
		}
		if s.Off != t.end {
			faults = append(faults, fmt.Sprintf("%s: leaf at %s, leaves before it end at %#x", p.Path(), s, t.end))
		}
		t.end = s.End()
		switch {
		case n.IsPending():
			t.c.Pending += s.Len
			t.pending = t.end
		case n.Role == Padding:
			t.c.Padding += s.Len
		case n.Role == Unreferenced:
			t.c.Unreferenced += s.Len
		case n.Role == Unknown:
			t.c.Unknown += s.Len
		default:
			t.c.Explained += s.Len
			if n.Shared {
				t.c.Shared += s.Len
			}
		}
	}
	return faults
}
