package source

import (
	"context"
	"io"
	"io/fs"
	"math/bits"
	"slices"
	"sort"
	"sync"

	"cutaway/model"
)

// Joined is a model.Reader over the concatenation of readers.
type Joined struct {
	parts  []model.Reader
	starts []int64 // starts[i] is the offset of parts[i]; the last is the size
}

// Join concatenates parts, which may be empty.
func Join(parts ...model.Reader) *Joined {
	j := &Joined{parts: parts, starts: make([]int64, 1, len(parts)+1)}
	for i, p := range parts {
		j.starts = append(j.starts, j.starts[i]+p.Size())
	}
	return j
}

// Size returns the sum of the sizes.
func (j *Joined) Size() int64 { return j.starts[len(j.parts)] }

// Far reports whether a part is far.
func (j *Joined) Far() bool { return slices.ContainsFunc(j.parts, model.Far) }

// Part returns the part with the byte at off, and the offset inside the part, or -1 if off is out of range.
func (j *Joined) Part(off int64) (part int, inside int64) {
	if off < 0 || off >= j.Size() {
		return -1, 0
	}
	i := sort.Search(len(j.parts), func(i int) bool { return j.starts[i+1] > off })
	return i, off - j.starts[i]
}

// ReadAt reads across the ends of parts.
func (j *Joined) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fs.ErrInvalid
	}
	i, at := j.Part(off)
	if i < 0 {
		return 0, io.EOF
	}
	done := 0
	for ; i < len(j.parts) && done < len(p); i, at = i+1, 0 {
		want := min(int64(len(p)-done), j.parts[i].Size()-at)
		if want == 0 {
			continue
		}
		n, err := j.parts[i].ReadAt(ctx, p[done:done+int(want)], at)
		done += n
		if int64(n) < want {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return done, err
		}
	}
	if done < len(p) {
		return done, io.EOF
	}
	return done, nil
}

// A Counter is a model.Reader that counts the reads of another one, for tests of laziness.
type Counter struct {
	r model.Reader

	mu    sync.Mutex
	calls int64
	bytes int64
	pages map[int64]uint64 // a bit for each page, 64 pages in a word
}

// CountedPage is the size in bytes of the pages that a Counter counts.
const CountedPage = 4096

// NewCounter returns a reader that counts the reads of r.
func NewCounter(r model.Reader) *Counter { return &Counter{r: r, pages: make(map[int64]uint64)} }

// Size returns the size of the other reader.
func (c *Counter) Size() int64 { return c.r.Size() }

// Far reports whether the other reader is far.
func (c *Counter) Far() bool { return model.Far(c.r) }

// ReadAt reads and counts.
func (c *Counter) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := c.r.ReadAt(ctx, p, off)
	c.count(off, n)
	return n, err
}

// ReadScattered reads and counts.
func (c *Counter) ReadScattered(ctx context.Context, p []byte, off int64) (int, error) {
	s, ok := c.r.(model.ScatteredReader)
	if !ok {
		return c.ReadAt(ctx, p, off)
	}
	n, err := s.ReadScattered(ctx, p, off)
	c.count(off, n)
	return n, err
}

func (c *Counter) count(off int64, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	c.bytes += int64(n)
	if n > 0 {
		for page := off / CountedPage; page <= (off+int64(n)-1)/CountedPage; page++ {
			c.pages[page/64] |= 1 << (page % 64)
		}
	}
}

// Calls returns the number of calls of ReadAt.
func (c *Counter) Calls() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

// Bytes returns the number of bytes read, with repetitions.
func (c *Counter) Bytes() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// Pages returns the number of different pages read.
func (c *Counter) Pages() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, word := range c.pages {
		n += bits.OnesCount64(word)
	}
	return int64(n)
}

// Reset sets all counts to 0.
func (c *Counter) Reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls, c.bytes = 0, 0
	clear(c.pages)
}
