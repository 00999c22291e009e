package start_test

import (
	"strings"
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/document"
	"cutaway/ui/hexpane"
)

// clickByte clicks the cell of a byte.
func clickByte(b *windowtest.Bench, t *hexpane.Tab, off int64) {
	b.Helper()
	b.W.Shell.Win.Canvas().Capture() // which lays the cells out
	cell, _, ok := t.View.CellRect(off)
	if !ok {
		b.Fatalf("byte %#x of %s is not in sight", off, t.Title())
	}
	at := fyne.PointEvent{Position: cell.AddXY(cell.Width/2, cell.Height/2)}
	t.View.MouseDown(&desktop.MouseEvent{PointEvent: at, Button: desktop.MouseButtonPrimary})
	t.View.MouseUp(nil)
	t.View.Tapped(&at)
}

// card is what the first steps say, and whether they are in sight.
func card(b *windowtest.Bench) (string, bool) {
	return b.W.Guide.Text.String(), b.W.Guide.Object.Objects[1].Visible()
}

// onStep fails unless step n, from 1, is in sight.
func onStep(b *windowtest.Bench, n int, title string) {
	b.Helper()
	b.Idle()
	if text, shown := card(b); b.W.Guide.Step != n-1 || !shown || !strings.Contains(text, title) {
		b.Fatalf("step %d, in sight %v: %q; want %d, %q", b.W.Guide.Step+1, shown, text, n, title)
	}
}

// TestStartHere: ? begins the first steps on the sample, in whatever tab; each goes on when it is done, and not before.
func TestStartHere(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		fake, _ := b.Fake()
		if _, shown := card(b); shown {
			t.Error("the steps are there unasked")
		}
		fake.Pane.Trees.Front(fake.Pane.Trees.View()).TypedRune('?')
		s := b.W.Active
		b.Until("the sample", func() bool { return s.Subject.IsSample() && s.Pane != nil && s.Pane.Current() != nil })
		tree := s.Pane.Trees.Front(s.Pane.Trees.View())
		key := func(k fyne.KeyName) { tree.TypedKey(&fyne.KeyEvent{Name: k}) }
		onStep(b, 1, "A value")
		s.Pane.Lists.Show(document.ListProblems)
		s.Pane.Nav.GoTo("scene/Workshop")
		b.At(s, "scene/Workshop")
		onStep(b, 1, "A value") // a prim is none, and problems come later
		s.Pane.Nav.GoTo("scene")
		b.At(s, "scene")
		key(fyne.KeyEnd) // the row of the fields
		key(fyne.KeyRight)
		b.Idle()
		key(fyne.KeyDown)
		key(fyne.KeyDown)
		b.At(s, "scene/metersPerUnit")
		onStep(b, 2, "Its bytes")

		key(fyne.KeyUp)
		b.At(s, "scene/upAxis")
		onStep(b, 2, "Its bytes")
		clickByte(b, s.Pane.Hex.Shown, 9)
		b.At(s, "scene/metersPerUnit")
		onStep(b, 3, "Through compression")

		clickByte(b, s.Pane.Hex.Shown, 2)
		b.At(s, "scene/upAxis")
		clickByte(b, s.Pane.Hex.Shown, 9)
		b.At(s, "scene/metersPerUnit")
		b.Idle()
		b.Menu("To the bytes it was made from").Action()
		if s.Pane.Hex.Shown.Src.Origin() != nil {
			t.Fatal("Alt+↑ does not lead to the file")
		}
		onStep(b, 3, "Through compression")
		b.Menu("To what is made from these bytes").Action()
		b.Until("the decompressed bytes", func() bool { return s.Pane.Hex.Shown.Src.Origin() != nil })
		onStep(b, 4, "A reference")

		b.Menu("Follow reference").Action()
		b.Until("the menu", func() bool { return b.W.Shell.Win.Canvas().Overlays().Top() != nil })
		onStep(b, 4, "A reference")
		b.W.Shell.Win.Canvas().OnTypedRune()('?') // means nothing over a menu
		b.W.Shell.Win.Canvas().Overlays().Top().Hide()
		s.Pane.Actions.RefItems(s.Pane.Current().Node.Refs(t.Context()), "")[0].Action() // as the menu's first item does
		b.Until("the end of the reference", func() bool { return s.Pane.Current().Path() != "scene/metersPerUnit" })
		onStep(b, 5, "A problem")

		b.Menu("Check everything").Action()
		b.Until("the list of problems", func() bool { return s.Pane.Lists.Open == document.ListProblems })
		onStep(b, 6, "That was all")
		test.Tap(b.W.Guide.Close)
		if _, shown := card(b); shown {
			t.Error("the steps cannot be closed")
		}
		b.Menu("Start here").Action()
		onStep(b, 1, "A value")
	})
}

// TestStartInto: a source that was derived is gone into by its link too, and by Alt+↓ from the file's bytes.
func TestStartInto(t *testing.T) {
	windowtest.Run(t, func(_ *testing.T, b *windowtest.Bench) {
		b.Menu("Start here").Action()
		s := b.W.Active
		b.Until("the sample", func() bool { return s.Pane != nil && s.Pane.Current() != nil })
		test.Tap(b.W.Guide.Skip)
		test.Tap(b.W.Guide.Skip)
		s.Pane.Nav.GoTo("layout/FIELDS/reps")
		b.At(s, "layout/FIELDS/reps")
		onStep(b, 3, "Through compression")
		b.Menu("To what is made from these bytes").Action()
		b.Until("what is made of them", func() bool { return s.Pane.Current().Index < 0 })
		onStep(b, 4, "A reference")
		test.Tap(b.W.Guide.Back)
		s.Pane.Nav.GoTo("layout/FIELDS/reps@inflated") // as the link in the details does
		b.At(s, "layout/FIELDS/reps@inflated")
		onStep(b, 4, "A reference")
	})
}

// TestStartSteps: the steps can be gone through without doing them, are there beside the sample only, and take their room from
// the panes, however narrow the window is.
func TestStartSteps(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		fake, _ := b.Fake()
		b.Menu("Start here").Action()
		g := b.W.Guide
		if g.Back.Visible() {
			t.Error("Back is offered at the first step")
		}
		test.Tap(g.Skip)
		test.Tap(g.Skip)
		test.Tap(g.Back)
		onStep(b, 2, "Its bytes")
		b.W.Pages.Show(fake)
		if _, shown := card(b); shown {
			t.Error("the steps are there beside another file")
		}
		fake.Pane.Nav.GoToOffset(3)
		b.Idle()
		b.W.Shell.Win.Canvas().OnTypedRune()('?')
		onStep(b, 2, "Its bytes") // what was done in another tab does not count
		for range 4 {
			test.Tap(g.Skip)
		}
		onStep(b, 6, "That was all")
		if g.Skip.Visible() {
			t.Error("Skip is offered at the end")
		}
		test.Tap(g.Back)
		test.Tap(g.Back)
		test.Tap(g.Back)
		for _, width := range []float32{1200, 480} {
			b.W.Shell.Win.Resize(fyne.NewSize(width, 480))
			onStep(b, 3, "Through compression")
			content, card := g.Object.Objects[0], g.Object.Objects[1]
			if end := content.Position().Y + content.Size().Height; end > card.Position().Y+0.5 || card.Size().Height < g.Text.MinSize().Height {
				t.Errorf("at %.0f the card is at %.0f, %.0f high for a text of %.0f, over panes that end at %.0f",
					width, card.Position().Y, card.Size().Height, g.Text.MinSize().Height, end)
			}
		}
	})
}
