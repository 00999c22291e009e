package udm

import (
	"context"
	"fmt"
	"sort"

	"cutaway/decoders/read"
	"cutaway/model"
)

// keysPerPlace is how many keys there are for each key whose offset is kept.
const keysPerPlace = 16

// element is the key table and the children of an element (5.5). It keeps about 13 bytes for each child.
type element struct {
	v         *bin
	keys      int64   // that are there
	keyPlaces []int64 // offsets of every keysPerPlace-th key
	keysOff   int64
	keysEnd   int64
	values    []int64 // offsets of the type bytes of the values that are there, and the end of the last
	names     *names
}

// readElement reads an element and finds its children.
func (v *bin) readElement(ctx context.Context, c *read.Cursor, progress model.Progress) (*element, error) {
	size := c.U64("size", "bytes of the element behind this field")
	fits := clamp(size) <= c.Remaining()
	if !fits {
		c.Problem(short(ruleElementSize, c, model.Span{},
			"the element claims %d bytes, but %s", size, follow(c.Remaining())).Want(fmt.Sprintf("at most %d", c.Remaining()), size))
	}
	count := int64(c.U32("count", "how many children"))
	e := &element{v: v, keysOff: c.Off(), keysEnd: c.Off(), values: []int64{c.Off()}}
	if !c.Ok() {
		return e, nil
	}
	if room := c.Remaining() / 2; count > room {
		c.Problem(short(ruleElementCount, c, model.Span{},
			"the element counts %d children of at least 2 bytes, but %s", count, follow(c.Remaining())).
			Want(fmt.Sprintf("at most %d", room), count))
	}
	if err := e.scan(ctx, count, c.End(), progress); err != nil {
		return nil, err
	}
	var err error
	if e.names, err = newNames(ctx, e.keys, e.key); err != nil {
		return nil, err
	}
	e.addKeys(c, count)
	e.addValues(c, count, fits)
	return e, nil
}

// scan finds the keys and the values. It goes on as long as the bytes do, whatever the count.
func (e *element) scan(ctx context.Context, count, end int64, progress model.Progress) error {
	w := newWindow(ctx, e.v.src)
	for pos := e.keysOff; e.keys < count && pos < end; e.keys++ {
		if e.keys&4095 == 4095 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(pos-e.keysOff, end-e.keysOff, "finding the children")
		}
		b, err := w.at(pos, 1)
		if err != nil || int64(b[0]) > end-pos-1 {
			break
		}
		if e.keys%keysPerPlace == 0 {
			e.keyPlaces = append(e.keyPlaces, pos)
		}
		pos += 1 + int64(b[0])
		e.keysEnd = pos
	}
	e.values[0] = e.keysEnd
	if e.keys < count {
		return nil
	}
	pos := e.keysEnd
	for i := int64(0); i < count && pos < end; i++ {
		if i&4095 == 4095 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(pos-e.keysOff, end-e.keysOff, "finding the children")
		}
		b, err := w.at(pos, 1)
		if err != nil {
			break
		}
		stop, next := e.v.d.extent(w, typeID(b[0]), pos+1, end)
		e.values = append(e.values, stop)
		pos = stop
		if !next {
			break
		}
	}
	return nil
}

// count is how many values there are.
func (e *element) count() int64 { return int64(len(e.values)) - 1 }

// keyAt is the place of key i: its length byte and its text.
func (e *element) keyAt(w *window, i int64) (at model.Span, length int64) {
	pos := e.keyPlaces[i/keysPerPlace]
	for k := i / keysPerPlace * keysPerPlace; ; k++ {
		b, err := w.at(pos, 1)
		if err != nil {
			return e.v.src.Span(pos, 0), 0
		}
		length = int64(b[0])
		if k == i {
			return e.v.src.Span(pos, 1+length), length
		}
		pos += 1 + length
	}
}

// key is the text of key i.
func (e *element) key(ctx context.Context, i int64) string {
	w := newWindow(ctx, e.v.src)
	at, n := e.keyAt(w, i)
	b, err := w.at(at.Off+1, n)
	if err != nil {
		return ""
	}
	return string(b)
}

// value is value i.
func (e *element) value(ctx context.Context, i int64) *bin {
	off := e.values[i]
	t := tUnknown
	if b, err := e.v.src.Bytes(ctx, off, 1); err == nil {
		t = typeID(b[0])
	}
	return &bin{
		d: e.v.d, src: e.v.src, typ: t, off: off + 1, end: max(e.values[i+1], off+1),
		at: e.v.at.at(valuesName).at(e.names.name(ctx, i)), depth: e.v.depth + 1, typed: true,
	}
}

// addKeys adds the key table.
func (e *element) addKeys(c *read.Cursor, count int64) {
	if e.keysEnd > e.keysOff {
		c.Add(model.Node{
			Name: keysName, Type: "key[]", Spans: []model.Span{e.v.src.Span(e.keysOff, e.keysEnd-e.keysOff)},
			Brief: itemsText(e.keys), Help: "the names of all children, before all values",
			Children: &model.Rows{Count: e.keys, Make: e.keyNode, ByByte: e.keyOver},
		})
	}
	if e.keys == count {
		return
	}
	at := c.Off()
	c.Rest("rest", model.Unknown, "what is left of the key table")
	c.Problem(short(ruleElementKeys, c, e.v.src.Span(at, c.Off()-at), "the key table ends after %d of %d keys", e.keys, count).
		Want(count, e.keys))
}

func (e *element) keyNode(ctx context.Context, i int64) model.Node {
	at, length := e.keyAt(newWindow(ctx, e.v.src), i)
	n := model.Node{Name: model.IndexName(i), Type: "key", Spans: []model.Span{at}, Value: model.Text(e.key(ctx, i))}
	if i < e.count() {
		n.Refs = func(ctx context.Context) []model.Ref {
			return []model.Ref{{Kind: "value", Path: e.v.at.at(valuesName).at(e.names.name(ctx, i)).String(), Text: e.names.name(ctx, i)}}
		}
	}
	if e.names.repeats(i) {
		n.Problems = []model.Problem{model.Problemf(model.Suspicious, ruleDuplicateKey, at,
			"an earlier child has the same key; the engine takes the last of them").Want("a key of its own", e.key(ctx, i))}
	}
	n.Children = model.DeferList(func(ctx context.Context) []model.Node {
		c := read.New(ctx, e.v.src, at.Off, at.End(), ruleTruncated)
		c.U8("length", "bytes of the key; 255 means 255")
		if length > 0 {
			c.Text("text", length, "no terminator; any bytes")
		}
		return c.Nodes()
	})
	return n
}

// keyOver finds the key over a byte.
func (e *element) keyOver(ctx context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(e.v.src) || off < e.keysOff || off >= e.keysEnd {
		return 0, false
	}
	k := int64(sort.Search(len(e.keyPlaces), func(k int) bool { return e.keyPlaces[k] > off })) - 1
	w := newWindow(ctx, e.v.src)
	for i := k * keysPerPlace; i < e.keys; i++ {
		if at, _ := e.keyAt(w, i); off < at.End() {
			return i, true
		}
	}
	return 0, false
}

// addValues adds the children, and a gap behind them if the element goes on.
func (e *element) addValues(c *read.Cursor, count int64, fits bool) {
	n := e.count()
	if !c.Ok() || e.keys < count {
		return
	}
	if n > 0 {
		c.Add(model.Node{
			Name: valuesName, Type: "property[]", Spans: []model.Span{e.v.src.Span(c.Off(), e.values[n]-c.Off())},
			Brief: itemsText(n), Help: "the children, in the order of the keys",
			Children: &model.Rows{Count: n, Make: e.valueNode, Find: e.find, ByByte: e.valueOver},
		})
	}
	switch {
	case n < count:
		at := e.v.src.Span(c.Off(), 0)
		f := c.Field()
		f.Problems = append(f.Problems, short(ruleElementValues, c, at, "%d of %d children are missing", count-n, count).Want(count, n))
	case c.Remaining() > 0:
		at := e.v.src.Span(c.Off(), c.Remaining())
		c.Rest("rest", model.Unknown, "bytes behind the last child")
		if fits {
			c.Problem(model.Problemf(model.Suspicious, ruleElementGap, at,
				"the element is larger than its children").Want("none", model.Counted(at.Len, "byte")))
		}
	}
}

// find is the child of that name.
func (e *element) find(ctx context.Context, name string) (int64, bool) {
	i, ok := e.names.find(ctx, name)
	return i, ok && i < e.count()
}

func (e *element) valueNode(ctx context.Context, i int64) model.Node {
	v := e.value(ctx, i)
	n := v.node(ctx, e.names.name(ctx, i), func(ctx context.Context) []model.Ref {
		return []model.Ref{{Kind: "key", Path: e.keyPath(i), Text: e.key(ctx, i)}}
	})
	n.Cards = asciiCard(v.typ, func() member { return e.member(ctx, i) })
	return n
}

// keyPath is the path of the layout's node of key i.
func (e *element) keyPath(i int64) string {
	return e.v.at.at(keysName).at(model.IndexName(i)).String()
}

// valueOver finds the child over a byte.
func (e *element) valueOver(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(e.v.src) || off < e.values[0] || off >= e.values[e.count()] {
		return 0, false
	}
	return int64(sort.Search(len(e.values), func(k int) bool { return e.values[k] > off })) - 1, true
}
