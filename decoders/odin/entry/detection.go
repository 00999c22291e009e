package entry

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// DetectBinary scores bytes that may be in the binary form. head is the beginning of a file, and cut reports that more
// follows. If head ends inside of a large entry, all of the file is scored, unless file is nil.
func DetectBinary(ctx context.Context, head []byte, cut bool, file *model.Source) model.Detection {
	src := model.NewFileSource("", model.BytesReader(head))
	s := New(src.Whole(), Binary, Options{})
	if !probe(ctx, s) {
		return model.Detection{Reason: "no entry of the binary form with a name or type, nor a text form, at the start"}
	}
	sc := scoreOf(ctx, s, cut)
	if cut && file != nil && s.complete() && wholeIn(ctx, s, file) {
		sc = scoreOf(ctx, New(file.Whole(), Binary, Options{}), false)
	}
	return sc.detection("OdinSerializer binary data")
}

// wholeIn reports whether the entry after the last of a stream, which is the beginning of a file, is whole in the file.
func wholeIn(ctx context.Context, s *Stream, file *model.Source) bool {
	r := grammar.Borrow(ctx)
	defer r.Return()
	all := New(file.Whole(), Binary, Options{})
	o := all.object(r, MaxEntries, s.x.end, all.end)
	if o == nil {
		return false
	}
	defer o.Release(r)
	return o.OK() && codeOf(r, all, s.x.end).Kind != kind.Invalid
}

// Lengths of first names that the quick probe takes for plausible.
const (
	probeType = 2048
	probeName = 256
)

// probe reports whether the first entry is plausible (chapter 13) by its name, and a node by its type, which is the
// first.
func probe(ctx context.Context, s *Stream) bool {
	r := grammar.Borrow(ctx)
	defer r.Return()
	o := s.object(r, MaxEntries, s.start, s.end)
	if o == nil {
		return false
	}
	defer o.Release(r)
	c, in := codeOf(r, s, s.start), o.Scope(r)
	if c.Named {
		if v, _ := in.Named("name"); !probeText(in, v, probeName) || !dotnet.PlausibleMember(textOf(in, v)) {
			return false
		}
	}
	if c.Kind != kind.ReferenceNode && c.Kind != kind.StructNode {
		return c.Named
	}
	v, _ := in.Named("type")
	if v.Object() == nil {
		return false
	}
	t := in.In(v.Object())
	if id, err := t.Named("type id"); t.Number("tag") != kind.TypeName || err != nil || integer(id) != 0 {
		return c.Named && t.Number("tag") == kind.UnnamedNull
	}
	name, _ := t.Named("type name")
	return c.Named || probeText(t, name, probeType) && dotnet.IsWordStart(firstByte(t, name))
}

// probeText reports whether a string has 1 to longest characters, of 8 or 16 bits.
func probeText(s grammar.Scope, v grammar.Value, longest int64) bool {
	if v.Object() == nil {
		return false
	}
	in := s.In(v.Object())
	n := in.Number("count")
	return in.Number("flag") <= 1 && n >= 1 && n <= longest
}

// firstByte returns the first byte of the characters of a string, or 0 if there is none.
func firstByte(s grammar.Scope, v grammar.Value) byte {
	o := v.Object()
	if b := s.Reading().Window(o.Stream().Source, s.In(o).Span(o.Record().Field("characters")).Off, 1); b != nil {
		return b[0]
	}
	return 0
}

// DetectJSON scores the beginning of a text that may be in the JSON form. size is the number of bytes of the whole
// text.
func DetectJSON(ctx context.Context, head []byte, size int64) model.Detection {
	src := model.NewFileSource("", model.BytesReader(head))
	s := New(src.Whole(), JSON, Options{})
	sc := scoreOf(ctx, s, int64(len(head)) < size)
	if !numbered(ctx, s) {
		return model.Detection{Confidence: 1, Reason: "text with $type or $id, but not with the numbers that OdinSerializer's JSON form gives nodes, types or arrays"}
	}
	return sc.detection("OdinSerializer JSON text")
}

// numbered reports whether there is a node id, a type number or an array length: other writers of $id and $type have
// none.
func numbered(ctx context.Context, s *Stream) bool {
	if s.x.nodes > 0 || len(s.x.defs) > 0 {
		return true
	}
	for i := range min(s.x.n, scoredEntries) {
		if s.IsArray(i) {
			if e := s.Entry(ctx, i); e.Announced >= 0 {
				return true
			}
		}
	}
	return false
}
