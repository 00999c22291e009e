package window_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"cutaway/ui/opening"
	"cutaway/ui/window"
	"cutaway/ui/window/windowtest"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
)

// TestNoKeyBehindDialogs: no key of a menu and none of the window does anything under a dialog.
func TestNoKeyBehindDialogs(t *testing.T) {
	windowtest.Run(t, func(t *testing.T, b *windowtest.Bench) {
		b.Open(opening.Target{File: "../../testdata/usdc/arcs.usdc"})
		s := b.Open(opening.Target{File: "../../assets/sample.usdc"})
		s.Pane.Nav.GoTo("scene/upAxis")
		b.At(s, "scene/upAxis")
		b.Idle()
		c := b.W.Shell.Win.Canvas()
		keys := allKeys(b)
		if len(keys) < 60 {
			t.Fatalf("only %d keys", len(keys))
		}
		dialogs := 0
		var open func(m *fyne.Menu)
		open = func(m *fyne.Menu) {
			for _, i := range m.Items {
				if i.ChildMenu != nil {
					open(i.ChildMenu)
					continue
				}
				if !strings.HasSuffix(kit.MenuTitle(i), "…") && kit.MenuTitle(i) != "Keys" || i.Disabled {
					continue
				}
				i.Action()
				b.Idle()
				if c.Overlays().Top() == nil {
					continue // it is a field of the window, or the system's dialog
				}
				dialogs++
				under(b, kit.MenuTitle(i), keys)
				alt(b, kit.MenuTitle(i))
				c.OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
				b.Idle()
				if c.Overlays().Top() != nil {
					t.Fatalf("Escape does not leave %s", kit.MenuTitle(i))
				}
			}
		}
		for _, m := range b.W.Actions.Main.Items {
			open(m)
		}
		if dialogs < 10 {
			t.Errorf("only %d dialogs", dialogs)
		}
		b.W.Shell.ShowModal("The last", nil, container.NewVBox(widget.NewLabel("…")), 300).Hide()
		b.Shortcut(fyne.KeyTab, fyne.KeyModifierControl)
		if b.W.Active == s {
			t.Error("no key does anything after the dialogs either")
		}
	})
}

// alt looks whether all that can have the keyboard in a dialog closes the menu bar that Alt has opened under it, and keeps the
// keyboard. The test driver has no menu bar: the keyboard tells of it.
func alt(b *windowtest.Bench, dialog string) {
	b.Helper()
	c := b.W.Shell.Win.Canvas()
	had := c.Focused()
	var list []fyne.Focusable
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		off, disables := o.(fyne.Disableable)
		if f, ok := o.(fyne.Focusable); ok && o.Visible() && (!disables || !off.Disabled()) {
			list = append(list, f)
		}
		for _, part := range windowtest.PartsOf(o) {
			if o.Visible() {
				walk(part)
			}
		}
	}
	walk(c.Overlays().Top())
	for _, f := range list {
		c.Unfocus()
		if k, ok := f.(desktop.Keyable); ok {
			k.KeyUp(&fyne.KeyEvent{Name: desktop.KeyAltLeft})
		}
		if c.Focused() != f {
			b.Errorf("with the keyboard in %T Alt opens the menu bar under %s", f, dialog)
		}
	}
	if len(list) == 0 {
		b.Errorf("nothing can have the keyboard in %s", dialog)
	}
	c.Focus(had)
}

// allKeys are the actions that keys have in the window, by these.
func allKeys(b *windowtest.Bench) map[string]func() {
	keys := map[string]func(){}
	var list func(m *fyne.Menu)
	list = func(m *fyne.Menu) {
		for _, i := range m.Items {
			if i.Shortcut != nil {
				keys[kit.KeyWords(i.Shortcut)+" "+kit.MenuTitle(i)] = i.Action
			}
			if i.ChildMenu != nil {
				list(i.ChildMenu)
			}
		}
	}
	for _, m := range b.W.Actions.Main.Items {
		list(m)
	}
	maps.Copy(keys, b.Keys(""))
	return keys
}

// under presses all keys under a dialog, and looks whether anything is another than before.
func under(b *windowtest.Bench, dialog string, keys map[string]func()) {
	b.Helper()
	c := b.W.Shell.Win.Canvas()
	look := func() string {
		kept, err := json.Marshal(b.W.Shell.Store)
		if err != nil {
			b.Fatal(err)
		}
		return string(kept) + b.W.Shell.App.Clipboard().Content() + windowtest.ShownTexts(b.W.Shell.Win.Content()) + windowtest.ShownTexts(c.Overlays().Top())
	}
	time.Sleep(window.NoticeStays) // until no notice goes any more, and what was done before is remembered
	b.Idle()
	before, sessions, over, focused := look(), slices.Clone(b.W.Pages.Tabs()), len(c.Overlays().List()), c.Focused()
	for name, press := range keys {
		press()
		b.Idle()
		if look() != before || !slices.Equal(b.W.Pages.Tabs(), sessions) || len(c.Overlays().List()) != over || c.Focused() != focused {
			b.Fatalf("%s does something under %s", name, dialog)
		}
	}
}
