package treeview

import "strings"

// Limits of work that a single key starts.
const (
	seekRows     = 100_000 // rows that type-ahead looks at
	seekBatch    = 512
	siblingsOpen = 1000 // siblings that * opens
)

// seek selects the next row from the given one on whose name begins with prefix (lower case), round the end.
func (t *Tree) seek(prefix string, from int64) {
	t.seeking++
	t.seekOn(prefix, from, min(seekRows, t.out.rows()), t.seeking)
}

func (t *Tree) seekOn(prefix string, from, left int64, serial int) {
	if left <= 0 || serial != t.seeking || t.ctx.Err() != nil {
		return
	}
	n := min(seekBatch, left)
	batch := make([]want, 0, n)
	for k := range n {
		p := t.out.at((from + k) % t.out.rows())
		if !p.isTail() {
			batch = append(batch, want{at: p, parent: p.b.item})
		}
	}
	go func() {
		for _, w := range batch {
			it := t.child(w.parent, w.at.i)
			row := t.data.Row(it)
			if hasPrefix(row, prefix) {
				t.post(func() { t.found(w.at, made{item: it, row: row}, -1, serial) })
				return
			}
			if !row.Folded {
				continue
			}
			if n, _ := t.data.Count(it); n <= seekRows {
				for i := range n {
					if kid := t.child(it, i); hasPrefix(t.data.Row(kid), prefix) {
						t.post(func() { t.found(w.at, made{item: it, row: row}, i, serial) })
						return
					}
				}
			}
		}
		t.post(func() { t.seekOn(prefix, from+n, left-n, serial) })
	}()
}

// found selects a row that type-ahead has found, or with folded ≥ 0 the row of that child, unless something else was typed meanwhile.
func (t *Tree) found(p pos, m made, folded int64, serial int) {
	if _, shown := t.out.row(p); serial != t.seeking || !shown {
		return
	}
	t.rows[p] = &m
	if folded >= 0 {
		b := t.out.add(p.b, p.i, m.item)
		t.toggle(b, true)
		p = pos{b, folded}
	}
	t.setCursor(p, false)
	t.Refresh()
}

func hasPrefix(row Row, lower string) bool {
	return len(row.Cells) > 0 && strings.HasPrefix(strings.ToLower(row.Cells[0]), lower)
}

// openSiblings opens the row at the cursor and its siblings, the nearest ones where they are very many.
func (t *Tree) openSiblings() {
	b := t.cursor.b
	first := max(0, min(t.cursor.i-siblingsOpen/2, b.count-siblingsOpen))
	last := min(b.count, first+siblingsOpen)
	parent := b.item
	go func() {
		ready := make(map[int64]*made)
		for i := first; i < last && t.ctx.Err() == nil; i++ {
			it := t.child(parent, i)
			if row := t.data.Row(it); row.Branch {
				ready[i] = &made{item: it, row: row}
			}
		}
		t.post(func() {
			for i := first; i < last; i++ {
				if m := ready[i]; m != nil {
					t.toggle(t.out.add(b, i, m.item), true)
				}
			}
			t.reveal = true
			t.Refresh()
		})
	}()
}
