package hexview

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// pointer is what the mouse is doing.
type pointer struct {
	part  part // the part the pointer is over; partNone when it is outside
	off   int64
	on    bool // the pointer is on the byte at off
	in    bool // or in the gutter of its row
	shift bool // was held when the button went down

	down  bool
	drag  part    // the part that is being dragged
	grip  float64 // where in the scroll bar's handle it was taken, in pixels
	last  fyne.Position
	timer *time.Timer // scrolls on while bytes are dragged beyond the edge
	wheel float32     // scrolled distance that did not yet make a row
}

// tapMemory knows what the last click chose, to tell a click on the same from one on something else.
type tapMemory struct {
	valid bool
	off   int64
	field Range // what was selected after the first click; empty until the second
}

const (
	// wheelRows is how many rows a wheel step scrolls; a step of the wheel is 25 units on most systems.
	wheelRows = 3
	wheelStep = 25
	// dragEvery is the time between scroll steps while bytes are dragged beyond the edge.
	dragEvery = 50 * time.Millisecond
)

// MouseDown implements desktop.Mouseable.
func (v *View) MouseDown(e *desktop.MouseEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		c.Focus(v)
	}
	v.hideTip()
	if v.grid == nil || v.size == 0 {
		return
	}
	v.mouse.shift = e.Modifier&fyne.KeyModifierShift != 0
	if e.Button == desktop.MouseButtonPrimary {
		v.press(e.Position)
	}
}

// press begins a click or a drag.
func (v *View) press(pos fyne.Position) {
	m := &v.mouse
	m.down = true
	x, y := v.px(pos)
	p, off, _ := v.grid.hit(x, y, v.top, v.left)
	m.drag = p
	switch p {
	case partBar:
		t := v.thumb()
		if !t.holds(y) { // the handle comes to the pointer
			v.dragBar(float64(y) - float64(t.len())/2)
			t = v.thumb()
		}
		m.grip = float64(y - t.from)
	case partFoot:
		t := v.footThumb()
		if !t.holds(x) {
			v.dragFoot(float64(x) - float64(t.len())/2)
			t = v.footThumb()
		}
		m.grip = float64(x - t.from)
	case partStrip:
		v.jump(y)
	case partHex, partText, partGutter, partFold:
		v.typing.text = p == partText
		v.place(off, m.shift)
	}
	v.redraw()
}

// MouseUp implements desktop.Mouseable.
func (v *View) MouseUp(*desktop.MouseEvent) {
	v.mouse.down = false
	v.redraw()
}

// Tapped implements fyne.Tappable.
func (v *View) Tapped(e *fyne.PointEvent) {
	if v.grid == nil || v.size == 0 {
		return
	}
	x, y := v.px(e.Position)
	switch p, off, inside := v.grid.hit(x, y, v.top, v.left); {
	case !inside || v.mouse.shift || p == partGutter:
	case p == partFold:
		_, fold := v.grid.rowOf(off)
		v.flip(fold.fold, true)
	case p == partUnfold:
		fold, _ := v.grid.openAt(off)
		v.flip(fold, false)
	default:
		v.tap(off)
	}
	v.mouse.shift = false
}

// tap tells the window of a click on a byte.
func (v *View) tap(off int64) {
	t := &v.again
	again := false
	if t.valid {
		if t.field.Len == 0 {
			t.field = Range{t.off, 1}
			if r, ok := v.selected.at(t.off); ok {
				t.field = r
			}
		}
		again = t.field.Holds(off)
	}
	if again {
		t.off = off
	} else {
		*t = tapMemory{valid: true, off: off}
	}
	if v.OnTap != nil {
		memory, src := *t, v.src
		v.OnTap(off, again)
		if v.src == src {
			*t = memory // a window that moves the cursor in answer does not make it forget
		}
	}
}

// TappedSecondary implements fyne.SecondaryTappable. A click outside the selected bytes moves the cursor there first, so
// that the menu is about what was clicked.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	if v.grid == nil || v.size == 0 {
		return
	}
	x, y := v.px(e.Position)
	p, off, _ := v.grid.hit(x, y, v.top, v.left)
	if p != partHex && p != partText && p != partGutter && p != partFold {
		return
	}
	if first, n := v.Selection(); n == 0 || off < first || off >= first+n {
		v.place(off, false)
	}
	if v.OnSecondaryTap != nil {
		v.OnSecondaryTap(off, e.AbsolutePosition)
	}
}

// Dragged implements fyne.Draggable.
func (v *View) Dragged(e *fyne.DragEvent) {
	if v.grid == nil || v.size == 0 {
		return
	}
	m := &v.mouse
	if !m.down {
		v.press(e.Position.SubtractXY(e.Dragged.DX, e.Dragged.DY))
	}
	m.last = e.Position
	x, y := v.px(e.Position)
	switch m.drag {
	case partBar:
		v.dragBar(float64(y) - m.grip)
	case partFoot:
		v.dragFoot(float64(x) - m.grip)
	case partStrip:
		v.jump(y)
	case partHex, partText, partGutter, partFold:
		v.dragBytes()
	}
}

// DragEnd implements fyne.Draggable.
func (v *View) DragEnd() {
	v.mouse.down, v.mouse.drag = false, partNone
	if v.mouse.timer != nil {
		v.mouse.timer.Stop()
		v.mouse.timer = nil
	}
	v.redraw()
}

// dragBytes selects up to the pointer, and scrolls while it is above or below the rows.
func (v *View) dragBytes() {
	g, m := v.grid, &v.mouse
	x, y := v.px(m.last)
	x = max(0, min(x, g.strip.from-1))
	beyond := 0
	if y < 0 {
		beyond = y/g.cell.row - 1
	} else if below := y - (g.h - g.foot); below >= 0 {
		beyond = below/g.cell.row + 1
	}
	if beyond != 0 {
		v.scrollRows(v.top + int64(beyond))
	}
	y = max(0, min(y, g.full*g.cell.row-1))
	_, off, _ := g.hit(x, y, v.top, v.left)
	v.place(off, true)
	if beyond != 0 && m.timer == nil {
		m.timer = time.AfterFunc(dragEvery, func() { v.do(v.dragOn) })
	}
}

func (v *View) dragOn() {
	if v.mouse.timer == nil || v.grid == nil {
		return
	}
	v.mouse.timer = nil
	v.dragBytes()
}

// place moves the cursor by the mouse; with extend, the selected bytes reach to it.
func (v *View) place(off int64, extend bool) {
	if extend && !v.selecting && off == v.cursor {
		return
	}
	v.moveCursor(off, extend)
}

// Scrolled implements fyne.Scrollable. Small distances of a touch pad add up until they make a row.
func (v *View) Scrolled(e *fyne.ScrollEvent) {
	if v.grid == nil {
		return
	}
	m := &v.mouse
	m.wheel -= e.Scrolled.DY * wheelRows / wheelStep
	if rows := int64(m.wheel); rows != 0 {
		m.wheel -= float32(rows)
		v.scrollRows(v.top + rows)
	}
	if e.Scrolled.DX != 0 {
		v.scrollSide(v.left - int(float64(e.Scrolled.DX)*v.grid.scale))
	}
}

// thumb is the vertical scroll bar's handle.
func (v *View) thumb() span {
	g := v.grid
	return thumb(g.h, g.leastThumb(), v.top, int64(g.full), g.rows())
}

func (v *View) dragBar(pos float64) {
	g := v.grid
	v.scrollRows(unthumb(g.h, v.thumb().len(), pos, int64(g.full), g.rows()))
}

// footThumb is the horizontal scroll bar's handle.
func (v *View) footThumb() span {
	g := v.grid
	return thumb(g.strip.from, g.leastThumb(), int64(v.left), int64(g.strip.from), int64(g.content))
}

func (v *View) dragFoot(pos float64) {
	g := v.grid
	v.scrollSide(int(unthumb(g.strip.from, v.footThumb().len(), pos, int64(g.strip.from), int64(g.content))))
}

// jump scrolls the byte that a pixel of the overview strip shows to the middle.
func (v *View) jump(y int) {
	g := v.grid
	row, _ := g.rowOf(g.stripOffset(y))
	v.scrollRows(row - int64(g.full/2))
}

// MouseIn implements desktop.Hoverable.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved implements desktop.Hoverable.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	if v.grid == nil {
		return
	}
	x, y := v.px(e.Position)
	p, off, inside := v.grid.hit(x, y, v.top, v.left)
	m := &v.mouse
	was := *m
	m.part, m.off, m.in, m.on = p, off, inside, inside && p.bytes()
	if m.stronger() != was.stronger() || p == partFold && off != was.off {
		v.redraw()
	}
	if p == partStrip && v.grid.profile.holds(x) {
		v.hoverProfile(y, e.Position)
		return
	}
	if was.in == m.in && was.off == off && was.on == m.on {
		return
	}
	if v.OnHover != nil && (m.on || was.on) {
		v.OnHover(off, m.on, e.Position)
	}
	if m.in {
		v.hover(off, p, e.Position)
	} else {
		v.hideTip()
	}
}

// bytes reports whether there are bytes in the part, one by one.
func (p part) bytes() bool { return p == partHex || p == partText }

// stronger is the part under the pointer if something of it is drawn stronger for that: the handle of a bar, a fold.
func (m *pointer) stronger() part {
	switch m.part {
	case partBar, partFoot, partFold:
		return m.part
	}
	return partNone
}

// MouseOut implements desktop.Hoverable.
func (v *View) MouseOut() {
	m := &v.mouse
	if m.on && v.OnHover != nil {
		v.OnHover(m.off, false, fyne.Position{})
	}
	if m.stronger() != partNone {
		v.redraw()
	}
	m.part, m.on, m.in = partNone, false, false
	v.hideTip()
}
