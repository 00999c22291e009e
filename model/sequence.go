package model

import (
	"context"
	"sort"
)

// A sequence is a list of elements of any kind: numbers, texts, structures, lists. A node is a sequence if its value is
// an Array or a Seq, or its children are Elements. Without a value it is one if its children are named "[0]" and so on.
// Node.Columns marks a sequence that its children do not reveal.

// MaxNesting is the greatest depth of structures in a node that is read as a value.
const MaxNesting = 64

// IsSequence reports whether a node is only a sequence. It is false while the children are pending.
func IsSequence(ctx context.Context, n *Node) bool {
	switch n.Value.(type) {
	case Array, Seq:
		return true
	}
	if n.Value != nil && !n.Elements || n.IsPending() || n.Children == nil && n.Columns == nil {
		return false
	}
	if n.Elements || n.Children == nil {
		return true
	}
	count, _ := n.Children.Len(ctx)
	if count == 0 || !isElement(Lean(ctx, n.Children, 0).Name) {
		return count == 0 && n.Columns != nil
	}
	last := Lean(ctx, n.Children, count-1)
	return isElement(last.Name) || last.Role != Explained // bytes that remain
}

// HasElements is like IsSequence but also accepts a structure with elements besides its fields, as marked by the format.
func HasElements(ctx context.Context, n *Node) bool {
	return n.Columns != nil && !n.IsPending() || IsSequence(ctx, n)
}

// isElement reports whether a name is that of an element: "[3]", or "[0, 3]" in an array of several dimensions.
func isElement(name string) bool {
	return len(name) > 2 && name[0] == '[' && name[len(name)-1] == ']' && name[1] >= '0' && name[1] <= '9'
}

// Sequence returns the elements of the sequence at p, or nil if p is none.
func Sequence(ctx context.Context, p *Place) Array {
	n := &p.Node
	switch v := n.Value.(type) {
	case Array:
		return v
	case Seq:
		return &Elements{Count: int64(len(v)), Make: func(_ context.Context, i int64) (Value, error) { return v[i], nil }}
	}
	if !IsSequence(ctx, n) {
		return nil
	}
	first, count := elementsOf(ctx, n)
	return childrenOf(p, first, count)
}

// mostBefore is the most children that are searched for the first element.
const mostBefore = 64

// elementsOf returns the first child of a sequence that is an element, and the number of elements. Fields may precede
// them if the format has marked the node; fields or remaining bytes may follow.
func elementsOf(ctx context.Context, n *Node) (first, count int64) {
	if n.Children == nil {
		return 0, 0
	}
	end, _ := n.Children.Len(ctx)
	is := func(i int64) bool { return isElement(Lean(ctx, n.Children, i).Name) }
	for first < min(end, mostBefore) && !is(first) {
		first++
	}
	switch {
	case first == end && n.Columns != nil:
		return 0, 0
	case first == min(end, mostBefore):
		return 0, end // elements with names
	case !is(end - 1):
		end = first + int64(sort.Search(int(end-first), func(i int) bool { return !is(first + int64(i)) }))
	}
	return first, end - first
}

// childrenOf returns a range of children as an array of their values.
func childrenOf(p *Place, first, count int64) Array {
	return &Elements{Type: p.Node.Type, Count: count, Make: func(ctx context.Context, i int64) (Value, error) {
		v := ValueOf(ctx, p.Child(ctx, first+i))
		return v, ctx.Err()
	}, Place: func(ctx context.Context, i int64) Span {
		n := p.Node.Children.At(ctx, first+i)
		return n.Span()
	}}
}

// ValueOf returns the value of the node of p, or else the values of its children as a sequence or structure.
func ValueOf(ctx context.Context, p *Place) Value { return valueWithin(ctx, p, MaxNesting) }

func valueWithin(ctx context.Context, p *Place, levels int) Value {
	if p.Resolve(ctx, nil) != nil {
		return None{} // the caller checks its context
	}
	n := &p.Node
	if saysAll(n) {
		return n.Value
	}
	if a := Sequence(ctx, p); a != nil {
		return a
	}
	count, _ := p.Len(ctx)
	if levels == 0 {
		return childrenOf(p, 0, count) // never opened
	}
	o := Object{}
	eachField(ctx, p, func(key string, field *Place) {
		v := field.Node.Value
		if field != p {
			v = valueWithin(ctx, field, levels-1)
		}
		o = append(o, Member{key, v})
	})
	if len(o) == 0 && n.Children == nil {
		return None{}
	}
	return o
}

// saysAll reports whether the value of a node includes that of its children: they are its elements or parts.
func saysAll(n *Node) bool {
	switch n.Value.(type) {
	case nil:
		return false
	case Bool, Int, Uint, Float64, Float32, Half, Text, None:
		return n.Children == nil || n.Elements
	}
	return true
}

// ownValue is the key for the value of a structure, besides its fields.
const ownValue = "value"

// eachField calls give with the fields of a structure and their keys: exact names, or segments for repeated names. The
// structure's own value comes first, with p itself; a field of the same key is then renamed.
func eachField(ctx context.Context, p *Place, give func(key string, field *Place)) {
	if p.Node.Value != nil {
		give(ownValue, p)
	}
	count, _ := p.Len(ctx)
	for i := range count {
		if i&255 == 255 && ctx.Err() != nil {
			return
		}
		field := p.Child(ctx, i)
		if field.Node.Role != Explained {
			continue // filler
		}
		key := field.Node.Name
		switch {
		case key != "" && field.Node.Segment != "":
			key = field.Node.Segment
		case key == ownValue && p.Node.Value != nil:
			key += "~2"
		}
		give(key, field)
	}
}
