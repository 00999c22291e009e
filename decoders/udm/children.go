package udm

import (
	"context"
	"hash/maphash"
	"sort"
	"sync"

	"cutaway/model"
)

// child is a child of a group: a token, or a group where the top bit is set.
type child uint32

const isGroup = 1 << 31

func (c child) group() (uint32, bool) { return uint32(c &^ isGroup), c&isGroup != 0 }

// walk goes over the children of a group in their order.
type walk struct {
	x          *index
	token, sub uint32 // of the next child
	end        uint32
	nth        uint32 // values, or entries of a block, before the next child
}

func (x *index) walk(g uint32) walk {
	o := x.group(g)
	return walk{x: x, token: o.first, sub: g + 1, end: o.end}
}

// next is the next child, and which of the group's values it is; isValue is false of what only is between them.
func (w *walk) next() (c child, isValue, ok bool) {
	if w.token >= w.end {
		return 0, false, false
	}
	if int64(w.sub) < w.x.groups.Len() {
		if o := w.x.group(w.sub); o.first == w.token {
			c = child(w.sub | isGroup)
			w.token, w.sub = o.end, o.after
			w.nth++
			return c, true, true
		}
	}
	c = child(w.token)
	if isValue = w.x.kind(w.token).word(); isValue {
		w.nth++
	}
	w.token++
	return c, isValue, true
}

// children finds the children of a group by number, and their values by theirs.
type children struct {
	t     *text
	g     uint32
	n     int
	marks model.Chunks[mark] // before every 64th child but the first
	names *names             // of the entries of a block

	mu         sync.Mutex
	next       walk // from the child after the one that was found last, which is often asked for next
	nextNumber int
}

const markEvery = 64

// mark is a place of a walk.
type mark struct{ token, sub, nth uint32 }

// resume is the walk from mark m on, from 1; 0: from the first child.
func (k *children) resume(m int) walk {
	w := k.t.x.walk(k.g)
	if m > 0 {
		at := k.marks.At(int64(m - 1))
		w.token, w.sub, w.nth = at.token, at.sub, at.nth
	}
	return w
}

// fewTokens is up to how many tokens of a group its children are counted as quickly as found.
const fewTokens = 32

// children counts the children of a group.
func (t *text) children(ctx context.Context, g uint32) *children {
	count := func(ctx context.Context) (*children, error) {
		k := &children{t: t, g: g}
		w := t.x.walk(g)
		for before := w; ; before = w {
			if _, _, ok := w.next(); !ok {
				break
			}
			if k.n > 0 && k.n%markEvery == 0 {
				k.marks.Add(mark{before.token, before.sub, before.nth})
			}
			k.n++
		}
		if kind := t.x.group(g).kind; kind == gFile || kind == gBlock {
			k.names = t.names(ctx, k)
		}
		return k, nil
	}
	if o := t.x.group(g); o.end-o.first <= fewTokens {
		k, _ := count(ctx)
		return k
	}
	k, _ := t.recent.Get(ctx, g, count)
	return k
}

// from is a walk that begins at or before what is looked for, and the number of its first child.
func (k *children) from(after func(token, nth uint32) bool) (w walk, number int) {
	i := sort.Search(int(k.marks.Len()), func(i int) bool { return after(k.marks.At(int64(i)).token, k.marks.At(int64(i)).nth) })
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.nextNumber > i*markEvery && !after(k.next.token, k.next.nth) {
		return k.next, k.nextNumber
	}
	return k.resume(i), i * markEvery
}

// found keeps where a walk is after the child of a number.
func (k *children) found(w walk, number int) {
	if k.n <= markEvery {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next, k.nextNumber = w, number+1
}

// at is child i, and which value of its group it is.
func (k *children) at(i int) (c child, nth uint32, isValue bool) {
	w, number := k.resume(i/markEvery), i/markEvery*markEvery
	k.mu.Lock()
	if k.nextNumber > number && k.nextNumber <= i {
		w, number = k.next, k.nextNumber
	}
	k.mu.Unlock()
	for ; number <= i; number++ {
		nth = w.nth
		c, isValue, _ = w.next()
	}
	k.found(w, i)
	return c, nth, isValue
}

// value is the child that is value nth, and its number.
func (k *children) value(nth int64) (c child, number int, ok bool) {
	w, number := k.from(func(_, before uint32) bool { return int64(before) > nth })
	for ; ; number++ {
		before := w.nth
		c, isValue, ok := w.next()
		if !ok || isValue && int64(before) == nth {
			k.found(w, number)
			return c, number, ok
		}
	}
}

// over is the number of the child over a byte, and which value of its group it is.
func (k *children) over(src *model.Source, off int64) (number int, nth int64, isValue, ok bool) {
	x := k.t.x
	if !x.groupSpan(k.g).Covers(src, off) {
		return 0, 0, false, false
	}
	token := x.tokenOver(off)
	w, number := k.from(func(first, _ uint32) bool { return first > token })
	for ; ; number++ {
		nth := w.nth
		_, isValue, ok := w.next()
		if !ok || w.token > token {
			return number, int64(nth), isValue, ok
		}
	}
}

// valueOver is the number of the value or entry over a byte, with its brackets and keywords.
func (k *children) valueOver(_ context.Context, src *model.Source, off int64) (int64, bool) {
	_, nth, isValue, ok := k.over(src, off)
	return nth, ok && isValue
}

// values is how many values or entries a group has that are children of it.
func (t *text) values(g uint32) int64 { return int64(t.x.group(g).count) }

// itemsAfter is the number of the items after a header; nil where there are none, or
// a limit cut them off.
func (t *text) itemsAfter(g uint32) model.Value {
	after := t.x.group(g).after
	if int64(after) == t.x.groups.Len() || t.x.group(after).kind != gItems || t.cutIn(after) {
		return nil
	}
	return model.Uint(t.x.group(after).count)
}

// cutIn reports whether a limit ended the index in a group.
func (t *text) cutIn(g uint32) bool { return t.x.cut && t.x.group(g).end == t.x.count() }

// names are those of the entries of a block.
func (t *text) names(ctx context.Context, k *children) *names {
	l := newLexer(ctx, t.x.src)
	hashes := make([]uint64, 0, t.values(k.g))
	for sub, o := k.g+1, t.x.group(k.g); sub < o.after; sub = t.x.group(sub).after {
		key, ok := t.keyOf(sub)
		if !ok {
			hashes = append(hashes, hashOf(""))
			continue
		}
		off := t.x.off(key)
		hashes = append(hashes, l.hash(off, off+t.x.length(key)))
		if len(hashes)&4095 == 0 && ctx.Err() != nil {
			break
		}
	}
	return newNames(ctx, hashes, func(ctx context.Context, i int64) string {
		c, _, _ := k.value(i)
		g, _ := c.group()
		if key, ok := t.keyOf(g); ok {
			return t.x.text(ctx, key)
		}
		return ""
	})
}

// keyOf is the token of an entry's key.
func (t *text) keyOf(g uint32) (token uint32, ok bool) {
	for w := t.x.walk(g); ; {
		c, _, ok := w.next()
		if _, sub := c.group(); !ok || !sub && t.x.kind(uint32(c)) == tkKey {
			return uint32(c), ok
		}
	}
}

// hash is that of the word between two offsets as a key.
func (l *lexer) hash(off, end int64) uint64 {
	b := l.bytes(off, end)
	if len(b) > 0 && b[0] != '"' {
		return maphash.Bytes(seed, b)
	}
	return hashOf(unquote(string(b)))
}
