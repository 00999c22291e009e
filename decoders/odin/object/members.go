package object

import (
	"context"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// Field returns the child of a node that has a name, or NoEntry.
func (o *Objects) Field(ctx context.Context, node int64, name string) int64 {
	if node < 0 || !o.s.IsContainer(node) {
		return NoEntry
	}
	k, ok := o.s.ChildAt(ctx, node, name)
	if !ok {
		return NoEntry
	}
	return o.s.Child(node, k)
}

// A Members holds the values of the members of a node by name.
type Members map[string]int64

// Entry returns the entry that is the value of a member, or noEntry.
func (m Members) Entry(name string) int64 {
	if i, ok := m[name]; ok {
		return i
	}
	return NoEntry
}

// Members returns the values of the members of an ISerializable node.
func (o *Objects) Members(ctx context.Context, node int64) Members {
	values := Members{}
	if node < 0 {
		return values
	}
	e := o.s.Entry(ctx, node)
	p := o.shapeOf(ctx, &e)
	for _, m := range p.members {
		if m.Value >= 0 {
			if name, ok := o.s.WrittenName(ctx, m.Value); ok {
				values[name] = m.Value
			}
		}
	}
	return values
}

// maxElements bounds the elements of a list.
const maxElements = 1 << 20

// Elements returns the entries of the elements of a list, at most maxElements.
func (o *Objects) Elements(ctx context.Context, node int64) []int64 {
	if node < 0 {
		return nil
	}
	e := o.s.Entry(ctx, node)
	p := o.shapeOf(ctx, &e)
	if p.array < 0 {
		return nil
	}
	n, _ := o.s.Count(p.array)
	list := make([]int64, 0, min(n, maxElements))
	for i := p.array + 1; int64(len(list)) < min(n, maxElements); i = o.s.Next(i) {
		list = append(list, i)
	}
	return list
}

// scalar returns the value of an entry, or of the only child of a boxed one, or nil if it has none.
func (o *Objects) scalar(ctx context.Context, i int64) model.Value {
	if i < 0 {
		return nil
	}
	e := o.s.Entry(ctx, i)
	if e.IsNode() {
		p := o.shapeOf(ctx, &e)
		if p.leaf < 0 {
			return nil
		}
		e = o.s.Entry(ctx, p.leaf)
	}
	return e.Value
}

// Text returns the text that an entry holds, or "" if it holds none.
func (o *Objects) Text(ctx context.Context, i int64) string {
	t, _ := o.scalar(ctx, i).(model.Text)
	return string(t)
}

// Uint returns the number that an entry holds, which is unsigned in the binary form, or false if it holds none.
func (o *Objects) Uint(ctx context.Context, i int64) (uint64, bool) {
	switch v := o.scalar(ctx, i).(type) {
	case model.Uint:
		return uint64(v), true
	case model.Int:
		return uint64(v), v >= 0
	}
	return 0, false
}

// TypeName returns the type name that a Type node, or a reference to one, holds.
func (o *Objects) TypeName(ctx context.Context, i int64) string {
	if i < 0 {
		return ""
	}
	e := o.s.Entry(ctx, i)
	if e.Kind == kind.InternalReference {
		target, ok := o.s.FindNode(ctx, e.Ref)
		if !ok || target >= i {
			return ""
		}
		i = target
	}
	return o.Text(ctx, i)
}
