package value

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// The values that lie at offsets (chapters 11 to 13) are records. In the layout a value is the run of the records' leaves, whose names
// are paths such as "explicit[0].customData[1].key". Jumps leave room between two leaves for the data of nested values.

// record returns the description of the value at r's payload. r lies outside its rep.
func (vs *Values) record(r table.Rep) *grammar.Record {
	kept, name := &vs.structures[r.Type()], ""
	switch r.Placement() {
	case table.PlacedArray:
		kept, name = &vs.arrayRecord, "array"
	case table.PlacedEdit:
		kept, name = &vs.editRecord, "array edit"
	}
	if rec := kept.Load(); rec != nil {
		return rec
	}
	if name == "" {
		name = cmp.Or(structureOf[r.Type()], "value")
	}
	kept.Store(vs.plan.Record(name))
	return kept.Load()
}

// IsOfType reports whether a field of a value is of the value's type, or has elements that are.
func IsOfType(f *grammar.Field) bool {
	_, chosen := f.Of.(*grammar.Switch)
	return chosen
}

// valuesOf returns the values that a field is one of.
func valuesOf(s grammar.Scope) *Values { return s.Env().(*Values) }

// repOf returns the rep of the value that a field belongs to.
func repOf(s grammar.Scope) table.Rep {
	r, _ := s.Object().Root().Arg(0).Uint()
	return table.Rep(r)
}

func elemOf(s grammar.Scope) *table.Elem { return &repOf(s).Type().Info().Elem }

// nameType returns the type of the value that a field belongs to.
func nameType(s grammar.Scope, _ []grammar.Value) grammar.Value {
	return grammar.StringValue(repOf(s).TypeName())
}

// offsetInWords returns the sum of an offset and a number that may lead beyond any file.
func offsetInWords(_ grammar.Scope, args []grammar.Value) grammar.Value {
	off, _ := args[0].Int()
	n, _ := args[1].Int()
	if n > math.MaxInt64-off {
		return grammar.StringValue("beyond any file")
	}
	return grammar.StringValue(fmt.Sprint(off + n))
}

// showWhole completes the node of a value of fixed size.
func showWhole(s grammar.Scope, _ grammar.Value, n *model.Node) {
	vs, r := valuesOf(s), repOf(s)
	if e := elemOf(s); n.Span().Len == e.Size() {
		*n = vs.elementNode(s.Reading().Context(), n.Name, e, false, vs.crate.Src, n.Span().Off)
		n.Type = r.TypeName()
	} else {
		n.Value, n.Type = nil, ""
	}
}

// showElements makes a leaf of elements, one after the other.
func showElements(s grammar.Scope, _ grammar.Value, n *model.Node) {
	vs, e, at := valuesOf(s), elemOf(s), n.Span()
	inArray := repOf(s).Placement() == table.PlacedArray
	count := at.Len / e.Size()
	n.Type = e.Name + "[]"
	n.Value = &plainArray{values: vs, e: e, inArray: inArray, src: vs.crate.Src, off: at.Off, count: count}
	n.Children, n.Elements = vs.plainRows(e, inArray, vs.crate.Src, at.Off, count), true
}

// newSession returns the session of all values of a crate. The problem of a field is that of the whole value.
func newSession(vs *Values) *grammar.Session {
	return &grammar.Session{Truncated: "usdc.value.truncated", Invalid: "usdc.read", Env: vs,
		Broken: func(n *model.Node, _ model.Problem) {
			if n.Value == nil {
				n.Brief = "cut"
			}
		}}
}

// Leaves visits the leaves of the value at r's payload, in the order of the file, until visit returns false, and returns their
// problems. The value must lie outside its rep. pass serves a run of values. A leaf is valid until the next one.
func (vs *Values) Leaves(pass *grammar.Reading, r table.Rep, visit func(l *grammar.Leaf) bool) []model.Problem {
	o, problems := vs.readLeaves(pass, r, visit)
	o.Release(pass)
	return problems
}

// readLeaves is Leaves, but keeps the object, which the caller releases.
func (vs *Values) readLeaves(pass *grammar.Reading, r table.Rep, visit func(l *grammar.Leaf) bool) (
	o *grammar.Object, problems []model.Problem) {
	o = vs.record(r).ReadLeaves(pass, vs.session, &vs.stream, r.Payload(), func(l *grammar.Leaf) bool {
		switch {
		case l.Problem != nil:
			problems = append(problems, vs.leafProblem(r, l))
		case l.Field == nil && l.Object.OK():
			problems = append(problems, model.Problemf(model.Malformed, "usdc.spline.leftover", vs.crate.Src.Span(l.Off, l.Len),
				"%d bytes of the knot data belong to no knot", l.Len).Want("nothing", l.Len))
		}
		return l.Len == 0 || visit(l)
	}, grammar.UintValue(uint64(r)), grammar.IntValue(int64(r.Type())), grammar.BoolValue(r.IsCompressed()))
	return o, problems
}

// leafProblem returns the problem of a leaf in the words of its value.
func (vs *Values) leafProblem(r table.Rep, l *grammar.Leaf) model.Problem {
	p := *l.Problem
	if p.Rule == vs.session.Truncated {
		p.Message = fmt.Sprintf("%s of %s: the bytes end inside it", l.Field.Name, r.TypeName())
		p.Found = fmt.Sprint(l.Len)
	}
	return p
}

// UncompressedSize returns the number of bytes that a leaf of the value of r has without compression.
func UncompressedSize(r table.Rep, l *grammar.Leaf) int64 {
	if l.Field == nil || !r.IsCompressed() {
		return l.Len
	}
	switch l.Field.Name {
	case "integers":
		return int64(l.Bits) * r.Type().Info().Elem.Size()
	case "code", "tableSize", "table":
		return 0
	}
	return l.Len
}

// maxLeaves bounds what one value may take in memory when it is looked at.
const maxLeaves = 1 << 20

// storedValue is a value that lies at an offset, as far as it can be read.
type storedValue struct {
	values   *Values
	r        table.Rep
	object   *grammar.Object
	starts   []int64      // of the leaves, in the order of the file
	spans    []model.Span // of the leaves, those that touch made one
	problems []model.Problem
}

// stored reads the value of r, which must lie outside its rep. Structured values are kept for a while, since looking at
// one asks for its fields many times.
func (vs *Values) stored(ctx context.Context, r table.Rep) *storedValue {
	r = vs.crate.Normal(r)
	read := func(ctx context.Context) (*storedValue, error) {
		pass := grammar.Borrow(ctx)
		defer pass.Return()
		return vs.readStored(pass, r), nil
	}
	if r.Placement() != table.PlacedAt || r.Type().Info().MayBeArray {
		v, _ := read(ctx)
		return v
	}
	v, _ := vs.recent.Get(ctx, r, read)
	return v
}

func (vs *Values) readStored(pass *grammar.Reading, r table.Rep) *storedValue {
	v := &storedValue{values: vs, r: r, starts: make([]int64, 0, 8)}
	v.object, v.problems = vs.readLeaves(pass, r, func(l *grammar.Leaf) bool {
		v.starts = append(v.starts, l.Off)
		v.spans = appendLeaf(v.spans, vs.crate.Src, l)
		return len(v.starts) < maxLeaves
	})
	if len(v.starts) >= maxLeaves {
		v.problems = append(v.problems, model.Problemf(model.Assumed, "usdc.value.too-many-parts",
			vs.crate.Src.Span(r.Payload(), min(8, vs.crate.Size-r.Payload())),
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

// leafSpans returns the bytes of a record in a value.
func (vs *Values) leafSpans(ctx context.Context, o *grammar.Object) []model.Span {
	var spans []model.Span
	pass := grammar.Borrow(ctx)
	defer pass.Return()
	o.Leaves(pass, func(l *grammar.Leaf) bool {
		if l.Len > 0 {
			spans = appendLeaf(spans, vs.crate.Src, l)
		}
		return true
	})
	return spans
}

// leafEnd returns the offset at which leaf i ends.
func (v *storedValue) leafEnd(i int) int64 {
	run := sort.Search(len(v.spans), func(k int) bool { return v.spans[k].End() > v.starts[i] })
	end := v.spans[run].End()
	if i+1 < len(v.starts) {
		end = min(end, v.starts[i+1])
	}
	return end
}

// leafNode returns the layout node of leaf i.
func (v *storedValue) leafNode(ctx context.Context, i int) model.Node {
	n, ok := v.object.LeafAt(ctx, v.starts[i])
	if !ok { // bytes that can be read no more
		n.Spans = []model.Span{v.values.crate.Src.Span(v.starts[i], v.leafEnd(i)-v.starts[i])}
	}
	if n.Name == "rest" {
		n.Name, n.Role, n.Help = "spare", model.Explained, "what no knot uses"
	}
	return n
}

// span returns the bytes of a field of the value, or an empty span if the value lacks the field.
func (v *storedValue) span(ctx context.Context, name string) model.Span {
	return v.object.SpanOf(ctx, v.object.Record().Field(name))
}

// number returns the number in a field of the value, or 0 if the value lacks the field.
func (v *storedValue) number(ctx context.Context, name string) uint64 {
	return v.object.Uint(ctx, v.object.Record().Field(name))
}
