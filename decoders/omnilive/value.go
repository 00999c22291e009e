package omnilive

import (
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
	itemStep   = 16 // every so many items of different sizes the place of one is kept
)

const ruleMisfit = "omnilive.value.misfit"

// values decodes values of one source; offsets are the source's.
type values struct {
	src *model.Source
	b   *flatbuffer.Buffer // all of src, for its readers
}

func newValues(src *model.Source) *values {
	return &values{src, flatbuffer.NewBuffer(src, 0, src.Size(), false)}
}

// value is a value's header and whether the layout of its type fits.
type value struct {
	v        *values
	off, end int64
	depth    int
	typ      uint8
	isArray  bool
	version  uint8
	count    int64 // of an array
	data     int64 // where the data begins, behind the header
	problem  *model.Problem
	raw      bool // the data is shown as bytes
}

// read reads the header of the value in [off, end) and measures its data.
func (v *values) read(off, end int64, depth int) value {
	r := v.b.Reader()
	defer v.b.Release(r)
	x := value{v: v, off: off, end: end, depth: depth, raw: true}
	fail := func(kind model.Kind, rule, format string, args ...any) value {
		p := model.Problemf(kind, rule, v.src.Span(off, end-off), format, args...)
		x.problem = &p
		return x
	}
	first, ok := r.U8(off)
	if end-off < headerSize || !ok {
		x.data = off
		return fail(model.Suspicious, "omnilive.value.header", "a value of %d bytes has no room for its header of %d", end-off, headerSize)
	}
	x.typ, x.isArray, x.data = first&0x7f, first&0x80 != 0, off+headerSize
	x.version, _ = r.U8(off + 1)
	t := x.known()
	switch {
	case t == nil:
		return fail(model.Suspicious, "omnilive.value.type", "the type number %d is not known: its bytes are shown", x.typ)
	case x.version != 0:
		return fail(model.Suspicious, "omnilive.value.version", "version %d of the packing of %s is not known: its bytes are shown", x.version, t.name)
	case x.isArray && !t.array:
		return fail(model.Suspicious, "omnilive.value.array", "%s has no arrays: its bytes are shown", t.name)
	case depth > maxNesting:
		return fail(model.Suspicious, "omnilive.value.depth", "values are nested deeper than %d: this one's bytes are shown", maxNesting)
	}
	misfit := func() value {
		x.data = off + headerSize
		x.count = 0
		return fail(model.Suspicious, ruleMisfit, "the assumed layout of %s does not take exactly these %d bytes", x.typeName(), end-off)
	}
	next := x.data
	if x.isArray {
		count, ok := r.Number(x.data, 8)
		if !ok || x.data+8 > end || !fits(count, t.shape.least(), end-x.data-8) {
			return misfit()
		}
		x.count, x.data = int64(count), x.data+8
		next, ok = v.measureItems(r, t.shape, x.data, end, x.count)
		if !ok || next != end {
			return misfit()
		}
	} else if next, ok = v.measure(r, t.shape, x.data, end); !ok || next != end {
		return misfit()
	}
	x.raw = false
	if x.isArray && x.typ == timeCode {
		return fail(model.Suspicious, "omnilive.value.timecode-array", "the page has no arrays of TimeCode; this one is decoded as USD would")
	}
	return x
}

// maxPartPadding is how many bytes may stand behind the value in a part.
const maxPartPadding = 64

// readPart reads the value of a part, which a few bytes of padding may follow.
func (v *values) readPart(at model.Span) value {
	x := v.read(at.Off, at.End(), 0)
	if x.problem == nil || x.problem.Rule != ruleMisfit {
		return x
	}
	r := v.b.Reader()
	next, ok := x.data, false
	if s := x.known().shape; !x.isArray {
		next, ok = v.measure(r, s, x.data, at.End())
	} else if count, there := r.Number(x.data, 8); there && fits(count, s.least(), at.End()-x.data-8) {
		next, ok = v.measureItems(r, s, x.data+8, at.End(), int64(count))
	}
	v.b.Release(r)
	if !ok || at.End()-next > maxPartPadding {
		return x
	}
	return v.read(at.Off, next, 0)
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

// fits tells whether count items of at least size bytes fit into room bytes.
func fits(count uint64, size, room int64) bool {
	return room >= 0 && count <= uint64(room)/uint64(max(size, 1))
}

// least is how many bytes a shape takes at least.
func (s *shape) least() int64 {
	switch s.form {
	case fixed:
		return s.size
	case text:
		return 4
	case list, sized:
		return 8
	case listOp:
		return 1
	case record:
		n := int64(0)
		for _, f := range s.fields {
			n += f.shape.least()
		}
		return n
	}
	return 0
}

// measure returns the end of data of a shape that begins at off; false where it does not fit before end.
func (v *values) measure(r *flatbuffer.Reader, s *shape, off, end int64) (int64, bool) {
	switch s.form {
	case fixed:
		return off + s.size, end-off >= s.size
	case nothing:
		return off, true
	case rest, unregistered:
		return end, end > off
	case text, sized:
		width := s.least()
		n, ok := r.Number(off, width)
		return off + width + int64(n), ok && end-off >= width && n <= uint64(end-off-width)
	case list:
		n, ok := r.Number(off, 8)
		if !ok || end-off < 8 || !fits(n, s.item.least(), end-off-8) {
			return off, false
		}
		return v.measureItems(r, s.item, off+8, end, int64(n))
	case record:
		for _, f := range s.fields {
			var ok bool
			if off, ok = v.measure(r, f.shape, off, end); !ok {
				return off, false
			}
		}
		return off, true
	}
	header, ok := r.U8(off)
	if !ok || off >= end || header&0x80 != 0 {
		return off, false
	}
	off++
	for _, l := range listOpParts {
		if header>>l.bit&1 == 1 {
			if off, ok = v.measure(r, &shape{form: list, item: s.item}, off, end); !ok {
				return off, false
			}
		}
	}
	return off, true
}

func (v *values) measureItems(r *flatbuffer.Reader, s *shape, off, end, count int64) (int64, bool) {
	if s.form == fixed {
		return off + count*s.size, count <= (end-off)/s.size
	}
	for range count {
		var ok bool
		if off, ok = v.measure(r, s, off, end); !ok {
			return off, false
		}
	}
	return off, true
}

func (v *values) number(name, typ, help string, off, size int64) model.Node {
	r := v.b.Reader()
	defer v.b.Release(r)
	n, _ := r.Number(off, size)
	return model.Node{Name: name, Type: typ, Help: help, Value: model.Uint(n), Spans: []model.Span{v.src.Span(off, size)}}
}

// nodes makes the nodes that tile the value.
func (x *value) nodes() []model.Node {
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
	nodes := []model.Node{typeNode, v.number("version", "u8", "of the type's packing; 0 is known", x.off+1, 1)}
	if x.raw {
		if x.end > x.data {
			nodes = append(nodes, x.rawNode())
		}
		return nodes
	}
	s := x.known().shape
	if x.isArray {
		nodes = append(nodes, v.number("count", "u64", "elements; that it stands directly behind the version is assumed", x.data-8, 8))
		if x.count > 0 {
			nodes = append(nodes, v.items("elements", s, x.data, x.end, x.count, x.depth))
		}
		return nodes
	}
	return append(nodes, v.parts("value", s, x.data, x.end, x.depth)...)
}

func (x *value) rawNode() model.Node {
	at := x.v.src.Span(x.data, x.end-x.data)
	return model.Node{Name: "bytes", Type: "bytes", Role: model.Unknown, Value: model.Blob{Span: at}, Spans: []model.Span{at}, Help: "no layout is known that takes exactly these bytes"}
}

// node makes one node of the value, with what is wrong with it.
func (x *value) node(name string) model.Node {
	n := model.Node{Name: name, Type: x.typeName(), Spans: []model.Span{x.v.src.Span(x.off, x.end-x.off)}, Help: "a value; the packing is assumed"}
	if x.problem != nil {
		n.Problems = []model.Problem{*x.problem}
	}
	if x.end > x.off {
		n.Children = model.NewList(x.nodes()...)
	}
	n.Value, n.Brief = x.show()
	return n
}

// show is the value for one line: a value, or words on it.
func (x *value) show() (model.Value, string) {
	v := x.v
	if x.raw {
		return model.Blob{Span: v.src.Span(x.off, x.end-x.off)}, ""
	}
	s := x.known().shape
	if x.isArray {
		if x.count == 0 {
			return &model.Elements{Type: s.name}, ""
		}
		n := v.items("elements", s, x.data, x.end, x.count, x.depth)
		return n.Value, n.Brief
	}
	switch s.form {
	case fixed:
		return v.fixedValue(s, x.data), ""
	case text:
		return v.text(x.data+4, x.end-x.data-4), ""
	case nothing:
		return model.None{}, ""
	case list:
		r := v.b.Reader()
		defer v.b.Release(r)
		n, _ := r.Number(x.data, 8)
		return nil, fmt.Sprintf("%d × %s", n, s.name)
	case rest, unregistered:
		inner := v.read(x.data, x.end, x.depth+1)
		return nil, inner.typeName()
	}
	return nil, fmt.Sprintf("%d bytes", x.end-x.data)
}

func (v *values) text(off, n int64) model.Value {
	at := v.src.Span(off, n)
	if n <= maxText {
		if b, err := v.src.Bytes(off, n); err == nil {
			return model.Text(b)
		}
	}
	return model.Blob{Span: at}
}

func (v *values) fixedValue(s *shape, off int64) model.Value {
	b, err := v.src.Bytes(off, s.size)
	if err != nil {
		return nil
	}
	return s.value(b)
}

// parts makes the nodes of data of a shape that was measured. name is that of its node where it is one.
func (v *values) parts(name string, s *shape, off, end int64, depth int) []model.Node {
	switch s.form {
	case fixed:
		return []model.Node{v.fixedNode(name, s, off)}
	case text:
		length := v.number("length", "u32", "bytes of the text", off, 4)
		if end == off+4 {
			return []model.Node{length}
		}
		return []model.Node{length, v.textNode(off+4, end-off-4)}
	case list:
		count := v.number("count", "u64", "items", off, 8)
		n := int64(count.Value.(model.Uint))
		if n == 0 {
			return []model.Node{count}
		}
		return []model.Node{count, v.items("items", s.item, off+8, end, n, depth)}
	case sized:
		size := v.number("size", "u64", "bytes of the value", off, 8)
		inner := v.read(off+8, end, depth+1)
		if end == off+8 {
			size.Problems = []model.Problem{*inner.problem}
			return []model.Node{size}
		}
		return []model.Node{size, inner.node("value")}
	case rest, unregistered:
		inner := v.read(off, end, depth+1)
		n := inner.node(name)
		if s.form == unregistered && inner.problem == nil && inner.typ != 10 && inner.typ != 31 && inner.typ != 54 {
			n.Problems = append(n.Problems, model.Problemf(model.Suspicious, "omnilive.value.unregistered", n.Spans[0],
				"an UnregisteredValue holds %s", inner.typeName()).Want("String, Dictionary or UnregisteredValueListOp", inner.typeName()))
		}
		return []model.Node{n}
	case record:
		return v.recordNodes(s, off, end, depth)
	case listOp:
		return v.listOpNodes(s, off, end, depth)
	}
	return nil
}

func (v *values) fixedNode(name string, s *shape, off int64) model.Node {
	n := model.Node{Name: name, Type: s.name, Spans: []model.Span{v.src.Span(off, s.size)}, Value: v.fixedValue(s, off)}
	if s.most > 0 {
		r := v.b.Reader()
		defer v.b.Release(r)
		if number, _ := r.Number(off, s.size); number > uint64(s.most) {
			n.Problems = []model.Problem{model.Problemf(model.Suspicious, "omnilive.value.range", n.Spans[0], "%d is no %s", number, s.name).
				Want(fmt.Sprintf("0 to %d", s.most), number)}
		}
	}
	return n
}

func (v *values) textNode(off, length int64) model.Node {
	n := model.Node{Name: "text", Type: "text", Value: v.text(off, length), Spans: []model.Span{v.src.Span(off, length)}}
	if s, ok := n.Value.(model.Text); ok && !utf8.ValidString(string(s)) {
		n.Problems = []model.Problem{model.Problemf(model.Suspicious, "omnilive.value.utf8", n.Spans[0], "the text is not UTF-8")}
	}
	return n
}

func (v *values) recordNodes(s *shape, off, end int64, depth int) []model.Node {
	r := v.b.Reader()
	defer v.b.Release(r)
	var nodes []model.Node
	for _, f := range s.fields {
		next, _ := v.measure(r, f.shape, off, end)
		nodes = append(nodes, v.group(f.name, f.shape, off, next, depth))
		off = next
	}
	return nodes
}

// group makes one node of data of a shape.
func (v *values) group(name string, s *shape, off, end int64, depth int) model.Node {
	if s.form == fixed {
		return v.fixedNode(name, s, off)
	}
	n := model.Node{Name: name, Type: s.name, Spans: []model.Span{v.src.Span(off, end-off)}}
	nodes := v.parts(name, s, off, end, depth)
	if s.form == text {
		n.Value = v.text(off+4, end-off-4)
	} else if s.form == sized && len(nodes) == 2 {
		n.Value, n.Brief = nodes[1].Value, nodes[1].Brief
	} else if s.form == record {
		n.Value, n.Brief = nil, nodes[0].Brief
		if t, ok := nodes[0].Value.(model.Text); ok {
			n.Brief = model.Show(t, 80)
		}
	}
	n.Children = model.NewList(nodes...)
	return n
}

func (v *values) listOpNodes(s *shape, off, end int64, depth int) []model.Node {
	r := v.b.Reader()
	defer v.b.Release(r)
	header, _ := r.U8(off)
	at := v.src.Span(off, 1)
	names := []string{"isExplicit", "hasExplicitItems", "hasAddedItems", "hasDeletedItems", "hasOrderedItems", "hasPrependedItems", "hasAppendedItems", "unused"}
	var bits []model.Node
	for i, name := range names {
		span := at
		span.Mask = 1 << i
		bits = append(bits, model.Node{Name: name, Type: "bit", Value: model.Bool(header>>i&1 == 1), Spans: []model.Span{span}})
	}
	nodes := []model.Node{{Name: "header", Type: "u8", Brief: fmt.Sprintf("%#02x", header), Spans: []model.Span{at}, Children: model.NewList(bits...), Help: "which lists follow"}}
	off++
	for _, l := range listOpParts {
		if header>>l.bit&1 == 1 {
			shape := &shape{form: list, name: l.name, item: s.item}
			next, _ := v.measure(r, shape, off, end)
			nodes = append(nodes, v.group(l.name, shape, off, next, depth))
			off = next
		}
	}
	return nodes
}

// items makes the node of count items that take [off, end).
func (v *values) items(name string, s *shape, off, end, count int64, depth int) model.Node {
	n := model.Node{Name: name, Type: s.name + "[]", Spans: []model.Span{v.src.Span(off, end-off)}}
	if s.form == fixed {
		n.Elements = true
		n.Value = &model.Elements{Type: s.name, Count: count, Make: func(i int64) (model.Value, error) {
			b, err := v.src.Bytes(off+i*s.size, s.size)
			if err != nil {
				return nil, err
			}
			return s.value(b), nil
		}}
		n.Children = model.FixedRows(v.src, off, s.size, count, func(i int64) model.Node {
			return v.fixedNode(model.IndexName(i), s, off+i*s.size)
		})
		return n
	}
	rows := v.newRows(s, off, end, count, depth)
	n.Children = rows
	n.Brief = fmt.Sprintf("%d items", count)
	if s.form == text {
		n.Value = &model.Elements{Type: s.name, Count: count, Make: func(i int64) (model.Value, error) {
			off, end := rows.place(i)
			return v.text(off+4, end-off-4), nil
		}}
		n.Brief = ""
	}
	return n
}
