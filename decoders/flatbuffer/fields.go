package flatbuffer

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/model"
)

func validUTF8(s string) bool { return utf8.ValidString(s) }

// number returns a scalar as a value of its type. A truth that is neither 0 nor 1 stays a number.
func number(t reflection.BaseType, v uint64) model.Value {
	if kind := packedNumbers[t]; kind != model.NoNumber {
		return kind.OfBits(v)
	}
	if t == reflection.BaseTypeBool && v <= 1 {
		return model.Bool(v == 1)
	}
	return model.Uint(v)
}

// sparseList is a list in which the child over a byte is found although some have no bytes.
type sparseList struct{ *model.List }

// Find implements model.Finder.
func (f sparseList) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source == nil {
		return f.List.Find(ctx, q)
	}
	n, _ := f.Len(ctx)
	for i := range n {
		c := f.At(ctx, i)
		if c.Span().Covers(q.Source, q.Off) && c.Span().Len > 0 {
			return i, true
		}
	}
	return 0, false
}

// tableNode fills in the node of a table: its vtable offset, its fields in the order of their places with what lies
// between, and the absent ones with their defaults.
func (t *Tree) tableNode(n *model.Node, r *Reader, w *walk, o object) {
	off := int64(o.off)
	n.Type, n.Help = "table"+guessed, "inferred: no schema tells its fields"
	var obj *Object
	if t.S != nil && o.typ != noSchema {
		obj = &t.S.Objects[o.typ]
		n.Type = baseName(obj.Name)
		n.Help = "table " + obj.Name
	}
	table, ok := r.Table(off)
	head := model.Node{
		Name: "vtable offset", Type: "int", Spans: []model.Span{t.B.Span(off, offsetSize)},
		Help: "subtracted from the table's own place it gives the vtable's",
	}
	back, _ := r.U32(off)
	head.Value = model.Int(int32(back))
	if v := w.find(table.vtable); ok && v != nil && v.kind == aVTable {
		head.Refs = func(context.Context) []model.Ref { return []model.Ref{t.ref("vtable", table.vtable)} }
	}
	if !ok || o.end == o.off+offsetSize {
		n.Children = model.NewList(head)
		return
	}
	table.size = int64(o.end) - off
	present, absent := t.fieldNodes(r, w, &table, obj)
	slices.SortStableFunc(present, func(a, b model.Node) int { return cmp.Compare(a.Span().Off, b.Span().Off) })
	nodes := []model.Node{head}
	end := head.Span().End()
	for _, f := range present {
		if f.Span().Off < end {
			continue // overlaps another, which is told
		}
		nodes = t.between(nodes, end, f.Span().Off)
		nodes = append(nodes, f)
		end = f.Span().End()
	}
	nodes = t.between(nodes, end, n.Spans[0].End())
	n.Brief = model.Counted(int64(len(present)), "field")
	if len(absent) > 0 {
		n.Brief += fmt.Sprintf(", %d absent", len(absent))
	}
	n.Children = sparseList{model.NewList(append(nodes, absent...)...)}
}

// between adds what lies between two fields; offsets are the source's.
func (t *Tree) between(nodes []model.Node, lo, hi int64) []model.Node {
	if lo >= hi {
		return nodes
	}
	at := t.B.src.Span(lo, hi-lo)
	return append(nodes, model.Node{
		Name: "padding", Type: "bytes", Role: model.Padding, Value: model.Blob{Span: at}, Spans: []model.Span{at},
		Help: "filler between fields",
	})
}

// fieldNodes makes the nodes of a table's fields.
func (t *Tree) fieldNodes(r *Reader, w *walk, table *Table, obj *Object) (present, absent []model.Node) {
	known := 0
	if obj != nil {
		known = len(obj.slots)
		for i := range obj.Fields {
			f := &obj.Fields[i]
			at := table.Slot(f.Slot)
			if at != 0 && at+t.S.size(f.Type) <= table.Off+table.size {
				present = append(present, t.fieldNode(r, w, f, at))
			} else if at == 0 {
				absent = append(absent, t.absentNode(f))
			}
		}
	}
	slots := t.slotsOf(table)
	for i, s := range slots {
		if s.index < known && obj.bySlot(s.index) != nil {
			continue
		}
		end := table.size
		if i+1 < len(slots) {
			end = min(end, slots[i+1].at)
		}
		if end > s.at {
			present = append(present, t.unknownSlot(r, w, table.Off+s.at, end-s.at, s.index))
		}
	}
	return present, absent
}

// slotsOf lists the present slots of a table by their places.
func (t *Tree) slotsOf(table *Table) []slot {
	var list []slot
	for i := range table.Slots() {
		if at := table.Slot(i); at != 0 {
			list = append(list, slot{i, at - table.Off})
		}
	}
	slices.SortStableFunc(list, func(a, b slot) int { return cmp.Compare(a.at, b.at) })
	return list
}

// guessed ends the types that no schema gives.
const guessed = "?"

// unknownSlot makes the node of a slot that no schema explains; its width is the distance to the next.
func (t *Tree) unknownSlot(r *Reader, w *walk, at, width int64, index int) model.Node {
	n := model.Node{
		Name: slotName(nil, index), Type: model.Counted(width, "byte") + guessed, Spans: []model.Span{t.B.Span(at, width)},
		Help: "inferred: the width is the distance to the next field, and may hold padding",
	}
	n.Value = model.Blob{Span: n.Spans[0]}
	if width == 1 || width == 2 || width == 4 || width == 8 {
		v, _ := r.Number(at, width)
		n.Value = model.Uint(v)
	}
	if to := r.target(at); width >= offsetSize && to != 0 {
		if o := w.find(to); o != nil && (o.kind == aTable || o.kind == aString || o.kind == aVector) {
			what := [...]string{aTable: "table", aString: "string", aVector: "vector"}[o.kind]
			n.Type, n.Help = "→ "+what+guessed, "inferred: it leads to what looks like a "+what
			n.Refs = func(context.Context) []model.Ref { return []model.Ref{t.ref(what, to)} }
		}
	}
	return n
}

func (t *Tree) absentNode(f *Field) model.Node {
	n := model.Node{Name: f.Name, Type: t.S.typeName(f.Type), Help: "absent"}
	if f.Help != "" {
		n.Help += ". " + f.Help
	}
	size := scalarSize(f.Type.Base)
	switch {
	case size == 0 || f.Optional:
		n.Value = model.None{}
	case f.Type.Base == reflection.BaseTypeFloat:
		n.Value = model.Float32(f.DefaultReal)
	case f.Type.Base == reflection.BaseTypeDouble:
		n.Value = model.Float64(f.DefaultReal)
	default:
		n.Value = t.scalarValue(f.Type, uint64(f.DefaultInt), size)
	}
	if n.Value != (model.None{}) {
		n.Help = "absent: the default holds"
	}
	return n
}

// fieldNode makes the node of a present field.
func (t *Tree) fieldNode(r *Reader, w *walk, f *Field, at int64) model.Node {
	n := model.Node{
		Name: f.Name, Type: t.S.typeName(f.Type), Help: f.Help, Spans: []model.Span{t.B.Span(at, t.S.size(f.Type))},
	}
	switch {
	case t.S.isOffset(f.Type):
		t.offsetValue(&n, r, w, at, t.targetKind(f))
	case f.Type.Base == reflection.BaseTypeObj:
		t.structNode(&n, r, f.Type.Index, at)
	default:
		n.Value = t.scalar(r, f.Type, at)
	}
	return n
}

func (t *Tree) targetKind(f *Field) string {
	switch f.Type.Base {
	case reflection.BaseTypeString:
		return "string"
	case reflection.BaseTypeVector:
		return t.S.typeName(f.Type)
	}
	return "table"
}

// offsetValue shows an offset and what it leads to.
func (t *Tree) offsetValue(n *model.Node, r *Reader, w *walk, at int64, kind string) {
	v, _ := r.U32(at)
	n.Value = model.Uint(v)
	to := r.target(at)
	if to == 0 || w.find(to) == nil || w.find(to).kind == aGap {
		return
	}
	n.Refs = func(ctx context.Context) []model.Ref {
		ref := t.ref(kind, to)
		ref.Span = t.B.Span(to, offsetSize)
		if o := w.find(to); o.kind == aString && o.end > o.off+offsetSize {
			text, _ := t.text(ctx, to+offsetSize, int64(o.end)-to-offsetSize-1)
			ref.Text = model.Show(ctx, text, 60)
		}
		return []model.Ref{ref}
	}
}

// structNode shows a struct that is inline.
func (t *Tree) structNode(n *model.Node, r *Reader, index int, at int64) {
	obj := &t.S.Objects[index]
	var nodes []model.Node
	end := n.Spans[0].Off
	for i := range obj.Fields {
		f := &obj.Fields[i]
		place := at + f.Offset
		node := model.Node{Name: f.Name, Type: t.S.typeName(f.Type), Help: f.Help, Spans: []model.Span{t.B.Span(place, t.S.size(f.Type))}}
		switch f.Type.Base {
		case reflection.BaseTypeObj:
			t.structNode(&node, r, f.Type.Index, place)
		case reflection.BaseTypeArray:
			t.elements(&node, f.Type.element(), place, f.Type.Length)
		default:
			node.Value = t.scalar(r, f.Type, place)
		}
		nodes = t.between(nodes, end, node.Span().Off)
		nodes = append(nodes, node)
		end = node.Span().End()
	}
	nodes = t.between(nodes, end, n.Spans[0].End())
	if len(nodes) > 0 {
		n.Children = sparseList{model.NewList(nodes...)}
	}
}

// elements makes n a leaf of count elements that begin at first in the buffer.
func (t *Tree) elements(n *model.Node, elem Type, first, count int64) {
	if count == 0 {
		return
	}
	width := int64(offsetSize)
	if t.S != nil {
		width = t.S.size(elem)
	}
	n.Elements = true
	n.Children = model.FixedRows(t.B.src, t.B.base+first, width, count, func(ctx context.Context, i int64) model.Node {
		r := t.B.Reader(ctx)
		defer t.B.Release(r)
		node := model.Node{Name: model.IndexName(i), Type: t.S.typeName(elem), Spans: []model.Span{t.B.Span(first+i*width, width)}}
		if elem.Base == reflection.BaseTypeObj {
			t.structNode(&node, r, elem.Index, first+i*width)
		} else {
			node.Value = t.scalar(r, elem, first+i*width)
		}
		return node
	})
	if elem.Base == reflection.BaseTypeObj {
		n.Brief = model.Counted(count, "element")
		return
	}
	n.Value = &model.Elements{Type: t.S.typeName(elem), Count: count, Make: func(ctx context.Context, i int64) (model.Value, error) {
		r := t.B.Reader(ctx)
		defer t.B.Release(r)
		return t.scalar(r, elem, first+i*width), nil
	}, Pack: t.packing(elem, t.B.Span(first, count*width))}
}

// packing is how scalars at a place are packed; enumerations show names and booleans beyond 1 numbers, so that these are
// not.
func (t *Tree) packing(elem Type, at model.Span) model.Packing {
	if elem.Index >= 0 {
		return model.Packing{}
	}
	return model.Packing{Number: packedNumbers[elem.Base], Components: 1, At: at}
}

var packedNumbers = map[reflection.BaseType]model.NumberKind{
	reflection.BaseTypeByte: model.NumberI8, reflection.BaseTypeUByte: model.NumberU8,
	reflection.BaseTypeShort: model.NumberI16, reflection.BaseTypeUShort: model.NumberU16, reflection.BaseTypeInt: model.NumberI32,
	reflection.BaseTypeUInt: model.NumberU32, reflection.BaseTypeLong: model.NumberI64, reflection.BaseTypeULong: model.NumberU64,
	reflection.BaseTypeFloat: model.NumberF32, reflection.BaseTypeDouble: model.NumberF64,
}

// vectorNode fills in the node of a vector.
func (t *Tree) vectorNode(n *model.Node, r *Reader, w *walk, o object) {
	typ := w.vectors[o.typ]
	off := int64(o.off)
	if typ.Base != reflection.BaseTypeVector { // a struct that a union points at
		n.Type = t.S.typeName(typ)
		t.structNode(n, r, typ.Index, off)
		return
	}
	elem := typ.element()
	n.Type = inferredName(typ)
	width := int64(1)
	if t.S != nil {
		n.Type, width = t.S.typeName(typ), t.S.size(elem)
	} else if elem.Base != reflection.BaseTypeUByte {
		width = offsetSize
	}
	first := off + offsetSize
	length := int64(o.end) - first
	count := length / width
	v, _ := r.U32(off)
	nodes := []model.Node{{Name: "length", Type: "uint", Value: model.Uint(v), Spans: []model.Span{t.B.Span(off, offsetSize)}, Help: "elements"}}
	w.counted(r, o, count, n)
	if count > 0 || t.isNested(r, w, o) { // an empty buffer is damaged
		nodes = append(nodes, t.vectorElements(r, w, o, elem, first, count, width)...)
	}
	n.Children = sparseList{model.NewList(nodes...)}
}

func inferredName(t Type) string {
	switch t {
	case inferredTables:
		return "[table]" + guessed
	case inferredStrings:
		return "[string]" + guessed
	}
	return "vector" + guessed
}

func (t *Tree) vectorElements(r *Reader, w *walk, o object, elem Type, first, count, width int64) []model.Node {
	at := t.B.Span(first, count*width)
	if width == 1 && t.Decorate != nil {
		if table, field := t.ownerField(r, w, o); field != nil {
			if nodes := t.Decorate(r.ctx, &table, field, at); len(nodes) > 0 {
				return nodes
			}
		}
	}
	if width == 1 && t.S != nil {
		if _, field := t.ownerField(r, w, o); field != nil && field.Nested >= 0 {
			return []model.Node{t.nestedNode(first, count, field.Nested)}
		}
	}
	n := model.Node{Name: "elements", Type: "offset[]", Spans: []model.Span{at}}
	switch {
	case t.S != nil && !t.S.isOffset(elem):
		n.Type = t.S.typeName(elem) + "[]"
		t.elements(&n, elem, first, count)
	case t.S == nil && width == 1:
		n.Type, n.Value = "bytes", model.Blob{Span: at}
		n.Help = "inferred: elements may be wider than a byte, and then what follows is theirs"
	default:
		kind := "table"
		if elem.Base == reflection.BaseTypeString {
			kind = "string"
		}
		n.Elements, n.Brief = true, fmt.Sprintf("%d offsets", count)
		n.Children = model.FixedRows(t.B.src, t.B.base+first, offsetSize, count, func(ctx context.Context, i int64) model.Node {
			r := t.B.Reader(ctx)
			defer t.B.Release(r)
			row := model.Node{Name: model.IndexName(i), Type: "offset", Spans: []model.Span{t.B.Span(first+i*offsetSize, offsetSize)}}
			t.offsetValue(&row, r, w, first+i*offsetSize, kind)
			return row
		})
	}
	return []model.Node{n}
}

// isNested reports whether a vector is to hold a FlatBuffer.
func (t *Tree) isNested(r *Reader, w *walk, o object) bool {
	if t.S == nil {
		return false
	}
	_, field := t.ownerField(r, w, o)
	return field != nil && field.Nested >= 0
}

// ownerField finds the field of the table that refers to a vector.
func (t *Tree) ownerField(r *Reader, w *walk, o object) (Table, *Field) {
	owner := w.find(int64(o.owner))
	if owner == nil || owner.kind != aTable || owner.typ == noSchema {
		return Table{}, nil
	}
	table, ok := r.Table(int64(owner.off))
	if !ok {
		return Table{}, nil
	}
	obj := &t.S.Objects[owner.typ]
	for i := range obj.Fields {
		if f := &obj.Fields[i]; f.Type.Base == reflection.BaseTypeVector && table.Target(f) == int64(o.off) {
			return table, f
		}
	}
	return Table{}, nil
}
