package udm

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"cutaway/decoders/udm/types"
	"cutaway/model"
)

// names makes the segments of the children of an element: their keys, for the second of equal ones key~2. It
// keeps 4 bytes for each child, and a map only where keys repeat.
type names struct {
	key    func(ctx context.Context, i int64) string
	order  []uint32         // children by the hash of their key
	taken  map[int64]string // segments of children whose key repeats
	byName map[string]int64 // the same the other way
}

// noNames are those of children whose keys could not be read.
var noNames = &names{key: func(context.Context, int64) string { return "" }}

// newNames looks for keys that repeat among children whose keys have these hashes.
func newNames(ctx context.Context, hashes []uint64, key func(ctx context.Context, i int64) string) *names {
	n := len(hashes)
	x := &names{key: key}
	x.order = make([]uint32, n)
	for i := range x.order {
		x.order[i] = uint32(i)
	}
	slices.SortFunc(x.order, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(hashes[a], hashes[b]), cmp.Compare(a, b))
	})
	var again []int64
	for k := 1; k < len(x.order); k++ {
		if hashes[x.order[k]] == hashes[x.order[k-1]] {
			again = append(again, int64(x.order[k]))
		}
	}
	x.rename(ctx, again)
	return x
}

// rename makes segments of the children whose key an earlier one has.
func (x *names) rename(ctx context.Context, again []int64) {
	if again == nil {
		return
	}
	slices.Sort(again)
	x.taken, x.byName = make(map[int64]string), make(map[string]int64)
	last := make(map[string]int)
	for _, i := range again {
		key := types.NameOf(x.key(ctx, i))
		if first, ok := x.first(ctx, key); !ok || first == i {
			continue // two keys of one hash
		}
		name := ""
		for k := max(last[key], 1) + 1; ; k++ {
			name = model.NthSegment(key, k)
			_, used := x.byName[name]
			_, isKey := x.first(ctx, name)
			if !used && !isKey {
				last[key] = k
				break
			}
		}
		x.taken[i], x.byName[name] = name, i
	}
}

// first is the first child with the key.
func (x *names) first(ctx context.Context, key string) (int64, bool) {
	h := types.HashOf(key)
	k := sort.Search(len(x.order), func(k int) bool { return types.HashOf(x.key(ctx, int64(x.order[k]))) >= h })
	for ; k < len(x.order); k++ {
		i := int64(x.order[k])
		switch got := types.NameOf(x.key(ctx, i)); {
		case got == key:
			return i, true
		case types.HashOf(got) != h:
			return 0, false
		}
	}
	return 0, false
}

// segment returns the segment of child i in paths.
func (x *names) segment(ctx context.Context, i int64) string {
	if name, ok := x.taken[i]; ok {
		return name
	}
	return types.NameOf(x.key(ctx, i))
}

// repeats reports whether an earlier child has the key of child i.
func (x *names) repeats(i int64) bool {
	_, ok := x.taken[i]
	return ok
}

// find is the child of that segment.
func (x *names) find(ctx context.Context, segment string) (int64, bool) {
	if i, ok := x.byName[segment]; ok {
		return i, true
	}
	return x.first(ctx, segment)
}

// memberSegments are the segments of a struct's members.
func memberSegments(keys []string) []string {
	var all model.Segments
	unique := make([]string, len(keys))
	for i, k := range keys {
		unique[i] = all.Add(types.NameOf(k))
	}
	return unique
}
