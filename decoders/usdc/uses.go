package usdc

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"cutaway/model"
)

// uses is what values and reps use: tokens, strings, paths and other values, each with its users, 8 bytes a link. A
// link is the number of what is used, in the high half, and that of its user. Tokens, strings, paths and tiles of the
// value data are numbered one behind the other, and so are tiles and fields as users.
type uses struct {
	links                  []uint64
	strings, paths, values uint32 // numbers of the first of each as used; tokens begin at 0
	fields                 uint32 // number of the first as user; tiles begin at 0
	scan                   *valueScan
}

// usesCollector collects the links of a file.
type usesCollector struct {
	*uses
	c    *crate
	user uint32
	last int // how many links there were after the last merge
}

// usesOf returns the links of values, made when they are first asked for.
func (c *crate) usesOf(ctx context.Context, progress model.Progress) (*uses, error) {
	return c.users.uses.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*uses, error) {
		t, f, err := c.wordsAndFields(ctx, progress)
		if err != nil {
			return nil, err
		}
		s, err := c.strings(ctx, progress)
		if err != nil {
			return nil, err
		}
		p, err := c.paths(ctx, progress)
		if err != nil {
			return nil, err
		}
		scan, err := c.scanValues(ctx, progress)
		if err != nil {
			return nil, err
		}
		u := &uses{scan: scan, strings: uint32(t.n), fields: uint32(len(scan.tiles))}
		u.paths = u.strings + uint32(s.n)
		u.values = u.paths + uint32(len(p.byPath))
		col := &usesCollector{uses: u, c: c}
		if err := col.ofTiles(ctx, progress); err != nil {
			return nil, err
		}
		if err := f.reps(ctx, func(i int64, r rep) {
			col.user = u.fields + uint32(i)
			col.rep(r)
		}); err != nil && ctx.Err() != nil {
			return nil, err
		}
		col.merge()
		return u, nil
	})
}

func (u *usesCollector) ofTiles(ctx context.Context, progress model.Progress) error {
	in := nearby{src: u.c.src}
	for i, tile := range u.scan.tiles {
		if i&0xFFF == 0 {
			progress.Report(int64(i), int64(len(u.scan.tiles)), "uses of values")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if tile.gap() {
			continue
		}
		if tile.off != tile.r.payload() {
			u.user = uint32(i)
			u.value(tile.r.payload())
			continue
		}
		u.c.walk(ctx, &in, tile.r, func(p *part) bool {
			u.user = uint32(u.scan.over(p.off)) // of a value in pieces, the one that holds the part
			u.part(ctx, tile.r, p)
			return true
		})
	}
	return nil
}

// part adds what one part of a value uses.
func (u *usesCollector) part(ctx context.Context, r rep, p *part) {
	switch p.kind {
	case partKey, partAssetPath:
		u.index(scalarString, true, uint32(p.raw))
	case partPrimPath:
		u.index(scalarPath, true, uint32(p.raw))
	case partRep, partTimesRep, partLiterals, partInstructions:
		u.rep(rep(p.raw))
	case partReps:
		u.words(ctx, p, 8, func(b []byte) { u.rep(rep(binary.LittleEndian.Uint64(b))) })
	case partElements, partWhole:
		if s := r.typ().info().elem.scalar; s >= scalarString {
			u.words(ctx, p, 4, func(b []byte) { u.index(s, true, binary.LittleEndian.Uint32(b)) })
		}
	}
}

func (u *usesCollector) words(ctx context.Context, p *part, size int64, do func(b []byte)) {
	// What cannot be read is told where the value is decoded.
	_ = eachRecord(ctx, u.c.src, p.off, size, p.len/size, func(_ int64, b []byte) { do(b) })
}

// rep adds what a rep uses: a value, or the index that it holds.
func (u *usesCollector) rep(r rep) {
	switch {
	case u.c.outside(r):
		if r.payload() < u.c.size {
			u.value(r.payload())
		}
	case u.c.form(r) == formInline:
		u.index(r.typ().info().elem.scalar, false, r.low())
	}
}

func (u *usesCollector) value(off int64) {
	if i := u.scan.over(off); i < len(u.scan.tiles) && u.scan.tiles[i].off == off {
		u.add(u.values + uint32(i))
	}
}

// index adds the use of an index; one that is out of range uses nothing.
func (u *usesCollector) index(s scalar, inArray bool, i uint32) {
	var first, end uint32
	switch {
	case s < scalarString:
		return
	case s == scalarPath:
		first, end = u.paths, u.values
	case s == scalarToken, s == scalarAsset && !inArray:
		first, end = 0, u.strings
	default:
		first, end = u.strings, u.paths
	}
	if i < end-first {
		u.add(first + i)
	}
}

func (u *usesCollector) add(used uint32) {
	u.links = append(u.links, uint64(used)<<32|uint64(u.user))
	if len(u.links) > 2*u.last+1<<20 {
		u.merge()
	}
}

// merge sorts the links and leaves one of equal ones.
func (u *usesCollector) merge() {
	slices.Sort(u.links)
	u.links = slices.Compact(u.links)
	u.last = len(u.links)
}

// of lists the users of what has a number.
func (u *uses) of(used uint32) []uint64 {
	lo := sort.Search(len(u.links), func(i int) bool { return u.links[i]>>32 >= uint64(used) })
	hi := sort.Search(len(u.links), func(i int) bool { return u.links[i]>>32 > uint64(used) })
	return u.links[lo:hi]
}

// valueAt is the number of the value data that begins at off.
func (u *uses) valueAt(off int64) (uint32, bool) {
	i := u.scan.over(off)
	return u.values + uint32(i), i < len(u.scan.tiles) && u.scan.tiles[i].off == off
}

// addTo adds the users of what has a number to a list.
func (u *uses) addTo(ctx context.Context, c *crate, kind string, used uint32, l *refList) {
	for _, link := range u.of(used) {
		l.add(func() model.Ref {
			user := uint32(link)
			if user >= u.fields {
				field := user - u.fields
				ref := c.fieldRef(field)
				ref.Kind = kind
				ref.Text, _ = c.fieldName(ctx, field)
				return ref
			}
			tile := u.scan.tiles[user]
			ref := c.valueRef(tile.off)
			ref.Kind, ref.Text = kind, c.typeName(tile.r)
			return ref
		})
	}
}

// fieldsOver lists the fields whose value, or a value nested in it, has the byte at off; at most about maxFound.
func (u *uses) fieldsOver(off int64) []uint32 {
	i := u.scan.over(off)
	if i >= len(u.scan.tiles) || u.scan.tiles[i].gap() || u.scan.tiles[i].off > off {
		return nil
	}
	var fields []uint32
	seen := map[uint32]bool{uint32(i): true}
	level := []uint32{uint32(i)}
	for depth := 0; depth <= maxDepth && len(level) > 0 && len(fields) < maxFound; depth++ {
		var above []uint32
		for _, tile := range level {
			head, _ := u.valueAt(u.scan.tiles[tile].r.payload())
			for _, link := range u.of(head) {
				user := uint32(link)
				switch {
				case seen[user] || len(seen) > 2*maxFound:
				case user >= u.fields:
					fields = append(fields, user-u.fields)
				default:
					above = append(above, user)
				}
				seen[user] = true
			}
		}
		level = above
	}
	return fields
}
