package grammar

import (
	"errors"
	"fmt"

	"cutaway/model"
)

// read reads the record as a field of another.
func (rec *Record) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	rec.readWith(r, o, f, s, in, off, nil)
}

// Call returns a record that is given arguments for its parameters.
func Call(rec *Record, args ...Expr) Type { return &call{rec, args} }

type call struct {
	*Record
	args []Expr
}

// RecordOf returns the record that a type is, with arguments or without, or nil.
func RecordOf(t Type) *Record {
	switch t := t.(type) {
	case *Record:
		return t
	case *call:
		return t.Record
	}
	return nil
}

func (t *call) bind(r *Record) error {
	errs := []error{t.Build()}
	if len(t.args) != len(t.Params) {
		errs = append(errs, fmt.Errorf("%s takes %d arguments, not %d", t.Title, len(t.Params), len(t.args)))
	}
	for i := range t.args {
		errs = append(errs, compile(&t.args[i], r))
	}
	return errors.Join(errs...)
}

func (t *call) read(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64) {
	var few [4]Value // need not be allocated
	args := few[:0]
	for _, a := range t.args {
		v, err := a.(*Code).Eval(Scope{r, o})
		if err != nil {
			s.fail(o, err)
			return
		}
		args = append(args, v)
	}
	t.readWith(r, o, f, s, in, off, args)
}

// readWith reads the record as a field of o.
func (rec *Record) readWith(r *Reading, o *Object, f *Field, s *slot, in Stream, off int64, args []Value) {
	if o.depth >= MaxDepth {
		p := o.limit(s.source.Span(off, 0), "records lie more than %d deep in each other", MaxDepth)
		s.problem = &p
		return
	}
	child := r.object()
	child.session, child.parent, child.field, child.index, child.depth = o.session, o, f, -1, o.depth+1
	if child.args = child.args[:0]; len(args) > 0 {
		child.args = append(child.args, args...)
	}
	if f.Repeat != nil {
		child.index = r.index
	}
	s.ref = child
	if s.sized {
		at := newStream(in)
		child.begin(nil, rec.choose(r, child, at, off), at, off) // read when somebody looks
		return
	}
	at := o.streamLike(in)
	rec = rec.choose(r, child, at, off)
	child.begin(r, rec, at, off)
	if rec.SizedBy != "" && child.narrow(r, s, in) {
		return
	}
	child.finish(r)
	s.off, s.end = off, child.End()
	if r.stopped {
		return
	}
	if child.broken {
		s.problem = brokenInside
	}
}

// narrow gives a record of SizedBy the bytes of its size, whose fields are read on demand. It returns false if the size could not be
// read.
func (o *Object) narrow(r *Reading, s *slot, in Stream) bool {
	i := o.rec.byName[o.rec.SizedBy]
	o.advance(r, i+1)
	if r.stopped || o.broken || o.next <= i || o.slots[i].state != present {
		return false
	}
	s.off, s.end = o.start, in.End
	if n := o.slots[i].bits; n <= uint64(in.End-o.pos) {
		s.end, s.sized = o.pos+int64(n), true
	} else {
		s.problem = brokenInside
	}
	o.stream = newStream(Stream{in.Source, o.start, s.end})
	o.owner = nil
	return true
}

// brokenInside marks a slot whose record is not whole; the problem is with a field inside.
var brokenInside = &model.Problem{}
