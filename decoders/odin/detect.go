package odin

import (
	"bytes"
	"context"
	"strings"

	"cutaway/decoders/odin/entry"
	"cutaway/decoders/odin/kind"
	"cutaway/decoders/odin/textio"
	"cutaway/decoders/odin/unity"
	"cutaway/model"
	"cutaway/source"
)

// A fileKind is the form of a file that its beginning shows.
type fileKind uint8

const (
	kindBinary fileKind = iota
	kindJSON
	kindYAML
	kindGzip
)

var gzipMagic = []byte{0x1f, 0x8b, 0x08}

// probeInflated bounds the bytes that are inflated of a gzip stream to detect it.
const probeInflated = 64 << 10

// fileKindOf returns the form that bytes could be in. It decides nothing: the score does.
func fileKindOf(head []byte) fileKind {
	switch {
	case bytes.HasPrefix(head, gzipMagic):
		return kindGzip
	case unity.IsYAML(head):
		return kindYAML
	case looksLikeJSON(head):
		return kindJSON
	}
	return kindBinary
}

// looksLikeJSON reports whether a text is printable, begins with a brace or a quote and has a key of the JSON form.
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

// detect scores a file. There is no magic to go by.
func detect(ctx context.Context, p *model.Probe) model.Detection {
	switch fileKindOf(p.Head) {
	case kindGzip:
		return detectGzip(ctx, p)
	case kindYAML:
		return unity.Detect(ctx, p)
	case kindJSON:
		return entry.DetectJSON(ctx, p.Head, p.Source.Size())
	}
	d := entry.DetectBinary(ctx, p.Head, int64(len(p.Head)) < p.Source.Size(), p.Source)
	if d.Confidence < model.Guess && len(p.Head) > 0 && kind.Codes[p.Head[0]].Kind != kind.Invalid && namedOdin(p.Name) {
		return model.Detection{Confidence: model.Guess, ByName: true, Reason: "named .odin, and begins with the id of an entry; the content alone would not tell"}
	}
	return d
}

// namedOdin reports whether a file's name says what it is, as that of a payload does that somebody has cut out.
func namedOdin(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".odin") || strings.Contains(name, ".odin.")
}

// detectGzip scores what the beginning of gzip data inflates to.
func detectGzip(ctx context.Context, p *model.Probe) model.Detection {
	out, _ := source.InflateGzip(ctx, p.Head, -1, probeInflated)
	if len(out) == 0 || bytes.HasPrefix(out, gzipMagic) {
		return model.Detection{Reason: "gzip data that does not inflate to OdinSerializer data"}
	}
	cut := len(out) == probeInflated || int64(len(p.Head)) < p.Source.Size()
	d := model.Detection{Reason: "the gzip data holds neither the binary nor the JSON form"}
	switch fileKindOf(out) {
	case kindBinary:
		d = entry.DetectBinary(ctx, out, cut, nil)
	case kindJSON:
		size := int64(len(out))
		if cut {
			size++
		}
		d = entry.DetectJSON(ctx, out, size)
	}
	d.Reason = "gzip: " + d.Reason
	return d
}
