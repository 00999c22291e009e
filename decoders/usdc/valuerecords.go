package usdc

import (
	"context"
	"fmt"
	"math"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The values that lie at offsets (chapters 11 to 13) are records, each told once. In the layout a value is the run of
// the records' leaves, named by the way to them ("explicit[0].customData[1].key"); jumps leave room between two of them
// for the data of nested values.

// structures is the descriptions of values at offsets. They are made by init, since what shows their fields uses them.
var structures struct {
	whole, array, edit, samples, spline, knot *grammar.Record
	dictionary, entry, nested                 *grammar.Record
	of                                        map[valueType]*grammar.Record // of values that are no arrays; others are whole
}

func init() {
	s := &structures
	s.whole = grammar.NewRecord("value", grammar.F("value", elements, "").Sized(elementSize(nil)).Shown(showWhole))
	s.array, s.edit, s.samples = newArray(), newArrayEdit(), newTimeSamples()
	s.nested = grammar.NewRecord("nested value", nestedValue()...)
	s.entry = grammar.NewRecord("entry", append([]*grammar.Field{stringField("key", "name of the entry")}, nestedValue()...)...)
	s.dictionary = grammar.NewRecord("dictionary", things("entries", atLeast(entrySize), s.entry)...)
	s.knot = newKnot()
	s.spline = newSpline()
	vector := grammar.NewRecord("vector", elementList("elements")...)
	elementListOp := newListOp(grammar.NewRecord("items", elementList("items")...))
	nestedListOp := newListOp(grammar.NewRecord("items", things("items", atLeast(nestedSize), s.nested)...))
	payload := newAsset("Payload", since(8))
	reference := newAsset("Reference", nil, grammar.F("customData", s.dictionary, ""))
	s.of = map[valueType]*grammar.Record{
		typeDictionary: s.dictionary, typeValue: s.nested, typeUnregisteredValue: s.nested,
		typeTokenListOp: elementListOp, typeStringListOp: elementListOp, typePathListOp: elementListOp,
		typeIntListOp: elementListOp, typeInt64ListOp: elementListOp,
		typeUIntListOp: elementListOp, typeUInt64ListOp: elementListOp,
		typeReferenceListOp:         newListOp(grammar.NewRecord("items", things("items", atLeast(referenceSize), reference)...)),
		typePayloadListOp:           newListOp(grammar.NewRecord("items", things("items", payloadSize, payload)...)),
		typeUnregisteredValueListOp: nestedListOp,
		typePathVector:              vector, typeTokenVector: vector, typeStringVector: vector, typeDoubleVector: vector,
		typeLayerOffsetVector: vector, typeRelocates: vector, typeVariantSelectionMap: vector,
		typePayload: payload, typeTimeSamples: s.samples, typeSpline: s.spline,
	}
}

// structure is the description of the value at r's payload. r lies outside its rep.
func (c *crate) structure(r rep) *grammar.Record {
	switch c.placement(r) {
	case placedArray:
		return structures.array
	case placedEdit:
		return structures.edit
	}
	if rec := structures.of[r.typ()]; rec != nil {
		return rec
	}
	return structures.whole
}

// Least sizes of what a count counts, in bytes (chapter 15).
const (
	entrySize     = 4 + 8 + 8         // a dictionary's entry with the least jump
	nestedSize    = 8 + 8             // a jump and a rep
	referenceSize = 4 + 4 + 8 + 8 + 8 // with an empty dictionary
	knotDataSize  = 8 + 8             // a time and an empty dictionary
)

func atLeast(n int64) func(grammar.Scope) int64 { return func(grammar.Scope) int64 { return n } }

// payloadSize is the size of a payload.
func payloadSize(s grammar.Scope) int64 {
	if crateOf(s).before(8, 0) {
		return 4 + 4
	}
	return 4 + 4 + 8 + 8
}

// The types of fields. What a leaf names or holds is told by its type.
var (
	tokenIndex    = grammar.U32.Named("TokenIndex")
	fieldIndex    = grammar.U32.Named("FieldIndex")
	stringIndex   = grammar.U32.Named("StringIndex")
	pathIndex     = grammar.U32.Named("PathIndex")
	valueRep      = grammar.U64.Named("value rep")
	valueReps     = grammar.Raw.Named("value rep[]")
	jumpOffset    = grammar.I64.Named("i64")
	elements      = grammar.Raw.Named("elements") // of the value's type
	lookupTable   = grammar.Raw.Named("table")    // the same, of coded floats
	lookupSize    = grammar.U32.Named("u32")      // of the table
	arrayCode     = grammar.U8.Named("u8")        // how floats are coded
	codedIntegers = &grammar.Custom{Display: "cints", Read: readCodedIntegers, Node: showCodedIntegers}
)

// crateOf is the crate that a field is read in.
func crateOf(s grammar.Scope) *crate { return s.Env().(*crate) }

// repOf is the rep of the value that a field belongs to.
func repOf(s grammar.Scope) rep {
	r, _ := s.Object().Root().Arg(0).Uint()
	return rep(r)
}

func elemOf(s grammar.Scope) *elem { return &repOf(s).typ().info().elem }

// since holds from version 0.minor.0 on.
func since(minor uint8) grammar.Expr {
	return grammar.When(func(s grammar.Scope) bool { return !crateOf(s).before(minor, 0) })
}

// elementSize is the bytes of as many elements of the value's type as a field counts; nil: of one.
func elementSize(count *grammar.Field) grammar.Expr {
	return grammar.Calc(func(s grammar.Scope) int64 {
		if count == nil {
			return elemOf(s).size()
		}
		return s.Int(count) * elemOf(s).size()
	})
}

// counter is a field that counts things of at least so many bytes each, which the bytes that follow must hold.
func counter(name string, of grammar.Type, help string, least func(s grammar.Scope) int64) *grammar.Field {
	f := grammar.F(name, of, help)
	return f.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		n, _ := v.Uint()
		size := least(s)
		room := (s.Object().Stream().End - s.Span(f).End()) / size
		if n <= uint64(room) {
			return model.Problem{}, false
		}
		return model.Problemf(model.Truncated, "usdc.value.count", model.Span{},
			"%s: a count of %d things of %d bytes or more needs more bytes than follow", crateOf(s).typeName(repOf(s)), n, size).
			WantAtMost(room, n), true
	})
}

const countHelp = "number of what follows"

// things is a count and as many records of at least so many bytes each.
func things(name string, least func(s grammar.Scope) int64, of grammar.Type) []*grammar.Field {
	count := counter("count", grammar.U64, countHelp, least)
	return []*grammar.Field{count, grammar.F(name, of, "").Times(grammar.Ref("count")).Inline()}
}

// elementList is a count and as many elements of the value's type.
func elementList(name string) []*grammar.Field {
	count := counter("count", grammar.U64, countHelp, func(s grammar.Scope) int64 { return elemOf(s).size() })
	return []*grammar.Field{count, grammar.F(name, elements, "").Sized(elementSize(count)).If(positive(count)).Shown(showElements)}
}

// positive holds where a field counts something.
func positive(count *grammar.Field) grammar.Expr {
	return grammar.When(func(s grammar.Scope) bool {
		v, _ := s.Value(count)
		n, _ := v.Uint()
		return n > 0
	})
}

// jump is an indirection and the bytes of others that it leads over. It must lead forward, over at least itself, so that
// every walk ends.
func jump(name, help string) []*grammar.Field {
	f := grammar.F(name, jumpOffset, help)
	f.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
		c, p := crateOf(s), s.Span(f).Off
		j, _ := v.Int()
		if j >= 8 && j <= c.size-p {
			return model.Problem{}, false
		}
		return model.Problemf(model.Malformed, "usdc.value.jump", model.Span{}, "%s: a jump leads to offset %s",
			c.typeName(repOf(s)), jumpTarget(p, j)).Want(fmt.Sprintf("8 to %d", c.size-p), j), true
	})
	room := grammar.Calc(func(s grammar.Scope) int64 { return s.Int(f) - 8 })
	return []*grammar.Field{f, grammar.F("after "+name, grammar.Raw, "").Sized(room).Skipped()}
}

// jumpTarget is p + j in words, also where the sum has no int64.
func jumpTarget(p, j int64) string {
	if j > math.MaxInt64-p {
		return "beyond any file"
	}
	return fmt.Sprint(p + j)
}

// nestedValue is a jump and the rep of a nested value after it (12.1).
func nestedValue() []*grammar.Field {
	return append(jump("jump", "from its own first byte to the rep of the nested value"), repField("value", ""))
}

func repField(name, help string) *grammar.Field {
	return grammar.F(name, valueRep, help).Shown(func(s grammar.Scope, v grammar.Value, n *model.Node) {
		if r, ok := v.Uint(); ok {
			*n = crateOf(s).repNode(n.Name, rep(r), n.Span())
			if help != "" {
				n.Help = help
			}
		}
	})
}

func stringField(name, help string) *grammar.Field {
	return grammar.F(name, stringIndex, help).Shown(showIndexOf(scalarString))
}

// showIndexOf sets the text that an index stands for.
func showIndexOf(of scalar) func(s grammar.Scope, v grammar.Value, n *model.Node) {
	return func(s grammar.Scope, v grammar.Value, n *model.Node) {
		c := crateOf(s)
		number, ok := v.Uint()
		if !ok {
			return
		}
		text, err := c.indexed(s.Reading().Context(), of, true, uint32(number))
		n.Value = text
		if err != nil {
			n.Problems = append(n.Problems, problemAt(err, n.Spans[0]))
		}
		n.Refs = func(ctx context.Context) []model.Ref { return c.indexRefs(ctx, of, uint32(number), true) }
	}
}

// showWhole completes the node of a value of fixed size.
func showWhole(s grammar.Scope, _ grammar.Value, n *model.Node) {
	c, r := crateOf(s), repOf(s)
	if e := elemOf(s); n.Span().Len == e.size() {
		*n = c.elementNode(s.Reading().Context(), n.Name, e, false, c.src, n.Span().Off)
		n.Type = c.typeName(r)
	} else {
		n.Value, n.Type = nil, ""
	}
}

// showElements makes a leaf of elements, one after the other.
func showElements(s grammar.Scope, _ grammar.Value, n *model.Node) {
	c, e, at := crateOf(s), elemOf(s), n.Span()
	inArray := c.placement(repOf(s)) == placedArray
	count := at.Len / e.size()
	n.Type = e.name + "[]"
	n.Value = &plainArray{c: c, e: e, inArray: inArray, src: c.src, off: at.Off, count: count}
	n.Children, n.Elements = c.plainRows(e, inArray, c.src, at.Off, count), true
}

// showBits gives a number the children that are its bits.
func showBits(parts []grammar.Bit) func(s grammar.Scope, v grammar.Value, n *model.Node) {
	return func(_ grammar.Scope, v grammar.Value, n *model.Node) {
		if bits, ok := v.Uint(); ok {
			n.Children = grammar.PartsOf(bits, n.Span(), parts)
		}
	}
}

// newSession is what all values of a crate are read in. What is wrong with a field is told of the whole value.
func newSession(c *crate) *grammar.Session {
	return &grammar.Session{Truncated: "usdc.value.truncated", Invalid: "usdc.read", Env: c,
		Broken: func(n *model.Node, _ model.Problem) {
			if n.Value == nil {
				n.Brief = "cut"
			}
		}}
}

// leaves visits the leaves of the value at r's payload, in the order of the file, until visit returns false, and
// returns what is wrong with them. r must lie outside its rep. pass serves a run of values. A leaf is good until the
// next one.
func (c *crate) leaves(pass *grammar.Reading, r rep, visit func(l *grammar.Leaf) bool) []model.Problem {
	o, problems := c.readLeaves(pass, r, visit)
	o.Release(pass)
	return problems
}

// readLeaves is leaves that keeps the value.
func (c *crate) readLeaves(pass *grammar.Reading, r rep, visit func(l *grammar.Leaf) bool) (
	o *grammar.Object, problems []model.Problem) {
	o = c.structure(r).ReadLeaves(pass, c.session, &c.stream, r.payload(), func(l *grammar.Leaf) bool {
		switch {
		case l.Problem != nil:
			problems = append(problems, c.leafProblem(r, l))
		case l.Field == nil && l.Object.OK():
			problems = append(problems, model.Problemf(model.Malformed, "usdc.spline.leftover", c.src.Span(l.Off, l.Len),
				"%d bytes of the knot data belong to no knot", l.Len).Want("nothing", l.Len))
		}
		return l.Len == 0 || visit(l)
	}, grammar.UintValue(uint64(r)))
	return o, problems
}

// leafProblem is the problem of a leaf in the words of its value.
func (c *crate) leafProblem(r rep, l *grammar.Leaf) model.Problem {
	p := *l.Problem
	if p.Rule == c.session.Truncated {
		p.Message = fmt.Sprintf("%s of %s: the bytes end inside it", l.Field.Name, c.typeName(r))
		p.Found = fmt.Sprint(l.Len)
	}
	return p
}

// logical is how many bytes a leaf of the value of r has without compression.
func logical(r rep, l *grammar.Leaf) int64 {
	if l.Field != nil {
		switch l.Field.Of {
		case codedIntegers:
			return int64(l.Bits) * r.typ().info().elem.size()
		case lookupTable, lookupSize, arrayCode:
			return 0
		}
	}
	return l.Len
}

// maxLeaves bounds what one value may take in memory when it is looked at.
const maxLeaves = 1 << 20

// storedValue is a value that lies at an offset, as far as it can be read.
type storedValue struct {
	c        *crate
	r        rep
	object   *grammar.Object
	starts   []int64      // of the leaves, in the order of the file
	spans    []model.Span // of the leaves, those that touch made one
	problems []model.Problem
}

// stored reads the value of r, which must lie outside its rep. Structured values are kept for a while, since looking at
// one asks for its fields many times.
func (c *crate) stored(ctx context.Context, r rep) *storedValue {
	r = c.normal(r)
	read := func(ctx context.Context) (*storedValue, error) {
		pass := grammar.Borrow(ctx)
		defer pass.Return()
		return c.readStored(pass, r), nil
	}
	if c.placement(r) != placedAt || r.typ().info().array {
		v, _ := read(ctx)
		return v
	}
	v, _ := c.values.recent.Get(ctx, r, read)
	return v
}

func (c *crate) readStored(pass *grammar.Reading, r rep) *storedValue {
	v := &storedValue{c: c, r: r, starts: make([]int64, 0, 8)}
	v.object, v.problems = c.readLeaves(pass, r, func(l *grammar.Leaf) bool {
		v.starts = append(v.starts, l.Off)
		v.spans = appendLeaf(v.spans, c.src, l)
		return len(v.starts) < maxLeaves
	})
	if len(v.starts) >= maxLeaves {
		v.problems = append(v.problems, model.Problemf(model.Assumed, "usdc.value.too-many-parts",
			c.src.Span(r.payload(), min(8, c.size-r.payload())),
			"the value has more than %d fields; the rest is not taken apart", maxLeaves))
	}
	return v
}

// appendLeaf adds the bytes of a leaf to the last span, if they touch it.
func appendLeaf(spans []model.Span, src *model.Source, l *grammar.Leaf) []model.Span {
	if n := len(spans); n > 0 && spans[n-1].End() == l.Off {
		spans[n-1].Len += l.Len
		return spans
	}
	return append(spans, src.Span(l.Off, l.Len))
}

// leafSpans are the bytes of a record in a value.
func (c *crate) leafSpans(ctx context.Context, o *grammar.Object) []model.Span {
	var spans []model.Span
	pass := grammar.Borrow(ctx)
	defer pass.Return()
	o.Leaves(pass, func(l *grammar.Leaf) bool {
		if l.Len > 0 {
			spans = appendLeaf(spans, c.src, l)
		}
		return true
	})
	return spans
}

// leafEnd is where leaf i ends.
func (v *storedValue) leafEnd(i int) int64 {
	run := sort.Search(len(v.spans), func(k int) bool { return v.spans[k].End() > v.starts[i] })
	end := v.spans[run].End()
	if i+1 < len(v.starts) {
		end = min(end, v.starts[i+1])
	}
	return end
}

// leafNode is the layout node of leaf i.
func (v *storedValue) leafNode(ctx context.Context, i int) model.Node {
	n, ok := v.object.LeafAt(ctx, v.starts[i])
	if !ok { // bytes that can be read no more
		n.Spans = []model.Span{v.c.src.Span(v.starts[i], v.leafEnd(i)-v.starts[i])}
	}
	if n.Name == "rest" {
		n.Name, n.Role, n.Help = "spare", model.Explained, "what no knot uses"
	}
	return n
}

// span is the bytes of a field of the value, of which there are none where the field is not.
func (v *storedValue) span(ctx context.Context, name string) model.Span {
	return v.object.SpanOf(ctx, v.object.Record().Field(name))
}

// number is the number that a field of the value is; 0 where it has none.
func (v *storedValue) number(ctx context.Context, name string) uint64 {
	return v.object.Uint(ctx, v.object.Record().Field(name))
}

// repAt reads the rep at off.
func repAt(ctx context.Context, src *model.Source, off int64) (rep, model.Span, error) {
	pass := grammar.Glance(ctx) // whose bytes need not be allocated
	defer pass.Return()
	span := src.Span(off, repSize)
	if b := pass.Window(src, off, repSize); b != nil {
		return repOfBytes(b), span, nil
	}
	_, err := src.Bytes(ctx, off, repSize)
	return 0, span, err
}

// repRows are count reps from off on as nodes, which complete completes.
func (c *crate) repRows(src *model.Source, off, count int64, complete func(ctx context.Context, i int64, n *model.Node)) model.Children {
	return model.FixedRows(src, off, repSize, count, func(ctx context.Context, i int64) model.Node {
		r, span, err := repAt(ctx, src, off+repSize*i)
		if err != nil {
			return model.Node{Name: model.IndexName(i), Spans: []model.Span{span}, Problems: []model.Problem{problemAt(err, span)}}
		}
		n := c.repNode(model.IndexName(i), r, span)
		complete(ctx, i, &n)
		return n
	})
}
