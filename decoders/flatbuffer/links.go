package flatbuffer

import (
	"context"
	"sort"

	"cutaway/model"
	"cutaway/model/crossref"
)

// Links has the buffer's objects as entries, in the order of their places, and the offsets from one to another.
// Entry 0 is the head.
type Links struct {
	crossref.Tables
	Objects crossref.Entries
	offsets crossref.Links
}

// link describes the objects to the model.
func (t *Tree) link() {
	l := &t.Links
	l.Objects = crossref.Entries{
		Count: func(ctx context.Context, progress model.Progress) (int64, error) {
			w, err := t.walked(ctx, progress)
			if err != nil {
				return 0, err
			}
			return int64(len(w.objects)) + 1, nil
		},
		Of: t.objectOf, Over: t.objectsOver,
		Path: func(i int64) string { return t.user(i).Path },
	}
	l.offsets = crossref.Links{What: "offsets", From: &l.Objects, To: []*crossref.Entries{&l.Objects}, Each: t.eachOffset}
	l.Objects.UsedBy = []crossref.UsedBy{{From: &l.Objects, Back: l.offsets.Back(&l.Objects), Ref: t.refFrom}}
	l.Entries = []*crossref.Entries{&l.Objects}
}

// known returns the whole walk, or nil before it is done.
func (t *Tree) known() *walk {
	if !t.first.partial {
		return t.first
	}
	if c, ok := t.lazy.Resolved().(*objects); ok {
		return c.w
	}
	return nil
}

// Entry returns the number of the object at off of the buffer; ok is false if none begins there or it is a gap.
func (t *Tree) Entry(off int64) (i int64, ok bool) {
	w := t.known()
	if w == nil {
		return 0, false
	}
	o := sort.Search(len(w.objects), func(i int) bool { return int64(w.objects[i].off) >= off })
	return int64(o) + 1, o < len(w.objects) && int64(w.objects[o].off) == off && w.objects[o].kind != aGap
}

// objectOf returns the number of the object that a node of the layout is.
func (t *Tree) objectOf(p *model.Place) (int64, bool) {
	if p.Parent == nil || p.Parent.Path() != t.Path {
		return 0, false
	}
	return t.Entry(p.Node.Span().Off - t.B.base)
}

func (t *Tree) objectsOver(ctx context.Context, s model.Span) (first, end int64, err error) {
	if !s.Source.Same(t.B.src) {
		return 0, 0, nil
	}
	w, err := t.walked(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	lo, hi := s.Off-t.B.base, max(s.End(), s.Off+1)-t.B.base
	from := sort.Search(len(w.objects), func(i int) bool { return int64(w.objects[i].end) > lo })
	n := sort.Search(len(w.objects)-from, func(i int) bool { return int64(w.objects[from+i].off) >= hi })
	return int64(from) + 1, int64(from+n) + 1, nil
}

// user returns a link to an object, or to the offset in the head.
func (t *Tree) user(i int64) model.Ref {
	if i == 0 {
		return model.Ref{Kind: "root offset", Path: t.Path + "/root offset", Span: t.B.Span(t.B.rootAt, offsetSize)}
	}
	return t.refTo("element", int64(t.known().objects[i-1].off))
}

func (t *Tree) refTo(kind string, off int64) model.Ref {
	return model.Ref{Kind: kind, Path: t.ObjectPath(off), Span: t.B.Span(off, offsetSize)}
}

// refFrom returns the link from an object to another: its kind is the field that refers, its text the object's type.
func (t *Tree) refFrom(ctx context.Context, from, to int64) model.Ref {
	ref := t.user(from)
	if from > 0 {
		w := t.known()
		o := &w.objects[from-1]
		if ref.Text, _ = t.typeOf(w, o); o.kind == aTable {
			ref.Kind = t.fieldTo(ctx, o, int64(w.objects[to-1].off))
		}
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
	for _, s := range table.present() {
		if r.target(table.Off+s.at) == to {
			return slotName(t.S.table(o).bySlot(s.index), s.index)
		}
	}
	return "field"
}

func (t *Tree) eachOffset(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	w := t.known()
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	for i := first; i < end; i++ {
		to := func(off int64) {
			if entry, ok := t.Entry(off); ok && off != 0 {
				add(i, 0, entry)
			}
		}
		if i == 0 {
			to(r.target(t.B.rootAt))
			continue
		}
		o := &w.objects[i-1]
		if table, ok := r.Table(int64(o.off)); ok && o.kind == aTable {
			to(table.vtable)
		}
		w.eachOffset(r, o, true, func(at int64) { to(r.target(at)) })
	}
	return nil
}
