package odin

import (
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/model"
)

// binaryForm is the binary form (chapters 2 to 6).
type binaryForm struct {
	w     *window // of the scan
	pos   int64
	ended bool // an EndOfStream entry was met

	udon map[int32]bool // type ids that are Udon's
}

const (
	scanWindow = 1 << 20
	scanBatch  = 1 << 14 // entries of a step
	headWindow = 512     // bytes read at once to decode one entry
	maxText    = 1 << 20 // bytes of a text that is held in memory; longer ones are shown as bytes
)

func newBinary(src *model.Source, start, end int64) *binaryForm {
	return &binaryForm{w: newWindow(src, end, scanWindow), pos: start, udon: map[int32]bool{}}
}

func (f *binaryForm) encoding() string { return encodingBinary }

// step implements form.
func (f *binaryForm) step(ctx context.Context, x *index) bool {
	var h head
	for range scanBatch {
		if f.ended || f.pos >= f.w.end || x.n >= maxEntries {
			f.w.buf = nil
			return true
		}
		if !f.quick(&h) && !readHead(ctx, f.w, f.pos, &h) {
			f.w.buf = nil
			return true
		}
		length := h.end - f.pos
		switch h.code.kind {
		case kRefNode:
			i := x.add(length, refNode)
			if h.node >= 0 {
				x.node(i, int64(h.node))
			}
			f.noteType(ctx, x, i, &h)
		case kStructNode:
			f.noteType(ctx, x, x.add(length, structNode), &h)
		case kArray:
			x.add(length, array)
		case kEndNode:
			x.close(length, false)
		case kEndArray:
			x.close(length, true)
		case kEndStream:
			x.add(length, plain)
			f.ended = true
		default:
			x.add(length, plain)
		}
		f.pos = h.end
	}
	return false
}

// quickRoom is how many bytes the fixed parts of an entry take at most, besides its name.
const quickRoom = 40

// quick reads the entry at f.pos where it stands in the buffer and is of a frequent kind, which most are; else it leaves
// it to readHead. Of h it fills in what a scan needs.
func (f *binaryForm) quick(h *head) bool {
	p := f.pos - f.w.off
	buf := f.w.buf
	if p < 0 || p+quickRoom > int64(len(buf)) {
		return false
	}
	c := &codes[buf[p]]
	p++
	if c.named {
		n := int64(int32(binary.LittleEndian.Uint32(buf[p+1:])))
		if buf[p] != 0 {
			n *= 2
		}
		if n < 0 || n > int64(len(buf))-p-quickRoom {
			return false
		}
		p += textHeader + n
	}
	switch {
	case c.content >= 0 && c.kind != kInvalid:
		p += int64(c.content)
	case c.content == contentNode:
		h.tag = buf[p]
		switch h.tag {
		case idTypeID:
			h.typeID = int32(binary.LittleEndian.Uint32(buf[p+1:]))
			p += 5
		case idNull:
			p++
		default:
			return false
		}
		if c.kind == kRefNode {
			h.node = int32(binary.LittleEndian.Uint32(buf[p:]))
			p += 4
		}
	default:
		return false
	}
	h.code = *c
	h.end = f.w.off + p
	return true
}

// noteType keeps definitions of types and the nodes of Udon's.
func (f *binaryForm) noteType(ctx context.Context, x *index, i int64, h *head) {
	if h.tag == idTypeName {
		x.define(i, h.typeID)
		if n := h.typ.bytes(); n <= headWindow {
			delete(f.udon, h.typeID)
			if isUdonRoot(decodeText(f.w.peek(ctx, h.typ.chars(), int(n)), h.typ.wide())) {
				f.udon[h.typeID] = true
			}
		}
	}
	if len(f.udon) > 0 && h.tag != idNull && f.udon[h.typeID] {
		x.programs = append(x.programs, i)
	}
}

// decode implements form.
func (f *binaryForm) decode(ctx context.Context, s *stream, i, off, length int64) entry {
	var h head
	w := newWindow(s.src, off+length, headWindow)
	if !readHead(ctx, w, off, &h) {
		return entry{kind: kInvalid, form: "unreadable", node: noNodeFound}
	}
	e := entry{kind: h.code.kind, form: h.code.name, named: h.code.named, node: noNodeFound}
	if e.named {
		e.name = f.text(ctx, s, h.name)
	}
	switch h.code.content {
	case contentNode:
		e.typ = f.typeUse(ctx, s, i, &h)
		if e.kind == kRefNode {
			e.node = int64(h.node)
		}
	case contentString:
		e.valueAt = s.src.Span(h.value.chars(), h.value.bytes())
		if h.value.bytes() > maxText {
			e.value = model.Blob{Span: e.valueAt}
		} else {
			e.value = model.Text(f.text(ctx, s, h.value))
		}
	case contentPrimitives:
		e.count, e.size = int64(h.count), int64(h.size)
		e.data = s.src.Span(h.body+8, h.end-h.body-8)
	default:
		if b := w.peek(ctx, h.body, int(h.code.content)); b != nil {
			e.value = scalar(e.kind, b)
			e.valueAt = s.src.Span(h.body, int64(h.code.content))
		}
	}
	switch v, _ := e.value.(model.Int); e.kind {
	case kArray:
		e.announced, e.value = int64(v), nil
	case kInternal, kExternalIndex:
		e.ref = int64(v)
	}
	return e
}

// nameOf implements form.
func (f *binaryForm) nameOf(ctx context.Context, s *stream, off, length int64) (string, bool) {
	w := newWindow(s.src, off+length, headWindow)
	b := w.peek(ctx, off, 1)
	var t text
	if b == nil || !codes[b[0]].named || !readText(ctx, w, off+1, &t) {
		return "", false
	}
	return f.text(ctx, s, t), true
}

// maxName is how many bytes of a name are read.
const maxName = 512

// text reads a string of the source; long ones are cut.
func (f *binaryForm) text(ctx context.Context, s *stream, t text) string {
	n := t.bytes()
	cut := ""
	if n > maxText {
		n, cut = maxName, "…"
	}
	b, err := s.src.Bytes(ctx, t.chars(), n)
	if err != nil {
		return ""
	}
	return decodeText(b, t.wide()) + cut
}

func (f *binaryForm) typeUse(ctx context.Context, s *stream, i int64, h *head) typeUse {
	u := typeUse{tag: h.tag, id: h.typeID}
	size := h.end - h.body
	if h.code.kind == kRefNode {
		size -= 4
	}
	u.at = s.src.Span(h.body, size)
	switch h.tag {
	case idTypeName:
		u.name, u.defined = f.text(ctx, s, h.typ), true
		s.mu.RLock()
		u.repeated = s.x.redefined(u.id, i)
		s.mu.RUnlock()
	case idTypeID:
		u.name, u.defined = s.typeName(ctx, u.id, i)
	}
	return u
}

// typeName is the name that a type id has at an entry.
func (s *stream) typeName(ctx context.Context, id int32, at int64) (string, bool) {
	s.mu.RLock()
	d, ok := s.x.definedBefore(id, at)
	s.mu.RUnlock()
	if !ok || int64(d.entry) == at {
		return "", false
	}
	if name, ok := s.names.Load(d.entry); ok {
		return name.(string), true
	}
	e := s.entry(ctx, int64(d.entry))
	if len(e.typ.name) <= maxName {
		s.names.Store(d.entry, e.typ.name)
	}
	return e.typ.name, true
}

// definer is the entry that defines the type id that entry i uses.
func (s *stream) definer(id int32, i int64) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	d, ok := s.x.definedBefore(id, i)
	return int64(d.entry), ok
}

// nodeOf finds the reference node with an id, in what is scanned so far.
func (s *stream) nodeOf(ctx context.Context, id int64) (int64, bool) {
	if i, ok := s.found.Load(id); ok {
		return i.(int64), true
	}
	s.mu.RLock()
	from, to := s.x.nodeRange(id)
	stray, isStray := s.x.strayNode[id]
	s.mu.RUnlock()
	for from >= 0 && ctx.Err() == nil {
		i, ok := s.nextRefNode(from, to)
		if !ok {
			break
		}
		e := s.entry(ctx, i)
		if e.node == id {
			if s.finds.Add(1) < maxFinds {
				s.found.Store(id, i)
			}
			return i, true
		}
		from = i + 1
	}
	return stray, isStray
}

// maxFinds bounds the ids whose nodes are remembered.
const maxFinds = 1 << 16

func (s *stream) nextRefNode(from, to int64) (int64, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for i := from; i < to; i++ {
		if s.x.class(i) == refNode {
			return i, true
		}
	}
	return 0, false
}

// idText names an id byte for a message.
func idText(id byte) string {
	if name := reservedName(id); name != "" {
		return fmt.Sprintf("%#02x (%s)", id, name)
	}
	return fmt.Sprintf("%#02x", id)
}
