package hexview

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// Over is bytes in place of the source's.
type Over interface {
	Apply(b []byte, off int64)                             // puts them into b, the bytes from off on
	Each(first, last int64, f func(off int64, now []byte)) // their runs in [first, last)
}

// typing says where keys put bytes in place of others.
type typing struct {
	on   bool
	text bool // in the text, not among the digits
	low  bool // the next digit is a byte's second
}

// SetOver shows bytes in place of the source's, in a colour of their own; nil: none. SetSource drops them.
func (v *View) SetOver(o Over) {
	v.over = o
	v.redraw()
}

// SetTyping lets keys put bytes in place of others, or no longer: hexadecimal digits, or characters once the text was clicked.
// Tab goes from the ones to the other. OnType gets the bytes.
func (v *View) SetTyping(on bool) {
	v.typing.on, v.typing.low = on, false
	v.redraw()
}

// AcceptsTab implements fyne.Tabbable.
func (v *View) AcceptsTab() bool { return v.typing.on }

var _ fyne.Tabbable = (*View)(nil)

// TypedRune implements fyne.Focusable. Unless bytes are typed over, characters are handed on to the canvas.
func (v *View) TypedRune(r rune) {
	if !v.typing.on {
		if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil && c.OnTypedRune() != nil {
			c.OnTypedRune()(r)
		}
		return
	}
	if v.typing.text {
		if unicode.IsPrint(r) {
			v.put([]byte(string(r)))
		}
		return
	}
	if d := strings.IndexRune(hexDigits, unicode.ToLower(r)); d >= 0 && r < utf8.RuneSelf {
		v.putDigit(byte(d))
	}
}

// put puts bytes at the cursor, or at the first of those that are selected, and steps after them.
func (v *View) put(now []byte) {
	v.toStart()
	if off := v.cursor; v.change(now) {
		v.step(off+int64(len(now)), false)
	}
}

// putDigit puts half of a byte.
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

// toStart leaves a selection for its first byte.
func (v *View) toStart() {
	if off, n := v.Selection(); n > 0 {
		v.moveCursor(off, false)
	}
}

// change has bytes put at the cursor, as many as there are there.
func (v *View) change(now []byte) bool {
	v.Reveal(v.cursor, 1) // it may be folded
	was, ok := v.bytesAt(v.cursor, len(now))
	return ok && v.OnType != nil && v.OnType(v.cursor, was, now)
}

// bytesAt are n bytes as they are shown, once they are; ok is false where they are not, or not all there.
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

// paste puts text in place of bytes: as hexadecimal digits, or as it is in the text.
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
	v.put(now)
	return true
}

// Stand is where the user is in a view: cursor, selection, and what is in sight.
type Stand struct {
	cursor, anchor, first int64
	left                  int
	selecting             bool
	typing                typing
}

// Stand is where the user is.
func (v *View) Stand() Stand {
	first, _ := v.VisibleBytes()
	return Stand{v.cursor, v.anchor, first, v.left, v.selecting, v.typing}
}

// SetStand goes back to where the user was, in the same or a changed source.
func (v *View) SetStand(s Stand) {
	v.cursor, v.anchor, v.selecting, v.typing = v.clamp(s.cursor), v.clamp(s.anchor), s.selecting, s.typing
	v.left = s.left
	v.ScrollTo(s.first)
	if v.grid != nil {
		v.left = min(v.left, v.grid.lastLeft())
	}
	v.redraw()
}
