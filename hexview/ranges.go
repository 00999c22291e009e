package hexview

import (
	"cmp"
	"slices"
	"sort"

	"cutaway/model"
)

// A Range is the bytes [Off, Off+Len) of the view's source.
type Range struct{ Off, Len int64 }

// End returns the offset after the last byte.
func (r Range) End() int64 { return r.Off + r.Len }

// Holds reports whether the byte at off is in the range.
func (r Range) Holds(off int64) bool { return off >= r.Off && off < r.End() }

// RangesOf returns the spans in src as ranges.
func RangesOf(src *model.Source, spans []model.Span) []Range {
	var out []Range
	for _, s := range spans {
		if s.Source.Same(src) {
			out = append(out, Range{s.Off, s.Len})
		}
	}
	return out
}

// A Band is a field. Successive fields have alternating dim colours and a border between them. Odd selects the colour;
// derive it from the field's index, so that scrolling does not change it.
type Band struct {
	Range
	Odd bool
}

// A Flaw is a range with a problem, underlined by a red wave for an error, orange dashes for a warning, and a straight
// line for a note.
type Flaw struct {
	Range
	Severity model.Severity
}

// Ranges are the marked ranges. Lists need not be sorted; ranges may overlap and exceed the source.
type Ranges struct {
	Selected []Range // the selected node's spans: filled
	Parent   []Range // its parent's: outlined
	Mapped   []Range // bytes that another source is derived from, or that are derived from the selected ones: a dotted line below
	Kept     []Kept  // a user's marks: a line above
	// Fields appends to dst the fields with bytes in seen, by offset and without overlap. seen holds the visible ranges
	// between folds, in order. It is called on the UI goroutine when other bytes become visible. It must be fast and
	// only use what is known. It may be nil.
	Fields func(dst []Band, seen []Range) []Band
	// Flaws appends to dst the problems with bytes in [first, last). It is called like Fields, but for each visible
	// range.
	Flaws func(dst []Flaw, first, last int64) []Flaw
	// Matches appends to dst the matches of a search in [first, last), like Flaws. They are filled, even over the
	// selected node's bytes if these are more than the match.
	Matches func(dst []Range, first, last int64) []Range
}

// A spanSet is a list of ranges, sorted by offset, neither empty nor adjacent.
type spanSet []Range

// newSpanSet clips ranges to a source of size bytes, sorts them, and joins adjacent ones.
func newSpanSet(ranges []Range, size int64) spanSet {
	var s spanSet
	for _, r := range ranges {
		first := max(r.Off, 0)
		last := size
		if r.Off < 0 || r.Len < size-r.Off { // otherwise the end lies outside, and the sum might overflow
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

// from returns the index of the first range that ends after off.
func (s spanSet) from(off int64) int {
	return sort.Search(len(s), func(i int) bool { return s[i].End() > off })
}

// find returns the range with the byte at off.
func (s spanSet) find(off int64) (Range, bool) {
	if i := s.from(off); i < len(s) && s[i].Holds(off) {
		return s[i], true
	}
	return Range{}, false
}
