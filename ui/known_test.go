package ui

import (
	"testing"
	"testing/synctest"

	"cutaway/model"
)

// TestKnownElsewhere: rows and details that were made while a part was pending show what is known once it has been
// decoded in another view.
func TestKnownElsewhere(t *testing.T) { synctest.Test(t, testKnownElsewhere) }

func testKnownElsewhere(t *testing.T) {
	b := newBench(t)
	s, doc := b.fake()
	s.goTo("layout/slow")
	b.at(s, "layout/slow")
	data := &treeData{ctx: s.ctx, view: s.doc.View(model.LayoutView), tasks: s.work, marks: s.marks}
	root := data.Root()
	n, _ := data.Count(root)
	var slow *place
	for i := range n {
		if p := data.Child(root, i).(*place); p.at.Node.Name == "slow" {
			slow = p
		}
	}
	if slow == nil || !data.Row(slow).Pending {
		t.Fatal("nothing is pending")
	}
	before := s.current
	close(doc.gate)
	if err := slow.at.Node.Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s.moreKnown()
	if data.Row(slow).Pending {
		t.Error("the row says that it is pending")
	}
	if s.current == before || s.current.Path() != before.Path() {
		t.Errorf("the details show what was known before of %s", s.current.Path())
	}
}
