package search

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
)

// A plan is the method to find a pattern. It looks for the two rarest bytes in a block at 32 offsets at once. If the
// processor cannot do that, it looks for the rarest byte, which may be a letter in either case. If that byte is
// frequent or has wildcards, it looks for two bytes at 8 offsets at once. A repeated byte is found by 4 occurrences.
// All candidates are compared with the whole pattern.
type plan struct {
	anchors []anchor
	// repeated means that the pattern is one byte, at least leastRepeated times.
	repeated bool
}

// An anchor is a byte of the pattern, with its mask.
type anchor struct {
	at         int // index in the pattern
	data, mask byte
}

// count returns the number of counted bytes that match.
func (a anchor) count(counts *[256]int) int {
	free := ^a.mask
	n := counts[a.data]
	for set := free; set != 0; set = (set - 1) & free { // all values of the bits that do not matter
		n += counts[a.data|set]
	}
	return n
}

const (
	// mostAnchors is the most bytes of a pattern among which the rarest are chosen.
	mostAnchors = 64
	// leastRepeated is the length at which 4 of the bytes fill a half of a word in any position.
	leastRepeated = 8
	// samples is the number of bytes of a block, in runs of sampleRun, by which the rarest bytes are estimated. The
	// first read from a page of a mapped file costs as much as a search of a hundred bytes.
	samples   = 1024
	sampleRun = 64
	// often is the number of matching samples above which two bytes are faster to find than one.
	often = samples / 128
)

func (p *Pattern) makePlan() plan {
	best := plan{repeated: len(p.data) >= leastRepeated}
	for i, m := range p.mask {
		if m != 0 && len(best.anchors) < mostAnchors {
			best.anchors = append(best.anchors, anchor{i, p.data[i], m})
		}
		best.repeated = best.repeated && m == 0xff && p.data[i] == p.data[0]
	}
	return best
}

// finder returns a function that returns the first match in block from an offset on, or -1.
func (p *Pattern) finder(block []byte) func(from int) int {
	last := len(block) - len(p.data) // the last offset of a match
	if p.plan.repeated {
		return func(from int) int { return p.nextRepeated(block, from, last) }
	}
	var counts [256]int
	step := max(len(block)*sampleRun/samples, sampleRun)
	for i := 0; i < len(block); i += step {
		for _, c := range block[i:min(i+sampleRun, len(block))] {
			counts[c]++
		}
	}
	var byte1, pair1, pair2 anchor
	least, least1, least2 := math.MaxInt, math.MaxInt, math.MaxInt
	for _, a := range p.plan.anchors {
		count := a.count(&counts)
		if bits.OnesCount8(a.mask) >= 7 && count < least {
			byte1, least = a, count
		}
		switch {
		case count < least1:
			pair2, least2 = pair1, least1
			pair1, least1 = a, count
		case count < least2:
			pair2, least2 = a, count
		}
	}
	switch {
	case vectors: // two bytes at 32 offsets is fastest for any block
	case least <= often && byte1.mask == 0xff:
		return func(from int) int { return p.nextByByte(block, byte1, from, last) }
	case least <= often:
		return func(from int) int { return p.nextByEither(block, byte1, from, last) }
	}
	if least2 == math.MaxInt {
		pair2 = pair1
	}
	return func(from int) int { return p.nextByPair(block, pair1, pair2, from, last, vectors) }
}

func (p *Pattern) nextByByte(block []byte, rare anchor, from, last int) int {
	for from <= last {
		i := bytes.IndexByte(block[from+rare.at:last+rare.at+1], rare.data)
		if i < 0 {
			return -1
		}
		if from += i; p.matches(block[from : from+len(p.data)]) {
			return from
		}
		from++
	}
	return -1
}

// eitherRun is the part of a block that is searched for one byte and then for the other. It stays in a core's own
// cache.
const eitherRun = 64 << 10

// nextByEither is like nextByByte, for a byte with one bit that does not matter.
func (p *Pattern) nextByEither(block []byte, rare anchor, from, last int) int {
	bytes2 := [2]byte{rare.data, rare.data | ^rare.mask}
	for from <= last {
		end := min(from+eitherRun, last+1)
		var at [2]int // next candidate for each byte, or end
		for i := range at {
			at[i] = nextByte(block, bytes2[i], rare.at, from, end)
		}
		for from = min(at[0], at[1]); from < end; from = min(at[0], at[1]) {
			if p.matches(block[from : from+len(p.data)]) {
				return from
			}
			i := 0
			if at[1] == from {
				i = 1
			}
			at[i] = nextByte(block, bytes2[i], rare.at, from+1, end)
		}
	}
	return -1
}

// nextByte returns the first offset of [from, end) with c at after bytes behind, or end.
func nextByte(block []byte, c byte, after, from, end int) int {
	if i := bytes.IndexByte(block[from+after:end+after], c); i >= 0 {
		return from + i
	}
	return end
}

// The lowest or the highest bit of every byte of a word, and of both its halves.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080

	lowHalves  = 0x0000000100000001
	highHalves = 0x8000000080000000
)

// A pair is two bytes of the pattern with their masks, each in every byte of a word.
type pair struct{ xData, xMask, yData, yMask uint64 }

// fits returns a word with the high bit of each byte set where x matches in xs and y in ys. Bytes above a match may be
// set too.
func (p pair) fits(xs, ys []byte) uint64 {
	differ := (binary.LittleEndian.Uint64(xs)^p.xData)&p.xMask | (binary.LittleEndian.Uint64(ys)^p.yData)&p.yMask
	return (differ - lowBits) &^ differ
}

// nextByPair looks for two bytes of the pattern at 8 offsets at once, or at 32 if wide.
func (p *Pattern) nextByPair(block []byte, x, y anchor, from, last int, wide bool) int {
	fit := [4]byte{x.data, x.mask, y.data, y.mask}
	for ; from <= last; from++ {
		xs, ys := block[from+x.at:last+1+x.at], block[from+y.at:last+1+y.at]
		if wide {
			from += firstPair32(xs, ys, &fit)
		} else {
			from += firstPair8(xs, ys, &fit)
		}
		if from <= last && p.matches(block[from:from+len(p.data)]) {
			return from
		}
	}
	return -1
}

// firstPair8 is like firstPair32, for any processor. It may return an offset without a match, or leave less than 8 bytes.
func firstPair8(xs, ys []byte, fit *[4]byte) int {
	both := pair{lowBits * uint64(fit[0]), lowBits * uint64(fit[1]), lowBits * uint64(fit[2]), lowBits * uint64(fit[3])}
	n := len(xs)
	for len(xs) >= 8 && len(ys) >= 8 {
		// Four words per step are much faster than four steps, which matters between rare matches. The comparison with
		// > saves a bounds check.
		if len(xs) > 32 && len(ys) > 32 &&
			(both.fits(xs, ys)|both.fits(xs[8:], ys[8:])|both.fits(xs[16:], ys[16:])|both.fits(xs[24:], ys[24:]))&highBits == 0 {
			xs, ys = xs[32:], ys[32:]
			continue
		}
		if fits := both.fits(xs, ys) & highBits; fits != 0 {
			return n - len(xs) + bits.TrailingZeros64(fits)/8
		}
		xs, ys = xs[8:], ys[8:]
	}
	return n - len(xs)
}

// alike returns a word with the high bit set for each half whose 4 bytes are c. Halves above one may be set too.
func alike(b []byte, c byte) uint64 {
	differ := binary.LittleEndian.Uint64(b) ^ lowBits*uint64(c)
	return (differ - lowHalves) &^ differ
}

// nextRepeated looks for a repeated byte.
func (p *Pattern) nextRepeated(block []byte, from, last int) int {
	c, n := p.data[0], len(p.data)
	for from <= last {
		// Of 7 equal bytes, 4 fill a half of a word. A match at one of the first 29 of 32 bytes fills one of these 8
		// halves.
		rest := block[from:]
		if len(rest) >= 32 && (alike(rest, c)|alike(rest[8:], c)|alike(rest[16:], c)|alike(rest[24:], c))&highHalves == 0 {
			from += 29
			continue
		}
		// No match begins at or before a byte that differs, so skip to the last such byte in the pattern's length.
		i := from + n - 1
		for i >= from && block[i] == c {
			i--
		}
		if i < from {
			return from
		}
		from = i + 1
	}
	return -1
}
