package model

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// small is a tree of ten bytes: a group of two, an array of four elements, a pending part with two leaves, and a
// leaf with a derived source of two leaves.
func small() *Document {
	src := NewFileSource("small", BytesReader("0123456789"))
	leaf := func(name string, s *Source, off, length int64) Node {
		return Node{Name: name, Spans: []Span{s.Span(off, length)}}
	}
	lazy := NewLazy(func(context.Context, Progress) (Children, error) {
		return NewList(leaf("e", src, 6, 1), leaf("f", src, 7, 1)), nil
	})
	list := NewList(
		Node{Name: "a", Spans: []Span{src.Span(0, 2)}, Children: NewList(leaf("b", src, 0, 1), leaf("c", src, 1, 1))},
		Node{Name: "array", Spans: []Span{src.Span(2, 4)}, Elements: true,
			Children: FixedRows(src, 2, 1, 4, func(_ context.Context, i int64) Node { return leaf(IndexName(i), src, 2+i, 1) })},
		Node{Name: "d", Spans: []Span{src.Span(6, 2)}, Children: lazy},
		Node{Name: "g", Spans: []Span{src.Span(8, 2)}, Derived: []*Derivation{{Name: "in", Title: "in", Open: func(context.Context) (*Source, Node, error) {
			d := Derive("layout/g", "in", "in", BytesReader("abc"), Origin{Parent: src, Spans: []Span{src.Span(8, 2)}})
			return d, Node{Name: "in", Spans: []Span{d.Whole()}, Children: NewList(leaf("h", d, 0, 1), leaf("i", d, 1, 2))}, nil
		}}}},
	)
	return &Document{Sources: []*Source{src}, Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
		return Node{Name: "root", Spans: []Span{src.Whole()}, Children: list}
	}}}}
}

func walked(t *testing.T, opt WalkOptions, skip string) string {
	t.Helper()
	var paths []string
	err := Walk(t.Context(), small().Views[0].Place(t.Context()), opt, func(p *Place) error {
		paths = append(paths, strings.TrimPrefix(p.Path(), "layout"))
		if p.Node.Name == skip {
			return ErrSkip
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return strings.Join(paths, " ")
}

func TestWalk(t *testing.T) {
	for _, k := range []struct {
		name string
		opt  WalkOptions
		skip string
		want string
	}{
		{"known", WalkOptions{}, "", " /a /a/b /a/c /array /d /g"},
		{"resolved", WalkOptions{Resolve: true}, "", " /a /a/b /a/c /array /d /d/e /d/f /g"},
		{"derived", WalkOptions{Derived: true}, "", " /a /a/b /a/c /array /d /g /g@in /g@in/h /g@in/i"},
		{"elements", WalkOptions{Elements: true}, "", " /a /a/b /a/c /array /array/[0] /array/[1] /array/[2] /array/[3] /d /g"},
		{"depth 1", WalkOptions{Depth: 1, Resolve: true, Derived: true}, "", " /a /array /d /g"},
		{"depth 2", WalkOptions{Depth: 2, Resolve: true, Derived: true}, "", " /a /a/b /a/c /array /d /d/e /d/f /g /g@in"},
		{"skip", WalkOptions{Resolve: true, Derived: true}, "a", " /a /array /d /d/e /d/f /g /g@in /g@in/h /g@in/i"},
		{"skip the root", WalkOptions{Resolve: true}, "root", ""},
	} {
		if got := walked(t, k.opt, k.skip); got != k.want {
			t.Errorf("%s: walked %q, want %q", k.name, got, k.want)
		}
	}
}

func TestWalkStops(t *testing.T) {
	stop := errors.New("stop")
	count := 0
	err := Walk(t.Context(), small().Views[0].Place(t.Context()), WalkOptions{}, func(*Place) error {
		if count++; count == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || count != 3 {
		t.Errorf("stopped after %d, %v", count, err)
	}
}

func TestWalkIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	many := &Rows{Count: 1_000_000, Make: func(_ context.Context, i int64) Node { return Node{Name: IndexName(i)} }}
	count := 0
	err := Walk(ctx, newRoot("many", Node{Name: "many", Children: many}, nil, nil), WalkOptions{}, func(*Place) error {
		if count++; count == 1000 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || count > 2000 {
		t.Errorf("cancelled after 1000, walked %d, %v", count, err)
	}
}

func TestFailedDerivationIsAProblem(t *testing.T) {
	doc := small()
	at := doc.Source().Span(0, 10)
	doc.Views[0].Root = func(context.Context) Node {
		return Node{Name: "root", Spans: []Span{at}, Derived: []*Derivation{
			{Name: "bad", Open: func(context.Context) (*Source, Node, error) { return nil, Node{}, errors.New("no stream") }},
			{Name: "worse", Open: func(context.Context) (*Source, Node, error) {
				return nil, Node{}, Problemf(Truncated, "fake.cut", at, "cut")
			}},
		}}
	}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(r.Problems) != 2 || r.Sound() {
		t.Fatalf("report %+v, %v", r, err)
	}
	if a, b := r.Problems[0], r.Problems[1]; a.Rule != "source.derive" || a.Message != "no stream" || b.Rule != "fake.cut" {
		t.Errorf("problems %v, %v", a, b)
	}
}

func TestCoverage(t *testing.T) {
	doc := small()
	known, err := doc.Known(t.Context())
	if err != nil || len(known.Tiling) > 0 || len(known.Coverage) != 1 || known.Coverage[0].Pending != 2 || known.Coverage[0].Sum() != 10 {
		t.Errorf("known: %v, %v, %+v", err, known.Tiling, known.Coverage)
	}
	all, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(all.Tiling) > 0 || len(all.Coverage) != 2 {
		t.Fatalf("all: %v, %v, %+v", err, all.Tiling, all.Coverage)
	}
	if file, in := all.Coverage[0], all.Coverage[1]; file.Explained != 10 || file.Pending != 0 || in.Explained != 3 {
		t.Errorf("coverage %+v, %+v", file, in)
	}
}

// surveyed is children that answer for all below.
type surveyed struct {
	Children
	c     Coverage
	plain bool
}

func (s *surveyed) Bulk() *BulkFuncs {
	return &BulkFuncs{Survey: func(context.Context, Children, Progress) (Coverage, bool, error) { return s.c, s.plain, nil }}
}

func TestSurvey(t *testing.T) {
	src := NewFileSource("x", BytesReader(make([]byte, 10)))
	odd := Problemf(Suspicious, "fake.odd", src.Span(0, 1), "odd")
	for _, c := range []struct {
		name              string
		explained         int64
		plain             bool
		problems, faults  int
		surveyed, padding int64
	}{
		{"plain", 6, true, 0, 0, 1, 4},
		{"not plain", 6, false, 1, 0, 0, 5},
		{"of another size", 5, true, 0, 1, 1, 4},
	} {
		inside := &surveyed{c: Coverage{Explained: c.explained, Padding: 4}, plain: c.plain, Children: NewList(
			Node{Name: "a", Spans: []Span{src.Span(0, 5)}, Problems: []Problem{odd}},
			Node{Name: "b", Spans: []Span{src.Span(5, 5)}, Role: Padding},
		)}
		later := NewLazy(func(context.Context, Progress) (Children, error) { return inside, nil })
		doc := &Document{Sources: []*Source{src}, Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
			return Node{Name: "root", Spans: []Span{src.Whole()}, Children: later}
		}}}}
		r, err := doc.CheckAll(t.Context(), nil)
		if err != nil || len(r.Problems) != c.problems || len(r.Tiling) != c.faults || int64(r.Surveyed) != c.surveyed || r.Coverage[0].Padding != c.padding {
			t.Errorf("%s: %+v, %+v, %v", c.name, r, r.Coverage[0], err)
		}
		each, err := doc.CheckEach(t.Context(), nil)
		if err != nil || len(each.Problems) != 1 || each.Surveyed != 0 || each.Coverage[0].Explained != 5 {
			t.Errorf("%s, each: %+v, %v", c.name, each, err)
		}
	}
}

func TestCheckMergesProblems(t *testing.T) {
	doc := small()
	src := doc.Source()
	odd := Problemf(Suspicious, "fake.odd", src.Span(0, 1), "odd")
	root := doc.Views[0].Root
	doc.Views[0].Root = func(ctx context.Context) Node {
		n := root(ctx)
		n.Problems = []Problem{odd, Problemf(Assumed, "fake.guess", src.Span(1, 1), "guess")}
		return n
	}
	doc.Check = func(_ context.Context, _ Progress, report func(string, Problem)) error {
		report("layout/a", odd)
		report("layout/a", Problemf(Malformed, "fake.bad", src.Span(2, 1), "bad"))
		return nil
	}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(r.Problems) != 3 || r.Worst() != Error {
		t.Errorf("report %+v, %v", r.Problems, err)
	}
	known, err := doc.Known(t.Context())
	if err != nil || len(known.Problems) != 2 || known.Worst() != Warning || !known.Sound() {
		t.Errorf("known %+v, %v", known.Problems, err)
	}
}

// TestTilerFindsFaults moves or resizes one of many leaves, which must be seen.
func TestTilerFindsFaults(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		src := NewFileSource("x", BytesReader(make([]byte, 1000)))
		var nodes []Node
		for off := int64(0); off < src.Size(); {
			length := min(int64(1+rng.IntN(200)), src.Size()-off)
			nodes = append(nodes, Node{Spans: []Span{src.Span(off, length)}, Role: Role(rng.IntN(4))})
			off += length
		}
		faults := func(nodes []Node) []string {
			doc := &Document{Sources: []*Source{src}, Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
				return Node{Name: "root", Spans: []Span{src.Whole()}, Children: NewList(slices.Clone(nodes)...)}
			}}}}
			r, err := doc.CheckAll(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return r.Tiling
		}
		if f := faults(nodes); len(f) > 0 {
			t.Fatalf("faults in a tiling: %v", f)
		}
		i := rng.IntN(len(nodes))
		bad := slices.Clone(nodes)
		span := bad[i].Spans[0]
		what := ""
		switch rng.IntN(4) {
		case 0:
			bad, what = slices.Delete(bad, i, i+1), "without"
		case 1:
			span.Len--
			what = "shorter"
		case 2:
			span.Len++
			what = "longer"
		case 3:
			span.Off++
			what = "moved"
		}
		if what != "without" {
			bad[i].Spans = []Span{span}
		}
		if f := faults(bad); len(f) == 0 {
			t.Fatalf("leaf %d of %d is %s, which is not seen", i, len(nodes), what)
		}
	}
}

func TestBitFieldsTileAsOneByte(t *testing.T) {
	src := NewFileSource("x", BytesReader("ab"))
	bit := func(name string, mask uint64) Node {
		s := src.Span(0, 1)
		s.Mask = mask
		return Node{Name: name, Spans: []Span{s}}
	}
	doc := &Document{Sources: []*Source{src}, Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
		return Node{Name: "root", Spans: []Span{src.Whole()}, Children: NewList(
			Node{Name: "flags", Spans: []Span{src.Span(0, 1)}, Children: NewList(bit("a", 3), bit("b", 4), bit("c", 0xf8))},
			Node{Name: "end", Spans: []Span{src.Span(1, 1)}})}
	}}}}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil || len(r.Tiling) > 0 || r.Coverage[0].Explained != 2 {
		t.Errorf("%v, %v, %+v", err, r.Tiling, r.Coverage[0])
	}
}

func TestRolesAreCounted(t *testing.T) {
	src := NewFileSource("x", BytesReader(make([]byte, 15)))
	var nodes []Node
	for i, role := range []Role{Explained, Padding, Unreferenced, Unknown} {
		nodes = append(nodes, Node{Name: role.String(), Role: role, Spans: []Span{src.Span(1<<i-1, 1<<i)}})
	}
	doc := &Document{Sources: []*Source{src}, Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
		return Node{Name: "root", Spans: []Span{src.Whole()}, Children: NewList(nodes...)}
	}}}}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c := r.Coverage[0]
	if got := fmt.Sprint(c.Explained, c.Padding, c.Unreferenced, c.Unknown, c.Sum()); got != "1 2 4 8 15" {
		t.Errorf("counted %s", got)
	}
}

func TestFleetingPlacesAreUsedAgainUnlessKept(t *testing.T) {
	count := func(n int64, row func(ctx context.Context, i int64) Node) Children { return &Rows{Count: n, Make: row} }
	root := Node{Name: "root", Children: count(9, func(_ context.Context, i int64) Node {
		return Node{Name: IndexName(i), Children: count(9, func(_ context.Context, k int64) Node { return Node{Name: IndexName(k), Value: Int(10*i + k)} })}
	})}
	view := &View{Name: "view", Root: func(context.Context) Node { return root }}
	paths := func(fleeting bool) (all []string, kept []*Place, places map[*Place]bool) {
		places = make(map[*Place]bool)
		err := Walk(t.Context(), view.Place(t.Context()), WalkOptions{Fleeting: fleeting}, func(p *Place) error {
			all = append(all, p.Path())
			places[p] = true
			if v, ok := p.Node.Value.(Int); ok && v%7 == 0 {
				p.Keep(t.Context())
				kept = append(kept, p)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return all, kept, places
	}
	want, _, _ := paths(false)
	got, kept, places := paths(true)
	if !slices.Equal(got, want) || len(want) != 91 {
		t.Errorf("%v, want %v", got, want)
	}
	if len(places) > 2*len(kept)+9 {
		t.Errorf("%d places are made to keep %d", len(places), len(kept))
	}
	for _, p := range kept {
		v := p.Node.Value.(Int)
		fresh := view.Place(t.Context()).Child(t.Context(), int64(v/10)).Child(t.Context(), int64(v%10))
		if p.path.Store(nil); p.Path() != fresh.Path() {
			t.Errorf("the place kept for %d is %s", v, p.Path())
		}
	}
}

// spare is nine nodes, whose help is told to those alone who ask for all of them.
type spare struct{}

func (spare) Len(context.Context) (int64, bool) { return 9, true }

func (s spare) At(_ context.Context, i int64) Node {
	n := s.lean(i)
	n.Help = "whole"
	return n
}

func (spare) lean(i int64) Node { return Node{Name: IndexName(i), Value: Int(i)} }

func (spare) Bulk() *BulkFuncs {
	return &BulkFuncs{Lean: func(_ context.Context, c Children, i int64) Node { return c.(spare).lean(i) }}
}

func TestLeanPlacesAreWholeOnceKept(t *testing.T) {
	view := &View{Name: "view", Root: func(context.Context) Node { return Node{Children: spare{}} }}
	var kept []*Place
	err := Walk(t.Context(), view.Place(t.Context()), WalkOptions{Fleeting: true, Lean: true}, func(p *Place) error {
		if v, ok := p.Node.Value.(Int); ok && v%2 == 0 {
			p.Keep(t.Context())
			kept = append(kept, p)
		} else if p.Node.Help != "" {
			t.Errorf("%s is whole", p.Path())
		}
		return nil
	})
	if err != nil || len(kept) != 5 {
		t.Fatalf("%d kept: %v", len(kept), err)
	}
	for i, p := range kept {
		if p.Node.Help != "whole" || p.Node.Value != Int(2*i) || p.Path() != "view/"+IndexName(int64(2*i)) {
			t.Errorf("kept %s: %+v", p.Path(), p.Node)
		}
	}
}

func TestWalkChildren(t *testing.T) {
	root := Node{Name: "root", Children: &Rows{Count: 5, Make: func(_ context.Context, i int64) Node {
		return Node{Name: IndexName(i), Children: NewList(Node{Name: "a"})}
	}}}
	start := (&View{Name: "view", Root: func(context.Context) Node { return root }}).Place(t.Context())
	for _, k := range []struct {
		opt  WalkOptions
		want []string
	}{
		{WalkOptions{}, []string{"view/[1]", "view/[1]/a", "view/[2]", "view/[2]/a"}},
		{WalkOptions{Depth: 1}, []string{"view/[1]", "view/[2]"}},
	} {
		var got []string
		err := WalkChildren(t.Context(), start, 1, 3, k.opt, func(p *Place) error {
			got = append(got, p.Path())
			return nil
		})
		if err != nil || !slices.Equal(got, k.want) {
			t.Errorf("%v %v, want %v", got, err, k.want)
		}
	}
}

// chain is levels nodes with a value, each the only child of the one before.
type chain struct{ levels int64 }

func (c chain) Len(context.Context) (int64, bool) { return min(c.levels, 1), true }

func (c chain) At(context.Context, int64) Node {
	return Node{Name: "level", Value: Text("value"), Children: chain{c.levels - 1}}
}

// What a walk holds of a chain of nodes grows with its depth, not with the square of it.
func TestWalkHoldsLittleOfADeepChain(t *testing.T) {
	const levels = 20_000
	start := (&View{Name: "deep", Root: func(context.Context) Node { return Node{Name: "deep", Children: chain{levels}} }}).Place(t.Context())
	visited, held := 0, 0
	err := Walk(t.Context(), start, WalkOptions{Fleeting: true}, func(p *Place) error {
		if got := strings.Count(p.Path(), "/"); got != visited {
			t.Fatalf("the path at level %d has %d segments", visited, got)
		}
		if visited++; visited <= levels {
			return nil
		}
		for at := p.Parent; at.Parent != nil; at = at.Parent {
			if at.Node.Value != nil {
				t.Fatal("a node above has its value")
			}
			if path := at.path.Load(); path != nil && len(*path) > LongPath {
				held += len(*path)
			}
		}
		p.Keep(t.Context())
		if p.Parent.Node.Value == nil {
			t.Error("a node above a place that is kept has no value")
		}
		return nil
	})
	if longest := levels * len("/level"); err != nil || held > longest*longest/LongPath {
		t.Errorf("%v; places hold %d bytes of paths, the longest has %d", err, held, longest)
	}
}
