//go:build linux

package kit_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"cutaway/ui/kit"
	"cutaway/ui/window/windowtest"
)

// TestKeysInText: after a click into a text of the details the keys mean what they mean elsewhere; what is selected can be copied,
// and Tab passes the text.
func TestKeysInText(t *testing.T) {
	app := test.NewTempApp(t)
	l := kit.NewSelectable("some words")
	win := test.NewTempWindow(t, l)
	win.Resize(fyne.NewSize(300, 60))
	c := win.Canvas()
	var key fyne.KeyName
	var typed rune
	c.SetOnTypedKey(func(e *fyne.KeyEvent) { key = e.Name })
	c.SetOnTypedRune(func(r rune) { typed = r })

	c.FocusNext()
	if c.Focused() != nil {
		t.Errorf("Tab stops at %T", c.Focused())
	}
	at := fyne.NewPos(30, l.Size().Height/2)
	o, p := windowtest.Front(c, at, windowtest.TakesClicks)
	if o == nil {
		t.Fatal("nothing takes clicks")
	}
	e := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: p, AbsolutePosition: at}, Button: desktop.MouseButtonPrimary}
	o.(desktop.Mouseable).MouseDown(e)
	o.(desktop.Mouseable).MouseUp(e)
	focused := c.Focused()
	if focused == nil {
		t.Fatal("a click does not take the keyboard")
	}
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	focused.TypedRune('?')
	if key != fyne.KeyEscape || typed != '?' {
		t.Errorf("the window got %q and %q", key, typed)
	}
	o.(fyne.DoubleTappable).DoubleTapped(&e.PointEvent)
	if len(test.WidgetRenderer(o.(fyne.Widget)).Objects()) == 0 {
		t.Error("what is selected is not shown")
	}
	c.Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutCopy{})
	if got := app.Clipboard().Content(); got != "some" {
		t.Errorf("copied %q, want the word under the mouse", got)
	}
}
