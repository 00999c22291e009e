package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// locationBar shows where we are and takes where to go. Escape leaves it.
type locationBar struct {
	widget.Entry
	focused bool
	leave   func()
}

func newLocationBar(leave func()) *locationBar {
	l := &locationBar{leave: leave}
	l.TextStyle.Monospace = true
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey implements fyne.Focusable.
func (l *locationBar) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		l.leave()
		return
	}
	l.Entry.TypedKey(e)
}

// FocusGained implements fyne.Focusable.
func (l *locationBar) FocusGained() {
	l.focused = true
	l.Entry.FocusGained()
}

// FocusLost implements fyne.Focusable.
func (l *locationBar) FocusLost() {
	l.focused = false
	l.Entry.FocusLost()
}
