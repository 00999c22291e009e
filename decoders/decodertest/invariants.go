package decodertest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

// Limits of samples, which keep the invariants fast on large files.
const (
	maxWalked   = 100_000 // places of a view that are walked
	maxSampled  = 1_500   // paths that are looked up, and bytes of a source
	maxSiblings = 20_000  // children whose names are compared
	maxInverse  = 150     // refs whose inverse is checked
)

// sample returns a limit, which a short test divides by ten: it only looks for races.
func sample(bound int) int {
	if testing.Short() {
		return bound / 10
	}
	return bound
}

// Invariants checks the laws of every decoded file: layouts tile, paths resolve to their nodes, bytes to their leaves,
// refs to their targets and back. Spans lie inside their sources, siblings have different names, rules are listed, and
// the tree does not depend on the order of decoding. openDoc opens the file anew on each call. Exceptions name targets
// of refs whose inverse the format does not keep. A short test, for the race detector, skips larger files.
func Invariants(t testing.TB, f *model.Format, openDoc func() *model.Document, exceptions ...Exception) {
	t.Helper()
	ctx := t.Context()
	eager := openDoc()
	if testing.Short() && eager.Source().Size() > smallFile/4 {
		return
	}
	report, err := examine(ctx, eager)
	if err != nil {
		t.Fatal(err)
	}
	rules(t, f, eager, report)
	sampled := make(map[string]string) // path to description
	for _, v := range eager.Views {
		walkView(t, eager, v, sampled, report.Sound(), exceptions)
		names(t, eager, v)
	}
	leaves(t, eager)
	pieces(t, openDoc(), sampled)
}

func rules(t testing.TB, f *model.Format, doc *model.Document, r *model.Report) {
	t.Helper()
	for i := range r.Problems {
		rule := r.Problems[i].Rule
		if doc.Member != nil && !strings.HasPrefix(rule, f.Name+".") {
			continue // of a member, whose format lists it
		}
		listed := slices.ContainsFunc(f.Rules, func(r model.Rule) bool { return r.ID == rule && r.Help != "" })
		if !listed && !strings.HasPrefix(rule, "source.") {
			t.Errorf("%s: the rule %s is not in the format's list", r.Problems[i].Path, rule)
		}
	}
}

// names checks that an index of names visits each node once, and with a name only the nodes that have it.
func names(t testing.TB, doc *model.Document, v *model.View) {
	t.Helper()
	if v.Names == nil {
		return
	}
	find := func(rank func(string) int) (found []string) {
		err := v.Names.Each(t.Context(), nil, rank, func(_ int, node int64) bool {
			p, err := v.Place(t.Context()).Below(t.Context(), v.Names.Way(t.Context(), node))
			if err != nil || p == nil {
				t.Errorf("the index of names has a node that is nowhere: %v", err)
				return false
			}
			path := p.Path()
			if rank(p.Node.Name) < 0 && rank(strings.TrimPrefix(p.Node.Name, ".")) < 0 {
				t.Errorf("%s, named %s, is none of the nodes that the index is asked for", path, p.Node.Name)
			}
			found = append(found, path)
			return len(found) < sample(maxWalked)/10
		})
		if err != nil {
			t.Error(err)
		}
		return found
	}
	all := find(func(string) int { return 0 })
	once := slices.Compact(slices.Sorted(slices.Values(all)))
	if len(once) < len(all) {
		t.Errorf("the index of names has %d nodes, %d of them twice", len(all), len(all)-len(once))
	}
	for i := 0; i < len(all); i += 1 + len(all)/8 {
		p, _ := doc.Lookup(t.Context(), all[i])
		is := func(name string) int {
			if name == p.Node.Name {
				return 0
			}
			return -1
		}
		if !slices.Contains(find(is), all[i]) && len(all) < sample(maxWalked)/10 {
			t.Errorf("%s is not found by its name", all[i])
		}
	}
}

// lookedUp reports whether the path of a place resolves to the place, and describes it in sampled.
func lookedUp(t testing.TB, doc *model.Document, p *model.Place, sampled map[string]string) bool {
	t.Helper()
	again, err := doc.Lookup(t.Context(), p.Path())
	if err != nil {
		t.Errorf("a path that does not lead back: %v", err)
		return false
	}
	want := describe(t.Context(), p)
	if got := describe(t.Context(), again); got != want {
		t.Errorf("Lookup(%q) gives another node:\n  walked    %s\n  looked up %s", p.Path(), want, got)
	}
	sampled[p.Path()] = want
	return true
}

// walkView walks a view and checks each place. It describes a sample of the places in sampled.
func walkView(t testing.TB, doc *model.Document, v *model.View, sampled map[string]string, sound bool, exceptions []Exception) {
	t.Helper()
	var count, inverse int
	same := make(recurring)
	opt := model.WalkOptions{Resolve: true, Derived: true}
	err := model.Walk(t.Context(), v.Place(t.Context()), opt, func(p *model.Place) error {
		if count++; count > sample(maxWalked) {
			return errEnough
		}
		err := errors.Join(lookAt(t.Context(), p), siblings(t.Context(), p, v.Of != nil || v.Name == model.LayoutView, same),
			invented(t.Context(), doc, p))
		if err != nil {
			t.Error(err)
		}
		if len(p.Node.Derived) > 0 {
			p.Remake(t.Context()) // without the walk's problem of a failed derivation
		}
		places := []*model.Place{p}
		if n, _ := p.Len(t.Context()); p.Node.Elements && n > 0 {
			places = append(places, p.Child(t.Context(), 0), p.Child(t.Context(), n/2), p.Child(t.Context(), n-1))
		}
		// Sample every place of a small tree, and decreasing shares of a large one.
		if count > sample(maxSampled)/2 && count%(count/(sample(maxSampled)/4)+1) != 0 {
			return nil
		}
		for _, p := range places {
			if !lookedUp(t, doc, p, sampled) {
				continue
			}
			refs(t, doc, p, &inverse, exceptions)
			if sound {
				owned(t, doc, v, p)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Errorf("walk of %s: %v", v.Name, err)
	}
}

var numbered = regexp.MustCompile(`^(.*)~[0-9]+$`)

// invented reports a child of p whose name looks like a numbered segment and is not in the file.
func invented(ctx context.Context, doc *model.Document, p *model.Place) error {
	n, _ := p.Len(ctx)
	names := make(map[string]bool)
	for i := range min(n, int64(sample(maxSiblings))) {
		c := p.Node.Children.At(ctx, i)
		names[c.Name] = true
		plain := numbered.FindStringSubmatch(c.Name)
		if plain == nil || !names[plain[1]] && plain[1] != model.NoName {
			continue
		}
		file, err := doc.Source().Bytes(ctx, 0, doc.Source().Size())
		if err != nil {
			return err
		}
		wide := make([]byte, 2*len(c.Name)) // UTF-16, as .NET writes it
		for k := range c.Name {
			wide[2*k] = c.Name[k]
		}
		if !bytes.Contains(file, []byte(c.Name)) && !bytes.Contains(file, wide) {
			return fmt.Errorf("%s: the name %q of child %d is not in the file", p.Path(), c.Name, i)
		}
	}
	return nil
}

// A segmentSet holds the segments of siblings.
type segmentSet map[string]bool

// add adds the segment of child i of p, which must be new.
func (s segmentSet) add(p *model.Place, i int64, c *model.Node) error {
	if s[c.InPath()] || c.InPath() == "" || c.Segment != "" && c.Segment == c.Name {
		return fmt.Errorf("%s: child %d, named %q, has the segment %q, which is empty, an earlier one's or needless", p.Path(), i, c.Name, c.Segment)
	}
	s[c.InPath()] = true
	return nil
}

// siblings checks the children of p against each other, against other occurrences of recurring ones, and in a layout
// against p.
func siblings(ctx context.Context, p *model.Place, layout bool, same recurring) error {
	n, exact := p.Len(ctx)
	if !exact {
		return fmt.Errorf("%s: the number of children is not known after Resolve", p.Path())
	}
	if p.Node.Role != model.Explained && n > 0 {
		return fmt.Errorf("%s: has children, but its role is %s", p.Path(), p.Node.Role)
	}
	segments := make(segmentSet)
	fields := make(bitFields)
	for i := range min(n, int64(sample(maxSiblings))) {
		c := p.Node.Children.At(ctx, i)
		if err := cmp.Or(segments.add(p, i, &c), same.recurs(ctx, p, i, &c), lean(ctx, p, i, &c)); err != nil {
			return err
		}
		if !layout || len(c.Spans) == 0 {
			continue
		}
		s, outer := c.Span(), p.Node.Span()
		if !s.Source.Same(outer.Source) || s.Off < outer.Off || s.End() > outer.End() {
			return fmt.Errorf("%s: span %s is outside of its parent's, %s", c.PathUnder(p.Path()), s, outer)
		}
		if twice := fields.add(s); twice != 0 {
			return fmt.Errorf("%s: bits %#x belong to an earlier field too", c.PathUnder(p.Path()), twice)
		}
	}
	if p.Node.Elements {
		return nil // coded elements leave bits after their last code
	}
	return fields.complete(p)
}

// complete checks that all bits of the fields of p have an owner.
func (f bitFields) complete(p *model.Place) error {
	for s, bits := range f {
		if all := ^uint64(0) >> (64 - 8*s.Len); bits != all {
			return fmt.Errorf("%s: bits %#x of %s belong to no field", p.Path(), all&^bits, s)
		}
	}
	return nil
}

// lean checks that the Lean variant of child i of p equals whole, except for the parts that it may omit.
func lean(ctx context.Context, p *model.Place, i int64, whole *model.Node) error {
	if model.BulkOf(p.Node.Children).Lean == nil {
		return nil
	}
	text := func(n model.Node) string {
		n.Spans, n.Refs, n.Cards, n.Help, n.Shared = nil, nil, nil, "", false
		return fmt.Sprintf("%s pending=%t", describe(ctx, &model.Place{Parent: p, Node: n, Index: i}), n.IsPending())
	}
	if got, want := text(model.Lean(ctx, p.Node.Children, i)), text(*whole); got != want {
		return fmt.Errorf("a lean walk sees another node:\n  lean  %s\n  whole %s", got, want)
	}
	return nil
}

// A recurrence identifies a node that several others share: model.Recurs.
type recurrence struct {
	of any
	n  int64
}

// recurring maps the recurring nodes of a view to their descriptions.
type recurring map[recurrence]string

// recurs checks that child i of p equals its earlier occurrences.
func (r recurring) recurs(ctx context.Context, p *model.Place, i int64, whole *model.Node) error {
	of, n, count := model.Recurs(p.Node.Children, i)
	if of == nil {
		return nil
	}
	if n < 0 || n >= count {
		return fmt.Errorf("%s: child %d is number %d of %d that recur", p.Path(), i, n, count)
	}
	now := strings.TrimPrefix(describe(ctx, &model.Place{Parent: p, Node: *whole, Index: i}), p.Path())
	if before, again := r[recurrence{of, n}]; again && before != now {
		return fmt.Errorf("%s: child %d recurs, but is another node:\n  before %s\n  now    %s", p.Path(), i, before, now)
	}
	r[recurrence{of, n}] = now
	return nil
}

// bitFields maps the range of bit fields to the bits that have an owner.
type bitFields map[model.Span]uint64

// add adds the bits of a field and returns those that an earlier field has too. It ignores fields of whole bytes.
func (f bitFields) add(field model.Span) (twice uint64) {
	if field.Mask == 0 {
		return 0
	}
	mask := field.Mask
	field.Mask = 0
	twice = f[field] & mask
	f[field] |= mask
	return twice
}

// describe returns everything of a node that must not depend on how it was made.
func describe(ctx context.Context, p *model.Place) string {
	var b strings.Builder
	n := &p.Node
	count, exact := p.Len(ctx)
	fmt.Fprintf(&b, "%s %s = %s (%s)", p.Path(), n.Type, model.Show(ctx, n.Value, 400), n.Brief)
	for _, s := range n.Spans {
		fmt.Fprintf(&b, " %s/%x", nameSpan(s), s.Mask)
	}
	fmt.Fprintf(&b, " %s shared=%t elements=%t children=%d,%t", n.Role, n.Shared, n.Elements, count, exact)
	for i := range n.Problems {
		fmt.Fprintf(&b, " !%s at %s: %s", n.Problems[i].Rule, nameSpan(n.Problems[i].Span), n.Problems[i].Error())
	}
	for _, d := range n.Derived {
		fmt.Fprintf(&b, " @%s", d.Name)
	}
	if n.Refs != nil {
		for _, r := range n.Refs(ctx) {
			fmt.Fprintf(&b, " ->%s %s %s", r.Kind, r.Path, nameSpan(r.Span))
		}
	}
	return b.String()
}

func nameSpan(s model.Span) string {
	if s.Source == nil {
		return "-"
	}
	return s.Source.Name() + ":" + s.String()
}

// refs checks that the refs of p have targets, and that the inverse of those of layout nodes names p.
func refs(t testing.TB, doc *model.Document, p *model.Place, inverse *int, exceptions []Exception) {
	t.Helper()
	if p.Node.Refs == nil {
		return
	}
	for _, r := range p.Node.Refs(t.Context()) {
		if r.Path == "" {
			if r.Span.Source == nil {
				t.Errorf("%s: ref %s has neither path nor span", p.Path(), r.Kind)
			}
			continue
		}
		if _, err := doc.Lookup(t.Context(), r.Path); err != nil {
			t.Errorf("%s: ref %s leads nowhere: %v", p.Path(), r.Kind, err)
			continue
		}
		if doc.ReferencedBy == nil || !inLayout(r.Path) || excepted(exceptions, r.Path, false, false) {
			continue
		}
		if *inverse++; *inverse > sample(maxInverse) {
			continue
		}
		if err := back(t.Context(), doc, r.Path, p.Path()); err != nil {
			t.Errorf("%s: ref %s: %v", p.Path(), r.Kind, err)
		}
	}
}

// shared reports whether a has only bytes of b, or shares a byte by bits.
func shared(a, b model.Span) bool {
	return a.Source.Same(b.Source) && (a.Off >= b.Off && a.End() <= b.End() || a.Mask|b.Mask != 0 && a.Off <= b.Off && b.Off < a.End())
}

// maxListed is the most owners of a byte that are listed.
const maxListed = 100

// owned checks that the first byte of a node outside of the layout belongs to the node, a descendant or an ancestor.
// The first byte of an element must not belong to its array only.
func owned(t testing.TB, doc *model.Document, v *model.View, p *model.Place) {
	t.Helper()
	s := p.Node.Span()
	if inLayout(v.Name) || s.Source == nil || s.Len == 0 || p.Parent == nil {
		return
	}
	own := s
	s.Len = 1
	owners, n, err := doc.Owners(t.Context(), v, s, maxListed)
	if err != nil {
		t.Errorf("%s: the owners of its first byte: %v", p.Path(), err)
	}
	var paths []string
	for _, o := range owners {
		if around := isWithin(p.Path(), o.Path()) && (!p.Parent.Node.Elements || o.Path() != p.Parent.Path()); around ||
			isWithin(o.Path(), p.Path()) || slices.ContainsFunc(o.Node.Spans, func(at model.Span) bool { return shared(at, own) }) {
			return
		}
		paths = append(paths, o.Path())
	}
	if n <= maxListed {
		t.Errorf("%s: its first byte leads to %q", p.Path(), paths)
	}
}

// Limits of the search from a ref's target back to its node.
const (
	maxHops   = 5
	maxOwners = 300 // the most owners that are visited
)

// back follows the inverse of refs from target to the node at from: in one step for a layout node. A node of another
// view may depend on nodes that depend on the target.
func back(ctx context.Context, doc *model.Document, target, from string) error {
	hops := 1
	if !inLayout(from) {
		hops = maxHops
	}
	asked := map[string]bool{target: true}
	for next := []string{target}; hops > 0 && len(next) > 0; hops-- {
		var owners []string
		for _, path := range next {
			p, err := doc.Lookup(ctx, path)
			if err != nil {
				return err
			}
			refs, n, err := doc.ReferencedBy(ctx, p, 1<<20, nil)
			if err != nil {
				return fmt.Errorf("its inverse: %w", err)
			}
			if int64(len(refs)) > n {
				return fmt.Errorf("its inverse lists %d nodes, but counts %d", len(refs), n)
			}
			for _, r := range refs {
				if isWithin(from, r.Path) || isWithin(r.Path, from) {
					return nil
				}
				if !asked[r.Path] && len(asked) < maxOwners {
					asked[r.Path] = true
					owners = append(owners, r.Path)
				}
			}
		}
		next = owners
	}
	if len(asked) >= maxOwners {
		return nil // too many to visit
	}
	return fmt.Errorf("the inverse of %s does not lead back", target)
}

func inLayout(path string) bool {
	return isWithin(path, model.LayoutView) || strings.HasPrefix(path, model.LayoutView+"@")
}

// isWithin reports whether path is outer or below.
func isWithin(path, outer string) bool {
	return path == outer || strings.HasPrefix(path, outer+"/")
}

// A leaf is a leaf node of a walk, with its bytes.
type leaf struct {
	path string
	span model.Span
}

// leaves checks that every byte resolves to the leaf that a walk finds.
func leaves(t testing.TB, doc *model.Document) {
	t.Helper()
	bySource := make(map[string][]leaf)
	var names []string
	count := 0
	opt := model.WalkOptions{Resolve: true, Derived: true}
	err := model.Walk(t.Context(), doc.View(model.LayoutView).Place(t.Context()), opt, func(p *model.Place) error {
		if count++; count > sample(maxWalked) {
			return errEnough
		}
		n, _ := p.Len(t.Context())
		if s := p.Node.Span(); s.Len > 0 && (n == 0 || p.Node.Elements) {
			name := s.Source.Name()
			if bySource[name] == nil {
				names = append(names, name)
			}
			bySource[name] = append(bySource[name], leaf{p.Path(), s})
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Fatal(err)
	}
	for i, name := range names {
		src, err := doc.SourceByName(t.Context(), name)
		if err != nil {
			t.Errorf("source %q: %v", name, err)
			continue
		}
		all := bySource[name]
		budget := sample(maxSampled) / min(i+1, 50)
		for k := 0; k < len(all); k += len(all)/budget + 1 {
			checkLeaf(t, doc, src, all[k])
		}
	}
}

// checkLeaf checks the first, middle and last byte of a leaf.
func checkLeaf(t testing.TB, doc *model.Document, src *model.Source, l leaf) {
	t.Helper()
	for _, off := range []int64{l.span.Off, l.span.Off + l.span.Len/2, l.span.End() - 1} {
		p, err := doc.ResolveAt(t.Context(), src, off, nil)
		if err != nil || p == nil {
			t.Errorf("%s: no node over byte %#x: %v", l.path, off, err)
			return
		}
		at := p.Path()
		field := l.span.Mask != 0 && p.Node.Span().Mask != 0 && p.Node.Span().Off == l.span.Off
		if !isWithin(at, l.path) && !field {
			t.Errorf("byte %#x of %s: the walk saw %s over it, At finds %s", off, src.Name(), l.path, at)
			return
		}
		if now, final := doc.At(t.Context(), src, off); now == nil || !final || now.Path() != at {
			t.Errorf("byte %#x of %s: At gives another answer than ResolveAt, %s", off, src.Name(), at)
		}
	}
}

// pieces looks up the sample in random order in a document that was not decoded yet.
func pieces(t testing.TB, lazy *model.Document, sampled map[string]string) {
	t.Helper()
	var paths []string
	for path := range sampled {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
	for _, path := range paths {
		p, err := lookupResolved(t.Context(), lazy, path)
		if err != nil {
			t.Errorf("decoded piece by piece: %v", err)
			continue
		}
		if got := describe(t.Context(), p); got != sampled[path] {
			t.Errorf("another node when decoded piece by piece:\n  at once  %s\n  by piece %s", sampled[path], got)
		}
	}
}

func lookupResolved(ctx context.Context, doc *model.Document, path string) (*model.Place, error) {
	p, err := doc.Lookup(ctx, path)
	if err != nil {
		return nil, err
	}
	return p, p.Resolve(ctx, nil)
}
