package treeview

import (
	"math"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// part is what the mouse is on.
type part uint8

const (
	nowhere part = iota
	onRow
	onExpander
	onDivider
	onThumb
	onTrack
	onSideBar
	onTitle
)

type hit struct {
	part   part
	row    int64
	column int
	at     time.Time
}

// grip is what the mouse holds while its button is down.
type grip struct {
	part   part
	column int
	from   fyne.Position
	value  float32 // of what is moved when the button went down
}

// hit says what is at p.
func (t *Tree) hit(m *metrics, p fyne.Position) hit {
	switch {
	case m.vbar && p.X >= m.view.Width && p.Y >= m.head:
		at := p.Y - m.head - t.thumbAt(m)
		if at >= 0 && at < m.thumb {
			return hit{part: onThumb}
		}
		return hit{part: onTrack}
	case m.hbar && p.Y >= m.head+m.view.Height:
		return hit{part: onSideBar}
	case p.Y < m.head:
		return t.hitHead(m, p.X)
	}
	return t.hitRow(m, p)
}

// columnAt is the column at x; -1: none.
func (t *Tree) columnAt(m *metrics, x float32) int {
	for i := range t.columns {
		if left := m.x[i] - t.left; x >= left && x < left+m.width[i] {
			return i
		}
	}
	return -1
}

func (t *Tree) hitHead(m *metrics, x float32) hit {
	for i := range len(t.columns) - 1 {
		edge := m.x[i] + m.width[i] - t.left
		if x > edge-5 && x < edge+5 {
			return hit{part: onDivider, column: i}
		}
	}
	if i := t.columnAt(m, x); t.OnTitle != nil && i >= 0 {
		return hit{part: onTitle, column: i}
	}
	return hit{}
}

func (t *Tree) hitRow(m *metrics, p fyne.Position) hit {
	row := t.top + int64((p.Y-m.head+t.shift)/m.row)
	if row < 0 || row >= t.out.rows() {
		return hit{}
	}
	h := hit{part: onRow, row: row, column: t.columnAt(m, p.X)}
	at := t.out.at(row)
	name := t.nameAt(m, at)
	if ready := t.rows[at]; ready != nil && ready.row.Branch && p.X >= name-expander-4 && p.X < name {
		h.part = onExpander
	}
	return h
}

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 350 * time.Millisecond

// MouseDown implements desktop.Mouseable.
func (t *Tree) MouseDown(e *desktop.MouseEvent) {
	t.noTip()
	if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil {
		c.Focus(t)
	}
	m := t.measure()
	h := t.hit(&m, e.Position)
	t.grip = grip{part: h.part, column: h.column, from: e.Position}
	switch h.part {
	case onDivider:
		pressDivider(t, &m, h)
	case onThumb:
		t.grip.value = t.thumbAt(&m)
	case onSideBar:
		t.grip.value = t.left
	case onTrack:
		t.grip.part = nowhere
		if e.Position.Y-m.head < t.thumbAt(&m) {
			t.top -= m.wholeRows
		} else {
			t.top += m.wholeRows
		}
	case onTitle:
		t.OnTitle(h.column)
	case onExpander:
		t.flip(t.out.at(h.row))
	case onRow:
		t.pressRow(h, e)
	}
	t.Refresh()
}

// pressRow does what the button over a row means; several can be selected by a drag from there.
func (t *Tree) pressRow(h hit, e *desktop.MouseEvent) {
	primary := e.Button == desktop.MouseButtonPrimary
	switch {
	case t.pickByMouse(t.out.at(h.row), h.row, e):
	case primary && e.Modifier&fyne.KeyModifierShortcutDefault != 0 && t.OnFollow != nil:
		t.follow(h, e.AbsolutePosition)
	default:
		t.clickRow(h, primary)
	}
	if !primary || !t.Multi {
		t.grip.part = nowhere
	}
}

// movedColumn returns the column whose width the divider after a column changes: the one that stretches most takes what is left, so its
// neighbour does in its place.
func movedColumn(t *Tree, column int) int {
	if column == t.widest() {
		column++
		for column < len(t.columns)-1 && t.columns[column].Follows {
			column++
		}
	}
	return column
}

// setWidth gives a column a width of its own.
func (c *Column) setWidth(width float32) {
	c.Width, c.Stretch, c.Least = max(minColumn, width), 0, 0
}

// pressDivider takes hold of a divider; with two clicks the column is as wide as its longest text in sight.
func pressDivider(t *Tree, m *metrics, h hit) {
	column := movedColumn(t, h.column)
	h.at = time.Now()
	again := t.lastHit.part == onDivider && t.lastHit.column == h.column && h.at.Sub(t.lastHit.at) < doubleClick
	t.lastHit = h
	if again {
		t.lastHit = hit{}
		t.columns[column].setWidth(fittingWidth(t, m, column))
		m.columnsIn(t.columns)
	}
	t.grip.value = m.width[column]
}

// fittingWidth returns the width of a column that has room for its title and for the texts of the rows that are made.
func fittingWidth(t *Tree, m *metrics, column int) float32 {
	c := t.columns[column]
	widest := fyne.MeasureText(c.Title+" ↓", m.text-1, fyne.TextStyle{}).Width + 2*cellPad
	for p, ready := range t.rows {
		if column >= len(ready.row.Cells) || len(ready.row.Cells[column]) > longestShown {
			continue
		}
		from, _ := t.cellBox(m, column, p, &ready.row)
		style := fyne.TextStyle{Monospace: c.Mono, Bold: column == 0 && ready.row.Strong}
		width := from + t.left - m.x[column] + fyne.MeasureText(oneLine(ready.row.Cells[column]), m.text, style).Width + cellPad + 1
		if column == 0 {
			width += markWide
		}
		widest = max(widest, width)
	}
	return min(widest, max(m.view.Width*3/4, minColumn))
}

// follow selects a row and has it followed, if it is made.
func (t *Tree) follow(h hit, at fyne.Position) {
	t.setCursor(t.out.at(h.row), false)
	t.reveal = false
	if t.chosen != nil {
		t.OnFollow(t.chosen, at)
	}
}

func (t *Tree) clickRow(h hit, primary bool) {
	h.at = time.Now()
	p := t.out.at(h.row)
	again := t.lastHit.row == h.row && t.lastHit.part == onRow && h.at.Sub(t.lastHit.at) < doubleClick
	t.lastHit = h
	t.setCursor(p, false)
	t.reveal = false
	switch m := t.rows[p]; {
	case primary && m != nil && m.row.Folded:
		if !again {
			t.flip(p)
		}
	case primary && (again || t.Led):
		t.lastHit = hit{}
		t.enter(p)
	}
}

// MouseUp implements desktop.Mouseable.
func (t *Tree) MouseUp(*desktop.MouseEvent) {
	if t.grip.part == onDivider && t.OnColumns != nil {
		t.OnColumns(t.Widths())
	}
	t.grip = grip{}
}

// Dragged implements fyne.Draggable.
func (t *Tree) Dragged(e *fyne.DragEvent) {
	m := t.measure()
	dx, dy := e.Position.X-t.grip.from.X, e.Position.Y-t.grip.from.Y
	switch t.grip.part {
	case onDivider:
		if t.grip.column == movedColumn(t, t.grip.column) {
			t.columns[t.grip.column].setWidth(t.grip.value + dx)
		} else {
			t.columns[movedColumn(t, t.grip.column)].setWidth(t.grip.value - dx)
		}
	case onThumb:
		t.scrollTo(float64(t.grip.value+dy)/float64(max(m.seat, 1)), &m)
	case onSideBar:
		t.left = t.grip.value + dx*m.total/max(m.view.Width, 1)
	case onRow:
		t.dragTo(&m, e.Position.Y)
	default:
		return
	}
	t.Refresh()
}

// dragTo selects the rows from that where the button went down to that at y, and brings it into sight.
func (t *Tree) dragTo(m *metrics, y float32) {
	row := t.top + int64(math.Floor(float64((y-m.head+t.shift)/m.row)))
	row = max(0, min(row, t.out.rows()-1))
	if at, _ := t.out.row(t.cursor); row == at {
		return
	}
	t.lastHit = hit{}
	t.extend(row)
}

// DragEnd implements fyne.Draggable.
func (t *Tree) DragEnd() {}

// scrollTo scrolls to a fraction of the tree, in float64 since float32 cannot address ten million rows.
func (t *Tree) scrollTo(fraction float64, m *metrics) {
	t.top, t.shift, t.askedTop = int64(max(0, min(1, fraction))*float64(t.maxTop(m))+0.5), 0, -1
}

// Scrolled implements fyne.Scrollable.
func (t *Tree) Scrolled(e *fyne.ScrollEvent) {
	t.noTip()
	m := t.measure()
	t.left -= e.Scrolled.DX
	move := -e.Scrolled.DY * 2
	t.shift += move
	rows := int64(t.shift / m.row)
	if t.shift < 0 {
		rows--
	}
	t.top += rows
	t.shift -= float32(rows) * m.row
	t.askedTop = -1
	t.hoverRow(-1)
	t.Refresh()
}

// MouseIn implements desktop.Hoverable.
func (t *Tree) MouseIn(e *desktop.MouseEvent) { t.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (t *Tree) MouseMoved(e *desktop.MouseEvent) {
	m := t.measure()
	h := t.hit(&m, e.Position)
	row := int64(-1)
	if h.part == onRow || h.part == onExpander {
		row = h.row
	}
	t.rest(e.Position)
	if t.grip.part == nowhere {
		t.overDivider, t.overTitle = h.part == onDivider, h.part == onTitle
	}
	t.hoverRow(row)
}

// hoverRow lights the row that the pointer is over; -1: it is over none.
func (t *Tree) hoverRow(row int64) {
	if row == t.hover {
		return
	}
	t.hover = row
	t.Refresh()
	if t.OnHover == nil {
		return
	}
	var it Item
	if row >= 0 {
		if ready := t.rows[t.out.at(row)]; ready != nil {
			it = ready.item
		}
	}
	t.OnHover(it)
}

// MouseOut implements desktop.Hoverable.
func (t *Tree) MouseOut() {
	t.noTip()
	t.overDivider, t.overTitle = false, false
	t.hoverRow(-1)
}

// Cursor implements desktop.Cursorable.
func (t *Tree) Cursor() desktop.Cursor {
	if t.overDivider {
		return desktop.HResizeCursor
	}
	if t.overTitle {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// Tapped implements fyne.Tappable; the work is done when the button goes down.
func (t *Tree) Tapped(*fyne.PointEvent) {}

// TappedSecondary implements fyne.SecondaryTappable.
func (t *Tree) TappedSecondary(e *fyne.PointEvent) {
	m := t.measure()
	if h := t.hit(&m, e.Position); h.part == onRow || h.part == onExpander {
		if p := t.out.at(h.row); !t.isPicked(p) {
			t.setCursor(p, false)
		}
		if t.chosen != nil && t.OnMenu != nil {
			t.OnMenu(t.chosen, h.column, e.AbsolutePosition)
		}
	}
}

// menuByKey calls for the menu of the selected row, below it.
func (t *Tree) menuByKey() {
	if t.chosen == nil || t.OnMenu == nil {
		return
	}
	row, size, _ := t.CursorRect()
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(t).Add(row).AddXY(size.Height, size.Height)
	t.OnMenu(t.chosen, -1, at)
}

// FocusGained implements fyne.Focusable.
func (t *Tree) FocusGained() {
	t.focused = true
	t.Refresh()
}

// FocusLost implements fyne.Focusable.
func (t *Tree) FocusLost() {
	t.focused = false
	t.extending = false
	t.typed = ""
	t.Refresh()
}

// TypedKey implements fyne.Focusable. Keys that mean nothing here are handed on to the canvas.
func (t *Tree) TypedKey(e *fyne.KeyEvent) {
	t.noTip()
	t.hoverRow(-1) // the row under a pointer that rests may be another one then
	row, ok := t.out.row(t.cursor)
	if !ok {
		return
	}
	row, ok = t.rowByKey(e.Name, row)
	if !ok {
		t.otherKey(e)
		return
	}
	t.typed = ""
	if t.extending {
		t.extend(row)
	} else {
		t.setCursor(t.out.at(max(0, min(row, t.out.rows()-1))), false)
	}
	t.Refresh()
}

// rowByKey is the row that a key leads to from a row; false where it does not move. It may be outside of the tree.
func (t *Tree) rowByKey(key fyne.KeyName, row int64) (int64, bool) {
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
	if kit.IsMenuKey(e.Name) {
		t.menuByKey()
		return
	}
	switch e.Name {
	case fyne.KeyLeft:
		t.keyLeft()
		t.Refresh()
	case fyne.KeyRight:
		t.keyRight()
		t.Refresh()
	case fyne.KeyReturn, fyne.KeyEnter:
		t.enter(t.cursor)
		t.Refresh()
	case fyne.KeyEscape:
		if len(t.picked) > 0 {
			t.pick(nil)
			t.Refresh()
		} else if t.OnEscape != nil {
			t.OnEscape()
		}
	default:
		if c := fyne.CurrentApp().Driver().CanvasForObject(t); c != nil && c.OnTypedKey() != nil {
			c.OnTypedKey()(e)
		}
	}
}

// keyLeft closes the row, or goes to its parent.
func (t *Tree) keyLeft() {
	if b := t.cursor.b.kid(t.cursor.i); b != nil && b.open {
		t.toggle(b, false)
	} else if t.cursor.b.up != nil {
		t.setCursor(pos{t.cursor.b.up, t.cursor.b.index}, false)
	}
}

// keyRight opens the row, or goes to its first child.
func (t *Tree) keyRight() {
	b := t.cursor.b.kid(t.cursor.i)
	if b == nil || !b.open {
		t.open(t.cursor)
	} else if b.own() > 0 {
		t.setCursor(pos{b, 0}, false)
	}
}

// open opens the row at p if it is a branch and made.
func (t *Tree) open(p pos) {
	if m := t.rows[p]; m != nil && m.row.Branch && !p.isTail() {
		b := t.out.add(p.b, p.i, m.item)
		t.toggle(b, true)
	}
}

// flip opens or closes the row at p.
func (t *Tree) flip(p pos) {
	if b := p.b.kid(p.i); b != nil && b.open {
		t.toggle(b, false)
		return
	}
	t.open(p)
}

// enter does what Enter and a double click do.
func (t *Tree) enter(p pos) {
	switch m := t.rows[p]; {
	case p.isTail() && p.b.work == nil && t.data.Pending(p.b.item):
		t.resolve(p.b)
	case m == nil:
	case m.row.Branch:
		t.flip(p)
	case t.OnChosen != nil:
		t.OnChosen(m.item)
	}
}

// TypedShortcut implements fyne.Shortcutable. As a focused widget that takes shortcuts hides them from the canvas, all
// but copy are handed on to it.
func (t *Tree) TypedShortcut(s fyne.Shortcut) {
	if c, ok := s.(*fyne.ShortcutCopy); ok {
		t.copy(c.Clipboard)
		return
	}
	if t.pickByShortcut(s) {
		return
	}
	if c, ok := fyne.CurrentApp().Driver().CanvasForObject(t).(fyne.Shortcutable); ok {
		c.TypedShortcut(s)
	}
}

func (t *Tree) copy(to fyne.Clipboard) {
	switch m := t.rows[t.cursor]; {
	case t.chosen != nil && t.OnCopy != nil:
		t.OnCopy(t.chosen)
	case m != nil:
		to.SetContent(strings.Join(m.row.Cells, "\t"))
	}
}

// typePause ends a word of type-ahead.
const typePause = time.Second

// TypedRune implements fyne.Focusable: * opens the siblings, ? is for the window, other characters look for a name.
func (t *Tree) TypedRune(r rune) {
	now := time.Now()
	if now.Sub(t.typedAt) > typePause {
		t.typed = ""
	}
	switch {
	case r == '*' && t.typed == "":
		t.openSiblings()
		return
	case r == '?' && t.typed == "" && t.handOn(r):
		return
	}
	t.typedAt = now
	from, ok := t.out.row(t.cursor)
	if !ok {
		return
	}
	letter := string(r)
	if t.typed == "" || t.typed == letter { // the same letter again goes to the next name
		from++
		t.typed = letter
	} else {
		t.typed += letter
	}
	t.seek(strings.ToLower(t.typed), max(from, 0)) // in a list nothing may be selected
}

// handOn gives a character to the window; false: it takes none.
func (t *Tree) handOn(r rune) bool {
	c := fyne.CurrentApp().Driver().CanvasForObject(t)
	if c == nil || c.OnTypedRune() == nil {
		return false
	}
	c.OnTypedRune()(r)
	return true
}
