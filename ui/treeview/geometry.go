package treeview

import "fyne.io/fyne/v2"

// CursorRect is where the row of the cursor is in the widget, and whether all of it is in sight.
func (t *Tree) CursorRect() (at fyne.Position, size fyne.Size, ok bool) {
	row, ok := t.out.row(t.cursor)
	at, size, seen := t.RowRect(row)
	return at, size, ok && seen
}

// RowRect is where a row is in the widget, and whether all of it is in sight.
func (t *Tree) RowRect(row int64) (at fyne.Position, size fyne.Size, ok bool) {
	m := t.measure()
	y := m.head + float32(row-t.top)*m.row - t.shift
	ok = row < t.out.rows() && y >= m.head && y+m.row <= m.head+m.view.Height
	return fyne.NewPos(0, y), fyne.NewSize(m.view.Width, m.row), ok
}
