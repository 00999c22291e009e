package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"cutaway/model"
)

// blockSize is the number of bytes in memory, besides the pattern's length. A block stays in a core's own cache from
// reading to searching, which makes it faster than larger ones.
const blockSize = 1 << 18

// smallest is the length of the ranges that are skipped when they cannot be read.
const smallest = 64 << 10

// Unread is the error of a search that skipped bytes: some could not be read, such as those after the end of a file
// that has shrunk, or are missing from a damaged derived source. The rest was searched.
type Unread struct {
	Spans []model.Span // the first ranges that were skipped, in order
	Bytes int64        // total number of skipped bytes
	Err   error        // why the first could not be read, or nil
	// Damaged counts the sources that were decoded in part and searched as far as possible. Path is that of the first.
	Damaged int64
	Path    string
}

// Error returns the extent that was not searched.
func (u *Unread) Error() string {
	var parts []string
	if u.Err != nil {
		s := u.Spans[0]
		parts = append(parts, fmt.Sprintf("%s could not be searched, the first at %#x of %s: %v", model.GroupedCount(u.Bytes, "byte"), s.Off, s.Source.Title(), u.Err))
	}
	if u.Damaged > 0 {
		parts = append(parts, fmt.Sprintf("%s damaged and searched only as far as decoded, the first %s",
			model.Counted(u.Damaged, "part"), u.Path))
	}
	return strings.Join(parts, "; ")
}

// Unwrap returns the reason why the first bytes could not be read.
func (u *Unread) Unwrap() error { return u.Err }

// mostSpans is the most ranges that an Unread lists.
const mostSpans = 64

// merge adds the ranges of o.
func (u *Unread) merge(o *Unread) {
	if u.Err == nil {
		u.Err = o.Err
	}
	u.Bytes += o.Bytes
	u.Spans = append(u.Spans, o.Spans[:min(len(o.Spans), mostSpans-len(u.Spans))]...)
}

// gap adds an unreadable range [off, end), which begins after the start of the previous one.
func (s *scan) gap(off, end int64, err error) {
	u := &s.unread
	off = max(off, s.gapEnd) // blocks overlap
	if off >= end {
		return
	}
	if n := len(u.Spans); n > 0 && u.Spans[n-1].End() == off {
		u.Spans[n-1].Len += end - off
		u.Bytes += end - off
	} else {
		u.merge(&Unread{Spans: []model.Span{s.src.Span(off, end-off)}, Bytes: end - off, Err: err})
	}
	s.gapEnd = end
}

// err returns u, or nil if nothing was skipped.
func (u *Unread) err() error {
	if u.Err == nil && u.Damaged == 0 {
		return nil
	}
	return u
}

// Bytes searches the bytes [from, to) of src and calls found with the offset and length of each match inside, in
// ascending order; matches may overlap. A negative to means the end. Unreadable bytes are skipped: the search continues
// after them and ends with an *Unread. progress receives the bytes searched and their total.
func Bytes(ctx context.Context, src *model.Source, p *Pattern, from, to int64, progress model.Progress, found func(off, length int64) error) error {
	s := newScan(ctx, src, p, &from, &to)
	for at := from; to-at >= s.least; {
		progress.Report(at-from, to-from, "searching bytes")
		if empty := s.empty(at, to); empty > at {
			at = empty
			continue
		}
		end := min(at+int64(len(s.block)), to)
		next := end
		if end < to {
			next = end - s.most + 1 // a match that begins here may not end in this block
		}
		if err := s.forward(at, end, next, found); err != nil {
			return err
		}
		at = next
	}
	return s.unread.err()
}

// clip limits a range to the source.
func clip(src *model.Source, from, to int64) (int64, int64) {
	if to < 0 || to > src.Size() {
		to = src.Size()
	}
	return max(from, 0), to
}

// A scan is an unfinished search.
type scan struct {
	ctx    context.Context
	src    *model.Source
	p      *Pattern
	block  []byte
	rare   bool  // the last block had no match
	pieces int64 // pieces to search in parallel; 0 means 1
	least  int64 // lengths of matches
	most   int64
	unread Unread
	gapEnd int64 // end of the last unreadable range
}

// newScan begins a search of a range, which it limits to the source.
func newScan(ctx context.Context, src *model.Source, p *Pattern, from, to *int64) *scan {
	*from, *to = clip(src, *from, *to)
	least, most := p.lengths()
	return &scan{ctx: ctx, src: src, p: p, block: make([]byte, min(blockSize+int64(most), max(*to-*from, 0))), rare: true,
		least: int64(least), most: int64(most)}
}

// forward searches [at, end), which fits the block, for matches that begin before next.
func (s *scan) forward(at, end, next int64, found func(off, length int64) error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	block := s.block[:end-at]
	n, err := s.src.ReadAt(s.ctx, block, at)
	if n == len(block) {
		return s.searchWithin(block, at, next, found)
	}
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return s.searchAround(at, end, next, n, err, found)
}

// lookSize is the number of bytes of a piece that one goroutine searches.
const lookSize = 4 << 20

// mostLooks is the most pieces that are searched in parallel.
const mostLooks = 8

// empty searches bytes in memory from at on, several pieces in parallel. It returns an offset before which no match
// begins, or at if it found none.
func (s *scan) empty(at, to int64) int64 {
	if !s.rare || s.ctx.Err() != nil {
		return at
	}
	step := max(lookSize, 2*s.most) - s.most + 1 // a match may begin in one piece and end in the next
	pieces := max(min(s.pieces, (to-at)/step), 1)
	var upTo [mostLooks]int64
	var others sync.WaitGroup
	for i := int64(1); i < pieces; i++ {
		others.Go(func() { upTo[i] = s.emptyPiece(at+i*step, step, to) })
	}
	upTo[0] = s.emptyPiece(at, step, to)
	others.Wait()
	for i := range pieces {
		whole := min(at+(i+1)*step, to)
		if upTo[i] < whole {
			s.pieces = 1 // bytes after a match would be searched again
			return upTo[i]
		}
	}
	s.pieces = min(2*pieces, int64(runtime.GOMAXPROCS(0)), mostLooks)
	return upTo[pieces-1]
}

// emptyPiece returns an offset before which no match begins in a piece, or at if it found none.
func (s *scan) emptyPiece(at, step, to int64) int64 {
	end := min(at+step+s.most-1, to)
	first := -1
	switch looked := s.src.LookAt(at, end-at, func(b []byte) { first = s.p.first(b) }); {
	case !looked:
		return at
	case first >= 0:
		return at + int64(first)
	case end < to:
		return at + step
	}
	return end
}

// first returns the offset of the first match in a block, or -1.
func (p *Pattern) first(block []byte) int {
	i := p.finder(block)(0)
	if p.also == nil {
		return i
	}
	if k := p.also.finder(block)(0); i < 0 || k >= 0 && k < i {
		return k
	}
	return i
}

// searchWithin reports the matches in a block at base that begin before next.
func (s *scan) searchWithin(block []byte, base, next int64, found func(off, length int64) error) error {
	one, other := s.p.finder(block), func(int) int { return -1 }
	if s.p.also != nil {
		other = s.p.also.finder(block)
	}
	i, k := one(0), other(0)
	s.rare = i < 0 && k < 0
	for i >= 0 || k >= 0 {
		at, length := i, len(s.p.data)
		if i < 0 || k >= 0 && k < i {
			at, length = k, len(s.p.also.data)
		}
		if base+int64(at) >= next {
			return nil
		}
		if err := found(base+int64(at), int64(length)); err != nil {
			return err
		}
		if i == at {
			i = one(at + 1)
		}
		if k == at { // of two at one place, the first counts
			k = other(at + 1)
		}
	}
	return nil
}

// searchAround searches [at, end) part by part, after a read returned only its first n bytes.
func (s *scan) searchAround(at, end, next int64, n int, cause error, found func(off, length int64) error) error {
	block := s.block[:n]
	for {
		if err := s.searchWithin(block, at, next, found); err != nil {
			return err
		}
		at += int64(len(block))
		if at >= end {
			return nil
		}
		bad := min(smallest-at%smallest, end-at)
		s.gap(at, at+bad, cause)
		at += bad
		if err := s.ctx.Err(); err != nil || at >= end {
			return err
		}
		got, err := s.src.ReadAt(s.ctx, s.block[:end-at], at)
		block = s.block[:got]
		if err != nil && got < int(end-at) {
			cause = err
		}
	}
}
