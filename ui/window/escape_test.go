package window_test

import (
	"testing"

	"cutaway/ui/opening"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
)

// TestEscapeLeaves: Escape closes a dialog from whatever in it has the keyboard.
func TestEscapeLeaves(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/upAxis")
		b.At(s, "scene/upAxis")
		b.Idle()
		c := b.W.Shell.Win.Canvas()
		for _, title := range []string{"Mark…", "Export…", "Open as…", "Open address…", "Settings…"} {
			for n := range 40 {
				b.Menu(title).Action()
				b.Idle()
				first := c.Focused()
				if c.Overlays().Top() == nil || first == nil {
					t.Fatalf("%s shows no dialog, or nothing of it has the keyboard", title)
				}
				for range n {
					c.FocusNext()
				}
				now := c.Focused()
				now.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
				b.Idle()
				if c.Overlays().Top() != nil {
					t.Errorf("%s: Escape does not leave it from %T", title, now)
					c.Overlays().Remove(c.Overlays().Top())
				}
				if n > 0 && now == first {
					break // all the way round
				}
			}
		}
	})
}
