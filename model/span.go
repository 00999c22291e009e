package model

import (
	"context"
	"fmt"
	"io"
)

// A Span is a range of one source.
type Span struct {
	Source *Source
	Off    int64 // bytes from the source's first byte
	Len    int64 // bytes
	// Mask selects bits of the range as a little-endian number, or is 0 for all bits. Only bit fields set it; their
	// range is at most 8 bytes long.
	Mask uint64
}

// End returns the offset after the last byte.
func (s Span) End() int64 { return s.Off + s.Len }

// Covers reports whether the span holds the byte at off of src.
func (s Span) Covers(src *Source, off int64) bool {
	return off >= s.Off && off < s.End() && s.Source.Same(src)
}

// String returns the span for messages: "0x58+8".
func (s Span) String() string { return fmt.Sprintf("%#x+%d", s.Off, s.Len) }

// Reader returns a reader of the span's bytes, which fails when ctx ends.
func (s Span) Reader(ctx context.Context) io.Reader {
	return io.NewSectionReader(&spanReader{ctx, s.Source}, s.Off, s.Len)
}

type spanReader struct {
	ctx context.Context
	src *Source
}

func (r *spanReader) ReadAt(p []byte, off int64) (int, error) { return r.src.ReadAt(r.ctx, p, off) }
