package treeview

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// FocusGained shows that the tree has the keyboard.
func (t *Tree) FocusGained() {
	t.focused = true
	t.Refresh()
}

// FocusLost shows that it has not, and ends a word of type-ahead.
func (t *Tree) FocusLost() {
	t.focused, t.extending = false, false
	t.ahead.typed = ""
	t.Refresh()
}

// KeyDown notes that Shift is held, which TypedKey does not say.
func (t *Tree) KeyDown(e *fyne.KeyEvent) { t.setShift(e.Name, true) }

// KeyUp notes that Shift is not held.
func (t *Tree) KeyUp(e *fyne.KeyEvent) {
	t.setShift(e.Name, false)
	kit.AltUp(t, e)
}

func (t *Tree) setShift(key fyne.KeyName, down bool) {
	if key == desktop.KeyShiftLeft || key == desktop.KeyShiftRight {
		t.extending = down && t.Multi
	}
}

// TypedKey moves the cursor, opens and closes. Keys that mean nothing here are handed on to the canvas.
func (t *Tree) TypedKey(e *fyne.KeyEvent) {
	t.pointer.quiet()
	t.pointer.light(-1) // the row under a pointer that rests may be another one then
	row, ok := t.out.row(t.Selection.cursor)
	if !ok {
		return
	}
	row, ok = t.rowByKey(e.Name, row)
	if !ok {
		t.otherKey(e)
		return
	}
	t.ahead.typed = ""
	if t.extending {
		t.Selection.extend(row)
	} else {
		t.Selection.set(t.out.near(row), false)
	}
	t.Refresh()
}

// rowByKey returns the row that a key leads to from a row; ok is false where it does not move. It may be outside of the tree.
func (t *Tree) rowByKey(key fyne.KeyName, row int64) (to int64, ok bool) {
	m := t.measure()
	page := max(m.wholeRows-1, 1)
	switch key {
	case fyne.KeyUp:
		return row - 1, true
	case fyne.KeyDown:
		return row + 1, true
	case fyne.KeyPageUp:
		return row - page, true
	case fyne.KeyPageDown:
		return row + page, true
	case fyne.KeyHome:
		return 0, true
	case fyne.KeyEnd:
		return t.out.rows() - 1, true
	}
	return row, false
}

// otherKey does what a key that does not move does.
func (t *Tree) otherKey(e *fyne.KeyEvent) {
	switch s := &t.Selection; {
	case kit.IsMenuKey(e.Name):
		t.menuByKey()
	case e.Name == fyne.KeyLeft:
		t.keyLeft()
	case e.Name == fyne.KeyRight:
		t.keyRight()
	case e.Name == fyne.KeyReturn, e.Name == fyne.KeyEnter:
		t.enter(s.cursor)
	case e.Name == fyne.KeyEscape && len(s.picked) > 0:
		s.pick(nil)
	case e.Name == fyne.KeyEscape && t.OnEscape != nil:
		t.OnEscape()
	case e.Name != fyne.KeyEscape:
		kit.HandOn(t, e)
	}
	t.Refresh()
}

// menuByKey calls for the menu of the selected row, below it.
func (t *Tree) menuByKey() {
	if t.Selection.item == nil || t.OnMenu == nil {
		return
	}
	row, size, _ := t.CursorRect()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t).Add(row).AddXY(size.Height, size.Height)
	t.OnMenu(t.Selection.item, -1, at)
}

// keyLeft closes the row, or goes to its parent.
func (t *Tree) keyLeft() {
	p := t.Selection.cursor
	if b := p.b.kid(p.i); b != nil && b.open {
		t.branches.toggle(b, false)
	} else if p.b.up != nil {
		t.Selection.set(pos{p.b.up, p.b.index}, false)
	}
}

// keyRight opens the row, or goes to its first child.
func (t *Tree) keyRight() {
	p := t.Selection.cursor
	b := p.b.kid(p.i)
	if b == nil || !b.open {
		t.branches.open(p)
	} else if b.direct() > 0 {
		t.Selection.set(pos{b, 0}, false)
	}
}

// enter does what Enter and a double click do.
func (t *Tree) enter(p pos) {
	switch m := t.rows.made[p]; {
	case p.isTail() && p.b.work == nil && t.source.data.Pending(p.b.item):
		t.branches.resolve(p.b)
	case m == nil:
	case m.row.Branch && !t.Chooses:
		t.branches.flip(p)
	case t.OnChosen != nil:
		t.OnChosen(m.item)
	}
}

// TypedShortcut copies, or selects several rows. It hands other shortcuts on to the canvas, which Fyne does not.
func (t *Tree) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*fyne.ShortcutCopy); ok {
		t.copy(c.Clipboard)
	} else if t.Multi && t.pick(s) {
		t.Refresh()
	} else {
		kit.HandOnShortcut(t, s)
	}
}

// pick does what a shortcut means to the selection, and reports whether it means anything.
func (t *Tree) pick(shortcut fyne.Shortcut) bool {
	s := &t.Selection
	if _, all := shortcut.(*fyne.ShortcutSelectAll); all {
		s.pickSiblings()
		return true
	}
	custom, ok := shortcut.(*desktop.CustomShortcut)
	if !ok || custom.Modifier != fyne.KeyModifierShortcutDefault {
		return false
	}
	switch custom.KeyName {
	case fyne.KeySpace:
		s.flip(s.cursor)
	case fyne.KeyUp, fyne.KeyDown:
		if len(s.picked) == 0 {
			s.pick(s.stretches())
		}
		row, _ := t.out.row(s.cursor)
		row, _ = t.rowByKey(custom.KeyName, row)
		s.move(t.out.near(row), false)
	default:
		return false
	}
	return true
}

func (t *Tree) copy(to fyne.Clipboard) {
	switch m := t.rows.made[t.Selection.cursor]; {
	case t.Selection.item != nil && t.OnCopy != nil:
		t.OnCopy(t.Selection.item)
	case m != nil:
		to.SetContent(strings.Join(m.row.Cells, "\t"))
	}
}

// TypedRune opens the siblings with *; ? is for the window; other characters look for a name.
func (t *Tree) TypedRune(r rune) {
	begins := t.ahead.begins()
	from, shown := t.out.row(t.Selection.cursor)
	switch {
	case r == '*' && begins:
		t.branches.openSiblings(t.Selection.cursor, func() {
			t.scroll.reveal = true
			t.Refresh()
		})
	case r == '?' && begins:
		kit.HandOnRune(t, r)
	case shown:
		t.ahead.add(r, max(from, 0)) // in a list nothing may be selected
	}
}

const (
	// typePause ends a word of type-ahead.
	typePause = time.Second
	// seekRows is the number of rows that type-ahead looks at, seekBatch that of one run in the background.
	seekRows  = 100_000
	seekBatch = 512
)

// A typeAhead finds the rows whose names begin with what is typed.
type typeAhead struct {
	source *source
	out    *outline
	found  func(p pos, m made, folded int64) // selects a row, or with folded ≥ 0 the row of that child

	typed  string
	at     time.Time
	serial int // counts the searches; only the last one continues
}

// begins reports whether the next letter begins a word.
func (a *typeAhead) begins() bool {
	if time.Since(a.at) > typePause {
		a.typed = ""
	}
	return a.typed == ""
}

// add adds a letter to the word and searches from a row on. The same letter again leads to the next name.
func (a *typeAhead) add(r rune, from int64) {
	a.at = time.Now()
	letter := string(r)
	if a.typed == "" || a.typed == letter {
		from++
		a.typed = letter
	} else {
		a.typed += letter
	}
	a.serial++
	a.seek(strings.ToLower(a.typed), from, min(seekRows, a.out.rows()), a.serial)
}

// seek looks for a prefix, in lower case, in the next rows, round the end, in batches.
func (a *typeAhead) seek(prefix string, from, left int64, serial int) {
	if left <= 0 || a.out.rows() == 0 || serial != a.serial || a.source.ctx.Err() != nil {
		return
	}
	n := min(seekBatch, left)
	batch := make([]want, 0, n)
	for k := range n {
		if p := a.out.place((from + k) % a.out.rows()); !p.isTail() {
			batch = append(batch, want{at: p, parent: p.b.item})
		}
	}
	go func() {
		for _, w := range batch {
			m, folded, ok := a.match(w, prefix)
			if !ok {
				continue
			}
			a.source.post(func() {
				if _, shown := a.out.row(w.at); serial == a.serial && shown {
					a.found(w.at, m, folded)
				}
			})
			return
		}
		a.source.post(func() { a.seek(prefix, from+n, left-n, serial) })
	}()
}

// match reports whether a row has the prefix, or one of the children that it stands for, whose number it returns.
func (a *typeAhead) match(w want, prefix string) (m made, folded int64, ok bool) {
	data := a.source.data
	it := a.source.child(w.parent, w.at.i)
	m = made{item: it, row: data.Row(it)}
	if hasPrefix(m.row, prefix) {
		return m, -1, true
	}
	if n, _ := data.Count(it); m.row.Folded && n <= seekRows {
		for i := range n {
			if hasPrefix(data.Row(a.source.child(it, i)), prefix) {
				return m, i, true
			}
		}
	}
	return m, -1, false
}

func hasPrefix(row Row, lower string) bool {
	return len(row.Cells) > 0 && strings.HasPrefix(strings.ToLower(row.Cells[0]), lower)
}
