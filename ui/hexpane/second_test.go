package hexpane_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	"cutaway/ui/settings"
	"cutaway/ui/uitest"
)

// TestSecondPlace: bytes at a second place keep it while the first goes elsewhere, mark the same, and are what the window is about
// while they have the keyboard. The choice is remembered, and the pane's own cross takes it back.
func TestSecondPlace(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		b.BytesItem("Second place").Action()
		second := s.Pane.Hex.Second
		if second == nil || !b.BytesItem("Second place").Checked {
			t.Fatal("there is no second pane, or no check mark")
		}
		b.W.Shell.Win.Canvas().Capture()
		second.View.ScrollTo(2500)
		top, _ := second.View.VisibleBytes()
		s.Pane.Nav.GoTo("layout/table/[7]")
		b.At(s, "layout/table/[7]")
		if now, _ := second.View.VisibleBytes(); now != top || s.Pane.Hex.Shown == second {
			t.Errorf("the second pane went from %d to %d, or is in front", top, now)
		}
		if got := second.Ranges.Selected; len(got) != 1 || got[0].Off != uitest.TableAt+7*uitest.RowSize {
			t.Errorf("selected in the second pane is %v", got)
		}
		first := s.Pane.Hex.Tabs[0].View
		b.W.Shell.Focus(second.View)
		second.View.SetCursor(2000)
		second.View.OnTap(2000, false)
		b.At(s, "layout/packed")
		b.Idle()
		if s.Pane.Hex.Shown != second || first.Cursor() == 2000 || len(s.Pane.Hex.Tabs[0].Ranges.Selected) != 1 {
			t.Errorf("a click below is shown above: cursor %d", first.Cursor())
		}
		later, _ := b.Fake()
		if later.Pane.Hex.Second == nil {
			t.Error("a later document has none")
		}
		s.Pane.Hex.OnSecondClosed()
		if s.Pane.Hex.Second != nil || later.Pane.Hex.Second != nil || s.Pane.Hex.Shown != s.Pane.Hex.Tabs[0] || b.BytesItem("Second place").Checked {
			t.Error("it is not closed everywhere")
		}
		b.Idle()
		if settings.Load(b.W.Shell.Store.Path).SecondBytes {
			t.Error("it comes back at the next start")
		}
	})
}
