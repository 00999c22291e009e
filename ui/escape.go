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
}

func newEscapeEntry(leave func()) *escapeEntry {
	e := &escapeEntry{leave: leave}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *escapeEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.leave()
		return
	}
	e.Entry.TypedKey(k)
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
