package hexpane_test

import (
	"testing"
	"time"

	"cutaway/ui/window/windowtest"

	"cutaway/hexview"
	"cutaway/ui/settings"
	"cutaway/ui/uitest"
)

// TestFolding: equal bytes and those that nothing explains are folded in both panes when the user wants it, what is gone to is
// opened, and the choice is remembered.
func TestFolding(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		b.W.Shell.Win.Canvas().Capture()
		view := s.Pane.Hex.Shown.View
		const item = "Fold equal and unexplained bytes"
		if len(view.Folded()) > 0 || b.BytesItem(item).Checked {
			t.Fatal("bytes are folded though nobody wants it")
		}
		b.BytesItem(item).Action()
		b.Idle()
		zeros := hexview.Fold{Range: hexview.Range{Off: 4, Len: uitest.Size - 4}, Equal: true}
		if got := view.Folded(); len(got) != 1 || got[0] != zeros || !b.BytesItem(item).Checked {
			t.Fatalf("folded is %v", got)
		}
		b.BytesItem("Second place").Action()
		b.Idle()
		b.W.Shell.Win.Canvas().Capture()
		second := s.Pane.Hex.Second.View
		if len(second.Folded()) != 1 {
			t.Errorf("in the second pane %v is folded", second.Folded())
		}

		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		b.Idle()
		if _, _, ok := view.CellRect(uitest.TableAt + 7*uitest.RowSize); !ok {
			t.Error("a node that is gone to is not in sight")
		}
		got := view.Folded()
		if len(got) != 1 || got[0].Equal || got[0].End() != uitest.Size {
			t.Errorf("where the zeros are open, %v is folded, want what nothing explains", got)
		}
		b.BytesItem(item).Action()
		if len(view.Folded())+len(second.Folded()) > 0 {
			t.Error("bytes stay folded")
		}
		b.BytesItem(item).Action()
		time.Sleep(2 * time.Second) // settings are saved a second later
		b.Idle()
		if len(view.Folded()) == 0 || !settings.Load(b.W.Shell.Store.Path).Fold {
			t.Error("they do not fold again, or not at the next start")
		}
	})
}
