package scene

import (
	"context"
	"hash/maphash"
	"slices"

	"cutaway/model"
)

// children are the fields of a spec, the items under its own and, under the root, the stray specs.
type children struct {
	x      *Index
	item   int32
	set    uint32 // where the fields begin in the list of field sets
	fields []uint32
	kids   model.Numbers
	stray  []int32
}

func (k *children) count() int64 {
	return int64(len(k.fields)) + k.kids.Len() + int64(len(k.stray))
}

var (
	_ model.Finder = (*children)(nil)
	_ model.Bulk   = (*children)(nil)
)

func (k *children) Len(context.Context) (int64, bool) { return k.count(), true }

func (k *children) At(ctx context.Context, i int64) model.Node {
	if i < int64(len(k.fields)) {
		return k.x.fieldNode(ctx, k.fields, i)
	}
	if i -= int64(len(k.fields)); i < k.kids.Len() {
		return k.x.node(ctx, int32(k.kids.At(i)))
	}
	return k.x.strayNode(ctx, k.stray[i-k.kids.Len()])
}

func (*children) Bulk() *model.BulkFuncs { return sceneBulk }

var sceneBulk = &model.BulkFuncs{
	Lean: func(ctx context.Context, c model.Children, i int64) model.Node {
		return c.(*children).lean(ctx, i)
	},
	Recurs: func(c model.Children, i int64) (of any, n, count int64) { return c.(*children).recurs(i) },
	Hashes: func(ctx context.Context, c model.Children, progress model.Progress) (func(i int64) uint64, error) {
		return c.(*children).hashes(ctx, progress)
	},
	Measure: func(ctx context.Context, c model.Children, i int64, m *model.Measurement) (int64, error) {
		return c.(*children).measure(ctx, i, m)
	},
}

// recurs identifies child i by its place in a field set: specs share these.
func (k *children) recurs(i int64) (of any, n, count int64) {
	if i >= int64(len(k.fields)) {
		return nil, 0, 0
	}
	return k.x, int64(k.set) + i, int64(len(k.x.Sets.List))
}

// lean makes child i without spans, links, cards and help.
func (k *children) lean(ctx context.Context, i int64) model.Node {
	if i < int64(len(k.fields)) {
		return k.x.leanField(ctx, k.fields, i)
	}
	if kid := i - int64(len(k.fields)); kid < k.kids.Len() {
		return k.x.leanNode(ctx, int32(k.kids.At(kid)))
	}
	return k.At(ctx, i)
}

func (k *children) segment(ctx context.Context, i int64) string {
	if i < int64(len(k.fields)) {
		_, segment := k.x.fieldName(ctx, k.fields, i)
		return segment
	}
	if i -= int64(len(k.fields)); i < k.kids.Len() {
		return k.x.segment(ctx, int32(k.kids.At(i)))
	}
	return strayName(k.stray[i-k.kids.Len()])
}

func (k *children) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return model.Search(ctx, k, q)
	}
	return k.index(ctx, q.Name)
}

func (k *children) index(ctx context.Context, segment string) (int64, bool) {
	const few = 64
	if k.count() > few {
		return k.indexed(ctx, segment)
	}
	for i := range k.count() {
		if k.segment(ctx, i) == segment {
			return i, true
		}
	}
	return 0, false
}

// indexed finds a child by the hash of its segment. Those of the children of one node, 8 bytes each, are kept until
// another node's are asked for.
func (k *children) indexed(ctx context.Context, segment string) (int64, bool) {
	x := k.x
	x.mu.Lock()
	defer x.mu.Unlock()
	hash := func(name string) uint64 { return maphash.String(x.seed, name) &^ (1<<32 - 1) }
	if x.named != k.item {
		x.named, x.names = k.item, make([]uint64, k.count())
		for i := range x.names {
			x.names[i] = hash(k.segment(ctx, int64(i))) | uint64(i)
		}
		slices.Sort(x.names)
		if ctx.Err() != nil {
			x.named, x.names = -1, nil
			return 0, false
		}
	}
	at, _ := slices.BinarySearch(x.names, hash(segment))
	for ; at < len(x.names) && x.names[at]&^(1<<32-1) == hash(segment); at++ {
		if i := int64(uint32(x.names[at])); k.segment(ctx, i) == segment {
			return i, true
		}
	}
	return 0, false
}
