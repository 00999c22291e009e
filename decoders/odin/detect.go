package odin

import (
	"bytes"
	"context"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/decoders/odin/dotnet"
	"cutaway/decoders/odin/textio"
	"cutaway/model"
	"cutaway/source"
)

// The forms of a file that its beginning shows.
type shape uint8

const (
	shapeBinary shape = iota
	shapeJSON
	shapeYAML
	shapeGzip
)

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

// probeInflated bounds the bytes that are inflated of a gzip stream to detect it.
const probeInflated = 64 << 10

// shapeOf returns the form that bytes could be in. It decides nothing: the score does.
func shapeOf(head []byte) shape {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return shapeGzip
	case isUnityYAML(head):
		return shapeYAML
	case looksLikeJSON(head):
		return shapeJSON
	}
	return shapeBinary
}

// isUnityYAML reports whether a text begins as Unity's YAML does.
func isUnityYAML(head []byte) bool {
	head = bytes.TrimPrefix(head, textio.ByteOrderMark)
	return bytes.HasPrefix(head, []byte("%YAML")) && bytes.Contains(head[:min(len(head), 512)], []byte("tag:unity3d.com")) ||
		bytes.HasPrefix(head, []byte("--- !u!"))
}

// looksLikeJSON is the probe for the JSON form: printable text that begins with a brace or a quote and has one of its keys.
func looksLikeJSON(head []byte) bool {
	head = bytes.TrimPrefix(head, textio.ByteOrderMark)
	if bytes.IndexByte(head[:min(len(head), 512)], 0) >= 0 {
		return false
	}
	text := bytes.TrimLeft(head, " \t\r\n")
	if len(text) == 0 || text[0] != '{' && text[0] != '"' {
		return false
	}
	for _, key := range []string{`"$type"`, `"$id"`, `"$rlength"`, `"$plength"`} {
		if bytes.Contains(text, []byte(key)) {
			return true
		}
	}
	return false
}

// detect has no magic to go by: what a quick look does not refuse is read and scored.
func detect(ctx context.Context, p *model.Probe) model.Detection {
	switch shapeOf(p.Head) {
	case shapeGzip:
		return detectGzip(ctx, p)
	case shapeYAML:
		return detectYAML(ctx, p)
	case shapeJSON:
		return detectJSON(ctx, p.Head, p.Source.Size())
	}
	d := detectBinary(ctx, p.Head, int64(len(p.Head)) < p.Source.Size(), p.Source)
	if d.Confidence < model.Guess && len(p.Head) > 0 && codes[p.Head[0]].kind != kInvalid && namedOdin(p.Name) {
		return model.Detection{Confidence: model.Guess, ByName: true, Reason: "named .odin, and begins with the id of an entry; the content alone would not tell"}
	}
	return d
}

// namedOdin reports whether a file's name says what it is, as that of a payload does that somebody has cut out.
func namedOdin(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".odin") || strings.Contains(name, ".odin.")
}

// detectBinary looks at the beginning of bytes that may be in the binary form; of all, if the beginning ends inside a
// large entry and is that of a file.
func detectBinary(ctx context.Context, head []byte, cut bool, file *model.Source) model.Detection {
	src := model.NewFileSource("", model.BytesReader(head))
	s := newStream(src, 0, src.Size(), binaryForm{}, "")
	if !s.probe(ctx) {
		return model.Detection{Reason: "no entry of the binary form with a name or type, nor a text form, at the start"}
	}
	sc := scoreOf(ctx, s, cut)
	if cut && file != nil && s.complete() && s.wholeIn(ctx, file) {
		sc = scoreOf(ctx, newStream(file, 0, file.Size(), binaryForm{}, ""), false)
	}
	return sc.detection("OdinSerializer binary data")
}

// wholeIn reports whether the entry after the last, which the stream has not all of, is whole in the file that the
// stream is the beginning of.
func (s *stream) wholeIn(ctx context.Context, file *model.Source) bool {
	r := grammar.Borrow(ctx)
	defer r.Return()
	all := newStream(file, 0, file.Size(), binaryForm{}, "")
	o := all.object(r, maxEntries, s.x.end, all.end)
	if o == nil {
		return false
	}
	defer o.Release(r)
	return o.OK() && codeOf(r, all, s.x.end).kind != kInvalid
}

// Lengths of first names that the quick probe takes for plausible.
const (
	probeType = 2048
	probeName = 256
)

// probe is the quick look at the first entry (chapter 13): its name, and of a node that its type is the first.
func (s *stream) probe(ctx context.Context) bool {
	r := grammar.Borrow(ctx)
	defer r.Return()
	o := s.object(r, maxEntries, s.start, s.end)
	if o == nil {
		return false
	}
	defer o.Release(r)
	c, in := codeOf(r, s, s.start), o.Scope(r)
	if c.named {
		if v, _ := in.Named("name"); !probeText(in, v, probeName) || !dotnet.PlausibleMember(textOf(in, v)) {
			return false
		}
	}
	if c.kind != kRefNode && c.kind != kStructNode {
		return c.named
	}
	v, _ := in.Named("type")
	if v.Object() == nil {
		return false
	}
	t := in.In(v.Object())
	if id, err := t.Named("type id"); t.Number("tag") != idTypeName || err != nil || integer(id) != 0 {
		return c.named && t.Number("tag") == idNull
	}
	name, _ := t.Named("type name")
	return c.named || probeText(t, name, probeType) && dotnet.IsWordStart(firstByte(t, name))
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

func detectJSON(ctx context.Context, head []byte, size int64) model.Detection {
	src := model.NewFileSource("", model.BytesReader(head))
	s := newStream(src, 0, src.Size(), jsonForm{}, "")
	sc := scoreOf(ctx, s, int64(len(head)) < size)
	if !s.numbered(ctx) {
		return model.Detection{Confidence: 1, Reason: "text with $type or $id, but not with the numbers that OdinSerializer's JSON form gives nodes, types or arrays"}
	}
	return sc.detection("OdinSerializer JSON text")
}

// numbered reports whether there is a node id, a type number or an array length: other writers of $id and $type have none.
func (s *stream) numbered(ctx context.Context) bool {
	if s.x.nodes > 0 || len(s.x.defs) > 0 {
		return true
	}
	for i := range min(s.x.n, scoredEntries) {
		if s.class(i) == array {
			if e := s.entry(ctx, i); e.announced >= 0 {
				return true
			}
		}
	}
	return false
}

func detectGzip(ctx context.Context, p *model.Probe) model.Detection {
	out, _ := source.InflateGzip(ctx, p.Head, -1, probeInflated)
	if len(out) == 0 || bytes.HasPrefix(out, gzipMagic) {
		return model.Detection{Reason: "gzip data that does not inflate to OdinSerializer data"}
	}
	cut := len(out) == probeInflated || int64(len(p.Head)) < p.Source.Size()
	d := model.Detection{Reason: "the gzip data holds neither the binary nor the JSON form"}
	switch shapeOf(out) {
	case shapeBinary:
		d = detectBinary(ctx, out, cut, nil)
	case shapeJSON:
		size := int64(len(out))
		if cut {
			size++
		}
		d = detectJSON(ctx, out, size)
	}
	d.Reason = "gzip: " + d.Reason
	return d
}
