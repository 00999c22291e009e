package document_test

import (
	"testing"
	"time"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/ui/document"
	"cutaway/ui/settings"
)

// TestInspectorBeside: in a wide window the inspector is beside the bytes and follows the cursor whatever tab is in front, until the
// user puts it into its tab, which is remembered; in a narrow window it is there.
func TestInspectorBeside(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, _ := b.Fake()
		width := func(w float32) {
			b.W.Shell.Win.Resize(fyne.NewSize(w, 900))
			b.W.Shell.Win.Canvas().Capture()
			b.Idle()
		}
		width(1280)
		s.Pane.Details.Choose(document.TabInspector)
		if s.Pane.Beside.InspectorBeside() {
			t.Fatal("the inspector is beside the bytes of a narrow window")
		}
		if item := b.Menu("Inspector beside the bytes"); item.Checked || !item.Disabled {
			t.Error("the menu says that it is there, or can be")
		}
		width(1900)
		if !s.Pane.Beside.InspectorBeside() || s.Pane.Details.Front == document.TabInspector {
			t.Fatal("it is not beside the bytes of a wide window, or its empty tab is in front")
		}
		if item := b.Menu("Inspector beside the bytes"); !item.Checked || item.Disabled {
			t.Error("the menu does not say so")
		}
		s.Pane.Nav.GoToOffset(0x20)
		if r := b.Inspected(s, 0x20, "u8"); r.Little.Text == "" {
			t.Error("it says nothing of the cursor")
		}
		s.Pane.Beside.Inspect()
		if b.W.Shell.Win.Canvas().Focused() != s.Pane.Details.Inspector.Rows {
			t.Error("Ctrl+I does not give it the keyboard")
		}
		width(1280)
		s.Pane.Beside.Inspect()
		if s.Pane.Beside.InspectorBeside() || s.Pane.Details.Front != document.TabInspector {
			t.Error("it is not in its tab when the window is narrow again")
		}
		width(1900)
		b.Menu("Inspector beside the bytes").Action()
		time.Sleep(2 * time.Second) // settings are saved a second later
		b.Idle()
		if s.Pane.Beside.InspectorBeside() || b.Menu("Inspector beside the bytes").Checked || !settings.Load(b.W.Shell.Store.Path).InspectorInTab {
			t.Error("the user's choice is not followed, or forgotten")
		}
		width(1280)
		if !b.Menu("Inspector beside the bytes").Disabled {
			t.Error("the menu offers it where there is no room")
		}
		width(1900)
		later, _ := b.Fake()
		width(1900)
		if later.Pane.Beside.InspectorBeside() {
			t.Error("it is beside the bytes of a later document")
		}
		s.FlipInspector()
		b.Idle()
		if !s.Pane.Beside.InspectorBeside() || !later.Pane.Beside.InspectorBeside() {
			t.Error("it is not beside the bytes of all documents")
		}
	})
}
