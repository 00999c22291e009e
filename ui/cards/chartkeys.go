package cards

import (
	"math"

	"fyne.io/fyne/v2"

	"cutaway/ui/kit"
)

func (c *chart) FocusGained() { c.focused = true; c.Refresh() }

func (c *chart) FocusLost() { c.focused = false; c.Refresh() }

// TypedRune implements fyne.Focusable: + and - zoom around the cursor, 0 shows all, Space plays from there.
func (c *chart) TypedRune(r rune) {
	switch {
	case (r == '+' || r == '=') && c.onWheel != nil:
		c.onWheel(c.cursorAt(), 1)
	case r == '-' && c.onWheel != nil:
		c.onWheel(c.cursorAt(), -1)
	case r == '0' && c.onAll != nil:
		c.onAll()
	case r == ' ' && c.onSpace != nil:
		c.onSpace(c.cursorAt())
	default:
		kit.HandOnRune(c, r)
	}
}

// TypedKey implements fyne.Focusable: arrows move the cursor, with Shift by the least step, and what is shown where it would leave
// the chart; Enter is a click at it.
func (c *chart) TypedKey(e *fyne.KeyEvent) {
	const steps = 100 // over the width
	step := max((c.to-c.from)/steps, c.apart)
	if kit.ShiftHeld() {
		step = max((c.to-c.from)/chartColumns, c.apart)
	}
	switch {
	case len(c.curves) == 0:
		kit.HandOn(c, e)
	case e.Name == fyne.KeyLeft:
		c.moveTo(c.cursorAt() - step)
	case e.Name == fyne.KeyRight:
		c.moveTo(c.cursorAt() + step)
	case e.Name == fyne.KeyHome:
		c.moveTo(c.from)
	case e.Name == fyne.KeyEnd:
		c.moveTo(c.to)
	case (e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter) && c.onTap != nil:
		c.onTap(c.cursorAt())
	default:
		kit.HandOn(c, e)
	}
}

// cursorAt returns the place of the cursor, which begins in the middle and is always in sight.
func (c *chart) cursorAt() float64 {
	at := (c.from + c.to) / 2
	if !math.IsNaN(c.cursor) {
		at = min(max(c.cursor, c.from), c.last())
	}
	if c.apart > 0 { // at an element, not between two
		return math.Floor(at/c.apart+0.5) * c.apart
	}
	return at
}

// last is the last place that the cursor can be at: the last element is that far from the end.
func (c *chart) last() float64 { return max(c.to-c.apart/2, c.from) }

// moveTo moves the cursor to a place and describes it. If the place is out of sight, the visible part moves first.
func (c *chart) moveTo(at float64) {
	const part = 0.25 // of the visible part
	switch {
	case at < c.from && c.onDrag != nil:
		c.onDrag(part)
	case at > c.last() && c.onDrag != nil:
		c.onDrag(-part)
	}
	c.cursor = at
	c.cursor = c.cursorAt() // what is shown may have moved by now, or be on its way
	c.Refresh()
	if c.onHover != nil {
		c.onHover(c.cursor, c.columnOf(c.cursor))
	}
}

// columnOf is the column of a time in sight.
func (c *chart) columnOf(t float64) int {
	return int((t - c.from) / (c.to - c.from) * (chartColumns - 1))
}
