package model

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
)

// Numbers are packed in blocks, each with a line: 64 numbers of w bits take w words. A chunk is a run of blocks.
const (
	numberBlock = 64
	numberChunk = 64 * numberBlock
)

// Numbers is an immutable list of 32-bit numbers, signed or unsigned, with constant access time. It is sliced like a
// slice. Numbers that rise evenly take almost no memory; others take as many bits as the greatest distance in their
// block from a line. Tables of files mostly name successive things.
type Numbers struct {
	chunks     []numbers
	first, len int64
}

// numbers is a chunk of a list.
type numbers struct {
	lines []numberLine // of the blocks
	words []uint64
}

// A numberLine is the line that a block's numbers are on or above.
type numberLine struct {
	base, step uint32 // value at the first number, and difference from one to the next
	words      uint16 // index of the block's words, which hold the heights above the line
	width      uint8  // bits of a height, and the number of words
}

// NumbersOf returns a list of the numbers of a slice.
func NumbersOf[T int32 | uint32](s []T) Numbers {
	b := NumbersBuilder{}
	for _, v := range s {
		b.Add(uint32(v))
	}
	return b.Numbers()
}

// Len returns the number of numbers.
func (p Numbers) Len() int64 { return p.len }

// Slice returns the numbers first ≤ i < end. Like a slice it panics if they are out of range.
func (p Numbers) Slice(first, end int64) Numbers {
	if first < 0 || first > end || end > p.len {
		panic(fmt.Sprintf("numbers %d to %d of %d", first, end, p.len))
	}
	return Numbers{p.chunks, p.first + first, end - first}
}

// At returns number i.
func (p *Numbers) At(i int64) uint32 {
	if uint64(i) >= uint64(p.len) {
		noSuchNumber(i, p.len)
	}
	i += p.first
	return p.chunks[i/numberChunk].get(uint32(i % numberChunk))
}

// noSuchNumber panics, as an index out of a slice's range does: it is a fault of the program, not of a file.
func noSuchNumber(i, n int64) { panic(fmt.Sprintf("number %d of %d", i, n)) }

func (c *numbers) get(i uint32) uint32 {
	line, k := &c.lines[i/numberBlock], i%numberBlock
	v, width := line.base+line.step*k, uint32(line.width)
	if width == 0 {
		return v
	}
	bit := k * width
	at, shift := uint32(line.words)+bit/64, bit%64
	above := c.words[at] >> shift
	if shift+width > 64 {
		above |= c.words[at+1] << (64 - shift)
	}
	return v + uint32(above&(1<<width-1))
}

// read fills dst with the numbers of a block.
func (c *numbers) read(dst *[numberBlock]uint32, block int64) {
	line := c.lines[block]
	width := int(line.width)
	words := c.words[line.words:][:width]
	word, bit, at := uint64(0), 0, 0 // the rest of the last word, its bits, and the index of the next word
	v, step := line.base, line.step
	for k := range dst {
		above := word
		if bit < width {
			word = words[at]
			at++
			above |= word << bit
			word >>= width - bit
			bit += 64
		} else {
			word >>= width
		}
		bit -= width
		dst[k] = v + uint32(above&(1<<width-1))
		v += step
	}
}

// All returns an iterator over indexes and numbers.
func (p Numbers) All() iter.Seq2[int64, uint32] {
	const few = numberBlock / 4
	return func(yield func(int64, uint32) bool) {
		if p.len < few {
			for i := range p.len {
				if !yield(i, p.At(i)) {
					return
				}
			}
			return
		}
		c := p.Cursor()
		for i := range p.len {
			if !yield(i, c.At(i)) {
				return
			}
		}
	}
}

// Unpacked returns the numbers as a slice.
func (p Numbers) Unpacked() []uint32 {
	s := make([]uint32, p.len)
	for i, v := range p.All() {
		s[i] = v
	}
	return s
}

// Cursor returns a reader that unpacks a block at a time, which is faster for numbers near the previous one.
func (p Numbers) Cursor() *NumbersCursor { return &NumbersCursor{of: p, at: -1} }

// A NumbersCursor reads Numbers.
type NumbersCursor struct {
	of    Numbers
	at    int64 // the unpacked block
	block [numberBlock]uint32
}

// At returns number i.
func (c *NumbersCursor) At(i int64) uint32 {
	if i += c.of.first; i/numberBlock != c.at {
		c.move(i)
	}
	return c.block[uint64(i)%numberBlock]
}

func (c *NumbersCursor) move(i int64) {
	if uint64(i-c.of.first) >= uint64(c.of.len) {
		noSuchNumber(i-c.of.first, c.of.len)
	}
	c.at = i / numberBlock
	c.of.chunks[i/numberChunk].read(&c.block, i%numberChunk/numberBlock)
}

// A NumbersBuilder builds Numbers. It holds the last block unpacked.
type NumbersBuilder struct {
	chunks []numbers
	chunk  numbers // the last chunk, not ended
	len    int64
	next   [numberBlock]int64
}

// Add appends a number.
func (b *NumbersBuilder) Add(v uint32) {
	k := b.len % numberBlock
	b.next[k] = int64(int32(v)) // small negative numbers are near positive ones
	if b.len++; k == numberBlock-1 {
		b.chunk.add(b.next[:])
		if b.len%numberChunk == 0 {
			b.end()
		}
	}
}

// Len returns how many numbers there are so far.
func (b *NumbersBuilder) Len() int64 { return b.len }

// Numbers ends the list.
func (b *NumbersBuilder) Numbers() Numbers {
	if rest := b.len % numberBlock; rest > 0 {
		b.chunk.add(b.next[:rest])
	}
	b.end()
	return Numbers{chunks: b.chunks, len: b.len}
}

// end appends the chunk, trimmed to its length.
func (b *NumbersBuilder) end() {
	b.chunks = append(b.chunks, numbers{slices.Clone(b.chunk.lines), slices.Clone(b.chunk.words)})
	b.chunk.lines, b.chunk.words = b.chunk.lines[:0], b.chunk.words[:0]
}

// add appends a block.
func (c *numbers) add(block []int64) {
	last := len(block) - 1
	step := (block[last] - block[0]) / int64(max(last, 1))
	lo, hi := block[0], block[0]
	loLine, hiLine := lo, hi
	for k, v := range block {
		lo, hi = min(lo, v), max(hi, v)
		v -= step * int64(k)
		loLine, hiLine = min(loLine, v), max(hiLine, v)
	}
	if hiLine-loLine < hi-lo {
		lo, hi = loLine, hiLine
	} else {
		step = 0
	}
	end, width := len(c.words), bits.Len64(uint64(hi-lo))
	c.lines = append(c.lines, numberLine{uint32(lo), uint32(step), uint16(end), uint8(width)})
	if width == 0 {
		return
	}
	end += width
	word, used := uint64(0), 0
	for _, v := range block {
		above := uint64(v - lo)
		lo += step
		word |= above << used
		if used += width; used >= 64 {
			c.words = append(c.words, word)
			used -= 64
			word = above >> (width - used)
		}
	}
	for ; len(c.words) < end; word = 0 {
		c.words = append(c.words, word)
	}
}
