package value

import (
	"context"
	"slices"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// A holder is the place of a rep, and the value that it is nested in.
type holder struct {
	span  model.Span                        // of the rep
	refs  func(context.Context) []model.Ref // may be nil
	outer *nodes
}

// nodes makes the nodes inside a value: of its parts, and of nested values.
type nodes struct {
	values *Values
	r      table.Rep // of the value
	up     *nodes    // of the value that it is nested in, or nil
	depth  int       // 1 for a value that is nested in none
}

// Node returns the node of the value of a rep at repSpan. Its spans are the bytes of the value, then those of the rep; its links are
// refs, which may be nil, and its own.
func (vs *Values) Node(ctx context.Context, name string, r table.Rep, repSpan model.Span, refs func(context.Context) []model.Ref) model.Node {
	return vs.value(ctx, name, r, holder{span: repSpan, refs: refs})
}

func (vs *Values) value(ctx context.Context, name string, r table.Rep, h holder) model.Node {
	placed := r.Placement()
	n := vs.Bare(name, r, h.span)
	switch {
	case placed.InRep():
		vs.FillInlined(ctx, &n, r, h.span)
		n.Spans = []model.Span{inlinedSpan(r, h.span)}
	case placed == table.PlacedNowhere:
	case !r.Outside():
		vs.fillEmpty(&n, placed, r)
	case r.Payload() < vs.crate.Size:
		vs.fillOutside(ctx, &n, r, h)
	}
	if !placed.InRep() {
		if own := slices.Clip(n.Spans); len(own) > 0 { // the rep only says where they are
			n.Principal = func(context.Context) []model.Span { return own }
		}
		n.Spans = append(slices.Clip(n.Spans), h.span) // others may hold them too
	}
	own := n.Refs
	n.Refs = func(ctx context.Context) []model.Ref {
		var refs []model.Ref
		if h.refs != nil {
			refs = h.refs(ctx)
		}
		refs = append(refs, vs.crate.RepRefs(ctx, r)...)
		if own != nil {
			refs = append(refs, own(ctx)...)
		}
		return refs
	}
	return n
}

// Bare is Node without value, spans and links.
func (vs *Values) Bare(name string, r table.Rep, span model.Span) model.Node {
	return model.Node{Name: name, Type: r.TypeName(), Problems: vs.crate.RepProblems(r, span)}
}

// FillInlined sets the value that lies in the rep.
func (vs *Values) FillInlined(ctx context.Context, n *model.Node, r table.Rep, span model.Span) {
	switch r.Type() {
	case table.TypeDictionary:
		n.Brief = usda.Plural(0, "entry", "entries")
		return
	case table.TypeSpline:
		n.Brief = usda.Plural(0, "knot", "knots")
		return
	}
	v, err := vs.inlined(ctx, r)
	n.Value = v
	if err != nil {
		n.Problems = append(n.Problems, coding.ProblemAt(err, inlinedSpan(r, span)))
	}
	if rows := vs.inlinedRows(r, span, v); rows != nil {
		n.Children, n.Elements = rows, true
	}
}

// fillEmpty sets the value of a rep that has no bytes anywhere: the empty array or the identity edit.
func (vs *Values) fillEmpty(n *model.Node, placed table.Placement, r table.Rep) {
	if placed == table.PlacedEdit {
		n.Brief = "no edit"
		return
	}
	n.Value = vs.array(elementData{e: &r.Type().Info().Elem, inArray: true})
}

// fillOutside sets the value that lies at an offset.
func (vs *Values) fillOutside(ctx context.Context, n *model.Node, r table.Rep, h holder) {
	info := r.Type().Info()
	if r.Placement() == table.PlacedAt && info.MayBeArray {
		vs.fillElement(ctx, n, r)
		return
	}
	t := vs.stored(ctx, r)
	n.Spans = t.spans
	n.Problems = append(n.Problems, t.problems...)
	switch {
	case r.Placement() == table.PlacedEdit:
		vs.fillEdit(ctx, n, t)
		return
	case r.Placement() == table.PlacedArray:
		vs.fillElements(ctx, n, t)
		return
	}
	in := &nodes{values: vs, r: t.r, up: h.outer, depth: 1}
	if h.outer != nil {
		in.depth = h.outer.depth + 1
	}
	if p, bad := in.nested(ctx, h.span); bad {
		n.Problems = append(n.Problems, p)
		n.Brief = "not taken apart"
		return
	}
	switch typ := r.Type(); typ {
	case table.TypeDictionary:
		in.fillDictionary(ctx, n, t.object)
	case table.TypeValue, table.TypeUnregisteredValue:
		in.fillNested(ctx, n, t.object)
	case table.TypePathVector, table.TypeTokenVector, table.TypeStringVector, table.TypeDoubleVector, table.TypeLayerOffsetVector, table.TypeRelocates:
		vs.fillElements(ctx, n, t)
	case table.TypeVariantSelectionMap:
		vs.fillSelections(ctx, n, t)
	case table.TypePayload:
		in.fillAsset(ctx, n, t.object)
	case table.TypeTimeSamples:
		in.fillSamples(ctx, n, t)
	case table.TypeSpline:
		in.fillSpline(ctx, n, t)
	default:
		in.fillListOp(ctx, n, t)
	}
}

// fillElement sets a value of fixed size.
func (vs *Values) fillElement(ctx context.Context, n *model.Node, r table.Rep) {
	e := &r.Type().Info().Elem
	if e.Size() > vs.crate.Size-r.Payload() {
		t := vs.stored(ctx, r)
		n.Spans, n.Problems = t.spans, append(n.Problems, t.problems...)
		return
	}
	whole := vs.elementNode(ctx, n.Name, e, false, vs.crate.Src, r.Payload())
	n.Value, n.Spans, n.Children, n.Elements, n.Refs = whole.Value, whole.Spans, whole.Children, whole.Elements, whole.Refs
	n.Problems = append(n.Problems, whole.Problems...)
}

// fillElements sets the value of an array or vector.
func (vs *Values) fillElements(ctx context.Context, n *model.Node, t *storedValue) {
	v := vs.elementsOf(ctx, t)
	n.Value = vs.array(v)
	n.Children = vs.rows(v)
	n.Elements = n.Children != nil
}

// fillSelections makes a child of each variant set of a VariantSelectionMap.
func (vs *Values) fillSelections(ctx context.Context, n *model.Node, t *storedValue) {
	v := vs.elementsOf(ctx, t)
	n.Brief = usda.Plural(v.count, "set", "sets")
	if v.count == 0 {
		return
	}
	set := table.SingleOf("string", table.ScalarString)
	n.Children = newNamedRows(v.count, func(ctx context.Context, i int64) (string, bool) {
		text, ok := vs.elementNode(ctx, "", &set, true, vs.crate.Src, v.plain.Off+8*i).Value.(model.Text)
		return string(text), ok
	}, func(ctx context.Context, i int64, name string) model.Node {
		key, at := vs.crate.Src.Span(v.plain.Off+8*i, 4), v.plain.Off+8*i+4
		s := vs.elementNode(ctx, name, &set, true, vs.crate.Src, at)
		s.Help = "the variant that is selected in this set"
		s.Spans = append(s.Spans, key)
		return s
	}, func(_ context.Context, i int64) model.Span { return vs.crate.Src.Span(v.plain.Off+8*i, 4) })
}
