package search

import (
	"bytes"
	"math/bits"
)

// plan is how a pattern is looked for: in each block by the byte of it that is rarest there, which costs least, or by
// its longest run of fixed bytes where none is rare. Around what these find the pattern is compared whole.
type plan struct {
	// anchors are the bytes that can be looked for: one without wildcards, or a letter in either case.
	anchors []anchor
	run     []byte // the longest run without wildcards; nil: there is none
	runAt   int    // where it stands in the pattern
	// Where there are no anchors, fits tells which bytes may stand at the place of the byte with the most fixed bits.
	fits   *[256]bool
	fitsAt int
}

// anchor is a byte of the pattern.
type anchor struct {
	at    int // in the pattern
	a, b  byte
	cases bool // b is the letter a in the other case
}

// mostAnchors is how many bytes of a pattern are compared for the rarest.
const mostAnchors = 64

func (p *Pattern) makePlan() plan {
	var best plan
	for i := 0; i < len(p.mask); i++ {
		switch c := p.data[i]; {
		case len(best.anchors) == mostAnchors:
		case p.mask[i] == 0xff:
			best.anchors = append(best.anchors, anchor{at: i, a: c})
		case p.mask[i] == ^byte(caseBit) && isLetter(c):
			best.anchors = append(best.anchors, anchor{at: i, a: c, b: c | caseBit, cases: true})
		}
	}
	for i := 0; i < len(p.mask); i++ {
		k := i
		for k < len(p.mask) && p.mask[k] == 0xff {
			k++
		}
		if k-i > len(best.run) {
			best.run, best.runAt = p.data[i:k], i
		}
		i = max(i, k)
	}
	if best.anchors == nil {
		for i := range p.mask {
			if bits.OnesCount8(p.mask[i]) > bits.OnesCount8(p.mask[best.fitsAt]) {
				best.fitsAt = i
			}
		}
		best.fits = new([256]bool)
		for c := range best.fits {
			best.fits[c] = (byte(c)^p.data[best.fitsAt])&p.mask[best.fitsAt] == 0
		}
	}
	return best
}

// samples is how many bytes of a block are looked at to tell which are rare in it.
const samples = 1024

// finder returns a function that finds the first match in block at or behind an offset; -1: there is none.
func (p *Pattern) finder(block []byte) func(from int) int {
	last := len(block) - len(p.data) // the last offset where a match can begin
	if len(p.plan.anchors) == 0 {
		return func(from int) int { return p.nextFitting(block, from, last) }
	}
	var counts [256]int
	step := max(len(block)/samples, 1)
	for i := 0; i < len(block); i += step {
		counts[block[i]]++
	}
	rare, least := p.plan.anchors[0], len(block)
	for _, a := range p.plan.anchors {
		count := counts[a.a]
		if a.cases {
			count = 2*(count+counts[a.b]) + 1 // two searches cost more than one
		}
		if count < least {
			rare, least = a, count
		}
	}
	const often = samples / 24 // from here on a search for the run is faster
	switch {
	case rare.cases:
		return p.byLetter(block, rare, last)
	case least > often && len(p.plan.run) > 1:
		return func(from int) int { return p.nextByRun(block, from, last) }
	}
	return func(from int) int { return p.nextByByte(block, rare, from, last) }
}

func (p *Pattern) nextByByte(block []byte, rare anchor, from, last int) int {
	for from <= last {
		i := bytes.IndexByte(block[from+rare.at:last+rare.at+1], rare.a)
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

func (p *Pattern) nextByRun(block []byte, from, last int) int {
	run, at := p.plan.run, p.plan.runAt
	for from <= last {
		i := bytes.Index(block[from+at:last+at+len(run)], run)
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

// byLetter looks for both cases of a letter, and remembers where the next of each stands.
func (p *Pattern) byLetter(block []byte, rare anchor, last int) func(from int) int {
	next := func(c byte, from int) int {
		if from <= last {
			if i := bytes.IndexByte(block[from+rare.at:last+rare.at+1], c); i >= 0 {
				return from + i
			}
		}
		return last + 1
	}
	a, b := -1, -1
	return func(from int) int {
		for {
			if a < from {
				a = next(rare.a, from)
			}
			if b < from {
				b = next(rare.b, from)
			}
			from = min(a, b)
			if from > last {
				return -1
			}
			if p.matches(block[from : from+len(p.data)]) {
				return from
			}
			from++
		}
	}
}

// nextFitting tries every offset; few of them get further than one byte.
func (p *Pattern) nextFitting(block []byte, from, last int) int {
	fits, there := p.plan.fits, block[min(p.plan.fitsAt, len(block)):]
	for ; from <= last; from++ {
		if fits[there[from]] && p.matches(block[from:from+len(p.data)]) {
			return from
		}
	}
	return -1
}
