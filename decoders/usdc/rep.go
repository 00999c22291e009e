package usdc

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// rep is a value representation: what a value's type is and where it lies, or the value itself.
type rep uint64

// The parts of a rep.
const (
	repArray      rep = 1 << 63
	repInlined    rep = 1 << 62
	repCompressed rep = 1 << 61
	repEdit       rep = 1 << 60
	repTypeShift      = 48
	repPayload    rep = 1<<repTypeShift - 1
)

// repOfBytes is the rep that 8 bytes hold.
func repOfBytes(b []byte) rep { return rep(binary.LittleEndian.Uint64(b)) }

func (r rep) typ() valueType   { return valueType(r >> repTypeShift) }
func (r rep) payload() int64   { return int64(r & repPayload) }
func (r rep) array() bool      { return r&repArray != 0 }
func (r rep) inlined() bool    { return r&repInlined != 0 }
func (r rep) compressed() bool { return r&repCompressed != 0 }
func (r rep) edit() bool       { return r&repEdit != 0 }

// low is the low 32 bits of the payload: the value of an inlined rep.
func (r rep) low() uint32 { return uint32(r) }

// repPlacement is the place of a rep's value: in the rep or at an offset, as an element or as more.
type repPlacement uint8

const (
	placedNowhere repPlacement = iota // no value: the type is unknown, or cannot be inlined
	placedArray                       // chapter 11, at the payload; payload 0 is the empty array
	placedEdit                        // chapter 13, at the payload; payload 0 is the identity
	placedInRep                       // the low 32 bits are the value
	placedSmall                       // the low 32 bits are expanded (chapter 10)
	placedAt                          // the payload is the offset of the value
)

// placement decides in the order of chapter 8.
func (r rep) placement() repPlacement {
	t := r.typ().info()
	switch {
	case !r.typ().known():
		return placedNowhere
	case r.array() && t.array:
		return placedArray
	case r.edit() && t.array:
		return placedEdit
	case t.inline == inlineAlways:
		return placedInRep
	case !r.inlined():
		return placedAt
	case t.inline == inlineSmall, t.inline == inlineEmpty, r.typ() == typeSpline:
		return placedSmall
	}
	return placedNowhere
}

// coded reports whether the array that r leads to is compressed; short arrays are plain nevertheless.
func (c *crate) coded(r rep) bool {
	return r.compressed() && c.versionNumber() >= r.typ().info().codedFromNumber()
}

// outside reports whether the value lies at an offset, and not in the rep.
func (r rep) outside() bool {
	switch r.placement() {
	case placedArray, placedEdit:
		return r.payload() != 0
	case placedAt:
		return true
	}
	return false
}

// normal is r without the bits that mean nothing for it, so that two reps of one value are equal.
func (c *crate) normal(r rep) rep {
	n := r & (repPayload | 0xFF<<repTypeShift)
	switch r.placement() {
	case placedArray:
		n |= repArray
		if c.coded(r) {
			n |= repCompressed
		}
	case placedEdit:
		n |= repEdit
	case placedInRep, placedSmall, placedNowhere:
		n |= r & repInlined
	}
	return n
}

// typeName is the type's name in text layers, with "[]" for arrays.
func (r rep) typeName() string {
	switch name := r.typ().String(); r.placement() {
	case placedArray:
		return name + "[]"
	case placedEdit:
		return name + "[] edit"
	default:
		return name
	}
}

// repProblems returns the problems of a rep by itself; span is its place.
func (c *crate) repProblems(r rep, span model.Span) []model.Problem {
	typ := span
	if typ.Len == 8 {
		typ.Mask = uint64(0xFF) << repTypeShift
	}
	odd := c.oddFlags(r, span)
	switch {
	case !r.typ().known():
		return []model.Problem{model.Problemf(model.Malformed, "usdc.rep.unknown-type", typ,
			"there is no value type %d", r.typ()).Want(fmt.Sprintf("1 to %d", typeEnd-1), uint8(r.typ()))}
	case r.placement() == placedNowhere:
		return append(odd, model.Problemf(model.Suspicious, "usdc.rep.cannot-inline", span,
			"type %s cannot be inlined; readers take the value for an empty one", r.typ()).Want("an offset", "the inlined bit"))
	case r.typ() == typeSpline && r.placement() == placedSmall:
		return []model.Problem{model.Problemf(model.Suspicious, "usdc.rep.inlined-spline", span,
			"a spline is never inlined; some writers mark an empty one so")}
	case r.outside() && r.payload() >= c.size:
		return append(odd, model.Problemf(model.Truncated, "usdc.rep.past-end", span,
			"the value of type %s lies beyond the end of the file", r.typeName()).
			Want(fmt.Sprintf("an offset below %d", c.size), r.payload()))
	case r.outside() && r.payload() < c.bootstrapEnd:
		return append(odd, model.Problemf(model.Suspicious, "usdc.rep.in-bootstrap", span,
			"the value of type %s lies in the bootstrap", r.typeName()).
			Want(fmt.Sprintf("an offset of at least %d", bootstrapSize), r.payload()))
	}
	if names := r.typ().info().values; names != nil && int64(r.low()) >= int64(len(names)) {
		return append(odd, model.Problemf(model.Suspicious, "usdc.value.unknown-enum", span,
			"%s has no value %d; readers pass the number on", r.typ(), r.low()).Want(fmt.Sprintf("below %d", len(names)), r.low()))
	}
	return odd
}

// oddFlags is the problem of flags that mean nothing in a rep of that type and version, or that are missing.
func (c *crate) oddFlags(r rep, span model.Span) []model.Problem {
	means, inRep := repPayload|0xFF<<repTypeShift, false
	switch r.placement() {
	case placedArray:
		means |= repArray
		if c.coded(r) {
			means |= repCompressed
		}
	case placedEdit:
		if means |= r & repInlined; !c.before(14, 0) {
			means |= repEdit
		}
	case placedInRep:
		inRep = true
		means |= repInlined
	case placedSmall, placedNowhere:
		means |= repInlined
	}
	odd := r &^ means
	if inRep && !r.inlined() {
		odd |= repInlined
	}
	if odd == 0 {
		return nil
	}
	var words []string
	shift := uint(0)
	for _, f := range repParts[2:] {
		if at := repTypeShift + 8 + shift; odd>>at&(1<<f.Width-1) != 0 {
			words = append(words, f.Name)
		}
		shift += f.Width
	}
	if span.Len == repSize {
		span.Mask = uint64(odd)
	}
	return []model.Problem{model.Problemf(model.Suspicious, "usdc.rep.flags", span,
		"flags of a rep of type %s are not what its type and version %s ask for: %s", r.typeName(), c.ver, strings.Join(words, ", ")).
		Want(fmt.Sprintf("flags %#02x", uint64(r^odd)>>56), fmt.Sprintf("%#02x", uint64(r)>>56))}
}

var repParts = []grammar.Bit{
	grammar.Part("payload", repTypeShift, "a file offset, or in its low 32 bits the value itself"),
	grammar.Part("type", 8, "number of the value's type", typeNames()...),
	grammar.Part("unused", 4, "always 0"),
	grammar.Part("arrayEdit", 1, "the value is a list of edits to an array; from 0.14.0"),
	grammar.Part("compressed", 1, "the array is compressed; matters for arrays of numbers only"),
	grammar.Part("inlined", 1, "the payload is the value"),
	grammar.Part("array", 1, "the value is an array of the type"),
}

// repNode is the rep itself with its bit fields; typ is left to say what it leads to.
func (c *crate) repNode(name string, r rep, span model.Span) model.Node {
	n := model.Node{
		Name: name, Type: "value rep", Brief: r.brief(), Spans: []model.Span{span},
		Problems: c.repProblems(r, span),
		Help:     "type and place of a value, or the value itself",
	}
	n.Children = grammar.PartsOf(uint64(r), span, repParts)
	n.Refs = func(ctx context.Context) []model.Ref { return c.repRefs(ctx, r) }
	return n
}

// repBrief says in a few words what the rep is.
func (r rep) brief() string {
	name := r.typeName()
	switch r.placement() {
	case placedNowhere:
		return name
	case placedInRep, placedSmall:
		if !r.inlined() {
			return name + ", in its rep, though not marked as inlined"
		}
		return name + ", inlined"
	}
	if !r.outside() {
		return name + ", empty"
	}
	return fmt.Sprintf("%s at %#x", name, r.payload())
}

// repRefs leads from a rep to its value, or to the text that it holds the index of.
func (c *crate) repRefs(ctx context.Context, r rep) []model.Ref {
	if r.outside() {
		if r.payload() >= c.size {
			return nil
		}
		return []model.Ref{c.valueRef(r.payload())}
	}
	if r.placement() == placedInRep {
		return c.indexRefs(ctx, r.typ().info().elem.scalar, r.low(), false)
	}
	return nil
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

// showValueRep shows the rep of a value.
func showValueRep(s grammar.Scope, v grammar.Value, n *model.Node) {
	r, ok := v.Uint()
	if !ok {
		return
	}
	help := n.Help
	if *n = crateOf(s).repNode(n.Name, rep(r), n.Span()); help != "" {
		n.Help = help
	}
}

// unfolds reports whether the value of r lies outside it and holds reps of other values.
func (r rep) unfolds() bool {
	switch r.placement() {
	case placedEdit:
		return r.outside()
	case placedAt:
		return r.typ().nests()
	}
	return false
}
