package usdc

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"cutaway/model"
)

// region is a run of value data: bytes that no section has.
type region struct {
	lo, hi  int64
	segment string
}

// findRegions finds the value data between the bootstrap, which ends at end, and the last section or the table of contents.
func (c *crate) findRegions(end int64) {
	if c.support != supported || !c.toc.known {
		return
	}
	parts := []model.Span{c.tocSpan()}
	for i := range c.toc.sections {
		if s := &c.toc.sections[i]; s.placed {
			parts = append(parts, c.src.Span(s.lo, s.hi-s.lo))
		}
	}
	slices.SortStableFunc(parts, func(a, b model.Span) int { return cmp.Or(cmp.Compare(a.Off, b.Off), cmp.Compare(a.Len, b.Len)) })
	for _, p := range parts {
		if end < p.Off {
			c.regions = append(c.regions, region{end, p.Off, model.NthSegment(valuesName, len(c.regions)+1)})
		}
		end = p.End()
	}
}

// regionName is the segment of the layout's child that holds the value data at off: "values", "values~2", …; "values"
// where no region holds it.
func (c *crate) regionName(off int64) string {
	if r := c.regionAt(off); r != nil {
		return r.segment
	}
	return valuesName
}

// regionAt returns the region of value data that holds off, or nil if none does.
func (c *crate) regionAt(off int64) *region {
	i := sort.Search(len(c.regions), func(i int) bool { return c.regions[i].hi > off })
	if i < len(c.regions) && c.regions[i].lo <= off {
		return &c.regions[i]
	}
	return nil
}

// valueKind is the kind of the ref from a rep to its value.
const valueKind = "value"

// valueRef leads to the value whose data begins at off: to its node in the region of value data that holds it, or, of
// a damaged rep, to the byte alone, where something else is.
func (c *crate) valueRef(off int64) model.Ref {
	if c.regionAt(off) == nil {
		return model.Ref{Kind: valueKind, Span: c.src.Span(off, 1)}
	}
	return model.Ref{Kind: valueKind, Path: c.valuePath(off)}
}

// valuePath is the path of the value whose data begins at off. The nodes of a region are named by valueName.
func (c *crate) valuePath(off int64) string {
	return c.layout + "/" + c.regionName(off) + "/" + valueName(off)
}

// valueName is the name of the layout node of the value whose data begins at off.
func valueName(off int64) string { return fmt.Sprintf("%#x", off) }

// valuesName is the name of the first region of value data in the layout; the path of the next has values~2.
const valuesName = "values"
