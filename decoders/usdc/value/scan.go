package value

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// A Scan is the index of all value data: the pieces of values and the gaps between them, which tile the file
// from the end of the bootstrap on. A piece is a run of a value's parts without a hole; most values are one piece.
type Scan struct {
	Tiles []Tile
	end   int64 // of the last tile
	// problems are those that the scan alone can see, by their offsets. maxScanProblems bounds them.
	problems []model.Problem
	// cut are the problems of values that are cut or do not hold together; the layout shows those of values that have a
	// tile to themselves. maxScanProblems bounds them.
	cut []model.Problem
	// hidden are values that have no tile at their offset: they lie over others, or have no bytes.
	// maxScanProblems bounds them.
	hidden []table.Rep
	// coded are compressed arrays whose integers the layout does not show whole: hidden ones, and those that run into a
	// section. maxScanProblems bounds them.
	coded []table.Rep
	facts [1 << 8]*[table.PlacedAt + 1]typeFact // by type and placement; none of a type without reps
	grown map[string]int64                      // by region: how much longer its values are without compression
}

// A Tile is a piece of a value, or a gap. It ends where the next one begins. A piece whose offset is not the payload
// of its rep is a later one of its value.
type Tile struct {
	Off int64
	Rep table.Rep // in normal form; of a gap the kind of gap
}

// Reps of gaps, and the mark of values that several reps lead to. No value has them, for normal reps have type
// numbers and no unused bits.
const (
	gapUnreferenced table.Rep = 0
	gapPadding      table.Rep = 1
	repShared       table.Rep = 1 << 56
)

// IsGap reports whether the tile is of no value.
func (t Tile) IsGap() bool { return t.Rep == gapUnreferenced || t.Rep == gapPadding }

// Begins reports whether a value begins at the tile.
func (t Tile) Begins() bool { return !t.IsGap() && t.Off == t.Rep.Payload() }

const maxScanProblems = 10000

// factKey is a kind of value: a type, and whether it is an array or an edit of one.
type factKey struct {
	typ    table.ValueType
	placed table.Placement // PlacedArray, PlacedEdit or PlacedAt for all others
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
	values *Values
	scan   *Scan
	found  []Tile // of each value its first byte
	last   int    // how many there were after the last merge
	nest   *NestWalk
}

// Scan returns the index of the values, made when it is first asked for.
func (vs *Values) Scan(ctx context.Context, progress model.Progress) (*Scan, error) {
	return vs.scan.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*Scan, error) {
		s := &scanner{values: vs, scan: &Scan{grown: make(map[string]int64)}}
		s.nest = NewSampleWalk(ctx, vs, s.add)
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

func (s *scanner) hide(r table.Rep) {
	if len(s.scan.hidden) < maxScanProblems {
		s.scan.hidden = append(s.scan.hidden, r)
	}
	s.cutShort(r)
}

// cutShort notes that a value is not shown whole.
func (s *scanner) cutShort(r table.Rep) {
	if r.Placement() == table.PlacedArray && r.IsCompressed() && len(s.scan.coded) < maxScanProblems {
		s.scan.coded = append(s.scan.coded, r)
	}
}

// fields takes the reps of all fields, and those that their values hold.
func (s *scanner) fields(ctx context.Context, progress model.Progress) error {
	fields, err := s.values.crate.Fields(ctx, progress)
	if err != nil {
		return err
	}
	return fields.EachRep(ctx, func(i int64, r table.Rep) {
		if i&0xFFF == 0 {
			progress.Report(i, fields.Count, "fields")
		}
		s.add(ctx, r, -1)
		if r.Unfolds() && r.Payload() < s.values.crate.Size {
			s.nest.Visit(ctx, r, 0)
		}
	})
}

// add takes one rep; at is its offset where it is among value data, else -1.
func (s *scanner) add(ctx context.Context, r table.Rep, at int64) {
	vs := s.values
	fact := s.scan.factOf(r)
	fact.reps++
	if !r.Outside() {
		if r.Placement().InRep() {
			fact.inlined++
			fact.logical += r.Type().Info().Elem.Size()
		}
	} else if r.Payload() < vs.crate.Size {
		s.found = append(s.found, Tile{r.Payload(), vs.crate.Normal(r)})
		if len(s.found) > 2*s.last+1<<20 {
			s.merge()
		}
	}
	if at >= 0 {
		for _, p := range vs.ownProblems(ctx, r, vs.crate.Src.Span(at, 8)) {
			s.wrong(p)
		}
	}
}

func (v *Scan) factOf(r table.Rep) *typeFact {
	placed := r.Placement()
	if placed != table.PlacedArray && placed != table.PlacedEdit {
		placed = table.PlacedAt
	}
	if v.facts[r.Type()] == nil {
		v.facts[r.Type()] = new([table.PlacedAt + 1]typeFact)
	}
	return &v.facts[r.Type()][placed]
}

// merge leaves one of equal values, marked as shared.
func (s *scanner) merge() {
	slices.SortFunc(s.found, func(a, b Tile) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Rep&^repShared, b.Rep&^repShared))
	})
	n := 0
	for _, t := range s.found {
		if n > 0 && s.found[n-1].Rep&^repShared == t.Rep&^repShared {
			s.found[n-1].Rep |= repShared
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
	Tile
	end int64
}

// pieces finds the bytes of each value.
func (s *scanner) pieces(ctx context.Context, progress model.Progress) ([]valueRun, error) {
	vs := s.values
	pieces := make([]valueRun, 0, len(s.found))
	pass := grammar.NewReading(ctx, grammar.Near)
	var r table.Rep // of the value that is read
	var fact *typeFact
	first := 0 // its first piece
	visit := func(l *grammar.Leaf) bool {
		fact.stored += l.Len
		plain := UncompressedSize(r, l)
		fact.logical += plain
		if at := vs.crate.RegionAt(l.Off); at != nil && plain != l.Len {
			s.scan.grown[at.Segment] += plain - l.Len
		}
		if l.Field != nil && l.Field.Of == codedIntegers {
			fact.compressed++
		}
		if n := len(pieces); n > first && pieces[n-1].end == l.Off {
			pieces[n-1].end += l.Len
		} else {
			pieces = append(pieces, valueRun{Tile{l.Off, r}, l.Off + l.Len})
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
		r, fact, first = t.Rep, s.scan.factOf(t.Rep), len(pieces)
		fact.values++
		if r&repShared != 0 {
			fact.shared++
		}
		problems := vs.Leaves(pass, r, visit)
		if len(s.scan.cut) < maxScanProblems {
			s.scan.cut = append(s.scan.cut, problems...)
		}
		if len(pieces) == first {
			s.hide(r)
		}
	}
	s.found = nil
	slices.SortFunc(pieces, func(a, b valueRun) int {
		return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Rep, b.Rep))
	})
	return pieces, nil
}

// layOut puts the pieces and the gaps between them one after the other. Where values overlap, the first has the bytes.
func (s *scanner) layOut(pieces []valueRun) {
	tiles := make([]Tile, 0, len(pieces))
	pos := s.values.crate.BootstrapEnd
	for _, p := range pieces {
		if at := s.values.crate.RegionAt(p.Off); at != nil && p.end > at.End() {
			s.wrong(model.Problemf(model.Suspicious, "usdc.value.overlap", s.values.crate.Src.Span(at.End(), p.end-at.End()),
				"the value of type %s lies over bytes of a section", p.Rep.TypeName()))
			s.cutShort(p.Rep)
		}
		if p.Off < pos {
			if p.Off >= s.values.crate.BootstrapEnd { // else it is a problem of the rep
				s.wrong(model.Problemf(model.Suspicious, "usdc.value.overlap", s.values.crate.Src.Span(p.Off, min(p.end, pos)-p.Off),
					"the value of type %s lies over bytes of another one", p.Rep.TypeName()))
			}
			if p.Off == p.Rep.Payload() {
				s.hide(p.Rep)
			}
			if p.end <= pos {
				continue
			}
		} else if p.Off > pos {
			tiles = append(tiles, Tile{pos, s.gap(pos, &p)})
		}
		tiles = append(tiles, Tile{max(p.Off, pos), p.Rep})
		pos = p.end
	}
	if pos < s.values.crate.Size {
		tiles = append(tiles, Tile{pos, gapUnreferenced})
	}
	s.scan.Tiles, s.scan.end = tiles, max(pos, s.values.crate.Size)
}

// gap distinguishes padding in front of an aligned array from bytes that nothing points at.
func (s *scanner) gap(pos int64, next *valueRun) table.Rep {
	if next.Rep.IsArray() && next.Off == next.Rep.Payload() && next.Off%8 == 0 && next.Off-pos < 8 {
		return gapPadding
	}
	return gapUnreferenced
}

// TileAt returns the index of the tile that holds off, or of the first tile.
func (v *Scan) TileAt(off int64) int {
	i := sort.Search(len(v.Tiles), func(i int) bool { return v.Tiles[i].Off > off })
	return max(i-1, 0)
}

// tileEnd returns the offset at which tile i ends.
func (v *Scan) tileEnd(i int) int64 {
	if i+1 < len(v.Tiles) {
		return v.Tiles[i+1].Off
	}
	return v.end
}

// problemsIn returns the scan's problems at [lo, hi).
func (v *Scan) problemsIn(lo, hi int64) []model.Problem {
	from := sort.Search(len(v.problems), func(i int) bool { return v.problems[i].Span.Off >= lo })
	to := sort.Search(len(v.problems), func(i int) bool { return v.problems[i].Span.Off >= hi })
	return v.problems[from:to]
}

// MadeScan returns the index of the values if it was asked for before, or nil.
func (vs *Values) MadeScan() *Scan { return vs.scan.Made() }
