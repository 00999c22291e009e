package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// escapeEntry is an entry that Escape leaves.
type escapeEntry struct {
	widget.Entry
	focused bool
	leave   func()
	key     func(name fyne.KeyName) bool // does what other keys mean to the owner; nil or false: nothing
}

func newEscapeEntry(leave func()) *escapeEntry {
	e := &escapeEntry{leave: leave}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *escapeEntry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyEscape:
		e.leave()
	case e.key != nil && e.key(k.Name):
	case k.Name == fyne.KeyF3: // means nothing to an entry
		handOn(e, k)
	default:
		e.Entry.TypedKey(k)
	}
}

// FocusGained implements fyne.Focusable.
func (e *escapeEntry) FocusGained() {
	e.focused = true
	e.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (e *escapeEntry) FocusLost() {
	e.focused = false
	e.Entry.FocusLost()
}
