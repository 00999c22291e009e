package problems_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	"cutaway/model"
	"cutaway/ui/nodes"
)

// TestKnownElsewhere: rows and details that were made while a part was pending show what is known once it has been
// decoded in another view.
func TestKnownElsewhere(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, doc := b.Fake()
		s.Pane.Nav.GoTo("layout/slow")
		b.At(s, "layout/slow")
		data := &nodes.Data{Ctx: s.Pane.Ctx, View: s.Pane.Doc.View(model.LayoutView), Tasks: s.Pane.Tasks, Marks: s.Pane.Lists.Problems.Marks}
		root := data.Root()
		n, _ := data.Count(root)
		var slow *nodes.Item
		for i := range n {
			if p := data.Child(root, i).(*nodes.Item); p.Place.Node.Name == "slow" {
				slow = p
			}
		}
		if slow == nil || !data.Row(slow).Pending {
			t.Fatal("nothing is pending")
		}
		before := s.Pane.Current()
		close(doc.Gate)
		if err := slow.Place.Node.Resolve(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		s.Pane.Decoded()
		if data.Row(slow).Pending {
			t.Error("the row says that it is pending")
		}
		if s.Pane.Current() == before || s.Pane.Current().Path() != before.Path() {
			t.Errorf("the details show what was known before of %s", s.Pane.Current().Path())
		}
	})
}
