package entry

import (
	"encoding/binary"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// frequent reads the heads of most entries of the binary form, several times as fast as the engine: of those that lie
// in the window and have a content of fixed size, or begin a node whose type has a number. It leaves others to the
// engine, also those whose name breaks a rule. It learns where the parts of an entry are from the records of entries
// that the engine read.
type frequent struct {
	src   *model.Source
	r     *grammar.Reading
	ahead []byte // in memory from at on, until the engine reads
	at    int64

	flag, count, characters int64           // where the fields of a string begin
	shapes                  [256]entryShape // by id
	types                   [256]typeShape  // by the tag of a type entry
}

// An entryShape says what follows the name of entries with one id.
type entryShape struct {
	content content
	size    uint8 // of the part of the content that has a fixed size
	kind    kind.Kind
	named   bool
	known   bool
}

// content says what the fast way does with the content of an entry.
type content uint8

const (
	rareContent   content = iota // leaves the entry to the engine
	fixedContent                 // skips it
	numberContent                // reads its number
	typeContent                  // reads the type and the id of a node
)

// A typeShape holds the size of type entries with one tag, or 0 if that differs, and the offset of the type id, or 0 if
// none follows.
type typeShape struct{ size, id uint8 }

// frequentRoom is more than a frequent entry takes besides the characters of its name.
const frequentRoom = 40

// newFrequent returns a reader that has learned no shapes yet.
func newFrequent(r *grammar.Reading, s *Stream) frequent {
	text := s.plan.Record("string")
	count := text.Number("count")
	return frequent{src: s.src, r: r, flag: text.Number("flag").Off(), count: count.Off(), characters: count.Off() + count.Len()}
}

// learn notes the shape of an entry that the engine read.
func (p *frequent) learn(id byte, s grammar.Scope) {
	p.ahead = nil
	if x := &p.shapes[id]; !x.known {
		*x = shapeOfEntry(id, s.Object().Record())
	}
	if v, _ := s.Named("type"); v.Object() != nil {
		rec, shape := v.Object().Record(), typeShape{}
		if rec.Size() >= 0 {
			shape.size = uint8(rec.Size())
		}
		if id := rec.Lookup("type id"); id != nil {
			shape.id = uint8(rec.Offset(id))
		}
		p.types[byte(s.In(v.Object()).Number("tag"))] = shape
	}
}

// shapeOfEntry returns the shape of entries with an id, whose record is rec.
func shapeOfEntry(id byte, rec *grammar.Record) entryShape {
	x := entryShape{kind: kind.Codes[id].Kind, named: kind.Codes[id].Named, known: true, content: fixedContent}
	for _, f := range rec.Fields {
		switch n := f.Of.Size(); {
		case f.Name == "id" || f.Name == "name":
		case n < 0 || n > frequentRoom:
			x.content = rareContent
		default:
			x.size += uint8(n)
		}
	}
	switch x.kind {
	case kind.ReferenceNode, kind.StructNode:
		x.content = typeContent
	case kind.InternalReference, kind.Array:
		x.content = numberContent
	}
	return x
}

// read reads the head of an entry, or returns false if it is not frequent.
func (p *frequent) read(h *Head) bool {
	i := h.off - p.at
	if i < 0 || i+frequentRoom > int64(len(p.ahead)) {
		p.ahead, p.at, i = p.r.Window(p.src, h.off, frequentRoom), h.off, 0
		if p.ahead == nil {
			return false
		}
	}
	b := p.ahead[i:]
	x := &p.shapes[b[0]]
	if x.content == rareContent {
		return false
	}
	h.id, h.Kind = b[0], x.kind
	n := int64(1)
	if x.named {
		flag, count := b[n+p.flag], int64(int32(binary.LittleEndian.Uint32(b[n+p.count:])))
		if flag == 1 {
			count *= 2
		}
		if flag > 1 || count < 0 || count > int64(len(b))-frequentRoom {
			return false
		}
		n += p.characters + count
	}
	if x.content != fixedContent {
		if x.content == numberContent {
			h.setNumber(b[n:])
		} else if n = p.nodeStart(h, b, n); n == 0 {
			return false
		}
	}
	n += int64(x.size)
	h.end = h.off + n
	return true
}

// setNumber sets the length of an array, or the id that a reference names.
func (h *Head) setNumber(b []byte) {
	if h.Kind == kind.Array {
		h.announced = int64(binary.LittleEndian.Uint64(b))
	} else {
		h.Ref = int64(int32(binary.LittleEndian.Uint32(b)))
	}
}

// nodeStart reads the type and id of a node, from n on, and returns where they end, or 0 if they are not frequent.
func (p *frequent) nodeStart(h *Head, b []byte, n int64) int64 {
	h.Tag = b[n]
	t := &p.types[h.Tag]
	if t.size == 0 {
		return 0
	}
	if t.id > 0 {
		h.TypeID = int32(binary.LittleEndian.Uint32(b[n+int64(t.id):]))
	}
	n += int64(t.size)
	if h.Kind == kind.ReferenceNode {
		h.Node = int64(int32(binary.LittleEndian.Uint32(b[n:])))
	}
	return n
}
