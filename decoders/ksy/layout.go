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

// The layout of a file that a description reads: the fields tile it, in the order of their bytes. Which those are is known
// once all fields have been read, so the layout is pending until then.

// tile is a run of bytes of one field, or of none. It ends where the next one begins.
type tile struct {
	off    int64
	field  int32 // noField, nestedField, or the index of the field's path among tiles.paths
	shared bool  // several fields have the bytes
}

const (
	noField     = -1
	nestedField = -2 // found by its bytes from the root: all records around it have them
	listField   = -3 // a list so found, whose elements tile it
)

// layout is the layout's root.
func (f *describedFile) layout() model.Node {
	return model.Node{Name: model.LayoutView, Type: "file", Spans: []model.Span{f.src.Whole()}, Children: f.tiles}
}

// readTiles reads all fields, and lays them side by side.
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
		if before := found.at - at.Off; at.Mask != 0 && before > 0 && before <= at.Len { // a byte of bit fields is the first one's
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

// isTile reports whether a node's bytes are not those of nodes below it: what is in derived bytes is in no others.
func isTile(n *model.Node) bool { return n.Children == nil || n.Elements || len(n.Derived) > 0 }

// nests reports whether the bytes of a place are among those of all places around it.
func nests(p *model.Place) bool {
	for ; p.Parent != nil; p = p.Parent {
		in, at := p.Parent.Node.Span(), p.Node.Span()
		if in.Source != at.Source || at.Off < in.Off || at.End() > in.End() {
			return false
		}
	}
	return true
}

// run is the bytes of a field.
type run struct {
	tile
	end int64
}

// tileBuilder lays runs side by side. Those that come in the order of their bytes, as most do, are tiles at once.
type tileBuilder struct {
	list []tile
	at   int64 // where the tiles end
	late []run // begin before that
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

// done is the tiles of all bytes. Where fields overlap, the bytes are of the one that begins first, and shared.
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

// endOf is where tile i ends: at the next one, or at the end of all.
func endOf(list []tile, i int, end int64) int64 {
	if i+1 < len(list) {
		return list[i+1].off
	}
	return end
}

// tiles is the tiles of a file as nodes, named by their offsets.
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

// find finds the field that has a byte: by the fields around it where they nest, else by the layout, which knows what instances
// read elsewhere.
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

// show gives a tile what its field shows. The value of one that has more bytes than its text, or is a list of records, is its bytes.
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

// owner is the place of the field of a tile.
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

// end is where tile i ends.
func (t *tiles) end(i int) int64 { return endOf(t.list, i, t.f.src.Size()) }

func (*tiles) Bulk() *model.BulkFuncs { return tilesBulk }

var tilesBulk = &model.BulkFuncs{
	Survey: func(_ context.Context, c model.Children, _ model.Progress) (model.Coverage, bool, error) {
		return c.(*tiles).survey(), true, nil
	},
}

// survey adds up the tiles; the problems of fields are in their own view.
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
