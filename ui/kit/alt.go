package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// CloseMenu closes the menu bar of a window.
func CloseMenu(c fyne.Canvas) {
	if bar, ok := c.(interface{ DismissMenu() bool }); ok { // else the system has the menu bar
		bar.DismissMenu()
	}
}

// AltUp closes the menu bar that Alt has opened below a dialog where o has the keyboard. Fyne opens it under a dialog too,
// and calls KeyUp afterwards. Widgets that can have the keyboard in a dialog hand their KeyUp on to this.
func AltUp(o interface {
	fyne.CanvasObject
	fyne.Focusable
}, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.Overlays().Top() != nil && isAlt(e) {
		CloseMenu(c)
		c.Focus(o) // which closing it takes away
	}
}

// NoAlt does the same where nothing in a dialog has the keyboard, until the returned function is called.
func NoAlt(c fyne.Canvas) (back func()) {
	keys, ok := c.(desktop.Canvas)
	if !ok {
		return func() {}
	}
	was := keys.OnKeyUp()
	keys.SetOnKeyUp(func(e *fyne.KeyEvent) {
		if isAlt(e) {
			CloseMenu(c)
		}
	})
	return func() { keys.SetOnKeyUp(was) }
}

func isAlt(e *fyne.KeyEvent) bool {
	return e.Name == desktop.KeyAltLeft || e.Name == desktop.KeyAltRight
}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (e *Entry) KeyUp(k *fyne.KeyEvent) {
	e.Entry.KeyUp(k)
	AltUp(e, k)
}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (s *SelectEntry) KeyUp(k *fyne.KeyEvent) {
	s.SelectEntry.KeyUp(k)
	AltUp(s, k)
}

// KeyDown does nothing.
func (s *Select) KeyDown(*fyne.KeyEvent) {}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (s *Select) KeyUp(k *fyne.KeyEvent) { AltUp(s, k) }

// KeyDown does nothing.
func (c *Check) KeyDown(*fyne.KeyEvent) {}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (c *Check) KeyUp(k *fyne.KeyEvent) { AltUp(c, k) }

// KeyDown does nothing.
func (b *TextButton) KeyDown(*fyne.KeyEvent) {}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (b *TextButton) KeyUp(k *fyne.KeyEvent) { AltUp(b, k) }

// KeyDown does nothing.
func (b *Button) KeyDown(*fyne.KeyEvent) {}

// KeyUp keeps Alt from the menu bar, see AltUp.
func (b *Button) KeyUp(k *fyne.KeyEvent) { AltUp(b, k) }

func (s *scrollKeys) KeyDown(*fyne.KeyEvent) {}

func (s *scrollKeys) KeyUp(k *fyne.KeyEvent) { AltUp(s, k) }

func (s *selection) KeyDown(*fyne.KeyEvent) {}

func (s *selection) KeyUp(k *fyne.KeyEvent) { AltUp(s, k) }
