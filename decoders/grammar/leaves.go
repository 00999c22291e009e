package grammar

import (
	"context"

	"cutaway/model"
)

// A Leaf is a range without fields of its own that a pass meets: a value, a run of elements of one size, bytes that no
// field of a record with an extent reads. A record is the run of its leaves, but for bytes that it skips.
type Leaf struct {
	Object   *Object // that has the field; good until the visitor returns
	Field    *Field  // nil: bytes that no field reads
	Off, Len int64   // bytes in the stream's source; Len is 0 for a problem alone
	Bits     uint64  // of a number
	Problem  *model.Problem
}

// ReadLeaves is Read that calls visit with each leaf in the order of the bytes until that returns false. It keeps no leaf, so that
// millions of records cost no memory. If visit ended it, the object is read further on demand.
func (rec *Record) ReadLeaves(r *Reading, session *Session, in *Stream, off int64, visit func(l *Leaf) bool, args ...Value) *Object {
	o := r.object()
	o.session, o.parent, o.field, o.index, o.depth = session, nil, nil, -1, 0
	o.args = append(o.args[:0], args...)
	o.visitLeaves(r, rec, in, off, visit)
	return o
}

// Leaves reads the object's leaves once more, and calls visit with each.
func (o *Object) Leaves(r *Reading, visit func(l *Leaf) bool) {
	again := r.object()
	again.session, again.parent, again.field, again.index, again.depth = o.session, o.parent, o.field, o.index, o.depth
	again.args = append(again.args[:0], o.args...)
	again.visitLeaves(r, o.rec, o.stream, o.start, visit)
	again.Release(r)
}

// visitLeaves reads a record into o, and calls visit with its leaves.
func (o *Object) visitLeaves(r *Reading, rec *Record, in *Stream, off int64, visit func(l *Leaf) bool) {
	outer := r.visit
	r.visit = visit
	o.begin(r, rec.choose(r, o, in, off), in, off)
	o.finish(r)
	if o.whole {
		o.visitWhole(r)
	}
	r.visit, r.stopped = outer, false
}

// visitWhole visits the fields of a record of fixed size.
func (o *Object) visitWhole(r *Reading) {
	s := new(slot)
	for i, f := range o.rec.Fields {
		if r.stopped {
			return
		}
		o.readWhole(r, i, s)
		r.visitField(o, f, s)
	}
}

// visitField visits a field that was just read. Fields in records and lists were visited while these were read.
func (r *Reading) visitField(o *Object, f *Field, s *slot) {
	if s.state == absent || r.stopped {
		return
	}
	problem := Piece{o, f, r, s}.ownProblem()
	n := s.end - s.off
	if f.Skip {
		n = 0
	}
	switch ref := s.ref.(type) {
	case *Object:
		r.visitInside(ref, s)
		n = 0
	case *List:
		if ref.isDivided() {
			n = 0
			r.visitElements(ref)
		}
	}
	if (n > 0 || problem != nil) && !r.stopped {
		r.told = Leaf{Object: o, Field: f, Off: s.off, Len: n, Bits: s.bits, Problem: problem}
		if v, ok := s.ref.(Value); ok {
			r.told.Bits = v.bits
		}
		r.stopped = !r.visit(&r.told)
	}
}

// isDivided reports whether the leaves of a list are those of its elements: of elements of one size only where they are records that
// are shown among the fields of another.
func (l *List) isDivided() bool {
	if l.field.OneLeaf {
		return false
	}
	_, records := l.of.(*Record)
	return l.size < 0 || l.field.Inlined && records && l.bits == nil
}

// visitElements visits the elements of a list of one size, which is not read element by element.
func (r *Reading) visitElements(l *List) {
	if l.size >= 0 {
		l.each(r, l.known, func(s *slot) bool {
			r.visitField(l.owner, l.field, s)
			return !r.stopped
		})
	}
}

// ownProblem returns the problem of the field itself, or nil.
func (p Piece) ownProblem() *model.Problem {
	if p.s.problem != nil {
		if p.s.problem == brokenInside {
			return nil
		}
		return p.s.problem
	}
	if p.Field.ends && p.Object.broken {
		if problem, breach := p.endBreach(); breach {
			return &problem
		}
	}
	return nil
}

// visitInside visits a record that is read on demand, and the bytes of its extent that it leaves.
func (r *Reading) visitInside(o *Object, s *slot) {
	if o.whole {
		o.visitWhole(r)
	} else if s.sized {
		o.owner = r
		empty := r.empty // elements without bytes inside do not count outside
		o.finish(r)
		r.empty = empty
	}
	if rest := s.end - o.End(); s.sized && rest > 0 && !r.stopped {
		r.told = Leaf{Object: o, Off: o.End(), Len: rest}
		r.stopped = !r.visit(&r.told)
	}
}

// LeafAt returns the node of the leaf over the byte at off, or false if none is. Its name is the way to it: the names of
// fields joined by dots, with the indexes of elements; a list that is inlined and a field without a name add nothing.
func (o *Object) LeafAt(ctx context.Context, off int64) (n model.Node, ok bool) {
	r := atGlance(ctx)
	defer r.endGlance()
	name := ""
	for {
		i := o.fieldOver(r, off)
		if i < 0 {
			n, ok = o.rest(), o.ownsStream() && off >= o.End() && off < o.stream.End
			n.Name = dotted(name, n.Name)
			return n, ok
		}
		f := o.rec.Fields[i]
		s, _ := o.slot(r, i, &r.own)
		if !f.Inlined {
			name = dotted(name, f.Name)
		}
		if l, isList := s.ref.(*List); isList && l.isDivided() {
			k, _ := l.elementOver(r, off)
			s = new(slot)
			if err := l.element(r, k, s); err != nil {
				return n, false
			}
			name += model.IndexName(k)
		}
		inner, isRecord := s.ref.(*Object)
		if !isRecord {
			r.node = model.Node{Name: name}
			Piece{o, f, r, s}.fill(&r.node)
			return r.node, true
		}
		inner.complete(r)
		o = inner
	}
}

// fieldOver returns the field of the sequence that has the byte at off, or -1.
func (o *Object) fieldOver(r *Reading, off int64) int {
	for i, f := range o.rec.Fields[:o.rec.sequence] {
		if !o.whole && i >= o.next {
			break
		}
		s, _ := o.slot(r, i, &r.own)
		if s.state == present && off >= s.off && off < s.end && !f.Skip {
			return i
		}
	}
	return -1
}

// complete reads the whole sequence of an object that was given out.
func (o *Object) complete(r *Reading) {
	if !o.done.Load() {
		defer r.unlock(o, r.lock(o))
		o.finish(r)
	}
}

func dotted(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "." + b
}
