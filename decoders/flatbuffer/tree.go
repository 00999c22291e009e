package flatbuffer

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

// A Tree is the layout of one buffer: its root offset, identifier and objects in the order of their places.
type Tree struct {
	B    *Buffer
	S    *Schema // nil: types are inferred
	Path string  // of the node whose children it makes

	// Decorate may give nodes that show what the bytes of a vector mean. They tile at, which is not empty. field is the
	// field of the table that refers to the vector.
	Decorate func(ctx context.Context, table *Table, field *Field, at model.Span) []model.Node

	// Walked is told, once, whether all of a buffer verifies of which only the first items were looked at before. Its error
	// is that of ctx, which ended.
	Walked func(ctx context.Context, sound bool, progress model.Progress) error

	Links Links

	lazy   *model.Lazy
	first  *walk // of the opening
	nested nestedBuffers
}

// A Verdict is what verification of a buffer by a schema found.
type Verdict struct {
	Schema  *Schema
	Errors  int   // problems that refuse the buffer
	Unknown int   // slots that the schema does not know
	Partial bool  // only the first items of some vector were looked at
	Reached int64 // how far into the buffer the verified tables reach
	Rooted  bool  // the root table verifies
	w       *walk
}

// Verify looks at the buffer by a schema, at most limit items of each vector; 0 is all.
func (b *Buffer) Verify(ctx context.Context, s *Schema, limit int64) Verdict {
	w := b.verify(ctx, s, limit)
	v := Verdict{Schema: s, Unknown: w.unknown, Partial: w.partial, Reached: w.reached, Rooted: w.reached > 0, w: w}
	for i := range w.problems {
		if w.problems[i].Kind.Severity() == model.Error {
			v.Errors++
		}
	}
	return v
}

// Sound reports whether all of the tree's buffer verifies by its schema, which it may have to walk first.
func (t *Tree) Sound(ctx context.Context, progress model.Progress) (bool, error) {
	w, err := t.walked(ctx, progress)
	return err == nil && w.sound(), err
}

// Verifies reports whether all of the buffer verifies by another schema.
func (b *Buffer) Verifies(ctx context.Context, s *Schema, progress model.Progress) (bool, error) {
	w, err := b.walk(ctx, s, 0, progress)
	return err == nil && w.sound(), err
}

func (w *walk) sound() bool {
	return !slices.ContainsFunc(w.problems, func(p located) bool { return p.Kind.Severity() == model.Error })
}

// First is the first error; nil where there is none.
func (v *Verdict) First() error {
	for i := range v.w.problems {
		if p := v.w.problems[i].Problem; p.Kind.Severity() == model.Error {
			return p
		}
	}
	return nil
}

// NewTree makes the layout at path of a buffer that was looked at: at once where all of it was, else pending.
func NewTree(b *Buffer, v Verdict, path string) *Tree {
	t := &Tree{B: b, S: v.Schema, Path: path, first: v.w}
	t.lazy = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		w, err := b.walk(ctx, v.Schema, 0, progress)
		if err == nil && t.Walked != nil {
			err = t.Walked(ctx, w.sound(), progress)
		}
		if err != nil {
			return nil, err
		}
		return t.children(w), nil
	})
	t.link()
	return t
}

// Node is the node of the whole buffer.
func (t *Tree) Node(name, help string) model.Node {
	n := model.Node{Name: name, Type: "FlatBuffer", Help: help, Spans: []model.Span{t.B.Whole()}}
	if !t.first.partial {
		n.Children = t.children(t.first)
		n.Problems = t.problemsAt(t.first, 0)
		return n
	}
	n.Children = t.lazy
	if c, ok := t.lazy.Resolved().(*objects); ok {
		n.Problems = t.problemsAt(c.w, 0)
		return n
	}
	for i := range t.first.problems {
		n.Problems = append(n.Problems, t.first.problems[i].Problem)
	}
	return n
}

// Walk is the whole walk, which it may do first.
func (t *Tree) walked(ctx context.Context, progress model.Progress) (*walk, error) {
	if !t.first.partial {
		return t.first, nil
	}
	if err := t.lazy.Resolve(ctx, progress); err != nil {
		return nil, err
	}
	return t.lazy.Resolved().(*objects).w, nil
}

// problemsAt lists the problems of the object at off; 0 is the buffer itself.
func (t *Tree) problemsAt(w *walk, off uint32) []model.Problem {
	i := sort.Search(len(w.problems), func(i int) bool { return w.problems[i].off >= off })
	var list []model.Problem
	for ; i < len(w.problems) && w.problems[i].off == off; i++ {
		list = append(list, w.problems[i].Problem)
	}
	if off == 0 && w.dropped > 0 {
		list = append(list, model.Problemf(model.Limit, t.B.prefix+ruleWork, t.B.Whole(), "%d more problems are not listed", w.dropped))
	}
	return list
}

// name is the name of the object at off: its offset in the source.
func (t *Tree) name(off int64) string { return fmt.Sprintf("%#x", t.B.base+off) }

// ObjectPath is the path of the object at off in the buffer.
func (t *Tree) ObjectPath(off int64) string { return t.Path + "/" + t.name(off) }

// Ref leads to the object at off in the buffer; to its bytes only, where verification did not come to it.
func (t *Tree) Ref(kind string, off int64) model.Ref {
	ref := t.refTo(kind, off)
	if _, ok := t.Entry(off); !ok && t.known() != nil {
		ref.Path = ""
	}
	return ref
}

// objects is the children of the buffer's node: the head, then a row for each object.
type objects struct {
	t    *Tree
	w    *walk
	head []model.Node
}

func (t *Tree) children(w *walk) *objects {
	c := &objects{t: t, w: w}
	b := t.B
	if b.rootAt > 0 {
		c.head = append(c.head, t.headNode(w.ctx, "size prefix", 0, "the number of bytes that follow"))
	}
	root := t.headNode(w.ctx, "root offset", b.rootAt, "from here to the root table")
	if to := w.r.target(b.rootAt); to != 0 && w.find(to) != nil {
		root.Refs = func(context.Context) []model.Ref { return []model.Ref{t.ref("root table", to)} }
	}
	c.head = append(c.head, root)
	if at := b.rootAt + offsetSize; w.headEnd() > at {
		c.head = append(c.head, model.Node{
			Name: "identifier", Type: "char[4]", Value: model.Text(b.Identifier(w.ctx)), Spans: []model.Span{b.Span(at, identifierSize)},
			Help: "the file identifier that the schema gives",
		})
	}
	if len(w.objects) == 0 {
		end := min(w.headEnd(), b.size)
		if b.size > end {
			c.head = append(c.head, model.Node{
				Name: "rest", Type: "bytes", Role: model.Unknown, Spans: []model.Span{b.Span(end, b.size-end)},
				Help: "without a root table nothing says what these bytes are",
			})
		}
	}
	return c
}

func (t *Tree) headNode(ctx context.Context, name string, at int64, help string) model.Node {
	n := model.Node{Name: name, Type: "uint", Help: help, Spans: []model.Span{t.B.Span(at, offsetSize)}}
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	if v, ok := r.U32(at); ok {
		n.Value = model.Uint(v)
	}
	return n
}

func (t *Tree) ref(kind string, to int64) model.Ref {
	return model.Ref{Kind: kind, Path: t.ObjectPath(to)}
}

// Len implements model.Children.
func (c *objects) Len(context.Context) (int64, bool) {
	return int64(len(c.head) + len(c.w.objects)), true
}

// At implements model.Children.
func (c *objects) At(_ context.Context, i int64) model.Node {
	if i < int64(len(c.head)) {
		return c.head[i]
	}
	return c.t.object(c.w, c.w.objects[i-int64(len(c.head))])
}

// Find implements model.Finder.
func (c *objects) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return c.locate(ctx, q.Source, q.Off)
	}
	return c.index(ctx, q.Name)
}

func (c *objects) index(_ context.Context, name string) (int64, bool) {
	for i := range c.head {
		if c.head[i].Name == name {
			return int64(i), true
		}
	}
	off, err := strconv.ParseInt(strings.TrimPrefix(name, "0x"), 16, 64)
	if err != nil || fmt.Sprintf("%#x", off) != name {
		return 0, false
	}
	off -= c.t.B.base
	i := sort.Search(len(c.w.objects), func(i int) bool { return int64(c.w.objects[i].off) >= off })
	if i < len(c.w.objects) && int64(c.w.objects[i].off) == off {
		return int64(len(c.head) + i), true
	}
	return 0, false
}

func (c *objects) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	for i := range c.head {
		if c.head[i].Span().Covers(src, off) {
			return int64(i), true
		}
	}
	off -= c.t.B.base
	if !src.Same(c.t.B.src) || off < 0 {
		return 0, false
	}
	i := sort.Search(len(c.w.objects), func(i int) bool { return int64(c.w.objects[i].end) > off })
	if i < len(c.w.objects) && int64(c.w.objects[i].off) <= off {
		return int64(len(c.head) + i), true
	}
	return 0, false
}

// object makes the node of an object.
func (t *Tree) object(w *walk, o object) model.Node {
	n := model.Node{
		Name: t.name(int64(o.off)), Spans: []model.Span{t.B.Span(int64(o.off), int64(o.end)-int64(o.off))},
		Problems: t.problemsAt(w, o.off),
	}
	if o.off == 0 {
		n.Problems = nil // the buffer's own
	}
	r := t.B.Reader(w.ctx)
	defer t.B.Release(r)
	switch o.kind {
	case aGap:
		n.Type, n.Role, n.Value = "bytes", o.role, model.Blob{Span: n.Spans[0]}
		n.Help = map[model.Role]string{
			model.Padding: "filler that aligns what follows", model.Unreferenced: "no offset leads here",
			model.Unknown: "without a root table nothing says what these bytes are",
		}[o.role]
	case aVTable:
		t.vtableNode(&n, r, o)
	case aTable:
		t.tableNode(&n, r, w, o)
	case aString:
		t.stringNode(w.ctx, &n, o)
	case aVector:
		t.vectorNode(&n, r, w, o)
	}
	return n
}

func (t *Tree) vtableNode(n *model.Node, r *Reader, o object) {
	n.Type, n.Help = "vtable", "where the fields of its tables are, by slot"
	n.Shared = o.owner > 1
	n.Brief = model.Counted(int64(o.owner), "table")
	off := int64(o.off)
	u16 := func(name string, at int64, help string) model.Node {
		v, _ := r.U16(at)
		return model.Node{Name: name, Type: "ushort", Value: model.Uint(v), Help: help, Spans: []model.Span{t.B.Span(at, 2)}, Shared: n.Shared}
	}
	slots := (int64(o.end) - off - vtableHead) / 2
	nodes := []model.Node{u16("vtable size", off, "bytes, these two included"), u16("table size", off+2, "bytes of a table inline")}
	if slots > 0 {
		rows := model.FixedRows(t.B.src, t.B.base+off+vtableHead, 2, slots, func(ctx context.Context, i int64) model.Node {
			r := t.B.Reader(ctx)
			defer t.B.Release(r)
			at := off + vtableHead + 2*i
			v, _ := r.U16(at)
			return model.Node{Name: model.IndexName(i), Type: "ushort", Value: model.Uint(v), Spans: []model.Span{t.B.Span(at, 2)}, Shared: n.Shared}
		})
		nodes = append(nodes, model.Node{
			Name: "slots", Type: "ushort[]", Elements: true, Shared: n.Shared, Children: rows,
			Spans: []model.Span{t.B.Span(off+vtableHead, 2*slots)}, Help: "from the table's first byte to the field; 0: absent",
			Value: &model.Elements{Type: "ushort", Count: slots, Make: func(ctx context.Context, i int64) (model.Value, error) { return rows.Make(ctx, i).Value, nil }},
		})
	}
	n.Children = model.NewList(nodes...)
}

func (t *Tree) stringNode(ctx context.Context, n *model.Node, o object) {
	n.Type, n.Shared = "string", false
	if t.S == nil {
		n.Type, n.Help = "string"+guessed, "inferred: the bytes look like a string"
	}
	first, length := int64(o.off)+offsetSize, int64(o.end)-int64(o.off)-offsetSize-1
	if length < 0 {
		n.Help = "a string that runs out of the buffer"
		return
	}
	text, size := t.text(ctx, first, length)
	n.Value = text
	length0 := model.Node{Name: "length", Type: "uint", Value: size, Spans: []model.Span{t.B.Span(int64(o.off), offsetSize)}, Help: "bytes, without the NUL"}
	nodes := []model.Node{length0}
	if length > 0 {
		nodes = append(nodes, model.Node{Name: "text", Type: "char[]", Value: text, Spans: []model.Span{t.B.Span(first, length)}})
	}
	nul := model.Node{Name: "NUL", Type: "char", Spans: []model.Span{t.B.Span(first+length, 1)}}
	nul.Value = model.Blob{Span: nul.Spans[0]}
	n.Children = model.NewList(append(nodes, nul)...)
	if s, ok := text.(model.Text); ok && !validUTF8(string(s)) {
		n.Problems = append(slices.Clip(n.Problems), model.Problemf(model.Assumed, t.B.prefix+ruleUTF8, t.B.Span(first, length), "the string is not UTF-8"))
	}
}

// text is a string as a value: as text, or, if it is long, as bytes.
func (t *Tree) text(ctx context.Context, first, length int64) (text, size model.Value) {
	at := t.B.Span(first, length)
	if length <= maxInferredText {
		if p, err := at.Source.Bytes(ctx, at.Off, at.Len); err == nil {
			return model.Text(p), model.Uint(length)
		}
	}
	return model.Blob{Span: at}, model.Uint(length)
}

// scalar reads a scalar of a type as a value.
func (t *Tree) scalar(r *Reader, typ Type, at int64) model.Value {
	size := scalarSize(typ.Base)
	v, _ := r.Number(at, size)
	return t.scalarValue(typ, v, size)
}

func (t *Tree) scalarValue(typ Type, v uint64, size int64) model.Value {
	if typ.Index >= 0 && t.S != nil && typ.Index < len(t.S.Enums) {
		shift := 64 - 8*uint(size)
		number := int64(v<<shift) >> shift
		switch typ.Base {
		case reflection.BaseTypeUType, reflection.BaseTypeUByte, reflection.BaseTypeUShort, reflection.BaseTypeUInt, reflection.BaseTypeBool:
			number = int64(v)
		}
		return model.Symbol{Number: number, Name: t.S.Enums[typ.Index].symbol(number)}
	}
	return number(typ.Base, v)
}
