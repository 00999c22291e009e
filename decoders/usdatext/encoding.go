package usdatext

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/model"
)

// An encoding is one that USD refuses, though other editors write it.
type encoding struct {
	begin string // the first bytes of such a layer: a byte order mark, or the magic
	fault string // the problem, after "it"
	mark  int64  // length of the byte order mark, after which the text is readable, or 0 if it is not
}

var encodings = []encoding{
	{"\xef\xbb\xbf", "begins with a UTF-8 byte order mark", 3},
	{"\xff\xfe\x00\x00#\x00\x00\x00", "is UTF-32", 0},
	{"\x00\x00\xfe\xff\x00\x00\x00#", "is UTF-32", 0},
	{"\xff\xfe#\x00", "is UTF-16", 0},
	{"\xfe\xff\x00#", "is UTF-16", 0},
	{"#\x00u\x00s\x00d\x00", "is UTF-16", 0},
	{"\x00#\x00u\x00s\x00d", "is UTF-16", 0},
}

// encodingOf returns the encoding that head begins in, or nil if it is UTF-8 without a byte order mark.
func encodingOf(head []byte) *encoding {
	for i := range encodings {
		if bytes.HasPrefix(head, []byte(encodings[i].begin)) {
			return &encodings[i]
		}
	}
	return nil
}

// hasMagic reports whether the text begins with the magic, in the encoding.
func (e *encoding) hasMagic(head []byte) bool {
	text := bytes.ReplaceAll(bytes.TrimLeft(head[:min(len(head), 64)], "\xef\xbb\xbf\xff\xfe\x00"), []byte{0}, nil)
	return bytes.HasPrefix(text, []byte(magic))
}

// encoding returns the encoding of the layer, or nil if it is UTF-8 without a mark or cannot be read.
func (l *layer) encoding(ctx context.Context) *encoding {
	head, err := l.src.Bytes(ctx, 0, min(l.src.Size(), 8))
	if err != nil {
		return nil
	}
	return encodingOf(head)
}

// textOffset returns the offset of the first readable character in a layer of size bytes, or size if the encoding is
// unreadable.
func (e *encoding) textOffset(size int64) int64 {
	if e.mark == 0 {
		return size
	}
	return e.mark
}

// problem returns the problem that readers refuse the encoding.
func (e *encoding) problem(src *model.Source) model.Problem {
	at := src.Span(0, min(src.Size(), max(e.mark, int64(len(e.begin)))))
	return model.Problemf(model.Malformed, ruleEncoding, at, "the layer %s, which USD does not read: save it as UTF-8 without a mark", e.fault).
		Want("#usda", fmt.Sprintf("% x", e.begin))
}
