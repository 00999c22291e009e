// Package treeview is a tree of any size in a window: rows are counted in int64, made in the background when they
// come into sight, and forgotten when they leave it. Only branches that were opened are kept.
//
// A Tree is made of parts: an outline of the branches that were opened, the branches' opening and counting, the rows
// that are made, the Selection, the scroll, and the pointer.
package treeview

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// Tree is the widget. All its methods belong on the UI goroutine.
type Tree struct {
	widget.BaseWidget

	// OnSelected is called when another item is selected, by keyboard, mouse or Select, once it is made.
	OnSelected func(it Item)
	// OnChosen is called for a double click or Enter on a row without children, or with Chooses on any.
	OnChosen func(it Item)
	Chooses  bool
	// OnFollow is called for a click with Ctrl held, after the row was selected; at is on the screen.
	OnFollow func(it Item, at fyne.Position)
	// OnCopy is called for Ctrl+C; where it is nil, the row's cells are copied, with tabs between them.
	OnCopy func(it Item)
	// OnEscape is called for the key Escape.
	OnEscape func()
	// OnMenu is called for a secondary click, after the row was selected; column is that under the pointer, or -1.
	OnMenu func(it Item, column int, at fyne.Position)
	// OnResolved is called when the children of a pending item have become known.
	OnResolved func()
	// Multi allows several rows to be selected: with Shift and a click or arrows, with Ctrl+Shift and a click or
	// Ctrl+Space, and siblings with Ctrl+A. OnSelected is still called for the cursor's row.
	Multi bool
	// Led says that the keys come from a field that has the keyboard: the selected row looks as if the tree had it, and columns
	// have no titles. A click chooses the row.
	Led bool
	// OnPicked is called when another number of rows is selected by such means, or only the cursor's again.
	OnPicked func(n int64)
	// OnHover is called when the pointer comes to another row, with nil when it is over none, or one that is not made yet. Until
	// it moves, it is over none after scrolling.
	OnHover func(it Item)
	// OnTitle is called for a click on the title of a column; where it is nil, titles cannot be clicked.
	OnTitle func(column int)
	// OnColumns is called when the user has changed a column's width.
	OnColumns func(widths []float32)

	// Selection holds the selected rows.
	Selection Selection

	source    *source
	columns   columnSet
	sorted    string // the arrow after the title of column sortBy, or "" where the rows are in no order
	sortBy    int
	out       *outline
	rows      *rows
	branches  branches
	scroll    scroll
	pointer   pointer
	ahead     typeAhead
	focused   bool
	extending bool // Shift is held
	nests     bool // it is a list with branches
}

var (
	_ fyne.Focusable         = (*Tree)(nil)
	_ fyne.Shortcutable      = (*Tree)(nil)
	_ fyne.Tappable          = (*Tree)(nil)
	_ fyne.SecondaryTappable = (*Tree)(nil)
	_ fyne.Scrollable        = (*Tree)(nil)
	_ fyne.Draggable         = (*Tree)(nil)
	_ desktop.Keyable        = (*Tree)(nil)
	_ desktop.Mouseable      = (*Tree)(nil)
	_ desktop.Hoverable      = (*Tree)(nil)
	_ desktop.Cursorable     = (*Tree)(nil)
)

// New makes a tree over data, whose root is closed. All its work ends with ctx.
func New(ctx context.Context, data Data, columns []Column) *Tree {
	t := newTree(ctx, data, columns)
	t.out.top.item = rootOf{}
	return t
}

// NewList makes a plain list of the root's children; the root has no row, and no child is a branch. All its work ends with ctx.
func NewList(ctx context.Context, data Data, columns []Column) *Tree {
	t := newTree(ctx, data, columns)
	t.branches.flat = true
	t.out.top.item = data.Root()
	t.Selection.cursor.i = -1 // nothing is selected
	t.branches.recount(t.out.top)
	return t
}

// NewForest makes a list some of whose rows may be branches. All its work ends with ctx.
func NewForest(ctx context.Context, data Data, columns []Column) *Tree {
	t := NewList(ctx, data, columns)
	t.nests = true
	return t
}

func newTree(ctx context.Context, data Data, columns []Column) *Tree {
	t := &Tree{source: &source{data, ctx, fyne.Do}, columns: slices.Clone(columns), out: newOutline(), scroll: scroll{asked: -1}}
	t.rows = &rows{source: t.source, out: t.out, refresh: t.Refresh, made: make(map[pos]*made)}
	t.Selection = Selection{source: t.source, out: t.out, rows: t.rows, scroll: &t.scroll, cursor: pos{t.out.top, 0}}
	t.Selection.chosen = func(it Item) {
		if t.OnSelected != nil {
			t.OnSelected(it)
		}
	}
	t.Selection.counted = func(n int64) {
		if t.OnPicked != nil {
			t.OnPicked(n)
		}
	}
	t.rows.arrived = t.Selection.arrived
	t.branches = branches{source: t.source, out: t.out, rows: t.rows, refresh: t.Refresh, closed: t.Selection.hide, resolved: t.showResolved}
	t.pointer = pointer{tree: t, row: -1}
	t.ahead = typeAhead{source: t.source, out: t.out, found: t.showFound}
	t.ExtendBaseWidget(t)
	return t
}

// showResolved shows the children of a branch that have become known. A cursor on its tail, which goes away, moves to the
// branch.
func (t *Tree) showResolved(b *branch) {
	if p := t.Selection.cursor; p.b == b && p.isTail() {
		t.Selection.set(pos{b.up, b.index}, true)
	}
	t.branches.recount(b)
	t.Refresh()
	if t.OnResolved != nil {
		t.OnResolved()
	}
}

// showFound selects a row that type-ahead has found, or with folded ≥ 0 the row of that child.
func (t *Tree) showFound(p pos, m made, folded int64) {
	t.rows.made[p] = &m
	if folded >= 0 {
		b := t.out.add(p.b, p.i, m.item)
		t.branches.toggle(b, true)
		p = pos{b, folded}
	}
	t.Selection.set(p, false)
	t.Refresh()
}

// SetPost replaces fyne.Do as the way onto the UI goroutine; for tests.
func (t *Tree) SetPost(post func(func())) { t.source.post = post }

// Widths returns the widths of the columns.
func (t *Tree) Widths() []float32 {
	w := make([]float32, len(t.columns))
	for i := range t.columns {
		w[i] = t.columns[i].Width
	}
	return w
}

// SetWidths sets the widths of the columns, as far as they are given and not 0.
func (t *Tree) SetWidths(w []float32) {
	for i := range min(len(w), len(t.columns)) {
		if w[i] > 0 && i != t.columns.widest() {
			t.columns[i].setWidth(w[i])
		}
	}
	t.Refresh()
}

// SetColumns replaces the columns.
func (t *Tree) SetColumns(columns []Column) {
	t.columns = slices.Clone(columns)
	t.Refresh()
}

// SelectIndex selects row i of a list. quiet leaves out OnSelected.
func (t *Tree) SelectIndex(i int64, quiet bool) {
	if i >= 0 && i < t.out.top.count {
		t.Selection.set(pos{t.out.top, i}, quiet)
		t.Refresh()
	}
}

// Recount asks a list for its length again and makes its rows anew; nothing is selected then.
func (t *Tree) Recount() {
	*t.out = *newOutline()
	t.out.top.item = t.source.data.Root()
	t.branches.recount(t.out.top)
	clear(t.rows.made)
	t.Selection.reset(pos{t.out.top, -1})
	t.Refresh()
}

// KeepIndex makes row i of a list the selected one, after the rows have moved: it neither scrolls nor calls OnSelected.
func (t *Tree) KeepIndex(i int64) {
	if i >= 0 && i < t.out.top.count {
		t.Selection.set(pos{t.out.top, i}, true)
		t.scroll.reveal = false
		t.Refresh()
	}
}

// Reveal scrolls a list so that row i is in sight. What is selected stays.
func (t *Tree) Reveal(i int64) {
	if m := t.measure(); i < t.scroll.top || i >= t.scroll.top+m.wholeRows {
		t.scroll.setTop(max(i-m.wholeRows/3, 0))
		t.Refresh()
	}
}

// ShowSorted marks the column by which the rows are ordered; a negative one marks none.
func (t *Tree) ShowSorted(column int, down bool) {
	t.sortBy, t.sorted = column, " ↑"
	if down {
		t.sorted = " ↓"
	}
	t.Refresh()
}

// Rows returns the number of rows that open branches show.
func (t *Tree) Rows() int64 { return t.out.rows() }

// Bare reports whether it is known that nothing is below the root, which is open.
func (t *Tree) Bare() bool {
	root := t.out.top.kid(0)
	return root != nil && root.open && root.work == nil && root.exact && root.count == 0
}

// OpenItems returns those whose children have rows.
func (t *Tree) OpenItems() []Item {
	var open []Item
	t.out.top.each(func(b *branch) {
		if b.open && b != t.out.top {
			open = append(open, b.item)
		}
	})
	return open
}

// Reorder follows rows that have moved: move returns the new number of a row of an item. What is open and the cursor
// move along; of several selected rows the cursor's stays.
func (t *Tree) Reorder(move func(parent Item, row int64) int64) {
	cursor := &t.Selection.cursor
	t.out.top.each(func(b *branch) {
		if b == t.out.top {
			return
		}
		if cursor.b == b && cursor.i < b.count {
			cursor.i = move(b.item, cursor.i)
		}
		b.reorder(func(i int64) int64 { return move(b.item, i) })
	})
	clear(t.rows.made)
	t.Selection.picked, t.Selection.anchor = nil, *cursor
	t.scroll.reveal = true
	t.Refresh()
}

// Invalidate makes the visible rows again: what they show has changed. Branches stay as they are.
func (t *Tree) Invalidate() {
	for _, m := range t.rows.made {
		m.stale = true
	}
	t.Refresh()
}

// Grow asks open branches, or a list, for children that have become known since. The other rows stay as they are.
func (t *Tree) Grow() {
	t.branches.grow(true)
	t.Refresh()
}

// Restart begins anew with the root closed and nothing selected, after the data has changed altogether.
func (t *Tree) Restart() {
	*t.out = *newOutline()
	t.out.top.item = rootOf{}
	clear(t.rows.made)
	t.Selection.reset(pos{t.out.top, 0})
	t.scroll.top, t.scroll.shift = 0, 0
	t.ahead.serial++
	t.pointer.light(-1)
	t.Refresh()
}

// OpenRoot opens the root and selects it, without OnSelected.
func (t *Tree) OpenRoot() {
	root := []Step{{0, t.source.data.Root()}}
	t.branches.openWay(root)
	t.Select(root, true)
}

// Select opens the branches on the way, selects the last step and brings it into sight. The first step is the
// root. What lies on the way must be resolved. quiet leaves out OnSelected.
func (t *Tree) Select(way []Step, quiet bool) {
	if len(way) == 0 {
		return
	}
	last := way[len(way)-1]
	b := t.branches.openWay(way[:len(way)-1])
	p := pos{b, last.Index}
	if p.i >= b.count {
		t.out.update(b, func() { b.count = p.i + 1 })
	}
	m := &made{item: last.Item, stale: true}
	if was := t.rows.made[p]; was != nil {
		m.row = was.row
	}
	t.rows.made[p] = m
	t.Selection.set(p, quiet)
	t.scroll.jumped = true
	t.Refresh()
}

// Open opens the branches on a way from the root, the last one too.
func (t *Tree) Open(way []Step) {
	t.branches.openWay(way)
	t.Refresh()
}

// Pick selects rows besides those that are: children of the branch that a way leads to, which it opens.
func (t *Tree) Pick(way []Step, first, last int64) {
	t.Selection.pick(append(slices.Clone(t.Selection.picked), stretch{t.branches.openWay(way), first, last}))
	t.Refresh()
}

// Top returns the first row in sight.
func (t *Tree) Top() int64 { return t.scroll.top }

// SetTop makes a row the first in sight, wherever the selected one is. If there are too few rows below as yet, it does so once
// there are enough, unless something else was scrolled to meanwhile.
func (t *Tree) SetTop(row int64) {
	t.scroll.top, t.scroll.shift, t.scroll.reveal, t.scroll.asked = row, 0, false, row
	t.Refresh()
}

// OpenInSight lists the items of open branches that are in no closed one, those above before those below, at most limit.
func (t *Tree) OpenInSight(limit int) (items []Item) {
	var list func(b *branch)
	list = func(b *branch) {
		for _, kid := range b.kids {
			if kid.open && len(items) < limit {
				items = append(items, kid.item)
				list(kid)
			}
		}
	}
	list(t.out.top)
	return items
}

// CursorRect returns the place of the cursor's row in the widget, and whether the whole row is in sight.
func (t *Tree) CursorRect() (at fyne.Position, size fyne.Size, ok bool) {
	row, ok := t.out.row(t.Selection.cursor)
	at, size, seen := t.RowRect(row)
	return at, size, ok && seen
}

// RowRect returns the place of a row in the widget, and whether the whole row is in sight.
func (t *Tree) RowRect(row int64) (at fyne.Position, size fyne.Size, ok bool) {
	m := t.measure()
	y := m.head + float32(row-t.scroll.top)*m.row - t.scroll.shift
	ok = row < m.rows && y >= m.head && y+m.row <= m.head+m.view.Height
	return fyne.NewPos(0, y), fyne.NewSize(m.view.Width, m.row), ok
}
