package udm

import (
	"context"
	"sort"
	"sync"

	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// children finds the children of a group by number, and their values by theirs.
type children struct {
	t     *text
	g     uint32
	n     int
	marks model.Chunks[mark] // before every 64th child but the first
	names *names             // of the entries of a block

	mu         sync.Mutex
	next       ascii.Walk // from the child after the one that was found last, which is often asked for next
	nextNumber int
}

const markEvery = 64

// A mark is a place of a walk.
type mark struct{ token, sub, nth uint32 }

// resume returns the walk from mark m on, counted from 1, or for 0 from the first child.
func (k *children) resume(m int) ascii.Walk {
	w := k.t.x.Walk(k.g)
	if m > 0 {
		at := k.marks.At(int64(m - 1))
		w.Token, w.Sub, w.Nth = at.token, at.sub, at.nth
	}
	return w
}

// fewTokens is the most tokens of a group whose children are counted as quickly as found.
const fewTokens = 32

// children counts the children of a group.
func (t *text) children(ctx context.Context, g uint32) *children {
	count := func(ctx context.Context) (*children, error) {
		k := &children{t: t, g: g}
		w := t.x.Walk(g)
		for before := w; ; before = w {
			if _, _, ok := w.Next(); !ok {
				break
			}
			if k.n > 0 && k.n%markEvery == 0 {
				k.marks.Add(mark{before.Token, before.Sub, before.Nth})
			}
			k.n++
		}
		if kind := t.x.Group(g).Kind; kind == ascii.GroupFile || kind == ascii.GroupBlock {
			k.names = t.names(ctx, k)
		}
		return k, nil
	}
	if o := t.x.Group(g); o.End-o.First <= fewTokens {
		k, _ := count(ctx)
		return k
	}
	k, _ := t.recent.Get(ctx, g, count)
	return k
}

// from is a walk that begins at or before what is looked for, and the number of its first child.
func (k *children) from(after func(token, nth uint32) bool) (w ascii.Walk, number int) {
	i := sort.Search(int(k.marks.Len()), func(i int) bool { return after(k.marks.At(int64(i)).token, k.marks.At(int64(i)).nth) })
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.nextNumber > i*markEvery && !after(k.next.Token, k.next.Nth) {
		return k.next, k.nextNumber
	}
	return k.resume(i), i * markEvery
}

// found keeps where a walk is after the child of a number.
func (k *children) found(w ascii.Walk, number int) {
	if k.n <= markEvery {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next, k.nextNumber = w, number+1
}

// child returns child i, and which value of the group that is.
func (k *children) child(i int) (c ascii.Child, nth uint32, isValue bool) {
	w, number := k.resume(i/markEvery), i/markEvery*markEvery
	k.mu.Lock()
	if k.nextNumber > number && k.nextNumber <= i {
		w, number = k.next, k.nextNumber
	}
	k.mu.Unlock()
	for ; number <= i; number++ {
		nth = w.Nth
		c, isValue, _ = w.Next()
	}
	k.found(w, i)
	return c, nth, isValue
}

// value returns the child that is value nth, and its number.
func (k *children) value(nth int64) (c ascii.Child, number int, ok bool) {
	w, number := k.from(func(_, before uint32) bool { return int64(before) > nth })
	for ; ; number++ {
		before := w.Nth
		c, isValue, ok := w.Next()
		if !ok || isValue && int64(before) == nth {
			k.found(w, number)
			return c, number, ok
		}
	}
}

// childOver returns the number of the child over a byte, and which value of the group that is.
func (k *children) childOver(src *model.Source, off int64) (number int, nth int64, isValue, ok bool) {
	x := k.t.x
	if !x.GroupSpan(k.g).Covers(src, off) {
		return 0, 0, false, false
	}
	token := x.TokenOver(off)
	w, number := k.from(func(first, _ uint32) bool { return first > token })
	for ; ; number++ {
		nth := w.Nth
		_, isValue, ok := w.Next()
		if !ok || w.Token > token {
			return number, int64(nth), isValue, ok
		}
	}
}

// valueOver is the number of the value or entry over a byte, with its brackets and keywords.
func (k *children) valueOver(_ context.Context, src *model.Source, off int64) (int64, bool) {
	_, nth, isValue, ok := k.childOver(src, off)
	return nth, ok && isValue
}

// values returns the number of children of a group that are values or entries.
func (t *text) values(g uint32) int64 { return int64(t.x.Group(g).Count) }

// itemsAfter returns the number of the items after a header, or nil if there are none or a limit cut them off.
func (t *text) itemsAfter(g uint32) model.Value {
	after := t.x.Group(g).After
	if int64(after) == t.x.Groups.Len() || t.x.Group(after).Kind != ascii.GroupItems || t.cutIn(after) {
		return nil
	}
	return model.Uint(t.x.Group(after).Count)
}

// cutIn reports whether a limit ended the index in a group.
func (t *text) cutIn(g uint32) bool { return t.x.Cut && t.x.Group(g).End == t.x.Count() }

// names returns the names of the entries of a block.
func (t *text) names(ctx context.Context, k *children) *names {
	l := ascii.NewLexer(ctx, t.x.Src)
	hashes := make([]uint64, 0, t.values(k.g))
	for sub, o := k.g+1, t.x.Group(k.g); sub < o.After; sub = t.x.Group(sub).After {
		key, ok := t.keyOf(sub)
		if !ok {
			hashes = append(hashes, types.HashOf(""))
			continue
		}
		off := t.x.Off(key)
		hashes = append(hashes, l.Hash(off, off+t.x.Length(key)))
		if len(hashes)&4095 == 0 && ctx.Err() != nil {
			break
		}
	}
	return newNames(ctx, hashes, func(ctx context.Context, i int64) string {
		c, _, _ := k.value(i)
		g, _ := c.Group()
		if key, ok := t.keyOf(g); ok {
			return t.x.Text(ctx, key)
		}
		return ""
	})
}

// keyOf returns the token of an entry's key.
func (t *text) keyOf(g uint32) (token uint32, ok bool) {
	for w := t.x.Walk(g); ; {
		c, _, ok := w.Next()
		if _, sub := c.Group(); !ok || !sub && t.x.Kind(uint32(c)) == ascii.TokenKey {
			return uint32(c), ok
		}
	}
}
