package hexpane

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"cutaway/hexview"
	"cutaway/model"
)

// maxMarked is the maximum length of a node that is marked as a hit, in bytes: marked sections would hide other marks.
const maxMarked = 256

// StripParts is the number of parts of the overview strip, each with at most one mark for its hits.
const StripParts = 2048

// Hits are the hits of a search.
type Hits interface {
	// In calls f with the range of each hit in a source so far, and whether the hit is a node.
	In(source string, f func(off, length int64, node bool))
}

// A matchMarks holds the hits of a search in one source.
type matchMarks struct {
	Ranges  []hexview.Range // in the order of their offsets
	longest int64
	Strip   []hexview.Mark
}

// marksOf collects the hits in a source of the given size. It visits all hits of the search.
func marksOf(h Hits, source string, size int64) *matchMarks {
	m := &matchMarks{}
	h.In(source, func(off, length int64, node bool) {
		if length > 0 && (length <= maxMarked || !node) {
			m.Ranges = append(m.Ranges, hexview.Range{Off: off, Len: length})
			m.longest = max(m.longest, length)
		}
	})
	byOffset := func(a, b hexview.Range) int { return cmp.Compare(a.Off, b.Off) }
	if !slices.IsSortedFunc(m.Ranges, byOffset) {
		slices.SortFunc(m.Ranges, byOffset)
	}
	last := -1
	for _, r := range m.Ranges {
		if part := int(float64(r.Off) / float64(max(size, 1)) * StripParts); part != last {
			last = part
			m.Strip = append(m.Strip, hexview.Mark{Range: r, Kind: hexview.MarkMatch})
		}
	}
	return m
}

// Matches appends to dst the hits with bytes in [first, last), for hexview.Ranges.
func (t *Tab) Matches(dst []hexview.Range, first, last int64) []hexview.Range {
	if t.Found == nil {
		return dst
	}
	all := t.Found.Ranges
	i := sort.Search(len(all), func(i int) bool { return all[i].Off > first-t.Found.longest })
	for ; i < len(all) && all[i].Off < last; i++ {
		dst = append(dst, all[i])
	}
	return dst
}

// FindMatches collects the hits in the tab's source in the background, and shows them.
func (t *Tab) FindMatches() {
	p, src := t.pane, t.Src
	hits := p.host.Hits()
	show := func(m *matchMarks) {
		t.Found = m
		t.View.RefreshRanges()
		t.View.RefreshOverview()
	}
	if hits == nil {
		if t.Found != nil {
			show(nil)
		}
		return
	}
	p.Tasks.Go(p.Ctx, "", func(context.Context, model.Progress) func() {
		m := marksOf(hits, src.Name(), src.Size())
		return func() {
			if t.Src == src && p.host.Hits() == hits {
				show(m)
			}
		}
	})
}
