package udm

import (
	"context"
	"fmt"
	"sort"

	"cutaway/decoders/read"
	"cutaway/model"
)

// readArray reads an array (5.6).
func (v *bin) readArray(ctx context.Context, c *read.Cursor, k *content, progress model.Progress) error {
	k.item = readItemType(c)
	count := c.U32("count", "how many items")
	k.count = int64(count)
	if !c.Ok() || !k.item.known() {
		return nil
	}
	if k.item.fixed() {
		k.packed = readPacked(ctx, c, uint64(count), k.item, nil, v.at)
		return nil
	}
	size := c.U64("size", "bytes of the array behind this field")
	fits := clamp(size) <= c.Remaining()
	if !fits {
		c.Problem(short(ruleArraySize, c, model.Span{},
			"the array claims %d bytes, but %s", size, follow(c.Remaining())).Want(fmt.Sprintf("at most %d", c.Remaining()), size))
	}
	if !c.Ok() {
		return nil
	}
	if k.item == tStruct {
		if k.shape = readSizedShape(ctx, c); k.shape != nil {
			k.packed = readPacked(ctx, c, uint64(count), tStruct, k.shape, v.at)
		}
	} else {
		var err error
		if k.items, err = v.readItems(ctx, c, k.item, k.count, progress); err != nil {
			return err
		}
	}
	if at := v.src.Span(c.Off(), c.Remaining()); c.Ok() && fits && at.Len > 0 && (k.item != tStruct || k.packed != nil) && !k.items.cut() {
		c.Rest("rest", model.Unknown, "bytes behind the last item")
		c.Problem(model.Problemf(model.Suspicious, ruleArrayGap, at,
			"the array is larger than its items").Want("none", model.Counted(at.Len, "byte")))
	}
	return nil
}

func readItemType(c *read.Cursor) typeID {
	t := typeID(c.U8("valueType", "the type of the items, which have no type byte"))
	c.Symbol(t.String())
	c.Check(t.known(), ruleType, "0 to 35", uint8(t), "there is no such type, so the length of the items is not known")
	return t
}

// items is where the items of an array of a variable-size type stand: 8 bytes for each.
type items struct {
	v      *bin
	typ    typeID
	places []int64 // offsets of the items that are there, and the end of the last
	broken bool    // fewer than counted
	short  bool    // the last of them has no end
}

// readItems finds count items and adds them.
func (v *bin) readItems(ctx context.Context, c *read.Cursor, t typeID, count int64, progress model.Progress) (*items, error) {
	x := &items{v: v, typ: t, places: []int64{c.Off()}}
	if room := c.Remaining() / t.least(); count > room {
		f := countField(c)
		f.Problems = append(f.Problems, short(ruleArrayCount, c, f.Span(),
			"the array counts %d items of at least %s, but %s", count, model.Counted(int64(t.least()), "byte"), follow(c.Remaining())).
			Want(fmt.Sprintf("at most %d", room), count))
	}
	w := newWindow(ctx, v.src)
	for i, pos := int64(0), c.Off(); i < count && pos < c.End(); i++ {
		if i&4095 == 4095 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			progress.Report(pos-v.off, c.End()-v.off, "finding the items")
		}
		stop, next := v.d.extent(w, t, pos, c.End())
		x.places = append(x.places, stop)
		pos = stop
		if x.short = !next; x.short {
			break
		}
	}
	n := x.count()
	x.broken = n < count
	if n > 0 {
		c.Add(model.Node{
			Name: itemsName, Type: t.String() + "[]", Spans: []model.Span{v.src.Span(c.Off(), x.places[n]-c.Off())},
			Brief: itemsText(n), Help: "the items, one behind the other",
			Children: &model.Rows{Count: n, Make: x.node, ByByte: x.over},
		})
	}
	if x.broken {
		f := c.Field()
		f.Problems = append(f.Problems, short(ruleArrayItems, c, v.src.Span(x.places[n], 0),
			"%d of %d items are missing", count-n, count).Want(count, n))
	}
	return x, nil
}

// countField is the field of that name.
func countField(c *read.Cursor) *model.Node {
	for i := range c.Nodes() {
		if c.Nodes()[i].Name == "count" {
			return &c.Nodes()[i]
		}
	}
	return c.Field()
}

func (x *items) cut() bool { return x != nil && x.broken }

func (x *items) count() int64 { return int64(len(x.places)) - 1 }

func (x *items) value(i int64) *bin {
	return &bin{
		d: x.v.d, src: x.v.src, typ: x.typ, off: x.places[i], end: x.places[i+1],
		at: x.v.at.at(itemsName).at(model.IndexName(i)), depth: x.v.depth + 1,
	}
}

func (x *items) node(ctx context.Context, i int64) model.Node {
	v := x.value(i)
	n := v.node(ctx, model.IndexName(i), nil)
	n.Cards = asciiCard(v.typ, func() member { return member{name: n.Name, datum: v} })
	return n
}

// over finds the item over a byte.
func (x *items) over(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(x.v.src) || off < x.places[0] || off >= x.places[x.count()] {
		return 0, false
	}
	return int64(sort.Search(len(x.places), func(k int) bool { return x.places[k] > off })) - 1, true
}

// itemCount is the type and number of the items of an array, or the number of the children of an element, read from its
// beginning only.
func (v *bin) itemCount(ctx context.Context) (item typeID, count int64, ok bool) {
	c := read.New(ctx, v.src, v.off, v.end, ruleTruncated)
	switch v.typ {
	case tArray:
		item = typeID(c.U8("", ""))
		count = int64(c.U32("", ""))
		return item, count, c.Ok()
	case tArrayLZ4:
		k := &content{}
		v.readArrayLZ4(ctx, c, k)
		return k.item, k.count, k.block != nil
	case tElement:
		c.U64("", "")
		count = int64(c.U32("", ""))
		return tUnknown, count, c.Ok()
	}
	return tUnknown, 0, false
}

// countText is itemCount in words.
func (v *bin) countText(ctx context.Context) string {
	item, count, ok := v.itemCount(ctx)
	switch {
	case !ok:
		return ""
	case v.typ == tElement:
		return propertiesText(count)
	}
	return briefOf(typeText(item), count)
}
