package odin

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// window reads a source forwards up to an end, a few bytes at a time.
type window struct {
	r   *grammar.Reading
	src *model.Source
	end int64
	off int64  // of the first byte of buf
	buf []byte // what the pass has in memory
}

func newWindow(ctx context.Context, src *model.Source, end, ahead int64) *window {
	return &window{r: grammar.NewReading(ctx, ahead), src: src, end: end}
}

// peek returns the n bytes at off, n being small; nil where they are not all there or could not be read. They are valid
// until the next peek.
func (w *window) peek(off int64, n int) []byte {
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
