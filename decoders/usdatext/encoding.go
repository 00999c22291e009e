package usdatext

import (
	"bytes"
	"context"
	"fmt"

	"cutaway/model"
)

// An encoding is one that USD text is not in, though editors of other text write it.
type encoding struct {
	begin string // how a layer in it begins: a byte order mark, or the magic
	is    string // what is wrong with the layer
	mark  int64  // bytes of a mark after which the text can be read; 0: it cannot
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

// encodingOf is the encoding of a layer; nil: it is UTF-8 without a mark.
func encodingOf(head []byte) *encoding {
	for i := range encodings {
		if bytes.HasPrefix(head, []byte(encodings[i].begin)) {
			return &encodings[i]
		}
	}
	return nil
}

// hasMagic reports whether text in the encoding begins with the magic.
func (e *encoding) hasMagic(head []byte) bool {
	text := bytes.ReplaceAll(bytes.TrimLeft(head[:min(len(head), 64)], "\xef\xbb\xbf\xff\xfe\x00"), []byte{0}, nil)
	return bytes.HasPrefix(text, []byte(magic))
}

// encoding is that of the layer; nil: it is as it should be, or cannot be read.
func (l *layer) encoding(ctx context.Context) *encoding {
	head, err := l.src.Bytes(ctx, 0, min(l.src.Size(), 8))
	if err != nil {
		return nil
	}
	return encodingOf(head)
}

// begins is where the text that can be read begins in a layer of so many bytes: at its end where none can.
func (e *encoding) begins(size int64) int64 {
	if e.mark == 0 {
		return size
	}
	return e.mark
}

// problem says that readers refuse the encoding.
func (e *encoding) problem(src *model.Source) model.Problem {
	at := src.Span(0, min(src.Size(), max(e.mark, int64(len(e.begin)))))
	return model.Problemf(model.Malformed, ruleEncoding, at, "the layer %s, which USD does not read: save it as UTF-8 without a mark", e.is).
		Want("#usda", fmt.Sprintf("% x", e.begin))
}
