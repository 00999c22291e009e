package source

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"cutaway/model"
)

// cache holds the decompressed bytes of all documents.
var cache = inflatedCache{limit: 256 << 20, temporary: 16 << 30}

type inflatedCache struct {
	clock atomic.Int64

	mu        sync.Mutex
	limit     int64
	temporary int64     // greatest size of the temporary file of one source
	use       int64     // bytes in memory, including those of running decompressions
	held      keptQueue // entries with bytes in memory that may be dropped
	looked    int64     // number of entries examined in order to drop some
}

// A keptQueue is a heap of entries by the time of their last use as known to the queue; the first may have been used
// since.
type keptQueue []*kept

func (q keptQueue) Len() int           { return len(q) }
func (q keptQueue) Less(i, j int) bool { return q[i].queued < q[j].queued }

func (q keptQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}

func (q *keptQueue) Push(e any) {
	k := e.(*kept)
	k.at = len(*q)
	*q = append(*q, k)
}

func (q *keptQueue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return e
}

func (q keptQueue) contains(e *kept) bool { return e.at < len(q) && q[e.at] == e }

// SetCacheLimit sets the most bytes that are kept in memory for all documents, by default 256 MiB. Three quarters are
// for decompressed data. Data beyond the limit is dropped, and decompressed again when it is read.
func SetCacheLimit(bytes int64) {
	cache.mu.Lock()
	defer cache.mu.Unlock()
	cache.limit = bytes
	cache.shrink()
}

// CacheLimit returns the most bytes that are kept in memory. Formats limit their indexes by it.
func CacheLimit() int64 {
	limit, _ := cache.limits()
	return limit
}

func (c *inflatedCache) limits() (memory, temporary int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit, c.temporary
}

// evict adds n bytes to the used ones, and drops the least recently used entries beyond the limit.
func (c *inflatedCache) evict(n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use += n
	c.shrink()
}

func (c *inflatedCache) shrink() {
	for c.use > c.limit-c.limit/4 && len(c.held) > 0 { // the rest is for indexes of formats
		c.looked++
		oldest := c.held[0]
		if used := oldest.used.Load(); used > oldest.queued {
			oldest.queued = used
			heap.Fix(&c.held, 0)
			continue
		}
		c.forget(oldest)
	}
}

// add makes an entry one that may be dropped; its bytes are counted already.
func (c *inflatedCache) add(e *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e.touch()
	e.queued = e.used.Load()
	if c.held.contains(e) {
		heap.Fix(&c.held, e.at)
	} else {
		heap.Push(&c.held, e)
	}
	c.shrink()
}

func (c *inflatedCache) forget(e *kept) {
	if c.held.contains(e) {
		heap.Remove(&c.held, e.at)
		if got := e.got.Swap(nil); got != nil {
			c.use -= got.memory()
		}
	}
}

// drop releases the bytes of an entry.
func (c *inflatedCache) drop(e *kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(e)
}

// A CachedReader is a model.Reader of bytes that are made on demand, kept in the cache of all documents, and made again
// after being dropped. It is safe for concurrent use.
type CachedReader struct{ *inflated }

type inflated struct {
	size    int64
	inflate func(ctx context.Context, w io.Writer) error
	*kept

	mu     sync.Mutex
	busy   chan struct{} // closed when the running decompression ends
	closed bool
}

// A kept is the entry of a reader in the cache. It refers neither to the reader nor to its input. So the cache keeps no
// unused documents alive.
type kept struct {
	used atomic.Int64
	got  atomic.Pointer[result] // or nil while not made, or dropped
	// Guarded by the cache's lock:
	queued int64 // key in the queue
	at     int   // index in the queue
}

func (k *kept) touch() { k.used.Store(cache.clock.Add(1)) }

// release drops the bytes.
func (k *kept) release() error {
	cache.drop(k)
	if got := k.got.Swap(nil); got != nil && got.file != nil {
		return got.file.Close()
	}
	return nil
}

// A result is the output of a decompression: bytes in memory or in a temporary file.
type result struct {
	pieces [][]byte // of pieceSize, except the last
	file   *Temporary
	good   int64
	err    error // why good is less than the size
	pause  model.Pause
}

// holds reports whether the first n bytes are present, or must not be read again yet.
func (r *result) holds(n int64) bool { return r != nil && (n <= r.good || !r.pause.Over()) }

// pieceSize is the size of allocations for decompressed bytes. So a false claim of a size costs no more, and growing
// copies nothing.
const pieceSize = 64 << 10

// memory returns the number of bytes of the pieces.
func (r *result) memory() (n int64) {
	for _, p := range r.pieces {
		n += int64(cap(p))
	}
	return n
}

// copyTo fills p with the bytes from off on, which must be present.
func (r *result) copyTo(p []byte, off int64) int {
	n := 0
	for n < len(p) {
		at := off + int64(n)
		n += copy(p[n:], r.pieces[at/pieceSize][at%pieceSize:])
	}
	return n
}

// Cached returns a reader of size bytes that inflate writes. The first read calls inflate and others wait. Writing more
// than size fails with io.ErrShortWrite. If inflate writes less, reads beyond fail with an io.ErrUnexpectedEOF that
// wraps inflate's error; if a disk or server failed, a read after a pause calls inflate again. Sizes above the cache's
// limit use a temporary file.
func Cached(size int64, inflate func(ctx context.Context, w io.Writer) error) *CachedReader {
	k := &kept{}
	r := &CachedReader{&inflated{size: size, inflate: inflate, kept: k}}
	runtime.AddCleanup(r.inflated, func(k *kept) { _ = k.release() }, k)
	return r
}

func (e *inflated) Size() int64 { return e.size }

// Good decompresses if necessary. It returns the number of valid bytes from the start on, and the reason why there are
// no more.
func (e *inflated) Good(ctx context.Context) (int64, error) {
	got, err := e.result(ctx, e.size)
	if err != nil {
		return 0, err
	}
	return got.good, got.err
}

func (e *inflated) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	switch {
	case off < 0:
		return 0, fs.ErrInvalid
	case off >= e.size:
		return 0, io.EOF
	}
	got, err := e.result(ctx, min(off+int64(len(p)), e.size))
	if err != nil {
		return 0, err
	}
	n := 0
	if off < got.good {
		want := p[:min(int64(len(p)), got.good-off)]
		if got.file == nil {
			n = got.copyTo(want, off)
		} else if n, err = got.file.ReadAt(want, off); n < len(want) {
			if errors.Is(err, fs.ErrClosed) && e.got.Load() != got { // it was made again meanwhile
				return e.ReadAt(ctx, p, off)
			}
			return n, err
		}
	}
	switch {
	case n == len(p):
		return n, nil
	case off+int64(n) == e.size:
		return n, io.EOF
	}
	return n, got.err
}

// Forget drops the bytes in memory, which will not be read soon. Later reads make them again.
func (e *inflated) Forget() { cache.drop(e.kept) }

// Close releases the bytes. Later reads fail with fs.ErrClosed.
func (e *inflated) Close() error {
	e.mu.Lock()
	e.closed = true
	busy := e.busy
	e.mu.Unlock()
	if busy != nil {
		<-busy
	}
	return e.release()
}

// result returns a result with the first n bytes, or as many as can be read.
func (e *inflated) result(ctx context.Context, n int64) (*result, error) {
	for {
		if got := e.got.Load(); got.holds(n) {
			e.touch()
			return got, nil
		}
		e.mu.Lock()
		if e.closed {
			e.mu.Unlock()
			return nil, fs.ErrClosed
		}
		if busy := e.busy; busy != nil {
			e.mu.Unlock()
			select {
			case <-busy:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		if e.got.Load().holds(n) {
			e.mu.Unlock()
			continue
		}
		mine := make(chan struct{})
		e.busy = mine
		e.mu.Unlock()
		return e.attempt(ctx, mine)
	}
}

func (e *inflated) attempt(ctx context.Context, mine chan struct{}) (*result, error) {
	defer func() {
		e.mu.Lock()
		e.busy = nil
		e.mu.Unlock()
		close(mine)
	}()
	began := time.Now()
	memory, temporary := cache.limits()
	if e.size > memory/2 { // inflate takes memory too
		return e.toFile(ctx, began, memory, temporary)
	}
	sink := &memorySink{size: e.size}
	done := false
	defer func() {
		if !done { // also if inflate panics
			sink.release()
		}
	}()
	err := e.inflate(ctx, sink)
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err()
	}
	done = true
	got := e.adopt(&result{pieces: sink.pieces, good: sink.written, err: e.short(sink.written, err)}, began)
	cache.add(e.kept)
	return got, nil
}

// adopt replaces the previous result.
func (e *inflated) adopt(got *result, began time.Time) *result {
	got.pause.Begin(began, model.KindOf(got.err) == model.Unread)
	// Closing a file opened for reading loses nothing.
	_ = e.release()
	e.got.Store(got)
	return got
}

func (e *inflated) toFile(ctx context.Context, began time.Time, memory, temporary int64) (got *result, err error) {
	if e.size > temporary {
		return nil, fmt.Errorf("%d inflated bytes pass the limit for data in memory, %d bytes, and that for a temporary file, %d bytes",
			e.size, memory, temporary)
	}
	file, err := NewTemporary()
	if err != nil {
		return nil, fmt.Errorf("%d inflated bytes pass the limit for data in memory, %d bytes, and there is no temporary file: %w",
			e.size, memory, err)
	}
	done := false
	defer func() {
		if !done {
			err = errors.Join(err, file.Close())
		}
	}()
	sink := &fileSink{file: file, size: e.size}
	err = e.inflate(ctx, sink)
	if ctx.Err() != nil && err != nil {
		return nil, ctx.Err()
	}
	done = true
	return e.adopt(&result{file: file, good: sink.written, err: e.short(sink.written, err)}, began), nil
}

// short returns the error of reads beyond the valid bytes.
func (e *inflated) short(good int64, cause error) error {
	switch {
	case good >= e.size:
		return nil
	case cause == nil:
		return fmt.Errorf("only %d of %d bytes could be inflated: %w", good, e.size, io.ErrUnexpectedEOF)
	}
	return &shortError{fmt.Sprintf("only %d of %d bytes could be inflated: %v", good, e.size, cause), cause}
}

// A shortError is an io.ErrUnexpectedEOF with a cause.
type shortError struct {
	text  string
	cause error
}

func (e *shortError) Error() string   { return e.text }
func (e *shortError) Unwrap() []error { return []error{e.cause, io.ErrUnexpectedEOF} }

// A memorySink collects at most size bytes, and counts its memory as it grows.
type memorySink struct {
	result
	size, written int64
}

func (s *memorySink) Write(p []byte) (int, error) {
	room := p[:min(int64(len(p)), s.size-s.written)]
	for left := room; len(left) > 0; {
		if s.written%pieceSize == 0 {
			piece := make([]byte, 0, min(pieceSize, s.size-s.written))
			cache.evict(int64(cap(piece)))
			s.pieces = append(s.pieces, piece)
		}
		last := &s.pieces[len(s.pieces)-1]
		n := min(len(left), cap(*last)-len(*last))
		*last = append(*last, left[:n]...)
		s.written += int64(n)
		left = left[n:]
	}
	if len(room) < len(p) {
		return len(room), io.ErrShortWrite
	}
	return len(p), nil
}

func (s *memorySink) release() {
	cache.evict(-s.memory())
	s.pieces = nil
}

// A fileSink writes at most size bytes to a file.
type fileSink struct {
	file          *Temporary
	size, written int64
}

func (s *fileSink) Write(p []byte) (int, error) {
	room := min(int64(len(p)), s.size-s.written)
	n, err := s.file.Write(p[:room])
	s.written += int64(n)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	return n, err
}
