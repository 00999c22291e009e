package udm

import (
	"context"
	"io"

	"cutaway/model"
)

// A window is as large at first as the fields around one value; it grows while the reads go on in order.
const (
	firstWindow = 64
	maxWindow   = 4 << 10
)

// window reads small pieces of a source that stand near each other. It belongs to one goroutine.
type window struct {
	ctx context.Context
	src *model.Source
	off int64
	run int64 // how much is read at a time
	buf []byte
}

func newWindow(ctx context.Context, src *model.Source) *window { return &window{ctx: ctx, src: src} }

// at returns the n bytes at off, n at most maxWindow, valid until the next call.
func (w *window) at(off, n int64) ([]byte, error) {
	if i := off - w.off; i >= 0 && i+n <= int64(len(w.buf)) {
		return w.buf[i : i+n], nil
	}
	if !w.src.Holds(off, n) {
		return nil, io.ErrUnexpectedEOF
	}
	if end := w.off + int64(len(w.buf)); w.run > 0 && off >= w.off && off < end+firstWindow {
		w.run = min(2*w.run, maxWindow)
	} else {
		w.run = firstWindow
	}
	w.run = max(w.run, n)
	if int64(cap(w.buf)) < w.run {
		w.buf = make([]byte, w.run)
	}
	w.off = off
	w.buf = w.buf[:min(w.run, w.src.Size()-off)]
	got, err := w.src.ReadAt(w.ctx, w.buf, off)
	w.buf = w.buf[:got]
	if int64(got) >= n {
		return w.buf[:n], nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}
