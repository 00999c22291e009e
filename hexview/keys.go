package hexview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// FocusGained implements fyne.Focusable.
func (v *View) FocusGained() {
	v.focused = true
	v.redraw()
	if v.OnFocus != nil {
		v.OnFocus()
	}
}

// FocusLost implements fyne.Focusable.
func (v *View) FocusLost() {
	v.focused = false
	v.shift = false
	v.redraw()
}

// KeyDown implements desktop.Keyable. TypedKey does not tell of modifiers, so shift is remembered here.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.setShift(e.Name, true) }

// KeyUp implements desktop.Keyable.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.setShift(e.Name, false) }

func (v *View) setShift(key fyne.KeyName, down bool) {
	if key == desktop.KeyShiftLeft || key == desktop.KeyShiftRight {
		v.shift = down
	}
}

// TypedKey implements fyne.Focusable: arrows, page keys, Home and End move the cursor, with shift they select, Enter
// clicks it, Escape drops the selected bytes, if there are any. Other keys are handed on to the canvas.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	if v.grid != nil && v.size > 0 && v.key(e.Name) {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// key does what a key means here; false: nothing.
func (v *View) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyReturn, fyne.KeyEnter:
		v.tap(v.cursor)
	case fyne.KeyTab: // which comes here while bytes are typed
		v.typing.text, v.typing.low = !v.typing.text, false
		v.redraw()
	case fyne.KeyEscape:
		if !v.selecting {
			return false
		}
		v.moveCursor(v.cursor, false)
	default:
		off, ok := v.target(name)
		if ok {
			v.step(off, v.shift)
		}
		return ok
	}
	return true
}

// target is where a key moves the cursor.
func (v *View) target(key fyne.KeyName) (off int64, ok bool) {
	cols := int64(v.grid.cols)
	page := max(1, int64(v.grid.full)-1) * cols
	row := v.cursor - v.cursor%cols
	switch key {
	case fyne.KeyLeft:
		return v.cursor - 1, true
	case fyne.KeyRight:
		return v.cursor + 1, true
	case fyne.KeyUp:
		return v.within(v.cursor - cols), true
	case fyne.KeyDown:
		return v.within(v.cursor + cols), true
	case fyne.KeyPageUp:
		return v.within(v.cursor - page), true
	case fyne.KeyPageDown:
		return v.within(v.cursor + page), true
	case fyne.KeyHome:
		return row, true
	case fyne.KeyEnd:
		return row + cols - 1, true
	}
	return 0, false
}

// within keeps the column when a step up or down leads out of the source.
func (v *View) within(off int64) int64 {
	cols := int64(v.grid.cols)
	col := v.cursor % cols
	if off < 0 {
		return col
	}
	if off >= v.size {
		last := (v.size-1)/cols*cols + col
		if last >= v.size {
			last -= cols
		}
		return max(last, v.cursor)
	}
	return off
}

// step moves the cursor by a key and keeps it in sight.
func (v *View) step(off int64, extend bool) {
	v.hideTip()
	v.moveCursor(v.clamp(off), extend)
	v.follow()
}

// moveCursor moves the cursor for the user, selecting up to it with extend.
func (v *View) moveCursor(off int64, extend bool) {
	_, before := v.Selection()
	if extend {
		if !v.selecting {
			v.anchor = v.cursor
		}
		v.selecting = true
	} else {
		v.selecting = false
	}
	moved := off != v.cursor
	v.cursor, v.typing.low = off, false
	v.redraw()
	if moved && v.OnCursor != nil {
		v.OnCursor(off)
	}
	if first, n := v.Selection(); v.OnSelect != nil && (extend || before > 0) {
		v.OnSelect(first, n)
	}
}

// follow scrolls as little as brings the cursor into sight.
func (v *View) follow() {
	row := v.cursor / int64(v.grid.cols)
	full := int64(v.grid.full)
	switch {
	case row < v.top:
		v.scrollRows(row)
	case row >= v.top+full:
		v.scrollRows(row - full + 1)
	}
	v.revealColumn(int(v.cursor % int64(v.grid.cols)))
}

// TypedShortcut implements fyne.Shortcutable: copy, select all, and the keys that move far. As a focused widget that
// takes shortcuts hides them from the canvas, all others are handed on to it.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	if v.shortcut(s) {
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(v).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// shortcut does what a shortcut means here; false: nothing.
func (v *View) shortcut(s fyne.Shortcut) bool {
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		v.copy(s.Clipboard)
		return true
	case *fyne.ShortcutSelectAll:
		v.selectAll()
		return true
	case *fyne.ShortcutPaste:
		return v.paste(s.Clipboard.Content())
	case *desktop.CustomShortcut:
		if v.grid == nil || v.size == 0 || s.Modifier&^fyne.KeyModifierShift != fyne.KeyModifierShortcutDefault {
			return false
		}
		extend := s.Modifier&fyne.KeyModifierShift != 0
		switch s.KeyName {
		case fyne.KeyHome:
			v.step(0, extend)
			return true
		case fyne.KeyEnd:
			v.step(v.size-1, extend)
			return true
		}
	}
	return false
}

func (v *View) selectAll() {
	if v.size == 0 {
		return
	}
	v.Select(0, v.size)
	if v.OnSelect != nil {
		v.OnSelect(0, v.size)
	}
}

// copy puts bytes on the clipboard as hex.
func (v *View) copy(c fyne.Clipboard) {
	ctx, src, ranges := v.loader.ctx, v.src, v.copied()
	go func() { // the bytes may have to be inflated first
		text, err := Copy(ctx, src, CopyFormats[0].Name, ranges...)
		v.do(func() {
			var length int64
			if err == nil {
				c.SetContent(text)
				for _, r := range ranges {
					length += r.Len
				}
			}
			if v.OnCopy != nil {
				v.OnCopy(length, err)
			}
		})
	}()
}
