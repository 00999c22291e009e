package hexview

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// A pointer is the state of the mouse.
type pointer struct {
	area  area // under the pointer, or areaNone if it is outside
	off   int64
	on    bool // the pointer is on the byte at off
	in    bool // or in the gutter of its row
	shift bool // was held when the button went down

	down  bool
	drag  area    // the area that is being dragged
	grip  float64 // grabbed position in the scroll bar's handle, in pixels
	last  fyne.Position
	timer *time.Timer // scrolls on while bytes are dragged beyond the edge
	wheel float32     // scrolled distance of less than a row
}

// tapMemory records what the last click selected, to recognise another click on the same thing.
type tapMemory struct {
	valid bool
	off   int64
	field Range // the selection after the first click, or empty until the second
}

const (
	// wheelRows is the number of rows per wheel step, which is 25 units on most systems.
	wheelRows = 3
	wheelStep = 25
	// dragEvery is the time between scroll steps while bytes are dragged beyond the edge.
	dragEvery = 50 * time.Millisecond
)

// MouseDown begins a click or a drag with the main button.
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
	case areaBar:
		t := v.thumb()
		if !t.holds(y) { // move the handle to the pointer
			v.dragBar(float64(y) - float64(t.len())/2)
			t = v.thumb()
		}
		m.grip = float64(y - t.from)
	case areaFoot:
		t := v.footThumb()
		if !t.holds(x) {
			v.dragFoot(float64(x) - float64(t.len())/2)
			t = v.footThumb()
		}
		m.grip = float64(x - t.from)
	case areaStrip:
		v.jump(y)
	case areaHex, areaText, areaGutter, areaFold:
		v.typing.text = p == areaText
		v.place(off, m.shift)
	}
	v.redraw()
}

// MouseUp ends a drag.
func (v *View) MouseUp(*desktop.MouseEvent) {
	v.mouse.down = false
	v.redraw()
}

// Tapped handles a click on a byte or a fold.
func (v *View) Tapped(e *fyne.PointEvent) {
	if v.grid == nil || v.size == 0 {
		return
	}
	x, y := v.px(e.Position)
	switch p, off, inside := v.grid.hit(x, y, v.top, v.left); {
	case !inside || v.mouse.shift || p == areaGutter:
	case p == areaFold:
		_, fold := v.grid.rowOf(off)
		v.flip(fold.fold, true)
	case p == areaUnfold:
		fold, _ := v.grid.openAt(off)
		v.flip(fold, false)
	default:
		v.tap(off)
	}
	v.mouse.shift = false
}

// tap reports a click on a byte.
func (v *View) tap(off int64) {
	t := &v.again
	again := false
	if t.valid {
		if t.field.Len == 0 {
			t.field = Range{t.off, 1}
			if r, ok := v.selected.find(t.off); ok {
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
			*t = memory // a callback that moves the cursor must not reset it
		}
	}
}

// TappedSecondary reports a click of the secondary button. Outside of the selection it moves the cursor first, so that
// the menu is about the clicked byte.
func (v *View) TappedSecondary(e *fyne.PointEvent) {
	if v.grid == nil || v.size == 0 {
		return
	}
	x, y := v.px(e.Position)
	p, off, _ := v.grid.hit(x, y, v.top, v.left)
	if p != areaHex && p != areaText && p != areaGutter && p != areaFold {
		return
	}
	if first, n := v.Selection(); n == 0 || off < first || off >= first+n {
		v.place(off, false)
	}
	if v.OnSecondaryTap != nil {
		v.OnSecondaryTap(off, e.AbsolutePosition)
	}
}

// Dragged scrolls by a bar, or extends the selection.
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
	case areaBar:
		v.dragBar(float64(y) - m.grip)
	case areaFoot:
		v.dragFoot(float64(x) - m.grip)
	case areaStrip:
		v.jump(y)
	case areaHex, areaText, areaGutter, areaFold:
		v.dragBytes()
	}
}

// DragEnd ends a drag.
func (v *View) DragEnd() {
	v.mouse.down, v.mouse.drag = false, areaNone
	if v.mouse.timer != nil {
		v.mouse.timer.Stop()
		v.mouse.timer = nil
	}
	v.redraw()
}

// dragBytes extends the selection to the pointer, and scrolls while the pointer is above or below the rows.
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

// place moves the cursor for the mouse. With extend the selection follows.
func (v *View) place(off int64, extend bool) {
	if extend && !v.selecting && off == v.cursor {
		return
	}
	v.moveCursor(off, extend)
}

// Scrolled scrolls rows and columns. Small distances of a touch pad are summed until they make a row.
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

// thumb returns the vertical scroll bar's handle.
func (v *View) thumb() span {
	g := v.grid
	return thumb(g.h, g.leastThumb(), v.top, int64(g.full), g.rows())
}

func (v *View) dragBar(pos float64) {
	g := v.grid
	v.scrollRows(unthumb(g.h, v.thumb().len(), pos, int64(g.full), g.rows()))
}

// footThumb returns the horizontal scroll bar's handle.
func (v *View) footThumb() span {
	g := v.grid
	return thumb(g.strip.from, g.leastThumb(), int64(v.left), int64(g.strip.from), int64(g.content))
}

func (v *View) dragFoot(pos float64) {
	g := v.grid
	v.scrollSide(int(unthumb(g.strip.from, v.footThumb().len(), pos, int64(g.strip.from), int64(g.content))))
}

// jump scrolls the byte at a pixel of the overview strip to the middle.
func (v *View) jump(y int) {
	g := v.grid
	row, _ := g.rowOf(g.stripOffset(y))
	v.scrollRows(row - int64(g.full/2))
}

// MouseIn calls MouseMoved.
func (v *View) MouseIn(e *desktop.MouseEvent) { v.MouseMoved(e) }

// MouseMoved updates the area under the pointer, and reports the byte there.
func (v *View) MouseMoved(e *desktop.MouseEvent) {
	if v.grid == nil {
		return
	}
	x, y := v.px(e.Position)
	p, off, inside := v.grid.hit(x, y, v.top, v.left)
	m := &v.mouse
	was := *m
	m.area, m.off, m.in, m.on = p, off, inside, inside && p.bytes()
	if m.stronger() != was.stronger() || p == areaFold && off != was.off {
		v.redraw()
	}
	if p == areaStrip && v.grid.profile.holds(x) {
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

// bytes reports whether the area shows individual bytes.
func (p area) bytes() bool { return p == areaHex || p == areaText }

// stronger returns the area under the pointer if that is highlighted: a bar's handle or a fold.
func (m *pointer) stronger() area {
	switch m.area {
	case areaBar, areaFoot, areaFold:
		return m.area
	}
	return areaNone
}

// MouseOut reports that the pointer has left.
func (v *View) MouseOut() {
	m := &v.mouse
	if m.on && v.OnHover != nil {
		v.OnHover(m.off, false, fyne.Position{})
	}
	if m.stronger() != areaNone {
		v.redraw()
	}
	m.area, m.on, m.in = areaNone, false, false
	v.hideTip()
}
