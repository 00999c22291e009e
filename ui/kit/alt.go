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

// keyUp closes the menu bar that Alt has opened although a dialog, in which o has the keyboard, is over the window: Fyne opens it
// whatever is there, and tells of the key afterwards.
func keyUp(o interface {
	fyne.CanvasObject
	fyne.Focusable
}, e *fyne.KeyEvent) {
	if e.Name != desktop.KeyAltLeft && e.Name != desktop.KeyAltRight {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.Overlays().Top() != nil {
		CloseMenu(c)
		c.Focus(o) // which closing it takes away
	}
}

// KeyUp implements desktop.Keyable.
func (e *Entry) KeyUp(k *fyne.KeyEvent) {
	e.Entry.KeyUp(k)
	keyUp(e, k)
}

// KeyUp implements desktop.Keyable.
func (s *SelectEntry) KeyUp(k *fyne.KeyEvent) {
	s.SelectEntry.KeyUp(k)
	keyUp(s, k)
}

// KeyDown implements desktop.Keyable.
func (s *Select) KeyDown(*fyne.KeyEvent) {}

// KeyUp implements desktop.Keyable.
func (s *Select) KeyUp(k *fyne.KeyEvent) { keyUp(s, k) }

// KeyDown implements desktop.Keyable.
func (c *Check) KeyDown(*fyne.KeyEvent) {}

// KeyUp implements desktop.Keyable.
func (c *Check) KeyUp(k *fyne.KeyEvent) { keyUp(c, k) }

// KeyDown implements desktop.Keyable.
func (b *TextButton) KeyDown(*fyne.KeyEvent) {}

// KeyUp implements desktop.Keyable.
func (b *TextButton) KeyUp(k *fyne.KeyEvent) { keyUp(b, k) }
