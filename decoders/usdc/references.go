package usdc

import (
	"context"
	"encoding/binary"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// What values and reps use: tokens, strings, paths and other values. Values are numbered by their tiles.

// usedNames are the tables whose entries values use, in the order of model.Links.To.
const (
	referredToken = iota
	referredString
	referredPath
	referredValue
)

func (c *crate) linkValues() {
	l := &c.links
	to := []*model.Entries{&c.entries.tokens, &c.entries.strings, &l.paths, &l.values}
	l.valueReferences = model.Links{What: "uses of values", From: &l.values, To: to, Each: c.referencesOfTiles}
	l.repReferences = model.Links{What: "uses of fields", From: &c.entries.fields, To: to, Each: c.referencesOfReps}
}

func (c *crate) countTiles(ctx context.Context, progress model.Progress) (int64, error) {
	scan, err := c.scanValues(ctx, progress)
	if err != nil {
		return 0, err
	}
	return int64(len(scan.tiles)), nil
}

// tileOf is the tile that a node of the layout is, or is in.
func (c *crate) tileOf(p *model.Place) (int64, bool) {
	for ; p.Parent != nil; p = p.Parent {
		at := p.Node.Span()
		if r := c.regionAt(at.Off); r != nil && at.Source == c.src && p.Parent.Path() == c.layout+"/"+model.EscapeSegment(r.segment) {
			scan := c.madeScan()
			if scan == nil {
				return 0, false
			}
			return int64(scan.tileAt(at.Off)), true
		}
	}
	return 0, false
}

// tilesOver are the tiles of values that have bytes of s.
func (c *crate) tilesOver(ctx context.Context, s model.Span) (first, end int64, err error) {
	if s.Source != c.src || c.toc.sectionAt(s.Off) != nil || c.regionAt(s.Off) == nil {
		return 0, 0, nil
	}
	scan, err := c.scanValues(ctx, nil)
	if err != nil || len(scan.tiles) == 0 || scan.tiles[0].off > s.Off {
		return 0, 0, err
	}
	return int64(scan.tileAt(s.Off)), int64(scan.tileAt(max(s.Off, s.End()-1))) + 1, nil
}

// headOf is the tile where the value begins of which a tile is a piece. What leads to a part of a value, such as an entry
// of a lookup table, is in the value itself; a later piece of a value belongs to the first.
func (c *crate) headOf(_ context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
	scan := c.madeScan()
	if t := scan.tiles[i]; !t.gap() {
		visit(int64(scan.tileAt(t.r.payload())))
	}
	return 0, nil
}

// wholeTile leads to the value of which a tile is a piece.
func (c *crate) wholeTile(_ context.Context, _, i int64) model.Ref {
	ref := c.valueRef(c.madeScan().tiles[i].r.payload())
	ref.Kind = "part"
	return ref
}

// referringTile leads to a tile that uses something.
func (c *crate) referringTile(_ context.Context, i, _ int64) model.Ref {
	t := c.madeScan().tiles[i]
	ref := c.valueRef(t.off)
	ref.Text = t.r.typeName()
	return ref
}

// referenceCollector collects what values use.
type referenceCollector struct {
	c    *crate
	scan *valueScan
	from int64
	add  func(from int64, to int, n int64)
}

func (c *crate) referencesOfTiles(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	u := &referenceCollector{c: c, scan: c.madeScan(), add: add}
	pass := grammar.NewReading(ctx, grammar.Near)
	var tile valueTile
	visit := func(l *grammar.Leaf) bool {
		u.from = int64(u.scan.tileAt(l.Off)) // of a value in pieces, the one that holds the leaf
		u.leaf(ctx, tile.r, l)
		return true
	}
	for i := first; i < end; i++ {
		switch tile = u.scan.tiles[i]; {
		case tile.gap():
		case tile.off != tile.r.payload():
			u.from = i
			u.value(tile.r.payload())
		default:
			c.leaves(pass, tile.r, visit)
		}
	}
	return nil
}

func (c *crate) referencesOfReps(ctx context.Context, first, end int64, add func(from int64, to int, n int64)) error {
	u := &referenceCollector{c: c, scan: c.madeScan(), add: add}
	f, err := c.fields(ctx, nil)
	if err != nil {
		return err
	}
	err = f.repsIn(ctx, first, end, func(i int64, r rep) {
		u.from = i
		u.rep(r)
	})
	if ctx.Err() != nil {
		return err
	}
	return nil // what cannot be read is reported at its own place
}

// leaf adds what one leaf of a value uses.
func (u *referenceCollector) leaf(ctx context.Context, r rep, l *grammar.Leaf) {
	if l.Field == nil {
		return
	}
	switch l.Field.Entries {
	case "strings":
		u.index(scalarString, true, uint32(l.Bits))
	case "paths":
		u.index(scalarPath, true, uint32(l.Bits))
	case "values":
		if l.Field.Repeat == nil {
			u.rep(rep(l.Bits))
			return
		}
		u.words(ctx, l, repSize, func(b []byte) { u.rep(repOfBytes(b)) })
	default:
		if s := r.typ().info().elem.scalar; s >= scalarString && isOfType(l.Field) {
			u.words(ctx, l, 4, func(b []byte) { u.index(s, true, binary.LittleEndian.Uint32(b)) })
		}
	}
}

func (u *referenceCollector) words(ctx context.Context, l *grammar.Leaf, size int64, do func(b []byte)) {
	// What cannot be read is reported where the value is decoded.
	_ = eachRecord(ctx, u.c.src, l.Off, size, l.Len/size, func(_ int64, b []byte) { do(b) })
}

// rep adds what a rep uses: a value, or the index that it holds.
func (u *referenceCollector) rep(r rep) {
	switch {
	case r.outside():
		if r.payload() < u.c.size {
			u.value(r.payload())
		}
	case r.placement() == placedInRep:
		u.index(r.typ().info().elem.scalar, false, r.low())
	}
}

func (u *referenceCollector) value(off int64) {
	if i := u.scan.tileAt(off); i < len(u.scan.tiles) && u.scan.tiles[i].off == off {
		u.add(u.from, referredValue, int64(i))
	}
}

// index adds the use of an index.
func (u *referenceCollector) index(s scalar, inArray bool, i uint32) {
	switch {
	case s < scalarString:
	case s == scalarPath:
		u.add(u.from, referredPath, int64(i))
	case s == scalarToken, s == scalarAsset && !inArray:
		u.add(u.from, referredToken, int64(i))
	default:
		u.add(u.from, referredString, int64(i))
	}
}
