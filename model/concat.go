package model

import "context"

// Concat returns the children of all parts, one part after another. Only the last part may grow or be pending, and
// segments must differ.
func Concat(parts ...Children) Children { return concat(parts) }

type concat []Children

func (c concat) Len(ctx context.Context) (n int64, exact bool) {
	for _, part := range c {
		var k int64
		k, exact = part.Len(ctx)
		n += k
	}
	return n, exact
}

func (c concat) At(ctx context.Context, i int64) Node {
	last := len(c) - 1
	for _, part := range c[:last] {
		n, _ := part.Len(ctx)
		if i < n {
			return part.At(ctx, i)
		}
		i -= n
	}
	return c[last].At(ctx, i)
}

func (c concat) Pending() bool {
	p, ok := c[len(c)-1].(Pending)
	return ok && p.Pending()
}

func (c concat) Resolve(ctx context.Context, progress Progress) error {
	if p, ok := c[len(c)-1].(Pending); ok {
		return p.Resolve(ctx, progress)
	}
	return nil
}

func (c concat) Find(ctx context.Context, q Query) (int64, bool) {
	before := int64(0)
	for _, part := range c {
		if i, ok := Find(ctx, part, q); ok {
			return before + i, true
		}
		n, _ := part.Len(ctx)
		before += n
	}
	return 0, false
}

// Map returns the children of c, each changed by do.
func Map(c Children, do func(ctx context.Context, i int64, n *Node)) Children {
	return mapped{concat{c}, do}
}

type mapped struct {
	concat
	do func(ctx context.Context, i int64, n *Node)
}

func (m mapped) At(ctx context.Context, i int64) Node {
	n := m.concat.At(ctx, i)
	m.do(ctx, i, &n)
	return n
}
