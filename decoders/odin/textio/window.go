// Package textio reads texts forwards: windows of bytes, lines, and scalars of YAML and C#.
package textio

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// A Window reads a source forwards up to an end, a few bytes at a time.
type Window struct {
	r   *grammar.Reading
	src *model.Source
	end int64  // offset where the source is taken to end
	off int64  // of the first byte of buf
	buf []byte // bytes in memory
}

// NewWindow returns a window on a source up to end, for a pass that reads ahead bytes at once.
func NewWindow(ctx context.Context, src *model.Source, end, ahead int64) *Window {
	return &Window{r: grammar.NewReading(ctx, ahead), src: src, end: end}
}

// Share returns a window that shares a pass with other readers.
func Share(r *grammar.Reading, src *model.Source, end int64) *Window {
	return &Window{r: r, src: src, end: end}
}

// Limit returns the offset at which the source is taken to end.
func (w *Window) Limit() int64 { return w.end }

// Peek returns the n bytes at off, or nil if some lie beyond the end or could not be read. They are valid until the
// next call.
func (w *Window) Peek(off int64, n int) []byte {
	if off < 0 || int64(n) > w.end-off {
		return nil
	}
	i := off - w.off
	if i < 0 || i+int64(n) > int64(len(w.buf)) {
		w.buf, w.off, i = w.r.Window(w.src, off, int64(n)), off, 0
		if w.buf == nil {
			return nil
		}
	}
	return w.buf[i : i+int64(n)]
}

// peeked is the number of bytes of a text that Text reads from the window.
const peeked = 512

// Text returns the text between two offsets, cut to MaxBytes, or "" if it could not be read.
func (w *Window) Text(from, to int64) string {
	switch {
	case to <= from:
		return ""
	case to-from <= peeked:
		return string(w.Peek(from, int(to-from)))
	}
	b, err := w.src.Bytes(w.r.Context(), from, min(to-from, MaxBytes))
	if err != nil {
		return ""
	}
	return string(b)
}
