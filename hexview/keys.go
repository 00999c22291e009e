package hexview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// FocusGained shows the keyboard's focus at the cursor.
func (v *View) FocusGained() {
	v.focused = true
	v.redraw()
	if v.OnFocus != nil {
		v.OnFocus()
	}
}

// FocusLost removes the focus, and releases shift.
func (v *View) FocusLost() {
	v.focused = false
	v.shift = false
	v.redraw()
}

// KeyDown records shift, since TypedKey does not report modifiers.
func (v *View) KeyDown(e *fyne.KeyEvent) { v.setShift(e.Name, true) }

// KeyUp records shift.
func (v *View) KeyUp(e *fyne.KeyEvent) { v.setShift(e.Name, false) }

func (v *View) setShift(key fyne.KeyName, down bool) {
	if key == desktop.KeyShiftLeft || key == desktop.KeyShiftRight {
		v.shift = down
	}
}

// TypedKey handles a key. Arrows, page keys, Home and End move the cursor, and select with shift. Enter clicks at the
// cursor or opens the fold there. Escape drops the selection, if any. Other keys go to the canvas.
func (v *View) TypedKey(e *fyne.KeyEvent) {
	if v.grid != nil && v.size > 0 && v.key(e.Name) {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// key handles a key, and returns false if it has no meaning.
func (v *View) key(name fyne.KeyName) bool {
	switch name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if _, fold := v.grid.rowOf(v.cursor); fold != nil {
			v.flip(fold.fold, true)
			return true
		}
		v.tap(v.cursor)
	case desktop.KeyMenu:
		v.menu()
	case fyne.KeyF10:
		if !v.shift {
			return false
		}
		v.menu()
	case fyne.KeyTab: // sent here while bytes are typed
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

// menu opens the menu of the byte at the cursor, below that byte.
func (v *View) menu() {
	if v.OnSecondaryTap == nil {
		return
	}
	cell, _, _ := v.CellRect(v.cursor)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(v).Add(cell.Position).AddXY(0, cell.Height)
	v.OnSecondaryTap(v.cursor, at)
}

// target returns the offset that a key moves the cursor to. A fold counts as a row, and as a byte for keys that move by
// bytes.
func (v *View) target(key fyne.KeyName) (off int64, ok bool) {
	page := max(1, int64(v.grid.full)-1)
	row, fold := v.grid.rowOf(v.cursor)
	first, last := v.cursor-v.cursor%int64(v.grid.cols), v.cursor
	if fold != nil {
		hidden := v.grid.bytes(fold)
		first, last = hidden.Off, hidden.End()-1
	}
	switch key {
	case fyne.KeyLeft:
		if fold != nil {
			return first - 1, true
		}
		return v.cursor - 1, true
	case fyne.KeyRight:
		return last + 1, true
	case fyne.KeyUp:
		return v.inRow(row - 1), true
	case fyne.KeyDown:
		return v.inRow(row + 1), true
	case fyne.KeyPageUp:
		return v.inRow(row - page), true
	case fyne.KeyPageDown:
		return v.inRow(row + page), true
	case fyne.KeyHome:
		return first, true
	case fyne.KeyEnd:
		if fold == nil {
			last = first + int64(v.grid.cols) - 1
		}
		return last, true
	}
	return 0, false
}

// inRow returns the byte of a row in the cursor's column. If the last row is too short, it returns that of the previous
// row, unless the cursor is in the last row.
func (v *View) inRow(row int64) int64 {
	col := v.cursor % int64(v.grid.cols)
	if _, fold := v.grid.rowOf(v.cursor); fold != nil {
		col = v.column
	}
	row = max(0, min(row, v.grid.rows()-1))
	off, _ := v.grid.offsetOf(row)
	if off += col; off >= v.size {
		off, _ = v.grid.offsetOf(row - 1)
		off = max(off+col, v.cursor)
	}
	return off
}

// step moves the cursor for a key and keeps it visible.
func (v *View) step(off int64, extend bool) {
	v.hideTip()
	v.moveCursor(v.clamp(off), extend)
	v.follow()
}

// moveCursor moves the cursor for the user. With extend the selection follows.
func (v *View) moveCursor(off int64, extend bool) {
	_, before := v.Selection()
	v.column = off % int64(v.grid.cols)
	if extend {
		if !v.selecting {
			v.anchor = v.cursor
		}
		v.selecting = true
		v.anchor, off = v.wholeFold(v.anchor, off >= v.anchor), v.wholeFold(off, off < v.anchor)
	} else {
		v.selecting = false
	}
	v.keepVisible(off)
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

// follow scrolls as little as necessary to show the cursor.
func (v *View) follow() {
	row, _ := v.grid.rowOf(v.cursor)
	full := int64(v.grid.full)
	switch {
	case row < v.top:
		v.scrollRows(row)
	case row >= v.top+full:
		v.scrollRows(row - full + 1)
	}
	v.revealColumn(int(v.cursor % int64(v.grid.cols)))
}

// TypedShortcut handles a shortcut: copy, select all, and keys that move far. It passes others on to the canvas, which
// a focused widget would hide them from.
func (v *View) TypedShortcut(s fyne.Shortcut) {
	if v.shortcut(s) {
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(v).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

// shortcut handles a shortcut, and returns false if it has no meaning.
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

// copy copies bytes to the clipboard as hex.
func (v *View) copy(c fyne.Clipboard) {
	ctx, src, ranges := v.loader.ctx, v.src, v.copied()
	go func() { // the bytes may have to be decompressed
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
