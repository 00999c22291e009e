package usdc

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
	"cutaway/model/crossref"
)

// What values and reps use: tokens, strings, paths and other values. Values are numbered by their tiles.

// The tables whose entries values use, in the order of crossref.Links.To.
const (
	referredToken = iota
	referredString
	referredPath
	referredValue
)

func (d *document) linkValues() {
	l := &d.links
	to := []*crossref.Entries{&d.crate.Entries.Tokens, &d.crate.Entries.Strings, &l.paths, &l.values}
	l.valueReferences = crossref.Links{What: "uses of values", From: &l.values, To: to, Each: d.referencesOfTiles}
	l.repReferences = crossref.Links{What: "uses of fields", From: &d.crate.Entries.Fields, To: to, Each: d.referencesOfReps}
}

func (d *document) countTiles(ctx context.Context, progress model.Progress) (int64, error) {
	scan, err := d.values.Scan(ctx, progress)
	if err != nil {
		return 0, err
	}
	return int64(len(scan.Tiles)), nil
}

// tileOf returns the tile of a node of the layout, or of the node around.
func (d *document) tileOf(p *model.Place) (int64, bool) {
	for ; p.Parent != nil; p = p.Parent {
		at := p.Node.Span()
		if r := d.crate.RegionAt(at.Off); r != nil && at.Source == d.crate.Src && p.Parent.Path() == d.crate.Layout+"/"+model.EscapeSegment(r.Segment) {
			scan := d.values.MadeScan()
			if scan == nil {
				return 0, false
			}
			return int64(scan.TileAt(at.Off)), true
		}
	}
	return 0, false
}

// tilesOver returns the tiles of values that have bytes of s.
func (d *document) tilesOver(ctx context.Context, s model.Span) (first, end int64, err error) {
	if s.Source != d.crate.Src || d.crate.Contents.SectionAt(s.Off) != nil || d.crate.RegionAt(s.Off) == nil {
		return 0, 0, nil
	}
	scan, err := d.values.Scan(ctx, nil)
	if err != nil || len(scan.Tiles) == 0 || scan.Tiles[0].Off > s.Off {
		return 0, 0, err
	}
	return int64(scan.TileAt(s.Off)), int64(scan.TileAt(max(s.Off, s.End()-1))) + 1, nil
}

// headOf visits the tile where the value of tile i begins. Links to a part of a value, such as an entry of a lookup table, come from the
// value itself; a later piece of a value belongs to the first.
func (d *document) headOf(_ context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
	scan := d.values.MadeScan()
	if t := scan.Tiles[i]; !t.IsGap() {
		visit(int64(scan.TileAt(t.Rep.Payload())))
	}
	return 0, nil
}

// wholeTile leads to the value that has tile i.
func (d *document) wholeTile(_ context.Context, _, i int64) model.Ref {
	ref := d.crate.ValueRef(d.values.MadeScan().Tiles[i].Rep.Payload())
	ref.Kind = "part"
	return ref
}

// referringTile leads to a tile that uses something.
func (d *document) referringTile(_ context.Context, i, _ int64) model.Ref {
	t := d.values.MadeScan().Tiles[i]
	ref := d.crate.ValueRef(t.Off)
	ref.Text = t.Rep.TypeName()
	return ref
}

// referenceCollector collects what values use.
type referenceCollector struct {
	doc  *document
	scan *value.Scan
	from int64
	add  func(from int64, to int, n int64)
}

func (d *document) referencesOfTiles(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	u := &referenceCollector{doc: d, scan: d.values.MadeScan(), add: add}
	pass := grammar.NewReading(ctx, grammar.Near)
	var tile value.Tile
	visit := func(l *grammar.Leaf) bool {
		u.from = int64(u.scan.TileAt(l.Off)) // of a value in pieces, the one that holds the leaf
		u.leaf(ctx, tile.Rep, l)
		return true
	}
	for i := first; i < end; i++ {
		switch tile = u.scan.Tiles[i]; {
		case tile.IsGap():
		case tile.Off != tile.Rep.Payload():
			u.from = i
			u.value(tile.Rep.Payload())
		default:
			d.values.Leaves(pass, tile.Rep, visit)
		}
	}
	return nil
}

func (d *document) referencesOfReps(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	u := &referenceCollector{doc: d, scan: d.values.MadeScan(), add: add}
	f, err := d.crate.Fields(ctx, nil)
	if err != nil {
		return err
	}
	err = f.EachRepIn(ctx, first, end, func(i int64, r table.Rep) {
		u.from = i
		u.rep(r)
	})
	if ctx.Err() != nil {
		return err
	}
	return nil // what cannot be read is reported at its own place
}

// leaf adds what one leaf of a value uses.
func (u *referenceCollector) leaf(ctx context.Context, r table.Rep, l *grammar.Leaf) {
	if l.Field == nil {
		return
	}
	switch l.Field.Entries {
	case "strings":
		u.index(table.ScalarString, true, uint32(l.Bits))
	case "paths":
		u.index(table.ScalarPath, true, uint32(l.Bits))
	case "values":
		if l.Field.Repeat == nil {
			u.rep(table.Rep(l.Bits))
			return
		}
		u.words(ctx, l, table.RepSize, func(b []byte) { u.rep(table.RepOf(b)) })
	default:
		if s := r.Type().Info().Elem.Scalar; s >= table.ScalarString && value.IsOfType(l.Field) {
			u.words(ctx, l, 4, func(b []byte) { u.index(s, true, binary.LittleEndian.Uint32(b)) })
		}
	}
}

func (u *referenceCollector) words(ctx context.Context, l *grammar.Leaf, size int64, do func(b []byte)) {
	// What cannot be read is reported where the value is decoded.
	_ = table.EachRecord(ctx, u.doc.crate.Src, l.Off, size, l.Len/size, func(_ int64, b []byte) { do(b) })
}

// rep adds what a rep uses: a value, or the index that it holds.
func (u *referenceCollector) rep(r table.Rep) {
	switch {
	case r.Outside():
		if r.Payload() < u.doc.crate.Size {
			u.value(r.Payload())
		}
	case r.Placement() == table.PlacedInRep:
		u.index(r.Type().Info().Elem.Scalar, false, r.Low())
	}
}

func (u *referenceCollector) value(off int64) {
	if i := u.scan.TileAt(off); i < len(u.scan.Tiles) && u.scan.Tiles[i].Off == off {
		u.add(u.from, referredValue, int64(i))
	}
}

// index adds the use of an index.
func (u *referenceCollector) index(s table.Scalar, inArray bool, i uint32) {
	switch {
	case s < table.ScalarString:
	case s == table.ScalarPath:
		u.add(u.from, referredPath, int64(i))
	case s == table.ScalarToken, s == table.ScalarAsset && !inArray:
		u.add(u.from, referredToken, int64(i))
	default:
		u.add(u.from, referredString, int64(i))
	}
}
