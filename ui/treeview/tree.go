// Package treeview is a tree of any size in a window: rows are counted in int64, made in the background when they
// come into sight, and forgotten when they leave it. Only branches that were opened are kept.
package treeview

import (
	"context"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Item is a thing that the tree shows; only Data looks inside.
type Item any

// Data is what the tree shows. Count and Pending answer at once, on the UI goroutine, from what is known; the
// others may take their time and are called in the background.
type Data interface {
	// Root is the item of the first row.
	Root() Item
	// Count is how many children are known; more may come while exact is false.
	Count(it Item) (n int64, exact bool)
	// Pending reports whether Resolve must run before the children are known.
	Pending(it Item) bool
	// Child makes child i.
	Child(it Item, i int64) Item
	// Row says what the item's row shows.
	Row(it Item) Row
	// Resolve makes the children known and returns the item anew. It ends early only with ctx, with an error.
	Resolve(ctx context.Context, it Item, progress func(done, total int64)) (Item, error)
}

// Unfolding is Data some of whose branches are open as soon as they appear.
type Unfolding interface {
	Data
	// Unfolds lists the children of it, from number first on, that are branches to be opened. It answers at once, on
	// the UI goroutine.
	Unfolds(it Item, first int64) []Step
}

// Mark says how bad the problems of a row are.
type Mark uint8

// The marks, least first.
const (
	Sound Mark = iota
	Note
	Warning
	Error
)

// Row is what a row shows.
type Row struct {
	Cells   []string // by column
	Branch  bool     // it has children, or may have
	Pending bool     // what is below is not decoded yet
	NoValue bool     // the second cell says in words why there is no value yet
	Dim     bool     // of little interest, such as padding
	Folded  bool     // no node but a row for several: a click opens it, type-ahead looks into it
	Strong  bool     // the name is bold
	Mark    Mark     // its own problems
	Below   Mark     // the worst problem further down
	// Swatches are colours to show before the texts, by column; nil shows none.
	Swatches []color.Color
	// Bars are drawn below the texts, by column: how much of the cell's width, 0 to 1.
	Bars []float32
	Icon fyne.Resource // before the name, or nil
	// Match is a part of a cell's text to be marked, such as what a search has found.
	Match Match
	Lit   bool // it belongs to what is selected elsewhere
}

// Match is the bytes [From, To) of the text of a cell; none where they are equal.
type Match struct{ Cell, From, To int }

// Column is a column of the tree; the first one has the names.
type Column struct {
	Title   string
	Width   float32 // at least, where the column stretches and there is room
	Least   float32 // to what the column gives way where there is none; 0: leastStretch where it stretches, else it does not
	Mono    bool
	Right   bool // aligned to the right
	Quiet   bool // in the colour of secondary text
	Marked  bool // of a list's first: the signs of problems are before its text, not at its end
	Follows bool // has no place of its own: its texts follow those of the first column
	Stretch int  // its share of what room is left; the column with the largest takes all when the others were set
}

// Step is one branch of the way to an item: the child's number and its item.
type Step struct {
	Index int64
	Item  Item
}

// Tree is the widget. All its methods belong on the UI goroutine.
type Tree struct {
	widget.BaseWidget

	// OnSelected is called when another item is selected, by keyboard, mouse or Select, once it is made.
	OnSelected func(it Item)
	// OnChosen is called for a double click or Enter on a row without children.
	OnChosen func(it Item)
	// OnFollow is called for a click with Ctrl held, after the row was selected; at is on the screen.
	OnFollow func(it Item, at fyne.Position)
	// OnCopy is called for Ctrl+C; where it is nil, the row's cells are copied, with tabs between them.
	OnCopy func(it Item)
	// OnEscape is called for the key Escape.
	OnEscape func()
	// OnMenu is called for a secondary click, after the row was selected; column is that under the pointer, -1: none.
	OnMenu func(it Item, column int, at fyne.Position)
	// OnResolved is called when the children of a pending item have become known.
	OnResolved func()
	// Multi allows several rows to be selected: with Shift and a click or arrows, with Ctrl+Shift and a click or
	// Ctrl+Space, and siblings with Ctrl+A. The cursor's row stays the one that OnSelected tells of.
	Multi bool
	// Led says that the keys come from a field that has the keyboard: the selected row looks as if the tree had it.
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

	data    Data
	columns []Column
	sorted  string // the arrow after the title of column sortBy; "" where the rows are in no order
	sortBy  int
	flat    bool // a list
	out     *outline
	post    func(func())
	ctx     context.Context

	top      int64   // first visible row
	shift    float32 // how much of it is scrolled away
	askedTop int64   // the first row that SetTop asked for, until something else scrolls; negative: none
	left     float32 // how far the columns are scrolled sideways
	cursor   pos
	chosen   Item // the item at the cursor; nil until it is made
	focused  bool
	// picked are the selected rows where they are not the cursor's alone; anchor is where the selection began.
	picked    []stretch
	anchor    pos
	extending bool // Shift is held
	reveal    bool // the cursor row is to be brought into sight when the size is known

	rows  map[pos]*made
	fetch fetcher

	hover   int64 // row under the mouse; -1: none
	grip    grip
	typed   string
	typedAt time.Time
	lastHit hit
	tip     tip
	polling bool
	seeking int // counts the searches of type-ahead

	overDivider, overTitle bool
}

// made is a row that is ready.
type made struct {
	item  Item
	row   Row
	stale bool // to be made again, but good to show until then
}

// New makes a tree over data. The root is closed. All work for it ends with ctx.
func New(ctx context.Context, data Data, columns []Column) *Tree {
	t := newTree(ctx, data, columns)
	t.out.top.item = rootOf{}
	return t
}

// NewList makes a plain list of the root's children; the root has no row, and no child is a branch. All work for it ends
// with ctx.
func NewList(ctx context.Context, data Data, columns []Column) *Tree {
	t := newTree(ctx, data, columns)
	t.flat = true
	t.out.top.item = data.Root()
	t.cursor.i = -1 // nothing is selected
	t.recount(t.out.top)
	return t
}

func newTree(ctx context.Context, data Data, columns []Column) *Tree {
	t := &Tree{ctx: ctx, data: data, columns: append([]Column(nil), columns...), out: newOutline(), post: fyne.Do, askedTop: -1,
		rows: make(map[pos]*made), hover: -1}
	t.cursor = pos{t.out.top, 0}
	t.ExtendBaseWidget(t)
	return t
}

// rootOf stands for the outermost branch, whose only child is the root.
type rootOf struct{}

func (t *Tree) child(it Item, i int64) Item {
	if _, outermost := it.(rootOf); outermost {
		return t.data.Root()
	}
	return t.data.Child(it, i)
}

// SetPost replaces fyne.Do as the way onto the UI goroutine; for tests.
func (t *Tree) SetPost(post func(func())) { t.post = post }

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
		if w[i] > 0 && i != t.widest() {
			t.columns[i].Width, t.columns[i].Stretch, t.columns[i].Least = max(w[i], minColumn), 0, 0
		}
	}
	t.Refresh()
}

// SetColumns replaces the columns.
func (t *Tree) SetColumns(columns []Column) {
	t.columns = append([]Column(nil), columns...)
	t.Refresh()
}

// widest is the column that stretches most, which the user cannot set; -1: none does.
func (t *Tree) widest() int {
	most := -1
	for i, c := range t.columns {
		if c.Stretch > 0 && (most < 0 || c.Stretch > t.columns[most].Stretch) {
			most = i
		}
	}
	return most
}

// Selected is the selected item; nil before there is one.
func (t *Tree) Selected() Item { return t.chosen }

// SelectIndex selects row i of a list. quiet leaves out OnSelected.
func (t *Tree) SelectIndex(i int64, quiet bool) {
	if i >= 0 && i < t.out.rows() {
		t.setCursor(pos{t.out.top, i}, quiet)
		t.Refresh()
	}
}

// Recount asks a list for its length again and makes its rows anew; nothing is selected then.
func (t *Tree) Recount() {
	t.recount(t.out.top)
	clear(t.rows)
	t.cursor = pos{t.out.top, -1}
	t.chosen = nil
	t.picked, t.anchor = nil, t.cursor
	t.fetch.quiet = true
	t.Refresh()
}

// KeepIndex makes row i of a list the selected one, after the rows have moved: it neither scrolls nor calls OnSelected.
func (t *Tree) KeepIndex(i int64) {
	if i >= 0 && i < t.out.rows() {
		t.setCursor(pos{t.out.top, i}, true)
		t.reveal = false
		t.Refresh()
	}
}

// Reveal scrolls a list so that row i is in sight. What is selected stays.
func (t *Tree) Reveal(i int64) {
	if m := t.measure(); i < t.top || i >= t.top+m.wholeRows {
		t.top, t.shift, t.askedTop = max(i-m.wholeRows/3, 0), 0, -1
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

// Rows is the number of rows that open branches show.
func (t *Tree) Rows() int64 { return t.out.rows() }

// Bare reports whether it is known that nothing is below the root, which is open.
func (t *Tree) Bare() bool {
	root := t.out.top.kid(0)
	return root != nil && root.open && root.work == nil && root.exact && root.count == 0
}

// OpenItems are those whose children have rows.
func (t *Tree) OpenItems() []Item {
	var open []Item
	t.out.top.each(func(b *branch) {
		if b.open && b != t.out.top {
			open = append(open, b.item)
		}
	})
	return open
}

// Reorder follows rows that are elsewhere now: move says where a row of an item is. What is open and the cursor move along;
// of several selected rows the cursor's stays.
func (t *Tree) Reorder(move func(parent Item, row int64) int64) {
	t.out.top.each(func(b *branch) {
		if b == t.out.top {
			return
		}
		if t.cursor.b == b && t.cursor.i < b.count {
			t.cursor.i = move(b.item, t.cursor.i)
		}
		b.reorder(func(i int64) int64 { return move(b.item, i) })
	})
	clear(t.rows)
	t.picked, t.anchor = nil, t.cursor
	t.reveal = true
	t.Refresh()
}

// Invalidate makes the visible rows again: what they show has changed. Branches stay as they are.
func (t *Tree) Invalidate() {
	for _, m := range t.rows {
		m.stale = true
	}
	t.Refresh()
}

// Grow asks open branches, or a list, for children that have become known since. Rows that were there stay as they are.
func (t *Tree) Grow() {
	var open []*branch
	t.out.top.each(func(b *branch) {
		if b.open {
			open = append(open, b)
		}
	})
	for _, b := range open {
		t.recount(b)
	}
	t.Refresh()
}

// Restart begins anew with the root closed and nothing selected, after the data has changed altogether.
func (t *Tree) Restart() {
	t.out = newOutline()
	t.out.top.item = rootOf{}
	clear(t.rows)
	t.cursor, t.chosen = pos{t.out.top, 0}, nil
	t.picked, t.anchor = nil, t.cursor
	t.fetch.quiet = true
	t.top, t.shift, t.seeking = 0, 0, t.seeking+1
	t.hoverRow(-1)
	t.Refresh()
}

// OpenRoot opens the root and selects it, without OnSelected.
func (t *Tree) OpenRoot() {
	root := t.data.Root()
	t.toggle(t.out.add(t.out.top, 0, root), true)
	t.Select([]Step{{0, root}}, true)
}

// Select opens the branches on the way, selects the last step and brings it into sight. The first step is the
// root. What lies on the way must be resolved. quiet leaves out OnSelected.
func (t *Tree) Select(way []Step, quiet bool) {
	if len(way) == 0 {
		return
	}
	last := len(way) - 1
	b := t.openWay(way[:last])
	p := pos{b, way[last].Index}
	if p.i >= b.count {
		t.out.update(b, func() { b.count = p.i + 1 })
	}
	m := &made{item: way[last].Item, stale: true}
	if was := t.rows[p]; was != nil {
		m.row = was.row
	}
	t.rows[p] = m
	t.setCursor(p, quiet)
	t.Refresh()
}

// openWay opens the branches on a way from the root, and returns the last of them.
func (t *Tree) openWay(way []Step) *branch {
	b := t.out.top
	for _, step := range way {
		next := t.out.add(b, step.Index, step.Item)
		next.item = step.Item
		if m := t.rows[pos{b, step.Index}]; m != nil {
			m.item, m.stale = step.Item, true // more may be known of it
		}
		if !next.open {
			t.toggle(next, true)
		}
		if next.work == nil {
			t.recount(next)
		}
		b = next
	}
	return b
}

// Open opens the branches on a way from the root, the last one too.
func (t *Tree) Open(way []Step) {
	t.openWay(way)
	t.Refresh()
}

// Top is the first row in sight.
func (t *Tree) Top() int64 { return t.top }

// SetTop scrolls so that a row is the first in sight, and the selected one may be out of it. Where there are too few rows as yet, or
// the tree is too high, it is once there are enough, unless something else was scrolled to meanwhile.
func (t *Tree) SetTop(row int64) {
	t.top, t.shift, t.reveal, t.askedTop = row, 0, false, row
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

// setCursor makes the row at p the only one that is selected, and brings it into sight.
func (t *Tree) setCursor(p pos, quiet bool) {
	t.moveCursor(p, quiet)
	t.anchor = p
	t.pick(nil)
}

// moveCursor moves the cursor to p and into sight; other rows stay selected.
func (t *Tree) moveCursor(p pos, quiet bool) {
	same := p == t.cursor && t.chosen != nil
	t.cursor = p
	t.reveal, t.askedTop = true, -1
	if same && !quiet {
		return
	}
	t.chosen = nil
	t.fetch.quiet = quiet
	if m := t.rows[p]; m != nil && !p.isTail() {
		t.choose(m.item)
	}
}

// choose tells that the item at the cursor is known.
func (t *Tree) choose(it Item) {
	t.chosen = it
	if !t.fetch.quiet && t.OnSelected != nil {
		t.OnSelected(it)
	}
	t.fetch.quiet = false
}

// toggle opens or closes a branch; opening starts the work that it needs.
func (t *Tree) toggle(b *branch, open bool) {
	if b.open == open {
		return
	}
	t.out.update(b, func() { b.open = open })
	if !open {
		t.dropPicked(b)
		if t.cursor.under(b) {
			t.setCursor(pos{b.up, b.index}, false)
		}
		return
	}
	if t.data.Pending(b.item) {
		t.resolve(b)
	} else {
		t.recount(b)
	}
}

// recount asks for the children of b that are known now.
func (t *Tree) recount(b *branch) {
	if b == t.out.top && !t.flat {
		return
	}
	n, exact := t.data.Count(b.item)
	tail := ""
	switch {
	case b.work != nil:
		tail = b.work.say()
	case !exact:
		tail = "there may be more…"
	}
	was := b.count
	t.out.update(b, func() { b.count, b.exact, b.tail = n, exact, tail })
	if u, ok := t.data.(Unfolding); ok && b.open {
		for _, step := range u.Unfolds(b.item, max(was-1, 0)) { // the last one may have become a branch
			if b.kid(step.Index) == nil {
				t.toggle(t.out.add(b, step.Index, step.Item), true)
			}
		}
	}
	if b.open && !exact {
		t.poll()
	}
}

// pollEvery is how often growing branches are asked again.
const pollEvery = 150 * time.Millisecond
