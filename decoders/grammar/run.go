package grammar

import (
	"bytes"
	"context"
	"sync"

	"cutaway/model"
)

// Limits of the engine. A limit that is met is reported as one, with its name.
const (
	// MaxDepth is the most records that lie in each other.
	MaxDepth = 10_000
	// maxNeeds is the length of the longest chain of values that need each other.
	maxNeeds = 2000
	// MaxBytes is the most bytes that an expression or a process works with at once.
	MaxBytes = 256 << 20
)

// A Stream is the range of a source that a record is read from. Its positions count from Start.
type Stream struct {
	Source     *model.Source
	Start, End int64
}

// Whole returns the stream of all bytes of a source.
func Whole(src *model.Source) Stream { return Stream{src, 0, src.Size()} }

// Size returns the number of bytes.
func (s *Stream) Size() int64 { return s.End - s.Start }

// reach returns the number of bytes that a pass over the stream reads at once from off on.
func (s *Stream) reach(off int64) int64 { return min(max(s.End-off, Near), Far) }

// A Reading is one pass over some bytes by one goroutine: it has the context, and a window of the bytes so that fields
// that follow each other cost no read each.
type Reading struct {
	ctx       context.Context
	ahead     int64 // bytes that are read at once
	buf       []byte
	src       *model.Source
	at        int64
	stream    *Stream // being read, with its position, for expressions that name them
	pos       int64
	index     int64              // of the element that is read
	list      *List              // whose element is read
	before    int64              // elements before it
	item      Value              // the element that was just read, for the condition that ends a list
	on        Value              // what a switch is on
	ruled     *Field             // that a rule is about, for Go that finds breaches
	until     int64              // the end of a record of fixed size, beyond which a glance does not look, or 0
	locked    bool               // the pass holds its session's lock
	nested    int                // values that need each other and are being read
	budget    int64              // limit of elements that it looks for, or 0
	looked    int64              // elements that it looked for
	took      int64              // the part of these inside the last element
	empty     int64              // elements without bytes in the lists that it read
	free      []*Object          // to be used again
	freeLists []*List            // to be used again
	node      model.Node         // that is being completed; here it need not be allocated
	own       slot               // of a field of an object that keeps none
	stopped   bool               // its context ended or its budget is spent, so what it reads is not whole
	visit     func(l *Leaf) bool // is called with each leaf, or nil
	told      Leaf               // the last one
	progress  model.Progress     // of a pass over a stream, or nil
	over      Stream
}

// Windows of a Reading.
const (
	// Near serves a record or a few.
	Near = 512
	// glance is the window of a pass over a field or two.
	glance = 64
	// Far serves scans of many records.
	Far = 256 << 10
)

// NewReading starts a pass that reads ahead bytes at once: Near or Far.
func NewReading(ctx context.Context, ahead int64) *Reading { return &Reading{ctx: ctx, ahead: ahead} }

// glances are passes over a field or two.
var glances = sync.Pool{New: func() any { return &Reading{ahead: glance} }}

// atGlance starts a pass over a field or two, which ends with end.
func atGlance(ctx context.Context) *Reading {
	r := glances.Get().(*Reading)
	r.ctx = ctx
	return r
}

func (r *Reading) endGlance() {
	r.forget()
	glances.Put(r)
}

// forget clears what the pass read, also after a panic.
func (r *Reading) forget() {
	r.ctx, r.src, r.stream, r.buf, r.stopped, r.budget, r.looked, r.took, r.empty, r.own = nil, nil, nil, r.buf[:0], false, 0, 0, 0, 0, slot{}
	r.item, r.on, r.ruled, r.list, r.until, r.node, r.nested, r.visit = Value{}, Value{}, nil, nil, 0, model.Node{}, 0, nil
}

// nears are passes over a record or a few.
var nears = sync.Pool{New: func() any { return &Reading{ahead: Near} }}

// Borrow is NewReading(ctx, Near) for a record that is looked at and let go: it has the memory of those before. Return
// gives it back.
func Borrow(ctx context.Context) *Reading {
	r := nears.Get().(*Reading)
	r.ctx = ctx
	return r
}

// Glance is Borrow for a field or two: it reads few bytes at once.
func Glance(ctx context.Context) *Reading { return atGlance(ctx) }

// Return ends a pass that Borrow or Glance started. Neither the pass nor the objects that it released may be used any more.
func (r *Reading) Return() {
	r.forget()
	if r.ahead == glance {
		glances.Put(r)
	} else {
		nears.Put(r)
	}
}

// fars are passes over many records that keep none of them.
var fars = sync.Pool{New: func() any { return &Reading{ahead: Far} }}

// farReading starts a pass over many records, which ends with endFar.
func farReading(ctx context.Context) *Reading {
	r := fars.Get().(*Reading)
	r.ctx = ctx
	return r
}

func (r *Reading) endFar() {
	r.forget()
	fars.Put(r)
}

// Resume continues under another context.
func (r *Reading) Resume(ctx context.Context) { r.ctx, r.stopped = ctx, false }

// Window returns n bytes at off of a source with those after them that are in memory already; nil where the n are not
// there or cannot be read. They are valid until the next read.
func (r *Reading) Window(src *model.Source, off, n int64) []byte {
	if i := off - r.at; r.src == src && i >= 0 && i+n <= int64(len(r.buf)) {
		return r.buf[i:]
	}
	if n > src.Size()-off {
		return nil
	}
	b, err := r.bytes(src, off, n)
	if err != nil {
		return nil
	}
	if n <= r.ahead {
		b = r.buf
	}
	return b
}

// Context returns the pass's context.
func (r *Reading) Context() context.Context { return r.ctx }

// bytes returns the n bytes at off of src, which are valid until the next call; nil with an error where they cannot
// be read. The caller knows that the source holds them.
func (r *Reading) bytes(src *model.Source, off, n int64) ([]byte, error) {
	if i := off - r.at; r.src == src && i >= 0 && i+n <= int64(len(r.buf)) {
		return r.buf[i : i+n : i+n], nil
	}
	if n > r.ahead {
		return r.direct(src, off, n)
	}
	want := min(r.reach(src, off), src.Size()-off)
	if r.ahead == glance && r.until > off {
		want = min(want, r.until-off)
	}
	if int64(cap(r.buf)) < max(want, n) {
		r.buf = make([]byte, max(want, n))
	}
	r.buf = r.buf[:max(want, n)]
	got, err := src.ReadFull(r.ctx, r.buf, off)
	r.src, r.at, r.buf = src, off, r.buf[:got]
	if int64(got) < n {
		r.stopped = r.stopped || r.ctx.Err() != nil
		return nil, err
	}
	return r.buf[:n:n], nil
}

// direct returns the n bytes at off of src, which are the caller's. Where they are missing because the context ended, the pass is
// stopped, whatever becomes of the error.
func (r *Reading) direct(src *model.Source, off, n int64) ([]byte, error) {
	b, err := src.Bytes(r.ctx, off, n)
	r.stopped = r.stopped || err != nil && r.ctx.Err() != nil
	return b, err
}

// reach returns the number of bytes to read at once from off on: few at first and after a jump, then more.
func (r *Reading) reach(src *model.Source, off int64) int64 {
	const few, more = 4 << 10, 4
	if n := int64(len(r.buf)); r.src == src && off >= r.at && off <= r.at+n {
		return min(r.ahead, max(few, more*n))
	}
	return min(r.ahead, few)
}

// interrupted reports whether what was read is not whole because the pass ended, which is no problem of the bytes.
func (r *Reading) interrupted(s *slot) bool {
	if s.problem != nil && r.ctx.Err() != nil {
		r.stopped = true
	}
	return r.stopped
}

// step counts an element that is looked for, and reports whether the pass goes on.
func (r *Reading) step(i int64) bool {
	r.looked++
	if r.budget > 0 {
		r.budget--
		r.stopped = r.stopped || r.budget == 0
	}
	if i&1023 == 1023 && r.ctx.Err() != nil {
		r.stopped = true
	}
	return !r.stopped
}

// report reports that the elements of a list are measured up to an offset.
func (r *Reading) report(l *List, at int64) {
	if r.progress != nil && r.over.Source == l.stream.Source && at > r.over.Start {
		r.progress.Report(at-r.over.Start, r.over.Size(), l.field.Name)
	}
}

// find returns the distance from the start of a span to the first occurrence of the bytes at a multiple of its length, or -1.
func (r *Reading) find(in model.Span, what []byte) (int64, error) {
	width := int64(len(what))
	block := max(min(r.ahead, in.Len), width) / width * width
	for at := int64(0); at+width <= in.Len; at += block {
		b, err := r.bytes(in.Source, in.Off+at, min(block, in.Len-at))
		if err != nil {
			return 0, err
		}
		for i := int64(0); i+width <= int64(len(b)); i += width {
			if bytes.Equal(b[i:i+width], what) {
				return at + i, nil
			}
		}
		if !r.step(at / block) {
			return 0, r.ctx.Err()
		}
	}
	return -1, nil
}

// unpadded returns the length of a span without the bytes at its end that equal pad.
func (r *Reading) unpadded(in model.Span, pad byte) (int64, error) {
	for end := in.Len; end > 0; {
		n := min(end, Near)
		b, err := r.direct(in.Source, in.Off+end-n, n)
		if err != nil {
			return 0, err
		}
		for ; n > 0 && b[n-1] == pad; n-- {
			end--
		}
		if n > 0 {
			return end, nil
		}
	}
	return 0, nil
}
