package size

import "cutaway/model"

// parts is the number of equal parts of a file that an Extent distinguishes.
const parts = 256

// An Extent is the set of the parts of a file with some bytes. It takes 32 bytes, however many spans these have.
type Extent [parts / 64]uint64

// add adds the parts of another extent.
func (e *Extent) add(o Extent) {
	for i := range e {
		e[i] |= o[i]
	}
}

// Ranges returns the parts of a file with a size, as ranges from the first byte to the end, in order and not adjacent.
func (e *Extent) Ranges(size int64) (ranges [][2]int64) {
	for i := range int64(parts) {
		if e[i/64]>>(i%64)&1 == 0 {
			continue
		}
		from, to := begin(i, size), begin(i+1, size)
		if n := len(ranges); n > 0 && ranges[n-1][1] == from {
			ranges[n-1][1] = to
		} else {
			ranges = append(ranges, [2]int64{from, to})
		}
	}
	return ranges
}

// begin returns the offset of the first byte of part i of a file.
func begin(i, size int64) int64 {
	off := share(i, size, parts)
	if off < size && share(off, parts, size) < i {
		off++
	}
	return off
}

// extent returns the parts of the file with the bytes of a span, or with those that its source was derived from.
func (l *ledger) extent(s model.Span) (e Extent) {
	if s.Source == nil || s.Len <= 0 {
		return e
	}
	r := l.run(s.Source)
	if r.parent != nil || !s.Source.Holds(s.Off, s.Len) {
		return r.where
	}
	for i := share(s.Off, parts, r.size); i <= share(s.End()-1, parts, r.size); i++ {
		e[i/64] |= 1 << (i % 64)
	}
	return e
}
