package odin

import (
	"context"
	"encoding/binary"
)

// text is a string of the binary form (chapter 3): flag, count, characters.
type text struct {
	at    int64 // offset of the flag
	flag  byte
	count int32
}

const textHeader = 5

func (t text) wide() bool { return t.flag != 0 }

// bytes is the length of the characters.
func (t text) bytes() int64 {
	if t.wide() {
		return 2 * int64(t.count)
	}
	return int64(t.count)
}

func (t text) chars() int64 { return t.at + textHeader }
func (t text) end() int64   { return t.chars() + t.bytes() }

// head is where the parts of an entry of the binary form stand.
type head struct {
	at     int64
	id     byte
	code   code
	name   text  // of named entries
	body   int64 // offset of the content
	tag    byte  // of node starts: TypeName, TypeID or Null
	typeID int32
	typ    text  // of TypeName
	node   int32 // of reference nodes
	count  int32 // of primitive arrays
	size   int32 // likewise: bytes of an element
	value  text  // of strings
	end    int64
}

// readHead reads the entry at an offset; false where it is not whole or not valid, which its layout says in words.
func readHead(ctx context.Context, w *window, at int64, h *head) bool {
	b := w.peek(ctx, at, 1)
	if b == nil {
		return false
	}
	*h = head{at: at, id: b[0], code: codes[b[0]]}
	if h.code.kind == kInvalid {
		return false
	}
	pos := at + 1
	if h.code.named {
		if !readText(ctx, w, pos, &h.name) {
			return false
		}
		pos = h.name.end()
	}
	h.body = pos
	switch h.code.content {
	case contentNode:
		return readStart(ctx, w, h)
	case contentString:
		if !readText(ctx, w, pos, &h.value) {
			return false
		}
		h.end = h.value.end()
		return true
	case contentPrimitives:
		if b = w.peek(ctx, pos, 8); b == nil {
			return false
		}
		h.count, h.size = int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))
		h.end = pos + 8 + int64(h.count)*int64(h.size)
		return h.count >= 0 && h.size >= 0 && h.end <= w.end
	}
	h.end = pos + int64(h.code.content)
	return h.end <= w.end
}

// readStart reads the type entry and the node id (chapter 4).
func readStart(ctx context.Context, w *window, h *head) bool {
	pos := h.body
	b := w.peek(ctx, pos, 1)
	if b == nil {
		return false
	}
	h.tag = b[0]
	pos++
	switch h.tag {
	case idNull:
	case idTypeName, idTypeID:
		if b = w.peek(ctx, pos, 4); b == nil {
			return false
		}
		h.typeID = int32(binary.LittleEndian.Uint32(b))
		pos += 4
		if h.tag == idTypeName {
			if !readText(ctx, w, pos, &h.typ) {
				return false
			}
			pos = h.typ.end()
		}
	default:
		return false
	}
	if h.code.kind == kRefNode {
		if b = w.peek(ctx, pos, 4); b == nil {
			return false
		}
		h.node = int32(binary.LittleEndian.Uint32(b))
		pos += 4
	}
	h.end = pos
	return true
}

func readText(ctx context.Context, w *window, at int64, t *text) bool {
	b := w.peek(ctx, at, textHeader)
	if b == nil {
		return false
	}
	*t = text{at: at, flag: b[0], count: int32(binary.LittleEndian.Uint32(b[1:]))}
	return t.count >= 0 && t.end() <= w.end
}
