package grammar

import (
	"context"

	"cutaway/model"
)

// Odd is what may be looked for in the elements of a list.
type Odd uint8

const (
	// Unsound is an element in which something may have a problem: its fields, those that are read elsewhere and computed ones.
	Unsound Odd = 1 << iota
	// Scattered is an element whose fields' values do not lie in a row in its bytes, or that has fields elsewhere.
	Scattered
)

// oddBatch is how many elements are looked at while others must wait.
const oddBatch = 1 << 14

// Next is the first element that is odd, from one on, of those that are known; -1: there is none. It keeps no object and makes no
// node. What it cannot tell it takes for odd: records deep in each other, or read elsewhere by ones that are read elsewhere.
func (l *List) Next(ctx context.Context, from int64, odd Odd, progress model.Progress) (int64, error) {
	known, done := l.counted()
	if l.mu.Lock(); l.even&odd == odd {
		known = 0
	}
	l.mu.Unlock()
	r := farReading(ctx)
	defer r.endFar()
	all := done && from == 0
	for from < known && ctx.Err() == nil {
		next, at, err := l.nextOdd(r, from, min(from+oddBatch, known), odd)
		if err != nil {
			return -1, err
		}
		if at < 0 {
			return next, ctx.Err()
		}
		from = next
		progress.Report(at-l.start, l.stream.End-l.start, l.field.Name)
	}
	if all && ctx.Err() == nil {
		l.mu.Lock()
		l.even |= odd
		l.mu.Unlock()
	}
	return -1, ctx.Err()
}

// nextOdd is the first element from one on and before end that is odd; else end, and where that element begins.
func (l *List) nextOdd(r *Reading, from, end int64, odd Odd) (next, at int64, err error) {
	defer r.lock(l.owner)()
	if at, err = l.offset(r, from); err != nil {
		return from, at, err
	}
	for s := new(slot); from < end; from++ {
		if l.isOdd(r, from, at, odd, s) {
			return from, -1, nil
		}
		at = s.end
	}
	return end, at, nil
}

// isOdd reads element i into s, and reports whether it is odd.
func (l *List) isOdd(r *Reading, i, at int64, odd Odd, s *slot) bool {
	*s = slot{}
	switch {
	case l.bits != nil:
		*s = l.bits[i]
	case l.isKept(i, s):
	default:
		l.read(r, i, at, s)
		defer r.release(s)
	}
	v := oddityFinder{r: r, odd: odd, end: at}
	index := r.index
	r.index = i
	v.slot(l.owner, l.field, s)
	r.index = index
	return v.found || odd&Scattered != 0 && l.bits == nil && v.end != s.end
}

// oddityFinder looks for what is odd in an element.
type oddityFinder struct {
	r         *Reading
	odd       Odd
	end       int64 // of the bytes that fields before have
	depth     int   // of records in each other
	elsewhere int   // records around that are read elsewhere
	found     bool
}

// is notes that something is odd, if that is looked for.
func (v *oddityFinder) is(what Odd) { v.found = v.found || v.odd&what != 0 }

func (v *oddityFinder) slot(o *Object, f *Field, s *slot) {
	if s.state == absent {
		return
	}
	if s.packed {
		o.unpack(v.r, f, s)
	}
	if s.problem != nil {
		v.is(Unsound)
	}
	if f.Skip || f.Computed == nil && !v.follows(s) {
		v.is(Scattered)
	}
	v.checks(o, f, s)
	if v.found || v.r.stopped {
		return
	}
	v.inside(o, f, s)
	if f.Computed == nil && (s.decoded != nil || s.ref == nil || v.odd&Scattered == 0) {
		v.end = max(v.end, s.end)
	}
}

// follows reports whether a field begins where those before it end; bits begin in the byte of those before them.
func (v *oddityFinder) follows(s *slot) bool {
	_, bits := s.typ.(*BitField)
	return s.decoded == nil && s.off <= v.end && (s.off == v.end || bits)
}

// inside looks at what a field is made of.
func (v *oddityFinder) inside(o *Object, f *Field, s *slot) {
	switch ref := s.ref.(type) {
	case *Object:
		before := v.end
		if s.decoded != nil {
			v.end = 0
		}
		v.object(ref)
		if s.decoded != nil {
			v.end = before
		}
	case *List:
		v.list(ref)
	case Value:
	default:
		v.leaf(o, f, s)
		if s.more {
			v.is(Scattered) // bytes after the value, which it does not show
		}
	}
}

// checks holds a value against its rules.
func (v *oddityFinder) checks(o *Object, f *Field, s *slot) {
	if _, list := s.ref.(*List); list || v.odd&Unsound == 0 {
		return
	}
	for i := range f.Checks {
		value, _ := o.valueOf(v.r, f, s)
		if _, breach := f.Checks[i].problem(Scope{v.r, o}, value, model.Span{}); breach {
			v.is(Unsound)
		}
	}
}

// leaf decodes text that may not be of its encoding.
func (v *oddityFinder) leaf(o *Object, f *Field, s *slot) {
	t, ok := s.typ.(*Opaque)
	if !ok || t.decode == nil || t.total || v.odd&Unsound == 0 || s.contentSpan().Len > maxText {
		return
	}
	if _, err := o.valueOf(v.r, f, s); err != nil {
		v.is(Unsound)
	}
}

func (v *oddityFinder) object(o *Object) {
	if v.depth++; v.depth > surveyDepth {
		v.found = true
		return
	}
	defer func() { v.depth-- }()
	if !o.done.Load() {
		o.finish(v.r)
	}
	if o.broken {
		v.found = true
	}
	for i := range o.rec.Checks {
		if _, breach := o.rec.Checks[i].problem(Scope{v.r, o}, ObjectValue(o), model.Span{}); breach {
			v.is(Unsound)
		}
	}
	for i := 0; i < o.rec.sequence && !v.found && !v.r.stopped; i++ {
		if f := o.rec.Fields[i]; o.whole {
			v.whole(o, f, i)
		} else {
			v.slot(o, f, &o.slots[i])
		}
	}
	for i := o.rec.sequence; i < len(o.rec.Fields) && !v.found && !v.r.stopped; i++ {
		v.other(o, o.rec.Fields[i])
	}
}

// whole looks at a field of a record of fixed size.
func (v *oddityFinder) whole(o *Object, f *Field, i int) {
	off := o.start + o.rec.offsets[i]
	if _, scalar := f.Of.(*Scalar); scalar && (!f.checked() || v.odd&Unsound == 0) {
		v.end = max(v.end, off+f.size())
		return
	}
	s := new(slot)
	o.readWhole(v.r, i, s)
	v.slot(o, f, s)
}

// other looks at a field that is read elsewhere or computed.
func (v *oddityFinder) other(o *Object, f *Field) {
	if f.Place != nil {
		if v.is(Scattered); v.elsewhere > 0 {
			v.found = true
		}
	}
	if v.found || v.odd&Unsound == 0 {
		return
	}
	s, err := o.slot(v.r, f.index, nil)
	if err != nil {
		v.is(Unsound)
		return
	}
	v.elsewhere++
	v.slot(o, f, s)
	v.elsewhere--
}

func (v *oddityFinder) list(l *List) {
	if _, done := l.counted(); !done {
		l.extend(v.r, -1)
	}
	known, _ := l.counted()
	if l.problem != nil || l.check(v.r, model.Span{}) != nil {
		v.is(Unsound)
	}
	if _, scalar := l.field.Of.(*Scalar); scalar && l.size > 0 && (len(l.field.Checks) == 0 || v.odd&Unsound == 0) {
		v.end = max(v.end, l.start+known*l.size)
		return
	}
	if v.found {
		return
	}
	l.each(v.r, known, func(s *slot) bool {
		v.slot(l.owner, l.field, s)
		if v.end != s.end && l.bits == nil {
			v.is(Scattered)
		}
		return !v.found
	})
}
