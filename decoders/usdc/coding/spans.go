package coding

import (
	"context"

	"cutaway/model"
)

// deltaSizes are the bytes that four integers' deltas take together, by their byte of codes; for widths 4 and 8.
var deltaSizes = func() (sizes [2][256]uint8) {
	for code := range 256 {
		for bits := 0; bits < 8; bits += 2 {
			sizes[0][code] += uint8(deltaSize(uint8(code>>bits&3), 4))
			sizes[1][code] += uint8(deltaSize(uint8(code>>bits&3), 8))
		}
	}
	return sizes
}()

// A codeBlock holds the codes of up to markEvery integers, with the offsets of the deltas of each byte of codes.
type codeBlock struct {
	mark  int64
	codes []byte
	from  [markEvery / 4]int32 // bytes from the mark's delta on
}

// blockAt returns the codes from mark k on. The last block is kept: neighbours are asked for one after the other.
func (l *List) blockAt(ctx context.Context, k int64) (*codeBlock, error) {
	if b := l.block.Load(); b != nil && b.mark == k {
		return b, nil
	}
	first := l.width + k*markEvery/4
	n := min(markEvery/4, (l.Good+3)/4-k*markEvery/4)
	codes, err := l.Src.Bytes(ctx, first, n)
	if err != nil {
		return nil, err
	}
	b := &codeBlock{mark: k, codes: codes}
	sizes, off := &deltaSizes[l.width/8], int32(0)
	for j, c := range codes {
		b.from[j] = off
		off += int32(sizes[c])
	}
	l.block.Store(b)
	return b, nil
}

// Spans returns the bytes of integer i < Good: its two code bits, and its delta if it has one of its own. It adds up the sizes of
// the deltas before, without reading them.
func (l *List) Spans(ctx context.Context, i int64) []model.Span {
	k, j := i/markEvery, i%markEvery/4
	b, err := l.blockAt(ctx, k)
	if err != nil {
		return []model.Span{l.code(i)}
	}
	code, shift := b.codes[j], 2*(i%4)
	size := deltaSize(code>>shift&3, l.width)
	if size == 0 {
		return []model.Span{l.code(i)}
	}
	before := deltaSizes[l.width/8][code&(1<<shift-1)]
	return []model.Span{l.code(i), l.Src.Span(l.marks[k].delta+int64(b.from[j])+int64(before), size)}
}

// Run adds to spans the bytes of the integers first to end-1, where end ≤ Good: those of their codes, and those of their deltas.
func (l *List) Run(ctx context.Context, spans []model.Span, first, end int64) []model.Span {
	codes := l.Src.Span(l.width+first/4, (end-1)/4-first/4+1)
	from, to := l.deltaOf(ctx, first), l.deltaOf(ctx, end)
	if from < 0 || to <= from {
		return append(spans, codes)
	}
	return append(spans, codes, l.Src.Span(from, to-from))
}

// deltaOf returns the offset of the deltas from integer i ≤ good on, or -1 if it cannot be read.
func (l *List) deltaOf(ctx context.Context, i int64) int64 {
	if i == l.Good {
		return l.used
	}
	k, j := i/markEvery, i%markEvery/4
	b, err := l.blockAt(ctx, k)
	if err != nil {
		return -1
	}
	return l.marks[k].delta + int64(b.from[j]) + int64(deltaSizes[l.width/8][b.codes[j]&(1<<(2*(i%4))-1)])
}

// RangeOf returns the entries from the one over the first byte of s to the one over its last byte.
func RangeOf(ctx context.Context, find func(context.Context, *model.Source, int64) (int64, bool), s model.Span) (first, end int64) {
	first, ok := find(ctx, s.Source, s.Off)
	if !ok {
		return 0, 0
	}
	last, ok := find(ctx, s.Source, s.End()-1)
	if !ok {
		last = first
	}
	return first, last + 1
}

// Overlapping returns the range of integers whose bytes overlap s; s.Mask selects within a byte of codes.
func (l *List) Overlapping(ctx context.Context, s model.Span) (first, end int64) {
	if !s.Source.Same(l.Src) {
		return 0, 0
	}
	first, end = RangeOf(ctx, func(ctx context.Context, _ *model.Source, off int64) (int64, bool) { return l.Find(ctx, off) }, s)
	if end > 0 && s.Off >= l.width && s.Off < l.deltas && s.Len == 1 {
		end = first + 4
		for bits := uint(0); bits < 8 && s.Mask != 0; bits += 2 {
			if s.Mask>>bits&3 != 0 {
				first += int64(bits / 2)
				end = first + 1
				break
			}
		}
	}
	return first, min(end, l.Good)
}
