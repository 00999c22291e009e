package table

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"cutaway/model"
)

// Region is a run of value data: bytes that no section has.
type Region struct {
	lo, hi  int64
	Segment string
}

// findRegions finds the value data between the bootstrap, which ends at end, and the last section or the table of contents.
func (c *Crate) findRegions(end int64) {
	if c.Support != Supported || !c.Contents.Known {
		return
	}
	parts := []model.Span{c.ContentsSpan()}
	for i := range c.Contents.Sections {
		if s := &c.Contents.Sections[i]; s.Placed {
			parts = append(parts, c.Src.Span(s.Lo, s.Hi-s.Lo))
		}
	}
	slices.SortStableFunc(parts, func(a, b model.Span) int { return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len)) })
	for _, p := range parts {
		if end < p.Off {
			c.regions = append(c.regions, Region{end, p.Off, model.NthSegment(ValuesName, len(c.regions)+1)})
		}
		end = p.End()
	}
}

// End returns the offset after the region.
func (r *Region) End() int64 { return r.hi }

// RegionAt returns the region of value data that holds off, or nil if none does.
func (c *Crate) RegionAt(off int64) *Region {
	i := sort.Search(len(c.regions), func(i int) bool { return c.regions[i].hi > off })
	if i < len(c.regions) && c.regions[i].lo <= off {
		return &c.regions[i]
	}
	return nil
}

// ValueKind is the kind of the ref from a rep to its value.
const ValueKind = "value"

// ValueRef leads to the value whose data begins at off: to its node in the region of value data that holds it, or, of
// a damaged rep, to the byte alone, where something else is.
func (c *Crate) ValueRef(off int64) model.Ref {
	if c.RegionAt(off) == nil {
		return model.Ref{Kind: ValueKind, Span: c.Src.Span(off, 1)}
	}
	return model.Ref{Kind: ValueKind, Path: c.ValuePath(off)}
}

// ValuePath returns the path of the value whose data begins at off: below its region, or below the first if no region holds it. The
// nodes of a region are named by ValueName.
func (c *Crate) ValuePath(off int64) string {
	segment := ValuesName
	if r := c.RegionAt(off); r != nil {
		segment = r.Segment
	}
	return c.Layout + "/" + segment + "/" + ValueName(off)
}

// ValueName returns the name of the layout node of the value whose data begins at off.
func ValueName(off int64) string { return fmt.Sprintf("%#x", off) }

// ValuesName is the name of the first region of value data in the layout; the path of the next has values~2.
const ValuesName = "values"
