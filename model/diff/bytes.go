package diff

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"cutaway/model"
)

// A Range is a difference of two runs of bytes: LenA bytes from OffA on in the first correspond to LenB from OffB on in
// the second. One of the lengths may be 0. Offsets count in the sources.
type Range struct {
	OffA, LenA int64
	OffB, LenB int64
}

// Kind returns the kind of change of the bytes.
func (r *Range) Kind() Kind {
	switch {
	case r.LenA == 0:
		return Added
	case r.LenB == 0:
		return Removed
	}
	return Changed
}

// Bytes compares two runs of bytes, detects insertions and deletions, and reports each difference in order. It reads
// both once, and again around differences. Its memory is limited: a table of at most a million blocks of a.
func Bytes(ctx context.Context, a, b model.Span, progress model.Progress, report func(Range) error) error {
	s := &byteScan{ctx: ctx, a: newReading(a), b: newReading(b), progress: progress, report: report}
	for {
		if err := s.skipSame(); err != nil {
			return err
		}
		if s.a.left() == 0 && s.b.left() == 0 {
			return s.reportOpen()
		}
		n, m, err := s.resync()
		if err != nil {
			return err
		}
		s.differ(n, m)
	}
}

// A byteScan is an unfinished comparison of bytes.
type byteScan struct {
	ctx      context.Context
	a, b     *reading
	progress model.Progress
	report   func(Range) error
	open     Range          // a difference that may go on
	table    []childToMatch // hashes of a's blocks, or nil until made
	block    int64
	filter   []uint64 // a bit set of the hashes in table
}

// sameBytes is the number of equal bytes that end a difference.
const sameBytes = 32

// differ adds n bytes of a and m of b to the open difference, and skips them.
func (s *byteScan) differ(n, m int64) {
	if s.open.LenA == 0 && s.open.LenB == 0 {
		s.open.OffA, s.open.OffB = s.a.at, s.b.at
	}
	s.open.LenA += n
	s.open.LenB += m
	s.a.at += n
	s.b.at += m
}

// reportOpen reports the open difference.
func (s *byteScan) reportOpen() error {
	r := s.open
	s.open = Range{}
	if r.LenA == 0 && r.LenB == 0 {
		return nil
	}
	return s.report(r)
}

// skipSame skips bytes that are equal on both sides.
func (s *byteScan) skipSame() error {
	for window := int64(4 << 10); ; window = min(window*4, 1<<20) {
		x, err := s.a.window(s.ctx, s.a.at, window)
		if err != nil {
			return err
		}
		y, err := s.b.window(s.ctx, s.b.at, window)
		if err != nil {
			return err
		}
		n := alike(x, y)
		if n > 0 {
			if err := s.reportOpen(); err != nil {
				return err
			}
		}
		s.a.at += int64(n)
		s.b.at += int64(n)
		s.progress.Report(s.a.at-s.a.start, s.a.end-s.a.start, "comparing bytes")
		if n == 0 || n < len(x) || n < len(y) {
			return s.ctx.Err()
		}
	}
}

// alike returns the length of the common prefix of two runs.
func alike(x, y []byte) int {
	n := min(len(x), len(y))
	if bytes.Equal(x[:n], y[:n]) {
		return n
	}
	const step = 4096
	at := 0
	for at+step <= n && bytes.Equal(x[at:at+step], y[at:at+step]) {
		at += step
	}
	for at < n && x[at] == y[at] {
		at++
	}
	return at
}

// resync returns the numbers of bytes of both runs to skip to where they are equal again. It searches nearby first,
// then all of a.
func (s *byteScan) resync() (n, m int64, err error) {
	if s.a.left() == 0 || s.b.left() == 0 {
		return s.a.left(), s.b.left(), nil
	}
	for window := int64(256); ; window *= 16 {
		x, err := s.a.window(s.ctx, s.a.at, window)
		if err != nil {
			return 0, 0, err
		}
		y, err := s.b.window(s.ctx, s.b.at, window)
		if err != nil {
			return 0, 0, err
		}
		if n, m, found := nearby(x, y); found {
			return n, m, nil
		}
		if s.a.left() <= window && s.b.left() <= window {
			return s.untilEnd()
		}
		if window >= 1<<16 {
			return s.far()
		}
	}
}

// untilEnd returns the rest of both runs, without their common suffix.
func (s *byteScan) untilEnd() (n, m int64, err error) {
	x, err := s.a.window(s.ctx, s.a.at, s.a.left())
	if err != nil {
		return 0, 0, err
	}
	y, err := s.b.window(s.ctx, s.b.at, s.b.left())
	if err != nil {
		return 0, 0, err
	}
	k := 0
	for k < len(x) && k < len(y) && x[len(x)-1-k] == y[len(y)-1-k] {
		k++
	}
	return int64(len(x) - k), int64(len(y) - k), nil
}

// overwritten returns the offset after which two runs are equal again, or -1. Overwriting, the most frequent change,
// leaves such an offset.
func overwritten(x, y []byte) int64 {
	for k, same := 0, 0; k < min(len(x), len(y)); k++ {
		if x[k] != y[k] {
			same = 0
		} else if same++; same == sameBytes {
			return int64(k + 1 - sameBytes)
		}
	}
	return -1
}

// nearby returns the least numbers of bytes to skip to where two runs are equal again.
func nearby(x, y []byte) (n, m int64, found bool) {
	if len(x) < sameBytes || len(y) < sameBytes {
		return 0, 0, false
	}
	if k := overwritten(x, y); k >= 0 {
		return k, k, true
	}
	first := make(map[uint64]int32, len(x))
	for r := newRolling(x, sameBytes); ; r.next() {
		if _, had := first[r.sum]; !had {
			first[r.sum] = int32(r.at)
		}
		if r.done() {
			break
		}
	}
	best := len(x) + len(y)
	for r := newRolling(y, sameBytes); r.at < best; r.next() {
		if i, had := first[r.sum]; had && int(i)+r.at < best && bytes.Equal(x[i:int(i)+sameBytes], y[r.at:r.at+sameBytes]) {
			n, m, best, found = int64(i), int64(r.at), int(i)+r.at, true
		}
		if r.done() {
			break
		}
	}
	for n > 0 && m > 0 && x[n-1] == y[m-1] {
		n, m = n-1, m-1
	}
	return n, m, found
}

// far finds the first bytes of the rest of b that the rest of a has anywhere.
func (s *byteScan) far() (n, m int64, err error) {
	if err := s.index(); err != nil {
		return 0, 0, err
	}
	const window = 1 << 20
	for at := s.b.at; ; at += window {
		y, err := s.b.window(s.ctx, at, window+s.block-1)
		if err != nil {
			return 0, 0, err
		}
		if int64(len(y)) < s.block {
			return s.a.left(), s.b.left(), nil
		}
		for r := newRolling(y, int(s.block)); ; r.next() {
			if s.filter[r.sum>>6&s.mask()]&(1<<(r.sum&63)) != 0 {
				off, err := s.find(r.sum, y[r.at:r.at+int(s.block)])
				if err != nil {
					return 0, 0, err
				}
				if off >= 0 {
					return s.back(off, at+int64(r.at))
				}
			}
			if r.done() {
				break
			}
		}
		s.progress.Report(at-s.b.start, s.b.end-s.b.start, "looking for what both have")
	}
}

func (s *byteScan) mask() uint64 { return uint64(len(s.filter)) - 1 }

// back moves back from a common position to the first equal bytes.
func (s *byteScan) back(atA, atB int64) (n, m int64, err error) {
	k := min(s.block, atA-s.a.at, atB-s.b.at)
	x, err := s.a.window(s.ctx, atA-k, k)
	if err != nil {
		return 0, 0, err
	}
	y, err := s.b.window(s.ctx, atB-k, k)
	if err != nil {
		return 0, 0, err
	}
	for i := len(x) - 1; i >= 0 && i < len(y) && x[i] == y[i]; i-- {
		atA, atB = atA-1, atB-1
	}
	return atA - s.a.at, atB - s.b.at, nil
}

// index makes the table of a's blocks, once.
func (s *byteScan) index() error {
	if s.table != nil {
		return nil
	}
	const blocks, filterWords = 1 << 20, 1 << 18
	s.block = 64
	for (s.a.end-s.a.start)/s.block > blocks {
		s.block *= 2
	}
	s.filter = make([]uint64, filterWords)
	s.table = []childToMatch{}
	for at := s.a.at; s.a.end-at >= s.block; {
		x, err := s.a.window(s.ctx, at, max(1<<20, s.block))
		if err != nil {
			return err
		}
		for ; int64(len(x)) >= s.block; x = x[s.block:] {
			if !isUniform(x[:s.block]) { // runs of one byte are in many places
				sum := newRolling(x[:s.block], int(s.block)).sum
				s.table = append(s.table, childToMatch{sum, at})
				s.filter[sum>>6&s.mask()] |= 1 << (sum & 63)
			}
			at += s.block
		}
	}
	slices.SortFunc(s.table, func(x, y childToMatch) int { return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.index, y.index)) })
	return s.ctx.Err()
}

// isUniform reports whether all bytes are equal.
func isUniform(b []byte) bool { return bytes.Equal(b[1:], b[:len(b)-1]) }

// find returns the offset of a block in the rest of a, or -1.
func (s *byteScan) find(sum uint64, block []byte) (int64, error) {
	k, _ := slices.BinarySearchFunc(s.table, childToMatch{sum, s.a.at}, func(x, y childToMatch) int {
		return cmp.Or(cmp.Compare(x.hash, y.hash), cmp.Compare(x.index, y.index))
	})
	if k == len(s.table) || s.table[k].hash != sum {
		return -1, nil
	}
	x, err := s.a.window(s.ctx, s.table[k].index, s.block)
	if err != nil || !bytes.Equal(x, block) {
		return -1, err
	}
	return s.table[k].index, nil
}

// rolling is the hash of the bytes in a moving window.
type rolling struct {
	b    []byte
	at   int // offset of the window
	size int
	sum  uint64 // mixed, for tables
	raw  uint64
	out  uint64 // factor of the byte that leaves the window
}

const base = 0x9e3779b97f4a7c15

func newRolling(b []byte, size int) *rolling {
	r := &rolling{b: b, size: size, out: 1}
	for i, c := range b[:size] {
		r.raw = r.raw*base + uint64(c) + 1
		if i > 0 {
			r.out *= base
		}
	}
	r.sum = mix(r.raw)
	return r
}

func (r *rolling) done() bool { return r.at+r.size >= len(r.b) }

func (r *rolling) next() {
	r.raw = (r.raw-(uint64(r.b[r.at])+1)*r.out)*base + uint64(r.b[r.at+r.size]) + 1
	r.at++
	r.sum = mix(r.raw)
}

// A reading is a run of bytes that is read in windows.
type reading struct {
	src             *model.Source
	start, at, end  int64
	buf             []byte
	from, available int64 // range of the bytes in buf
}

func newReading(s model.Span) *reading {
	return &reading{src: s.Source, start: s.Off, at: s.Off, end: s.End()}
}

func (r *reading) left() int64 { return r.end - r.at }

// window returns at most n bytes from at on, valid until the next call, or none after the end.
func (r *reading) window(ctx context.Context, at, n int64) ([]byte, error) {
	if n = min(n, r.end-at); n <= 0 {
		return nil, nil
	}
	if at < r.from || at+n > r.from+r.available {
		more := min(max(n, 1<<20), r.end-at)
		if int64(cap(r.buf)) < more {
			r.buf = make([]byte, more)
		}
		r.buf = r.buf[:more]
		got, err := r.src.ReadFull(ctx, r.buf, at)
		if err != nil {
			r.available = 0
			return nil, model.AsProblem(err, "source.read", r.src.Span(at+int64(got), more-int64(got)))
		}
		r.from, r.available = at, more
	}
	return r.buf[at-r.from:][:n], nil
}
