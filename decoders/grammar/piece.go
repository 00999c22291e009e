package grammar

import (
	"cmp"
	"context"

	"cutaway/model"
)

// A Piece is a field of an object, or an element of a list, in a pass. It reads its slot, computes the value, and makes the node. One
// that a format is given was read, and is valid while it is visited.
type Piece struct {
	Object *Object // of the field
	Field  *Field

	r *Reading
	s *slot
}

// Range returns where the piece begins and ends in its source.
func (p Piece) Range() (off, end int64) { return p.s.off, p.s.end }

// Record returns the object that the piece is, as far as it can be read, or nil.
func (p Piece) Record() *Object {
	o, ok := p.s.ref.(*Object)
	if ok && !o.done.Load() {
		o.finish(p.r)
	}
	return o
}

// List returns the list that the piece is, as far as its elements can be read, or nil.
func (p Piece) List() *List {
	l, ok := p.s.ref.(*List)
	if ok {
		if _, done := l.counted(); !done {
			l.extend(p.r, -1)
		}
	}
	return l
}

// IsBits reports whether the piece may share bytes with those beside it.
func (p Piece) IsBits() bool {
	_, bits := p.s.typ.(*BitField)
	return bits
}

// IsDerived reports whether a process made the bytes of the value.
func (p Piece) IsDerived() bool { return p.s.decoded != nil }

// HasTail reports whether the piece ends in bytes that are not of its value.
func (p Piece) HasTail() bool { return p.s.more }

// IsSound reports whether the piece could be read, its rules hold, and its text is of its encoding. It does not look at the fields
// or elements of the piece.
func (p Piece) IsSound() bool {
	if l := p.List(); l != nil {
		return p.s.problem == nil && l.problem == nil && l.check(p.r, model.Span{}) == nil
	}
	if o := p.Record(); o != nil && (o.broken || o.breach(p.r)) {
		return false
	}
	if t, ok := p.s.typ.(*Opaque); ok && p.s.ref == nil && t.decode != nil && !t.total && p.s.contentSpan().Len <= maxText {
		if _, err := p.value(); err != nil {
			return false
		}
	}
	return p.s.problem == nil && !p.isBroken()
}

// isBroken reports whether the value breaks a rule of the field.
func (p Piece) isBroken() bool {
	for i := range p.Field.Checks {
		v, _ := p.value()
		if _, breach := p.Field.Checks[i].problem(Scope{p.r, p.Object}, v, model.Span{}); breach {
			return true
		}
	}
	return false
}

// breach reports whether the object breaks a rule of its record.
func (o *Object) breach(r *Reading) bool {
	for i := range o.rec.Checks {
		if _, breach := o.rec.Checks[i].problem(Scope{r, o}, ObjectValue(o), model.Span{}); breach {
			return true
		}
	}
	return false
}

// Pieces visits the present fields of the sequence, until visit returns false.
func (o *Object) Pieces(r *Reading, visit func(p Piece) bool) {
	var own *slot
	if o.whole {
		own = new(slot)
	}
	for i, f := range o.rec.Fields[:o.next] {
		s := own
		switch _, scalar := f.Of.(*Scalar); {
		case !o.whole:
			s = &o.slots[i]
		case scalar && !f.checked() && !f.Absent: // its bytes do not matter
			off := o.start + o.rec.offsets[i]
			*s = slot{state: present, off: off, end: off + f.size(), typ: f.Of}
		default:
			o.readWhole(r, i, s)
		}
		if p := (Piece{o, f, r, s}); !p.visit(visit) {
			return
		}
	}
}

// Others visits the fields that are read elsewhere or computed, until visit returns false. It stops at one that cannot be read,
// which it returns.
func (o *Object) Others(r *Reading, visit func(p Piece) bool) (failed *Field) {
	for i, f := range o.rec.Fields[o.rec.sequence:] {
		s, err := o.slot(r, o.rec.sequence+i, nil)
		if err != nil {
			return f
		}
		if p := (Piece{o, f, r, s}); !p.visit(visit) {
			return nil
		}
	}
	return nil
}

// visit calls visit with a piece whose field is present, and reports whether the pass continues.
func (p Piece) visit(visit func(p Piece) bool) bool {
	if p.s.state == absent {
		return !p.r.stopped
	}
	return visit(p.unpacked()) && !p.r.stopped
}

// unpacked returns the piece after unpacking it if need be.
func (p Piece) unpacked() Piece {
	if p.s.packed {
		p.unpack()
	}
	return p
}

// Pieces visits the known elements of the list, until visit returns false.
func (l *List) Pieces(r *Reading, visit func(p Piece) bool) {
	l.each(r, l.Known(), func(s *slot) bool { return Piece{l.owner, l.field, r, s}.visit(visit) })
}

// Row returns the bytes of a list of numbers without rules, whose elements need no visit.
func (l *List) Row() (off, end int64, ok bool) {
	_, scalar := l.field.Of.(*Scalar)
	return l.start, l.start + l.Known()*l.size, scalar && l.size > 0 && len(l.field.Checks) == 0
}

// pieceBatch is the number of elements that are read under one lock.
const pieceBatch = 1 << 14

// Find returns the first known element from one on that match accepts, or -1. It keeps no object and makes no node.
func (l *List) Find(ctx context.Context, from int64, match func(r *Reading, p Piece) bool, progress model.Progress) (int64, error) {
	r := farReading(ctx)
	defer r.endFar()
	for known := l.Known(); from < known && ctx.Err() == nil; {
		next, at, err := l.find(r, from, min(from+pieceBatch, known), match)
		if at < 0 || err != nil {
			return next, cmp.Or(err, ctx.Err())
		}
		from = next
		progress.Report(at-l.start, l.stream.End-l.start, l.field.Name)
	}
	return -1, ctx.Err()
}

// find looks for an element before end. It returns end and its place if there is none.
func (l *List) find(r *Reading, from, end int64, match func(r *Reading, p Piece) bool) (next, at int64, err error) {
	defer r.unlock(l.owner, r.lock(l.owner))
	if at, err = l.offset(r, from); err != nil {
		return -1, at, err
	}
	index := r.index
	defer func() { r.index = index }()
	for s := new(slot); from < end; from++ {
		if r.index = from; l.matches(r, at, s, match) {
			return from, -1, nil
		}
		at = s.end
	}
	return end, at, nil
}

// matches reads an element, and reports whether match accepts it.
func (l *List) matches(r *Reading, at int64, s *slot, match func(r *Reading, p Piece) bool) bool {
	switch i := r.index; {
	case l.bits != nil:
		*s = l.bits[i]
	case l.isKept(i, s):
	default:
		*s = slot{}
		l.read(r, i, at, s)
		defer r.release(s)
	}
	return match(r, Piece{l.owner, l.field, r, s}.unpacked())
}

// Note keeps bits that a format chooses with the list, and returns all that it has.
func (l *List) Note(bits uint8) uint8 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.noted |= bits
	return l.noted
}
