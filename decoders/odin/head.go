package odin

import (
	"cmp"
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// A head holds the fields of an entry that a pass over all needs, in any form.
type head struct {
	i, off, end int64 // which entry, and where its own bytes are
	kind        kind.Kind
	tag         byte   // of node starts: TypeName, TypeID or Null, or 0 if the type has no number
	typeID      int32  // likewise
	typeName    string // where the entry says it
	node        int64  // id of a reference node; noNodeFound: none
	ref         int64  // of internal references
	announced   int64  // length of an array

	id     byte            // of the binary form
	object *grammar.Object // of an entry of the binary form that the engine read
}

func (h *head) length() int64 { return h.end - h.off }

// each visits all entries of a stream in their order, scanning it first. The head is good until the visitor returns.
func (s *stream) each(ctx context.Context, progress model.Progress, what string, visit func(h *head)) error {
	if err := s.scanAll(ctx, progress); err != nil {
		return err
	}
	return s.eachIn(ctx, progress, what, 0, s.indexed(), visit)
}

// eachIn visits the entries first ≤ i < end.
func (s *stream) eachIn(ctx context.Context, progress model.Progress, what string, first, end int64, visit func(h *head)) error {
	if first >= end {
		return nil
	}
	p := newHeads(ctx, s)
	var h head
	at, _ := s.ownRange(first)
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

// nameOfType returns the type name of an entry.
func (s *stream) nameOfType(ctx context.Context, h *head) string {
	if h.tag == kind.TypeID {
		name, _ := s.typeName(ctx, h.typeID, h.i)
		return name
	}
	return h.typeName
}

// heads reads the heads of the entries of a stream in their order.
type heads struct {
	s     *stream
	r     *grammar.Reading
	quick bool           // the form is binary
	fast  frequent       // then
	w     *textio.Window // of the text forms
	json  jsonHead
	item  nodeItem
}

func newHeads(ctx context.Context, s *stream) *heads {
	r := grammar.NewReading(ctx, grammar.Far)
	p := &heads{s: s, r: r, w: textio.Share(r, s.src, s.end)}
	if s.encoding() == encodingBinary {
		p.quick, p.fast = true, newFrequent(r, s)
	}
	return p
}

// read reads the head of entry i at an offset, or returns false if the entry is cut off or not valid.
func (p *heads) read(i, at int64, h *head) bool {
	if h.object != nil {
		h.object.Release(p.r)
		h.object, h.typeName = nil, ""
	}
	h.i, h.off, h.tag, h.node = i, at, 0, noNodeFound
	return p.quick && p.fast.read(h) || p.s.form.head(p, h)
}

// head reads the head of an entry that is not frequent.
func (binaryForm) head(p *heads, h *head) bool {
	h.object = p.s.object(p.r, h.i, h.off, p.s.end)
	if h.object == nil || !h.object.OK() {
		return false
	}
	h.id, h.end = idAt(p.r, p.s, h.off), h.object.End()
	h.setFrom(h.object.Scope(p.r))
	p.fast.learn(h.id, h.object.Scope(p.r))
	return h.kind != kind.Invalid
}

// setFrom sets the head from an entry that the engine read.
func (h *head) setFrom(s grammar.Scope) {
	h.kind = kind.Codes[h.id].Kind
	switch h.kind {
	case kind.ReferenceNode, kind.StructNode:
		t, _ := s.Named("type")
		in := s.In(t.Object())
		h.tag, h.typeID = byte(in.Number("tag")), int32(in.Number("type id"))
		if h.tag == kind.TypeName {
			name, _ := in.Named("type name")
			h.typeName = textOf(s, name)
		}
		if h.kind == kind.ReferenceNode {
			h.node = s.Number("node id")
		}
	case kind.InternalReference:
		h.ref = s.Number("node id")
	case kind.Array:
		h.announced = s.Number("length")
	}
}
