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

	id     byte            // of the binary form
	object *grammar.Object // of an entry of the binary form that the engine read
}

// code is what the id of an entry of the binary form says.
func (h *head) code() *code { return &codes[h.id] }

func (h *head) length() int64 { return h.end - h.off }

// scanBatch is how many entries are found in a step.
const scanBatch = 1 << 14

// step scans a few thousand entries more into the index; done when there are no more.
func (s *stream) step(ctx context.Context) (done bool) {
	scan := s.scan
	if scan == nil {
		scan = newHeads(ctx, s)
	}
	s.scan = nil // one that panics is not used again
	scan.r.Resume(ctx)
	done = s.takeBatch(ctx, scan)
	s.scan = scan
	return done
}

func (s *stream) takeBatch(ctx context.Context, scan *heads) (done bool) {
	x := &s.x
	var h head
	for range scanBatch {
		switch {
		case s.ended || x.end >= s.end || x.n >= s.most:
			return true
		case !scan.read(x.n, x.end, &h):
			return ctx.Err() == nil // a read that was stopped is tried again
		}
		s.take(&h)
	}
	return false
}

// take adds an entry that the scan found to the index.
func (s *stream) take(h *head) {
	x, length := &s.x, h.length()
	switch h.kind {
	case kRefNode:
		x.add(length, refNode)
		if h.node >= 0 {
			x.node(h.i, h.node)
		}
		s.noteType(h)
	case kStructNode:
		x.add(length, structNode)
		s.noteType(h)
	case kArray:
		x.add(length, array)
	case kPrimitives:
		x.add(length, s.primitivesClass())
	case kEndNode, kEndArray:
		x.close(length, h.kind == kEndArray)
	case kEndStream:
		x.add(length, plain)
		s.ended = s.form.encoding() == encodingBinary
	default:
		x.add(length, plain)
	}
}

// primitivesClass is what a primitive array is that comes next: an entry, or of the text forms an array with an end. In
// the Nodes list one of bytes is an entry.
func (s *stream) primitivesClass() class {
	switch s.form.encoding() {
	case encodingBinary:
		return plain
	case encodingNodes:
		if around := s.x.stack[len(s.x.stack)-1].entry; around >= 0 && around == s.bytesNode {
			return plain
		}
	}
	return array
}

// noteType keeps definitions of types and the nodes of Udon's.
func (s *stream) noteType(h *head) {
	udon := h.tag == idTypeID && s.udonTypes[h.typeID]
	switch h.tag {
	case idTypeName:
		s.x.define(h.i, h.typeID)
		udon = isUdonRoot(h.typeName)
		if udon || s.udonTypes[h.typeID] {
			s.udonTypes[h.typeID] = udon
		}
	case 0:
		udon = isUdonRoot(h.typeName)
		if s.form.encoding() == encodingNodes && isByteArray(h.typeName) {
			s.bytesNode = h.i
		}
	}
	if udon {
		s.x.programs = append(s.x.programs, h.i)
	}
}

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
	p := newHeads(ctx, s)
	var h head
	at, _ := s.own(first)
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
	s     *stream
	r     *grammar.Reading
	quick bool   // the form is binary, whose frequent entries cost no call of its own
	ahead []byte // of the binary form: in memory from at on, until the engine reads
	at    int64
	w     *window // of the text forms
	json  jsonHead
	item  nodeItem
}

func newHeads(ctx context.Context, s *stream) *heads {
	r := grammar.NewReading(ctx, grammar.Far)
	return &heads{s: s, r: r, quick: s.form.encoding() == encodingBinary, w: &window{r: r, src: s.src, end: s.end}}
}

// read reads the head of entry i at an offset; false where the entry is not whole or not valid.
func (p *heads) read(i, at int64, h *head) bool {
	if h.object != nil {
		h.object.Release(p.r)
		h.object, h.typeName = nil, ""
	}
	h.i, h.off, h.tag, h.node = i, at, 0, noNodeFound
	return p.quick && p.frequent(h) || p.s.form.head(p, h)
}

// head implements form, for what is not frequent.
func (binaryForm) head(p *heads, h *head) bool {
	p.ahead = nil
	h.object = p.s.object(p.r, h.i, h.off, p.s.end)
	if h.object == nil || !h.object.OK() {
		return false
	}
	h.id, h.end = idAt(p.r, p.s, h.off), h.object.End()
	h.take(h.object.Scope(p.r))
	return h.kind != kInvalid
}

// take takes what is needed from an entry that the engine read.
func (h *head) take(s grammar.Scope) {
	code := h.code()
	h.kind = code.kind
	switch h.kind {
	case kRefNode, kStructNode:
		t, _ := s.Value(code.content)
		in := s.In(t.Object())
		h.tag, h.typeID = byte(in.Int(typeTag)), int32(in.Int(typeID))
		if h.tag == idTypeName {
			name, _ := in.Value(typeName)
			h.typeName = textOf(s, name)
		}
		if code.node != nil {
			h.node = s.Int(code.node)
		}
	case kInternal:
		h.ref = s.Int(code.content)
	case kArray:
		h.announced = s.Int(code.content)
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
	h.id = b[0]
	code := &codes[b[0]]
	h.kind = code.kind
	n := int64(1)
	if code.named {
		count := int64(int32(binary.LittleEndian.Uint32(b[2:])))
		if b[1] == 1 {
			count *= 2
		}
		if b[1] > 1 || count < 0 || count > int64(len(b))-frequentRoom {
			return false
		}
		n += textHeader + count
	}
	if code.fixed < 0 {
		if n = h.nodeStart(b, n); n == 0 {
			return false
		}
	} else {
		if code.number {
			h.takeNumber(b[n:])
		}
		n += code.fixed
	}
	h.end = h.off + n
	return true
}

// nodeStart takes type and id of a node, from n on, and returns the end; 0: it is none, or not of a frequent kind.
func (h *head) nodeStart(b []byte, n int64) int64 {
	if h.kind != kRefNode && h.kind != kStructNode {
		return 0
	}
	h.tag = b[n]
	n++
	switch h.tag {
	case idTypeID:
		h.typeID = int32(binary.LittleEndian.Uint32(b[n:]))
		n += 4
	case idNull:
	default:
		return 0
	}
	if h.kind == kRefNode {
		h.node = int64(int32(binary.LittleEndian.Uint32(b[n:])))
		n += 4
	}
	return n
}

// takeNumber takes a reference or the length of an array.
func (h *head) takeNumber(b []byte) {
	if h.kind == kArray {
		h.announced = int64(binary.LittleEndian.Uint64(b))
	} else {
		h.ref = int64(int32(binary.LittleEndian.Uint32(b)))
	}
}
