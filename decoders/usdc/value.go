package usdc

import (
	"context"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// recentKept is the number of values, and that of arrays of compressed integers, that are kept of those used last.
const recentKept = 16

// A holder is the place of a rep, and the value that it is nested in.
type holder struct {
	span  model.Span                        // of the rep
	refs  func(context.Context) []model.Ref // may be nil
	outer *enclosing
}

// enclosing is a value that another one is nested in.
type enclosing struct {
	up    *enclosing
	r     rep
	depth int
}

// valueNode is the value of a rep that is at repSpan, decoded on demand; refs are added to its own. Its spans
// are the bytes of the value, then those of the rep.
func (c *crate) valueNode(ctx context.Context, name string, r rep, repSpan model.Span, refs func(context.Context) []model.Ref) model.Node {
	return c.value(ctx, name, r, holder{span: repSpan, refs: refs})
}

func (c *crate) value(ctx context.Context, name string, r rep, h holder) model.Node {
	placed := r.placement()
	n := c.bareValue(name, r, h.span)
	switch {
	case placed == placedInRep, placed == placedSmall:
		c.fillInlined(ctx, &n, r, h.span)
		n.Spans = []model.Span{inlinedSpan(r, h.span)}
	case placed == placedNowhere:
	case !r.outside():
		c.fillEmpty(&n, placed, r)
	case r.payload() < c.size:
		c.fillOutside(ctx, &n, r, h)
	}
	if placed != placedInRep && placed != placedSmall {
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
		refs = append(refs, c.repRefs(ctx, r)...)
		if own != nil {
			refs = append(refs, own(ctx)...)
		}
		return refs
	}
	return n
}

// bareValue is the node of a rep at a span, without its value, spans and links.
func (c *crate) bareValue(name string, r rep, span model.Span) model.Node {
	return model.Node{Name: name, Type: r.typeName(), Problems: c.repProblems(r, span)}
}

// fillInlined sets the value that lies in the rep.
func (c *crate) fillInlined(ctx context.Context, n *model.Node, r rep, span model.Span) {
	switch r.typ() {
	case typeDictionary:
		n.Brief = usda.Plural(0, "entry", "entries")
		return
	case typeSpline:
		n.Brief = usda.Plural(0, "knot", "knots")
		return
	}
	v, err := c.inlined(ctx, r)
	n.Value = v
	if err != nil {
		n.Problems = append(n.Problems, problemAt(err, inlinedSpan(r, span)))
	}
	if rows := c.inlinedRows(r, span, v); rows != nil {
		n.Children, n.Elements = rows, true
	}
}

// fillEmpty sets the value of a rep that has no bytes anywhere: the empty array or the identity edit.
func (c *crate) fillEmpty(n *model.Node, placed repPlacement, r rep) {
	if placed == placedEdit {
		n.Brief = "no edit"
		return
	}
	n.Value = c.array(elementData{e: &r.typ().info().elem, inArray: true})
}

// fillOutside sets the value that lies at an offset.
func (c *crate) fillOutside(ctx context.Context, n *model.Node, r rep, h holder) {
	info := r.typ().info()
	if r.placement() == placedAt && info.array {
		c.fillElement(ctx, n, r)
		return
	}
	t := c.stored(ctx, r)
	n.Spans = t.spans
	n.Problems = append(n.Problems, t.problems...)
	switch {
	case r.placement() == placedEdit:
		c.fillEdit(ctx, n, t)
		return
	case r.placement() == placedArray:
		c.fillElements(ctx, n, t)
		return
	}
	in := enclosing{up: h.outer, r: t.r, depth: 1}
	if h.outer != nil {
		in.depth = h.outer.depth + 1
	}
	if p, bad := c.nested(ctx, &in, h.span); bad {
		n.Problems = append(n.Problems, p)
		n.Brief = "not taken apart"
		return
	}
	switch typ := r.typ(); typ {
	case typeDictionary:
		c.fillDictionary(ctx, n, t.object, &in)
	case typeValue, typeUnregisteredValue:
		c.fillNested(ctx, n, t.object, &in)
	case typePathVector, typeTokenVector, typeStringVector, typeDoubleVector, typeLayerOffsetVector, typeRelocates:
		c.fillElements(ctx, n, t)
	case typeVariantSelectionMap:
		c.fillSelections(ctx, n, t)
	case typePayload:
		c.fillAsset(ctx, n, t.object, &in)
	case typeTimeSamples:
		c.fillSamples(ctx, n, t, &in)
	case typeSpline:
		c.fillSpline(ctx, n, t, &in)
	default:
		c.fillListOp(ctx, n, t, &in)
	}
}

// fillElement sets a value of fixed size.
func (c *crate) fillElement(ctx context.Context, n *model.Node, r rep) {
	e := &r.typ().info().elem
	if e.size() > c.size-r.payload() {
		t := c.stored(ctx, r)
		n.Spans, n.Problems = t.spans, append(n.Problems, t.problems...)
		return
	}
	whole := c.elementNode(ctx, n.Name, e, false, c.src, r.payload())
	n.Value, n.Spans, n.Children, n.Elements, n.Refs = whole.Value, whole.Spans, whole.Children, whole.Elements, whole.Refs
	n.Problems = append(n.Problems, whole.Problems...)
}

// fillElements sets the value of an array or vector.
func (c *crate) fillElements(ctx context.Context, n *model.Node, t *storedValue) {
	v := c.elementsOf(ctx, t)
	n.Value = c.array(v)
	n.Children = c.rows(v)
	n.Elements = n.Children != nil
}

// fillSelections makes a child of each variant set of a VariantSelectionMap.
func (c *crate) fillSelections(ctx context.Context, n *model.Node, t *storedValue) {
	v := c.elementsOf(ctx, t)
	n.Brief = usda.Plural(v.count, "set", "sets")
	if v.count == 0 {
		return
	}
	set := singleOf("string", scalarString)
	n.Children = newNamedRows(v.count, func(ctx context.Context, i int64) (string, bool) {
		text, ok := c.elementNode(ctx, "", &set, true, c.src, v.plain.Off+8*i).Value.(model.Text)
		return string(text), ok
	}, func(ctx context.Context, i int64, name string) model.Node {
		key, at := c.src.Span(v.plain.Off+8*i, 4), v.plain.Off+8*i+4
		s := c.elementNode(ctx, name, &set, true, c.src, at)
		s.Help = "the variant that is selected in this set"
		s.Spans = append(s.Spans, key)
		return s
	}, func(_ context.Context, i int64) model.Span { return c.src.Span(v.plain.Off+8*i, 4) })
}

// openValues makes the crate ready to read values.
func (c *crate) openValues() {
	c.stream = grammar.Whole(c.src)
	c.recent.Limit, c.codedArrays.Limit = recentKept, recentKept
	c.session = newSession(c)
	c.valuePlan = valueLanguage.Shared(c)
}
