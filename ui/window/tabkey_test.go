package window_test

import (
	"testing"

	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"

	"cutaway/ui/document"
)

// TestTabGoesForward: Tab goes through the window as it is read and comes round again, Shift+Tab the same way back; no pane keeps it.
func TestTabGoesForward(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s, f := b.Fake()
		close(f.Gate)
		b.W.Shell.Win.Resize(fyne.NewSize(1280, 800))
		c := b.W.Shell.Win.Canvas()
		for front := range document.ListMarks + 1 {
			s.Pane.Lists.Show(front)
			c.Capture()
			b.Idle()
			c.Focus(b.W.Place.Entry)
			c.FocusPrevious() // what is before the location, at the left of the window
			first := c.Focused()
			var round []fyne.Focusable
			for c.Focused() != first || len(round) == 0 {
				if round = append(round, c.Focused()); len(round) > 100 {
					t.Fatalf("with list %d open Tab does not come round", front)
				}
				c.FocusNext()
			}
			at := func(i int) fyne.Position {
				return fyne.CurrentApp().Driver().AbsolutePositionForObject(round[i].(fyne.CanvasObject))
			}
			for i := 1; i < len(round); i++ {
				if before, now := at(i-1), at(i); now.Y < before.Y && now.X <= before.X || now.Y == before.Y && now.X < before.X {
					t.Errorf("with list %d open Tab goes back from %T at %v to %T at %v", front, round[i-1], before, round[i], now)
				}
			}
			for i := len(round) - 1; i >= 0; i-- {
				if c.FocusPrevious(); c.Focused() != round[i] {
					t.Fatalf("with list %d open Shift+Tab goes to %T, want %T", front, c.Focused(), round[i])
				}
			}
		}
	})
}
