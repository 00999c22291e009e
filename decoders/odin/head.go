package odin

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// head is what a pass over millions of entries needs of one, whatever form it is written in.
type head struct {
	i, off, end int64 // which entry, and where its own bytes are
	kind        kind
	tag         byte   // of node starts: TypeName, TypeID or Null; 0: the type has no number
	typeID      int32  // likewise
	typeName    string // where the entry says it
	node        int64  // id of a reference node; noNodeFound: none
	ref         int64  // of internal references
	announced   int64  // length of an array

	code   *code           // of the binary form
	object *grammar.Object // of an entry of the binary form that the engine read
}

func (h *head) length() int64 { return h.end - h.off }

// each visits all entries of a stream in their order, scanning it first. The head is good until the visitor returns.
func (s *stream) each(ctx context.Context, progress model.Progress, what string, visit func(h *head)) error {
	if err := s.all(ctx, progress); err != nil {
		return err
	}
	return s.eachIn(ctx, progress, what, 0, s.indexed(), visit)
}

// eachIn visits the entries first ≤ i < end.
func (s *stream) eachIn(ctx context.Context, progress model.Progress, what string, first, end int64, visit func(h *head)) error {
	if first >= end {
		return nil
	}
	p := newHeads(s)
	p.r.Resume(ctx)
	var h head
	at, _ := s.own(first)
	for i := first; i < end; i++ {
		if i%scanBatch == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(i, end, what)
		}
		if !p.read(ctx, i, at, &h) {
			return cmp.Or(ctx.Err(), fmt.Errorf("the entry at %#x cannot be read any more", at))
		}
		at = h.end
		visit(&h)
	}
	return nil
}

// nameOfType is the type name of an entry.
func (s *stream) nameOfType(ctx context.Context, h *head) string {
	if h.tag == idTypeID {
		name, _ := s.typeName(ctx, h.typeID, h.i)
		return name
	}
	return h.typeName
}

// heads reads the heads of the entries of a stream in their order.
type heads struct {
	s      *stream
	r      *grammar.Reading
	binary bool
	ahead  []byte // in memory from at on, until the engine reads
	at     int64
}

func newHeads(s *stream) heads {
	return heads{s: s, r: grammar.NewReading(nil, grammar.Far), binary: s.form.encoding() == encodingBinary}
}

// read reads the head of entry i at an offset; false where the entry is not whole or not valid.
func (p *heads) read(ctx context.Context, i, at int64, h *head) bool {
	if h.object != nil {
		h.object.Release(p.r)
		h.object, h.typeName = nil, ""
	}
	h.i, h.off, h.tag, h.node = i, at, 0, noNodeFound
	if !p.binary {
		e := p.s.entry(ctx, i)
		h.end, h.kind, h.tag, h.typeID, h.typeName, h.node, h.ref = at+e.length, e.kind, e.typ.tag, e.typ.id, e.typ.name, e.node, e.ref
		return true
	}
	if p.frequent(h) {
		return true
	}
	p.ahead = nil
	h.object = p.s.object(p.r, i, at, p.s.end)
	if h.object == nil || !h.object.OK() {
		return false
	}
	h.code, h.end = codeOf(p.r, p.s, at), h.object.End()
	h.take(h.object.Scope(p.r))
	return h.kind != kInvalid
}

// take takes what is needed from an entry that the engine read.
func (h *head) take(s grammar.Scope) {
	h.kind = h.code.kind
	switch h.kind {
	case kRefNode, kStructNode:
		t, _ := s.Value(h.code.content)
		in := s.In(t.Object())
		h.tag, h.typeID = byte(in.Int(typeTag)), int32(in.Int(typeID))
		if h.tag == idTypeName {
			name, _ := in.Value(typeName)
			h.typeName = textOf(s, name)
		}
		if h.code.node != nil {
			h.node = s.Int(h.code.node)
		}
	case kInternal:
		h.ref = s.Int(h.code.content)
	case kArray:
		h.announced = s.Int(h.code.content)
	}
}

// frequentRoom is how many bytes the fixed parts of an entry take at most, besides its name.
const frequentRoom = 40

// frequent reads the head of an entry that is all in the window and of a frequent kind, which most are, several times as
// fast as the engine. It leaves all others to the engine: what is cut or has a rule broken outside of its content.
func (p *heads) frequent(h *head) bool {
	if i := h.off - p.at; i < 0 || i+frequentRoom > int64(len(p.ahead)) {
		p.ahead, p.at = p.r.Window(p.s.src, h.off, frequentRoom), h.off
		if p.ahead == nil {
			return false
		}
	}
	b := p.ahead[h.off-p.at:]
	h.code = &codes[b[0]]
	h.kind = h.code.kind
	n := int64(1)
	if h.code.named {
		count := int64(int32(binary.LittleEndian.Uint32(b[2:])))
		if b[1] == 1 {
			count *= 2
		}
		if b[1] > 1 || count < 0 || count > int64(len(b))-frequentRoom {
			return false
		}
		n += textHeader + count
	}
	switch {
	case h.code.fixed >= 0:
		switch h.kind {
		case kInvalid:
			return false
		case kInternal:
			h.ref = int64(int32(binary.LittleEndian.Uint32(b[n:])))
		case kArray:
			h.announced = int64(binary.LittleEndian.Uint64(b[n:]))
		}
		n += h.code.fixed
	case h.kind == kRefNode || h.kind == kStructNode:
		h.tag = b[n]
		n++
		if h.tag == idTypeID {
			h.typeID = int32(binary.LittleEndian.Uint32(b[n:]))
			n += 4
		} else if h.tag != idNull {
			return false
		}
		if h.kind == kRefNode {
			h.node = int64(int32(binary.LittleEndian.Uint32(b[n:])))
			n += 4
		}
	default:
		return false
	}
	h.end = h.off + n
	return true
}
