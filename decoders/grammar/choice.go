package grammar

import (
	"errors"
	"slices"

	"cutaway/model"
)

// A Choice replaces a record by one of several that begin with its fields. A number of these fields decides which. It is computed
// before the other fields are read. So an object has the fields of its own record only, and needs no slots if that has a fixed size.
type Choice struct {
	On Expr
	// Tag is the fields that On names, from the first of the record on.
	Tag *Record
	// Cases are all records. Common is the fields that they have in common: of an object whose number cannot be computed.
	Cases  []*Record
	Common *Record
	// Pick returns the record for a number, which may be one that is made of a case. The scope is an object of Tag.
	Pick func(s Scope, on int64) *Record
	// ByByte returns the record for the byte in the field Key of Tag, or nil if Pick was not called for that byte yet. ByByte is nil if
	// the byte alone does not decide.
	ByByte func(b byte) *Record
	Key    *Field

	at int64 // of the byte
}

// build builds the records of a choice.
func (c *Choice) build() error {
	errs := []error{c.Tag.Build(), compile(&c.On, c.Tag)}
	if c.Key != nil {
		i := c.Key.index
		if c.at = c.Tag.Place(i); c.at < 0 || slices.ContainsFunc(c.Tag.Fields[:i], (*Field).mayStop) {
			c.ByByte = nil
		}
	}
	for _, k := range c.Cases {
		errs = append(errs, k.Build())
	}
	if last := len(c.Common.Fields) - 1; last >= 0 && !c.Common.built {
		f := c.Common.Fields[last]
		f.Checks = append(f.Checks, Check{Ends: true, Find: c.undecided})
	}
	return errors.Join(append(errs, c.Common.Build())...)
}

// least returns the fewest bytes of all records.
func (c *Choice) least() int64 {
	least := c.Cases[0].fewest
	for _, k := range c.Cases {
		least = min(least, k.fewest)
	}
	return least
}

// undecided finds why an object of Common has no fields after those.
func (c *Choice) undecided(s Scope, _ Value) (model.Problem, bool) {
	if _, err := evalInt(c.On, s); err != nil {
		return (&slot{source: s.o.stream.Source, off: s.o.start, end: s.o.End()}).failure(s.o, err), true
	}
	return model.Problemf(model.Unread, s.o.session.Truncated, model.Span{}, "this could not be read at first, so what follows was not looked at"), true
}

// choose returns the record of o at off of a stream: rec, or the one that its choice picks.
func (rec *Record) choose(r *Reading, o *Object, in *Stream, off int64) *Record {
	for rec.Choice != nil {
		rec = rec.Choice.pick(r, o, in, off)
	}
	return rec
}

func (c *Choice) pick(r *Reading, o *Object, in *Stream, off int64) *Record {
	if at := off + c.at; c.ByByte != nil && at < in.End {
		if b, err := r.bytes(in.Source, at, 1); err == nil {
			if rec := c.ByByte(b[0]); rec != nil {
				return rec
			}
		}
	}
	visit := r.visit
	r.visit = nil
	tag := r.object()
	tag.session, tag.parent, tag.field, tag.index, tag.depth = o.session, o.parent, o.field, o.index, o.depth
	tag.args = append(tag.args[:0], o.args...)
	tag.begin(r, c.Tag, in, off)
	s := Scope{r, tag}
	rec := c.Common
	if on, err := evalInt(c.On, s); err == nil {
		rec = c.Pick(s, on)
	}
	tag.Release(r)
	r.visit = visit
	return rec
}
