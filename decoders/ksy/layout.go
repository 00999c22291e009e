package ksy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The layout of a described file: fields tile it in the order of their bytes. The tiles are known once all fields have
// been read; until then the layout is pending.

// A tile is a run of bytes of one field, or of none. It ends at the next tile.
type tile struct {
	off    int64
	field  int32 // noField, nestedField, listField, or an index of tiles.paths
	shared bool  // several fields have the bytes
}

const (
	noField     = -1
	nestedField = -2 // a field found by its bytes from the root, since all records around it contain them
	listField   = -3 // a list found likewise, whose elements tile it
)

// layout returns the root of the layout.
func (f *describedFile) layout() model.Node {
	return model.Node{Name: model.LayoutView, Type: "file", Spans: []model.Span{f.src.Whole()}, Children: f.tiles}
}

// readTiles reads all fields and lays their bytes side by side.
func (f *describedFile) readTiles(ctx context.Context, progress model.Progress) (model.Children, error) {
	var found tileBuilder
	var paths []string
	err := f.walk(ctx, model.WalkOptions{Resolve: true, Fleeting: true, Progress: progress}, func(p *model.Place) error {
		n := &p.Node
		at := n.Span()
		known, err := f.wholeList(ctx, p, progress)
		if err != nil {
			return err
		}
		list := known.nests && len(n.Problems) == 0 && at.Source == f.src && nests(p)
		if list {
			found.add(run{tile{off: at.Off, field: listField}, at.End()})
			return model.ErrSkip
		}
		if before := found.at - at.Off; at.Mask != 0 && before > 0 && before <= at.Len { // a byte shared by bit fields belongs to the first
			at.Off, at.Len = at.Off+before, at.Len-before
		}
		if isTile(n) && at.Source == f.src && at.Len > 0 {
			field := int32(nestedField)
			if !nests(p) {
				field = int32(len(paths))
				paths = append(paths, p.Path())
			}
			found.add(run{tile{off: at.Off, field: field}, at.End()})
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	return &tiles{f: f, list: found.done(f.src.Size()), paths: paths}, nil
}

// isTile reports whether no child of a node has its bytes. Children in derived bytes do not count.
func isTile(n *model.Node) bool { return n.Children == nil || n.Elements || len(n.Derived) > 0 }

// nests reports whether the bytes of a place are within those of all places around it.
func nests(p *model.Place) bool {
	for ; p.Parent != nil; p = p.Parent {
		in, at := p.Parent.Node.Span(), p.Node.Span()
		if in.Source != at.Source || at.Off < in.Off || at.End() > in.End() {
			return false
		}
	}
	return true
}

// A run is the bytes of a field.
type run struct {
	tile
	end int64
}

// A tileBuilder lays runs side by side. Runs in ascending order, the common case, become tiles at once.
type tileBuilder struct {
	list []tile
	at   int64 // end of the tiles
	late []run // runs that begin before at
}

func (l *tileBuilder) add(r run) {
	if r.off < l.at {
		l.late = append(l.late, r)
		return
	}
	l.append(r)
}

// append adds a tile, and the gap before it.
func (l *tileBuilder) append(r run) {
	if r.off > l.at {
		l.list = append(l.list, tile{off: l.at, field: noField})
	}
	l.list = append(l.list, r.tile)
	l.at = r.end
}

// done returns the tiles of all bytes. Overlapping bytes belong to the field that begins first, and are marked as
// shared.
func (l *tileBuilder) done(size int64) []tile {
	if len(l.late) > 0 {
		runs := l.late
		for i, t := range l.list {
			if t.field != noField {
				runs = append(runs, run{t, endOf(l.list, i, l.at)})
			}
		}
		slices.SortStableFunc(runs, func(a, b run) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(b.end, a.end)) })
		*l = tileBuilder{}
		for _, r := range runs {
			if r.off < l.at {
				l.list[len(l.list)-1].shared = true
				r.off = l.at
			}
			if r.end > l.at {
				l.append(r)
			}
		}
	}
	if l.at < size {
		l.list = append(l.list, tile{off: l.at, field: noField})
	}
	return slices.Clip(l.list)
}

// endOf returns the end of tile i, given that of the last one.
func endOf(list []tile, i int, end int64) int64 {
	if i+1 < len(list) {
		return list[i+1].off
	}
	return end
}

// tiles makes the nodes of the tiles, named by offset.
type tiles struct {
	f     *describedFile
	list  []tile
	paths []string
}

var (
	_ model.Finder = (*tiles)(nil)
	_ model.Bulk   = (*tiles)(nil)
)

func (t *tiles) Len(context.Context) (int64, bool) { return int64(len(t.list)), true }

func (t *tiles) At(ctx context.Context, i int64) model.Node {
	one := t.list[i]
	at := t.f.src.Span(one.off, t.end(int(i))-one.off)
	n := model.Node{Name: fmt.Sprintf("%#x", one.off), Type: "bytes", Spans: []model.Span{at}, Value: model.Blob{Span: at}}
	if one.field == noField {
		n.Role, n.Help = model.Unknown, "the description reads nothing here"
		return n
	}
	n.Shared = one.shared
	p, err := t.owner(ctx, one, at)
	if one.field == listField && !one.shared && p != nil && err == nil {
		for p.Parent != nil && (grammar.ListOf(p.Node.Children) == nil || p.Node.Span() != at) {
			p = p.Parent
		}
		if p.Node.Span() == at {
			n.Children, n.Elements, n.Value = p.Node.Children, true, nil
		}
	}
	if p == nil || err != nil {
		return n
	}
	path := p.Path()
	n.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "field", Path: path}} }
	n.Type, n.Help = p.Node.Type, p.Node.Help
	if p.Node.Span() == at {
		t.show(&n, &p.Node)
	}
	return n
}

// find returns the path of the field that has a byte. It descends through fields that nest, and otherwise uses the
// layout, which knows fields that instances read elsewhere.
func (f *describedFile) find(ctx context.Context, s model.Span, limit int) ([]string, int64, error) {
	var p *model.Place
	var err error
	if owner := s.Source.Owner(); owner != "" { // whose stored bytes may lie outside of the nodes above it
		if p, err = f.doc.Lookup(ctx, owner); err == nil {
			p, err = p.Descend(ctx, s)
		}
	} else {
		p, err = f.fields.Descend(ctx, s)
	}
	if err != nil || limit < 1 {
		return nil, 0, err
	}
	if (p.Parent == nil || p.Node.Children != nil && !p.Node.Elements) && s.Source.Same(f.src) {
		if err := f.tiles.Resolve(ctx, nil); err != nil {
			return nil, 0, err
		}
		if t, ok := f.tiles.Resolved().(*tiles); ok {
			i, ok := t.locate(ctx, s.Source, s.Off)
			if ok && t.list[i].field >= 0 {
				return []string{t.paths[t.list[i].field]}, 1, nil
			}
		}
	}
	if p.Parent == nil {
		return nil, 0, nil
	}
	return []string{p.Path()}, 1, nil
}

// show copies the value of a field to the node of its tile. The value is the bytes if the tile is longer than the
// field's text, or the field is a list of records.
func (t *tiles) show(n, field *model.Node) {
	n.Brief = field.Brief
	text, isText := field.Value.(model.Text)
	switch {
	case isText && int64(len(text)) != n.Span().Len:
		n.Brief = string(text)
	case field.Value != nil:
		n.Value = field.Value
	}
}

// owner returns the place of the field of a tile.
func (t *tiles) owner(ctx context.Context, one tile, at model.Span) (*model.Place, error) {
	if one.field >= 0 {
		return t.f.doc.Lookup(ctx, t.paths[one.field])
	}
	return t.f.fields.Place(ctx).Descend(ctx, at)
}

func (t *tiles) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return t.locate(ctx, q.Source, q.Off)
	}
	return t.index(ctx, q.Name)
}

func (t *tiles) index(ctx context.Context, name string) (int64, bool) {
	digits, ok := strings.CutPrefix(name, "0x")
	off, err := strconv.ParseInt(digits, 16, 64)
	if !ok || err != nil {
		return 0, false
	}
	i, ok := t.locate(ctx, t.f.src, off)
	return i, ok && t.list[i].off == off && fmt.Sprintf("%#x", off) == name
}

func (t *tiles) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	i := sort.Search(len(t.list), func(i int) bool { return t.list[i].off > off }) - 1
	return int64(i), src.Same(t.f.src) && i >= 0 && off < t.f.src.Size()
}

// end returns the end of tile i.
func (t *tiles) end(i int) int64 { return endOf(t.list, i, t.f.src.Size()) }

func (*tiles) Bulk() *model.BulkFuncs { return tilesBulk }

var tilesBulk = &model.BulkFuncs{
	Survey: func(_ context.Context, c model.Children, _ model.Progress) (model.Coverage, bool, error) {
		return c.(*tiles).survey(), true, nil
	},
}

// survey returns the coverage of the tiles. Problems of fields are in the fields view.
func (t *tiles) survey() (c model.Coverage) {
	for i, one := range t.list {
		switch n := t.end(i) - one.off; one.field {
		case noField:
			c.Unknown += n
		default:
			c.Explained += n
			if one.shared {
				c.Shared += n
			}
		}
	}
	return c
}
