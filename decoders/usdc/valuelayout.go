package usdc

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/model"
)

// valuesChildren is the values of the region [lo, hi) of value data, which they tile with the gaps between them. It
// scans all reps of the file when it is first called.
func (c *crate) valuesChildren(ctx context.Context, progress model.Progress, lo, hi int64) (model.Children, error) {
	scan, err := c.scanValues(ctx, progress)
	if err != nil {
		return nil, err
	}
	first := scan.tileAt(lo)
	count := sort.Search(len(scan.tiles), func(i int) bool { return scan.tiles[i].off >= hi }) - first
	return &valueRows{c: c, scan: scan, lo: lo, hi: hi, first: first, count: max(count, 0)}, nil
}

// valueRows is the tiles of a region as nodes, named by their offsets.
type valueRows struct {
	c      *crate
	scan   *valueScan
	lo, hi int64
	first  int
	count  int
}

var _ model.Finder = (*valueRows)(nil)

func (v *valueRows) Len(context.Context) (int64, bool) { return int64(v.count), true }

func (v *valueRows) At(ctx context.Context, i int64) model.Node {
	at := v.first + int(i)
	t := v.scan.tiles[at]
	lo, hi := max(t.off, v.lo), min(v.scan.tileEnd(at), v.hi)
	n := model.Node{Name: valueName(lo), Spans: []model.Span{v.c.src.Span(lo, hi-lo)}}
	if t.gap() {
		v.c.fillGap(&n, t)
	} else {
		v.c.fillTile(ctx, &n, v.scan, t.r, lo, hi)
	}
	return n
}

func (v *valueRows) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return v.locate(ctx, q.Source, q.Off)
	}
	return v.index(ctx, q.Name)
}

func (v *valueRows) index(ctx context.Context, name string) (int64, bool) {
	digits, ok := strings.CutPrefix(name, "0x")
	off, err := strconv.ParseInt(digits, 16, 64)
	if !ok || err != nil || valueName(off) != name {
		return 0, false
	}
	i, ok := v.locate(ctx, v.c.src, off)
	if !ok || max(v.scan.tiles[v.first+int(i)].off, v.lo) != off {
		return 0, false
	}
	return i, true
}

func (v *valueRows) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if src != v.c.src || off < v.lo || off >= v.hi || v.count == 0 {
		return 0, false
	}
	return int64(v.scan.tileAt(off) - v.first), true
}

// fillGap completes the node of bytes of no value.
func (c *crate) fillGap(n *model.Node, t valueTile) {
	n.Type, n.Role, n.Value = "bytes", model.Unreferenced, model.Blob{Span: n.Spans[0]}
	n.Help = "nothing points here: often values of an earlier save into the same file"
	if t.r == gapPadding {
		n.Type, n.Role, n.Help = "padding", model.Padding, "filler that puts the array after it at a multiple of 8"
	}
}

// fillTile completes the node of the piece [lo, hi) of a value.
func (c *crate) fillTile(ctx context.Context, n *model.Node, scan *valueScan, r rep, lo, hi int64) {
	n.Type, n.Shared = r.typeName(), r&repShared != 0
	t := c.stored(ctx, r)
	n.Problems = slices.Clone(scan.problemsIn(lo, hi))
	if last := len(t.starts) - 1; last >= 0 && hi >= t.leafEnd(last) {
		n.Problems = append(n.Problems, t.problems...)
	}
	head := lo == r.payload()
	if !head {
		n.Type += ", continued"
		n.Refs = func(context.Context) []model.Ref {
			ref := c.valueRef(r.payload())
			ref.Kind = "continues"
			return []model.Ref{ref}
		}
	}
	from := sort.Search(len(t.starts), func(i int) bool { return t.leafEnd(i) > lo })
	to := sort.Search(len(t.starts), func(i int) bool { return t.starts[i] >= hi })
	fits := func(i int) bool { return t.starts[i] >= lo && t.leafEnd(i) <= hi }
	if t.object.Record().Title == "value" && to == from+1 && fits(from) {
		whole := t.leafNode(ctx, from)
		n.Value, n.Children, n.Elements, n.Refs = whole.Value, whole.Children, whole.Elements, whole.Refs
		n.Problems = append(n.Problems, whole.Problems...)
		return
	}
	if head {
		c.describe(ctx, n, t)
	}
	n.Children = &model.Rows{Count: int64(to - from), Make: func(ctx context.Context, k int64) model.Node {
		i := from + int(k)
		leaf := t.leafNode(ctx, i)
		if fits(i) {
			return leaf
		}
		start, end := max(t.starts[i], lo), min(t.leafEnd(i), hi)
		return model.Node{Name: leaf.Name, Type: leaf.Type, Help: leaf.Help, Spans: []model.Span{c.src.Span(start, end-start)},
			Brief: "the rest lies under another value"}
	}}
}

// describe sets the value of a whole value in the layout, or a few words.
func (c *crate) describe(ctx context.Context, n *model.Node, t *storedValue) {
	counted := t.object.Record().Fields[0].Name == "count" && len(t.starts) > 0
	switch typ := t.r.typ(); {
	case t.r.placement() == placedArray:
		n.Value = c.array(c.elementsOf(ctx, t))
	case t.r.placement() == placedEdit:
	case typ == typeTimeSamples:
		s := c.samplesOf(ctx, t)
		n.Brief = usda.Plural(s.count, "sample", "samples")
		n.Problems = append(n.Problems, s.problems...)
	case typ.info().elem.count > 0 && counted:
		n.Value = c.array(c.elementsOf(ctx, t))
	case counted:
		n.Brief = usda.Plural(int64(t.number(ctx, "count")), "entry", "entries")
	}
}
