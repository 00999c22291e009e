package treeview

import (
	"cmp"
	"context"
	"slices"
	"sort"
)

// Selection is the row of the cursor, and the rows that are selected besides it.
type Selection struct {
	source  *source
	out     *outline
	rows    *rows
	scroll  *scroll
	chosen  func(it Item) // is called when another item is selected, once it is made
	counted func(n int64) // is called when another number of rows is selected

	cursor pos
	item   Item // at the cursor; nil until it is made
	quiet  bool // the next item at the cursor is not announced
	// picked are the selected rows where they are not the cursor's alone; anchor is where the selection began.
	picked []stretch
	anchor pos
}

// stretch is some of the children of a branch, from first to last. Millions of selected rows are few stretches.
type stretch struct {
	b           *branch
	first, last int64
}

// count returns the number of rows of the stretch, without one that says that there may be more.
func (s *stretch) count() int64 { return max(min(s.last+1, s.b.count)-s.first, 0) }

func (s *stretch) holds(p pos) bool { return s.b == p.b && p.i >= s.first && p.i <= s.last }

// Item returns the item at the cursor, or nil before there is one.
func (s *Selection) Item() Item { return s.item }

// stretches returns the selected rows: those that were picked, or else that of the cursor.
func (s *Selection) stretches() []stretch {
	if len(s.picked) > 0 || s.cursor.i < 0 || s.cursor.isTail() {
		return slices.Clone(s.picked)
	}
	return []stretch{{s.cursor.b, s.cursor.i, s.cursor.i}}
}

// Count returns the number of selected rows.
func (s *Selection) Count() (n int64) {
	for _, some := range s.stretches() {
		n += some.count()
	}
	return n
}

// All returns a function that makes the selected items, in the order of their rows, or nil where more than most are
// selected. The function may take its time and belongs in the background.
func (s *Selection) All(most int64) func(ctx context.Context) []Item {
	if s.Count() > most {
		return nil
	}
	type one struct {
		want
		row int64
	}
	var all []one
	for _, some := range s.stretches() {
		for i := range some.count() {
			w, _ := s.rows.wanted(pos{some.b, some.first + i})
			row, _ := s.out.row(w.at)
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
				w.item = s.source.child(w.parent, w.at.i)
			}
			items = append(items, w.item)
		}
		return items
	}
}

// Ranges returns the selected rows of a list in their order, as ranges [first, last).
func (s *Selection) Ranges() (list [][2]int64) {
	for _, some := range s.stretches() {
		if n := some.count(); n > 0 {
			list = append(list, [2]int64{some.first, some.first + n})
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

// Runs returns the rows that are selected besides the cursor's, at most limit runs.
func (s *Selection) Runs(limit int) (runs []Run) {
	for _, some := range s.picked {
		if some.b != s.out.top && len(runs) < limit {
			runs = append(runs, Run{some.b.item, some.first, some.last})
		}
	}
	return runs
}

// set makes the row at p the only one that is selected, and brings it into sight.
func (s *Selection) set(p pos, quiet bool) {
	s.move(p, quiet)
	s.anchor = p
	s.pick(nil)
}

// reset puts the cursor on p without a word, where nothing is selected.
func (s *Selection) reset(p pos) {
	s.cursor, s.item, s.quiet = p, nil, true
	s.picked, s.anchor = nil, p
}

// move moves the cursor to p and into sight; other rows stay selected.
func (s *Selection) move(p pos, quiet bool) {
	same := p == s.cursor && s.item != nil
	s.cursor = p
	s.scroll.reveal, s.scroll.jumped, s.scroll.asked = true, false, -1
	if same && !quiet {
		return
	}
	s.item, s.quiet = nil, quiet
	if m := s.rows.made[p]; m != nil && !p.isTail() {
		s.arrived(p, m.item)
	}
}

// arrived learns that an item is made.
func (s *Selection) arrived(p pos, it Item) {
	if p != s.cursor || s.item != nil {
		return
	}
	s.item = it
	if !s.quiet {
		s.chosen(it)
	}
	s.quiet = false
}

// hide takes the rows below b, which are hidden now, out of the selection.
func (s *Selection) hide(b *branch) {
	s.pick(slices.DeleteFunc(slices.Clone(s.picked), func(some stretch) bool { return (pos{some.b, 0}).under(b) }))
	if s.cursor.under(b) {
		s.set(pos{b.up, b.index}, false)
	}
}

// holds reports whether the row is one of several that are selected.
func (s *Selection) holds(p pos) bool {
	return slices.ContainsFunc(s.picked, func(some stretch) bool { return some.holds(p) })
}

// pick selects other rows besides the cursor's; none leaves that one.
func (s *Selection) pick(rows []stretch) {
	if len(rows) == 0 && len(s.picked) == 0 {
		return
	}
	s.picked = rows
	s.counted(s.Count())
}

// extend moves the cursor to a row and selects all rows from where the selection began to there.
func (s *Selection) extend(row int64) {
	from, shown := s.out.row(s.anchor)
	if !shown || !s.anchor.under(s.out.top) {
		s.anchor = s.cursor
		from, _ = s.out.row(s.anchor)
	}
	p := s.out.near(row)
	row, _ = s.out.row(p)
	s.move(p, false)
	s.pick(s.between(min(from, row), max(from, row)))
}

// between lists the rows from first to last, as stretches in their order: one ends where an open branch puts its
// children in between.
func (s *Selection) between(first, last int64) []stretch {
	var list []stretch
	for row := first; row <= last; {
		p := s.out.place(row)
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

// flip adds a row to the selection, or removes it, and moves the cursor there.
func (s *Selection) flip(p pos) {
	if p.isTail() {
		return
	}
	picked := slices.Clone(s.picked)
	if len(picked) == 0 && p != s.cursor {
		picked = s.stretches()
	}
	if at := slices.IndexFunc(picked, func(some stretch) bool { return some.holds(p) }); at < 0 {
		picked = append(picked, stretch{p.b, p.i, p.i})
	} else {
		was := picked[at]
		picked = slices.Delete(picked, at, at+1)
		if p.i > was.first {
			picked = append(picked, stretch{was.b, was.first, p.i - 1})
		}
		if p.i < was.last {
			picked = append(picked, stretch{was.b, p.i + 1, was.last})
		}
	}
	s.move(p, false)
	s.anchor = p
	s.pick(picked)
}

// pickSiblings selects the cursor's row and all its siblings.
func (s *Selection) pickSiblings() {
	if b := s.cursor.b; b.count > 0 {
		s.pick([]stretch{{b, 0, b.count - 1}})
	}
}
