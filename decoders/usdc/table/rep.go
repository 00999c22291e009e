package table

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/lang"
	"cutaway/decoders/usdc/coding"
	"cutaway/model"
)

// A Rep is a value representation (chapter 8): the type and offset of a value, or the value itself.
type Rep uint64

// The parts of a rep.
const (
	ArrayBit      Rep = 1 << 63
	InlinedBit    Rep = 1 << 62
	CompressedBit Rep = 1 << 61
	EditBit       Rep = 1 << 60
	TypeShift         = 48
	PayloadBits   Rep = 1<<TypeShift - 1
)

// RepOf returns the rep that 8 bytes hold.
func RepOf(b []byte) Rep { return Rep(binary.LittleEndian.Uint64(b)) }

// Type returns the type of the value.
func (r Rep) Type() ValueType { return ValueType(r >> TypeShift) }

// Payload returns an offset in the file, or in its low 32 bits the value itself.
func (r Rep) Payload() int64 { return int64(r & PayloadBits) }

// IsArray reports whether the array bit is set, which types without arrays ignore.
func (r Rep) IsArray() bool { return r&ArrayBit != 0 }

// IsInlined reports whether the inlined bit is set.
func (r Rep) IsInlined() bool { return r&InlinedBit != 0 }

// IsCompressed reports whether the compressed bit is set.
func (r Rep) IsCompressed() bool { return r&CompressedBit != 0 }

// IsEdit reports whether the bit of array edits is set.
func (r Rep) IsEdit() bool { return r&EditBit != 0 }

// Low returns the low 32 bits of the payload: the value of an inlined rep.
func (r Rep) Low() uint32 { return uint32(r) }

// A Placement is the place of a rep's value: in the rep or at an offset, as an element or as more.
type Placement uint8

// The placements.
const (
	PlacedNowhere Placement = iota // no value: the type is unknown, or cannot be inlined
	PlacedArray                    // chapter 11, at the payload; payload 0 is the empty array
	PlacedEdit                     // chapter 13, at the payload; payload 0 is the identity
	PlacedInRep                    // the low 32 bits are the value
	PlacedSmall                    // the low 32 bits are expanded (chapter 10)
	PlacedAt                       // the payload is the offset of the value
)

// InRep reports whether the value is in the rep, whole or small.
func (p Placement) InRep() bool { return p == PlacedInRep || p == PlacedSmall }

// Placement returns the place of the value, decided in the order of chapter 8.
func (r Rep) Placement() Placement {
	t := r.Type().Info()
	switch {
	case !r.Type().known():
		return PlacedNowhere
	case r.IsArray() && t.MayBeArray:
		return PlacedArray
	case r.IsEdit() && t.MayBeArray:
		return PlacedEdit
	case t.Inline == InlineAlways:
		return PlacedInRep
	case !r.IsInlined():
		return PlacedAt
	case t.Inline == InlineSmall, t.Inline == InlineEmpty, r.Type() == TypeSpline:
		return PlacedSmall
	}
	return PlacedNowhere
}

// coded reports whether the array that r leads to is compressed; short arrays are plain nevertheless.
func (c *Crate) coded(r Rep) bool {
	return r.IsCompressed() && c.VersionNumber() >= r.Type().Info().codedFromNumber()
}

// Outside reports whether the value lies at an offset, and not in the rep.
func (r Rep) Outside() bool {
	switch r.Placement() {
	case PlacedArray, PlacedEdit:
		return r.Payload() != 0
	case PlacedAt:
		return true
	}
	return false
}

// Normal returns r without the bits that its type gives no meaning, so that two reps of one value are equal.
func (c *Crate) Normal(r Rep) Rep {
	n := r & (PayloadBits | 0xFF<<TypeShift)
	switch r.Placement() {
	case PlacedArray:
		n |= ArrayBit
		if c.coded(r) {
			n |= CompressedBit
		}
	case PlacedEdit:
		n |= EditBit
	case PlacedInRep, PlacedSmall, PlacedNowhere:
		n |= r & InlinedBit
	}
	return n
}

// TypeName returns the type's name in text layers, with "[]" for arrays.
func (r Rep) TypeName() string {
	switch name := r.Type().String(); r.Placement() {
	case PlacedArray:
		return name + "[]"
	case PlacedEdit:
		return name + "[] edit"
	default:
		return name
	}
}

// RepProblems returns the problems of a rep by itself; span is its place.
func (c *Crate) RepProblems(r Rep, span model.Span) []model.Problem {
	typ := span
	if typ.Len == 8 {
		typ.Mask = uint64(0xFF) << TypeShift
	}
	odd := c.oddFlags(r, span)
	switch {
	case !r.Type().known():
		return []model.Problem{model.Problemf(model.Malformed, "usdc.rep.unknown-type", typ,
			"there is no value type %d", r.Type()).Want(fmt.Sprintf("1 to %d", TypeEnd-1), uint8(r.Type()))}
	case r.Placement() == PlacedNowhere:
		return append(odd, model.Problemf(model.Suspicious, "usdc.rep.cannot-inline", span,
			"type %s cannot be inlined; readers take the value for an empty one", r.Type()).Want("an offset", "the inlined bit"))
	case r.Type() == TypeSpline && r.Placement() == PlacedSmall:
		return []model.Problem{model.Problemf(model.Suspicious, "usdc.rep.inlined-spline", span,
			"a spline is never inlined; some writers mark an empty one so")}
	case r.Outside() && r.Payload() >= c.Size:
		return append(odd, model.Problemf(model.Truncated, "usdc.rep.past-end", span,
			"the value of type %s lies beyond the end of the file", r.TypeName()).
			Want(fmt.Sprintf("an offset below %d", c.Size), r.Payload()))
	case r.Outside() && r.Payload() < c.BootstrapEnd:
		return append(odd, model.Problemf(model.Suspicious, "usdc.rep.in-bootstrap", span,
			"the value of type %s lies in the bootstrap", r.TypeName()).
			Want(fmt.Sprintf("an offset of at least %d", bootstrapSize), r.Payload()))
	}
	if names := r.Type().Info().Values; names != nil && int64(r.Low()) >= int64(len(names)) {
		return append(odd, model.Problemf(model.Suspicious, "usdc.value.unknown-enum", span,
			"%s has no value %d; readers pass the number on", r.Type(), r.Low()).Want(fmt.Sprintf("below %d", len(names)), r.Low()))
	}
	return odd
}

// oddFlags returns the problem of flags that mean nothing in a rep of that type and version, or that are missing.
func (c *Crate) oddFlags(r Rep, span model.Span) []model.Problem {
	means, inRep := PayloadBits|0xFF<<TypeShift, false
	switch r.Placement() {
	case PlacedArray:
		means |= ArrayBit
		if c.coded(r) {
			means |= CompressedBit
		}
	case PlacedEdit:
		if means |= r & InlinedBit; !c.Before(14, 0) {
			means |= EditBit
		}
	case PlacedInRep:
		inRep = true
		means |= InlinedBit
	case PlacedSmall, PlacedNowhere:
		means |= InlinedBit
	}
	odd := r &^ means
	if inRep && !r.IsInlined() {
		odd |= InlinedBit
	}
	if odd == 0 {
		return nil
	}
	var words []string
	shift := uint(0)
	for _, f := range repParts[2:] {
		if at := TypeShift + 8 + shift; odd>>at&(1<<f.Width-1) != 0 {
			words = append(words, f.Name)
		}
		shift += f.Width
	}
	if span.Len == RepSize {
		span.Mask = uint64(odd)
	}
	return []model.Problem{model.Problemf(model.Suspicious, "usdc.rep.flags", span,
		"flags of a rep of type %s are not what its type and version %s ask for: %s", r.TypeName(), c.ver, strings.Join(words, ", ")).
		Want(fmt.Sprintf("flags %#02x", uint64(r^odd)>>56), fmt.Sprintf("%#02x", uint64(r)>>56))}
}

var repParts = []lang.Part{
	lang.B("payload", TypeShift, "a file offset, or in its low 32 bits the value itself"),
	lang.B("type", 8, "number of the value's type", typeNames()...),
	lang.B("unused", 4, "always 0"),
	lang.B("arrayEdit", 1, "the value is a list of edits to an array; from 0.14.0"),
	lang.B("compressed", 1, "the array is compressed; matters for arrays of numbers only"),
	lang.B("inlined", 1, "the payload is the value"),
	lang.B("array", 1, "the value is an array of the type"),
}

// RepNode returns the node of a rep, with its bit fields.
func (c *Crate) RepNode(name string, r Rep, span model.Span) model.Node {
	n := model.Node{
		Name: name, Type: "value rep", Brief: r.Brief(), Spans: []model.Span{span},
		Problems: c.RepProblems(r, span),
		Help:     "type and place of a value, or the value itself",
	}
	n.Children = lang.PartsOf(uint64(r), span, repParts)
	n.Refs = func(ctx context.Context) []model.Ref { return c.RepRefs(ctx, r) }
	return n
}

// Brief returns the rep in a few words.
func (r Rep) Brief() string {
	name := r.TypeName()
	switch r.Placement() {
	case PlacedNowhere:
		return name
	case PlacedInRep, PlacedSmall:
		if !r.IsInlined() {
			return name + ", in its rep, though not marked as inlined"
		}
		return name + ", inlined"
	}
	if !r.Outside() {
		return name + ", empty"
	}
	return fmt.Sprintf("%s at %#x", name, r.Payload())
}

// RepRefs leads from a rep to its value, or to the text that it holds the index of.
func (c *Crate) RepRefs(ctx context.Context, r Rep) []model.Ref {
	if r.Outside() {
		if r.Payload() >= c.Size {
			return nil
		}
		return []model.Ref{c.ValueRef(r.Payload())}
	}
	if r.Placement() == PlacedInRep {
		return c.IndexRefs(ctx, r.Type().Info().Elem.Scalar, r.Low(), false)
	}
	return nil
}

// ReadRep reads the rep at off.
func ReadRep(ctx context.Context, src *model.Source, off int64) (Rep, model.Span, error) {
	pass := grammar.Glance(ctx) // whose bytes need not be allocated
	defer pass.Return()
	span := src.Span(off, RepSize)
	if b := pass.Window(src, off, RepSize); b != nil {
		return RepOf(b), span, nil
	}
	_, err := src.Bytes(ctx, off, RepSize)
	return 0, span, err
}

// RepRows returns the nodes of count reps from off on. complete adds to each.
func (c *Crate) RepRows(src *model.Source, off, count int64, complete func(ctx context.Context, i int64, n *model.Node)) model.Children {
	return model.FixedRows(src, off, RepSize, count, func(ctx context.Context, i int64) model.Node {
		r, span, err := ReadRep(ctx, src, off+RepSize*i)
		if err != nil {
			return model.Node{Name: model.IndexName(i), Spans: []model.Span{span}, Problems: []model.Problem{coding.ProblemAt(err, span)}}
		}
		n := c.RepNode(model.IndexName(i), r, span)
		complete(ctx, i, &n)
		return n
	})
}

// ShowValueRep shows the rep of a value.
func ShowValueRep(s grammar.Scope, v grammar.Value, n *model.Node) {
	r, ok := v.Uint()
	if !ok {
		return
	}
	help := n.Help
	if *n = CrateOf(s).RepNode(n.Name, Rep(r), n.Span()); help != "" {
		n.Help = help
	}
}

// Unfolds reports whether the value of r lies outside it and holds reps of other values.
func (r Rep) Unfolds() bool {
	switch r.Placement() {
	case PlacedEdit:
		return r.Outside()
	case PlacedAt:
		return r.Type().nests()
	}
	return false
}
