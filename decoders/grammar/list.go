package grammar

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sort"
	"sync"

	"cutaway/model"
)

// Limits of the elements without bytes of a list, with those of its inner lists: emptyAtLeast, and emptyPerByte for each byte of the
// stream, up to emptyAtMost. Without them a few bytes could claim a million such elements in each of a million.
var (
	emptyAtLeast int64 = 1 << 10
	emptyPerByte int64 = 64
	emptyAtMost  int64 = 1 << 20
)

// marksKept is the most offsets of elements that a list keeps.
var marksKept = 1 << 20

const (
	// stride is the distance of the elements of unequal size whose offsets are kept. It doubles where more than marksKept offsets would
	// be kept.
	stride = 32
	// blocksKept is the number of runs of stride elements that are cached with all of their offsets.
	blocksKept = 8
	// longKept is the number of cached elements that took long to read, or are read further in the background.
	longKept = 64
)

// A List is a field that is repeated. Elements of one size are found by division; others are measured one after another,
// with the offset of every stride-th kept.
type List struct {
	owner  *Object
	field  *Field
	of     Type // of the elements
	stream *Stream
	start  int64  // of the first element
	limit  int64  // elements at most
	size   int64  // of each element, or -1 if they differ
	bits   []slot // elements that need not begin at a byte are all kept
	lead   *lead  // of elements whose heads say their sizes, or nil

	mu      sync.Mutex
	kept    []slot             // of a list whose elements need each other: all, as far as they were needed
	held    int64              // bytes of memory that kept and bits take; the session's ledger has its lock
	long    []longElement      // those given out last that took long to read, or are pending: read anew, they would again
	every   int64              // stride, or a multiple
	marks   []int64            // where elements 0, every, 2·every, … begin
	known   int64              // elements that were measured
	end     int64              // after the last one
	done    bool               // there are no more
	empty   int64              // elements without bytes, in lists inside too
	excess  int64              // how many more they are than the others allow for
	blocks  *[blocksKept]block // made when an element is asked for
	oldest  int
	problem *model.Problem // why no more are read
	noted   uint8          // by the format
	refused *model.Problem // why no more are kept: whoever comes later, when there is room again, gets the same answer
}

// longElement is an element with its number.
type longElement struct {
	i int64
	slot
}

// block holds the offsets at which the elements of a run begin, and the end of its last one.
type block struct {
	number int64 // 1 + the run's number, or 0 for no block
	at     []int64
}

// readList finds the extent of a repeated field. It reads the elements if only they can say it.
func (p Piece) readList(in Stream, off int64) {
	if p.Field.OneLeaf {
		visit := p.r.visit
		p.r.visit = nil
		defer func() { p.r.visit = visit }()
	}
	p.s.off, p.s.end = off, off
	l, resumed := p.s.ref.(*List)
	if !resumed {
		l = p.r.newList()
		l.owner, l.field, l.of, l.stream, l.start, l.end, l.limit, l.size = p.Object, p.Field, p.Field.Of, p.Object.streamLike(in), off, off, -1, p.Field.elementSize(p.Field.Of)
		l.every = stride
		p.s.ref = l
		if err := l.chooseType(p.r); err != nil {
			p.s.ref = nil
			p.s.fail(p.Object, err)
			return
		}
		if p.Field.Repeat.Count != nil {
			n, err := evalInt(p.Field.Repeat.Count, Scope{p.r, p.Object})
			if err != nil {
				p.s.ref = nil
				p.s.fail(p.Object, err)
				return
			}
			if p.r.ctx.Err() != nil {
				p.s.ref, p.r.stopped = nil, true
				return
			}
			l.limit = max(n, 0)
			l.checkCount(p.Object, p.Field, p.s, in)
		}
		if _, bits := p.Field.Of.(*BitField); bits {
			l.readBits(p.r, p.s)
			return
		}
		l.lead = l.leadOf()
	}
	switch {
	case l.size >= 0 && p.Field.Repeat.Until == nil:
		l.measureFixed(p.Object, p.Field, p.s, in)
	case p.Field.Repeat.ToEnd:
		p.s.end, p.s.sized = in.End, true
	default:
		l.extend(p.r, -1)
		p.r.empty += l.empty
		p.s.end = l.end
		if l.problem != nil && p.s.problem == nil {
			p.s.problem = l.problem
		}
	}
}

// chooseType sets the type of the elements if one switch chooses it for the whole list.
func (l *List) chooseType(r *Reading) error {
	t, ok := l.of.(*Switch)
	if !ok || !t.Once {
		return nil
	}
	of, err := t.pick(Scope{r, l.owner})
	if err != nil || of == nil {
		return err
	}
	l.of, l.size = of, l.field.elementSize(of)
	return nil
}

// elementSize returns the size of every element of a type, or -1 if they differ.
func (f *Field) elementSize(of Type) int64 {
	if f.Process != nil || f.Skip || f.Exact || f.mayStop() {
		return -1
	}
	return f.sizeOf(of)
}

// checkCount holds a count against the bytes that its elements need.
func (l *List) checkCount(o *Object, f *Field, s *slot, in Stream) {
	least := f.least
	if l.of != f.Of && f.Extent == nil {
		least = l.of.least()
	}
	if l.size >= 0 {
		least = l.size
	}
	room := in.End - s.off
	if most := l.mostEmpty(); least <= 0 && l.limit > most && l.size == 0 {
		p := o.limit(s.span(), "%s claims %d elements without bytes, and the limit is %d", f.Name, l.limit, most)
		s.problem, s.sized, l.limit = &p, true, most
	}
	if least <= 0 || l.limit <= room/least {
		return
	}
	if f.Repeat.Short != Broken {
		if l.size >= 0 {
			l.limit = room / l.size
		}
		return
	}
	rule := f.Repeat.Rule
	if rule == "" {
		rule = o.session.Truncated
	}
	what := model.GroupedCount(l.limit, "byte")
	if least > 1 {
		what = fmt.Sprintf("%d elements of at least %d bytes", l.limit, least)
	}
	p := model.Problemf(model.Truncated, rule, in.Source.Span(s.off, room), "%s claims %s, but %d bytes follow", f.Name, what, room).
		WantAtMost(room/least, l.limit)
	s.problem = &p
	if l.size >= 0 {
		l.limit = room / least
	}
}

// mostEmpty returns the largest number of elements without bytes that the list may have.
func (l *List) mostEmpty() int64 {
	room := l.stream.End - l.stream.Start
	if room > emptyAtMost/emptyPerByte {
		return emptyAtMost
	}
	return min(emptyAtLeast+emptyPerByte*room, emptyAtMost)
}

// neverEnds returns the problem of a list to the end whose elements take no bytes.
func (l *List) neverEnds(s *slot) *model.Problem {
	p := l.owner.limit(s.span(), "the elements of %s take no bytes, so they would never end", l.field.Name)
	return &p
}

// measureFixed finds the end of elements of one size.
func (l *List) measureFixed(o *Object, f *Field, s *slot, in Stream) {
	room := in.End - l.start
	if f.Repeat.ToEnd && l.size == 0 && room > 0 {
		l.limit, l.problem = 0, l.neverEnds(s)
		s.end, s.sized = in.End, true
	} else if f.Repeat.ToEnd {
		l.limit = 0
		if l.size > 0 {
			l.limit = room / l.size
		}
		if rest := room - l.limit*l.size; rest > 0 {
			p := model.Problemf(model.Truncated, o.session.Truncated, in.Source.Span(in.End-rest, rest), "[%d] is cut off", l.limit).
				Want(model.GroupedCount(l.size, "byte"), model.GroupedCount(rest, "byte"))
			s.problem = &p
		}
		s.end, s.sized = in.End, true
	} else {
		s.end = l.start + l.limit*l.size
		if s.problem != nil && !s.sized && !f.Inlined { // no node has the elements together with the bytes after them
			s.end = in.End
		}
	}
	l.known, l.end, l.done = l.limit, s.end, true
}

// readBits reads and keeps elements that need not begin at a byte. A pass that stops begins anew the next time.
func (l *List) readBits(r *Reading, s *slot) {
	o := l.owner
	pos := o.pos
	for i := int64(0); l.limit < 0 || i < l.limit; i++ {
		if !r.step(i) {
			s.ref = nil
			return
		}
		if o.session.isFull() {
			s.problem = l.full(s.span(), "begin within bytes", i)
			break
		}
		var e slot
		l.read(r, i, pos, &e)
		if e.problem != nil {
			s.problem = e.problem
			break
		}
		if s.end = e.end; o.bit > 0 {
			pos = e.end - 1
		} else {
			pos = e.end
		}
		l.bits = append(l.bits, e)
		o.session.keeping.add(l, slotBytes)
		if l.ended(r, &e) || l.limit < 0 && l.field.Repeat.ToEnd && pos >= l.stream.End {
			break
		}
	}
	l.known, l.done, l.size = int64(len(l.bits)), true, 0
}

// read reads element i at an offset.
func (l *List) read(r *Reading, i, off int64, s *slot) {
	index, stream, pos, list, before := r.index, r.stream, r.pos, r.list, r.before
	r.index, r.stream, r.pos, r.list, r.before = i, l.stream, off, l, i
	s.state = present
	Piece{l.owner, l.field, r, s}.readElement(l.of, *l.stream, off)
	r.index, r.stream, r.pos, r.list, r.before = index, stream, pos, list, before
}

// ended decides whether an element is the last one of a list that a condition ends.
func (l *List) ended(r *Reading, s *slot) bool {
	if l.field.Repeat.Until == nil {
		return false
	}
	item, err := Piece{l.owner, l.field, r, s}.value()
	last := false
	if err == nil {
		outer, stream, pos := r.item, r.stream, r.pos
		r.item, r.stream, r.pos = item, l.stream, s.end
		last, err = evalBool(l.field.Repeat.Until, Scope{r, l.owner})
		r.item, r.stream, r.pos = outer, stream, pos
	}
	if err != nil {
		s.fail(l.owner, err)
		l.mu.Lock()
		l.problem = s.problem
		l.mu.Unlock()
	}
	return last || err != nil
}

// extend measures elements until n are known, or for n < 0 all. It stops where the pass does, and continues there the
// next time.
func (l *List) extend(r *Reading, n int64) {
	l.mu.Lock()
	i, at, done := l.known, l.end, l.done
	l.mu.Unlock()
	s := new(slot)
	for !done && (n < 0 || i < n) {
		if i, at = l.skim(r, i, at, n); r.stopped {
			return
		}
		if n >= 0 && i >= n || l.isAtEnd(i, at) {
			break
		}
		if at, done = l.measureNext(r, i, at, s); r.stopped {
			return
		}
		i++
	}
	if n < 0 || i < n {
		l.mu.Lock()
		l.done = true
		l.mu.Unlock()
	}
}

// isAtEnd reports whether the list has no element i at an offset.
func (l *List) isAtEnd(i, at int64) bool {
	return i == l.limit || at >= l.stream.End && (l.limit < 0 && l.field.Repeat.ToEnd || l.field.Repeat.Short != Broken)
}

// measureNext measures element i at an offset. It returns where the next one begins, and whether there is none. s is to be used again.
func (l *List) measureNext(r *Reading, i, at int64, s *slot) (end int64, done bool) {
	if !r.step(i) {
		return at, false
	}
	*s = slot{}
	before := r.empty
	l.read(r, i, at, s)
	if r.interrupted(s) || r.ctx.Err() != nil {
		r.stopped = true
		return at, false
	}
	inside := r.empty - before
	if r.visit != nil {
		r.visitField(l.owner, l.field, s)
	}
	end, done = l.add(r, i, at, s, inside)
	r.empty = before
	r.release(s)
	if (i+1)%batch == 0 {
		r.report(l, end)
	}
	return end, done
}

// measure is extend for a list whose owner others may see.
func (l *List) measure(r *Reading, n int64) {
	defer r.unlock(l.owner, r.lock(l.owner))
	l.extend(r, n)
}

// add takes an element that was measured, and how many without bytes are inside. It reports where the next one begins and whether there
// is none.
func (l *List) add(r *Reading, i, at int64, s *slot, empty int64) (end int64, done bool) {
	done = l.ended(r, s)
	l.mu.Lock()
	defer l.mu.Unlock()
	if s.end == at {
		empty++
	}
	l.empty += empty
	l.excess = max(l.excess+empty-emptyPerByte*(s.end-at), 0)
	l.mark(i, at)
	l.known, l.end = i+1, s.end
	switch {
	case s.problem != nil && !s.sized && l.field.Repeat.Short == Broken:
		l.problem, done = brokenInside, true
	case s.problem != nil && !s.sized:
		if done = true; l.field.Repeat.Short == WithoutCut {
			l.known, l.end = i, at
		}
	case s.end == at && l.field.Repeat.ToEnd:
		l.problem, done = l.neverEnds(s), true
	case l.excess > l.mostEmpty():
		p := l.owner.limit(s.span(), "%s has more than %d elements without bytes", l.field.Name, l.mostEmpty())
		l.problem, done = &p, true
	}
	l.done = done
	return l.end, done
}

// mark keeps the offset of element i if it is one of those that are kept. The caller holds mu.
func (l *List) mark(i, at int64) {
	if i%l.every != 0 {
		return
	}
	if len(l.marks) == marksKept {
		for k := range marksKept / 2 {
			l.marks[k] = l.marks[2*k]
		}
		l.marks, l.every, l.blocks = l.marks[:marksKept/2], 2*l.every, nil
	}
	l.marks = append(l.marks, at)
}

// check finds the breaches of the rules of the list as a whole.
func (l *List) check(r *Reading, at model.Span) (breaches []model.Problem) {
	if _, done := l.counted(); !done {
		return nil
	}
	for i := range l.field.Repeat.Checks {
		if p, breach := l.field.Repeat.Checks[i].problem(Scope{r, l.owner}, ListValue(l), at); breach {
			breaches = append(breaches, p)
		}
	}
	return breaches
}

// name returns the name of element i.
func (l *List) name(r *Reading, i int64) string {
	if l.field.Repeat.Names == nil {
		return model.IndexName(i)
	}
	s := Scope{r, l.owner}
	return l.field.Repeat.Names(s).Name(s, i)
}

// counted returns the number of known elements, and whether they are all.
func (l *List) counted() (int64, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.known, l.done
}

// measured returns the end of the known elements.
func (l *List) measured() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.end
}

// fault returns the problem that keeps more elements from being read, or nil if none is known.
func (l *List) fault() *model.Problem {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.problem
}

// Len finds all elements and returns their number. While an element is read, these are the elements before it.
func (l *List) Len(s Scope) (int64, error) {
	if s.r.list == l {
		return s.r.before, nil
	}
	l.measure(s.r, -1)
	n, _ := l.counted()
	if s.r.stopped {
		return n, s.r.ctx.Err()
	}
	return n, nil
}

// Known returns the number of elements that were found, which are all once the list is read.
func (l *List) Known() int64 {
	n, _ := l.counted()
	return n
}

// Object returns element i of a list of records, as far as it could be read, or nil.
func (l *List) Object(ctx context.Context, i int64) *Object {
	r := atGlance(ctx)
	defer r.endGlance()
	var s slot
	if err := l.element(r, i, &s); err != nil {
		return nil
	}
	o, _ := s.ref.(*Object)
	return o
}

// Over returns the known element that has a byte of a source. A nil list has none.
func (l *List) Over(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if l == nil || !src.Same(l.stream.Source) {
		return 0, false
	}
	return l.elementOver(NewReading(ctx, Near), off)
}

// At returns the value of element i.
func (l *List) At(s Scope, i int64) (Value, error) {
	var e slot
	if err := l.element(s.r, i, &e); err != nil {
		return Value{}, err
	}
	return Piece{l.owner, l.field, s.r, &e}.value()
}

// each reads the first n elements, which are known, one after another, until visit returns false. It keeps nothing.
func (l *List) each(r *Reading, n int64, visit func(s *slot) (more bool)) {
	at, more := l.start, true
	for i := int64(0); i < n && more && r.step(i); i++ {
		s := new(slot)
		if l.bits != nil {
			s = &l.bits[i]
		} else {
			l.read(r, i, at, s)
		}
		at = s.end
		more = visit(s)
		r.release(s)
	}
}

// element reads element i.
func (l *List) element(r *Reading, i int64, s *slot) error {
	if known, done := l.counted(); !done && i >= known && r.list != l {
		l.measure(r, i+1)
	}
	if known, _ := l.counted(); i < 0 || i >= known {
		return fmt.Errorf("%s has no element %d", l.field.Name, i)
	}
	if l.bits != nil {
		*s = l.bits[i]
		return nil
	}
	if r.list == l { // an element needs one before it
		if err := l.readAll(r, i+1); err != nil {
			return err
		}
	}
	if l.isKept(i, s) {
		return nil
	}
	if r.nested++; r.nested > maxNeeds {
		r.nested--
		return l.owner.limit(l.stream.Source.Span(l.start, 0), "values need each other in a chain of more than %d", maxNeeds)
	}
	defer func() { r.nested-- }()
	at, err := l.offset(r, i)
	if err != nil {
		return err
	}
	before := r.looked
	l.read(r, i, at, s)
	r.took = r.looked - before
	if s.packed {
		index := r.index
		r.index = i
		Piece{l.owner, l.field, r, s}.unpack()
		r.index = index
	}
	return nil
}

// readAll reads and keeps the first n elements, of a list whose elements need each other.
func (l *List) readAll(r *Reading, n int64) error {
	for {
		l.mu.Lock()
		k, at := int64(len(l.kept)), l.start
		if k > 0 {
			at = l.kept[k-1].end
		}
		if k < n && l.refused == nil && l.owner.session.isFull() {
			l.refused = l.full(l.stream.Source.Span(at, 0), "need those before them", k)
		}
		refused := l.refused
		l.mu.Unlock()
		switch {
		case k >= n:
			return nil
		case refused != nil:
			return *refused
		}
		var s slot
		l.read(r, k, at, &s)
		if r.interrupted(&s) || r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		l.mu.Lock()
		if int64(len(l.kept)) == k {
			s.pin()
			l.kept = append(l.kept, s)
			l.owner.session.keeping.add(l, s.bytes())
		}
		l.mu.Unlock()
	}
}

// full returns the problem of a list for whose elements after n memory has no room.
func (l *List) full(at model.Span, are string, n int64) *model.Problem {
	p := l.owner.limit(at, "the elements of %s %s, and memory has room for %d of them; --max-memory raises it", l.field.Name, are, n)
	return &p
}

// Bytes of memory that a slot, an object and a list take, without what they refer to.
var (
	slotBytes   = int64(reflect.TypeFor[slot]().Size())
	objectBytes = int64(reflect.TypeFor[Object]().Size())
	listBytes   = int64(reflect.TypeFor[List]().Size())
	valueBytes  = int64(reflect.TypeFor[Value]().Size())
)

// bytes returns the memory of a kept element and its contents.
func (s *slot) bytes() int64 {
	n := slotBytes
	if s.decoded != nil {
		n += s.decoded.Size()
	}
	switch ref := s.ref.(type) {
	case *Object:
		n += objectBytes + valueBytes*int64(cap(ref.args)) + slotBytes*int64(cap(ref.slots)-len(ref.slots))
		for i := range ref.slots {
			n += ref.slots[i].bytes()
		}
	case *List:
		n += listBytes // its elements are in the ledger by themselves
	}
	return n
}

// isKept sets s to an element that is kept.
func (l *List) isKept(i int64, s *slot) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < int64(len(l.kept)) {
		*s = l.kept[i]
		return true
	}
	k := slices.IndexFunc(l.long, func(e longElement) bool { return e.i == i })
	if k < 0 {
		return false
	}
	*s = l.long[k].slot
	return true
}

// keepLong remembers an element.
func (l *List) keepLong(i int64, s *slot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.ContainsFunc(l.long, func(e longElement) bool { return e.i == i }) {
		return
	}
	if len(l.long) == longKept {
		l.long = slices.Delete(l.long, 0, 1)
	}
	s.pin()
	l.long = append(l.long, longElement{i, *s})
}

// pin has the object of a slot, if it has one, outlive the pass that read it.
func (s *slot) pin() {
	if o, ok := s.ref.(*Object); ok {
		o.kept = true
	}
}

// offset returns the start of element i, which is known.
func (l *List) offset(r *Reading, i int64) (int64, error) {
	if l.size >= 0 {
		return l.start + i*l.size, nil
	}
	b, first, err := l.block(r, i)
	if err != nil {
		return 0, err
	}
	return b[i-first], nil
}

// block returns where the elements of the run with element i begin, the end of the last one included, and the number of the first.
func (l *List) block(r *Reading, i int64) (b []int64, first int64, err error) {
	l.mu.Lock()
	if l.blocks == nil {
		l.blocks = new([blocksKept]block)
	}
	number := i / l.every
	first = number * l.every
	for _, b := range l.blocks {
		if b.number == number+1 {
			l.mu.Unlock()
			return b.at, first, nil
		}
	}
	n, every := min(l.every, l.known-first), l.every
	at, grows := l.marks[number], n < every && !l.done
	l.mu.Unlock()
	b = make([]int64, 0, n+1)
	s := new(slot)
	for k := range n {
		b = append(b, at)
		if end, ok := l.jump(r, at); ok {
			at = end
			continue
		}
		*s = slot{}
		l.read(r, first+k, at, s)
		if r.stopped {
			return b, first, r.ctx.Err()
		}
		at = s.end
		r.release(s)
	}
	b = append(b, at)
	if err := r.ctx.Err(); err != nil {
		return b, first, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !grows && l.every == every && l.blocks != nil {
		l.blocks[l.oldest] = block{number + 1, b}
		l.oldest = (l.oldest + 1) % blocksKept
	}
	return b, first, nil
}

// elementOver returns the known element that has the byte at an offset.
func (l *List) elementOver(r *Reading, off int64) (int64, bool) {
	l.mu.Lock()
	known, end, every := l.known, l.end, l.every
	run := sort.Search(len(l.marks), func(i int) bool { return l.marks[i] > off }) - 1
	l.mu.Unlock()
	switch {
	case off < l.start || off >= end || known == 0:
		return 0, false
	case l.bits != nil:
		i := sort.Search(len(l.bits), func(i int) bool { return l.bits[i].end > off })
		return int64(i), i < len(l.bits)
	case l.size > 0:
		return (off - l.start) / l.size, (off-l.start)/l.size < known
	case l.size == 0:
		return 0, false
	}
	b, first, err := l.block(r, int64(run)*every)
	if err != nil {
		return 0, false
	}
	k := sort.Search(len(b)-1, func(k int) bool { return b[k+1] > off })
	return first + int64(k), k < len(b)-1
}

// array is a list of scalars as a value, read in windows.
type array struct {
	model.ArrayBase
	l   *List
	of  *Scalar
	big bool
}

// Elem returns the name of the elements' type.
func (a *array) Elem() string { return a.of.name }

// Len returns the number of elements.
func (a *array) Len() int64 { return a.l.known }

// Packing returns how the numbers are packed.
func (a *array) Packing() model.Packing {
	p := a.of.packing(a.l.owner.big)
	p.At = a.l.stream.Source.Span(a.l.start, a.l.known*a.of.size)
	return p
}

// Read reads elements from first on into dst.
func (a *array) Read(ctx context.Context, first int64, dst []model.Value) (int, error) {
	const window = 64 << 10
	for done := int64(0); ; {
		n := min(int64(len(dst))-done, a.l.known-first-done, max(window/a.of.size, 1))
		if n <= 0 || ctx.Err() != nil {
			return int(done), ctx.Err()
		}
		b, err := sourceBytes(ctx, a.l.stream.Source, a.l.start+(first+done)*a.of.size, n*a.of.size)
		if err != nil {
			return int(done), err
		}
		for i := range n {
			dst[done+i] = a.of.Decode(b[i*a.of.size:], a.big)
		}
		done += n
	}
}
