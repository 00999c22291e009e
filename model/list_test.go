package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// inPaths are the segments of children.
func inPaths(ctx context.Context, c Children) []string {
	var all []string
	n, _ := c.Len(ctx)
	for i := range n {
		n := c.At(ctx, i)
		all = append(all, n.InPath())
	}
	return all
}

func TestEqualNames(t *testing.T) {
	names := []string{"a", "b", "a", "a~2", "a", "", "", "a~2", `""`}
	for _, more := range []int{0, indexedList + 1} { // short lists and indexed ones
		var nodes []Node
		for _, name := range names {
			nodes = append(nodes, Node{Name: name})
		}
		for i := range more {
			nodes = append(nodes, Node{Name: fmt.Sprint("more", i)})
		}
		l := NewList(nodes...)
		got := inPaths(t.Context(), l)[:len(names)]
		if want := []string{"a", "b", "a~2", "a~2~2", "a~3", `""`, `""~2`, "a~2~3", `""~3`}; !slices.Equal(got, want) {
			t.Errorf("with %d more: the segments are %q, want %q", more, got, want)
		}
		for i, want := range names {
			if n := l.At(t.Context(), int64(i)); n.Name != want || n.Segment == want {
				t.Errorf("with %d more: child %d is named %q, with the segment %q, want %q", more, i, n.Name, n.Segment, want)
			}
		}
	}
}

// TestNamedKeepsThePath: a node that was called by its segment gets its name, and again where that is the same.
func TestNamedKeepsThePath(t *testing.T) {
	n := Node{Name: "a~2"}.Named("a")
	if n.Name != "a" || n.InPath() != "a~2" || n.PathUnder("view/b") != "view/b/a~2" {
		t.Errorf("named %q, in paths %q", n.Name, n.InPath())
	}
	if n = n.Named("a~2"); n.Segment != "" || n.InPath() != "a~2" {
		t.Errorf("named %q, in paths %q, with the segment %q", n.Name, n.InPath(), n.Segment)
	}
	if n = (Node{Name: NoName}).Named(""); n.Name != "" || n.PathUnder("v") != `v/""` || n.Label() != `""` {
		t.Errorf("named %q, in paths %q", n.Name, n.InPath())
	}
}

func TestSegmentsAreUniqueAndFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	pool := []string{"a", "a~2", "a~2~2", "b", "[1]", "a~3", "", `""`, `""~2`}
	for range 300 {
		var nodes []Node
		for range rng.IntN(60) {
			nodes = append(nodes, Node{Name: pool[rng.IntN(len(pool))]})
		}
		l := NewList(nodes...)
		seen := make(map[string]bool)
		var own Segments
		for i, segment := range inPaths(t.Context(), l) {
			if seen[segment] {
				t.Fatalf("%q twice in %q", segment, inPaths(t.Context(), l))
			}
			seen[segment] = true
			if k, ok := IndexOf(t.Context(), l, segment); !ok || k != int64(i) {
				t.Fatalf("%q is found at %d, %t, not %d", segment, k, ok, i)
			}
			if got := own.Add(l.At(t.Context(), int64(i)).Name); got != segment {
				t.Fatalf("segment %d is %q alone, %q in a list", i, got, segment)
			}
		}
		if _, ok := IndexOf(t.Context(), l, "none"); ok {
			t.Fatal("a name that is not there is found")
		}
	}
}

// TestManyEqualNames: naming them takes a step for each; the square of that would take longer than any test may.
func TestManyEqualNames(t *testing.T) {
	l := NewList(make([]Node, 500_000)...)
	if n := l.At(t.Context(), 499_999); n.InPath() != `""~500000` {
		t.Errorf("the last has the segment %q", n.InPath())
	}
}

// linear is Locate without any cleverness.
func linear(ctx context.Context, c Children, src *Source, off int64) (int64, bool) {
	n, _ := c.Len(ctx)
	for i := range n {
		if spans := c.At(ctx, i).Spans; len(spans) > 0 && spans[0].Covers(src, off) {
			return i, true
		}
	}
	return 0, false
}

func TestLocateAgreesWithLinearSearch(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	src := NewFileSource("x", BytesReader(make([]byte, 4096)))
	for range 300 {
		var nodes []Node
		off := int64(rng.IntN(5))
		for range rng.IntN(80) {
			switch rng.IntN(6) {
			case 0: // no span
				nodes = append(nodes, Node{})
			case 1: // no bytes
				nodes = append(nodes, Node{Spans: []Span{src.Span(off, 0)}})
			case 2: // a gap before it
				off += int64(rng.IntN(4))
				fallthrough
			default:
				length := int64(1 + rng.IntN(9))
				nodes = append(nodes, Node{Spans: []Span{src.Span(off, length)}})
				off += length
			}
		}
		list := NewList(slices.Clone(nodes)...)
		rows := &Rows{Count: int64(len(nodes)), Make: func(_ context.Context, i int64) Node { return nodes[i] }}
		for at := int64(-1); at < off+3; at++ {
			want, found := linear(t.Context(), list, src, at)
			for _, c := range []Children{list, rows} {
				if got, ok := Locate(t.Context(), c, src, at); ok != found || got != want {
					t.Fatalf("byte %d of %d nodes: %d, %t, want %d, %t", at, len(nodes), got, ok, want, found)
				}
			}
		}
	}
}

func TestFixedRows(t *testing.T) {
	src := NewFileSource("x", BytesReader(make([]byte, 100)))
	rows := FixedRows(src, 10, 7, 5, func(_ context.Context, i int64) Node {
		return Node{Name: IndexName(i), Spans: []Span{src.Span(10+7*i, 7)}}
	})
	for off := int64(-5); off < 60; off++ {
		want, found := linear(t.Context(), rows, src, off)
		if got, ok := Locate(t.Context(), rows, src, off); ok != found || got != want {
			t.Errorf("byte %d: %d, %t, want %d, %t", off, got, ok, want, found)
		}
	}
	if _, ok := Locate(t.Context(), rows, NewFileSource("y", BytesReader(nil)), 12); ok {
		t.Error("rows hold a byte of another source")
	}
}

func TestRowsByName(t *testing.T) {
	const count = 1_000_000
	numbered := &Rows{Count: count, Make: func(_ context.Context, i int64) Node { return Node{Name: IndexName(i)} }}
	before := NodesMade()
	for name, want := range map[string]int64{"[0]": 0, "[999999]": 999999, "[1000000]": -1, "[-1]": -1, "[01]": -1, "x": -1} {
		if i, ok := IndexOf(t.Context(), numbered, name); ok != (want >= 0) || ok && i != want {
			t.Errorf("%s is found at %d, %t", name, i, ok)
		}
	}
	if made := NodesMade() - before; made > 12 {
		t.Errorf("%d nodes made to find six names", made)
	}
	named := &Rows{Count: 3, Make: func(_ context.Context, i int64) Node { return Node{Name: string(rune('a' + i))} }}
	if i, ok := IndexOf(t.Context(), named, "c"); !ok || i != 2 {
		t.Errorf("c is found at %d, %t", i, ok)
	}
	asked := ""
	named.ByName = func(_ context.Context, name string) (int64, bool) { asked = name; return 1, true }
	if i, ok := IndexOf(t.Context(), named, "b"); !ok || i != 1 || asked != "b" {
		t.Errorf("Find is not asked: %d, %t, %q", i, ok, asked)
	}
}

func TestParseIndex(t *testing.T) {
	for name, want := range map[string]int64{
		"[0]": 0, "[12]": 12, "[9223372036854775807]": 1<<63 - 1, "[9223372036854775808]": -1, "[]": -1, "[-1]": -1,
		"[+1]": -1, "[01]": -1, "0": -1, "[1": -1, "": -1, "[ 1]": -1, "[1]~2": -1,
	} {
		if i, ok := ParseIndex(name); ok != (want >= 0) || ok && i != want {
			t.Errorf("%q reads as %d, %t", name, i, ok)
		}
	}
}
