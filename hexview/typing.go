package hexview

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// Over holds bytes that are shown instead of the source's.
type Over interface {
	Apply(b []byte, off int64)                             // replaces bytes in b, which begins at off
	Each(first, last int64, f func(off int64, now []byte)) // the runs in [first, last)
}

// typing is the state of typing bytes.
type typing struct {
	on   bool
	text bool // in the text column, not among the digits
	low  bool // the next digit is a byte's second
}

// SetOver shows bytes of o instead of the source's, in a colour of their own. o may be nil. SetSource removes them.
func (v *View) SetOver(o Over) {
	v.over = o
	v.redraw()
}

// SetTyping enables or disables typing over bytes: hexadecimal digits, or characters if the text column was clicked.
// Tab changes the column. OnType receives the bytes.
func (v *View) SetTyping(on bool) {
	v.typing.on, v.typing.low = on, false
	v.redraw()
}

// AcceptsTab reports whether Tab changes the column instead of the focus.
func (v *View) AcceptsTab() bool { return v.typing.on }

// TypedRune types a character over bytes, if enabled, and otherwise passes it on to the canvas.
func (v *View) TypedRune(r rune) {
	if !v.typing.on {
		if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil && c.OnTypedRune() != nil {
			c.OnTypedRune()(r)
		}
		return
	}
	if v.typing.text {
		if unicode.IsPrint(r) {
			v.overwrite([]byte(string(r)))
		}
		return
	}
	if d := strings.IndexRune(hexDigits, unicode.ToLower(r)); d >= 0 && r < utf8.RuneSelf {
		v.putDigit(byte(d))
	}
}

// overwrite replaces bytes at the cursor, or at the start of the selection, and moves the cursor after them.
func (v *View) overwrite(now []byte) {
	v.toStart()
	if off := v.cursor; v.change(now) {
		v.step(off+int64(len(now)), false)
	}
}

// putDigit replaces half of a byte.
func (v *View) putDigit(d byte) {
	v.toStart()
	was, ok := v.bytesAt(v.cursor, 1)
	switch off, low := v.cursor, v.typing.low; {
	case !ok:
	case !low && v.change([]byte{d<<4 | was[0]&15}):
		v.typing.low = true
	case low && v.change([]byte{was[0]&0xf0 | d}):
		v.step(off+1, false)
		v.typing.low = false
	}
}

// toStart replaces a selection by a cursor on its first byte.
func (v *View) toStart() {
	if off, n := v.Selection(); n > 0 {
		v.moveCursor(off, false)
	}
}

// change replaces as many bytes at the cursor as now has, and returns false if that is not possible.
func (v *View) change(now []byte) bool {
	v.Reveal(v.cursor, 1) // it may be folded
	was, ok := v.bytesAt(v.cursor, len(now))
	return ok && v.OnType != nil && v.OnType(v.cursor, was, now)
}

// bytesAt returns n bytes as shown. ok is false if not all exist, or are read yet.
func (v *View) bytesAt(off int64, n int) (b []byte, ok bool) {
	if v.grid == nil || off+int64(n) > v.size {
		return nil, false
	}
	data, state := v.loader.view(off, n)
	for _, s := range state {
		if s != cellPresent {
			return nil, false
		}
	}
	b = append(b, data...)
	if v.over != nil {
		v.over.Apply(b, off)
	}
	return b, true
}

// paste replaces bytes by a text: its hexadecimal digits, or the text itself in the text column.
func (v *View) paste(content string) bool {
	if !v.typing.on || content == "" {
		return false
	}
	now := []byte(content)
	if !v.typing.text {
		digits := strings.NewReplacer("0x", "", "0X", "", ",", "", ":", "").Replace(strings.Join(strings.Fields(content), ""))
		var err error
		if now, err = hex.DecodeString(digits); err != nil || len(now) == 0 {
			if v.OnType != nil {
				v.OnType(v.cursor, nil, nil)
			}
			return true
		}
	}
	v.overwrite(now)
	return true
}

// A State is the user's position in a view: cursor, selection and scrolling.
type State struct {
	cursor, anchor, first int64
	left                  int
	selecting             bool
	typing                typing
}

// State returns the user's position.
func (v *View) State() State {
	first, _ := v.VisibleBytes()
	return State{v.cursor, v.anchor, first, v.left, v.selecting, v.typing}
}

// SetState restores the user's position, in the same or a changed source.
func (v *View) SetState(s State) {
	v.cursor, v.anchor, v.selecting, v.typing = v.clamp(s.cursor), v.clamp(s.anchor), s.selecting, s.typing
	v.left = s.left
	v.ScrollTo(s.first)
	if v.grid != nil {
		v.left = min(v.left, v.grid.lastLeft())
	}
	v.redraw()
}
