package flatbuffer

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

// maxPadding is the most bytes that builders put between objects: structs may be aligned to more than 8.
const maxPadding = 64

// finish sorts the objects, counts the tables of each vtable, reports overlaps and fills the gaps.
func (w *walk) finish() {
	slices.SortStableFunc(w.objects, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(b.end, a.end))
	})
	if w.s == nil {
		w.emptyVectors()
	}
	head := w.headEnd()
	kept := w.objects[:0]
	end := head
	for _, o := range w.objects {
		if last := len(kept) - 1; last >= 0 && kept[last].off == o.off && kept[last].kind == o.kind && kept[last].typ == o.typ {
			continue // met before
		}
		if last := len(kept) - 1; last >= 0 && int64(o.off) < end && w.endBefore(&kept[last], int64(o.off)) {
			end = int64(o.off)
		}
		if int64(o.off) < end {
			at := w.b.Span(int64(o.off), min(end, int64(o.end))-int64(o.off))
			if w.s == nil {
				w.problem(int64(o.off), model.Assumed, ruleOverlap, at, "these bytes look like two objects: one is taken for what it is not")
			} else {
				w.problem(int64(o.off), model.Malformed, ruleOverlap, at, "these bytes belong to two objects")
			}
			if last := len(kept) - 1; last >= 0 {
				w.problems[len(w.problems)-1].off = kept[last].off
			}
			continue
		}
		kept = append(kept, o)
		end = int64(o.end)
	}
	w.objects = slices.Clip(kept)
	w.countUsers()
	w.fillGaps(head)
	slices.SortStableFunc(w.problems, func(a, b located) int { return cmp.Compare(a.off, b.off) })
}

// emptyVectors corrects guesses in the sorted objects: an empty string is an empty vector if another object begins at
// its NUL.
func (w *walk) emptyVectors() {
	for i := range w.objects {
		o := &w.objects[i]
		if o.kind != aString || o.end != o.off+offsetSize+1 {
			continue
		}
		for _, next := range w.objects[i+1:] {
			if next.off >= o.end {
				break
			}
			if next.off > o.off {
				o.kind, o.typ, o.end = aVector, w.vectorType(inferredBytes), o.off+offsetSize
				break
			}
		}
	}
}

// endBefore ends an object before the next one, if its own end is doubtful: Google's builder for Go shares vtables
// between tables of unequal size, so that a table's size may be too large; and a vector may announce more elements than
// the buffer holds.
func (w *walk) endBefore(o *object, next int64) bool {
	if w.usedEnd(*o) <= next {
		o.end = uint32(next)
		return true
	}
	if w.s == nil || w.announced(w.r, *o) < 0 || next < int64(o.off)+offsetSize {
		return false
	}
	width := w.s.size(w.vectors[o.typ].element())
	first := int64(o.off) + offsetSize
	o.end = uint32(first + (next-first)/width*width)
	return true
}

// announced returns the number of elements that a vector announces but does not hold, or -1 if it holds them.
func (w *walk) announced(r *Reader, o object) int64 {
	if w.s == nil || o.kind != aVector || w.vectors[o.typ].Base != reflection.BaseTypeVector {
		return -1
	}
	n, _ := r.U32(int64(o.off))
	if held := int64(o.end) - int64(o.off) - offsetSize; int64(n) <= held/w.s.size(w.vectors[o.typ].element()) {
		return -1
	}
	return int64(n)
}

// counted puts the number of elements on the node of a vector.
func (w *walk) counted(r *Reader, o object, count int64, n *model.Node) {
	n.Brief = model.Counted(count, "element")
	if announced := w.announced(r, o); announced >= 0 {
		n.Brief = fmt.Sprintf("announces %d, holds %d", announced, count)
		n.Help = strings.TrimPrefix(n.Help+". "+n.Brief, ". ")
	}
}

// usedEnd returns the end of the last field of a table, as far as its width is known, or the end of another object.
func (w *walk) usedEnd(o object) int64 {
	t, ok := w.r.Table(int64(o.off))
	if o.kind != aTable || !ok {
		return int64(o.end)
	}
	end := int64(o.off) + offsetSize
	for i := range t.Slots() {
		at := t.Slot(i)
		if at == 0 {
			continue
		}
		width := int64(1)
		if f := w.s.table(&o).bySlot(i); f != nil {
			width = w.s.size(f.Type)
		}
		end = max(end, at+width)
	}
	return min(end, int64(o.end))
}

// headEnd returns the end of the root offset or, if there is one, of the identifier.
func (w *walk) headEnd() int64 {
	end := w.b.rootAt + offsetSize
	if w.hasIdentifier() {
		end += identifierSize
	}
	return end
}

// hasIdentifier reports whether four letters or digits follow the root offset that belong to no object.
func (w *walk) hasIdentifier() bool {
	id := w.b.Identifier(w.ctx)
	if id == "" {
		return false
	}
	at := w.b.rootAt + offsetSize
	for i := range w.objects {
		if int64(w.objects[i].off) < at+identifierSize && int64(w.objects[i].end) > at {
			return false
		}
	}
	return isIdentifier(id)
}

func isIdentifier(id string) bool {
	for i := range len(id) {
		if id[i] < 0x21 || id[i] > 0x7e {
			return false
		}
	}
	return len(id) == identifierSize
}

// countUsers counts the tables of each vtable.
func (w *walk) countUsers() {
	for i := range w.objects {
		o := &w.objects[i]
		if o.kind != aTable {
			continue
		}
		back, _ := w.r.U32(int64(o.off))
		if v := w.find(int64(o.off) - int64(int32(back))); v != nil && v.kind == aVTable {
			v.owner++
		}
	}
}

// find returns the object that begins at off, or nil if none does.
func (w *walk) find(off int64) *object {
	if i := w.index(off); i >= 0 {
		return &w.objects[i]
	}
	return nil
}

// index returns the number of the object that begins at off, or -1 if none does.
func (w *walk) index(off int64) int {
	i := sort.Search(len(w.objects), func(i int) bool { return int64(w.objects[i].off) >= off })
	if i < len(w.objects) && int64(w.objects[i].off) == off {
		return i
	}
	return -1
}

// mayRepeat reports whether an object may be shown at each offset that leads there. Shared objects inside shared
// objects multiply the ways.
func (w *walk) mayRepeat(r *Reader, o object) bool {
	counts := w.unfolded.Get(r.ctx, w.unfold)
	root, is := w.index(r.target(w.b.rootAt)), w.index(int64(o.off))
	return r.ctx.Err() == nil && root >= 0 && is >= 0 && (counts[root] <= max(mostUnfolded, 4*len(counts)) || counts[is] <= fewUnfolded)
}

// unfold counts the objects that each would show if every offset showed its object, itself included. Offsets lead
// forward.
func (w *walk) unfold(ctx context.Context) []int {
	r := w.b.Reader(ctx)
	defer w.b.Release(r)
	counts := make([]int, len(w.objects))
	for i := len(counts) - 1; i >= 0 && ctx.Err() == nil; i-- {
		counts[i] = 1
		w.eachOffset(r, &w.objects[i], false, func(at int64) {
			if to := w.index(r.target(at)); to > i {
				counts[i] = min(counts[i]+counts[to], math.MaxInt32)
			}
		})
	}
	return counts
}

// eachOffset visits the places of the offsets in a table or vector. With guess they include slots that no schema explains.
func (w *walk) eachOffset(r *Reader, o *object, guess bool, visit func(at int64)) {
	switch o.kind {
	case aTable:
		table, ok := r.Table(int64(o.off))
		if !ok {
			return
		}
		for _, s := range table.present() {
			f := w.s.table(o).bySlot(s.index)
			if f == nil && guess && s.at+offsetSize <= table.size || f != nil && w.s.isOffset(f.Type) {
				visit(table.Off + s.at)
			}
		}
	case aVector:
		if typ := w.vectors[o.typ]; typ.Base != reflection.BaseTypeVector || !w.s.isOffset(typ.element()) {
			return
		}
		for at := int64(o.off) + offsetSize; at+offsetSize <= int64(o.end); at += offsetSize {
			visit(at)
		}
	}
}

// fillGaps adds the bytes that no object has as objects.
func (w *walk) fillGaps(head int64) {
	gaps := 0
	end := head
	for _, o := range w.objects {
		if int64(o.off) > end {
			gaps++
		}
		end = int64(o.end)
	}
	all := make([]object, 0, len(w.objects)+gaps+1)
	end = head
	for _, o := range w.objects {
		if int64(o.off) > end {
			all = append(all, w.gap(end, int64(o.off)))
		}
		all = append(all, o)
		end = int64(o.end)
	}
	if end < w.b.size {
		all = append(all, w.gap(end, w.b.size))
	}
	w.objects = all
}

func (w *walk) gap(lo, hi int64) object {
	role := model.Unreferenced
	if hi-lo <= maxPadding && w.zero(lo, hi) {
		role = model.Padding
	}
	if len(w.objects) == 0 || w.full && role == model.Unreferenced {
		role = model.Unknown
	}
	return object{off: uint32(lo), end: uint32(hi), kind: aGap, role: role}
}

func (w *walk) zero(lo, hi int64) bool {
	for at := lo; at < hi; at++ {
		if c, ok := w.r.U8(at); !ok || c != 0 {
			return false
		}
	}
	return true
}
