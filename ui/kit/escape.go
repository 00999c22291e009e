package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Entry is an entry that Escape leaves.
type Entry struct {
	widget.Entry
	Focused bool
	leave   func()
	Key     func(name fyne.KeyName) bool // does what other keys mean to the owner; nil or false: nothing
	OnFocus func(gained bool)            // nil: nothing
}

// NewEntry makes an entry that calls leave for Escape; nil: Escape means what it does to the window, or to the dialog.
func NewEntry(leave func()) *Entry {
	e := &Entry{leave: leave}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape && e.leave != nil:
		e.leave()
	case e.Key != nil && e.Key(k.Name):
	case k.Name == fyne.KeyF3, k.Name == fyne.KeyF10, k.Name == fyne.KeyEscape: // mean nothing to an entry
		HandOn(e, k)
	default:
		e.Entry.TypedKey(k)
	}
}

// TypedShortcut implements fyne.Shortcutable. What the entry does not know may mean something to the window.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(e).(fyne.Shortcutable); ok {
		if _, custom := s.(*desktop.CustomShortcut); custom {
			c.TypedShortcut(s)
		}
	}
	e.Entry.TypedShortcut(s)
}

// FocusGained implements fyne.Focusable.
func (e *Entry) FocusGained() {
	e.Focused = true
	e.Entry.FocusGained()
	if e.OnFocus != nil {
		e.OnFocus(true)
	}
}

// FocusLost implements fyne.Focusable.
func (e *Entry) FocusLost() {
	e.Focused = false
	e.Entry.FocusLost()
	if e.OnFocus != nil {
		e.OnFocus(false)
	}
}

// AcceptsTab implements fyne.Tabbable: Tab goes on, also from several lines, or the keyboard could not leave them.
func (e *Entry) AcceptsTab() bool { return false }
