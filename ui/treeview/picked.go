package treeview

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"cutaway/ui/kit"
)

// stretch is some of the children of a branch, from first to last. Selected rows are kept as stretches, so that millions
// of them take no room.
type stretch struct {
	b           *branch
	first, last int64
}

// count is how many rows the stretch has; what tells that there may be more is none.
func (s *stretch) count() int64 { return max(min(s.last+1, s.b.count)-s.first, 0) }

// SelectedCount is how many rows are selected: that of the cursor, or all that were picked besides it.
func (t *Tree) SelectedCount() int64 {
	if len(t.picked) == 0 {
		if t.cursor.i < 0 || t.cursor.isTail() {
			return 0
		}
		return 1
	}
	var n int64
	for i := range t.picked {
		n += t.picked[i].count()
	}
	return n
}

// SelectedAll returns what makes the selected items, in the order of their rows; it may take its time and belongs in the
// background. It is nil where more than most are selected.
func (t *Tree) SelectedAll(most int64) func(ctx context.Context) []Item {
	if t.SelectedCount() > most {
		return nil
	}
	picked := t.picked
	if len(picked) == 0 {
		picked = []stretch{{t.cursor.b, t.cursor.i, t.cursor.i}}
	}
	type one struct {
		want
		row int64
	}
	var all []one
	for _, s := range picked {
		for i := range s.count() {
			w := want{at: pos{s.b, s.first + i}, parent: s.b.item}
			if kid := s.b.kid(w.at.i); kid != nil {
				w.item = kid.item
			} else if m := t.rows[w.at]; m != nil {
				w.item = m.item
			}
			row, _ := t.out.row(w.at)
			all = append(all, one{w, row})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].row < all[j].row })
	return func(ctx context.Context) []Item {
		var items []Item
		for _, w := range all {
			if ctx.Err() != nil {
				break
			}
			if w.item == nil {
				w.item = t.child(w.parent, w.at.i)
			}
			items = append(items, w.item)
		}
		return items
	}
}

// SelectedRows are the selected rows of a list, as ranges in their order: each of the rows from the first number on, up to the second.
func (t *Tree) SelectedRows() (list [][2]int64) {
	picked := t.picked
	if len(picked) == 0 && t.SelectedCount() == 1 {
		picked = []stretch{{t.cursor.b, t.cursor.i, t.cursor.i}}
	}
	for _, s := range picked {
		if n := s.count(); n > 0 {
			list = append(list, [2]int64{s.first, s.first + n})
		}
	}
	slices.SortFunc(list, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	return list
}

// Run is selected rows: children of a branch, from the first to the last.
type Run struct {
	Branch      Item
	First, Last int64
}

// Picked are the rows that are selected where they are not the cursor's alone, at most limit runs.
func (t *Tree) Picked(limit int) (runs []Run) {
	for _, s := range t.picked {
		if s.b != t.out.top && len(runs) < limit {
			runs = append(runs, Run{s.b.item, s.first, s.last})
		}
	}
	return runs
}

// Pick selects rows besides those that are: children of the branch that a way leads to, which it opens.
func (t *Tree) Pick(way []Step, first, last int64) {
	t.pick(append(slices.Clone(t.picked), stretch{t.openWay(way), first, last}))
	t.Refresh()
}

// isPicked reports whether the row is one of several that are selected.
func (t *Tree) isPicked(p pos) bool {
	return slices.ContainsFunc(t.picked, func(s stretch) bool { return s.b == p.b && p.i >= s.first && p.i <= s.last })
}

// pick selects other rows besides the cursor's; none leaves that one.
func (t *Tree) pick(rows []stretch) {
	if len(rows) == 0 && len(t.picked) == 0 {
		return
	}
	t.picked = rows
	if t.OnPicked != nil {
		t.OnPicked(t.SelectedCount())
	}
}

// extend moves the cursor to a row and selects all rows from where the selection began to there.
func (t *Tree) extend(row int64) {
	row = max(0, min(row, t.out.rows()-1))
	from, shown := t.out.row(t.anchor)
	if !shown || !t.anchor.under(t.out.top) {
		t.anchor = t.cursor
		from, _ = t.out.row(t.anchor)
	}
	t.moveCursor(t.out.at(row), false)
	t.pick(t.between(min(from, row), max(from, row)))
}

// between lists the rows from first to last, as stretches in their order: one ends where an open branch puts its
// children in between.
func (t *Tree) between(first, last int64) []stretch {
	var list []stretch
	for row := first; row <= last; {
		p := t.out.at(row)
		if p.isTail() {
			row++
			continue
		}
		end := p.b.count - 1
		for k, _ := p.b.find(p.i); k < len(p.b.kids); k++ {
			if p.b.kids[k].shown() > 0 {
				end = p.b.kids[k].index
				break
			}
		}
		end = min(end, p.i+last-row)
		list = append(list, stretch{p.b, p.i, end})
		row += end - p.i + 1
	}
	return list
}

// flipPick takes a row into the selection, or out of it, and moves the cursor there.
func (t *Tree) flipPick(p pos) {
	picked := slices.Clone(t.picked)
	if len(picked) == 0 && p != t.cursor && !t.cursor.isTail() {
		picked = []stretch{{t.cursor.b, t.cursor.i, t.cursor.i}}
	}
	at := slices.IndexFunc(picked, func(s stretch) bool { return s.b == p.b && p.i >= s.first && p.i <= s.last })
	switch {
	case p.isTail():
		return
	case at < 0:
		picked = append(picked, stretch{p.b, p.i, p.i})
	default:
		s := picked[at]
		picked = slices.Delete(picked, at, at+1)
		if p.i > s.first {
			picked = append(picked, stretch{s.b, s.first, p.i - 1})
		}
		if p.i < s.last {
			picked = append(picked, stretch{s.b, p.i + 1, s.last})
		}
	}
	t.moveCursor(p, false)
	t.anchor = p
	t.pick(picked)
}

// pickSiblings selects the cursor's row and all its siblings.
func (t *Tree) pickSiblings() {
	if b := t.cursor.b; b.count > 0 {
		t.pick([]stretch{{b, 0, b.count - 1}})
	}
}

// dropPicked takes the rows below b, which are hidden now, out of the selection.
func (t *Tree) dropPicked(b *branch) {
	t.pick(slices.DeleteFunc(slices.Clone(t.picked), func(s stretch) bool { return (pos{s.b, 0}).under(b) }))
}

// pickByMouse does what a click on a row with keys held down means to the selection; false: nothing.
func (t *Tree) pickByMouse(p pos, row int64, e *desktop.MouseEvent) bool {
	const ctrl, shift = fyne.KeyModifierShortcutDefault, fyne.KeyModifierShift
	switch held := e.Modifier & (ctrl | shift); {
	case !t.Multi:
		return false
	case e.Button == desktop.MouseButtonSecondary:
		if !t.isPicked(p) {
			return false
		}
		t.moveCursor(p, false) // the menu is for all of them
	case held == shift:
		t.extend(row)
	case held == ctrl|shift:
		t.flipPick(p)
	default:
		return false
	}
	t.lastHit = hit{}
	t.reveal = false
	return true
}

// pickByShortcut does what a shortcut means to the selection; false: nothing.
func (t *Tree) pickByShortcut(s fyne.Shortcut) bool {
	if !t.Multi {
		return false
	}
	switch s := s.(type) {
	case *fyne.ShortcutSelectAll:
		t.pickSiblings()
	case *desktop.CustomShortcut:
		if s.Modifier != fyne.KeyModifierShortcutDefault {
			return false
		}
		row, _ := t.out.row(t.cursor)
		switch s.KeyName {
		case fyne.KeySpace:
			t.flipPick(t.cursor)
		case fyne.KeyUp, fyne.KeyDown:
			if len(t.picked) == 0 && !t.cursor.isTail() {
				t.pick([]stretch{{t.cursor.b, t.cursor.i, t.cursor.i}})
			}
			if s.KeyName == fyne.KeyUp {
				row--
			} else {
				row++
			}
			t.moveCursor(t.out.at(max(0, min(row, t.out.rows()-1))), false)
		default:
			return false
		}
	default:
		return false
	}
	t.Refresh()
	return true
}

// KeyDown implements desktop.Keyable. TypedKey does not tell of modifiers, so shift is remembered here.
func (t *Tree) KeyDown(e *fyne.KeyEvent) { t.setShift(e.Name, true) }

// KeyUp implements desktop.Keyable.
func (t *Tree) KeyUp(e *fyne.KeyEvent) {
	t.setShift(e.Name, false)
	kit.AltUp(t, e)
}

func (t *Tree) setShift(key fyne.KeyName, down bool) {
	if key == desktop.KeyShiftLeft || key == desktop.KeyShiftRight {
		t.extending = down && t.Multi
	}
}
