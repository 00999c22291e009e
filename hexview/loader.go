package hexview

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"cutaway/model"
)

// A cellState is the state of a visible byte.
type cellState uint8

const (
	cellPresent cellState = iota
	cellPending           // not read yet
	cellFailed            // unreadable
)

const (
	// grace is the time that the UI waits for bytes from the background. Most arrive sooner, so that no placeholders
	// flicker.
	grace = 4 * time.Millisecond
	// slow is the duration of a direct read that makes a source be read in the background.
	slow = 25 * time.Millisecond
)

// A loader holds the bytes around the visible ones. It reads files directly, since memory or a mapping answers in
// microseconds. It reads derived sources, which may have to be decompressed, and files that were slow once, in the
// background, one read at a time.
type loader struct {
	ctx  context.Context // ends when the view shows another source
	stop context.CancelFunc
	src  *model.Source
	size int64
	// do runs a function on the UI goroutine; changed requests a repaint.
	do      func(func())
	changed func()

	background bool
	held       []window // most recently requested first
	pieces     int      // number requested since begin
	busy       bool     // a window is being read; the repaint after it requests bytes that are missing then

	data  []byte
	state []cellState
}

// A window is a range of bytes that was read.
type window struct {
	off    int64
	data   []byte
	failed []failure // in the order of their offsets
}

// A failure is an unreadable range, and the reason.
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

// begin invalidates the slices that view returned. It keeps twice as many windows as were requested since the last
// call, since only a few change at a time.
func (l *loader) begin() {
	l.held = l.held[:min(len(l.held), max(2*l.pieces, 1))]
	l.data, l.state, l.pieces = l.data[:0], l.state[:0], 0
}

// view returns n bytes from off on and their states. It requests missing bytes, and calls changed when they arrive. The
// slices are valid until begin.
func (l *loader) view(off int64, n int) ([]byte, []cellState) {
	if n <= 0 || l.src == nil {
		return nil, nil
	}
	l.pieces++
	i := slices.IndexFunc(l.held, func(w window) bool { return w.holds(off, n) })
	if i < 0 {
		l.fetch(off, n)
		i = slices.IndexFunc(l.held, func(w window) bool { return w.meets(off, n) })
	}
	at := len(l.data)
	l.data, l.state = slices.Grow(l.data, n)[:at+n], slices.Grow(l.state, n)[:at+n]
	data, state := l.data[at:], l.state[at:]
	for i := range state {
		state[i] = cellPending
	}
	if i < 0 {
		return data, state
	}
	w := l.held[i]
	copy(l.held[1:i+1], l.held[:i])
	l.held[0] = w
	first, last := max(off, w.off), min(off+int64(n), w.end())
	copy(data[first-off:last-off], w.data[first-w.off:])
	clear(state[first-off : last-off])
	for _, f := range w.failed {
		for at := max(f.Off, off); at < min(f.End(), off+int64(n)); at++ {
			state[at-off] = cellFailed
		}
	}
	return data, state
}

// insert adds a window before those requested earlier.
func (l *loader) insert(w window) { l.held = slices.Insert(l.held, 0, w) }

// leastAround is the least number of bytes that are read on either side of a range.
const leastAround = 1024

// fetch reads a window of three times the visible bytes, so that scrolling finds them loaded.
func (l *loader) fetch(off int64, n int) {
	if l.busy {
		return
	}
	around := int64(max(n, leastAround))
	first := max(0, off-around)
	length := int(min(l.size-first, int64(n)+2*around))
	if !l.background {
		start := time.Now()
		l.insert(readWindow(l.ctx, l.src, first, length))
		l.background = time.Since(start) > slow
		return
	}
	result := make(chan window, 1)
	go func() { result <- readWindow(l.ctx, l.src, first, length) }()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case w := <-result:
		l.insert(w)
		return
	case <-timer.C:
	}
	l.busy = true
	go func() {
		w := <-result
		l.do(func() {
			l.insert(w)
			l.busy = false
			l.changed()
		})
	}()
}

// failedAt returns the reason why the byte at off cannot be read, or nil if it can, or is not read yet.
func (l *loader) failedAt(off int64) error {
	for _, w := range l.held {
		for _, f := range w.failed {
			if f.Holds(off) {
				return f.err
			}
		}
	}
	return nil
}

func (w *window) end() int64 { return w.off + int64(len(w.data)) }

func (w *window) holds(off int64, n int) bool {
	return off >= w.off && off+int64(n) <= w.end()
}

// meets reports whether some of the bytes are in the window.
func (w *window) meets(off int64, n int) bool { return off < w.end() && w.off < off+int64(n) }

// readWindow reads the readable parts of a range. After a failure it continues at increasing distances. So one bad
// block does not hide the bytes behind, and a source that always fails costs few attempts.
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

// A latest runs one function at a time in a goroutine of its own. Of those requested meanwhile it runs only the last.
type latest struct {
	mu      sync.Mutex
	running bool
	next    func()
}

// ask calls f soon, unless another call of ask replaces it before its turn.
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
