package value

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/usda"
	"cutaway/decoders/usdc/table"
	"cutaway/model"
)

// Children returns the nodes of the values in the region [lo, hi) of value data, which they tile with the gaps between. It scans all
// reps of the file when it is first called.
func (vs *Values) Children(ctx context.Context, progress model.Progress, lo, hi int64) (model.Children, error) {
	scan, err := vs.Scan(ctx, progress)
	if err != nil {
		return nil, err
	}
	first := scan.TileAt(lo)
	count := sort.Search(len(scan.Tiles), func(i int) bool { return scan.Tiles[i].Off >= hi }) - first
	return &tileRows{values: vs, scan: scan, lo: lo, hi: hi, first: first, count: max(count, 0)}, nil
}

// tileRows is the tiles of a region as nodes, named by their offsets.
type tileRows struct {
	values *Values
	scan   *Scan
	lo, hi int64
	first  int
	count  int
}

var _ model.Finder = (*tileRows)(nil)

func (v *tileRows) Len(context.Context) (int64, bool) { return int64(v.count), true }

func (v *tileRows) At(ctx context.Context, i int64) model.Node {
	at := v.first + int(i)
	t := v.scan.Tiles[at]
	lo, hi := max(t.Off, v.lo), min(v.scan.tileEnd(at), v.hi)
	n := model.Node{Name: table.ValueName(lo), Spans: []model.Span{v.values.crate.Src.Span(lo, hi-lo)}}
	if t.IsGap() {
		v.values.fillGap(&n, t)
	} else {
		v.values.fillTile(ctx, &n, v.scan, t.Rep, lo, hi)
	}
	return n
}

func (v *tileRows) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return v.locate(ctx, q.Source, q.Off)
	}
	return v.index(ctx, q.Name)
}

func (v *tileRows) index(ctx context.Context, name string) (int64, bool) {
	digits, ok := strings.CutPrefix(name, "0x")
	off, err := strconv.ParseInt(digits, 16, 64)
	if !ok || err != nil || table.ValueName(off) != name {
		return 0, false
	}
	i, ok := v.locate(ctx, v.values.crate.Src, off)
	if !ok || max(v.scan.Tiles[v.first+int(i)].Off, v.lo) != off {
		return 0, false
	}
	return i, true
}

func (v *tileRows) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if src != v.values.crate.Src || off < v.lo || off >= v.hi || v.count == 0 {
		return 0, false
	}
	return int64(v.scan.TileAt(off) - v.first), true
}

// fillGap completes the node of bytes of no value.
func (vs *Values) fillGap(n *model.Node, t Tile) {
	n.Type, n.Role, n.Value = "bytes", model.Unreferenced, model.Blob{Span: n.Spans[0]}
	n.Help = "nothing points here: often values of an earlier save into the same file"
	if t.Rep == gapPadding {
		n.Type, n.Role, n.Help = "padding", model.Padding, "filler that puts the array after it at a multiple of 8"
	}
}

// fillTile completes the node of the piece [lo, hi) of a value.
func (vs *Values) fillTile(ctx context.Context, n *model.Node, scan *Scan, r table.Rep, lo, hi int64) {
	n.Type, n.Shared = r.TypeName(), r&repShared != 0
	t := vs.stored(ctx, r)
	n.Problems = slices.Clone(scan.problemsIn(lo, hi))
	if last := len(t.starts) - 1; last >= 0 && hi >= t.leafEnd(last) {
		n.Problems = append(n.Problems, t.problems...)
	}
	head := lo == r.Payload()
	if !head {
		n.Type += ", continued"
		n.Refs = func(context.Context) []model.Ref {
			ref := vs.crate.ValueRef(r.Payload())
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
		vs.describe(ctx, n, t)
	}
	n.Children = &model.Rows{Count: int64(to - from), Make: func(ctx context.Context, k int64) model.Node {
		i := from + int(k)
		leaf := t.leafNode(ctx, i)
		if fits(i) {
			return leaf
		}
		start, end := max(t.starts[i], lo), min(t.leafEnd(i), hi)
		return model.Node{Name: leaf.Name, Type: leaf.Type, Help: leaf.Help, Spans: []model.Span{vs.crate.Src.Span(start, end-start)},
			Brief: "the rest lies under another value"}
	}}
}

// describe sets the value of a whole value in the layout, or a few words.
func (vs *Values) describe(ctx context.Context, n *model.Node, t *storedValue) {
	counted := t.object.Record().Fields[0].Name == "count" && len(t.starts) > 0
	switch typ := t.r.Type(); {
	case t.r.Placement() == table.PlacedArray:
		n.Value = vs.array(vs.elementsOf(ctx, t))
	case t.r.Placement() == table.PlacedEdit:
	case typ == table.TypeTimeSamples:
		s := vs.samplesOf(ctx, t)
		n.Brief = usda.Plural(s.count, "sample", "samples")
		n.Problems = append(n.Problems, s.problems...)
	case typ.Info().Elem.Count > 0 && counted:
		n.Value = vs.array(vs.elementsOf(ctx, t))
	case counted:
		n.Brief = usda.Plural(int64(t.number(ctx, "count")), "entry", "entries")
	}
}
