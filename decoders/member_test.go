package decoders

import (
	"context"
	"testing"

	"cutaway/model"
)

// TestCheckMembers: the members of a package and theirs are checked, each once, and a package that has more members than anyone
// would wait for ends in a limit.
func TestCheckMembers(t *testing.T) {
	var box func(depth, members int) *model.Document
	box = func(depth, members int) *model.Document {
		src := fileSource("aaa")
		broken := model.Node{Name: "layout", Spans: []model.Span{src.Whole()},
			Problems: []model.Problem{model.Problemf(model.Malformed, "box.broken", src.Whole(), "broken")}}
		doc := &model.Document{Format: "box", Name: "box", Title: "a box", Sources: []*model.Source{src}}
		doc.Views = []*model.View{{Name: model.LayoutView, Root: func(context.Context) model.Node { return broken }, Of: src}}
		if depth > 0 {
			for range members {
				doc.Members = append(doc.Members, "in")
			}
			doc.Member = func(context.Context, string) (*model.Document, error) { return box(depth-1, members), nil }
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
		var found []model.LocatedProblem
		n, err := CheckMembers(t.Context(), box(test.depth, test.members), "", nil, func(p model.LocatedProblem) { found = append(found, p) })
		if err != nil || n != test.checked {
			t.Errorf("%d deep: %d members checked, not %d, %v", test.depth, n, test.checked, err)
			continue
		}
		if last := found[len(found)-1]; last.Member != test.last || (last.Kind == model.Limit) != test.limit || len(found) < n {
			t.Errorf("%d deep: %d problems, the last %+v", test.depth, len(found), last)
		}
	}
}
