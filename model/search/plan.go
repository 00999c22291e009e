package search

import "bytes"

// plan is how a pattern is looked for in a block: by a run of bytes that have no wildcard, around which the rest is
// compared.
type plan struct {
	run    []byte // nil: the pattern has no such byte
	offset int    // of the run in the pattern
	whole  bool   // the run is the pattern
}

// makePlan chooses the longest run of fixed bytes.
func (p *Pattern) makePlan() plan {
	var best plan
	for i := 0; i < len(p.mask); {
		if p.mask[i] != 0xff {
			i++
			continue
		}
		k := i
		for k < len(p.mask) && p.mask[k] == 0xff {
			k++
		}
		if k-i > len(best.run) {
			best.run, best.offset = p.data[i:k], i
		}
		i = k
	}
	best.whole = len(best.run) == len(p.data)
	return best
}

// next is the first match in block that begins at from or behind; -1: there is none.
func (p *Pattern) next(block []byte, from int) int {
	last := len(block) - len(p.data)
	if p.plan.run == nil {
		for i := from; i <= last; i++ {
			if p.matches(block[i : i+len(p.data)]) {
				return i
			}
		}
		return -1
	}
	for from <= last {
		i := bytes.Index(block[from+p.plan.offset:], p.plan.run)
		if i < 0 || from+i > last {
			return -1
		}
		from += i
		if p.plan.whole || p.matches(block[from:from+len(p.data)]) {
			return from
		}
		from++
	}
	return -1
}
