package sizes_test

import (
	"slices"
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/tab"
	"cutaway/ui/window/windowtest"

	"cutaway/model"
	"cutaway/model/size"
	"cutaway/ui/filter"
	"cutaway/ui/nodes"
	"cutaway/ui/treeview"
)

// TestTreeSizes: a tree that tells the meaning has the sizes with all below, which add up to the file, and is sorted by them; what
// was selected and open stays.
func TestTreeSizes(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/Prototypes/Leg/.points")
		b.At(s, "scene/Prototypes/Leg/.points")
		tree := s.Pane.Trees.Tree(s.Pane.Trees.View())
		b.Until("sizes", func() bool { return s.Pane.Sizes.Tree != nil })
		root := s.Pane.Sizes.Tree.Root
		place, err := s.Pane.Doc.Lookup(t.Context(), "scene/Prototypes")
		if err != nil {
			t.Fatal(err)
		}
		if is, want := s.Pane.Sizes.Of(place), root.Find("scene/Prototypes"); is.Whole != want.Stored || is.Own != want.Own || is.Part <= 0 {
			t.Errorf("%+v, want %d and %d", is, want.Own, want.Stored)
		}
		shared := 0
		err = model.Walk(t.Context(), s.Pane.Doc.Views[0].Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
			want := root.Find(p.Path())
			if want == nil {
				want = &size.Node{}
				shared++
			}
			if p.Parent == nil { // with the rest of the file, which the line below the tree has
				want = &size.Node{Size: size.Size{Own: want.Own, Stored: s.Pane.Doc.Source().Size()}}
				if rest, known := s.Pane.Sizes.Rest(s.Pane.Trees.View()); !known || rest != want.Stored-root.Stored {
					t.Errorf("the rest of the file is %d, %v", rest, known)
				}
			}
			if is := s.Pane.Sizes.Of(p); is.Whole != want.Stored || is.Own != want.Own || is.AtMost {
				t.Errorf("%s: %+v, measured %+v", p.Path(), is, want.Size)
			}
			return nil
		})
		if err != nil || shared == 0 {
			t.Errorf("%d nodes have bytes of others, %v", shared, err)
		}
		rows := tree.Rows()
		tree.OnTitle(4) // the largest first
		b.Idle()
		if tree.Rows() != rows || s.Pane.Current().Path() != "scene/Prototypes/Leg/.points" {
			t.Errorf("%d rows of %d, at %s", tree.Rows(), rows, s.Pane.Current().Path())
		}
		if sizes := wholes(s, "scene"); len(sizes) < 2 || !slices.IsSortedFunc(sizes, func(a, b int64) int { return int(b - a) }) {
			t.Errorf("sizes %v", sizes)
		}
		s.Pane.Nav.GoTo("scene/Prototypes/Leg/.normals")
		b.Idle()
		if p := filter.PlaceOf(tree.Selection.Item()); p == nil || p.Path() != s.Pane.Current().Path() {
			t.Errorf("%v is selected", p)
		}
		tree.OnTitle(4)
		tree.OnTitle(4) // and back
		b.Idle()
		if p := filter.PlaceOf(tree.Selection.Item()); p == nil || p.Path() != s.Pane.Current().Path() {
			t.Errorf("back in order, %v is selected", p)
		}
	})
}

// wholes is how much the children of a node take, in the order of their rows.
func wholes(s *tab.Tab, path string) (sizes []int64) {
	p, err := s.Pane.Doc.Lookup(s.Pane.Ctx, path)
	if err != nil {
		return nil
	}
	data := s.Pane.Trees.Sorted(s.Pane.Trees.View())
	n, _ := data.Count(nodes.ItemOf(p))
	for i := range n - 1 { // the last is that of fields
		sizes = append(sizes, s.Pane.Sizes.Of(data.Child(nodes.ItemOf(p), i).(*nodes.Item).Place).Whole)
	}
	return sizes
}

// TestSortMany: siblings are sorted by value, those of an open branch too, while rows are elsewhere than their
// numbers; the way to a node follows.
func TestSortMany(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		v := doc.View(model.LayoutView)
		s.Pane.ShowView(v, true)
		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		tree, data := s.Pane.Trees.Tree(v), s.Pane.Trees.Sorted(v)
		tree.OnTitle(1)
		tree.OnTitle(1) // the greatest value first
		b.Idle()
		table, err := s.Pane.Doc.Lookup(t.Context(), "layout/table")
		if err != nil {
			t.Fatal(err)
		}
		first := data.Child(nodes.ItemOf(table), 0).(*nodes.Item)
		if first.Path() != "layout/table/[99]" {
			t.Errorf("first is %s", first.Path())
		}
		place, _ := s.Pane.Doc.Lookup(t.Context(), "layout/table/[7]")
		way := data.Way(place)
		if at := way[len(way)-1].Index; at != 92 {
			t.Errorf("[7] is in row %d", at)
		}
		if it := tree.Selection.Item(); it == nil || filter.PlaceOf(it).Path() != "layout/table/[7]" {
			t.Error("another row is selected")
		}
		tree.Select([]treeview.Step{way[0], way[1], {Index: 0, Item: first}}, false)
		b.At(s, "layout/table/[99]")
	})
}
