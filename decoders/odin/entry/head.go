package entry

import (
	"cmp"
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A Head holds the fields of an entry that a pass over all needs, in any form.
type Head struct {
	Number    int64 // in the stream, from 0
	off, end  int64 // range of its own bytes in the source
	Kind      kind.Kind
	Tag       byte   // of nodes, as in TypeUse
	TypeID    int32  // likewise
	typeName  string // of nodes that write it
	Node      int64  // id of a reference node, or NoNode
	Ref       int64  // of internal references: a node id
	announced int64  // length of an array

	id     byte            // of the binary form
	object *grammar.Object // of an entry of the binary form that the engine read
}

// Len returns the number of the entry's own bytes.
func (h *Head) Len() int64 { return h.end - h.off }

// Each scans the stream to its end, and visits all entries in their order. The head is valid until visit returns.
func (s *Stream) Each(ctx context.Context, progress model.Progress, what string, visit func(h *Head)) error {
	if err := s.ScanAll(ctx, progress); err != nil {
		return err
	}
	return s.EachIn(ctx, progress, what, 0, s.Indexed(), visit)
}

// EachIn visits the entries first ≤ i < end.
func (s *Stream) EachIn(ctx context.Context, progress model.Progress, what string, first, end int64, visit func(h *Head)) error {
	if first >= end {
		return nil
	}
	p := newHeads(ctx, s)
	var h Head
	at, _ := s.OwnRange(first)
	for i := first; i < end; i++ {
		if i%scanBatch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, end, what)
		}
		if !p.read(i, at, &h) {
			return cmp.Or(ctx.Err(), fmt.Errorf("the entry at %#x cannot be read any more", at))
		}
		at = h.end
		visit(&h)
	}
	return nil
}

// TypeName returns the type name of an entry.
func (s *Stream) TypeName(ctx context.Context, h *Head) string {
	if h.Tag == kind.TypeID {
		name, _ := s.typeName(ctx, h.TypeID, h.Number)
		return name
	}
	return h.typeName
}

// heads reads the heads of the entries of a stream in their order.
type heads struct {
	s     *Stream
	r     *grammar.Reading
	quick bool           // the form is binary
	fast  frequent       // then
	w     *textio.Window // of the text forms
	json  jsonHead
	item  nodeItem
}

// newHeads returns a reader of the entries of a stream.
func newHeads(ctx context.Context, s *Stream) *heads {
	r := grammar.NewReading(ctx, grammar.Far)
	p := &heads{s: s, r: r, w: textio.Share(r, s.src, s.end)}
	if s.Encoding() == EncodingBinary {
		p.quick, p.fast = true, newFrequent(r, s)
	}
	return p
}

// read reads the head of entry i at an offset, or returns false if the entry is cut off or not valid.
func (p *heads) read(i, at int64, h *Head) bool {
	if h.object != nil {
		h.object.Release(p.r)
		h.object, h.typeName = nil, ""
	}
	h.Number, h.off, h.Tag, h.Node = i, at, 0, NoNode
	return p.quick && p.fast.read(h) || p.s.form.head(p, h)
}

// head reads the head of an entry that is not frequent.
func (binaryForm) head(p *heads, h *Head) bool {
	h.object = p.s.object(p.r, h.Number, h.off, p.s.end)
	if h.object == nil || !h.object.OK() {
		return false
	}
	h.id, h.end = idAt(p.r, p.s, h.off), h.object.End()
	h.setFrom(h.object.Scope(p.r))
	p.fast.learn(h.id, h.object.Scope(p.r))
	return h.Kind != kind.Invalid
}

// setFrom sets the head from an entry that the engine read.
func (h *Head) setFrom(s grammar.Scope) {
	h.Kind = kind.Codes[h.id].Kind
	switch h.Kind {
	case kind.ReferenceNode, kind.StructNode:
		t, _ := s.Named("type")
		in := s.In(t.Object())
		h.Tag, h.TypeID = byte(in.Number("tag")), int32(in.Number("type id"))
		if h.Tag == kind.TypeName {
			name, _ := in.Named("type name")
			h.typeName = textOf(s, name)
		}
		if h.Kind == kind.ReferenceNode {
			h.Node = s.Number("node id")
		}
	case kind.InternalReference:
		h.Ref = s.Number("node id")
	case kind.Array:
		h.announced = s.Number("length")
	}
}
