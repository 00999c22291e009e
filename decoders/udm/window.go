package udm

import (
	"io"

	"cutaway/model"
)

// windowSize is how much is read at a time of what is gone over in order.
const windowSize = 512

// window reads small pieces of a source that stand near each other. It belongs to one goroutine.
type window struct {
	src *model.Source
	off int64
	buf []byte
}

// at returns the n bytes at off, n at most windowSize, valid until the next call.
func (w *window) at(off, n int64) ([]byte, error) {
	if i := off - w.off; i >= 0 && i+n <= int64(len(w.buf)) {
		return w.buf[i : i+n], nil
	}
	if !w.src.Holds(off, n) {
		return nil, io.ErrUnexpectedEOF
	}
	if w.buf == nil {
		w.buf = make([]byte, 0, windowSize)
	}
	w.off = off
	w.buf = w.buf[:min(windowSize, w.src.Size()-off)]
	got, err := w.src.ReadAt(w.buf, off)
	w.buf = w.buf[:got]
	if int64(got) >= n {
		return w.buf[:n], nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}
