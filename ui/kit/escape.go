package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Entry is an entry that Escape leaves.
type Entry struct {
	widget.Entry
	Focused bool
	leave   func()
	Key     func(name fyne.KeyName) bool // does what other keys mean to the owner; nil or false: nothing
	OnFocus func(gained bool)            // nil: nothing
	hint    string                       // what is shown while it is empty, as far as it fits
}

// SetPlaceHolder sets what is shown while nothing is typed.
func (e *Entry) SetPlaceHolder(text string) {
	e.hint = text
	e.fitHint()
}

// Resize implements fyne.CanvasObject.
func (e *Entry) Resize(size fyne.Size) {
	e.Entry.Resize(size)
	e.fitHint()
}

// fitHint shortens the hint to the entry's width: Fyne would scroll to its end, under a bar that covers it.
func (e *Entry) fitHint() {
	const cut = "…"
	text, room := []rune(e.hint), e.Size().Width-4*theme.InnerPadding()
	if e.Icon != nil {
		room -= theme.IconInlineSize() + theme.InnerPadding()
	}
	if e.ActionItem != nil {
		room -= e.ActionItem.MinSize().Width
	}
	wide := func(s string) float32 { return fyne.MeasureText(s, theme.TextSize(), e.TextStyle).Width }
	shown := e.hint
	for n := len(text); n > 0 && room > 0 && wide(shown) > room; n-- {
		shown = string(text[:n-1]) + cut
	}
	if shown != e.PlaceHolder {
		e.Entry.SetPlaceHolder(shown)
	}
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
	if _, custom := s.(*desktop.CustomShortcut); custom {
		handOnShortcut(e, s)
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
