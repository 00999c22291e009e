package model

import (
	"context"
	"slices"
	"testing"
)

// TestCheckMembers: the members of a package and theirs are checked, each once, and a package that has more members than anyone
// would wait for ends in a limit.
func TestCheckMembers(t *testing.T) {
	var box func(depth, members int) *Document
	box = func(depth, members int) *Document {
		src := NewFileSource("a", BytesReader([]byte("aaa")))
		broken := Node{Name: "layout", Spans: []Span{src.Whole()},
			Problems: []Problem{Problemf(Malformed, "box.broken", src.Whole(), "broken")}}
		doc := &Document{Format: "box", Name: "box", Title: "a box", Sources: []*Source{src}}
		doc.Views = []*View{{Name: LayoutView, Root: func(context.Context) Node { return broken }, Of: src}}
		if depth > 0 {
			for range members {
				doc.Members = append(doc.Members, "in")
			}
			doc.Member = func(context.Context, string) (*Document, error) { return box(depth-1, members), nil }
		}
		return doc
	}
	for _, test := range []struct {
		depth, members, checked int
		last                    string // the member of the last problem
		limit                   bool
	}{
		{1, 3, 3, "in", false}, {3, 2, 14, "in[in[in]]", false}, {16, 10, mostMembers, "", true},
	} {
		var found []LocatedProblem
		r, err := box(test.depth, test.members).CheckFound(t.Context(), nil, func(p LocatedProblem) { found = append(found, p) })
		if err != nil || r.Members != test.checked {
			t.Errorf("%d deep: %d members checked, not %d, %v", test.depth, r.Members, test.checked, err)
			continue
		}
		if last := found[len(found)-1]; last.Member != test.last || (last.Kind == Limit) != test.limit || len(found) <= r.Members || len(found) != len(r.Problems) {
			t.Errorf("%d deep: %d problems, the last %+v", test.depth, len(found), last)
		}
	}
}

// TestMemberToldOnce: what is wrong in a member is told of that, not of where its bytes lie in the package; what is in a view of the first
// layer names that.
func TestMemberToldOnce(t *testing.T) {
	broken := func(src *Source) Node {
		return Node{Name: src.LayoutPath(), Spans: []Span{src.Whole()}, Problems: []Problem{Problemf(Malformed, "box.broken", src.Whole(), "broken")}}
	}
	file := NewFileSource("box", BytesReader("abc"))
	inside := Derive("layout", "member", "in", BytesReader("abc"), Origin{Parent: file, Spans: []Span{file.Whole()}, Codec: StoredCodec, Member: true})
	layout := Node{Name: LayoutView, Spans: []Span{file.Whole()}, Derived: []*Derivation{{Name: "member", Open: func(context.Context) (*Source, Node, error) {
		n := broken(inside)
		n.Problems = append(n.Problems, Problemf(Truncated, "box.cut", file.Whole(), "its bytes in the package are cut off"))
		return inside, n, nil
	}}}}
	doc := &Document{Format: "box", Name: "box", Sources: []*Source{file}, First: "a[b]", Members: []string{"in"},
		Views: []*View{{Name: LayoutView, Of: file, Root: func(context.Context) Node { return layout }}},
		Check: func(_ context.Context, _ Progress, report func(string, Problem)) error {
			report("scene/x", Problemf(Malformed, "box.scene", file.Span(0, 1), "wrong"))
			return nil
		},
		Member: func(context.Context, string) (*Document, error) {
			alone := NewFileSource("in", BytesReader("abc"))
			return &Document{Format: "in", Name: "in", Sources: []*Source{alone}, Views: []*View{{Name: LayoutView, Of: alone,
				Root: func(context.Context) Node { return broken(alone) }}}}, nil
		}}
	r, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range r.Problems {
		got = append(got, r.Problems[i].Rule+" "+r.Problems[i].Where())
	}
	want := []string{"box.cut layout@member", "box.scene [a[b]]#scene/x", "box.broken [in]#layout"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
