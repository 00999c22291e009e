package flatbuffer

import (
	"context"
	"fmt"
	"slices"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// maxDepth bounds tables inside tables.
const maxDepth = 64

// maxProblems is the most problems that are listed of one buffer. The last one counts the others.
const maxProblems = 1000

// A kind is the kind of an object.
type kind uint8

const (
	aTable kind = iota
	aVTable
	aString
	aVector
	aGap
)

// An object is a run of the buffer that an offset leads to, or a gap between two.
type object struct {
	off, end uint32 // in the buffer
	owner    uint32 // the object that refers to this one first; of a vtable the number of tables
	via      uint32 // the place of the offset that does
	typ      uint16 // of a table its number in the schema, of a vector its number among walk.vectors
	kind     kind
	role     model.Role // of a gap
}

// noSchema is the type of tables and vectors whose type is inferred.
const noSchema = 1<<16 - 1

// objectMemory is about the memory of an object while the walk ends, in bytes.
const objectMemory = 40

// A located problem has the object that it belongs to.
type located struct {
	off uint32
	model.Problem
}

// A walk follows all offsets of a buffer from its root, verifies the objects and lists them.
type walk struct {
	b       *Buffer
	s       *Schema // or nil if types are inferred
	r       *Reader
	limit   int64 // items of each vector that are followed, or 0 for all
	partial bool  // the limit left items out
	most    int   // objects that memory allows
	full    bool  // there are more

	objects  []object
	vectors  []Type // the types of vectors
	vectorNo map[Type]uint16
	problems []located
	dropped  int // problems beyond maxProblems
	unknown  int // slots that the schema does not know
	reached  int64

	seen    bitmap // by 4 bytes: tables, strings, vectors
	vseen   bitmap // by 2 bytes: vtables
	stack   []int64
	slots   map[int64][]slot // parsed vtables
	scanned int64            // bytes of vtables that were parsed
	via     int64            // the place of the offset that was followed last
	ctx     context.Context
	err     error // ctx ended
	step    int
	notify  model.Progress

	unfolded model.Memo[[]int] // see mayRepeat
}

// A slot is a present slot of a vtable.
type slot struct {
	index int
	at    int64 // from the table's first byte
}

type bitmap []uint64

// mark sets bit i and reports whether it was set.
func (b bitmap) mark(i int64) bool {
	was := b[i/64]>>(i%64)&1 == 1
	b[i/64] |= 1 << (i % 64)
	return was
}

// verify walks the buffer by a schema. It follows at most limit items of each vector, or all if limit is 0.
func (b *Buffer) verify(ctx context.Context, s *Schema, limit int64) *walk {
	w, _ := b.walk(ctx, s, limit, nil) // without a context's end there is no error
	return w
}

// walk is verify with a context; the error is ctx's.
func (b *Buffer) walk(ctx context.Context, s *Schema, limit int64, progress model.Progress) (*walk, error) {
	w := &walk{
		b: b, s: s, r: b.Reader(ctx), limit: limit, ctx: ctx, notify: progress, vectorNo: make(map[Type]uint16),
		slots: make(map[int64][]slot), most: int(source.CacheLimit() / 3 / objectMemory),
	}
	defer b.Release(w.r)
	w.prefix()
	if b.size > maxOffset {
		w.problem(0, model.Malformed, ruleOffset, b.Whole(), "the buffer is larger than offsets of 31 bits reach")
		return w, nil
	}
	if root, ok := w.follow(b.rootAt, 0, "the root offset"); ok {
		w.seen, w.vseen = make(bitmap, b.size/256+1), make(bitmap, b.size/128+1)
		if s == nil {
			w.inferTable(root, 0, 0)
		} else {
			w.table(root, s.Root, 0, 0)
		}
	}
	if w.err != nil {
		return nil, w.err
	}
	w.finish()
	return w, nil
}

// prefix checks the size prefix and the room for the root offset.
func (w *walk) prefix() {
	b := w.b
	if b.rootAt == 0 {
		return
	}
	if size, ok := w.r.U32(0); ok && int64(size) != b.size-offsetSize {
		w.breach(0, "size prefix", 0)
	}
}

func (w *walk) add(owner int64, p model.Problem) {
	if len(w.problems) >= maxProblems {
		w.dropped++
		return
	}
	p.Rule = withPrefix(w.b.prefix, p.Rule)
	w.problems = append(w.problems, located{uint32(owner), p})
}

// breach adds the first problem of a record at off to the object at owner. The walk knows that it breaks a rule: it
// decides the rules of the language with numbers of its own, for speed, and the language puts them in words.
func (w *walk) breach(owner int64, record string, off int64, args ...grammar.Value) {
	if len(w.problems) >= maxProblems {
		w.dropped++
		return
	}
	rules := plan()
	if w.b.lenientNumber() == 0 {
		rules = strictPlan()
	}
	for _, n := range rules.Record(record).Open(rules.Session(), w.b.stream(), w.b.base+off, args...).Nodes(w.ctx) {
		if len(n.Problems) > 0 {
			w.add(owner, n.Problems[0])
			return
		}
	}
}

func (w *walk) problem(owner int64, k model.Kind, rule string, at model.Span, format string, args ...any) {
	w.add(owner, model.Problemf(k, rule, at, format, args...))
}

// unlessOwn returns the kind of a problem that generated verifiers do not refuse. In a format with a schema of its own
// it is own.
func (w *walk) unlessOwn(kind, own model.Kind) model.Kind {
	if w.b.prefix != OwnPrefix {
		return own
	}
	return kind
}

// next counts a step and reports whether the walk may go on.
func (w *walk) next() bool {
	if w.step++; w.step&4095 == 0 {
		if w.err == nil {
			w.err = w.ctx.Err()
		}
		w.notify.Report(min(int64(len(w.objects))*16, w.b.size), w.b.size, "verifying the FlatBuffer")
	}
	if len(w.objects) > w.most && !w.full {
		w.full = true
		w.problem(0, model.Limit, ruleObjects, w.b.Whole(),
			"only the first %s objects that were met are told, which is as much as memory allows; --max-memory raises it", model.Grouped(int64(w.most)))
	}
	return w.err == nil && !w.full
}

// follow returns the target of the offset at off, whose name for a person is what.
func (w *walk) follow(off, owner int64, what string) (int64, bool) {
	return w.followTo(off, owner, what, offsetSize, offsetSize)
}

// followTo is follow to an object of at least so many bytes at a multiple of align. A struct that a union points at is
// kept like a vector of one element without a length.
func (w *walk) followTo(off, owner int64, what string, size, align int64) (int64, bool) {
	w.via = off
	v, ok := w.r.U32(off)
	if !ok {
		w.problem(owner, model.Truncated, ruleTruncated, w.b.Span(off, offsetSize), "%s is cut off", what)
		return 0, false
	}
	to := off + int64(v)
	if v == 0 || v > maxOffset || to > w.b.size-size || to%align != 0 {
		w.breach(owner, "offset", off, grammar.StringValue(what), grammar.IntValue(size), grammar.IntValue(align))
		return 0, false
	}
	return to, true
}

// note adds an object and reports whether it is new. The walk follows an object once.
func (w *walk) note(o object) bool {
	o.via = uint32(w.via)
	w.objects = append(w.objects, o)
	return !w.seen.mark(int64(o.off) / offsetSize)
}

func (w *walk) noteTable(off, end, owner int64, typ int) bool {
	return w.note(object{off: uint32(off), end: uint32(end), owner: uint32(owner), typ: uint16(typ), kind: aTable})
}

// shape verifies the vtable of the table at off and returns its present slots. The table's size is that in the vtable, or
// the least if that cannot be: readers do not need it.
func (w *walk) shape(off int64) (t Table, slots []slot, ok bool) {
	if t, ok = w.r.Table(off); !ok || t.vtable%2 != 0 {
		w.breach(off, "table", off)
		return t, nil, false
	}
	if t.size < offsetSize || off+t.size > w.b.size {
		w.breach(off, "table", off)
		t.size = offsetSize
	}
	if !w.vseen.mark(t.vtable / 2) {
		w.objects = append(w.objects, object{off: uint32(t.vtable), end: uint32(t.vtable + t.vtableSize), kind: aVTable})
	}
	slots, known := w.slots[t.vtable]
	if known {
		return t, slots, true
	}
	if w.scanned += t.vtableSize; w.scanned > 16*w.b.size {
		w.problem(off, model.Limit, ruleWork, w.b.Span(off, offsetSize),
			"the vtables that were read so far are 16 times larger than the buffer: this one is not read")
		return t, nil, false
	}
	for i := range t.Slots() {
		if at, _ := w.r.U16(t.vtable + vtableHead + 2*int64(i)); at != 0 {
			slots = append(slots, slot{i, int64(at)})
		}
	}
	if len(w.slots) < 1<<12 {
		w.slots[t.vtable] = slots
	}
	return t, slots, true
}

// A slotUse is a run of a table's bytes that a slot takes.
type slotUse struct {
	lo, hi int64
	slot   int
}

// table verifies the table at off as the schema's object number typ and follows its fields.
func (w *walk) table(off int64, typ int, owner int64, depth int) {
	if !w.next() || !w.enter(off, depth, owner) {
		return
	}
	defer w.leave()
	t, slots, ok := w.shape(off)
	if !ok {
		w.noteTable(off, off+offsetSize, owner, noSchema)
		return
	}
	o := &w.s.Objects[typ]
	end := w.tableEnd(&t, o, slots)
	if !w.noteTable(off, end, owner, typ) {
		return
	}
	w.reached = max(w.reached, end)
	var stack [16]slotUse
	uses := stack[:0]
	unknown := 0
	for _, s := range slots {
		if o.bySlot(s.index) == nil {
			unknown++
		}
		if use, ok := w.use(&t, o, s); ok {
			uses = append(uses, use)
		}
	}
	if w.overlaps(off, o, uses) {
		return
	}
	if unknown > 0 {
		w.unknown += unknown
		w.add(off, model.Problemf(w.unlessOwn(model.Assumed, model.Suspicious), ruleUnknownSlot, w.b.Span(off, end-off),
			"the table has fields that the schema does not know, such as in slot %d: a newer schema may", slots[len(slots)-1].index).
			Want("0 unknown slots", unknown))
	}
	for i := range o.Fields {
		w.field(off, end-off, &o.Fields[i], slots, depth)
	}
}

// use returns the run of bytes that a slot takes of a table, or false if it cannot be at that place.
func (w *walk) use(t *Table, o *Object, s slot) (slotUse, bool) {
	f, width, align := o.bySlot(s.index), int64(1), int64(1)
	if f != nil {
		width, align = w.s.size(f.Type), w.s.align(f.Type)
	}
	ok := s.at >= offsetSize && t.Off+s.at+width <= w.b.size && (t.Off+s.at)%align == 0
	if !ok || s.at+width > t.size && t.size > offsetSize {
		known := flag(f != nil) // readers by this schema do not look at others
		w.breach(t.Off, "slot", t.vtable+vtableHead+2*int64(s.index), grammar.StringValue(slotName(f, s.index)), known,
			grammar.IntValue(width), grammar.IntValue(align), grammar.IntValue(t.Off), grammar.IntValue(t.size))
	}
	return slotUse{s.at, s.at + width, s.index}, ok
}

// tableEnd returns the end of a table by its size, or the end of its last field inside the buffer if that is later.
func (w *walk) tableEnd(t *Table, o *Object, slots []slot) int64 {
	end := t.Off + t.size
	for _, s := range slots {
		if f := o.bySlot(s.index); f != nil && s.at >= offsetSize && t.Off+s.at+w.s.size(f.Type) <= w.b.size {
			end = max(end, t.Off+s.at+w.s.size(f.Type))
		}
	}
	return end
}

func slotName(f *Field, slot int) string {
	if f == nil {
		return fmt.Sprintf("slot %d", slot)
	}
	return f.Name
}

// overlaps reports slots that share bytes. The field at one place decides nothing, so none is followed.
func (w *walk) overlaps(off int64, o *Object, uses []slotUse) bool {
	slices.SortFunc(uses, func(a, b slotUse) int { return int(a.lo - b.lo) })
	for i := 1; i < len(uses); i++ {
		a, b := uses[i-1], uses[i]
		if b.lo < a.hi {
			w.problem(off, model.Malformed, ruleSlotOverlap, w.b.Span(off+b.lo, b.hi-b.lo), "%s and %s share bytes",
				slotName(o.bySlot(a.slot), a.slot), slotName(o.bySlot(b.slot), b.slot))
			return true
		}
	}
	return false
}

// enter puts the table at off on the stack. It returns false if the table is too deep or inside itself.
func (w *walk) enter(off int64, depth int, owner int64) bool {
	switch {
	case depth > maxDepth:
		w.add(owner, model.Problemf(model.Limit, ruleDepth, w.b.Span(off, offsetSize), "tables are nested deeper than %d: this one is not read", maxDepth))
		return false
	case slices.Contains(w.stack, off):
		w.problem(owner, model.Malformed, ruleCycle, w.b.Span(off, offsetSize), "a table holds itself")
		return false
	}
	w.stack = append(w.stack, off)
	return true
}

func (w *walk) leave() { w.stack = w.stack[:len(w.stack)-1] }

// place returns the offset of a slot's bytes in a table. It is 0 if the field is absent or beyond the room bytes after
// the table's first.
func place(slots []slot, index int, width, room int64) int64 {
	i, found := slices.BinarySearchFunc(slots, index, func(s slot, index int) int { return s.index - index })
	if !found || slots[i].at < offsetSize || slots[i].at+width > room {
		return 0
	}
	return slots[i].at
}

// field follows one field of a table.
func (w *walk) field(off, size int64, f *Field, slots []slot, depth int) {
	room := w.b.size - off
	at := place(slots, f.Slot, w.s.size(f.Type), room)
	if at == 0 {
		if f.Required {
			w.problem(off, model.Malformed, ruleRequired, w.b.Span(off, size), "%s is absent, which the schema requires", f.Name)
		}
		if t := f.Type; t.Base == reflection.BaseTypeUnion || t.Base == reflection.BaseTypeVector && t.Elem == reflection.BaseTypeUnion {
			w.unionWithout(off, room, f, slots)
		}
		return
	}
	at += off
	switch f.Type.Base {
	case reflection.BaseTypeString:
		if to, ok := w.follow(at, off, f.Name); ok {
			w.text(to, off)
		}
	case reflection.BaseTypeObj:
		if !w.s.isStruct(f.Type) {
			if to, ok := w.follow(at, off, f.Name); ok {
				w.table(to, f.Type.Index, off, depth+1)
			}
		}
	case reflection.BaseTypeUnion:
		typeAt := place(slots, f.Slot-1, 1, room)
		number := uint8(0)
		if typeAt != 0 {
			number, _ = w.r.U8(off + typeAt)
		}
		typeAt += off
		w.union(at, typeAt, number, off, f, depth)
	case reflection.BaseTypeVector:
		if to, ok := w.follow(at, off, f.Name); ok {
			w.vector(to, off, room, f, slots, depth)
		}
	}
}

// unionWithout checks that a union without a value has no type.
func (w *walk) unionWithout(off, room int64, f *Field, slots []slot) {
	if f.Type.Base == reflection.BaseTypeVector {
		if at := place(slots, f.Slot-1, offsetSize, room); at != 0 {
			w.problem(off, model.Malformed, ruleUnion, w.b.Span(off+at, offsetSize), "%s has types but no values", f.Name)
		}
		return
	}
	if at := place(slots, f.Slot-1, 1, room); at != 0 {
		if number, _ := w.r.U8(off + at); number != 0 {
			w.add(off, model.Problemf(w.unlessOwn(model.Suspicious, model.Malformed), ruleUnion, w.b.Span(off+at, 1), "%s has a type but no value", f.Name).Want(0, number))
		}
	}
}

// union follows the union's value whose offset is at; its type number is at typeAt.
func (w *walk) union(at, typeAt int64, number uint8, owner int64, f *Field, depth int) {
	e := &w.s.Enums[f.Type.Index]
	member := e.Value(int64(number))
	if number == 0 || member == nil {
		kind, what := model.Assumed, "is none of its types that the schema knows: a newer schema may"
		if number == 0 {
			kind, what = model.Suspicious, "has a value but no type, so that readers pass it over"
		}
		w.add(owner, model.Problemf(w.unlessOwn(kind, model.Malformed), ruleUnion, w.b.Span(typeAt, 1), "%s %s", f.Name, what).
			Want(fmt.Sprintf("1 to %d", e.Values[len(e.Values)-1].Number), number))
		w.unknownMember(at, owner)
		return
	}
	if w.s.isStruct(member.Type) {
		if to, ok := w.followTo(at, owner, f.Name, w.s.size(member.Type), w.s.align(member.Type)); ok {
			w.note(object{off: uint32(to), end: uint32(to + w.s.size(member.Type)), owner: uint32(owner), typ: w.vectorType(member.Type), kind: aVector})
		}
		return
	}
	to, ok := w.follow(at, owner, f.Name)
	switch {
	case !ok:
	case member.Type.Base == reflection.BaseTypeString:
		w.text(to, owner)
	default:
		w.table(to, member.Type.Index, owner, depth+1)
	}
}

// unknownMember notes the value of a union of a type that the schema does not know, if it looks like a table.
func (w *walk) unknownMember(at, owner int64) {
	w.via = at
	off := w.r.target(at)
	if off == 0 || off%offsetSize != 0 || off > w.b.size-offsetSize || !w.plausibleTable(off) {
		return
	}
	if t, _, ok := w.shape(off); ok {
		w.noteTable(off, off+t.size, owner, noSchema)
	}
}

// text verifies a string.
func (w *walk) text(off, owner int64) {
	if !w.next() {
		return
	}
	n, _ := w.r.U32(off)
	end := off + offsetSize + int64(n)
	if end >= w.b.size {
		w.breach(owner, "string", off)
		w.note(object{off: uint32(off), end: uint32(off + offsetSize), owner: uint32(owner), kind: aString})
		return
	}
	if nul, _ := w.r.U8(end); nul != 0 {
		w.breach(owner, "string", off)
	}
	w.note(object{off: uint32(off), end: uint32(end + 1), owner: uint32(owner), kind: aString})
}

func (w *walk) vectorType(t Type) uint16 {
	n, ok := w.vectorNo[t]
	if !ok {
		n = uint16(len(w.vectors))
		w.vectors = append(w.vectors, t)
		w.vectorNo[t] = n
	}
	return n
}

// vector verifies the vector of the field f of the table owner and follows its elements.
func (w *walk) vector(off, owner, room int64, f *Field, slots []slot, depth int) {
	if !w.next() {
		return
	}
	t := f.Type
	elem := t.element()
	width, first := w.s.size(elem), off+offsetSize
	n, _ := w.r.U32(off)
	count, cut := w.vectorCount(off, owner, int64(n), f)
	if cut && w.s.isOffset(elem) {
		count = w.offsetsAt(first, count)
	}
	if !w.note(object{off: uint32(off), end: uint32(first + count*width), owner: uint32(owner), typ: w.vectorType(t), kind: aVector}) {
		return
	}
	if !w.s.isOffset(elem) {
		return
	}
	types := int64(0)
	if elem.Base == reflection.BaseTypeUnion {
		var ok bool
		var known int64
		if types, known, ok = w.unionTypes(owner, room, f, slots, int64(n)); !ok {
			return
		}
		count = min(count, known)
	}
	if w.limit > 0 && count > w.limit {
		count, w.partial = w.limit, true
	}
	for i := int64(0); i < count && w.next(); i++ {
		at := first + i*width
		if elem.Base == reflection.BaseTypeUnion {
			number, _ := w.r.U8(types + i)
			w.union(at, types+i, number, off, f, depth)
			continue
		}
		to, ok := w.follow(at, off, f.Name+model.IndexName(i))
		switch {
		case !ok:
		case elem.Base == reflection.BaseTypeString:
			w.text(to, off)
		default:
			w.table(to, elem.Index, off, depth+1)
		}
	}
}

// offsetsAt returns the number of the words, of count at most, that are offsets to objects behind the vector.
func (w *walk) offsetsAt(first, count int64) int64 {
	end := w.b.size
	for i := range count {
		at := first + i*offsetSize
		to := w.r.target(at)
		if at+offsetSize > end || to == 0 || to%offsetSize != 0 || !w.next() {
			return i
		}
		end = min(end, to)
	}
	return count
}

// vectorCount returns the number of elements, of n at most, that the vector of the field f can have, and whether it is
// cut.
func (w *walk) vectorCount(off, owner, n int64, f *Field) (count int64, cut bool) {
	elem := f.Type.element()
	width, align, first := w.s.size(elem), w.s.align(elem), off+offsetSize
	count, room := n, (w.b.size-first)/width
	if n > room {
		w.breach(owner, "vector", off, grammar.StringValue(f.Name), grammar.IntValue(width))
		count, cut = room, true
	}
	if first%align != 0 && n > 0 {
		w.breach(owner, "first element", first, grammar.StringValue(f.Name), grammar.IntValue(width), grammar.IntValue(align))
		count = 0
	}
	return count, cut
}

// unionTypes returns the offset of the types of a vector of unions and their number, which must be that of its values.
func (w *walk) unionTypes(owner, room int64, f *Field, slots []slot, n int64) (first, count int64, ok bool) {
	at := place(slots, f.Slot-1, offsetSize, room)
	if at == 0 {
		w.problem(owner, model.Malformed, ruleUnion, w.b.Span(owner, offsetSize), "%s has values but no types", f.Name)
		return 0, 0, false
	}
	to := w.r.target(owner + at)
	if to == 0 {
		return 0, 0, false // a problem of the field of the types
	}
	first, count = w.r.vector(to, 1)
	if count != n {
		w.add(owner, model.Problemf(model.Malformed, ruleUnion, w.b.Span(to, offsetSize), "%s has not as many types as values", f.Name).Want(n, count))
	}
	return first, count, true
}
