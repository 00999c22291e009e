package hexview

import (
	"cmp"
	"slices"
	"sort"

	"cutaway/model"
)

// Range is the bytes [Off, Off+Len) of the view's source.
type Range struct{ Off, Len int64 }

// End is the offset after the last byte.
func (r Range) End() int64 { return r.Off + r.Len }

// Holds reports whether the byte at off is in the range.
func (r Range) Holds(off int64) bool { return off >= r.Off && off < r.End() }

// RangesOf picks the spans that lie in src.
func RangesOf(src *model.Source, spans []model.Span) []Range {
	var out []Range
	for _, s := range spans {
		if s.Source.Same(src) {
			out = append(out, Range{s.Off, s.Len})
		}
	}
	return out
}

// A Band is one of a run of fields that are told apart by quiet alternating colours and by the border between
// them. Odd chooses the colour; take it from the field's index, so that it stays when the view scrolls.
type Band struct {
	Range
	Odd bool
}

// A Flaw is a range with a problem. It is underlined: an error by a red wave, a warning by orange dashes, a note by a
// straight line.
type Flaw struct {
	Range
	Severity model.Severity
}

// Ranges is what the view marks. No list needs to be sorted; ranges may overlap and may reach outside the source.
type Ranges struct {
	Selected []Range // the selected node's spans: filled
	Parent   []Range // its parent's: outlined
	Mapped   []Range // bytes that another source was made from, or that made it: a dotted line below
	Kept     []Kept  // a person's marks: a line above
	// Fields appends to dst the fields that have bytes in what is seen, in the order of their offsets and without
	// overlap; seen are the ranges between folds, in their order. It is called when other bytes come into view, on the UI
	// goroutine: it must be quick and answer with what is known. It may be nil.
	Fields func(dst []Band, seen []Range) []Band
	// Flaws appends to dst the problems that have bytes in [first, last); like Fields, but for each range that is seen.
	Flaws func(dst []Flaw, first, last int64) []Flaw
	// Matches appends to dst what a search has found in [first, last); like Flaws. They are filled, over the selected
	// node's bytes too where those are more than the match.
	Matches func(dst []Range, first, last int64) []Range
}

// spanSet is ranges in the order of their offsets, not empty, apart from each other.
type spanSet []Range

// newSpanSet clips the ranges to a source of size bytes, sorts them and joins those that touch.
func newSpanSet(ranges []Range, size int64) spanSet {
	var s spanSet
	for _, r := range ranges {
		first := max(r.Off, 0)
		last := size
		if r.Off < 0 || r.Len < size-r.Off { // else the end lies outside, and the sum might overflow
			last = min(r.End(), size)
		}
		if r.Len > 0 && first < last {
			s = append(s, Range{first, last - first})
		}
	}
	slices.SortFunc(s, func(a, b Range) int { return cmp.Compare(a.Off, b.Off) })
	n := 0
	for _, r := range s {
		if n > 0 && r.Off <= s[n-1].End() {
			s[n-1].Len = max(s[n-1].End(), r.End()) - s[n-1].Off
			continue
		}
		s[n] = r
		n++
	}
	return s[:n]
}

// from is the number of the first range that ends after off.
func (s spanSet) from(off int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].End() > off })
}

// at returns the range over off.
func (s spanSet) at(off int64) (Range, bool) {
	if i := s.from(off); i < len(s) && s[i].Holds(off) {
		return s[i], true
	}
	return Range{}, false
}
