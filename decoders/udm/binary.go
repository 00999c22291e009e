package udm

import (
	"context"
	"fmt"
	"math"

	"cutaway/decoders/read"
	"cutaway/model"
)

// Names of layout nodes that the asset view leads through.
const (
	valuesName = "values"
	keysName   = "keys"
	itemsName  = "items"
	dataName   = "data"
)

// maxNesting is how deep elements and arrays may stand in one another, those of decompressed blocks included
// (chapter 7, check 8).
const maxNesting = 256

// maxText is the longest text that is shown as one; longer ones are shown as bytes.
const maxText = 1 << 20

// bin is a value in the binary form, without its type byte.
type bin struct {
	d        *udm
	src      *model.Source
	typ      typeID
	off, end int64  // no further than the range around it goes
	at       *where // its layout node
	depth    int
	typed    bool // its type byte stands before it
}

func (v *bin) kind() typeID { return v.typ }

// span is the value with its type byte, if it has one.
func (v *bin) span() model.Span {
	if v.typed {
		return v.src.Span(v.off-1, v.end-v.off+1)
	}
	return v.bytes()
}

// bytes is the value without its type byte.
func (v *bin) bytes() model.Span { return v.src.Span(v.off, v.end-v.off) }

func (v *bin) layoutPath() string { return v.at.String() }

// content is what a value turns out to hold.
type content struct {
	nodes   []model.Node // the fields; they tile the value
	value   model.Value  // of what is no container
	item    typeID       // of an array: the type of its items
	count   int64        // of an array: how many items it claims
	shape   *shape
	packed  *packed
	items   *items
	element *element
	block   *block
}

// content reads the fields of the value. It fails only when ctx ends.
func (v *bin) content(ctx context.Context, progress model.Progress) (*content, error) {
	c := read.New(ctx, v.src, v.off, v.end, ruleTruncated)
	k := &content{}
	var err error
	switch v.typ {
	case tString, tRef:
		k.value = textValue(c, readString(c))
	case tUTF8:
		k.value = textValue(c, readText(c, int64(c.U32("size", "bytes of the text"))))
	case tBlob:
		k.value = readBlob(c)
	case tLZ4:
		v.readLZ4(c, k)
	case tElement:
		k.element, err = v.readElement(ctx, c, progress)
	case tArray:
		err = v.readArray(ctx, c, k, progress)
	case tArrayLZ4:
		v.readArrayLZ4(ctx, c, k)
	case tStruct:
		if k.packed = readStruct(ctx, c, v.at); k.packed != nil {
			k.shape = k.packed.shape
		}
	default:
		k.value = readFixed(c, v.typ)
	}
	c.Rest("rest", model.Unknown, "bytes that no rule explains")
	k.nodes = c.Nodes()
	return k, err
}

// readFixed reads a value of a fixed-size type. nil takes no bytes and has no field.
func readFixed(c *read.Cursor, t typeID) model.Value {
	if t.size() == 0 {
		return model.None{}
	}
	b := c.Bytes("value", t.size(), t.help())
	f := c.Field()
	if b == nil {
		return nil
	}
	f.Type = t.String()
	fill(f, t, b)
	return f.Value
}

// readString reads a string or ref (5.1).
func readString(c *read.Cursor) string {
	n := int64(c.U8("length", "bytes of the text, or 255: a longer length follows"))
	if n == math.MaxUint8 {
		n = int64(c.U32("longLength", "bytes of the text"))
		c.Expect(n >= math.MaxUint8, ruleStringLong, "255 or more", n, "a length that one byte can hold stands in four")
	}
	return readText(c, n)
}

// readText reads the text of a string; a text of no bytes has no field.
func readText(c *read.Cursor, n int64) string {
	switch {
	case n == 0 || !c.Ok():
		return ""
	case n > maxText && n <= c.Remaining():
		c.Skip("text", n, model.Explained, "a long text")
		return ""
	}
	return c.Text("text", n, "no terminator; usually UTF-8")
}

// textValue is a text that was just read as a value: a long one stays where it is.
func textValue(c *read.Cursor, text string) model.Value {
	if f := c.Field(); c.Ok() && text == "" && f.Name == "text" {
		return f.Value
	}
	if !c.Ok() {
		return nil
	}
	return model.Text(text)
}

// readBlob reads a blob (5.3).
func readBlob(c *read.Cursor) model.Value {
	n := clamp(c.U64("size", "bytes of the data"))
	at := c.Source().Span(c.Off(), 0)
	if n > 0 {
		if at = c.Skip(dataName, n, model.Explained, "any bytes"); at.Source == nil {
			return nil
		}
	}
	return model.Blob{Span: at}
}

// clamp makes an unsigned number one that can be compared with offsets: too large ones stay too large.
func clamp(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// extent finds the end of the value of type t at off, which may reach to limit. next is false where the value runs
// into the limit, or has no known length, so that nothing can follow it.
func (d *udm) extent(w *window, t typeID, off, limit int64) (end int64, next bool) {
	n := int64(-1) // bytes of the value
	number := func(at, size int64) (u uint64, ok bool) {
		if size > limit-off-at {
			return 0, false
		}
		b, err := w.at(off+at, size)
		if err != nil {
			return 0, false
		}
		for i := size - 1; i >= 0; i-- {
			u = u<<8 | uint64(b[i])
		}
		return u, true
	}
	sized := func(at, size int64) {
		if u, ok := number(at, size); ok {
			n = clamp(min(u, math.MaxInt64-uint64(at+size))) + at + size
		}
	}
	switch t {
	case tString, tRef:
		if sized(0, 1); n == 1+math.MaxUint8 {
			n = -1
			sized(1, 4)
		}
	case tUTF8:
		sized(0, 4)
	case tBlob, tElement:
		sized(0, 8)
	case tLZ4:
		if sized(0, 8); n >= 0 {
			n = add(n, 8)
		}
	case tArray:
		item, _ := number(0, 1)
		count, ok := number(1, 4)
		switch it := typeID(item); {
		case ok && it.fixed():
			n = add(5, mul(count, it.size()))
		case ok && it.known():
			sized(5, 8)
		}
	case tArrayLZ4, tStruct:
		c := read.New(w.ctx, w.src, off, limit, ruleTruncated)
		known := true
		if t == tStruct {
			readStruct(w.ctx, c, &where{})
		} else {
			k := &content{}
			v := bin{d: d, src: w.src, typ: t, off: off, end: limit, at: &where{}}
			v.readArrayLZ4(w.ctx, c, k)
			known = k.block != nil
		}
		if n = c.Off() - off; !c.Ok() || !known {
			n = -1
		}
	default:
		if t.fixed() {
			n = t.size()
		}
	}
	if n < 0 || n > limit-off {
		return limit, false
	}
	return off + n, true
}

// add is a + b without overflow, for lengths.
func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// node is the layout's node of the value.
func (v *bin) node(ctx context.Context, name string, refs func(context.Context) []model.Ref) model.Node {
	n := model.Node{Name: name, Type: typeText(v.typ), Spans: []model.Span{v.span()}, Refs: refs}
	fields := func(ctx context.Context, progress model.Progress) ([]model.Node, error) {
		k, err := v.load(ctx, progress)
		if err != nil {
			return nil, err
		}
		return append(v.typeNode(), k.nodes...), nil
	}
	switch {
	case v.depth > maxNesting:
		n.Children = model.NewList(append(v.typeNode(), v.tooDeep())...)
		return n
	case !v.typ.known():
		n.Children = model.NewList(append(v.typeNode(), v.rest()...)...)
		return n
	case v.heavy(ctx):
		n.Children = v.d.heavyPart(v).layout(fields)
	default:
		n.Children = model.DeferList(func(ctx context.Context) []model.Node {
			nodes, _ := fields(ctx, nil) // only a context can make it fail
			return nodes
		})
	}
	v.brief(ctx, &n)
	return n
}

// typeNode is the leaf of the type byte.
func (v *bin) typeNode() []model.Node {
	if !v.typed {
		return nil
	}
	n := model.Node{
		Name: "type", Type: "u8", Value: model.Symbol{Number: int64(v.typ), Name: v.typ.String()},
		Spans: []model.Span{v.src.Span(v.off-1, 1)}, Help: "the type of the value",
	}
	if !v.typ.known() {
		n.Problems = []model.Problem{model.Problemf(model.Malformed, ruleType, n.Spans[0],
			"there is no type %d, so the length of the value is not known", v.typ).Want("0 to 35", uint8(v.typ))}
	}
	return []model.Node{n}
}

// rest is the bytes of a value that cannot be decoded.
func (v *bin) rest() []model.Node {
	if v.off == v.end {
		return nil
	}
	return []model.Node{{
		Name: "rest", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: v.bytes()}, Spans: []model.Span{v.bytes()},
		Help: "bytes that cannot be decoded",
	}}
}

func (v *bin) tooDeep() model.Node {
	return model.Node{
		Name: "rest", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: v.bytes()}, Spans: []model.Span{v.bytes()},
		Problems: []model.Problem{nesting(v.span())},
	}
}

func nesting(at model.Span) model.Problem {
	return model.Problemf(model.Malformed, ruleNesting, at,
		"elements and arrays are nested more than %d levels deep, which is as far as Cutaway follows", maxNesting).
		Want(fmt.Sprintf("at most %d levels", maxNesting), "more")
}

// brief says in the node of the layout what a short value holds.
func (v *bin) brief(ctx context.Context, n *model.Node) {
	switch v.typ {
	case tElement, tArray, tArrayLZ4, tLZ4, tStruct, tBlob:
		n.Brief = v.countText(ctx)
		return
	}
	if v.end-v.off > 512 {
		return // the text stands in its own field
	}
	if k, err := v.content(ctx, nil); err == nil {
		n.Value = k.value
	}
}
