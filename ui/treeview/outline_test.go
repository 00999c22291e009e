package treeview

import (
	"math/rand/v2"
	"testing"
)

// naive is the same tree as a plain list of rows.
type naive struct {
	b    *branch
	i    int64
	tail bool
}

func list(b *branch, out []naive) []naive {
	for i := range b.direct() {
		out = append(out, naive{b, i, i == b.count})
		if kid := b.kid(i); kid != nil && kid.open {
			out = list(kid, out)
		}
	}
	return out
}

// TestOutlineAgainstList toggles, grows and cuts off at random and compares every row with the plain list.
func TestOutlineAgainstList(t *testing.T) {
	for seed := range uint64(40) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		o := newOutline()
		for step := range 150 {
			rows := list(o.top, nil)
			pick := rows[rnd.IntN(len(rows))]
			if !pick.tail {
				kid := pick.b.kid(pick.i)
				switch {
				case kid == nil:
					kid = o.add(pick.b, pick.i, nil)
					o.update(kid, func() { kid.count, kid.open = int64(rnd.IntN(6)), true })
				case rnd.IntN(3) == 0:
					o.update(kid, func() { kid.count += int64(rnd.IntN(4)) })
				case rnd.IntN(3) == 0:
					o.update(kid, func() {
						if kid.tail == "" {
							kid.tail = "more"
						} else {
							kid.tail = ""
						}
					})
				default:
					o.update(kid, func() { kid.open = !kid.open })
				}
			}
			rows = list(o.top, nil)
			if o.rows() != int64(len(rows)) {
				t.Fatalf("seed %d step %d: %d rows, want %d", seed, step, o.rows(), len(rows))
			}
			for r, want := range rows {
				got := o.place(int64(r))
				if got.b != want.b || got.i != want.i || got.isTail() != want.tail {
					t.Fatalf("seed %d step %d row %d: child %d, want %d", seed, step, r, got.i, want.i)
				}
				back, ok := o.row(got)
				if !ok || back != int64(r) {
					t.Fatalf("seed %d step %d row %d: comes back as %d, %v", seed, step, r, back, ok)
				}
			}
		}
	}
}

// TestOutlineHidden: a row below a closed branch is known, but not shown, and comes back where it was.
func TestOutlineHidden(t *testing.T) {
	o := newOutline()
	a := o.add(o.top, 0, nil)
	o.update(a, func() { a.count, a.open = 5, true })
	b := o.add(a, 2, nil)
	o.update(b, func() { b.count, b.open = 3, true })
	in := pos{b, 1}
	if r, ok := o.row(in); r != 5 || !ok {
		t.Fatalf("row %d %v, want 5", r, ok)
	}
	o.update(a, func() { a.open = false })
	if _, ok := o.row(in); ok || o.rows() != 1 {
		t.Fatalf("still shown; %d rows", o.rows())
	}
	o.update(a, func() { a.open = true })
	if r, ok := o.row(in); r != 5 || !ok || o.rows() != 9 {
		t.Fatalf("row %d %v of %d, want 5 of 9", r, ok, o.rows())
	}
	if !in.under(a) || (pos{a, 1}).under(b) || in.depth() != 2 {
		t.Fatal("wrong ancestry")
	}
}

func BenchmarkRowOfTenMillion(b *testing.B) {
	o := newOutline()
	all := o.add(o.top, 0, nil)
	o.update(all, func() { all.count, all.open = 10_000_000, true })
	for i := range int64(1000) {
		kid := o.add(all, i*9973, nil)
		o.update(kid, func() { kid.count, kid.open = 100, true })
	}
	n := o.rows()
	for i := 0; b.Loop(); i++ {
		o.place(int64(i) * 7919 % n)
	}
}
