package flatbuffer

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

// link says that the object at from refers to the one at to; from 0 is the head.
type link struct{ to, from uint32 }

// links are sorted by to.
type links []link

// ReferencedBy lists what refers to the object at path: at most limit of them, and how many there are. ok is false
// where path is not that of an object of the buffer.
func (t *Tree) ReferencedBy(ctx context.Context, path string, limit int, progress model.Progress) (list []model.Ref, n int64, ok bool, err error) {
	name, found := strings.CutPrefix(path, t.Path+"/")
	if !found {
		return nil, 0, false, nil
	}
	off, perr := strconv.ParseInt(strings.TrimPrefix(name, "0x"), 16, 64)
	if perr != nil {
		return nil, 0, false, nil
	}
	off -= t.B.base
	all, err := t.usedBy.Get(ctx, progress, t.findLinks)
	if err != nil {
		return nil, 0, true, err
	}
	w, err := t.walked(ctx, progress)
	if err != nil {
		return nil, 0, true, err
	}
	lo := sort.Search(len(*all), func(i int) bool { return int64((*all)[i].to) >= off })
	for i := lo; i < len(*all) && int64((*all)[i].to) == off; i++ {
		if n++; len(list) < limit {
			list = append(list, t.user(w, int64((*all)[i].from), off))
		}
	}
	return list, n, true, nil
}

// user is the ref that comes from an object: its kind is the field that refers, its text the object's type.
func (t *Tree) user(w *walk, from, to int64) model.Ref {
	if from == 0 {
		return model.Ref{Kind: "root offset", Path: t.Path + "/root offset", Span: t.B.Span(t.B.rootAt, offsetSize)}
	}
	ref := model.Ref{Kind: "element", Path: t.ObjectPath(from), Span: t.B.Span(from, offsetSize)}
	o := w.find(from)
	if o == nil {
		return ref
	}
	ref.Text = t.object(w, *o).Type
	if o.kind == aTable {
		ref.Kind = t.fieldTo(w.ctx, o, to)
	}
	return ref
}

// fieldTo names the field of a table that refers to the object at to.
func (t *Tree) fieldTo(ctx context.Context, o *object, to int64) string {
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	table, ok := r.Table(int64(o.off))
	if !ok || table.vtable == to {
		return "vtable"
	}
	for _, s := range t.slotsOf(r, &table) {
		if r.target(table.Off+s.at) != to {
			continue
		}
		var f *Field
		if t.S != nil && o.typ != noSchema {
			f = t.S.Objects[o.typ].bySlot(s.index)
		}
		return slotName(f, s.index)
	}
	return "field"
}

func (t *Tree) findLinks(ctx context.Context, progress model.Progress) (*links, error) {
	w, err := t.walked(ctx, progress)
	if err != nil {
		return nil, err
	}
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	var all links
	add := func(from uint32, to int64) {
		if o := w.find(to); to != 0 && o != nil && o.kind != aGap {
			all = append(all, link{uint32(to), from})
		}
	}
	add(0, r.target(t.B.rootAt))
	for i := range w.objects {
		if i&4095 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		o := &w.objects[i]
		switch o.kind {
		case aTable:
			t.tableLinks(r, o, add)
		case aVector:
			t.vectorLinks(r, w, o, add)
		}
	}
	slices.SortFunc(all, func(a, b link) int { return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.from, b.from)) })
	all = slices.Compact(all)
	return &all, nil
}

func (t *Tree) tableLinks(r *Reader, o *object, add func(uint32, int64)) {
	table, ok := r.Table(int64(o.off))
	if !ok {
		return
	}
	add(o.off, table.vtable)
	var obj *Object
	if t.S != nil && o.typ != noSchema {
		obj = &t.S.Objects[o.typ]
	}
	for _, s := range t.slotsOf(r, &table) {
		var f *Field
		if obj != nil {
			f = obj.bySlot(s.index)
		}
		if f == nil && s.at+offsetSize <= table.size || f != nil && t.S.isOffset(f.Type) {
			add(o.off, r.target(int64(o.off)+s.at))
		}
	}
}

func (t *Tree) vectorLinks(r *Reader, w *walk, o *object, add func(uint32, int64)) {
	typ := w.vectors[o.typ]
	if typ.Base != reflection.BaseTypeVector || scalarSize(typ.Elem) > 0 || t.S != nil && !t.S.isOffset(typ.element()) {
		return
	}
	for at := int64(o.off) + offsetSize; at < int64(o.end); at += offsetSize {
		add(o.off, r.target(at))
	}
}

// OffsetOf is the offset in the buffer of the object at path.
func (t *Tree) OffsetOf(path string) (int64, bool) {
	name, found := strings.CutPrefix(path, t.Path+"/")
	off, err := strconv.ParseInt(strings.TrimPrefix(name, "0x"), 16, 64)
	return off - t.B.base, found && err == nil
}

// Owners lists the tables around the byte at off of the source, the nearest first.
func (t *Tree) Owners(ctx context.Context, off int64) ([]int64, error) {
	w, err := t.walked(ctx, nil)
	if err != nil {
		return nil, err
	}
	off -= t.B.base
	i := sort.Search(len(w.objects), func(i int) bool { return int64(w.objects[i].end) > off })
	if i == len(w.objects) || int64(w.objects[i].off) > off {
		return nil, nil
	}
	var list []int64
	for o := &w.objects[i]; len(list) <= maxDepth; {
		if o.kind == aTable {
			list = append(list, int64(o.off))
		}
		if o.kind == aGap || o.kind == aVTable || o.owner == 0 {
			break
		}
		if o = w.find(int64(o.owner)); o == nil {
			break
		}
	}
	return list, nil
}
