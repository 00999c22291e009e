package ui

import (
	"testing"
	"testing/synctest"

	"fyne.io/fyne/v2"
)

// TestEscapeLeaves: Escape closes a dialog from whatever in it has the keyboard.
func TestEscapeLeaves(t *testing.T) { synctest.Test(t, testEscapeLeaves) }

func testEscapeLeaves(t *testing.T) {
	b := newBench(t)
	s := b.open(Target{File: "../assets/sample.usdc"})
	s.Pane.Nav.GoTo("scene/upAxis")
	b.at(s, "scene/upAxis")
	b.idle()
	c := b.w.Win.Canvas()
	for _, title := range []string{"Mark…", "Export…", "Open as…", "Open address…", "Settings…"} {
		for n := range 40 {
			b.menu(title).Action()
			b.idle()
			first := c.Focused()
			if c.Overlays().Top() == nil || first == nil {
				t.Fatalf("%s shows no dialog, or nothing of it has the keyboard", title)
			}
			for range n {
				c.FocusNext()
			}
			now := c.Focused()
			now.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
			b.idle()
			if c.Overlays().Top() != nil {
				t.Errorf("%s: Escape does not leave it from %T", title, now)
				c.Overlays().Remove(c.Overlays().Top())
			}
			if n > 0 && now == first {
				break // all the way round
			}
		}
	}
}
