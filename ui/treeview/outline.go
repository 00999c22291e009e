package treeview

import (
	"cmp"
	"slices"
	"sort"
)

// A branch is an item that was opened at least once. Closed branches are kept for the open state below them.
type branch struct {
	up    *branch // nil for the outermost branch, whose only child is the root item
	index int64   // child number in up
	item  Item

	count int64 // children known so far
	exact bool
	tail  string // text of an extra row after the children, or ""
	open  bool

	kids   []*branch // in the order of their index
	before []int64   // before[k]: rows below kids[:k]; one longer than kids
	inside int64     // rows below this branch if it is open
	work   *resolving
}

// pos is a row by its place in the tree: child i of b. It stays right when rows appear or go elsewhere.
type pos struct {
	b *branch
	i int64
}

// outline answers which row is which, in O(depth × log open siblings), knowing only the branches that were opened.
type outline struct{ top *branch }

func newOutline() *outline {
	top := &branch{count: 1, exact: true, open: true, before: []int64{0}, inside: 1}
	return &outline{top}
}

// rows returns the number of rows.
func (o *outline) rows() int64 { return o.top.inside }

// shown returns the number of rows below the branch's row.
func (b *branch) shown() int64 {
	if b.open {
		return b.inside
	}
	return 0
}

// direct returns the number of rows for the children and the tail.
func (b *branch) direct() int64 {
	if b.tail != "" {
		return b.count + 1
	}
	return b.count
}

// find returns where the kid for child i is, or belongs.
func (b *branch) find(i int64) (k int, ok bool) {
	k = sort.Search(len(b.kids), func(k int) bool { return b.kids[k].index >= i })
	return k, k < len(b.kids) && b.kids[k].index == i
}

// kid returns the branch for child i, or nil.
func (b *branch) kid(i int64) *branch {
	if k, ok := b.find(i); ok {
		return b.kids[k]
	}
	return nil
}

// add makes the branch for child i of b, closed and without children.
func (o *outline) add(b *branch, i int64, item Item) *branch {
	k, ok := b.find(i)
	if ok {
		return b.kids[k]
	}
	kid := &branch{up: b, index: i, item: item, before: []int64{0}}
	b.kids = append(b.kids, nil)
	copy(b.kids[k+1:], b.kids[k:])
	b.kids[k] = kid
	b.before = append(b.before, 0)
	copy(b.before[k+1:], b.before[k:])
	return kid
}

// reorder gives the kids the numbers that move says.
func (b *branch) reorder(move func(i int64) int64) {
	for _, kid := range b.kids {
		kid.index = move(kid.index)
	}
	slices.SortFunc(b.kids, func(x, y *branch) int { return cmp.Compare(x.index, y.index) })
	for k, kid := range b.kids {
		b.before[k+1] = b.before[k] + kid.shown()
	}
}

// update runs change on b and passes the difference in its rows on to the branches above.
func (o *outline) update(b *branch, change func()) {
	was := b.shown()
	ownWas := b.direct()
	change()
	b.inside += b.direct() - ownWas
	delta := b.shown() - was
	for up := b.up; up != nil && delta != 0; b, up = up, up.up {
		k, _ := up.find(b.index)
		for j := k + 1; j < len(up.before); j++ {
			up.before[j] += delta
		}
		up.inside += delta
		if !up.open {
			return
		}
	}
}

// place returns the place of a row, 0 ≤ row < rows.
func (o *outline) place(row int64) pos {
	b := o.top
	for {
		k := sort.Search(len(b.kids), func(k int) bool { return b.kids[k].index+b.before[k] > row }) - 1
		if k < 0 {
			return pos{b, row}
		}
		kid := b.kids[k]
		own := kid.index + b.before[k]
		switch {
		case row == own:
			return pos{b, kid.index}
		case row <= own+kid.shown():
			b = kid
			row -= own + 1
		default:
			return pos{b, row - b.before[k+1]}
		}
	}
}

// near returns the place of the row next to one that may be outside of the tree.
func (o *outline) near(row int64) pos { return o.place(max(0, min(row, o.rows()-1))) }

// row is the inverse of place; ok is false where a closed branch hides the row.
func (o *outline) row(p pos) (row int64, ok bool) {
	row, ok = 0, true
	for b, i := p.b, p.i; b != nil; b, i = b.up, b.index {
		k, _ := b.find(i)
		row += i + b.before[k]
		if b.up != nil {
			row++
		}
		ok = ok && b.open
	}
	return row, ok
}

// depth returns the number of branches above the row; the root has none.
func (p pos) depth() int {
	n := 0
	for b := p.b; b.up != nil; b = b.up {
		n++
	}
	return n
}

// isTail reports whether the row is not a child but the extra row after them.
func (p pos) isTail() bool { return p.i >= p.b.count }

// under reports whether p is somewhere below b.
func (p pos) under(b *branch) bool {
	for up := p.b; up != nil; up = up.up {
		if up == b {
			return true
		}
	}
	return false
}

// each calls f for b and every branch known below it.
func (b *branch) each(f func(*branch)) {
	f(b)
	for _, kid := range b.kids {
		kid.each(f)
	}
}
