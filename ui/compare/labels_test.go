package compare

import (
	"context"
	"slices"
	"testing"

	"cutaway/model"
)

// TestRowsShowNames: rows show names as the file has them, where paths have segments; a derived source is in the row of its owner.
func TestRowsShowNames(t *testing.T) {
	src := model.NewFileSource("file", model.BytesReader([]byte("x")))
	inner := model.NewSource("inner", "inner", "layout/a~2@inner", model.BytesReader([]byte("y")))
	derived := &model.Derivation{Name: "inner", Open: func(context.Context) (*model.Source, model.Node, error) {
		return inner, model.Node{Name: "root", Spans: []model.Span{inner.Whole()}, Children: model.NewList(model.Node{})}, nil
	}}
	root := model.Node{Name: "layout", Spans: []model.Span{src.Whole()}, Children: model.NewList(
		model.Node{Name: "a"}, model.Node{Name: "a", Derived: []*model.Derivation{derived}})}
	view := &model.View{Name: "layout", Of: src, Root: func(context.Context) model.Node { return root }}
	owner := view.Place(t.Context()).Child(t.Context(), 1)
	at, err := owner.Derive(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	p := at.Child(t.Context(), 0)
	var got []string
	for _, row := range rowsOf(t.Context(), view, p, 2) {
		got = append(got, row.name)
	}
	if want := []string{"a@inner", `""`}; !slices.Equal(got, want) || p.Path() != `layout/a~2@inner/""` {
		t.Errorf("the rows of %s show %q, want %q", p.Path(), got, want)
	}
}
