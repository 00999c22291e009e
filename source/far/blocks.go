package far

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"cutaway/model"
)

// The size of blocks and their number.
const (
	blockSize   = 64 << 10 // bytes
	blocksHeld  = 1024     // of each file: 64 MiB
	longestRun  = 64       // blocks in a request: 4 MiB
	fetches     = 4        // of a file in parallel
	manyStreams = 8        // sequential reads that are tracked
)

// blocks caches the most recently read blocks of a file, and fetches others.
type blocks struct {
	f     *File
	held  model.Cache[int64, []byte]
	slots chan struct{}

	mu      sync.Mutex
	flights map[int64]*flight // by block
	streams []*stream         // most recently used first
}

// A flight is a run of blocks that is being fetched.
type flight struct {
	first, end int64 // blocks
	bytes      []byte
	err        error // valid once done is closed
	done       chan struct{}
	wanted     int // number of waiting readers
	stop       context.CancelFunc
}

// A stream is a sequential read: when it reads block next, the blocks from end on are fetched, twice as many as the
// last time.
type stream struct{ next, end, ahead int64 }

func (b *blocks) init(f *File) {
	b.f, b.held.Limit, b.flights, b.slots = f, blocksHeld, make(map[int64]*flight), make(chan struct{}, fetches)
}

func (b *blocks) hold(i int64, bytes []byte) { b.held.Of(i, func() []byte { return bytes }) }

var errMissing = errors.New("not held")

func (b *blocks) cached(i int64) ([]byte, bool) {
	bytes, err := b.held.Get(context.Background(), i, func(context.Context) ([]byte, error) { return nil, errMissing })
	return bytes, err == nil
}

// count returns the number of blocks of the file.
func (b *blocks) count() int64 { return (b.f.size + blockSize - 1) / blockSize }

// read fills p with a range inside the file.
func (b *blocks) read(ctx context.Context, p []byte, off int64) (int, error) {
	done := 0
	last := (off + int64(len(p)) - 1) / blockSize
	for done < len(p) {
		at := off + int64(done)
		bytes, err := b.block(ctx, at/blockSize, last)
		if err != nil {
			return done, err
		}
		done += copy(p[done:], bytes[at%blockSize:])
	}
	return done, nil
}

// block returns block i of a read that ends in block last.
func (b *blocks) block(ctx context.Context, i, last int64) ([]byte, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b.mu.Lock()
		b.follow(ctx, i)
		bytes, held := b.cached(i)
		if held {
			b.mu.Unlock()
			return bytes, nil
		}
		fl := b.flights[i]
		if fl == nil {
			n := min(last-i+1, longestRun)
			fl = b.start(ctx, i, n, true)
			b.expect(&stream{fl.end, fl.end, fl.end - i})
		}
		fl.wanted++
		b.mu.Unlock()
		again, err := b.await(ctx, fl)
		if err != nil {
			return nil, err
		}
		if !again {
			return fl.block(i), nil
		}
	}
}

func (fl *flight) block(i int64) []byte {
	from := (i - fl.first) * blockSize
	return fl.bytes[from:min(from+blockSize, int64(len(fl.bytes)))]
}

// await waits for a flight. again means that the flight was stopped, since no other reader wanted it.
func (b *blocks) await(ctx context.Context, fl *flight) (again bool, err error) {
	select {
	case <-fl.done:
	case <-ctx.Done():
		err = ctx.Err()
	}
	b.mu.Lock()
	fl.wanted--
	if err != nil && fl.wanted == 0 {
		fl.stop()
	}
	b.mu.Unlock()
	switch {
	case err != nil:
		return false, err
	case b.f.ctx.Err() != nil:
		return false, fs.ErrClosed
	case errors.Is(fl.err, context.Canceled):
		return true, nil
	}
	return false, fl.err
}

// follow fetches blocks ahead if block i continues a sequential read. The lock must be held.
func (b *blocks) follow(ctx context.Context, i int64) {
	for k, s := range b.streams {
		if s.next != i {
			continue
		}
		b.streams = append(b.streams[:k], b.streams[k+1:]...)
		ahead := min(2*s.ahead, longestRun)
		for _, held := b.cached(s.end); held && s.end < b.count(); _, held = b.cached(s.end) {
			s.end++
		}
		if s.end < b.count() && b.flights[s.end] == nil {
			if fl := b.start(ctx, s.end, ahead, s.end == i); fl != nil {
				b.expect(&stream{fl.first + (fl.end-fl.first)/2, fl.end, ahead})
			} else {
				b.expect(s)
			}
		}
		return
	}
}

// expect records a stream. The lock must be held.
func (b *blocks) expect(s *stream) {
	b.streams = append([]*stream{s}, b.streams[:min(len(b.streams), manyStreams-1)]...)
}

// start fetches at most n blocks from block first on, up to one that is cached or being fetched. If needed is false, it
// starts only if a slot is free, and otherwise returns nil. The flight stops when ctx ends and no reader waits. The
// lock must be held.
func (b *blocks) start(ctx context.Context, first, n int64, needed bool) *flight {
	end := first
	for end < min(first+n, b.count()) && b.flights[end] == nil {
		if _, held := b.cached(end); held && end > first {
			break
		}
		end++
	}
	has := false
	select {
	case b.slots <- struct{}{}:
		has = true
	default:
		if !needed {
			return nil
		}
	}
	fl := &flight{first: first, end: end, done: make(chan struct{})}
	for i := first; i < end; i++ {
		b.flights[i] = fl
	}
	var under context.Context
	under, fl.stop = context.WithCancel(b.f.ctx)
	leave := context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if fl.wanted == 0 {
			fl.stop()
		}
	})
	b.f.work.Go(func() {
		defer leave()
		b.fly(under, fl, has)
	})
	return fl
}

// fly fetches the blocks of a flight.
func (b *blocks) fly(ctx context.Context, fl *flight, hasSlot bool) {
	defer fl.stop()
	bytes := make([]byte, min(fl.end*blockSize, b.f.size)-fl.first*blockSize)
	var err error
	if !hasSlot {
		select {
		case b.slots <- struct{}{}:
			hasSlot = true
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	if hasSlot {
		err = b.f.fetch(ctx, bytes, fl.first*blockSize)
		<-b.slots
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	fl.bytes, fl.err = bytes, err
	for i := fl.first; i < fl.end; i++ {
		if err == nil {
			b.hold(i, fl.block(i))
		}
		delete(b.flights, i)
	}
	close(fl.done)
}
