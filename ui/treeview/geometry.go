package treeview

import "fyne.io/fyne/v2"

// CursorRect is where the row of the cursor is in the widget, and whether all of it is in sight.
func (t *Tree) CursorRect() (at fyne.Position, size fyne.Size, ok bool) {
	m := t.measure()
	row, ok := t.out.row(t.cursor)
	y := m.head + float32(row-t.top)*m.row - t.shift
	ok = ok && y >= m.head && y+m.row <= m.head+m.view.Height
	return fyne.NewPos(0, y), fyne.NewSize(m.view.Width, m.row), ok
}
