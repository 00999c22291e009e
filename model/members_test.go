package model

import (
	"context"
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
