package size

import (
	"math/bits"

	"cutaway/model"
)

// A ledger records the bytes of each source that nodes have claimed, so that shared bytes count once.
type ledger struct {
	runs map[string]*run
	last *run
}

// A run is the account of a source. A byte of a derived source stands for its share of the file's bytes that the source
// was derived from.
type run struct {
	name    string
	of      *model.Source
	parent  *run // or nil for the file
	size    int64
	claimed int64  // number of claimed bytes
	stored  int64  // bytes of the file that the source was derived from and that were unclaimed before
	given   int64  // part of stored that was claimed
	made    []*run // sources derived from its bytes, whose rest is unclaimed
	closed  bool
	pages   []page
}

const (
	pageBits  = 15
	pageBytes = 1 << pageBits
)

// A page records the claimed bytes of a range; full means all.
type page struct {
	words []uint64
	n     int32
	full  bool
}

func newLedger() *ledger { return &ledger{runs: make(map[string]*run)} }

// run returns the account of a source. The bytes that the source was derived from become claimed.
func (l *ledger) run(src *model.Source) *run {
	if l.last != nil && l.last.of == src {
		return l.last
	}
	r := l.runs[src.Name()]
	if r == nil {
		r = &run{name: src.Name(), of: src, size: src.Size()}
		r.pages = make([]page, (r.size+pageBytes-1)>>pageBits)
		l.runs[r.name] = r
		if o := src.Origin(); o != nil {
			r.parent = l.run(o.Parent)
			r.parent.made = append(r.parent.made, r)
			for _, s := range o.Spans {
				stored, _ := l.claim(s)
				r.stored += stored
			}
		} else {
			r.stored = r.size
		}
	}
	l.last = r
	return r
}

// claim claims the unclaimed bytes of a span. It returns their number, in bytes of the file and in bytes of the source.
func (l *ledger) claim(s model.Span) (stored, logical int64) {
	if s.Source == nil || s.Len <= 0 {
		return 0, 0
	}
	r := l.run(s.Source)
	if r.closed || !s.Source.Holds(s.Off, s.Len) {
		return 0, 0
	}
	if s.Mask == 0 {
		logical = r.mark(s.Off, s.End())
	} else {
		for i := range min(s.Len, 8) { // a byte shared by bit fields belongs to the first
			if s.Mask>>(8*i)&0xff != 0 {
				logical += r.mark(s.Off+i, s.Off+i+1)
			}
		}
	}
	r.claimed += logical
	if r.parent == nil {
		r.given = r.claimed
		return logical, logical
	}
	given := share(r.claimed, r.stored, r.size)
	stored, r.given = given-r.given, given
	return stored, logical
}

// share returns part·of/whole, rounded down.
func share(part, of, whole int64) int64 {
	if part == whole {
		return of
	}
	hi, lo := bits.Mul64(uint64(part), uint64(of))
	q, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(q)
}

// rest claims the rest of the sources that were derived from bytes of a span, and returns its size.
func (l *ledger) rest(s model.Span) (stored int64) {
	if s.Source == nil {
		return 0
	}
	r := l.run(s.Source)
	kept := r.made[:0]
	for _, m := range r.made {
		if spans := m.of.Origin().Spans; len(spans) == 0 || spans[0].Off < s.Off || spans[len(spans)-1].End() > s.End() {
			kept = append(kept, m)
			continue
		}
		stored += l.close(m)
	}
	clear(r.made[len(kept):])
	r.made = kept
	return stored
}

// close returns the unclaimed rest of a source and its derived sources, and releases its pages.
func (l *ledger) close(r *run) int64 {
	stored := r.stored - r.given
	for _, m := range r.made {
		stored += l.close(m)
	}
	r.given, r.closed, r.made, r.pages = r.stored, true, nil, nil
	return stored
}

// mark claims the bytes from off to end, and returns the number of unclaimed ones.
func (r *run) mark(off, end int64) (n int64) {
	for off < end {
		k := off >> pageBits
		first := k << pageBits
		size := min(pageBytes, r.size-first)
		to := min(end, first+size)
		n += r.pages[k].mark(off-first, to-first, size)
		off = to
	}
	return n
}

// mark claims bytes of a page with size bytes.
func (p *page) mark(from, to, size int64) (n int64) {
	switch {
	case p.full:
		return 0
	case to-from == size:
		n = size - int64(p.n)
		*p = page{n: int32(size), full: true}
		return n
	case p.words == nil:
		p.words = make([]uint64, (size+63)/64)
	}
	each(from, to, func(w int64, mask uint64) {
		n += int64(bits.OnesCount64(mask &^ p.words[w]))
		p.words[w] |= mask
	})
	if p.n += int32(n); int64(p.n) == size {
		p.words, p.full = nil, true
	}
	return n
}

// each calls visit for the words of the bits from … to-1.
func each(from, to int64, visit func(w int64, mask uint64)) {
	for from < to {
		w, bit := from/64, from%64
		n := min(64-bit, to-from)
		visit(w, ^uint64(0)>>(64-n)<<bit)
		from += n
	}
}

// free returns the number of unclaimed bytes of the file from off to end.
func (r *run) free(off, end int64) (n int64) {
	for off < end {
		k := off >> pageBits
		first := k << pageBits
		to := min(end, first+pageBytes)
		switch p := &r.pages[k]; {
		case p.full:
		case p.words == nil:
			n += to - off
		default:
			each(off-first, to-first, func(w int64, mask uint64) { n += int64(bits.OnesCount64(mask &^ p.words[w])) })
		}
		off = to
	}
	return n
}
