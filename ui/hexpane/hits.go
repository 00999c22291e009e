package hexpane

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

// StripParts is into how many parts the overview strip is divided for the marks of hits.
const StripParts = 2048

// Hits is the hits of a search.
type Hits interface {
	// In calls f with the bytes of all hits in a source so far, and whether they are a node's.
	In(source string, f func(off, length int64, node bool))
}

// matchMarks is the hits of a search in one source.
type matchMarks struct {
	Ranges  []hexview.Range // in the order of their offsets
	longest int64
	Strip   []hexview.Mark
}

// marksOf gathers the hits that are in a source of the given size. It looks at all of them.
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

// Matches is the view's Matches.
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

// FindMatches has the hits in the tab's source found in the background.
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
