package hexview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"cutaway/model"
)

// cellState says what is known of a byte in sight.
type cellState uint8

const (
	cellPresent cellState = iota
	cellPending           // not read yet
	cellFailed            // cannot be read
)

const (
	// grace is how long the UI waits for bytes that are being read in the background. Most come sooner, and then
	// there are no placeholders that flicker.
	grace = 4 * time.Millisecond
	// slow is the time of a direct read from which on a source is read in the background.
	slow = 25 * time.Millisecond
)

// loader holds the bytes around those in sight. A file is read at once, as memory or a mapping answers in
// microseconds; a derived source, which may have to be inflated first, and a file that once was slow, in the
// background, with one read under way at a time.
type loader struct {
	ctx  context.Context // ends when the view shows another source
	stop context.CancelFunc
	src  *model.Source
	size int64
	// do runs a function on the UI goroutine, changed asks for a repaint.
	do      func(func())
	changed func()

	background bool
	now        window
	busy       bool // a window is being read; when it has come, the repaint asks for what is missing then

	data  []byte
	state []cellState
}

// window is bytes that were read.
type window struct {
	off    int64
	data   []byte
	failed []failure // in the order of their offsets
}

// failure is a range that could not be read, and why.
type failure struct {
	Range
	err error
}

func newLoader(src *model.Source, size int64, do func(func()), changed func()) *loader {
	ctx, stop := context.WithCancel(context.Background())
	return &loader{
		ctx: ctx, stop: stop, src: src, size: size,
		do: do, changed: changed,
		background: src != nil && src.Origin() != nil,
	}
}

// view returns n bytes from off on and what is known of each. What is not at hand is asked for; changed is called when
// it has come. The slices are good until the next call.
func (l *loader) view(off int64, n int) ([]byte, []cellState) {
	if n <= 0 || l.src == nil {
		return nil, nil
	}
	if !l.now.holds(off, n) {
		l.fetch(off, n)
	}
	if cap(l.data) < n {
		l.data, l.state = make([]byte, n), make([]cellState, n)
	}
	l.data, l.state = l.data[:n], l.state[:n]
	for i := range l.state {
		l.state[i] = cellPending
	}
	first, last := max(off, l.now.off), min(off+int64(n), l.now.end())
	if first < last {
		copy(l.data[first-off:last-off], l.now.data[first-l.now.off:])
		clear(l.state[first-off : last-off])
	}
	for _, f := range l.now.failed {
		for at := max(f.Off, off); at < min(f.End(), off+int64(n)); at++ {
			l.state[at-off] = cellFailed
		}
	}
	return l.data, l.state
}

// fetch reads a window of three times what is in sight, so that scrolling meets bytes that are there.
func (l *loader) fetch(off int64, n int) {
	if l.busy {
		return
	}
	first := max(0, off-int64(n))
	length := int(min(l.size-first, int64(3*n)))
	if !l.background {
		start := time.Now()
		l.now = readWindow(l.ctx, l.src, first, length)
		l.background = time.Since(start) > slow
		return
	}
	result := make(chan window, 1)
	go func() { result <- readWindow(l.ctx, l.src, first, length) }()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case l.now = <-result:
		return
	case <-timer.C:
	}
	l.busy = true
	go func() {
		w := <-result
		l.do(func() {
			l.now, l.busy = w, false
			l.changed()
		})
	}()
}

// failedAt is the reason why the byte at off cannot be read; nil when it can, or is not known yet.
func (l *loader) failedAt(off int64) error {
	for _, f := range l.now.failed {
		if f.Holds(off) {
			return f.err
		}
	}
	return nil
}

func (w *window) end() int64 { return w.off + int64(len(w.data)) }

func (w *window) holds(off int64, n int) bool {
	return off >= w.off && off+int64(n) <= w.end()
}

// readWindow reads what can be read of a range. Behind a place that fails it tries again, at growing distances, so
// that one bad block does not hide what follows it, and a source that fails everywhere costs few attempts.
func readWindow(ctx context.Context, src *model.Source, off int64, n int) window {
	w := window{off: off, data: make([]byte, n)}
	for at, skip := 0, 16; at < n; {
		got, err := src.ReadAt(ctx, w.data[at:], off+int64(at))
		at += got
		if at >= n {
			break
		}
		switch {
		case err == nil:
			err = io.ErrNoProgress
		case errors.Is(err, io.EOF):
			err = fmt.Errorf("the source ends at %#x, before its size of %#x", off+int64(at), src.Size())
		}
		next := min(n, at+skip)
		w.failed = append(w.failed, failure{Range{off + int64(at), int64(next - at)}, err})
		at, skip = next, 2*skip
	}
	return w
}

// latest runs one function at a time, on a goroutine of its own: of those asked for meanwhile only the last.
type latest struct {
	mu      sync.Mutex
	running bool
	next    func()
}

// ask calls f, soon, unless another one is asked for before its turn comes.
func (q *latest) ask(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running {
		q.next = f
		return
	}
	q.running = true
	go func() {
		for f != nil {
			f()
			q.mu.Lock()
			f, q.next = q.next, nil
			q.running = f != nil
			q.mu.Unlock()
		}
	}()
}
