package ui

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"cutaway/hexview"
	"cutaway/model"
)

// maxMarked is how long a node may be that is marked among the bytes: marking whole sections would mark nothing.
const maxMarked = 256

// stripParts is into how many parts the overview strip is divided for the marks of hits.
const stripParts = 2048

// matchMarks is the hits of a search in one source.
type matchMarks struct {
	ranges  []hexview.Range // in the order of their offsets
	longest int64
	strip   []hexview.Mark
}

// marksOf gathers the hits that are in a source of the given size. It looks at all of them.
func marksOf(h *hits, source string, size int64) *matchMarks {
	m := &matchMarks{}
	h.in(source, func(off, length int64, node bool) {
		if length > 0 && (length <= maxMarked || !node) {
			m.ranges = append(m.ranges, hexview.Range{Off: off, Len: length})
			m.longest = max(m.longest, length)
		}
	})
	byOffset := func(a, b hexview.Range) int { return cmp.Compare(a.Off, b.Off) }
	if !slices.IsSortedFunc(m.ranges, byOffset) {
		slices.SortFunc(m.ranges, byOffset)
	}
	last := -1
	for _, r := range m.ranges {
		if part := int(float64(r.Off) / float64(max(size, 1)) * stripParts); part != last {
			last = part
			m.strip = append(m.strip, hexview.Mark{Range: r, Kind: hexview.MarkMatch})
		}
	}
	return m
}

// matches is the view's Matches.
func (t *hexTab) matches(dst []hexview.Range, first, last int64) []hexview.Range {
	if t.found == nil {
		return dst
	}
	all := t.found.ranges
	i := sort.Search(len(all), func(i int) bool { return all[i].Off > first-t.found.longest })
	for ; i < len(all) && all[i].Off < last; i++ {
		dst = append(dst, all[i])
	}
	return dst
}

// findMatches has the hits in the tab's source found in the background.
func (t *hexTab) findMatches() {
	s, src := t.pane.s, t.src
	r := s.details.search.run
	show := func(m *matchMarks) {
		t.found = m
		t.view.RefreshRanges()
		t.view.RefreshOverview()
	}
	if r == nil {
		if t.found != nil {
			show(nil)
		}
		return
	}
	s.Tasks.Go(s.ctx, "", func(context.Context, model.Progress) func() {
		m := marksOf(r.hits, src.Name(), src.Size())
		return func() {
			if t.src == src && s.details.search.run == r {
				show(m)
			}
		}
	})
}
