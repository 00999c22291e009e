package nodes_test

import (
	"testing"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/nodes"
)

// TestFold: the rows of a tree whose fields are folded are all nodes of the view, each once and in a row of its own, but for a
// default whose elements are in its attribute's place; the way to a node leads through these rows.
func TestFold(t *testing.T) {
	doc, err := decoders.OpenFile(t.Context(), "../../assets/sample.usdc", decoders.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	view := doc.View("scene")
	data := &nodes.Data{Ctx: t.Context(), View: view, Marks: &nodes.Marks{}}
	shown, folded := map[string]bool{}, 0
	var visit func(it *nodes.Item)
	visit = func(it *nodes.Item) {
		n, _ := data.Count(it)
		for i := range n {
			below := data.Child(it, i).(*nodes.Item)
			if below.Path() == it.Path() || below.Path() == it.Place.Path() { // the row of fields
				folded++
				if i != n-1 {
					t.Errorf("%s: its fields are in row %d of %d", it.Path(), i, n)
				}
			} else if shown[below.Path()] {
				t.Errorf("%s is shown twice", below.Path())
			}
			shown[below.Path()] = true
			visit(below)
		}
	}
	root, err := data.Root().(*nodes.Item).Decode(t.Context(), nil) // the scene is pending
	if err != nil {
		t.Fatal(err)
	}
	visit(nodes.ItemOf(root))
	if folded < 10 {
		t.Errorf("the fields of %d specs are folded", folded)
	}
	err = model.Walk(t.Context(), root, model.WalkOptions{Elements: true}, func(p *model.Place) error {
		if p.Parent != nil && !shown[p.Path()] {
			t.Errorf("%s has no row", p.Path())
		}
		for k := range p.Segments() { // in a filtered tree the way may begin below any node
			for _, step := range data.WayFrom(p.Segments(), k) {
				if step.Index < 0 {
					t.Fatalf("the way to %s leads to row %d", p.Path(), step.Index)
				}
			}
		}
		at := nodes.ItemOf(root)
		for _, step := range data.Way(p)[1:] {
			if n, _ := data.Count(at); step.Index >= n {
				t.Fatalf("the way to %s leads to row %d of %d below %s", p.Path(), step.Index, n, at.Path())
			}
			next := data.Child(at, step.Index).(*nodes.Item)
			if next.Path() != step.Item.(*nodes.Item).Path() {
				t.Fatalf("the way to %s leads to %s, which is %s", p.Path(), step.Item.(*nodes.Item).Path(), next.Path())
			}
			at = next
		}
		if at.Path() != p.Path() {
			t.Errorf("the way to %s ends at %s", p.Path(), at.Path())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
