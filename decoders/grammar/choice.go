package grammar

// A Choice goes on with one of several records, which begin with the same fields. Some of these fields decide which. They
// are read before the others, so that an object has the fields of its own record only.
type Choice struct {
	Tag   *Record // the fields that decide, from the first of the record on, and the parameters
	Least int64   // the fewest bytes of all records
	// Pick returns the record. The scope is an object of Tag. An error, as of a tag that the bytes do not hold, has the
	// record end with the fields that all have in common.
	Pick func(s Scope) (*Record, error)
	// Common is those fields, as a record.
	Common *Record
}

// choose returns the record that o is at off of a stream: rec, or what its choice goes on with.
func (rec *Record) choose(r *Reading, o *Object, in *Stream, off int64) *Record {
	for rec.Choice != nil {
		rec = rec.Choice.pick(r, o, in, off)
	}
	return rec
}

func (c *Choice) pick(r *Reading, o *Object, in *Stream, off int64) *Record {
	visit := r.visit
	r.visit = nil
	tag := r.object()
	tag.session, tag.parent, tag.field, tag.index, tag.depth = o.session, o.parent, o.field, o.index, o.depth
	tag.args = append(tag.args[:0], o.args...)
	tag.begin(r, c.Tag, in, off)
	rec, err := c.Pick(Scope{r, tag})
	tag.Release(r)
	r.visit = visit
	if err != nil || rec == nil {
		return c.Common
	}
	return rec
}
