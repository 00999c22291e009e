package treeview

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// area is a part of the tree under the mouse.
type area uint8

const (
	nowhere area = iota
	onRow
	onExpander
	onDivider
	onThumb
	onTrack
	onSideBar
	onTitle
)

// hit is an area with the row and the column there.
type hit struct {
	area   area
	row    int64
	column int
}

// A pointer is the state of the mouse: the thing under it, the thing held, and the last click.
type pointer struct {
	tree *Tree
	over area  // while nothing is held
	row  int64 // under the mouse, or -1
	tip  kit.Tip
	said hit // the row and the column of the text that the tip is for

	held  hit // while the button is down
	from  fyne.Position
	value float32 // of the held thing when the button went down
	moved int     // the column whose width changes

	last   hit // that of the last click
	lastAt time.Time
}

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 350 * time.Millisecond

// hit returns the area at p.
func (u *pointer) hit(m *metrics, p fyne.Position) hit {
	switch {
	case m.vbar && p.X >= m.view.Width && p.Y >= m.head:
		if at := p.Y - m.head - m.thumbAt(); at >= 0 && at < m.thumb {
			return hit{area: onThumb}
		}
		return hit{area: onTrack}
	case m.hbar && p.Y >= m.head+m.view.Height:
		return hit{area: onSideBar}
	case p.Y < m.head:
		return u.hitHead(m, p.X)
	}
	return u.hitRow(m, p)
}

func (u *pointer) hitHead(m *metrics, x float32) hit {
	const near = 5
	for i := range len(m.columns) - 1 {
		if edge := m.left(i) + m.width[i]; x > edge-near && x < edge+near {
			return hit{area: onDivider, column: i}
		}
	}
	if i := m.columnAt(x); u.tree.OnTitle != nil && i >= 0 {
		return hit{area: onTitle, column: i}
	}
	return hit{}
}

func (u *pointer) hitRow(m *metrics, p fyne.Position) hit {
	row := m.rowAt(p.Y)
	if row < 0 || row >= m.rows {
		return hit{}
	}
	h := hit{area: onRow, row: row, column: m.columnAt(p.X)}
	at := u.tree.out.place(row)
	name := m.nameAt(at)
	if ready := u.tree.rows.made[at]; ready != nil && ready.row.Branch && p.X >= name-expander-4 && p.X < name {
		h.area = onExpander
	}
	return h
}

// repeats reports whether a click is the second of a double click.
func (u *pointer) repeats(h hit) bool {
	again := u.last.area == h.area && u.last.row == h.row && (h.area != onDivider || u.last.column == h.column) && time.Since(u.lastAt) < doubleClick
	u.last, u.lastAt = h, time.Now()
	if again {
		u.last = hit{}
	}
	return again
}

// grab takes hold of a divider; with two clicks the column is as wide as its longest text in sight.
func (u *pointer) grab(m *metrics, h hit) {
	u.moved = m.columns.moved(h.column)
	if u.repeats(h) {
		m.columns[u.moved].setWidth(m.fitting(u.moved, u.tree.rows.made))
		m.columnsIn(m.columns)
	}
	u.value = m.width[u.moved]
}

// press does what the button over a row means; several can be selected by a drag from there.
func (u *pointer) press(h hit, e *desktop.MouseEvent) {
	t, primary := u.tree, e.Button == desktop.MouseButtonPrimary
	p := t.out.place(h.row)
	switch {
	case u.pick(p, h.row, e):
		u.last = hit{}
		t.scroll.reveal = false
	case primary && e.Modifier&fyne.KeyModifierShortcutDefault != 0 && t.OnFollow != nil:
		t.Selection.set(p, false)
		t.scroll.reveal = false
		if it := t.Selection.item; it != nil {
			t.OnFollow(it, e.AbsolutePosition)
		}
	default:
		u.click(p, h, primary)
	}
	if !primary || !t.Multi {
		u.held = hit{}
	}
}

// pick does what a click on a row with keys held down means to the selection, and reports whether it means anything.
func (u *pointer) pick(p pos, row int64, e *desktop.MouseEvent) bool {
	const ctrl, shift = fyne.KeyModifierShortcutDefault, fyne.KeyModifierShift
	s := &u.tree.Selection
	switch held := e.Modifier & (ctrl | shift); {
	case !u.tree.Multi:
		return false
	case e.Button == desktop.MouseButtonSecondary:
		if !s.holds(p) {
			return false
		}
		s.move(p, false) // the menu is for all selected rows
	case held == shift:
		s.extend(row)
	case held == ctrl|shift:
		s.flip(p)
	default:
		return false
	}
	return true
}

// click selects a row; a second click does what Enter does.
func (u *pointer) click(p pos, h hit, primary bool) {
	t := u.tree
	again := u.repeats(h)
	t.Selection.set(p, false)
	t.scroll.reveal = false
	switch m := t.rows.made[p]; {
	case primary && m != nil && m.row.Folded:
		if !again {
			t.branches.flip(p)
		}
	case primary && (again || t.Led):
		t.enter(p)
	}
}

// light lights the row that the mouse is over, or none if -1.
func (u *pointer) light(row int64) {
	t := u.tree
	if row == u.row {
		return
	}
	u.row = row
	t.Refresh()
	if t.OnHover == nil {
		return
	}
	var it Item
	if row >= 0 {
		if ready := t.rows.made[t.out.place(row)]; ready != nil {
			it = ready.item
		}
	}
	t.OnHover(it)
}

// explain shows the whole text at p in a tip if it is shortened there.
func (u *pointer) explain(m *metrics, h hit, p fyne.Position) {
	at := u.tree.out.near(h.row)
	ready := u.tree.rows.made[at]
	if h.area != onRow || h.column < 0 || ready == nil {
		u.quiet()
		return
	}
	h.column = m.textAt(p.X, at, &ready.row)
	if h == u.said {
		return
	}
	u.quiet()
	u.said = h
	if h.column >= len(ready.row.Cells) {
		return
	}
	text := oneLine(ready.row.Cells[h.column])
	_, w := m.cellBox(h.column, at, &ready.row)
	if elide(text, w, m.text, fyne.TextStyle{Monospace: m.columns[h.column].Mono}) != text {
		u.tip.WaitBelow(u.tree, text, p)
	}
}

// quiet hides the tip, shown or to come.
func (u *pointer) quiet() {
	u.tip.Hide()
	u.said = hit{}
}

// MouseDown does at once what a click means.
func (t *Tree) MouseDown(e *desktop.MouseEvent) {
	u := &t.pointer
	u.quiet()
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t)
	}
	m := t.measure()
	h := u.hit(&m, e.Position)
	u.held, u.from = h, e.Position
	switch h.area {
	case onDivider:
		u.grab(&m, h)
	case onThumb:
		u.value = m.thumbAt()
	case onSideBar:
		u.value = t.scroll.left
	case onTrack:
		if e.Position.Y-m.head < m.thumbAt() {
			t.scroll.top -= m.wholeRows
		} else {
			t.scroll.top += m.wholeRows
		}
	case onTitle:
		t.OnTitle(h.column)
	case onExpander:
		t.branches.flip(t.out.place(h.row))
	case onRow:
		u.press(h, e)
	}
	t.Refresh()
}

// MouseUp ends a drag.
func (t *Tree) MouseUp(*desktop.MouseEvent) {
	if t.pointer.held.area == onDivider && t.OnColumns != nil {
		t.OnColumns(t.Widths())
	}
	t.pointer.held = hit{}
}

// Dragged moves the divider or the bar that is held, or selects the rows from where the button went down.
func (t *Tree) Dragged(e *fyne.DragEvent) {
	u, m := &t.pointer, t.measure()
	dx, dy := e.Position.X-u.from.X, e.Position.Y-u.from.Y
	switch u.held.area {
	case onDivider:
		if u.moved != u.held.column { // it is after the divider
			dx = -dx
		}
		t.columns[u.moved].setWidth(u.value + dx)
	case onThumb: // in float64, since float32 cannot address ten million rows
		fraction := float64(u.value+dy) / float64(max(m.seat, 1))
		t.scroll.setTop(int64(max(0, min(1, fraction))*float64(m.maxTop()) + 0.5))
	case onSideBar:
		t.scroll.left = u.value + dx*m.total/max(m.view.Width, 1)
	case onRow:
		row, _ := t.out.row(t.out.near(m.rowAt(e.Position.Y)))
		if at, _ := t.out.row(t.Selection.cursor); row == at {
			return
		}
		u.last = hit{}
		t.Selection.extend(row)
	default:
		return
	}
	t.Refresh()
}

// DragEnd does nothing: MouseUp ends a drag.
func (t *Tree) DragEnd() {}

// Scrolled scrolls by the wheel.
func (t *Tree) Scrolled(e *fyne.ScrollEvent) {
	t.pointer.quiet()
	m := t.measure()
	t.scroll.move(-e.Scrolled.DX, -e.Scrolled.DY*2, &m)
	t.pointer.light(-1)
	t.Refresh()
}

// MouseIn does what MouseMoved does.
func (t *Tree) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }

// MouseMoved lights the row under the mouse. Where it rests on a shortened text, a tip shows the whole.
func (t *Tree) MouseMoved(e *desktop.MouseEvent) {
	u, m := &t.pointer, t.measure()
	h := u.hit(&m, e.Position)
	if u.held.area == nowhere {
		u.over = h.area
	}
	u.explain(&m, h, e.Position)
	if h.area == onRow || h.area == onExpander {
		u.light(h.row)
	} else {
		u.light(-1)
	}
}

// MouseOut lights no row.
func (t *Tree) MouseOut() {
	t.pointer.quiet()
	t.pointer.over = nowhere
	t.pointer.light(-1)
}

// Cursor returns arrows over a divider, and a hand over a title that can be clicked.
func (t *Tree) Cursor() desktop.Cursor {
	switch t.pointer.over {
	case onDivider:
		return desktop.HResizeCursor
	case onTitle:
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// Tapped does nothing: the work is done when the button goes down.
func (t *Tree) Tapped(*fyne.PointEvent) {}

// TappedSecondary calls for the menu of the row there.
func (t *Tree) TappedSecondary(e *fyne.PointEvent) {
	m := t.measure()
	h := t.pointer.hit(&m, e.Position)
	if h.area != onRow && h.area != onExpander {
		return
	}
	if p := t.out.place(h.row); !t.Selection.holds(p) {
		t.Selection.set(p, false)
	}
	if it := t.Selection.item; it != nil && t.OnMenu != nil {
		t.OnMenu(it, h.column, e.AbsolutePosition)
	}
}
