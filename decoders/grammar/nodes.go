package grammar

import (
	"context"
	"slices"
	"sort"
	"sync/atomic"

	"cutaway/model"
)

// eager returns the number of elements that are read when a node is made. A list of more is pending.
func (s *Session) eager() int64 {
	if s.Eager > 0 {
		return s.Eager
	}
	return 256
}

// maxText is the most bytes of text that a node holds. A longer text is shown as bytes.
const maxText = 1 << 20

// Node returns the object as a node.
func (o *Object) Node(ctx context.Context, name string) model.Node {
	n := model.Node{Name: name, Type: o.rec.Title, Help: o.rec.Help}
	end := o.End()
	if o.ownsStream() {
		end = o.stream.End
	}
	n.Spans = []model.Span{o.stream.Source.Span(o.start, end-o.start)}
	n.Children = o.Children(ctx)
	n.Problems = o.breaches(ctx)
	return n
}

// breaches returns the problems of the object as a whole. While it is pending none is known.
func (o *Object) breaches(ctx context.Context) (list []model.Problem) {
	if len(o.rec.Checks) == 0 || !o.done.Load() && !o.whole {
		return nil
	}
	r := atGlance(ctx)
	defer r.endGlance()
	at := o.stream.Source.Span(o.start, o.End()-o.start)
	for i := range o.rec.Checks {
		if p, breach := o.rec.Checks[i].problem(Scope{r, o}, ObjectValue(o), at); breach {
			list = append(list, p)
		}
	}
	return list
}

// ownsStream reports whether no other record shares the object's stream. What lies in an extent is alone there, also where that is
// as long as all around it.
func (o *Object) ownsStream() bool {
	return o.start == o.stream.Start && (o.parent == nil || o.parent.stream != o.stream || o.field.Extent != nil)
}

// Children returns the object's fields. They are pending where reading them takes many steps.
func (o *Object) Children(ctx context.Context) model.Children {
	c := &fields{o: o}
	if !o.done.Load() {
		r := Borrow(ctx)
		r.budget = o.session.eager()
		o.complete(r)
		r.Return()
	}
	if !o.done.Load() {
		return c
	}
	if l := c.inlinedList(); l != nil {
		l.begin(ctx)
	} else if i := c.inlinedField(); i >= 0 {
		if inner := c.inlinedRecord(i); inner != nil {
			inner.Children(ctx)
		}
	}
	return c
}

// Resolve reads the object, which may take long.
func (o *Object) Resolve(ctx context.Context, progress model.Progress) error {
	return (&fields{o: o}).Resolve(ctx, progress)
}

// ObjectOf returns the object whose fields some children are, or nil.
func ObjectOf(c model.Children) *Object {
	if c, ok := c.(*fields); ok {
		return c.o
	}
	return nil
}

// Nodes returns the object's fields, made now.
func (o *Object) Nodes(ctx context.Context) (nodes []model.Node) {
	fields := o.Children(ctx)
	n, _ := fields.Len(ctx)
	for i := range n {
		nodes = append(nodes, fields.At(ctx, i))
	}
	return nodes
}

// fields is the fields of an object as children.
type fields struct {
	o       *Object
	visible atomic.Pointer[[]int32] // the present fields
}

// shown returns the numbers of the present fields; the one after the last stands for the bytes that no field read.
func (c *fields) shown(ctx context.Context) []int32 {
	if v := c.visible.Load(); v != nil {
		return *v
	}
	o := c.o
	r := Borrow(ctx)
	defer r.Return()
	shown := make([]int32, 0, len(o.rec.Fields)+1)
	for i, f := range o.rec.Fields {
		if !f.Hidden && c.isShown(r, i, f) {
			shown = append(shown, int32(i))
		}
	}
	if o.session.Tile && o.ownsStream() && o.End() < o.stream.End {
		shown = append(shown, int32(len(o.rec.Fields)))
	}
	if ctx.Err() == nil {
		c.visible.Store(&shown)
	}
	return shown
}

// isShown reports whether a field that is not hidden has a node.
func (c *fields) isShown(r *Reading, i int, f *Field) bool {
	o := c.o
	switch {
	case o.whole:
		return !f.Absent
	case f.Skip:
		return false
	case i < o.rec.sequence:
		return i < o.next && o.slots[i].state != absent
	}
	return c.isPresent(r, f)
}

// isPresent reports whether a field that is read elsewhere or computed has a value. One whose condition fails is present, with that
// problem.
func (c *fields) isPresent(r *Reading, f *Field) bool {
	if f.Absent {
		return false
	}
	if f.Computed != nil {
		v, err := c.o.value(r, f.index)
		return err != nil || v.kind != Null
	}
	if f.Condition == nil {
		return true
	}
	defer r.unlock(c.o, r.lock(c.o))
	there, err := evalBool(f.Condition, Scope{r, c.o})
	return there || err != nil
}

// spliced is children that are shown among the fields of a record.
type spliced interface {
	model.Children
	model.Pending
	model.Finder
}

// inlined returns the children that are shown instead of a field, or nil if none are, and the field's number among those that are
// shown.
func (c *fields) inlined(ctx context.Context) (k int64, in spliced) {
	i := c.inlinedField()
	if i < 0 {
		return 0, nil
	}
	if l := c.inlinedList(); l != nil {
		in = &elements{l: l}
	} else if o := c.inlinedRecord(i); o != nil {
		in, _ = o.Children(ctx).(*fields)
	}
	if in == nil {
		return 0, nil
	}
	shown := c.shown(ctx)
	return int64(sort.Search(len(shown), func(k int) bool { return int(shown[k]) >= i })), in
}

// inlinedField returns the number of the field that is inlined, or -1 if none is.
func (c *fields) inlinedField() int {
	o := c.o
	for _, i := range o.rec.inline {
		if !o.whole && i < o.next && o.slots[i].state != absent {
			return i
		}
	}
	return -1
}

// inlinedRecord returns the record whose fields are shown instead of field i. It returns nil if the record is cut off or breaks a
// rule, which only a node of its own can show.
func (c *fields) inlinedRecord(i int) *Object {
	o := c.o
	f, s := o.rec.Fields[i], &o.slots[i]
	inner, _ := s.ref.(*Object)
	if inner == nil || s.problem != nil && s.problem != brokenInside {
		return nil
	}
	r := atGlance(context.Background())
	defer r.endGlance()
	for k := range f.Checks {
		if _, breach := f.Checks[k].problem(Scope{r, o}, ObjectValue(inner), s.span()); breach {
			return nil
		}
	}
	return inner
}

// inlinedList returns the list whose elements are shown instead of a field, or nil. A list with a problem as a whole is shown as a
// field of its own if no field before it can have the problem.
func (c *fields) inlinedList() *List {
	o := c.o
	i := c.inlinedField()
	if i < 0 {
		return nil
	}
	l, _ := o.slots[i].ref.(*List)
	if l == nil || i > 0 && !o.rec.Fields[i-1].Hidden && !o.rec.Fields[i-1].Skip && o.slots[i-1].state != absent || c.listProblem(i, l) == nil {
		return l
	}
	return nil
}

// listProblem returns the problem of the inlined list of field i as a whole, or nil.
func (c *fields) listProblem(i int, l *List) *model.Problem {
	if p := c.o.slots[i].problem; p != nil && p != brokenInside {
		return p
	}
	if p := l.fault(); p != brokenInside {
		return p
	}
	return nil
}

// Pending reports whether fields have yet to be read.
func (c *fields) Pending() bool {
	o := c.o
	if !o.done.Load() {
		return true
	}
	if l := c.inlinedList(); l != nil {
		return (&elements{l: l}).Pending()
	}
	i := c.inlinedField()
	if i < 0 {
		return false
	}
	inner := c.inlinedRecord(i)
	return inner != nil && (&fields{o: inner}).Pending()
}

// Resolve reads all fields.
func (c *fields) Resolve(ctx context.Context, progress model.Progress) error {
	r := NewReading(ctx, c.o.stream.reach(c.o.start))
	r.progress, r.over = progress, *c.o.stream
	c.o.complete(r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, in := c.inlined(ctx); in != nil {
		return in.Resolve(ctx, progress)
	}
	return nil
}

// Len returns the number of nodes, and whether it is final.
func (c *fields) Len(ctx context.Context) (int64, bool) {
	if c.Pending() {
		return 0, false
	}
	n := int64(len(c.shown(ctx)))
	if _, in := c.inlined(ctx); in != nil {
		inside, _ := in.Len(ctx)
		n += inside - 1
	}
	return n, true
}

// At makes node k.
func (c *fields) At(ctx context.Context, k int64) model.Node {
	if first, in := c.inlined(ctx); in != nil && k >= first {
		n, _ := in.Len(ctx)
		if k < first+n {
			return in.At(ctx, k-first)
		}
		k -= n - 1
	}
	if shown := c.shown(ctx); k >= 0 && k < int64(len(shown)) {
		return c.field(ctx, int(shown[k]))
	}
	// There were more when they were counted: what could not be read then, or not now, was read in between.
	o := c.o
	return model.Node{Name: model.IndexName(k), Problems: []model.Problem{model.Problemf(model.Unread, o.session.Truncated,
		o.stream.Source.Span(o.start, 0), "this field was there and cannot be read any more")}}
}

// field returns the node of field i, or for the one after the last that of the bytes that no field read.
func (c *fields) field(ctx context.Context, i int) model.Node {
	o := c.o
	if i == len(o.rec.Fields) {
		return o.rest()
	}
	r := atGlance(ctx)
	defer r.endGlance()
	f := o.rec.Fields[i]
	s, _ := o.slot(r, i, &r.own)
	n := &r.node
	*n = model.Node{Name: f.Name}
	Piece{o, f, r, s}.fill(n)
	if next := c.inlinedField(); next == i+1 { // the elements have no node together
		if l := c.inlinedList(); l != nil {
			if p := c.listProblem(next, l); p != nil {
				n.Problems = append(n.Problems, *p)
			}
		}
	}
	return *n
}

// rest returns the bytes of the object that no field read.
func (o *Object) rest() model.Node {
	return restNode(o.stream.Source.Span(o.End(), o.stream.End-o.End()))
}

func restNode(at model.Span) model.Node {
	return model.Node{Name: "rest", Type: "bytes", Role: model.Unknown, Help: "bytes after the known fields",
		Spans: []model.Span{at}, Value: model.Blob{Span: at}}
}

// shownField finds the field of a name among those that are shown. Of several with the name the record has one. "rest" may be the
// bytes that no field read.
func (c *fields) shownField(ctx context.Context, name string) (k int, ok bool) {
	shown := c.shown(ctx)
	if i, named := c.o.rec.byName[name]; named {
		for _, f := range c.o.rec.Fields[i:] {
			if f.Name != name {
				continue
			}
			if k, ok = slices.BinarySearch(shown, int32(f.index)); ok {
				return k, true
			}
		}
	}
	last := len(shown) - 1
	return last, name == "rest" && last >= 0 && int(shown[last]) == len(c.o.rec.Fields)
}

// Find finds a field by its name or by a byte.
func (c *fields) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return c.locate(ctx, q)
	}
	return c.index(ctx, q)
}

func (c *fields) index(ctx context.Context, q model.Query) (int64, bool) {
	first, in := c.inlined(ctx)
	inside := int64(1)
	if in != nil {
		inside, _ = in.Len(ctx)
	}
	k, ok := c.shownField(ctx, q.Name)
	switch {
	case in == nil || ok && int64(k) < first:
		return int64(k), ok
	case ok && int64(k) > first:
		return int64(k) + inside - 1, true
	}
	e, ok := in.Find(ctx, q)
	return first + e, ok
}

// locate finds the field over a byte; of the fields that are read elsewhere only one that was made before.
func (c *fields) locate(ctx context.Context, q model.Query) (int64, bool) {
	first, in := c.inlined(ctx)
	for k, i := range c.shown(ctx) {
		at, ok := c.spanOf(ctx, int(i))
		switch {
		case !ok || !at.Covers(q.Source, q.Off):
		case in == nil || int64(k) < first:
			return int64(k), true
		case int64(k) == first:
			e, ok := in.Find(ctx, q)
			return first + e, ok
		default:
			n, _ := in.Len(ctx)
			return int64(k) + n - 1, true
		}
	}
	return 0, false
}

// spanOf returns the bytes of field i, which is present, or false if it is read elsewhere and was not read yet.
func (c *fields) spanOf(ctx context.Context, i int) (model.Span, bool) {
	o := c.o
	if i == len(o.rec.Fields) {
		return o.stream.Source.Span(o.End(), o.stream.End-o.End()), true
	}
	r := NewReading(ctx, Near)
	if o.whole || i < o.rec.sequence {
		s, _ := o.slot(r, i, &r.own)
		return s.span(), true
	}
	defer r.unlock(o, r.lock(o))
	s := &o.slots[i]
	if s.state != present || s.source == nil {
		return model.Span{}, false
	}
	return s.span(), true
}

// fill completes the node of a slot.
func (p Piece) fill(n *model.Node) {
	n.Help, n.Role = p.Field.Help, p.Field.Role
	p.s.place(p.Field, n)
	var broken *model.Problem // for Session.Broken
	if p.s.problem != nil && p.s.problem != brokenInside {
		if broken = p.s.problem; p.Object.session.Broken == nil {
			n.Problems = append(n.Problems, *p.s.problem)
		}
	}
	hasValue := p.s.problem == nil || p.s.ref != nil || p.s.sized && !p.s.number() // a number whose bytes are missing is none
	if hasValue {
		p.fillValue(n)
	}
	if _, list := p.s.ref.(*List); p.s.problem == nil && !list {
		broken = p.fillChecks(n)
	}
	if p.Field.Node != nil {
		p.complete(n, hasValue)
	}
	if broken != nil && p.Object.session.Broken != nil {
		p.Object.session.Broken(n, *broken)
	}
}

// number reports whether the slot's type is one of numbers.
func (s *slot) number() bool {
	switch s.typ.(type) {
	case *Scalar, *BitField:
		return true
	}
	return false
}

// place sets a node's type, its bytes, and the source that a process made.
func (s *slot) place(f *Field, n *model.Node) {
	if s.typ != nil {
		n.Type = s.typ.Name()
	}
	if f.Computed == nil && s.source != nil {
		n.Spans = []model.Span{s.span()}
	}
	if s.decoded != nil {
		n.Spans = append(n.Spans, s.decoded.Whole())
		n.Derived = []*model.Derivation{s.derivation()}
	}
}

// complete lets the format complete a field's node.
func (p Piece) complete(n *model.Node, hasValue bool) {
	var v Value
	if hasValue {
		v, _ = p.value()
	}
	p.Field.Node(Scope{p.r, p.Object}, v, n)
}

// fillChecks puts breaches of a field's rules on its node, and returns one that is for Session.Broken.
func (p Piece) fillChecks(n *model.Node) (broken *model.Problem) {
	for i := range p.Field.Checks {
		v, _ := p.value()
		problem, breach := p.Field.Checks[i].problem(Scope{p.r, p.Object}, v, n.Span())
		switch {
		case !breach:
		case p.Field.Checks[i].Ends && p.Object.session.Broken != nil:
			broken = new(problem)
		default:
			n.Problems = append(n.Problems, problem)
		}
	}
	return broken
}

// fillValue sets the value or the children of a node.
func (p Piece) fillValue(n *model.Node) {
	switch ref := p.s.ref.(type) {
	case *Object:
		p.fillRecord(ref, n)
		return
	case *List:
		ref.fill(p.r.ctx, n)
		return
	case Value:
		if custom, ok := p.s.typ.(*Custom); ok {
			if custom.Node != nil {
				custom.Node(Scope{p.r, p.Object}, ref, n)
			}
			return
		}
		ref.show(p.r.ctx, n)
		if number, ok := ref.Int(); ok && p.Field.Names != nil {
			n.Value = p.symbol(n.Value, number)
		}
		return
	}
	switch t := p.s.typ.(type) {
	case *Scalar:
		n.Value = p.scalar(t)
	case *BitField:
		n.Spans[0].Mask = t.mask(p.s.bit)
		n.Value = model.Uint(p.s.bits)
		if t.Flag {
			n.Value = model.Bool(p.s.bits != 0)
		}
		n.Value = p.symbol(n.Value, int64(p.s.bits))
	case *Opaque:
		at := p.s.contentSpan()
		n.Value = model.Blob{Span: at}
		if t.decode != nil && at.Len <= maxText {
			v, err := p.value()
			if err != nil {
				n.Problems = append(n.Problems, p.s.failure(p.Object, err))
				return
			}
			n.Value = model.Text(v.String())
		}
	}
}

// scalar returns the value of a slot that holds one.
func (p Piece) scalar(t *Scalar) model.Value {
	if t.kind != composite {
		return p.symbol(t.show(p.s.bits), int64(p.s.bits))
	}
	b, err := p.r.bytes(p.s.source, p.s.off, t.size)
	if err != nil {
		return nil
	}
	return t.make(b)
}

// symbol gives a number its name.
func (p Piece) symbol(v model.Value, number int64) model.Value {
	if p.Field.Names == nil {
		return v
	}
	return model.Symbol{Number: number, Name: p.Field.Names(Scope{p.r, p.Object}, number), Numbered: p.Field.ShowsNumber}
}

// show gives a node the value, which an expression computed.
func (v Value) show(ctx context.Context, n *model.Node) {
	switch v.kind {
	case Int:
		n.Value = model.Int(int64(v.bits))
	case Uint:
		n.Value = model.Uint(v.bits)
	case Float:
		f, _ := v.Float()
		n.Value = model.Float64(f)
	case Bool:
		n.Value = model.Bool(v.bits != 0)
	case String:
		n.Value = model.Text(v.String())
	case IO:
		n.Brief = model.GroupedCount(v.Stream().Size(), "byte")
	case Bytes:
		n.Value = model.Blob{Span: v.Blob().span()}
	case Struct:
		pointTo(n, v.Object())
	case Array:
		if l := v.List(); l != nil {
			l.fill(ctx, n)
			n.Children = &elements{l, true}
			referTo(n, l.owner.Path()+"/"+model.EscapeSegment(l.field.Name))
			return
		}
		values := v.Values()
		n.Elements = true
		n.Children = &model.Rows{Count: int64(len(values)), Make: func(ctx context.Context, i int64) model.Node {
			e := model.Node{Name: model.IndexName(i)}
			values[i].show(ctx, &e)
			return e
		}}
	}
}

// fillRecord gives a node the fields of the record that the piece is, or a ref to the same one around it.
func (p Piece) fillRecord(o *Object, n *model.Node) {
	if again := o.sameAround(p.Field); again != nil {
		pointTo(n, again)
		return
	}
	n.Type, n.Children = o.rec.Title, o.Children(p.r.ctx)
	n.Problems = append(n.Problems, o.breaches(p.r.ctx)...)
}

// maxSelf is the most times that one field, which reads the same place again and again, shows a record in itself.
const maxSelf = 100

// sameAround returns the ancestor of the same type at the same place as an object that f reads elsewhere, or nil. An example is a
// folder that contains itself, without end.
func (o *Object) sameAround(f *Field) *Object {
	if f.Place == nil {
		return nil
	}
	a := o.parent
	for n := 0; n < maxSelf && a != nil && a.field == f && a.isLike(o); n++ {
		a = a.parent
	}
	for a != nil && !a.isLike(o) {
		a = a.parent
	}
	return a
}

// isLike reports whether two objects are of one type and at one place.
func (o *Object) isLike(other *Object) bool {
	return o.rec == other.rec && o.start == other.start && o.stream.Source.Same(other.stream.Source) &&
		slices.EqualFunc(o.args, other.args, Value.same)
}

// pointTo makes n a node that stands for an object, whose fields are shown where it is read.
func pointTo(n *model.Node, o *Object) {
	n.Type = o.rec.Title
	referTo(n, o.Path())
}

// referTo gives a node a ref to the path of its value.
func referTo(n *model.Node, path string) {
	n.Brief = "→ " + path
	n.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "value", Path: path}} }
}

// fill completes the node of a list.
func (l *List) fill(ctx context.Context, n *model.Node) {
	f := l.field
	n.Type = l.of.Name() + "[]"
	t, scalars := l.of.(*Scalar)
	if l.size > 0 {
		n.Elements = l.known > 0
	}
	if scalars && l.size == t.size && f.Extent == nil {
		n.Value = &array{l: l, of: t, big: t.isBig(l.owner)}
	}
	l.begin(ctx)
	if p := l.fault(); p != nil && p != brokenInside {
		n.Problems = append(n.Problems, *p)
	}
	n.Problems = append(n.Problems, l.check(NewReading(ctx, Near), n.Span())...)
	n.Children = &elements{l: l}
	if known, done := l.counted(); done && known == 0 && f.Repeat.Names == nil {
		n.Columns = columnsOf(l.of)
	}
}

// columnsOf returns the columns of a list of a type, as far as its description tells: those of the fields of a record.
func columnsOf(t Type) []model.Column {
	const deepest = 8
	columns := []model.Column{}
	var add func(r *Record, prefix string, depth int)
	add = func(r *Record, prefix string, depth int) {
		for _, f := range r.Fields {
			inner, isRecord := f.Of.(*Record)
			switch {
			case f.Hidden || f.Absent || f.Role != model.Explained:
			case isRecord && f.Repeat == nil && depth < deepest:
				add(inner, prefix+f.Name+".", depth+1)
			case f.Of == nil:
				columns = append(columns, model.Column{Name: prefix + f.Name})
			default:
				columns = append(columns, model.Column{Name: prefix + f.Name, Type: f.Of.Name()})
			}
		}
	}
	if r, ok := t.(*Record); ok {
		add(r, "", 0)
	}
	return columns
}

// begin reads the first elements, as many as are read at once when a node is made.
func (l *List) begin(ctx context.Context) {
	if (&elements{l: l}).Pending() {
		r := NewReading(ctx, Near)
		r.budget = l.owner.session.eager()
		l.measure(r, -1)
		if _, done := l.counted(); !done {
			l.owner.remember(ctx)
		}
	}
}

// remember caches an object and its ancestors in the lists that have them as elements. Otherwise its elements, which take long to
// find, would be found anew.
func (o *Object) remember(ctx context.Context) {
	for r := NewReading(ctx, Near); o.parent != nil; o = o.parent {
		if o.index < 0 {
			continue
		}
		s, _ := o.parent.slot(r, o.field.index, &r.own)
		l, listed := s.ref.(*List)
		if e := new(slot); listed && l.element(r, o.index, e) == nil && !r.stopped && ctx.Err() == nil {
			if _, same := e.ref.(*Object); same {
				e.ref = o
				l.keepLong(o.index, e)
			}
		}
	}
}

// elements is the elements of a list as children.
type elements struct {
	l     *List
	again bool // the list is the value of an expression, and shown where it is read
}

// ListOf returns the list whose elements some children are, if it was read, or nil.
func ListOf(c model.Children) *List {
	if c, ok := c.(*elements); ok && !c.again {
		return c.l
	}
	return nil
}

// Field returns the field that the list is.
func (l *List) Field() *Field { return l.field }

// Whole reports whether all elements were read, none of them is cut, and no bytes are left after them.
func (l *List) Whole() bool {
	rest := l.rest()
	l.mu.Lock()
	defer l.mu.Unlock()
	partial := l.field.Repeat.ToEnd && l.size > 0 && (l.stream.End-l.start)%l.size != 0
	return l.done && l.problem == nil && rest.Len == 0 && !partial
}

// Pending reports whether elements have yet to be found.
func (c *elements) Pending() bool {
	_, done := c.l.counted()
	return !done
}

// Resolve finds all elements.
func (c *elements) Resolve(ctx context.Context, progress model.Progress) error {
	l := c.l
	for c.Pending() && ctx.Err() == nil {
		r := NewReading(ctx, l.stream.reach(l.start))
		l.measure(r, l.Known()+batch)
		progress.Report(l.measured()-l.start, l.stream.End-l.start, l.field.Name)
	}
	return ctx.Err()
}

// Len returns the number of nodes, and whether it is final.
func (c *elements) Len(context.Context) (int64, bool) {
	n, done := c.l.counted()
	if rest := c.l.rest(); rest.Len > 0 {
		n++
	}
	return n, done
}

// At makes the node of element i.
func (c *elements) At(ctx context.Context, i int64) model.Node {
	l := c.l
	if known, _ := l.counted(); i == known {
		return restNode(l.rest())
	}
	r := atGlance(ctx)
	defer r.endGlance()
	n, s := &r.node, new(slot)
	*n = model.Node{Name: l.name(r, i), Type: l.of.Name()}
	r.index = i
	if err := l.element(r, i, s); err != nil {
		n.Problems = []model.Problem{model.AsProblem(err, l.owner.session.Truncated, l.stream.Source.Span(l.start, 0))}
		return *n
	}
	Piece{l.owner, l.field, r, s}.fill(n)
	if ctx.Err() == nil && (n.IsPending() || r.took > l.owner.session.eager()) {
		l.keepLong(i, s)
	}
	if c.again {
		n.Spans, n.Derived, n.Problems = nil, nil, nil
		if o, ok := s.ref.(*Object); ok {
			n.Children = nil
			pointTo(n, o)
		}
	}
	return *n
}

// Find finds an element by its name or by a byte.
func (c *elements) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return c.locate(ctx, q.Source, q.Off)
	}
	return c.index(ctx, q.Name)
}

func (c *elements) index(ctx context.Context, name string) (int64, bool) {
	l := c.l
	known, _ := l.counted()
	if rest := l.rest(); rest.Len > 0 && name == "rest" {
		return known, true
	}
	if l.field.Repeat.Names != nil {
		r := NewReading(ctx, Near)
		s := Scope{r, l.owner}
		i, ok := l.field.Repeat.Names(s).Find(s, name)
		return i, ok && i < known
	}
	i, ok := model.ParseIndex(name)
	return i, ok && i < known
}

func (c *elements) locate(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(c.l.stream.Source) {
		return 0, false
	}
	if rest := c.l.rest(); rest.Covers(src, off) {
		known, _ := c.l.counted()
		return known, true
	}
	return c.l.elementOver(NewReading(ctx, Near), off)
}

// rest returns the bytes after a list that ends before its stream. In a list of elements of one size these may be a part of one.
func (l *List) rest() model.Span {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := l.end
	if l.size >= 0 && l.bits == nil {
		end = l.start + l.known*l.size
	}
	if !l.done || !l.field.Repeat.ToEnd || !l.owner.session.Tile {
		return model.Span{}
	}
	return l.stream.Source.Span(end, l.stream.End-end)
}

// derivation returns the bytes that a process made, as a source.
func (s *slot) derivation() *model.Derivation {
	src := s.decoded
	codec := src.Origin().Codec
	return &model.Derivation{Name: codec, Title: src.Title(), Codec: codec, Open: func(context.Context) (*model.Source, model.Node, error) {
		return src, model.Node{Name: codec, Type: "bytes", Spans: []model.Span{src.Whole()}, Help: "what the process made"}, nil
	}}
}
