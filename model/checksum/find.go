package checksum

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"cutaway/model"
)

// A Candidate is one or two runs of bytes, in order, that a checksum may cover.
type Candidate struct {
	Spans []model.Span
	Zeros bool   // the bytes include the checksum, which counts as zeros
	What  string // description of the bytes
}

// Len returns the number of the bytes.
func (c *Candidate) Len() int64 {
	var n int64
	for _, s := range c.Spans {
		n += s.Len
	}
	return n
}

// A Match is a checksum with the value of the given bytes.
type Match struct {
	Candidate
	Algorithm string
	Order     string // "little endian" or "big endian", or "" if both are equal
}

// Limits of the search.
const (
	MaxSize    = 8         // bytes of a checksum
	MaxRead    = 256 << 20 // bytes that are read in total, shortest candidates first
	nearby     = 32        // siblings on each side
	derivedFor = 3         // levels of ancestors whose siblings' derived sources are tried
	anyUpTo    = 4 << 10   // greatest number of bytes directly before or after that is tried
	leastOfAny = 3         // least bytes of a checksum for that: shorter ones match by chance
)

// A Result holds the matches, and the number of tries.
type Result struct {
	Matches    []Match
	Algorithms int // number of algorithms of the given size
	Tried      int // number of candidates
	Skipped    int // candidates omitted because of MaxRead
}

// ByChance returns the expected number of matches of random bytes.
func (r *Result) ByChance(size int) float64 {
	return float64(r.Algorithms) * float64(r.Tried) * 2 / float64(uint64(1)<<(8*min(size, 7)))
}

// Find compares the 1 to MaxSize bytes at a span, in either byte order, with checksums of the candidates. Unreadable
// candidates are skipped. When ctx ends it returns the matches so far.
func Find(ctx context.Context, at model.Span, candidates []Candidate, progress model.Progress) (Result, error) {
	var r Result
	target, err := at.Source.Bytes(ctx, at.Off, at.Len)
	if err != nil {
		return r, err
	}
	if len(bytes.Trim(target, "\x00")) == 0 {
		return r, errors.New("zeros are the sum of too much")
	}
	algorithms := Of(len(target))
	r.Algorithms = len(algorithms)
	var total, done int64
	byLength := slices.Clone(candidates)
	slices.SortStableFunc(byLength, func(a, b Candidate) int { return cmp.Compare(a.Len(), b.Len()) })
	for i := range byLength {
		if n := byLength[i].Len(); total+n > MaxRead {
			r.Skipped = len(byLength) - i
			byLength = byLength[:i]
			break
		}
		total += byLength[i].Len()
	}
	for i := range byLength {
		c := &byLength[i]
		sums, err := sumsOf(ctx, c, at, algorithms)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		r.Tried++
		done += c.Len()
		progress.Report(done, total, "bytes")
		if err != nil {
			continue
		}
		for k, sum := range sums {
			if order, ok := matches(target, sum); ok {
				r.Matches = append(r.Matches, Match{*c, algorithms[k].Name, order})
			}
		}
	}
	return r, nil
}

// matches reports whether bytes are equal to sum, and their order.
func matches(target []byte, sum uint64) (order string, ok bool) {
	little, big := true, true
	for i, b := range target {
		little = little && b == byte(sum>>(8*i))
		big = big && b == byte(sum>>(8*(len(target)-1-i)))
	}
	switch {
	case little && big:
		return "", true
	case little:
		return "little endian", true
	}
	return "big endian", big
}

// sumsOf returns the checksums of a candidate.
func sumsOf(ctx context.Context, c *Candidate, at model.Span, algorithms []Algorithm) ([]uint64, error) {
	hashes := make([]hash, len(algorithms))
	for i := range hashes {
		hashes[i] = algorithms[i].begin()
	}
	block := make([]byte, min(64<<10, c.Len()))
	for _, s := range c.Spans {
		for off := s.Off; off < s.End(); {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			b := block[:min(int64(len(block)), s.End()-off)]
			if _, err := s.Source.ReadFull(ctx, b, off); err != nil {
				return nil, err
			}
			if c.Zeros && s.Source.Same(at.Source) {
				from, to := max(at.Off, off), min(at.End(), off+int64(len(b)))
				if from < to {
					clear(b[from-off : to-off])
				}
			}
			for _, h := range hashes {
				h.write(b)
			}
			off += int64(len(b))
		}
	}
	sums := make([]uint64, len(hashes))
	for i, h := range hashes {
		sums[i] = h.sum()
	}
	return sums, nil
}
