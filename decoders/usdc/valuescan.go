package usdc

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// valueScan is the index of all value data: the pieces of values and the gaps between them, which tile the file
// from the end of the bootstrap on. A piece is a run of a value's parts without a hole; most values are one piece.
type valueScan struct {
	tiles []valueTile
	end   int64 // of the last tile
	// problems are those that the scan alone can see, by their offsets. maxScanProblems bounds them.
	problems []model.Problem
	// cut are the problems of values that are cut or do not hold together; the layout shows those of values that have a
	// tile to themselves. maxScanProblems bounds them.
	cut []model.Problem
	// hidden are values that have no tile at their offset: they lie over others, or have no bytes.
	// maxScanProblems bounds them.
	hidden []rep
	facts  [1 << 8]*[placedAt + 1]typeFact // by type and placement; none of a type without reps
	grown  map[string]int64                // by region: how much longer its values are without compression
}

// valueTile is a piece of a value, or a gap. It ends where the next one begins. A piece whose offset is not the payload
// of its rep is a later one of its value.
type valueTile struct {
	off int64
	r   rep // in normal form; or gapUnreferenced, gapPadding
}

// Reps of gaps, and the mark of values that several reps lead to. No value has them, for normal reps have type
// numbers and no unused bits.
const (
	gapUnreferenced rep = 0
	gapPadding      rep = 1
	repShared       rep = 1 << 56
)

// gap reports whether the tile is of no value.
func (t valueTile) gap() bool { return t.r == gapUnreferenced || t.r == gapPadding }

// begins reports whether a value begins at the tile.
func (t valueTile) begins() bool { return !t.gap() && t.off == t.r.payload() }

const maxScanProblems = 10000

// factKey is a kind of value: a type, and whether it is an array or an edit of one.
type factKey struct {
	typ    valueType
	placed repPlacement // placedArray, placedEdit or placedAt for all others
}

// typeFact holds sums over the values of one kind.
type typeFact struct {
	reps       int64 // that lead to one or hold one
	inlined    int64 // of the reps
	values     int64 // distinct ones outside their reps
	compressed int64 // of the values
	shared     int64 // of the values: those that several reps lead to
	stored     int64 // bytes of the values in the file
	logical    int64 // bytes of the values and of the inlined ones, plain
}

// scanner collects the values of a file.
type scanner struct {
	c     *crate
	scan  *valueScan
	found []valueTile // of each value its first byte
	last  int         // how many there were after the last merge
	nest  *nestWalk
}

// scanValues returns the index of the values, made when it is first asked for.
func (c *crate) scanValues(ctx context.Context, progress model.Progress) (*valueScan, error) {
	return c.scan.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*valueScan, error) {
		s := &scanner{c: c, scan: &valueScan{grown: make(map[string]int64)}}
		s.nest = newSampleWalk(ctx, c, s.add)
		s.nest.wrong = s.wrong
		if err := s.fields(ctx, progress); err != nil {
			return nil, err
		}
		s.merge()
		pieces, err := s.pieces(ctx, progress)
		if err != nil {
			return nil, err
		}
		s.layOut(pieces)
		slices.SortStableFunc(s.scan.problems, func(a, b model.Problem) int { return cmp.Compare(a.Span.Off, b.Span.Off) })
		return s.scan, nil
	})
}

func (s *scanner) wrong(p model.Problem) {
	if len(s.scan.problems) < maxScanProblems {
		s.scan.problems = append(s.scan.problems, p)
	}
}

func (s *scanner) hide(r rep) {
	if len(s.scan.hidden) < maxScanProblems {
		s.scan.hidden = append(s.scan.hidden, r)
	}
}

// fields takes the reps of all fields, and those that their values hold.
func (s *scanner) fields(ctx context.Context, progress model.Progress) error {
	fields, err := s.c.fields(ctx, progress)
	if err != nil {
		return err
	}
	return fields.reps(ctx, func(i int64, r rep) {
		if i&0xFFF == 0 {
			progress.Report(i, fields.n, "fields")
		}
		s.add(ctx, r, -1)
		if r.unfolds() && r.payload() < s.c.size {
			s.nest.visit(ctx, r, 0)
		}
	})
}

// add takes one rep; at is its offset where it is among value data, else -1.
func (s *scanner) add(ctx context.Context, r rep, at int64) {
	c := s.c
	fact := s.scan.fact(c, r)
	fact.reps++
	if !r.outside() {
		if f := r.placement(); f == placedInRep || f == placedSmall {
			fact.inlined++
			fact.logical += r.typ().info().elem.size()
		}
	} else if r.payload() < c.size {
		s.found = append(s.found, valueTile{r.payload(), c.normal(r)})
		if len(s.found) > 2*s.last+1<<20 {
			s.merge()
		}
	}
	if at >= 0 {
		for _, p := range c.ownProblems(ctx, r, c.src.Span(at, 8)) {
			s.wrong(p)
		}
	}
}

func (v *valueScan) fact(c *crate, r rep) *typeFact {
	placed := r.placement()
	if placed != placedArray && placed != placedEdit {
		placed = placedAt
	}
	if v.facts[r.typ()] == nil {
		v.facts[r.typ()] = new([placedAt + 1]typeFact)
	}
	return &v.facts[r.typ()][placed]
}

// merge leaves one of equal values, marked as shared.
func (s *scanner) merge() {
	slices.SortFunc(s.found, func(a, b valueTile) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.r&^repShared, b.r&^repShared))
	})
	n := 0
	for _, t := range s.found {
		if n > 0 && s.found[n-1].r&^repShared == t.r&^repShared {
			s.found[n-1].r |= repShared
			continue
		}
		s.found[n] = t
		n++
	}
	s.found = s.found[:n]
	s.last = n
}

// A valueRun is a run of bytes of one value.
type valueRun struct {
	valueTile
	end int64
}

// pieces finds the bytes of each value.
func (s *scanner) pieces(ctx context.Context, progress model.Progress) ([]valueRun, error) {
	c := s.c
	pieces := make([]valueRun, 0, len(s.found))
	pass := grammar.NewReading(ctx, grammar.Near)
	var r rep // of the value that is read
	var fact *typeFact
	first := 0 // its first piece
	visit := func(l *grammar.Leaf) bool {
		fact.stored += l.Len
		plain := uncompressedSize(r, l)
		fact.logical += plain
		if at := c.regionAt(l.Off); at != nil && plain != l.Len {
			s.scan.grown[at.segment] += plain - l.Len
		}
		if l.Field != nil && l.Field.Of == codedIntegers {
			fact.compressed++
		}
		if n := len(pieces); n > first && pieces[n-1].end == l.Off {
			pieces[n-1].end += l.Len
		} else {
			pieces = append(pieces, valueRun{valueTile{l.Off, r}, l.Off + l.Len})
		}
		return true
	}
	for i, t := range s.found {
		if i&0xFFF == 0 {
			progress.Report(int64(i), int64(len(s.found)), "values")
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
		r, fact, first = t.r, s.scan.fact(c, t.r), len(pieces)
		fact.values++
		if r&repShared != 0 {
			fact.shared++
		}
		problems := c.leaves(pass, r, visit)
		if len(s.scan.cut) < maxScanProblems {
			s.scan.cut = append(s.scan.cut, problems...)
		}
		if len(pieces) == first {
			s.hide(r)
		}
	}
	s.found = nil
	slices.SortFunc(pieces, func(a, b valueRun) int {
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.r, b.r))
	})
	return pieces, nil
}

// layOut puts the pieces and the gaps between them one after the other. Where values overlap, the first has the bytes.
func (s *scanner) layOut(pieces []valueRun) {
	tiles := make([]valueTile, 0, len(pieces))
	pos := s.c.bootstrapEnd
	for _, p := range pieces {
		if p.off < pos {
			if p.off >= s.c.bootstrapEnd { // else it is a problem of the rep
				s.wrong(model.Problemf(model.Suspicious, "usdc.value.overlap", s.c.src.Span(p.off, min(p.end, pos)-p.off),
					"the value of type %s lies over bytes of another one", p.r.typeName()))
			}
			if p.off == p.r.payload() {
				s.hide(p.r)
			}
			if p.end <= pos {
				continue
			}
		} else if p.off > pos {
			tiles = append(tiles, valueTile{pos, s.gap(pos, &p)})
		}
		tiles = append(tiles, valueTile{max(p.off, pos), p.r})
		pos = p.end
	}
	if pos < s.c.size {
		tiles = append(tiles, valueTile{pos, gapUnreferenced})
	}
	s.scan.tiles, s.scan.end = tiles, max(pos, s.c.size)
}

// gap distinguishes padding in front of an aligned array from bytes that nothing points at.
func (s *scanner) gap(pos int64, next *valueRun) rep {
	if next.r.array() && next.off == next.r.payload() && next.off%8 == 0 && next.off-pos < 8 {
		return gapPadding
	}
	return gapUnreferenced
}

// tileAt is the index of the tile that holds off, or of the first after it.
func (v *valueScan) tileAt(off int64) int {
	i := sort.Search(len(v.tiles), func(i int) bool { return v.tiles[i].off > off })
	return max(i-1, 0)
}

// tileEnd returns the offset at which tile i ends.
func (v *valueScan) tileEnd(i int) int64 {
	if i+1 < len(v.tiles) {
		return v.tiles[i+1].off
	}
	return v.end
}

// problemsIn are the scan's problems at [lo, hi).
func (v *valueScan) problemsIn(lo, hi int64) []model.Problem {
	from := sort.Search(len(v.problems), func(i int) bool { return v.problems[i].Span.Off >= lo })
	to := sort.Search(len(v.problems), func(i int) bool { return v.problems[i].Span.Off >= hi })
	return v.problems[from:to]
}

// madeScan returns the index of the values if it was asked for before, or nil.
func (c *crate) madeScan() *valueScan { return c.scan.Made() }
