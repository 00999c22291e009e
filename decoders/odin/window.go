package odin

import (
	"context"

	"cutaway/model"
)

// window reads a source forwards through a buffer, a few bytes at a time.
type window struct {
	src *model.Source
	end int64 // reads do not go beyond
	off int64 // offset of buf[0]
	buf []byte
	max int // bytes read at once
	err error
}

func newWindow(src *model.Source, end int64, max int) *window {
	return &window{src: src, end: end, max: max}
}

// peek returns the n bytes at off, n being small; nil where they are not all there or could not be read. They are
// valid until the next peek.
func (w *window) peek(ctx context.Context, off int64, n int) []byte {
	if i := off - w.off; i >= 0 && i+int64(n) <= int64(len(w.buf)) {
		return w.buf[i : i+int64(n)]
	}
	return w.fill(ctx, off, n)
}

func (w *window) fill(ctx context.Context, off int64, n int) []byte {
	if off < 0 || off > w.end || int64(n) > w.end-off {
		return nil
	}
	size := int(min(int64(max(w.max, n)), w.end-off))
	if cap(w.buf) < size {
		w.buf = make([]byte, size)
	}
	w.buf = w.buf[:size]
	w.off = off
	if _, err := w.src.ReadFull(ctx, w.buf, off); err != nil {
		w.buf, w.err = w.buf[:0], err
		return nil
	}
	return w.buf[:n]
}
