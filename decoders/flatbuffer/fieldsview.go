package flatbuffer

import (
	"context"
	"fmt"
	"strings"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// fieldsName is the name of the view by meaning: the root table's fields by their names, as the schema lists them, with
// the objects that they lead to. A table or vector that several fields lead to is below each; all but the first are
// marked as shared and refer to the first.
const fieldsName = "fields"

// How often shared objects are shown, in objects.
const (
	mostUnfolded = 1 << 20 // of a buffer, or fourfold what it has
	fewUnfolded  = 1024    // below an object of a buffer with more
)

// A branch is a walk with the depth of a table of the fields view.
type branch struct {
	*walk
	depth int // in tables
}

// deeper returns the branch of a table in that of b.
func (b *branch) deeper() *branch { return &branch{b.walk, b.depth + 1} }

// A fieldsView shows a buffer by its schema. path is that of the node of its root table.
type fieldsView struct {
	t    *Tree
	path string
}

func (v *fieldsView) root(context.Context) model.Node {
	o := &v.t.S.Objects[v.t.S.Root]
	n := model.Node{Name: fieldsName, Type: baseName(o.Name), Help: "table " + o.Name, Spans: []model.Span{v.t.B.Whole()}}
	children := func(ctx context.Context, progress model.Progress) (model.Children, error) {
		w, err := v.t.walked(ctx, progress)
		if err != nil {
			return nil, err
		}
		return v.rootFields(ctx, w), nil
	}
	if v.t.known() == nil {
		n.Children = model.NewLazy(children)
	} else {
		n.Children = model.Defer(func(ctx context.Context) model.Children {
			c, _ := children(ctx, nil) // it is known
			return c
		})
	}
	return n
}

// rootFields returns the fields of the root table, or none if it cannot be read.
func (v *fieldsView) rootFields(ctx context.Context, w *walk) model.Children {
	r := v.t.B.Reader(ctx)
	defer v.t.B.Release(r)
	o := w.find(r.target(v.t.B.rootAt))
	if o == nil || o.kind != aTable || int(o.typ) != v.t.S.Root {
		return model.NewList()
	}
	return v.fields(ctx, &branch{walk: w}, *o)
}

// fields returns the nodes of a table's fields, in the order of the schema.
func (v *fieldsView) fields(ctx context.Context, w *branch, o object) model.Children {
	r := v.t.B.Reader(ctx)
	defer v.t.B.Release(r)
	table, ok := r.Table(int64(o.off))
	if !ok {
		return model.NewList()
	}
	table.size = int64(o.end) - int64(o.off)
	obj := &v.t.S.Objects[o.typ]
	var nodes []model.Node
	for i := range obj.Fields {
		f := &obj.Fields[i]
		at := table.Slot(f.Slot)
		switch {
		case at != 0 && at+v.t.S.size(f.Type) > table.Off+table.size || isTypeField(f):
			continue // it is damaged, or shown with its union
		case at != 0:
			nodes = append(nodes, v.field(r, w, &table, f, at))
		case !f.Deprecated:
			nodes = append(nodes, v.t.S.absentNode(f))
		}
	}
	return model.NewList(nodes...)
}

// isTypeField reports whether a field has the type of a union, or those of a vector of unions.
func isTypeField(f *Field) bool {
	return f.Type.Base == reflection.BaseTypeUType || f.Type.Base == reflection.BaseTypeVector && f.Type.Elem == reflection.BaseTypeUType
}

// field returns the node of a field at a place, with the object that it leads to.
func (v *fieldsView) field(r *Reader, w *branch, table *Table, f *Field, at int64) model.Node {
	n := model.Node{Name: f.Name, Type: v.t.S.typeName(f.Type), Help: f.Help, Spans: []model.Span{v.t.B.Span(at, v.t.S.size(f.Type))}}
	switch f.Type.Base {
	case reflection.BaseTypeVector:
		v.vector(&n, r, w, table, f, at)
	case reflection.BaseTypeUnion:
		v.union(&n, r, w, v.unionType(r, table, f), f, at)
	default:
		v.value(&n, r, w, f.Type, at)
	}
	return marked(n)
}

// marked returns the node, which says if it is shared.
func marked(n model.Node) model.Node {
	if n.Shared {
		n.Brief = strings.TrimPrefix(n.Brief+", shared", ", ")
	}
	return n
}

// value completes the node of a value that is no vector or union; at is its place, or that of its offset.
func (v *fieldsView) value(n *model.Node, r *Reader, w *branch, typ Type, at int64) {
	switch {
	case !v.t.S.isOffset(typ) && typ.Base == reflection.BaseTypeObj:
		n.Children = v.t.open(v.t.S.record(typ), at).Children(r.ctx)
	case !v.t.S.isOffset(typ):
		n.Value = v.t.scalar(r, typ, at)
	case typ.Base == reflection.BaseTypeString:
		if o := w.find(r.target(at)); o != nil && o.kind == aString && o.end > o.off+offsetSize {
			n.Value, _ = v.t.textOf(r.ctx, o)
			v.leads(n, *o)
		}
	default:
		if o := w.find(r.target(at)); o != nil && o.kind == aTable && int(o.typ) == typ.Index && v.shows(n, r, w, *o, at) {
			n.Children = model.Defer(func(ctx context.Context) model.Children { return v.fields(ctx, w.deeper(), *o) })
		}
	}
}

// elements completes the node of a vector of scalars or structs.
func (v *fieldsView) elements(ctx context.Context, n *model.Node, vector Type, o object, count int64) {
	list := v.t.open(v.t.S.record(vector), int64(o.off), grammar.IntValue(count)).Children(ctx).At(ctx, 1)
	n.Value, n.Children, n.Elements = list.Value, list.Children, list.Elements
	if list.Brief != "" {
		n.Brief = list.Brief
	}
}

// leads puts the bytes of the object that an offset leads to before its own.
func (v *fieldsView) leads(n *model.Node, o object) {
	n.Spans = append([]model.Span{v.t.B.Span(int64(o.off), int64(o.end)-int64(o.off))}, n.Spans...)
}

// shows reports whether the node shows the object that the offset at a place leads to. A node that is not the first to
// do so refers to the first, and shows the object as well unless that is too much or too deep.
func (v *fieldsView) shows(n *model.Node, r *Reader, w *branch, o object, at int64) bool {
	v.leads(n, o)
	first := int64(o.via) == at
	if first && w.depth <= maxDepth {
		return true
	}
	n.Shared = true
	n.Refs = func(ctx context.Context) []model.Ref {
		r := v.t.B.Reader(ctx)
		defer v.t.B.Release(r)
		path, ok := v.pathOf(r, w.walk, o)
		if !ok {
			return nil
		}
		return []model.Ref{{Kind: "shared", Path: path}}
	}
	return w.depth < maxDepth && w.mayRepeat(r, o)
}

// unionType returns the number of a union's type.
func (v *fieldsView) unionType(r *Reader, table *Table, f *Field) int64 {
	at := table.Slot(f.Slot - 1)
	if at == 0 {
		return 0
	}
	number, _ := r.U8(at)
	return int64(number)
}

// union completes the node of a union's value, whose type has a number.
func (v *fieldsView) union(n *model.Node, r *Reader, w *branch, number int64, f *Field, at int64) {
	member := v.t.S.Enums[f.Type.Index].Value(number)
	if member == nil || number == 0 {
		n.Brief = fmt.Sprintf("type %d, which the schema does not know", number)
		if o := w.find(r.target(at)); o != nil && o.kind == aTable {
			v.leads(n, *o)
		}
		return
	}
	n.Type += ": " + member.Name
	if v.t.S.isStruct(member.Type) {
		if o := w.find(r.target(at)); o != nil && o.kind == aVector && w.vectors[o.typ] == member.Type && v.shows(n, r, w, *o, at) {
			n.Children = v.t.open(v.t.S.record(member.Type), int64(o.off)).Children(r.ctx)
		}
		return
	}
	v.value(n, r, w, member.Type, at)
}

// vector completes the node of a vector.
func (v *fieldsView) vector(n *model.Node, r *Reader, w *branch, table *Table, f *Field, at int64) {
	o := w.find(r.target(at))
	if o == nil || o.kind != aVector || w.vectors[o.typ] != f.Type || !v.shows(n, r, w, *o, at) {
		return
	}
	elem := f.Type.element()
	width, first := v.t.S.size(elem), int64(o.off)+offsetSize
	count := (int64(o.end) - first) / width
	w.counted(r, *o, count, n)
	switch {
	case f.Nested >= 0:
		n.Type = "FlatBuffer: " + baseName(v.t.S.Objects[f.Nested].Name)
		n.Children = v.nested(w.walk, *o, first, count, f.Nested)
	case count == 0:
		n.Columns = v.t.S.columns(elem)
	case !v.t.S.isOffset(elem):
		v.elements(r.ctx, n, f.Type, *o, count)
	default:
		types := int64(0)
		if elem.Base == reflection.BaseTypeUnion {
			types, _ = r.vector(r.target(table.Slot(f.Slot-1)), 1)
		}
		n.Children = v.rows(w, f, first, count, types)
	}
}

// rows returns the elements of a vector of offsets; those of unions have their types at types.
func (v *fieldsView) rows(w *branch, f *Field, first, count, types int64) model.Children {
	elem := f.Type.element()
	return &model.Rows{Count: count, Make: func(ctx context.Context, i int64) model.Node {
		r := v.t.B.Reader(ctx)
		defer v.t.B.Release(r)
		at := first + i*offsetSize
		n := model.Node{Name: model.IndexName(i), Type: v.t.S.typeName(elem), Spans: []model.Span{v.t.B.Span(at, offsetSize)}}
		if elem.Base == reflection.BaseTypeUnion {
			number, _ := r.U8(types + i)
			v.union(&n, r, w, int64(number), f, at)
		} else {
			v.value(&n, r, w, elem, at)
		}
		return marked(n)
	}}
}

// nested returns the fields of the root table of a FlatBuffer in a vector of bytes.
func (v *fieldsView) nested(in *walk, o object, first, count int64, root int) model.Children {
	return model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		inner, err := v.t.nestedAt(ctx, first, count, root)
		if err != nil {
			return nil, err
		}
		w, err := inner.walked(ctx, progress)
		if err != nil {
			return nil, err
		}
		r := v.t.B.Reader(ctx)
		defer v.t.B.Release(r)
		path, _ := v.pathOf(r, in, o)
		return (&fieldsView{inner, path}).rootFields(ctx, w), nil
	})
}

// pathOf returns the path of the node that has an object as its value.
func (v *fieldsView) pathOf(r *Reader, w *walk, o object) (string, bool) {
	return v.pathWithin(r, w, o, 2*maxDepth)
}

// pathWithin is pathOf through at most so many owners: objects that overlap may own one another.
func (v *fieldsView) pathWithin(r *Reader, w *walk, o object, owners int) (string, bool) {
	if int64(o.via) == v.t.B.rootAt {
		return v.path, true
	}
	owner := w.find(int64(o.owner))
	if owner == nil || owners == 0 {
		return "", false
	}
	path, ok := v.pathWithin(r, w, *owner, owners-1)
	if !ok {
		return "", false
	}
	if owner.kind == aVector {
		return path + "/" + model.IndexName((int64(o.via)-int64(owner.off)-offsetSize)/offsetSize), true
	}
	f := v.fieldOver(r, owner, int64(o.via))
	if f == nil {
		return "", false
	}
	return path + "/" + model.EscapeSegment(f.Name), true
}

// fieldOver returns the field of a table that has the byte at off, or nil if none has. A union has that of its type,
// too.
func (v *fieldsView) fieldOver(r *Reader, o *object, off int64) *Field {
	table, ok := r.Table(int64(o.off))
	if !ok || o.kind != aTable || o.typ == noSchema {
		return nil
	}
	obj := &v.t.S.Objects[o.typ]
	for i := range obj.Fields {
		f := &obj.Fields[i]
		if at := table.Slot(f.Slot); at == 0 || off < at || off >= at+v.t.S.size(f.Type) {
			continue
		}
		if isTypeField(f) {
			return obj.bySlot(f.Slot + 1)
		}
		return f
	}
	return nil
}

// find finds the node whose value has the byte, for View.Find. Vtables and padding belong to none.
func (v *fieldsView) find(ctx context.Context, s model.Span, limit int) ([]string, int64, error) {
	off := s.Off - v.t.B.base
	if !s.Source.Same(v.t.B.src) {
		origin := s.Source.Origin()
		if origin == nil || len(origin.Spans) == 0 {
			return nil, 0, nil
		}
		return v.find(ctx, origin.Spans[0], limit) // of a nested buffer
	}
	w, err := v.t.walked(ctx, nil)
	if err != nil {
		return nil, 0, err
	}
	c := v.t.children(w)
	i, ok := c.Find(ctx, model.Query{Source: s.Source, Off: s.Off})
	if !ok || limit < 1 || i < c.heads {
		return nil, 0, nil
	}
	o := w.objects[i-c.heads]
	if o.kind == aGap || o.kind == aVTable {
		return nil, 0, nil
	}
	r := v.t.B.Reader(ctx)
	defer v.t.B.Release(r)
	path, ok := v.pathOf(r, w, o)
	if !ok {
		return nil, 0, nil
	}
	return []string{path + v.restOfPath(r, w, &o, off)}, 1, nil
}

// restOfPath returns the segment of the field of a table, or of the element of a vector of offsets, at an offset in an
// object.
func (v *fieldsView) restOfPath(r *Reader, w *walk, o *object, off int64) string {
	switch f := v.fieldOver(r, o, off); {
	case f != nil:
		return "/" + model.EscapeSegment(f.Name)
	case o.kind == aVector && off >= int64(o.off)+offsetSize && w.vectors[o.typ].Base == reflection.BaseTypeVector:
		if elem := w.vectors[o.typ].element(); v.t.S.isOffset(elem) {
			return "/" + model.IndexName((off-int64(o.off)-offsetSize)/offsetSize)
		}
	}
	return ""
}
