package omnilive

import (
	"context"
	"fmt"
	"unicode/utf8"

	"cutaway/decoders/flatbuffer"
	"cutaway/model"
)

// Bounds of values.
const (
	maxNesting = 64      // values in values
	maxText    = 1 << 20 // bytes of a text that is shown as text
	headerSize = 2
	smallValue = 1 << 20 // bytes of a value that is decoded at once; a larger one is when it is looked at
)

const ruleMisfit = "omnilive.value.misfit"

// values decodes values of one source; offsets are the source's.
type values struct {
	src      *model.Source
	b        *flatbuffer.Buffer                   // all of src, for its readers
	pendings model.Cache[pendingKey, *model.Lazy] // the one of each large value, so that what was decoded stays so
}

func newValues(src *model.Source) *values {
	return &values{src: src, b: flatbuffer.NewBuffer(src, 0, src.Size(), false)}
}

// pending is the one pending node of a key.
func (v *values) pending(key pendingKey, work func(ctx context.Context, progress model.Progress) (model.Children, error)) *model.Lazy {
	return v.pendings.Of(key, func() *model.Lazy { return model.NewLazy(work) })
}

// value is a value's header and whether the layout of its type fits.
type value struct {
	v        *values
	off, end int64
	depth    int
	typ      uint8
	isArray  bool
	version  uint8
	count    int64   // of an array, and of a list
	data     int64   // where the data begins, after the header and an array's count
	places   []int64 // of some of the items of an array or list, as rows keeps them; nil: not known
	problem  *model.Problem
	raw      bool // the data is shown as bytes
}

func (x *value) fail(rule, format string, args ...any) {
	p := model.Problemf(model.Suspicious, rule, x.v.src.Span(x.off, x.end-x.off), format, args...)
	x.problem = &p
}

// header reads the header of the value in [off, end); the value has a problem where its data cannot be decoded.
func (v *values) header(r *flatbuffer.Reader, off, end int64, depth int) value {
	x := value{v: v, off: off, end: end, depth: depth, raw: true}
	first, ok := r.U8(off)
	if end-off < headerSize || !ok {
		x.data = off
		x.fail("omnilive.value.header", "a value of %d bytes has no room for its header of %d", end-off, headerSize)
		return x
	}
	x.typ, x.isArray, x.data = first&0x7f, first&0x80 != 0, off+headerSize
	x.version, _ = r.U8(off + 1)
	switch t := x.known(); {
	case t == nil:
		x.fail("omnilive.value.type", "the type number %d is not known: its bytes are shown", x.typ)
	case x.version != 0:
		x.fail("omnilive.value.version", "version %d of the packing of %s is not known: its bytes are shown", x.version, t.name)
	case x.isArray && !t.array:
		x.fail("omnilive.value.array", "%s has no arrays: its bytes are shown", t.name)
	case depth > maxNesting:
		x.fail("omnilive.value.depth", "values are nested deeper than %d: this one's bytes are shown", maxNesting)
	}
	return x
}

// read reads the value in [off, end), which is small.
func (v *values) read(ctx context.Context, off, end int64, depth int) value {
	sc := v.scan(ctx)
	defer v.release(sc)
	return v.readBy(sc, off, end, depth, 0)
}

// maxPartPadding is how many bytes may be after the value in a part.
const maxPartPadding = 64

// readPart reads the value of a part, which a few bytes of padding may follow. The error is ctx's.
func (v *values) readPart(ctx context.Context, at model.Span, progress model.Progress) (value, error) {
	return v.readLong(ctx, at, 0, maxPartPadding, progress)
}

// readLong reads a value of any size, which slack bytes may follow. The error is ctx's.
func (v *values) readLong(ctx context.Context, at model.Span, depth int, slack int64, progress model.Progress) (value, error) {
	sc := v.longScan(ctx, progress, at.Off, at.End())
	defer v.release(sc)
	x := v.readBy(sc, at.Off, at.End(), depth, slack)
	return x, sc.err
}

// readBy reads a value's header and measures its data, after which slack bytes may be.
func (v *values) readBy(sc *scan, off, end int64, depth int, slack int64) value {
	x := v.header(sc.Reader, off, end, depth)
	if x.problem != nil {
		return x
	}
	next, ok := x.measure(sc)
	if !ok || end-next > slack {
		x.data, x.count, x.places = off+headerSize, 0, nil
		x.fail(ruleMisfit, "the assumed layout of %s does not take exactly these %d bytes", x.typeName(), end-off)
		return x
	}
	x.raw, x.end = false, next
	if x.isArray && x.typ == timeCode {
		x.fail("omnilive.value.timecode-array", "the page has no arrays of TimeCode; this one is decoded as USD would")
	}
	return x
}

// known is the type's row; nil where the number is not in the table.
func (x *value) known() *valueType {
	if x.typ == 0 || int(x.typ) >= len(valueTypes) {
		return nil
	}
	return &valueTypes[x.typ]
}

// typeName writes the type for a person.
func (x *value) typeName() string {
	t := x.known()
	name := fmt.Sprintf("type %d", x.typ)
	if t != nil {
		name = t.name
	}
	if x.isArray {
		name += "[]"
	}
	return name
}

func (v *values) number(ctx context.Context, name, typ, help string, off, size int64) model.Node {
	r := v.b.Reader(ctx)
	defer v.b.Release(r)
	n, _ := r.Number(off, size)
	return model.Node{Name: name, Type: typ, Help: help, Value: model.Uint(n), Spans: []model.Span{v.src.Span(off, size)}}
}

// nodes makes the nodes that tile the value.
func (x *value) nodes(ctx context.Context) []model.Node {
	v := x.v
	if x.end-x.off < headerSize {
		return []model.Node{x.rawNode()}
	}
	at := v.src.Span(x.off, 1)
	low, high := at, at
	low.Mask, high.Mask = 0x7f, 0x80
	name := ""
	if t := x.known(); t != nil {
		name = t.name
	}
	typeNode := model.Node{
		Name: "type", Type: "u8", Brief: x.typeName(), Spans: []model.Span{at}, Help: "the bit order is assumed",
		Children: model.NewList(
			model.Node{Name: "type", Type: "7 bits", Value: model.Symbol{Number: int64(x.typ), Name: name}, Spans: []model.Span{low}, Help: "the value's type; that it takes the low bits is assumed"},
			model.Node{Name: "isArray", Type: "bit", Value: model.Bool(x.isArray), Spans: []model.Span{high}},
		),
	}
	nodes := []model.Node{typeNode, v.number(ctx, "version", "u8", "of the type's packing; 0 is known", x.off+1, 1)}
	if x.raw {
		if x.end > x.data {
			nodes = append(nodes, x.rawNode())
		}
		return nodes
	}
	s := x.known().shape
	if x.isArray {
		nodes = append(nodes, v.number(ctx, "count", "u64", "elements; that it is directly after the version is assumed", x.data-8, 8))
		if x.count > 0 {
			nodes = append(nodes, v.items(ctx, "elements", s, x.data, x.end, x.count, x.depth, x.places))
		}
		return nodes
	}
	if s.form == list {
		return append(nodes, v.listNodes(ctx, s, x.data, x.end, x.depth, x.places)...)
	}
	return append(nodes, v.parts(ctx, "value", s, x.data, x.end, x.depth)...)
}

func (x *value) rawNode() model.Node {
	at := x.v.src.Span(x.data, x.end-x.data)
	return model.Node{Name: "bytes", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at}, Help: "no layout is known that takes exactly these bytes"}
}

// node makes one node of the value, with what is wrong with it.
func (x *value) node(ctx context.Context, name string) model.Node {
	n := model.Node{Name: name, Type: x.typeName(), Spans: []model.Span{x.v.src.Span(x.off, x.end-x.off)}, Help: "a value; the packing is assumed"}
	if x.problem != nil {
		n.Problems = []model.Problem{*x.problem}
	}
	if x.end > x.off {
		n.Children = model.NewList(x.nodes(ctx)...)
	}
	n.Value, n.Brief = x.show(ctx)
	return n
}

// show is the value for one line: a value, or words on it.
func (x *value) show(ctx context.Context) (model.Value, string) {
	v := x.v
	if x.raw {
		return model.Blob{Span: v.src.Span(x.off, x.end-x.off)}, ""
	}
	s := x.known().shape
	if x.isArray {
		if x.count == 0 {
			return &model.Elements{Type: s.name}, ""
		}
		n := v.items(ctx, "elements", s, x.data, x.end, x.count, x.depth, x.places)
		return n.Value, n.Brief
	}
	switch s.form {
	case fixed:
		return v.fixedValue(ctx, s, x.data), ""
	case text:
		return v.text(ctx, x.data+4, x.end-x.data-4), ""
	case nothing:
		return model.None{}, ""
	case list:
		return nil, fmt.Sprintf("%d × %s", x.count, s.name)
	case listOp, record:
		return nil, v.summary(ctx, s, x.data, x.end, x.depth)
	case rest, unregistered:
		inner := v.glance(ctx, x.data, x.end, x.depth+1)
		return nil, inner.typeName()
	}
	return nil, fmt.Sprintf("%d bytes", x.end-x.data)
}

func (v *values) text(ctx context.Context, off, n int64) model.Value {
	at := v.src.Span(off, n)
	if n <= maxText {
		if b, err := v.src.Bytes(ctx, off, n); err == nil {
			return model.Text(b)
		}
	}
	return model.Blob{Span: at}
}

func (v *values) fixedValue(ctx context.Context, s *shape, off int64) model.Value {
	b, err := v.src.Bytes(ctx, off, s.size)
	if err != nil {
		return nil
	}
	return s.value(b)
}

// parts makes the nodes of data of a shape that was measured. name is that of its node where it is one.
func (v *values) parts(ctx context.Context, name string, s *shape, off, end int64, depth int) []model.Node {
	switch s.form {
	case fixed:
		return []model.Node{v.fixedNode(ctx, name, s, off)}
	case text:
		length := v.number(ctx, "length", "u32", "bytes of the text", off, 4)
		if end == off+4 {
			return []model.Node{length}
		}
		return []model.Node{length, v.textNode(ctx, off+4, end-off-4)}
	case list:
		return v.listNodes(ctx, s, off, end, depth, nil)
	case sized:
		size := v.number(ctx, "size", "u64", "bytes of the value", off, 8)
		inner := v.node(ctx, "value", v.src.Span(off+8, end-off-8), depth+1)
		if end == off+8 {
			size.Problems = inner.Problems
			return []model.Node{size}
		}
		return []model.Node{size, inner}
	case rest, unregistered:
		n := v.node(ctx, name, v.src.Span(off, end-off), depth+1)
		inner := v.glance(ctx, off, end, depth+1)
		if s.form == unregistered && inner.problem == nil && inner.typ != 10 && inner.typ != 31 && inner.typ != 54 {
			n.Problems = append(n.Problems, model.Problemf(model.Suspicious, "omnilive.value.unregistered", n.Spans[0],
				"an UnregisteredValue holds %s", inner.typeName()).Want("String, Dictionary or UnregisteredValueListOp", inner.typeName()))
		}
		return []model.Node{n}
	case record:
		return v.recordNodes(ctx, s, off, end, depth)
	case listOp:
		return v.listOpNodes(ctx, s, off, end, depth)
	}
	return nil
}

// listNodes makes the nodes of a list: its count and its items. places may be nil.
func (v *values) listNodes(ctx context.Context, s *shape, off, end int64, depth int, places []int64) []model.Node {
	count := v.number(ctx, "count", "u64", "items", off, 8)
	n := int64(count.Value.(model.Uint))
	if n == 0 {
		return []model.Node{count}
	}
	return []model.Node{count, v.items(ctx, "items", s.item, off+8, end, n, depth, places)}
}

func (v *values) fixedNode(ctx context.Context, name string, s *shape, off int64) model.Node {
	n := model.Node{Name: name, Type: s.name, Spans: []model.Span{v.src.Span(off, s.size)}, Value: v.fixedValue(ctx, s, off)}
	if s.most > 0 {
		r := v.b.Reader(ctx)
		defer v.b.Release(r)
		if number, _ := r.Number(off, s.size); number > uint64(s.most) {
			n.Problems = []model.Problem{model.Problemf(model.Suspicious, "omnilive.value.range", n.Spans[0], "%d is no %s", number, s.name).
				Want(fmt.Sprintf("0 to %d", s.most), number)}
		}
	}
	return n
}

func (v *values) textNode(ctx context.Context, off, length int64) model.Node {
	n := model.Node{Name: "text", Type: "text", Value: v.text(ctx, off, length), Spans: []model.Span{v.src.Span(off, length)}}
	if s, ok := n.Value.(model.Text); ok && !utf8.ValidString(string(s)) {
		n.Problems = []model.Problem{model.Problemf(model.Suspicious, "omnilive.value.utf8", n.Spans[0], "the text is not UTF-8")}
	}
	return n
}

func (v *values) recordNodes(ctx context.Context, s *shape, off, end int64, depth int) []model.Node {
	sc := v.scan(ctx)
	defer v.release(sc)
	var nodes []model.Node
	for _, f := range s.fields {
		next, _ := v.measure(sc, f.shape, off, end)
		nodes = append(nodes, v.group(ctx, f.name, f.shape, off, next, depth))
		off = next
	}
	return nodes
}

// group makes one node of data of a shape.
func (v *values) group(ctx context.Context, name string, s *shape, off, end int64, depth int) model.Node {
	if s.form == fixed {
		return v.fixedNode(ctx, name, s, off)
	}
	n := model.Node{Name: name, Type: s.name, Spans: []model.Span{v.src.Span(off, end-off)}}
	nodes := v.parts(ctx, name, s, off, end, depth)
	if s.form == text {
		n.Value = v.text(ctx, off+4, end-off-4)
	} else if s.form == sized && len(nodes) == 2 {
		n.Value, n.Brief = nodes[1].Value, nodes[1].Brief
	} else if s.form == record {
		n.Value, n.Brief = nil, nodes[0].Brief
		if t, ok := nodes[0].Value.(model.Text); ok {
			n.Brief = model.Show(ctx, t, 80)
		}
		if s.leads && end-off <= smallValue {
			n.Brief = v.summary(ctx, s, off, end, depth)
		}
	} else if s.form == list && end-off <= smallValue {
		n.Brief = v.summary(ctx, s, off, end, depth)
	}
	n.Children = model.NewList(nodes...)
	return n
}

func (v *values) listOpNodes(ctx context.Context, s *shape, off, end int64, depth int) []model.Node {
	sc := v.scan(ctx)
	defer v.release(sc)
	header, _ := sc.U8(off)
	at := v.src.Span(off, 1)
	names := []string{"isExplicit", "hasExplicitItems", "hasAddedItems", "hasDeletedItems", "hasOrderedItems", "hasPrependedItems", "hasAppendedItems", "unused"}
	var bits []model.Node
	for i, name := range names {
		span := at
		span.Mask = 1 << i
		bits = append(bits, model.Node{Name: name, Type: "bit", Value: model.Bool(header>>i&1 == 1), Spans: []model.Span{span}})
	}
	nodes := []model.Node{{Name: "header", Type: "u8", Elements: true, Value: model.Flags(uint64(header), names), Spans: []model.Span{at}, Children: model.NewList(bits...), Help: "which lists follow"}}
	off++
	for _, l := range listOpParts {
		if header>>l.bit&1 == 1 {
			shape := &shape{form: list, name: l.name, item: s.item}
			next, _ := v.measure(sc, shape, off, end)
			nodes = append(nodes, v.group(ctx, l.name, shape, off, next, depth))
			off = next
		}
	}
	return nodes
}

// items makes the node of count items that take [off, end). Of many whose places are not known they are measured when
// they are looked at.
func (v *values) items(ctx context.Context, name string, s *shape, off, end, count int64, depth int, places []int64) model.Node {
	n := model.Node{Name: name, Type: s.name + "[]", Spans: []model.Span{v.src.Span(off, end-off)}}
	if s.form == fixed {
		n.Elements = true
		n.Value = &model.Elements{Type: s.name, Count: count, Make: func(ctx context.Context, i int64) (model.Value, error) {
			b, err := v.src.Bytes(ctx, off+i*s.size, s.size)
			if err != nil {
				return nil, err
			}
			return s.value(b), nil
		}, Place: func(_ context.Context, i int64) model.Span { return v.src.Span(off+i*s.size, s.size) }}
		n.Children = model.FixedRows(v.src, off, s.size, count, func(ctx context.Context, i int64) model.Node {
			return v.fixedNode(ctx, model.IndexName(i), s, off+i*s.size)
		})
		return n
	}
	n.Brief = fmt.Sprintf("%d items", count)
	rows := &rows{v: v, s: s, off: off, end: end, count: count, depth: depth, places: places}
	if places == nil && end-off > smallValue {
		n.Children = v.pending(pendingKey{"items", off, end}, rows.find)
		return n
	}
	if places == nil {
		sc := v.scan(ctx)
		defer v.release(sc)
		v.measureItems(sc, s, off, end, count, &rows.places)
	}
	n.Children = rows
	if s.form == text {
		n.Value = &model.Elements{Type: s.name, Count: count, Make: func(ctx context.Context, i int64) (model.Value, error) {
			off, end := rows.place(ctx, i)
			return v.text(ctx, off+4, end-off-4), nil
		}, Place: rows.span}
		n.Brief = ""
	}
	return n
}

// glance reads a value as far as it takes no pass over much: of a large one the header.
func (v *values) glance(ctx context.Context, off, end int64, depth int) value {
	if end-off <= smallValue {
		return v.read(ctx, off, end, depth)
	}
	sc := v.scan(ctx)
	defer v.release(sc)
	return v.header(sc.Reader, off, end, depth)
}

// node is the node of the value at at. A large one is pending, and read when it is looked at.
func (v *values) node(ctx context.Context, name string, at model.Span, depth int) model.Node {
	x := v.glance(ctx, at.Off, at.End(), depth)
	if at.Len <= smallValue {
		return x.node(ctx, name)
	}
	return model.Node{
		Name: name, Type: x.typeName(), Spans: []model.Span{at}, Help: "a large value; the packing is assumed",
		Children: v.pending(pendingKey{"value", at.Off, at.End()}, func(ctx context.Context, progress model.Progress) (model.Children, error) {
			x, err := v.readLong(ctx, at, depth, 0, progress)
			if err != nil {
				return nil, err
			}
			return model.NewList(x.node(ctx, "value")), nil
		}),
	}
}
