package grammar

import (
	"errors"

	"cutaway/model"
)

// A Scope gives an expression or a function of a description the record that is being read, and the pass.
type Scope struct {
	r *Reading
	o *Object
}

// Object returns the record that is being read.
func (s Scope) Object() *Object { return s.o }

// Reading returns the pass that reads it.
func (s Scope) Reading() *Reading { return s.r }

// Env returns the format's own document, which it gave the session.
func (s Scope) Env() any { return s.o.session.Env }

// Index returns the number of the element that is being read.
func (s Scope) Index() int64 { return s.r.index }

// Item returns the element that was just read, for the condition that ends a list.
func (s Scope) Item() Value { return s.r.item }

// On returns the value that a switch is on, for its cases.
func (s Scope) On() Value { return s.r.on }

// Ruled returns the field of a rule whose breaches Go finds, or nil if it is a rule of the record.
func (s Scope) Ruled() *Field { return s.r.ruled }

// Pos returns the position in the record's stream at which reading is.
func (s Scope) Pos() int64 { return s.PosIn(s.o.stream) }

// PosIn returns the position in a stream at which reading is.
func (s Scope) PosIn(in *Stream) int64 {
	switch in {
	case s.r.stream:
		return s.r.pos - in.Start
	case s.o.stream:
		return s.o.End() - in.Start
	}
	return 0
}

// AtEnd reports whether reading is at the end of a stream, with no bits of a byte left.
func (s Scope) AtEnd(in *Stream) bool {
	return s.PosIn(in) >= in.Size() && (s.o.bit == 0 || s.o.stream != in)
}

// Judge evaluates f with an element or value as Item.
func (s Scope) Judge(v Value, f func(s Scope) (Value, error)) (Value, error) {
	outer := s.r.item
	s.r.item = v
	defer func() { s.r.item = outer }()
	return f(s)
}

// An Outer is the state of a pass before a rule.
type Outer struct {
	item   Value
	ruled  *Field
	stream *Stream
	pos    int64
}

// EnterRule makes a value the one that a rule of a field is about. If placed, it makes the position that after the field. LeaveRule
// restores the state that EnterRule returned.
func (s Scope) EnterRule(f *Field, v Value, placed bool) Outer {
	was := Outer{s.r.item, s.r.ruled, s.r.stream, s.r.pos}
	s.r.item, s.r.ruled = v, f
	switch {
	case !placed:
	case f == nil || s.o.next == f.index+1 && !s.o.whole: // it was read last
		s.r.stream, s.r.pos = s.o.stream, s.o.End()
	default:
		if at := s.Span(f); at.Source != nil {
			s.r.stream, s.r.pos = s.o.stream, at.End()
		}
	}
	return was
}

// LeaveRule ends a rule.
func (s Scope) LeaveRule(was *Outer) {
	s.r.item, s.r.ruled, s.r.stream, s.r.pos = was.item, was.ruled, was.stream, was.pos
}

// Limit returns the problem of a limit of the engine that is met in the record.
func (s Scope) Limit(format string, args ...any) model.Problem {
	return s.o.limit(s.o.stream.Source.Span(s.o.start, 0), format, args...)
}

// In returns the scope in another record.
func (s Scope) In(o *Object) Scope { return Scope{s.r, o} }

// Value returns a field's value, or Null if its condition does not hold or f is nil. It fails if the field could not be read.
func (s Scope) Value(f *Field) (Value, error) {
	if f == nil {
		return Value{}, nil
	}
	return s.o.value(s.r, f.index)
}

// Named returns the value of the field of that name, or Null if the record has none.
func (s Scope) Named(name string) (Value, error) { return s.Value(s.o.rec.Lookup(name)) }

// Number returns the number of the field of that name, or 0 if it has none.
func (s Scope) Number(name string) int64 {
	v, _ := s.Named(name)
	n, _ := v.Int()
	return n
}

// Span returns the bytes of a field, as far as the file has them, or none if the field is absent.
func (s Scope) Span(f *Field) model.Span {
	o := s.o
	if o.whole {
		if f.Absent {
			return model.Span{}
		}
		size := f.size()
		if b, bits := f.Of.(*BitField); bits {
			size = b.bytes(o.rec.firstBits[f.index])
		}
		return o.stream.Source.Span(o.start+o.rec.offsets[f.index], size)
	}
	v, _ := o.slot(s.r, f.index, nil)
	if v.state != present {
		return model.Span{}
	}
	return v.span()
}

// Int returns a field's number, or 0 if it has none.
func (s Scope) Int(f *Field) int64 {
	v, _ := s.Value(f)
	n, _ := v.Int()
	return n
}

var errNotRead = errors.New("a field that it needs could not be read")
