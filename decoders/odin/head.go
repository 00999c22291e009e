package odin

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/grammar"
)

// head is what a pass over millions of entries needs of one.
type head struct {
	code      *code
	end       int64           // after the entry's own bytes
	tag       byte            // of node starts: TypeName, TypeID or Null
	typeID    int32           // likewise
	typeName  string          // where the tag is TypeName
	node      int32           // id of a reference node
	ref       int32           // of internal references
	announced int64           // length of an array
	object    *grammar.Object // of an entry that the engine read
}

// heads reads the heads of the entries of a binary stream in their order.
type heads struct {
	s *stream
	r *grammar.Reading
}

func newHeads(s *stream) heads { return heads{s, grammar.NewReading(nil, grammar.Far)} }

// read reads the head of entry i at an offset; false where the entry is not whole or not valid.
func (p *heads) read(ctx context.Context, i, at int64, h *head) bool {
	if h.object != nil {
		h.object.Release(p.r)
		h.object = nil
	}
	p.r.Resume(ctx)
	if p.frequent(at, h) {
		return true
	}
	h.object = p.s.object(p.r, i, at, p.s.end)
	if h.object == nil || !h.object.OK() {
		return false
	}
	h.code, h.end = codeOf(p.r, p.s, at), h.object.End()
	h.take(h.object.Scope(p.r))
	return h.code.kind != kInvalid
}

// take takes what is needed from an entry that the engine read.
func (h *head) take(s grammar.Scope) {
	h.tag = 0
	switch h.code.kind {
	case kRefNode, kStructNode:
		t, _ := s.Value(h.code.content)
		in := s.In(t.Object())
		h.tag, h.typeID = byte(in.Int(typeTag)), int32(in.Int(typeID))
		if h.tag == idTypeName {
			name, _ := in.Value(typeName)
			h.typeName = textOf(s, name)
		}
		if h.code.node != nil {
			h.node = int32(s.Int(h.code.node))
		}
	case kInternal:
		h.ref = int32(s.Int(h.code.content))
	case kArray:
		h.announced = s.Int(h.code.content)
	}
}

// frequentRoom is how many bytes the fixed parts of an entry take at most, besides its name.
const frequentRoom = 40

// frequent reads the head of an entry that is all in the window and of a frequent kind, which most are, several times as
// fast as the engine. It leaves all others to the engine: what is cut or has a rule broken outside of its content.
func (p *heads) frequent(at int64, h *head) bool {
	b := p.r.Window(p.s.src, at, frequentRoom)
	if b == nil {
		return false
	}
	h.code, h.tag = &codes[b[0]], 0
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
		switch h.code.kind {
		case kInvalid:
			return false
		case kInternal:
			h.ref = int32(binary.LittleEndian.Uint32(b[n:]))
		case kArray:
			h.announced = int64(binary.LittleEndian.Uint64(b[n:]))
		}
		n += h.code.fixed
	case h.code.kind == kRefNode || h.code.kind == kStructNode:
		h.tag = b[n]
		n++
		if h.tag == idTypeID {
			h.typeID = int32(binary.LittleEndian.Uint32(b[n:]))
			n += 4
		} else if h.tag != idNull {
			return false
		}
		if h.code.kind == kRefNode {
			h.node = int32(binary.LittleEndian.Uint32(b[n:]))
			n += 4
		}
	default:
		return false
	}
	h.end = at + n
	return true
}
