package odin

import (
	"context"

	"cutaway/decoders/odin/kind"
	"cutaway/model"
)

// field finds a named child of a node.
func (o *objects) field(ctx context.Context, node int64, name string) int64 {
	if node < 0 || !o.s.isContainer(node) {
		return noEntry
	}
	k, ok := o.s.childAt(ctx, node, name)
	if !ok {
		return noEntry
	}
	return o.s.child(node, k)
}

// members are the values of the members of a node by name.
type members map[string]int64

// entry returns the entry that is the value of a member, or noEntry.
func (m members) entry(name string) int64 {
	if i, ok := m[name]; ok {
		return i
	}
	return noEntry
}

// membersOf is the values of the members of an ISerializable node.
func (o *objects) membersOf(ctx context.Context, node int64) members {
	values := members{}
	if node < 0 {
		return values
	}
	e := o.s.entry(ctx, node)
	p := o.shapeOf(ctx, &e)
	for _, m := range p.members {
		if m.value >= 0 {
			if name, ok := o.s.nameAt(ctx, m.value); ok {
				values[name] = m.value
			}
		}
	}
	return values
}

// maxElements bounds the elements of a list.
const maxElements = 1 << 20

// elementsOf is the entries of the elements of a list.
func (o *objects) elementsOf(ctx context.Context, node int64) []int64 {
	if node < 0 {
		return nil
	}
	e := o.s.entry(ctx, node)
	p := o.shapeOf(ctx, &e)
	if p.array < 0 {
		return nil
	}
	n, _ := o.s.count(p.array)
	list := make([]int64, 0, min(n, maxElements))
	for i := p.array + 1; int64(len(list)) < min(n, maxElements); i = o.s.next(i) {
		list = append(list, i)
	}
	return list
}

// scalarAt is the value of an entry, or of the only child of a boxed one.
func (o *objects) scalarAt(ctx context.Context, i int64) model.Value {
	if i < 0 {
		return nil
	}
	e := o.s.entry(ctx, i)
	if e.isNode() {
		p := o.shapeOf(ctx, &e)
		if p.leaf < 0 {
			return nil
		}
		e = o.s.entry(ctx, p.leaf)
	}
	return e.value
}

func (o *objects) textAt(ctx context.Context, i int64) string {
	t, _ := o.scalarAt(ctx, i).(model.Text)
	return string(t)
}

// uintAt is the number of an entry, which is unsigned in the binary form.
func (o *objects) uintAt(ctx context.Context, i int64) (uint64, bool) {
	switch v := o.scalarAt(ctx, i).(type) {
	case model.Uint:
		return uint64(v), true
	case model.Int:
		return uint64(v), v >= 0
	}
	return 0, false
}

// typeAt is the name that a Type node, or a reference to one, holds.
func (o *objects) typeAt(ctx context.Context, i int64) string {
	if i < 0 {
		return ""
	}
	e := o.s.entry(ctx, i)
	if e.kind == kind.InternalReference {
		target, ok := o.s.nodeOf(ctx, e.ref)
		if !ok || target >= i {
			return ""
		}
		i = target
	}
	return o.textAt(ctx, i)
}
