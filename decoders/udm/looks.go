package udm

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// The Go functions that records.go names.

// Names of fields that paths and other parts of the package lead through.
const (
	typeName   = "type"
	valuesName = "values"
	keysName   = "keys"
	itemsName  = "items"
	dataName   = "data"
	countName  = "count"
	headerName = "header"
	itemName   = "valueType"
	textName   = "text"
	valueName  = "value"
)

// lz4Block is an LZ4 block, which has a source of its own.
var lz4Block = &grammar.Custom{Display: "LZ4 block", Read: func(_ grammar.Scope, in grammar.Stream, _ int64) (int64, grammar.Value, *model.Problem) {
	return in.End, grammar.Value{}, nil
}}

// hasKey reports whether the bytes hold the key that begins where reading is.
func hasKey(s grammar.Scope, _ []grammar.Value) grammar.Value {
	in := s.Object().Stream()
	left := in.Size() - s.Pos()
	b := s.Reading().Window(in.Source, in.Start+s.Pos(), 1)
	return grammar.BoolValue(left > 0 && b != nil && int64(b[0]) < left)
}

// makeNames makes the names of an element's children out of the list of their keys.
func makeNames(s grammar.Scope, args []grammar.Value) grammar.Value {
	list, o := args[0].List(), s.Object()
	if list == nil {
		return grammar.GoValue(&names{})
	}
	text := func(s grammar.Scope, i int64) string {
		v, _ := list.At(s, i)
		k := v.Object()
		if k == nil {
			return ""
		}
		defer k.Release(s.Reading())
		at := s.In(k).Span(k.Record().Field(textName))
		if at.Len == 0 {
			return ""
		}
		b := s.Reading().Window(at.Source, at.Off, at.Len)
		return string(b[:min(at.Len, int64(len(b)))])
	}
	hashes := make([]uint64, list.Known())
	for i := range hashes {
		if hashes[i] = types.HashOf(text(s, int64(i))); i&4095 == 4095 && s.Reading().Context().Err() != nil {
			return grammar.Value{}
		}
	}
	making := true // this pass may hold the session's lock, and another one would wait
	x := newNames(s.Reading().Context(), hashes, func(ctx context.Context, i int64) string {
		if making {
			return text(s, i)
		}
		r := grammar.Glance(ctx)
		defer r.Return()
		return text(o.Scope(r), i)
	})
	making = false
	return grammar.GoValue(x)
}

// namesIn returns the names of the children of an element, which are empty where the keys could not be read.
func namesIn(s grammar.Scope) *names {
	v, _ := s.Named("childNames")
	if x, ok := v.Go().(*names); ok {
		return x
	}
	return noNames
}

// namesOfValues returns the names of the values of an element.
func namesOfValues(s grammar.Scope) grammar.Names { return elementNames{namesIn(s)} }

// elementNames are the names of the values of an element.
type elementNames struct{ *names }

var _ grammar.Names = elementNames{}

// Name returns the segment of value i.
func (x elementNames) Name(s grammar.Scope, i int64) string {
	return x.segment(s.Reading().Context(), i)
}

// Find returns the value with a segment.
func (x elementNames) Find(s grammar.Scope, name string) (int64, bool) {
	return x.find(s.Reading().Context(), name)
}

// findMissing returns the end of the field that a rule is about, where missing elements would begin, unless the record has a field
// after it.
func findMissing(s grammar.Scope, _ grammar.Value) (p model.Problem, breach bool) {
	ruled, after := s.Ruled(), false
	for _, f := range s.Object().Record().Fields {
		if v, err := s.Value(f); after && !f.Hidden && err == nil && v.Kind() != grammar.Null {
			return p, false
		}
		after = after || f == ruled
	}
	at := s.Span(ruled)
	if ruled.Role == model.Explained {
		p.Span = at.Source.Span(at.End(), 0)
	}
	// They follow from a damaged last element, or else from a wrong count.
	if v, err := s.Value(ruled); err == nil && v.List() != nil {
		if last := v.List().Object(s.Reading().Context(), v.List().Known()-1); last != nil && !last.OK() {
			p.Because = at.Source.Span(last.Start(), at.End()-last.Start())
			return p, true
		}
	}
	if count := s.Object().Record().Lookup(countName); count != nil {
		p.Because = s.Span(count)
	}
	return p, true
}

// findRepeated finds a key that an earlier child has.
func findRepeated(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	i, x := it.Object().Index(), namesIn(s)
	if !x.repeats(i) {
		return model.Problem{}, false
	}
	return model.Problem{Found: x.key(s.Reading().Context(), i)}, true
}

// findCutShort finds strings that are missing or cut off in the output of a block.
func findCutShort(s grammar.Scope, it grammar.Value) (p model.Problem, breach bool) {
	known := it.List().Known()
	last := it.List().Object(s.Reading().Context(), known-1)
	return p, known < s.Number(countName) || last != nil && !last.OK()
}

// findNesting finds a value below the limit of nesting; the problem has the whole value.
func findNesting(s grammar.Scope, _ grammar.Value) (model.Problem, bool) {
	o := s.Object()
	return nesting(o.Stream().Source.Span(o.Start(), s.Span(s.Ruled()).End()-o.Start())), true
}

func nesting(at model.Span) model.Problem {
	return model.Problemf(model.Limit, ascii.RuleNesting, at,
		"elements and arrays are nested more than %d levels deep, which is as far as Cutaway follows", types.MaxNesting).
		Want(fmt.Sprintf("at most %d levels", types.MaxNesting), "more")
}

// findRootType finds a root property that is no element.
func findRootType(s grammar.Scope, it grammar.Value) (model.Problem, bool) {
	o := it.Object()
	if o == nil {
		return model.Problem{}, false
	}
	v := valueOf(s.Reading().Context(), o)
	return model.Problemf(model.Malformed, ruleRootType, v.span(), "the root property is not an element").
		Want(types.Element, types.Text(v.typ)), v.typ != types.Element
}

// showRoot completes the node of the root property.
func showRoot(s grammar.Scope, it grammar.Value, n *model.Node) {
	v := showValue(s, it, n, nil)
	switch {
	case v == nil:
	case v.typ == types.Element:
		n.Problems = append(n.Problems, v.d.rootProblems(s.Reading().Context(), n.Spans[0])...)
	case !v.o.OK(): // the engine checks only whole values
		p, _ := findRootType(s, it)
		n.Problems = append(n.Problems, p)
	}
}

// showValue completes the layout's node of a value, which is an element of a list or the root.
func showValue(s grammar.Scope, it grammar.Value, n *model.Node, refs func(context.Context) []model.Ref) *value {
	n.Help, n.Refs = "", refs
	o := it.Object()
	if o == nil {
		return nil // it could not be read, which its problem says
	}
	ctx := s.Reading().Context()
	v := valueOf(ctx, o)
	n.Type, n.Children = types.Title(v.typ), v.children(ctx)
	if v.typ.Known() {
		n.Cards = func(ctx context.Context) []model.Card {
			return []model.Card{&asASCII{CardBase: asciiTitle, m: v.member(ctx)}}
		}
	}
	const most = 512 // bytes; a longer text is shown by its own field
	switch v.typ {
	case types.Element, types.Array, types.ArrayLZ4, types.LZ4, types.Struct, types.Blob:
		n.Brief = v.countText(ctx)
	default:
		if v.typ.Known() && n.Span().Len <= most+1 && !v.tooDeep() {
			n.Value = v.scalar(ctx)
		}
	}
	return v
}

// showProperty completes a child of an element.
func showProperty(s grammar.Scope, it grammar.Value, n *model.Node) {
	ctx, e, i := s.Reading().Context(), s.Object(), s.Index()
	*n = n.Named(namesIn(s).key(ctx, i))
	showValue(s, it, n, func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "key", Path: keyPath(ctx, e, i), Text: namesOf(ctx, e).key(ctx, i)}}
	})
}

// showKey completes a key of an element.
func showKey(s grammar.Scope, _ grammar.Value, n *model.Node) {
	ctx, i := s.Reading().Context(), s.Index()
	x, e := namesIn(s), s.Object()
	n.Help, n.Value = "", model.Text(x.key(ctx, i))
	if values := listOf(ctx, e, valuesName); values != nil && i < values.Known() {
		n.Refs = func(ctx context.Context) []model.Ref {
			path := pathOf(ctx, e) + "/" + valuesName + "/" + model.EscapeSegment(x.segment(ctx, i))
			return []model.Ref{{Kind: "value", Path: path, Text: x.key(ctx, i)}}
		}
	}
}

// showCount completes the list of an element's keys or of its values.
func showCount(_ grammar.Scope, it grammar.Value, n *model.Node) {
	if l := it.List(); l != nil {
		n.Brief = itemsText(l.Known())
	}
}

// showItems completes the list of the items of an array.
func showItems(s grammar.Scope, it grammar.Value, n *model.Node) {
	l := it.List()
	if l == nil {
		return
	}
	t := types.ID(s.Number(itemName))
	if s.Object().Parent() == nil { // of a compressed array
		t = s.Env().(*valueContext).array.item
	}
	n.Type, n.Brief = t.String()+"[]", itemsText(l.Known())
}

// showItem completes an item of an array.
func showItem(s grammar.Scope, it grammar.Value, n *model.Node) { showValue(s, it, n, nil) }

// showFixed completes a value of a fixed-size type.
func showFixed(s grammar.Scope, _ grammar.Value, n *model.Node) {
	at := n.Span()
	n.Help = typeOf(s.Reading().Context(), s.Object()).Help()
	if hidesBits(n.Value) {
		n.Brief = fmt.Sprintf("% x", s.Reading().Window(at.Source, at.Off, at.Len)[:at.Len])
	}
}

// showData completes the packed values of an array or a struct, and an LZ4 block.
func showData(s grammar.Scope, _ grammar.Value, n *model.Node) {
	ctx := s.Reading().Context()
	if s.Object().Parent() == nil { // the output of a block
		s.Env().(*valueContext).array.packedIn(s.Object().Stream().Source).show(ctx, n)
		return
	}
	switch v := valueOf(ctx, s.Object()); v.typ {
	case types.Array:
		v.packed(ctx, types.ID(s.Number(itemName)), shapeIn(s), s.Number(countName), n.Span()).show(ctx, n)
	case types.Struct:
		p := v.packed(ctx, types.Struct, shapeIn(s), 1, n.Span())
		if p.alone = true; p.count < 1 {
			p.show(ctx, n)
			return
		}
		row := p.row(ctx, 0, false)
		n.Type, n.Value, n.Children, n.Help = row.Type, row.Value, row.Children, "the members, back to back"
	case types.LZ4, types.ArrayLZ4:
		n.Value, n.Brief = model.Blob{Span: n.Span()}, fmt.Sprintf("gives %d bytes", gives(s))
		if b := v.block(ctx); b != nil && b.want > 0 { // nil: its count is cut
			n.Derived = []*model.Derivation{b.derivation()}
		}
	}
}

// showMemberTypes completes the list of the types of a struct's members.
func showMemberTypes(_ grammar.Scope, it grammar.Value, n *model.Node) {
	if it.List() != nil {
		n.Type, n.Value, n.Elements, n.Help = "type[]", nil, false, "one byte for each member"
	}
}

// hideHelp leaves the help to the list of the node.
func hideHelp(_ grammar.Scope, _ grammar.Value, n *model.Node) { n.Help = "" }
