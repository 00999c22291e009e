package odin

import (
	"context"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

// fields implements form: the parts of one entry, in the order of chapter 2.
func (f *binaryForm) fields(ctx context.Context, s *stream, i, off, length int64) []model.Node {
	c := read.New(ctx, s.src, off, off+length, ruleTruncated)
	b := binaryFields{s: s, c: c, i: i}
	b.entry(ctx)
	return c.Nodes()
}

// rest implements form: the entry that is cut off or not valid, as far as it can be read, and what stands behind it.
func (f *binaryForm) rest(ctx context.Context, s *stream, off int64) []model.Node {
	if off >= s.end {
		return nil
	}
	c := read.New(ctx, s.src, off, s.end, ruleTruncated)
	s.mu.RLock()
	full := s.x.n >= maxEntries
	s.mu.RUnlock()
	switch {
	case full:
		c.Rest(restName, model.Unknown, "entries beyond the limit")
		c.Problem(model.Problemf(model.Malformed, ruleTooMany, model.Span{}, "more entries than this program shows").
			Want(fmt.Sprintf("at most %d", maxEntries), "more"))
	case f.ended:
		c.Rest(restName, model.Unknown, "nothing may follow an EndOfStream")
		c.Problem(model.Problemf(model.Suspicious, ruleTrailing, model.Span{}, "bytes follow the EndOfStream entry"))
	default:
		b := binaryFields{s: s, c: c, i: maxEntries}
		c.Group(brokenName, "", "the stream cannot be followed beyond this entry", func() { b.entry(ctx) })
		c.Field().Brief = "the entries end here"
		c.Rest(restName, model.Unknown, "bytes behind the place where the stream could not be followed")
	}
	nodes := c.Nodes()
	if at := nodes[len(nodes)-1].Span().End(); at < s.end {
		rest := s.src.Span(at, s.end-at)
		nodes = append(nodes, model.Node{Name: restName, Type: "bytes", Role: model.Unknown, Spans: []model.Span{rest},
			Value: model.Blob{Span: rest}, Help: "bytes behind the place where the stream could not be followed"})
	}
	return nodes
}

// binaryFields reads the fields of one entry.
type binaryFields struct {
	s      *stream
	c      *read.Cursor
	i      int64 // maxEntries: an entry that the scan did not take
	broken bool  // what follows cannot be placed
}

// ok tells whether the next field can be read.
func (b *binaryFields) ok() bool { return b.c.Ok() && !b.broken }

func (b *binaryFields) entry(ctx context.Context) {
	c := b.c
	id := c.U8("id", "kind of the entry")
	if !c.Ok() {
		return
	}
	code := codes[id]
	c.Symbol(code.name)
	if code.kind == kInvalid {
		c.Symbol(reservedName(id))
		if id == idTypeName || id == idTypeID {
			c.Check(false, ruleTypeEntry, "the id of an entry", idText(id),
				"a type entry stands where an entry is expected; the stream cannot be followed further")
		} else {
			c.Check(false, ruleInvalidID, "an id of 1 to 46 or 49 to 51", idText(id),
				"no entry has this id; the stream cannot be followed further")
		}
		return
	}
	if code.named {
		b.text(ctx, "name", "the member's name")
	}
	if !b.ok() {
		return
	}
	switch code.content {
	case contentNode:
		b.typeEntry(ctx)
		if b.ok() && code.kind == kRefNode {
			b.nodeID()
		}
	case contentString:
		b.text(ctx, "value", kindHelp[code.kind])
	case contentPrimitives:
		b.primitives(ctx)
	default:
		if code.content > 0 {
			b.scalar(ctx, code)
		}
	}
	if code.kind == kEndStream {
		c.Expect(false, ruleEndOfStream, "the end of the bytes", "an EndOfStream entry", "no known writer writes this entry")
	}
}

// text reads a string: flag, count and characters.
func (b *binaryFields) text(ctx context.Context, name, help string) {
	c := b.c
	c.Group(name, "string", help, func() {
		flag := c.U8("flag", "0: 8 bits a character (Latin-1); else 16 bits (UTF-16)")
		c.Expect(flag <= 1, ruleStringFlag, "0 or 1", flag, "the width flag is neither 0 nor 1; readers take it for 1")
		count := c.I32("count", "characters; of UTF-16, code units")
		if !c.Check(count >= 0, ruleStringCount, "0 or more", count, "the string has a negative length") {
			b.broken = true
			return
		}
		n, typ := int64(count), "latin-1"
		if flag != 0 {
			n, typ = 2*n, "utf-16"
		}
		if n > maxText || n > c.Remaining() {
			c.Skip("characters", n, model.Explained, "")
			c.Field().Type = typ
			return
		}
		raw := c.Bytes("characters", n, "")
		f := c.Field()
		f.Type, f.Value = typ, model.Text(decodeText(raw, flag != 0))
		if len(raw) == 0 {
			f.Value = model.Text("")
		}
	})
	group := c.Field()
	if group.Children == nil {
		return
	}
	if n, _ := group.Children.Len(ctx); n == 3 {
		if v, ok := group.Children.At(ctx, 2).Value.(model.Text); ok {
			group.Brief = model.Show(ctx, v, 60)
		}
	}
}

// typeEntry reads the type of a node (chapter 4).
func (b *binaryFields) typeEntry(ctx context.Context) {
	c := b.c
	c.Group("type", "type entry", "the node's .NET type", func() {
		tag := c.U8("tag", "TypeName defines a type id, TypeID uses one, UnnamedNull stands for no type")
		switch tag {
		case idNull:
			c.Symbol("UnnamedNull")
		case idTypeName:
			c.Symbol("TypeName")
			id := c.I32("type id", "the number that later nodes use for this type")
			if c.Ok() && b.i < maxEntries {
				b.definition(id)
			}
			b.text(ctx, "type name", "the .NET name (chapter 12)")
		case idTypeID:
			c.Symbol("TypeID")
			id := c.I32("type id", "a type that an earlier node defines")
			if c.Ok() {
				b.use(ctx, id)
			}
		default:
			b.broken = true
			c.Check(false, ruleTypeTag, "TypeName (0x2f), TypeID (0x30) or UnnamedNull (0x2e)", idText(tag),
				"the node's type has an unknown tag; the stream cannot be followed further")
		}
	})
}

func (b *binaryFields) definition(id int32) {
	b.s.mu.RLock()
	again := b.s.x.redefined(id, b.i)
	k := len(b.s.x.defs)
	inOrder := id >= 0 && int(id) < k && int64(b.s.x.defs[id].entry) == b.i
	b.s.mu.RUnlock()
	switch {
	case again:
		b.c.Expect(false, ruleTypeRepeated, "an id that is not defined yet", id,
			"the type id is defined a second time; from here on it means this type")
	case !inOrder:
		b.c.Expect(false, ruleTypeOrder, "the ids 0, 1, 2 … in the order of their definitions", id,
			"the type ids do not count up; no known writer does that")
	}
}

func (b *binaryFields) use(ctx context.Context, id int32) {
	name, ok := b.s.typeName(ctx, id, b.i)
	if !b.c.Check(ok, ruleTypeUndefined, "a type id that an earlier node defines", id,
		"the type of this node is not known: no node before it defines its id") {
		return
	}
	f := b.c.Field()
	f.Brief = readable(name)
	s, i := b.s, b.i
	f.Refs = func(ctx context.Context) []model.Ref {
		d, _ := s.definer(id, i)
		return []model.Ref{{Kind: "type", Path: s.path(ctx, model.LayoutView, d) + "/" + startName + "/type", Text: name}}
	}
}

// nodeID reads the id of a reference node (chapter 5).
func (b *binaryFields) nodeID() {
	c := b.c
	id := c.I32("node id", "references inside the stream name the node by this number; a negative one cannot be referred to")
	b.s.mu.RLock()
	back := b.s.x.backNodes[b.i]
	b.s.mu.RUnlock()
	c.Expect(!back, ruleNodeOrder, "an id above all before it", id, "the node ids do not ascend; no known writer does that")
}

var kindHelp = map[kind]string{
	kInternal: "id of a reference node of this stream", kExternalIndex: "position in the list of objects that the carrier keeps",
	kExternalGUID: "GUID of an object outside the stream", kExternalString: "key of an object outside the stream",
	kArray: "elements or members that the formatter announced", kString: "the text", kChar: "one UTF-16 code unit",
	kDecimal: "a .NET decimal: flags, then 96 bits of magnitude", kGUID: "a GUID",
	kBoolean: "1 is true; readers take all else for false",
}

// scalar reads content of a fixed size (chapter 6).
func (b *binaryFields) scalar(ctx context.Context, code code) {
	c := b.c
	k := code.kind
	name := "value"
	switch k {
	case kArray:
		name = "length"
	case kInternal:
		name = "node id"
	case kExternalIndex:
		name = "index"
	}
	if k == kDecimal {
		b.decimal(ctx)
		return
	}
	raw := c.Bytes(name, int64(code.content), kindHelp[k])
	if raw == nil {
		return
	}
	f := c.Field()
	f.Type, f.Value = fixedTypes[k], scalar(k, raw)
	if isNaN(f.Value) {
		f.Brief = fmt.Sprintf("bits %x", raw)
	}
	switch k {
	case kBoolean:
		c.Expect(raw[0] <= 1, ruleBoolean, "0 or 1", raw[0], "the truth value is neither 0 nor 1; readers take it for false")
	case kInternal:
		b.reference(ctx, f)
	case kExternalIndex:
		b.index(f)
	case kArray:
		n := int64(f.Value.(model.Int))
		c.Check(n >= 0, ruleArrayNegative, "0 or more", n, "the array has a negative length; readers take it for empty")
		if n > 0 && n > b.s.end-c.Off() {
			c.Check(false, ruleArrayLength, fmt.Sprintf("at most %d", b.s.end-c.Off()), n,
				"the array announces more elements than bytes follow")
		}
	}
}

var fixedTypes = map[kind]string{
	kInternal: "i32", kExternalIndex: "i32", kExternalGUID: "guid", kSByte: "i8", kByte: "u8", kShort: "i16", kUShort: "u16",
	kInt: "i32", kUInt: "u32", kLong: "i64", kULong: "u64", kFloat: "f32", kDouble: "f64", kChar: "utf-16", kGUID: "guid",
	kBoolean: "bool", kArray: "i64",
}

func (b *binaryFields) decimal(ctx context.Context) {
	c := b.c
	var raw []byte
	c.Group("value", "decimal", kindHelp[kDecimal], func() {
		flags := c.U32("flags", "bit 31: sign; bits 16 to 23: scale, 0 to 28; the others are 0")
		c.Expect(flags&^0x80ff0000 == 0 && flags>>16&0xff <= 28, ruleDecimal, "scale 0 to 28, other bits 0",
			fmt.Sprintf("%#08x", flags), "these are no flags of a decimal")
		c.U32("high", "bits 64 to 95 of the magnitude")
		c.U32("low", "bits 0 to 31 of the magnitude")
		c.U32("middle", "bits 32 to 63 of the magnitude")
	})
	f := c.Field()
	if at := f.Span(); at.Len == 16 {
		raw, _ = at.Source.Bytes(ctx, at.Off, at.Len)
	}
	if raw != nil {
		f.Brief, _ = decimalText(raw)
	}
}

// reference checks and links the field of an internal reference.
func (b *binaryFields) reference(ctx context.Context, f *model.Node) {
	s, i, id := b.s, b.i, int64(f.Value.(model.Int))
	target, ok := s.nodeOf(ctx, id)
	b.c.Expect(ok && target < i, ruleReference, "the id of a node that begins before", id,
		"the reference leads nowhere: no node before it has this id")
	if ok && target < i {
		f.Refs = func(ctx context.Context) []model.Ref {
			return []model.Ref{{Kind: "object", Path: s.path(ctx, model.LayoutView, target), Text: fmt.Sprintf("node %d", id)}}
		}
	}
}

// index checks an external reference against the list of the carrier, where it has one.
func (b *binaryFields) index(f *model.Node) {
	k := int64(f.Value.(model.Int))
	if !b.c.Expect(k >= 0, ruleExternalIndex, "0 or more", k, "the index is negative") || b.s.carrier == nil {
		return
	}
	if n := int64(len(b.s.carrier.objects)); b.s.carrier.listed {
		b.c.Expect(k < n, ruleExternalIndex, fmt.Sprintf("below %d", n), k, "the carrier's list has no such object")
		if k < n {
			o := b.s.carrier.objects[k]
			f.Brief = o.text
			f.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "external", Span: o.span, Text: o.text}} }
		}
	}
}

// primitives reads an array of numbers: its elements are one leaf (chapter 5).
func (b *binaryFields) primitives(ctx context.Context) {
	c := b.c
	count := c.I32("count", "elements")
	okCount := c.Check(count >= 0, rulePrimitiveCount, "0 or more", count, "the array has a negative number of elements")
	size := c.I32("size", "bytes of an element")
	okSize := c.Check(size >= 0, rulePrimitiveSize, "1, 2, 4, 8 or 16", size, "the elements have a negative size")
	if !okCount || !okSize || !c.Ok() {
		return
	}
	switch size {
	case 1, 2, 4, 8, 16:
	default:
		c.Expect(false, rulePrimitiveSize, "1, 2, 4, 8 or 16", size, "no element type has this size")
	}
	total := int64(count) * int64(size)
	if total == 0 {
		return
	}
	if total > c.Remaining() {
		c.Skip("elements", total, model.Explained, "")
		return
	}
	k := b.s.elementKind(ctx, b.i, int64(size))
	if k == kInvalid {
		c.Skip("elements", total, model.Explained, "the type of the elements is not known")
		if k := b.s.declaredKind(ctx, b.i); k != kInvalid {
			c.Expect(false, rulePrimitiveType, fmt.Sprintf("elements of %d bytes, as %s has", scalarSize(k), keywords[k]),
				fmt.Sprintf("elements of %d bytes", size), "the elements do not fit the type of the node around them")
		}
		return
	}
	c.Array("elements", keywords[k], uint64(count), int64(size), "", func(e []byte) model.Value { return scalar(k, e) })
	if k == kBoolean {
		c.Field().Help = "1 is true; readers take all else for false"
	}
}

// elementKind is what the elements of primitive array i are by the type of the node around it; kInvalid where their
// size does not fit it.
func (s *stream) elementKind(ctx context.Context, i, size int64) kind {
	if k := s.declaredKind(ctx, i); k != kInvalid && scalarSize(k) == size {
		return k
	}
	return kInvalid
}

// declaredKind is what the node around entry i is an array of; kInvalid where it is none, or of something else.
func (s *stream) declaredKind(ctx context.Context, i int64) kind {
	if i >= maxEntries {
		return kInvalid
	}
	t, _ := parseType(s.elementTypeName(ctx, i))
	elem, rank, ok := t.element()
	if !ok || rank != 1 || len(elem.ranks) > 0 {
		return kInvalid
	}
	return primitiveKinds[elem.full]
}

// elementTypeName is the type name of the node directly around entry i; "" where there is none.
func (s *stream) elementTypeName(ctx context.Context, i int64) string {
	p := s.parent(i)
	if p == rootEntry {
		return ""
	}
	return s.entry(ctx, p).typ.name
}

// parent is the container of an entry.
func (s *stream) parent(i int64) int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := rootEntry
	for c < i {
		k, ok := s.x.childOver(c, i)
		if !ok {
			break
		}
		next := s.x.child(c, k)
		if next == i {
			break
		}
		c = next
	}
	return c
}
