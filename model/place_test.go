package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestEscapeRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	alphabet := []byte("aZ0%/#@~[]. \x00\x1f\x7f\x80\xff:\n")
	for range 20_000 {
		b := make([]byte, rng.IntN(12))
		for i := range b {
			b[i] = alphabet[rng.IntN(len(alphabet))]
		}
		name := string(b)
		seg := EscapeSegment(name)
		if strings.ContainsAny(seg, "/#\n\x00\x1f\x7f") {
			t.Fatalf("%q is written as %q", name, seg)
		}
		if back := UnescapeSegment(seg); back != name {
			t.Fatalf("%q is written as %q, which reads as %q", name, seg, back)
		}
	}
}

func TestUnescapeLoosely(t *testing.T) {
	for seg, want := range map[string]string{
		"": "", "%": "%", "%4": "%4", "%zz": "%zz", "100%": "100%", "%41": "A", "%2f": "/", "%2F%2": "/%2", "%%41": "%A",
	} {
		if got := UnescapeSegment(seg); got != want {
			t.Errorf("%q reads as %q, want %q", seg, got, want)
		}
	}
}

// tree is a document with odd names: a/b, a, a again, one with a derived source, and one named like a derivation.
func tree() *Document {
	src := NewFileSource("tree", BytesReader("0123456789"))
	derived := func(owner string) []*Derivation {
		return []*Derivation{{Name: "in", Open: func(context.Context) (*Source, Node, error) {
			d := Derive(owner, "in", "in", BytesReader("abc"), Origin{Parent: src, Spans: []Span{src.Span(3, 3)}})
			return d, Node{Name: "in", Spans: []Span{d.Whole()}, Children: NewList(Node{Name: "x#", Spans: []Span{d.Whole()}})}, nil
		}}}
	}
	list := NewList(
		Node{Name: "a/b", Spans: []Span{src.Span(0, 1)}},
		Node{Name: "a", Spans: []Span{src.Span(1, 1)}},
		Node{Name: "a", Spans: []Span{src.Span(2, 1)}},
		Node{Name: "z", Spans: []Span{src.Span(3, 3)}, Derived: derived("layout/z")},
		Node{Name: "who@where", Spans: []Span{src.Span(6, 4)}},
	)
	lazy := NewLazy(func(context.Context, Progress) (Children, error) { return list, nil })
	return &Document{
		Sources: []*Source{src},
		Views: []*View{{Name: LayoutView, Of: src, Root: func(context.Context) Node {
			return Node{Name: "root", Spans: []Span{src.Whole()}, Children: lazy, Derived: derived("layout")}
		}}},
	}
}

func TestLookup(t *testing.T) {
	for _, path := range []string{
		"layout", "layout/a%2Fb", "layout/a", "layout/a~2", "layout/z", "layout/z@in", "layout/z@in/x%23",
		"layout/who@where", "layout@in", "layout@in/x%23",
	} {
		doc := tree()
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if p.Path() != path {
			t.Errorf("%s leads to %s", path, p.Path())
		}
		segments := p.Segments()
		if segments[0].Parent != nil || segments[len(segments)-1] != p {
			t.Errorf("%s has %d segments", path, len(segments))
		}
	}
}

func TestLookupSaysHowFarItCame(t *testing.T) {
	for path, found := range map[string]string{
		"scene": "", "scene/a": "", "": "", "layout/b": "layout", "layout/z/y": "layout/z", "layout/z@out": "layout",
		"layout/z@in/x": "layout/z@in", "layout@out": "layout", "layout//a": "layout",
	} {
		_, err := tree().Lookup(t.Context(), path)
		var e *ErrNoNode
		if !errors.As(err, &e) || e.Path != path || e.Found != found || e.Error() == "" {
			t.Errorf("%q: %v, want it to lead as far as %q", path, err, found)
		}
	}
}

func TestLookupIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	doc := tree()
	doc.Views[0].Root = func(context.Context) Node {
		return Node{Name: "root", Children: NewLazy(func(ctx context.Context, _ Progress) (Children, error) { return nil, ctx.Err() })}
	}
	if _, err := doc.Lookup(ctx, "layout/a"); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled lookup: %v", err)
	}
}

func TestSourceByName(t *testing.T) {
	doc := tree()
	for _, name := range []string{"file", "layout/z@in", "layout@in"} {
		if s, err := doc.SourceByName(t.Context(), name); err != nil || s.Name() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"layout/a", "layout/z@out", "nothing"} {
		if s, err := doc.SourceByName(t.Context(), name); err == nil {
			t.Errorf("%s is the source %s", name, s.Name())
		}
	}
}

func TestAt(t *testing.T) {
	doc := tree()
	src := doc.Source()
	if p, final := doc.At(t.Context(), src, 4); p.Path() != "layout" || final {
		t.Errorf("before it is resolved: %s, %t", p.Path(), final)
	}
	for off, want := range []string{"a%2Fb", "a", "a~2", "z", "z", "z", "who@where"} {
		p, err := doc.ResolveAt(t.Context(), src, int64(off), nil)
		if err != nil || p.Path() != "layout/"+want {
			t.Errorf("byte %d: %v, %v", off, p, err)
		}
		if now, final := doc.At(t.Context(), src, int64(off)); !final || now.Path() != p.Path() {
			t.Errorf("byte %d at once: %s, %t", off, now.Path(), final)
		}
	}
	for _, off := range []int64{-1, 10, 1 << 60} {
		if p, _ := doc.At(t.Context(), src, off); p != nil {
			t.Errorf("byte %d is in %s", off, p.Path())
		}
		if p, err := doc.ResolveAt(t.Context(), src, off, nil); p != nil || err != nil {
			t.Errorf("byte %d: %v, %v", off, p, err)
		}
	}
	other := NewFileSource("other", BytesReader("0123456789"))
	if p, _ := doc.At(t.Context(), other, 3); p != nil {
		t.Errorf("a byte of another document is in %s", p.Path())
	}
}

// TestResolveElsewhere: a place that was made while its node was pending shows what is known once another place has
// resolved it.
func TestResolveElsewhere(t *testing.T) {
	lazy := NewLazy(func(context.Context, Progress) (Children, error) { return NewList(Node{Name: "a"}), nil })
	v := View{Name: "scene", Root: func(context.Context) Node {
		n := Node{Name: "root", Children: lazy}
		if lazy.Resolved() != nil {
			n.Brief = "1 child"
		}
		return n
	}}
	early, late, shown := v.Place(t.Context()), v.Place(t.Context()), v.Place(t.Context())
	if shown.Fresh(t.Context()) != shown {
		t.Error("a pending node is made again")
	}
	for _, p := range []*Place{late, early} {
		if err := p.Resolve(context.Background(), nil); err != nil || p.Node.Brief != "1 child" {
			t.Errorf("after Resolve the node says %q, %v", p.Node.Brief, err)
		}
	}
	if fresh := shown.Fresh(t.Context()); fresh.Node.Brief != "1 child" || shown.Node.Brief != "" || fresh.Fresh(t.Context()) != fresh {
		t.Errorf("made again the node says %q, and the old one %q", fresh.Node.Brief, shown.Node.Brief)
	}
	made := NodesMade()
	if err := early.Resolve(context.Background(), nil); err != nil || NodesMade() != made {
		t.Errorf("resolved again: %v", err)
	}
}
