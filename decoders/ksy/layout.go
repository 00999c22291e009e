package ksy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/model"
)

// The layout of a file that a description reads: the fields tile it, in the order of their bytes. Which those are is known
// once all fields have been read, so the layout is pending until then.

// tile is a run of bytes of one field, or of none.
type tile struct {
	off, end int64
	path     string // of the field; "": no field
	shared   bool   // several fields have the bytes
}

// layout is the layout's root.
func (f *described) layout() model.Node {
	return model.Node{Name: model.LayoutView, Type: "file", Spans: []model.Span{f.src.Whole()}, Children: f.tiles}
}

// readTiles reads all fields, and lays them side by side.
func (f *described) readTiles(ctx context.Context, progress model.Progress) (model.Children, error) {
	var found []tile
	err := model.Walk(ctx, f.fields.Place(ctx), model.WalkOptions{Resolve: true, Fleeting: true, Progress: progress}, func(p *model.Place) error {
		n := &p.Node
		if at := n.Span(); at.Source == f.src && at.Len > 0 && (n.Children == nil || n.Elements) {
			found = append(found, tile{off: at.Off, end: at.End(), path: p.Path()})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := &tiles{f: f, list: lay(found, f.src.Size())}
	return list, nil
}

// lay makes tiles of runs that may overlap, and of the gaps between them. Where fields overlap, the bytes are of the one
// that begins first, and shared.
func lay(found []tile, size int64) []tile {
	slices.SortStableFunc(found, func(a, b tile) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(b.end, a.end)) })
	var out []tile
	at := int64(0)
	for _, t := range found {
		if t.off > at {
			out = append(out, tile{off: at, end: t.off})
			at = t.off
		}
		if t.off < at && len(out) > 0 {
			out[len(out)-1].shared = true
		}
		if t.end > at {
			t.off = at
			out = append(out, t)
			at = t.end
		}
	}
	if at < size {
		out = append(out, tile{off: at, end: size})
	}
	return out
}

// tiles is the tiles of a file as nodes, named by their offsets.
type tiles struct {
	f    *described
	list []tile
}

// Len implements model.Children.
func (t *tiles) Len(context.Context) (int64, bool) { return int64(len(t.list)), true }

// At implements model.Children.
func (t *tiles) At(ctx context.Context, i int64) model.Node {
	one := t.list[i]
	at := t.f.src.Span(one.off, one.end-one.off)
	n := model.Node{Name: fmt.Sprintf("%#x", one.off), Type: "bytes", Spans: []model.Span{at}, Value: model.Blob{Span: at}}
	if one.path == "" {
		n.Role, n.Help = model.Unknown, "the description reads nothing here"
		return n
	}
	n.Shared = one.shared
	n.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "field", Path: one.path}} }
	if p, err := t.f.doc.Lookup(ctx, one.path); err == nil {
		n.Type, n.Help = p.Node.Type, p.Node.Help
		if p.Node.Span() == at {
			n.Value, n.Brief = p.Node.Value, p.Node.Brief
		}
	}
	return n
}

// Index implements model.Indexer.
func (t *tiles) Index(ctx context.Context, name string) (int64, bool) {
	digits, ok := strings.CutPrefix(name, "0x")
	off, err := strconv.ParseInt(digits, 16, 64)
	if !ok || err != nil {
		return 0, false
	}
	i, ok := t.Locate(ctx, t.f.src, off)
	return i, ok && t.list[i].off == off && fmt.Sprintf("%#x", off) == name
}

// Locate implements model.Locator.
func (t *tiles) Locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i].end > off })
	return int64(i), src.Same(t.f.src) && i < len(t.list) && off >= t.list[i].off
}

// Survey implements model.Surveyor: fields' problems are told in their own view.
func (t *tiles) Survey(context.Context, model.Progress) (model.Coverage, bool, error) {
	var c model.Coverage
	for _, one := range t.list {
		switch n := one.end - one.off; {
		case one.path == "":
			c.Unknown += n
		default:
			c.Explained += n
			if one.shared {
				c.Shared += n
			}
		}
	}
	return c, true, nil
}
