package entry

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
)

// binaryForm reads the binary form (chapters 2 to 6), which records.go describes.
type binaryForm struct{}

func (binaryForm) encoding() string { return EncodingBinary }

// idAt returns the id of the entry at an offset, or 0 if the source has no byte there.
func idAt(r *grammar.Reading, s *Stream, off int64) byte {
	if b := r.Window(s.src, off, 1); b != nil {
		return b[0]
	}
	return 0
}

// codeOf returns what the id of the entry at an offset says.
func codeOf(r *grammar.Reading, s *Stream, off int64) *kind.Code { return &kind.Codes[idAt(r, s, off)] }

// object reads entry i of the binary form, between two offsets, or returns nil if the source has no byte there.
func (s *Stream) object(r *grammar.Reading, i, off, end int64) *grammar.Object {
	if off >= end || r.Window(s.src, off, 1) == nil {
		return nil
	}
	return s.record.Read(r, s.session, grammar.Stream{Source: s.src, Start: s.start, End: end}, off, grammar.IntValue(i), grammar.IntValue(int64(kind.Invalid)))
}

// decode reads the entry at an offset.
func (f binaryForm) decode(ctx context.Context, s *Stream, i, off, length int64) Entry {
	r := grammar.Borrow(ctx)
	defer r.Return()
	o := s.object(r, i, off, off+length)
	if o == nil || !o.OK() {
		return Entry{Kind: kind.Invalid, Word: "unreadable", Node: NoNode}
	}
	defer o.Release(r)
	c := codeOf(r, s, off)
	in := o.Scope(r)
	e := Entry{Kind: c.Kind, Word: c.Name, Named: c.Named, Node: NoNode}
	if e.Named {
		e.Name = f.name(in)
	}
	switch c.Kind {
	case kind.ReferenceNode, kind.StructNode:
		f.node(ctx, in, idAt(r, s, off), i, &e)
	case kind.String, kind.ExternalByString:
		v, _ := in.Named("value")
		if at := in.In(v.Object()).Span(v.Object().Record().Field("characters")); at.Len > textio.MaxBytes {
			e.Value = model.Blob{Span: at}
		} else {
			e.Value = model.Text(textOf(in, v))
		}
	case kind.PrimitiveArray:
		e.Count, e.Size = in.Number("count"), in.Number("size")
		e.Data = s.src.Span(o.End()-e.Count*e.Size, e.Count*e.Size)
	case kind.Null:
		e.Value = model.None{}
	case kind.Array:
		e.Announced = in.Number("length")
	case kind.InternalReference:
		e.Ref = in.Number("node id")
		e.Value = model.Int(e.Ref)
	case kind.ExternalByIndex:
		e.Ref = in.Number("index")
		e.Value = model.Int(e.Ref)
	default:
		if of := c.Kind.Scalar(); of != nil {
			if b := r.Window(s.src, o.End()-of.Size(), of.Size()); b != nil {
				e.Value = of.Decode(b, false)
			}
		}
	}
	return e
}

// name returns the name of a named entry.
func (f binaryForm) name(in grammar.Scope) string {
	v, _ := in.Named("name")
	return textOf(in, v)
}

// node sets type and id of a node.
func (f binaryForm) node(ctx context.Context, in grammar.Scope, id byte, i int64, e *Entry) {
	h := Head{id: id, Node: NoNode}
	h.setFrom(in)
	e.Type = TypeUse{Tag: h.Tag, ID: h.TypeID, Name: h.typeName, Defined: h.Tag == kind.TypeName}
	if h.Tag == kind.TypeID {
		s, _ := where(in)
		e.Type.Name, e.Type.Defined = s.typeName(ctx, h.TypeID, i)
	}
	e.Node = h.Node
}

// valueSpan returns the bytes of a value.
func (f binaryForm) valueSpan(ctx context.Context, s *Stream, off, length int64) model.Span {
	r := grammar.Borrow(ctx)
	defer r.Return()
	at := s.src.Span(off+length, 0)
	o := s.object(r, MaxEntries, off, off+length)
	if o == nil || !o.OK() {
		return at
	}
	defer o.Release(r)
	size := int64(0)
	if of := codeOf(r, s, off).Kind.Scalar(); of != nil {
		size = of.Size()
	} else if v, err := o.Scope(r).Named("value"); err == nil {
		const head = 5 // the width of the characters and their number
		size = head + o.Scope(r).In(v.Object()).Span(v.Object().Record().Field("characters")).Len
	}
	return s.src.Span(o.End()-size, size)
}

// nameOf returns the name of the entry at an offset, or false if it has none.
func (f binaryForm) nameOf(ctx context.Context, s *Stream, off, length int64) (string, bool) {
	r := grammar.Borrow(ctx)
	defer r.Return()
	o := s.object(r, MaxEntries, off, off+length)
	if o == nil {
		return "", false
	}
	defer o.Release(r)
	if !codeOf(r, s, off).Named {
		return "", false
	}
	return f.name(o.Scope(r)), true
}

// fields returns the parts of an entry, in the order of chapter 2.
func (f binaryForm) fields(ctx context.Context, s *Stream, i, off, length int64) model.Children {
	r := grammar.Borrow(ctx)
	defer r.Return()
	element := kind.Invalid
	if codeOf(r, s, off).Kind == kind.PrimitiveArray {
		element = s.elementKind(ctx, i, s.Entry(ctx, i).Size)
	}
	in := grammar.Stream{Source: s.src, Start: s.start, End: off + length}
	return s.record.Open(s.session, in, off, grammar.IntValue(i), grammar.IntValue(int64(element))).Children(ctx)
}

// rest returns the entry that is cut off or not valid, as far as it can be read, and the bytes after that.
func (f binaryForm) rest(ctx context.Context, s *Stream, off int64) []model.Node {
	if off >= s.end {
		return nil
	}
	at := s.src.Span(off, s.end-off)
	rest := model.Node{Name: restName, Type: "bytes", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at}}
	if s.scan.ended {
		rest.Help = "nothing may follow an EndOfStream"
		rest.Problems = []model.Problem{model.Problemf(model.Suspicious, ruleTrailing, at, "bytes follow the EndOfStream entry")}
		return []model.Node{rest}
	}
	r := grammar.NewReading(ctx, grammar.Near)
	o := s.object(r, MaxEntries, off, s.end)
	if o == nil {
		return []model.Node{rest}
	}
	broken := o.Node(ctx, brokenName)
	broken.Type, broken.Help, broken.Brief = "", "the stream cannot be followed beyond this entry", "the entries end here"
	broken.Spans = []model.Span{s.src.Span(off, o.End()-off)}
	nodes := []model.Node{broken}
	if end := broken.Span().End(); end < s.end {
		rest.Spans = []model.Span{s.src.Span(end, s.end-end)}
		rest.Value, rest.Help = model.Blob{Span: rest.Spans[0]}, "bytes after the place where the stream could not be followed"
		nodes = append(nodes, rest)
	}
	return nodes
}
