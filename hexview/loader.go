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
	held       []window // what was asked for last comes first
	pieces     int      // how many were asked for since begin
	busy       bool     // a window is being read; when it has come, the repaint asks for what is missing then

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

// begin ends what the slices of view are good for. As many pieces of the source are kept as were asked for in the round before, and
// twice that while the next are: they change a few at a time.
func (l *loader) begin() {
	l.held = l.held[:min(len(l.held), max(2*l.pieces, 1))]
	l.data, l.state, l.pieces = l.data[:0], l.state[:0], 0
}

// view returns n bytes from off on and what is known of each. What is not at hand is asked for; changed is called when
// it has come. The slices are good until begin is called.
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

// take keeps a window that was read, before those that were asked for earlier.
func (l *loader) take(w window) { l.held = slices.Insert(l.held, 0, w) }

// leastAround is how many bytes at either side of a piece are read with it.
const leastAround = 1024

// fetch reads a window of three times what is in sight, so that scrolling meets bytes that are there.
func (l *loader) fetch(off int64, n int) {
	if l.busy {
		return
	}
	around := int64(max(n, leastAround))
	first := max(0, off-around)
	length := int(min(l.size-first, int64(n)+2*around))
	if !l.background {
		start := time.Now()
		l.take(readWindow(l.ctx, l.src, first, length))
		l.background = time.Since(start) > slow
		return
	}
	result := make(chan window, 1)
	go func() { result <- readWindow(l.ctx, l.src, first, length) }()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case w := <-result:
		l.take(w)
		return
	case <-timer.C:
	}
	l.busy = true
	go func() {
		w := <-result
		l.do(func() {
			l.take(w)
			l.busy = false
			l.changed()
		})
	}()
}

// failedAt is the reason why the byte at off cannot be read; nil when it can, or is not known yet.
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
