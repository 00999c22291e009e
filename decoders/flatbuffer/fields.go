package flatbuffer

import (
	"context"
	"fmt"

	"cutaway/decoders/flatbuffer/reflection"
	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The nodes of objects, which descriptions make.

// open returns the record of an object at off of the buffer.
func (t *Tree) open(rec *grammar.Record, off int64, args ...grammar.Value) *grammar.Object {
	return rec.Open(t.session, t.B.stream(), t.B.base+off, args...)
}

// stream returns the buffer as a range that records are read from.
func (b *Buffer) stream() grammar.Stream {
	return grammar.Stream{Source: b.src, Start: b.base, End: b.base + b.size}
}

// tableNode completes the node of a table: its vtable offset and its fields.
func (t *Tree) tableNode(ctx context.Context, n *model.Node, o object) {
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	table, ok := r.Table(int64(o.off))
	if !ok || o.end == o.off+offsetSize {
		table = Table{r: r, Off: int64(o.off), vtable: -1}
	}
	table.size = int64(o.end) - table.Off
	f := t.form(r, &table, o)
	n.Children = t.open(f.record, table.Off).Children(ctx)
	if table.vtable < 0 {
		return
	}
	n.Brief = model.Counted(int64(f.present), "field")
	if len(f.absent) > 0 {
		n.Brief += fmt.Sprintf(", %d absent", len(f.absent))
		n.Children = &tableFields{n.Children, f.absent}
	}
}

// tableFields are the fields of a table that are present, then those that are absent.
type tableFields struct {
	model.Children
	absent []model.Node
}

// Len returns the number of fields.
func (f *tableFields) Len(ctx context.Context) (int64, bool) {
	n, ok := f.Children.Len(ctx)
	return n + int64(len(f.absent)), ok
}

// At returns field i.
func (f *tableFields) At(ctx context.Context, i int64) model.Node {
	if n, _ := f.Children.Len(ctx); i >= n {
		return f.absent[i-n]
	}
	return f.Children.At(ctx, i)
}

// Find finds a field by its name, or the present one over a byte.
func (f *tableFields) Find(ctx context.Context, q model.Query) (int64, bool) {
	if i, ok := model.Find(ctx, f.Children, q); ok || q.Source != nil {
		return i, ok
	}
	for i := range f.absent {
		if f.absent[i].InPath() == q.Name {
			n, _ := f.Children.Len(ctx)
			return n + int64(i), true
		}
	}
	return 0, false
}

// Bulk returns functions that ask the present fields, since absent ones have no bytes.
func (*tableFields) Bulk() *model.BulkFuncs { return tableBulk }

var tableBulk = &model.BulkFuncs{
	Survey: func(ctx context.Context, c model.Children, progress model.Progress) (model.Coverage, bool, error) {
		return model.Survey(ctx, c.(*tableFields).Children, progress)
	},
}

// vectorNode completes the node of a vector.
func (t *Tree) vectorNode(ctx context.Context, n *model.Node, w *walk, o object) {
	off, typ := int64(o.off), w.vectors[o.typ]
	if typ.Base != reflection.BaseTypeVector { // a struct that a union points at
		n.Children = t.open(t.S.record(typ), off).Children(ctx)
		return
	}
	r := t.B.Reader(ctx)
	defer t.B.Release(r)
	first := off + offsetSize
	count := (int64(o.end) - first) / t.width(typ)
	w.counted(r, o, count, n)
	if inside := t.inside(r, w, o, typ, first, count); inside != nil {
		n.Children = model.NewList(append(t.open(plan().Record("bytes"), off, grammar.IntValue(0)).Nodes(ctx), inside...)...)
		return
	}
	n.Children = t.open(t.listOf(typ), off, grammar.IntValue(count)).Children(ctx)
}

// width returns the size of an element of a vector.
func (t *Tree) width(vector Type) int64 {
	switch {
	case t.S != nil:
		return t.S.size(vector.element())
	case vector == inferredBytes:
		return 1
	}
	return offsetSize
}

// listOf returns the record of a vector.
func (t *Tree) listOf(vector Type) *grammar.Record {
	switch elem := vector.element(); {
	case t.S != nil && !t.S.isOffset(elem):
		return t.S.record(vector)
	case vector == inferredBytes:
		return plan().Record("bytes")
	case elem.Base == reflection.BaseTypeString:
		return plan().Record("strings")
	}
	return plan().Record("tables")
}

// inside returns the nodes of the elements of a vector of bytes that hold something, or nil if it is no such vector.
func (t *Tree) inside(r *Reader, w *walk, o object, vector Type, first, count int64) []model.Node {
	if t.S == nil || t.width(vector) != 1 {
		return nil
	}
	table, field := t.ownerField(r, w, o)
	if field == nil {
		return nil
	}
	if t.Decorate != nil && count > 0 {
		if nodes := t.Decorate(r.ctx, &table, field, t.B.Span(first, count)); len(nodes) > 0 {
			return nodes
		}
	}
	if field.Nested < 0 {
		return nil
	}
	return []model.Node{t.nestedNode(first, count, field.Nested)} // an empty buffer is damaged
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
