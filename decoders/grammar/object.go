package grammar

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"cutaway/model"
)

// A Session holds the settings and the memory that the objects of one document share.
type Session struct {
	// Truncated is the rule of the problem of a field that the bytes do not hold.
	Truncated string
	// Invalid is the rule of an expression that cannot be computed, or "" for Truncated.
	Invalid string
	// Limit is the rule of a limit of the engine that is met, or "" for Truncated.
	Limit string
	// Root is the path of the outermost object, for objects and sources that say where they are.
	Root string
	// Env is the format's own document, for its functions (Scope.Env).
	Env any
	// Broken receives the node and the problem of a field that is cut or ends its record, for formats that report it
	// elsewhere. If Broken is nil, the node gets the problem.
	Broken func(n *model.Node, p model.Problem)
	// Eager is the number of elements that are read when a node is made, or 0 for 256. A list of more is pending.
	Eager int64
	// Memory limits the bytes of all elements that lists keep because they need each other or begin within bytes, or is 0 for 64 MiB.
	Memory int64
	// Tile makes every record's node cover its bytes: what no field reads becomes a leaf.
	Tile bool

	mu      sync.Mutex // held while fields are read of objects that others may see
	keeping ledger
}

// isFull reports whether lists keep as much as Memory allows.
func (s *Session) isFull() bool {
	if s.Memory > 0 {
		return s.keeping.isFull(s.Memory)
	}
	return s.keeping.isFull(64 << 20)
}

// An Object is one record at one place. Its fields are read in their order, as far as they are asked for. Once it has
// been given out, several goroutines may ask it.
type Object struct {
	rec     *Record
	session *Session
	parent  *Object
	field   *Field // of the parent that reads it; nil for a root
	index   int64  // in the parent's list; -1 where it is in none
	stream  *Stream
	start   int64 // in the stream's source
	args    []Value
	depth   int32
	big     bool // numbers of the record's own order have the most significant byte first

	owner *Reading    // the pass that reads it first, until it is given out
	done  atomic.Bool // the sequence is read as far as it can be, and stays as it is

	next   int   // fields of the sequence that are read
	pos    int64 // where the next one is
	bit    uint8 // bits of the byte at pos that are read
	broken bool  // the field after the last one read cannot be found
	kept   bool  // its list remembers it, and gives it out again: no pass may have its memory
	whole  bool  // a record of fixed size whose bytes are all there: it needs no slots
	slots  []slot
}

// A slot holds the range and the value of one field of an object, or of one element of a list.
type slot struct {
	state   slotState
	sized   bool  // its end is known without reading inside
	bit     uint8 // of a bit field: the first bit
	packed  bool  // a process has still to make what its type reads
	inner   bool  // from and to are set
	more    bool  // there are bytes after the value that only end it
	off     int64 // first byte
	end     int64 // after the last byte, terminator and padding included
	from    int64 // of a field with an extent: the bytes of its value
	to      int64
	bits    uint64 // of a number
	ref     any    // *Object, *List, Value
	typ     Type   // which one was read
	problem *model.Problem
	source  *model.Source // that the offsets are in
	decoded *model.Source // that a process made
}

type slotState uint8

const (
	unread slotState = iota
	reading
	absent
	present
)

// setRange sets the slot to n bytes at off. It returns false if the stream does not hold them.
func (s *slot) setRange(o *Object, f *Field, in Stream, off, n int64) bool {
	s.off, s.end = off, off+n
	if n >= 0 && n <= in.End-off {
		return true
	}
	left := max(in.End-off, 0)
	s.end = off + left
	p := model.Problemf(model.Truncated, o.session.Truncated, s.span(), "%s is cut off", f.Name).
		Want(model.GroupedCount(n, "byte"), model.GroupedCount(left, "byte"))
	s.problem = &p
	return false
}

func (s *slot) span() model.Span { return s.source.Span(s.off, max(s.end-s.off, 0)) }

// fail gives the slot an error as its problem.
func (s *slot) fail(o *Object, err error) {
	p := s.failure(o, err)
	s.problem = &p
}

// failure returns an error as a problem of the slot.
func (s *slot) failure(o *Object, err error) model.Problem {
	rule := o.session.Invalid
	if rule == "" {
		rule = o.session.Truncated
	}
	return model.AsProblem(err, rule, s.span())
}

// Read reads a record at off of a stream, all of its sequence.
func (rec *Record) Read(r *Reading, session *Session, in Stream, off int64, args ...Value) *Object {
	o := r.object()
	o.session, o.parent, o.field, o.index, o.depth, o.args = session, nil, nil, -1, 0, append(o.args[:0], args...)
	at := newStream(in)
	o.begin(r, rec.choose(r, o, at, off), at, off)
	o.finish(r)
	return o
}

// Release returns the memory of an object to the pass that read it. The object may not be used any more.
func (o *Object) Release(r *Reading) { r.release(&slot{ref: o}) }

// Open returns the record at off of a stream's source, whose fields are read when they are asked for; of one with a Choice those
// that decide are read at once.
func (rec *Record) Open(session *Session, in Stream, off int64, args ...Value) *Object {
	o := &Object{session: session, index: -1, args: args}
	at := newStream(in)
	if rec.Choice != nil {
		r := atGlance(context.Background())
		defer r.endGlance()
		rec = rec.choose(r, o, at, off)
	}
	o.begin(nil, rec, at, off)
	return o
}

// begin sets an object to a record without reading its fields.
func (o *Object) begin(r *Reading, rec *Record, in *Stream, off int64) {
	o.rec, o.stream, o.start, o.owner = rec, in, off, r
	o.next, o.pos, o.bit, o.broken = 0, off, 0, false
	o.big = o.parent != nil && o.parent.big
	o.whole = rec.alone && rec.size >= 0 && rec.size <= in.End-off
	if o.whole {
		o.next, o.pos, o.slots = rec.sequence, off+rec.size, o.slots[:0]
		return
	}
	if cap(o.slots) < len(rec.Fields) {
		o.slots = make([]slot, len(rec.Fields))
		return
	}
	o.slots = o.slots[:len(rec.Fields)]
	clear(o.slots)
}

// finish reads the whole sequence, unless the pass stops first; the object may then be given out.
func (o *Object) finish(r *Reading) {
	o.advance(r, o.rec.sequence)
	if o.owner != nil { // else others may be looking
		o.owner = nil
	}
	if !r.stopped {
		o.done.Store(true)
	}
}

// Record returns the object's description.
func (o *Object) Record() *Record { return o.rec }

// Scope returns the scope of the record in a pass.
func (o *Object) Scope(r *Reading) Scope { return Scope{r, o} }

// Parent returns the record that reads the object, or nil for a root.
func (o *Object) Parent() *Object { return o.parent }

// Root returns the outermost record.
func (o *Object) Root() *Object {
	for o.parent != nil {
		o = o.parent
	}
	return o
}

// Path returns the object's path, below that of the session's root.
func (o *Object) Path() string {
	if o.parent == nil {
		return o.session.Root
	}
	return o.parent.pathOf(o.field, o.index)
}

// Depth returns the number of records around the object.
func (o *Object) Depth() int { return int(o.depth) }

// Field returns the field that reads the object, or nil for a root.
func (o *Object) Field() *Field { return o.field }

// Index returns the object's number in its list, or -1 if it is in none.
func (o *Object) Index() int64 { return o.index }

// Stream returns the range of bytes that the object is read from.
func (o *Object) Stream() *Stream { return o.stream }

// Start returns the start of the object in its stream's source.
func (o *Object) Start() int64 { return o.start }

// End returns the end of the fields that were read.
func (o *Object) End() int64 {
	if o.bit > 0 {
		return o.pos + 1
	}
	return o.pos
}

// OK reports whether the whole sequence could be read.
func (o *Object) OK() bool { return o.next == o.rec.sequence && !o.broken }

// Args returns the arguments as text: numbers and texts as they are, others by their kind.
func (o *Object) Args() []string {
	out := make([]string, len(o.args))
	for i, a := range o.args {
		out[i] = a.String()
	}
	return out
}

// Arg returns argument i, or Null.
func (o *Object) Arg(i int) Value {
	if i < len(o.args) {
		return o.args[i]
	}
	return Value{}
}

// advance reads the first n fields of the sequence.
func (o *Object) advance(r *Reading, n int) {
	if o.next >= n || o.broken || o.slots[o.next].state == reading {
		return // a field that asks for one after it does not get it
	}
	if o.next == 0 && !o.order(r) {
		return
	}
	stream, pos := r.stream, r.pos
	panics := true
	defer func() {
		if panics { // the next pass begins anew
			o.begin(o.owner, o.rec, o.stream, o.start)
		}
	}()
	for o.next < n && !o.broken {
		if !o.readNext(r) {
			break
		}
	}
	r.stream, r.pos, panics = stream, pos, false
}

// readNext reads the next field of the sequence. It returns false where the pass is stopped.
func (o *Object) readNext(r *Reading) bool {
	f, s, bit := o.rec.Fields[o.next], &o.slots[o.next], o.bit
	r.stream, r.pos = o.stream, o.End()
	Piece{o, f, r, s}.readField(*o.stream, o.pos)
	if r.interrupted(s) || o.owner == nil && r.ctx.Err() != nil { // what others may see is not kept once the context has ended
		s.state, s.problem, o.bit, r.stopped = unread, nil, bit, true
		return false
	}
	o.pass(s)
	o.next++
	o.broken = s.isCut() || f.mayStop() && Piece{o, f, r, s}.endsRecord()
	if r.visit != nil {
		r.visitField(o, f, s)
		return !r.stopped
	}
	return true
}

// isCut reports whether nothing says where the slot ends.
func (s *slot) isCut() bool { return s.problem != nil && !s.sized }

// mayStop reports whether a rule or a condition may end the record after the field.
func (f *Field) mayStop() bool { return f.ends || f.Stop != nil }

// pass moves the position after a field that was read. An absent one leaves it, also within a byte.
func (o *Object) pass(s *slot) {
	if s.state == absent {
		return
	}
	if o.pos = s.end; o.bit > 0 {
		o.pos--
	}
}

// endsRecord reports whether nothing says what follows a field.
func (p Piece) endsRecord() bool {
	if p.s.state == absent {
		return false
	}
	if p.Field.ends && p.s.problem == nil {
		if _, breach := p.endBreach(); breach {
			return true
		}
	}
	if p.Field.Stop == nil {
		return false
	}
	stop, err := evalBool(p.Field.Stop, Scope{p.r, p.Object})
	return stop || err != nil
}

// endBreach returns the breach of a rule that ends the record.
func (p Piece) endBreach() (model.Problem, bool) {
	for i := range p.Field.Checks {
		if c := &p.Field.Checks[i]; c.Ends {
			v, _ := p.value()
			if c.Keeps != nil && c.Keeps(Scope{p.r, p.Object}, v) {
				continue
			}
			if problem, breach := c.problem(Scope{p.r, p.Object}, v, p.s.span()); breach {
				return problem, true
			}
		}
	}
	return model.Problem{}, false
}

// order decides the byte order. It returns false if that fails, which is the first field's problem.
func (o *Object) order(r *Reading) bool {
	if o.rec.BigEndian == nil {
		return true
	}
	var err error
	if o.big, err = evalBool(o.rec.BigEndian, Scope{r, o}); err == nil {
		return true
	}
	s := &o.slots[0]
	s.state, s.off, s.end, s.typ, s.source = present, o.start, o.start, o.rec.Fields[0].Of, o.stream.Source
	s.fail(o, err)
	o.next, o.broken = 1, true
	return false
}

// readField reads a field at off of a stream.
func (p Piece) readField(in Stream, off int64) {
	p.s.state, p.s.off, p.s.end, p.s.typ, p.s.source = reading, off, off, p.Field.Of, in.Source
	p.readPresent(in, off)
	if p.s.state == reading {
		p.s.state = present
	}
}

// isThere decides a field's condition; one that cannot be decided is the field's problem.
func (p Piece) isThere() bool {
	if p.Field.Absent {
		p.s.state = absent
		return false
	}
	if p.Field.Condition == nil {
		return true
	}
	there, err := evalBool(p.Field.Condition, Scope{p.r, p.Object})
	switch {
	case err != nil:
		p.s.fail(p.Object, err)
	case !there:
		p.s.state = absent
	}
	return there && err == nil
}

func (p Piece) readPresent(in Stream, off int64) {
	if !p.isThere() {
		if p.s.problem != nil && p.Object.bit > 0 { // it is after the byte of the bits before
			p.Object.bit = 0
			p.s.off, p.s.end = off+1, off+1
		}
		return
	}
	if p.Object.bit > 0 {
		if _, bits := p.Field.Of.(*BitField); !bits {
			p.Object.bit = 0
			off++
		}
	}
	if p.Field.Exact {
		p.readExact(in, off)
		return
	}
	p.readValue(in, off)
}

// readValue reads a list or one value.
func (p Piece) readValue(in Stream, off int64) {
	if p.Field.Repeat != nil {
		p.readList(in, off)
		return
	}
	p.readElement(p.Field.Of, in, off)
}

// readExact reads a field that is absent unless it takes the bytes that are left. Leaves are visited once that is known.
func (p Piece) readExact(in Stream, off int64) {
	slack := int64(0)
	if p.Field.Slack != nil {
		n, err := evalInt(p.Field.Slack, Scope{p.r, p.Object})
		if err != nil {
			p.s.fail(p.Object, err)
			return
		}
		slack = n
	}
	visit := p.r.visit
	p.r.visit = nil
	p.readValue(in, off)
	p.r.visit = visit
	switch {
	case p.r.stopped || p.r.ctx.Err() != nil:
	case p.s.problem != nil || in.End-p.s.end > slack:
		p.r.release(p.s)
		*p.s = slot{state: absent, off: off, end: off, source: in.Source}
	case visit != nil:
		p.r.release(p.s)
		*p.s = slot{state: reading, off: off, end: off, typ: p.Field.Of, source: in.Source}
		p.readValue(in, off)
	}
}

// Uint returns a field's number, or 0 if it has none. This and the four below take a nil object as one without fields, and a nil field
// as an absent one. A list whose file was cut since it was counted has such elements, and a case such fields.
func (o *Object) Uint(ctx context.Context, f *Field) uint64 {
	v, _ := o.Value(ctx, f)
	n, _ := v.Uint()
	return n
}

// Inner returns the record that a field is, or nil.
func (o *Object) Inner(ctx context.Context, f *Field) *Object {
	v, _ := o.Value(ctx, f)
	return v.Object()
}

// List returns the list that a field is, as far as its elements could be read, or nil.
func (o *Object) List(ctx context.Context, f *Field) *List {
	if o == nil || f == nil {
		return nil
	}
	r := atGlance(ctx)
	defer r.endGlance()
	s, _ := o.slot(r, f.index, &r.own)
	l, _ := s.ref.(*List)
	return l
}

// SpanOf returns the bytes of a field, as far as the file has them, or none if the field is absent.
func (o *Object) SpanOf(ctx context.Context, f *Field) model.Span {
	if o == nil || f == nil {
		return model.Span{}
	}
	r := atGlance(ctx)
	defer r.endGlance()
	return Scope{r, o}.Span(f)
}

// Value returns a field's value.
func (o *Object) Value(ctx context.Context, f *Field) (Value, error) {
	switch {
	case o == nil:
		return Value{}, errNoObject
	case f == nil:
		return Value{}, nil
	case f.Fixed != nil:
		return *f.Fixed, nil
	}
	r := atGlance(ctx)
	defer r.endGlance()
	return o.value(r, f.index)
}

// value returns the value of field i, which is read if need be.
func (o *Object) value(r *Reading, i int) (Value, error) {
	if !o.whole && r.sees(o) && i < o.next {
		if s := &o.slots[i]; s.problem == nil && !s.packed {
			return Piece{o, o.rec.Fields[i], r, s}.value()
		}
	}
	f := o.rec.Fields[i]
	if t, ok := f.Of.(*Scalar); ok && o.whole && f.Repeat == nil && !f.Absent && t.kind != composite {
		r.until = o.start + o.rec.size
		b, err := r.bytes(o.stream.Source, o.start+o.rec.offsets[i], t.size)
		if err != nil {
			return Value{}, err
		}
		return t.value(t.number(b, t.isBig(o))), nil
	}
	var own *slot
	if o.whole {
		own = new(slot)
	}
	s, err := o.slot(r, i, own)
	if err != nil {
		return Value{}, err
	}
	return Piece{o, f, r, s}.value()
}

// sees reports whether the pass may look at the fields of the sequence that were read: nobody else reads on now.
func (r *Reading) sees(o *Object) bool {
	return o.done.Load() || o.owner == r || o.owner == nil && r.locked
}

var errNoObject = errors.New("its record could not be read")

var errCircular = errors.New("a field needs its own value")

// readWhole reads field i of a record of fixed size that is all there.
func (o *Object) readWhole(r *Reading, i int, s *slot) {
	*s = slot{bit: o.rec.firstBits[i]}
	r.until = o.start + o.rec.size
	Piece{o, o.rec.Fields[i], r, s}.readField(*o.stream, o.start+o.rec.offsets[i])
}

// slot returns the slot of field i, which is read if need be; own is for objects that keep no slots.
func (o *Object) slot(r *Reading, i int, own *slot) (*slot, error) {
	f := o.rec.Fields[i]
	if o.whole {
		o.readWhole(r, i, own)
		return own, own.missing()
	}
	s := &o.slots[i]
	if i >= o.rec.sequence || o.owner != r && !o.done.Load() {
		defer r.unlock(o, r.lock(o))
	}
	if s.state == unread {
		if r.nested++; r.nested > maxNeeds {
			r.nested--
			return s, o.limit(o.stream.Source.Span(o.start, 0), "values need each other in a chain of more than %d", maxNeeds)
		}
		defer func() {
			if r.nested--; s.state == reading { // it panics
				*s = slot{}
			}
		}()
		o.advance(r, min(i+1, o.rec.sequence))
		if i >= o.rec.sequence {
			Piece{o, f, r, s}.readElsewhere()
		}
		if r.interrupted(s) || r.ctx.Err() != nil {
			if i >= o.rec.sequence {
				*s = slot{}
			}
			return s, r.ctx.Err()
		}
	}
	if s.packed {
		Piece{o, f, r, s}.unpack()
	}
	return s, s.missing()
}

// lock keeps others from objects that have been given out while the pass reads them. It reports whether unlock has to let go.
func (r *Reading) lock(o *Object) bool {
	if r.locked || o.owner == r {
		return false
	}
	o.session.mu.Lock()
	r.locked = true
	return true
}

func (r *Reading) unlock(o *Object, locked bool) {
	if locked {
		r.locked = false
		o.session.mu.Unlock()
	}
}

// missing says why a slot has no value.
func (s *slot) missing() error {
	switch {
	case s.state == unread:
		return errNotRead
	case s.state == reading:
		switch s.ref.(type) {
		case *List, *Object:
			return nil // as far as it is known
		}
		return errCircular
	case s.problem != nil && s.problem != brokenInside && (!s.sized || s.number()):
		return *s.problem
	}
	return nil
}

// value returns the value of the piece.
func (p Piece) value() (Value, error) {
	if p.s.state == absent {
		return Value{}, nil
	}
	switch ref := p.s.ref.(type) {
	case *Object:
		return ObjectValue(ref), nil
	case *List:
		return ListValue(ref), nil
	case Value:
		return ref, nil
	}
	switch t := p.s.typ.(type) {
	case *Scalar:
		return t.value(p.s.bits), nil
	case *BitField:
		if t.Flag {
			return BoolValue(p.s.bits != 0), nil
		}
		return UintValue(p.s.bits), nil
	case *Opaque:
		at := p.s.contentSpan()
		if t.decode == nil {
			return SpanValue(at), nil
		}
		b, err := SpanValue(at).Blob().Read(p.r.ctx)
		if err != nil {
			p.r.stopped = p.r.stopped || p.r.ctx.Err() != nil
			return Value{}, err
		}
		text, err := t.decode(b)
		return StringValue(text), err
	}
	if p.s.typ == nil {
		return Value{}, nil
	}
	return Value{}, fmt.Errorf("%s has no value that can be worked with", p.Field.Name)
}

// contentSpan returns the bytes of the slot's value.
func (s *slot) contentSpan() model.Span {
	switch {
	case s.decoded != nil:
		return s.decoded.Whole()
	case s.inner:
		return s.source.Span(s.from, s.to-s.from)
	}
	return s.span()
}

// readElsewhere reads a field that is not one of the sequence.
func (p Piece) readElsewhere() {
	stream, pos, bit := p.r.stream, p.r.pos, p.Object.bit
	p.s.state, p.s.off, p.s.end, p.s.source = reading, p.Object.start, p.Object.start, p.Object.stream.Source
	p.Object.bit = 0
	if p.Field.Computed != nil {
		p.compute()
	} else if in, at, err := p.Object.place(p.r, p.Field); err != nil {
		p.s.fail(p.Object, err)
	} else {
		p.r.stream, p.r.pos = in, at
		p.readField(*in, at)
	}
	if p.s.state == reading {
		p.s.state = present
	}
	p.r.stream, p.r.pos, p.Object.bit = stream, pos, bit
}

// compute sets a field that has no bytes.
func (p Piece) compute() {
	if !p.isThere() {
		return
	}
	v, err := p.Field.Computed.(*Code).Eval(Scope{p.r, p.Object})
	if err != nil {
		p.s.fail(p.Object, err)
		return
	}
	p.s.ref = v
}

// place finds the stream and the offset of a field that is read elsewhere.
func (o *Object) place(r *Reading, f *Field) (*Stream, int64, error) {
	in := o.stream
	if f.Place.IO != nil {
		v, err := f.Place.IO.(*Code).Eval(Scope{r, o})
		if err != nil {
			return nil, 0, err
		}
		if in = v.Stream(); in == nil {
			return nil, 0, fmt.Errorf("a stream is needed, and %s is %s", v, v.kind)
		}
	}
	if f.Place.Pos == nil {
		return in, in.Start + Scope{r, o}.Pos(), nil
	}
	n, err := evalInt(f.Place.Pos, Scope{r, o})
	if err != nil {
		return nil, 0, err
	}
	if x := f.sized(); (n < 0 || n > in.Size()) && x != nil {
		if size, err := evalInt(x, Scope{r, o}); err == nil && size == 0 {
			n = 0 // nothing is read, so it need not be anywhere
		}
	}
	if n < 0 || n > in.Size() {
		return nil, 0, model.Problemf(model.Malformed, o.session.Truncated, in.Source.Span(in.Start, 0),
			"%s is at a place that does not exist", f.Name).Want(fmt.Sprintf("0 to %d", in.Size()), n)
	}
	return in, in.Start + n, nil
}

// streamLike returns the object's own stream where in is the same range.
func (o *Object) streamLike(in Stream) *Stream {
	if *o.stream == in {
		return o.stream
	}
	return newStream(in)
}

func newStream(in Stream) *Stream { return &in }

// object returns a new object, in memory that is free where there is some.
func (r *Reading) object() *Object {
	last := len(r.free) - 1
	if last < 0 {
		return new(Object)
	}
	o := r.free[last]
	r.free = r.free[:last]
	return o
}

// newList returns an empty list, in memory that is free where there is some.
func (r *Reading) newList() *List {
	last := len(r.freeLists) - 1
	if last < 0 {
		return new(List)
	}
	l := r.freeLists[last]
	r.freeLists = r.freeLists[:last]
	return l
}

// release returns the memory of a measured element, and of its own fields, to the pass.
func (r *Reading) release(s *slot) {
	switch ref := s.ref.(type) {
	case *List:
		if ref.size >= 0 && ref.bits == nil && ref.held == 0 { // of others hardly any are made again
			*ref = List{}
			r.freeLists = append(r.freeLists, ref)
		}
	case *Object:
		if ref.kept {
			return
		}
		for i := range ref.slots {
			if ref.slots[i].ref != nil {
				r.release(&ref.slots[i])
			}
		}
		ref.args = ref.args[:0]
		ref.done.Store(false)
		r.free = append(r.free, ref)
	}
}

// limit returns the problem of a limit of the engine that is met.
func (o *Object) limit(at model.Span, format string, args ...any) model.Problem {
	rule := o.session.Limit
	if rule == "" {
		rule = o.session.Truncated
	}
	return model.Problemf(model.Limit, rule, at, format, args...)
}
