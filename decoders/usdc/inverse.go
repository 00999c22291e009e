package usdc

import "context"

// inverse lists, for each of some keys, the entries that have it, in their order: 4 bytes an entry, 4 a key.
type inverse struct {
	start   []int32 // entries of key k are entries[start[k]:start[k+1]]
	entries []int32
}

// invert makes the inverse of n entries over keys 0 … keys-1; entries with other keys are left out.
func invert(ctx context.Context, n, keys int64, key func(i int64) int64) (*inverse, error) {
	x := &inverse{start: make([]int32, keys+1)}
	total := int32(0)
	for i := range n {
		if i&(1<<20-1) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k := key(i); k >= 0 && k < keys {
			x.start[k]++
			total++
		}
	}
	sum := int32(0)
	for k, count := range x.start {
		x.start[k] = sum
		sum += count
	}
	x.entries = make([]int32, total)
	for i := range n {
		if i&(1<<20-1) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if k := key(i); k >= 0 && k < keys {
			x.entries[x.start[k]] = int32(i)
			x.start[k]++
		}
	}
	copy(x.start[1:], x.start[:keys])
	x.start[0] = 0
	return x, nil
}

// of lists the entries with key k.
func (x *inverse) of(k int64) []int32 {
	if k < 0 || k >= int64(len(x.start))-1 {
		return nil
	}
	return x.entries[x.start[k]:x.start[k+1]]
}

// within lists the entries with keys first … last.
func (x *inverse) within(first, last int64) []int32 {
	if first < 0 || first > last || last >= int64(len(x.start))-1 {
		return nil
	}
	return x.entries[x.start[first]:x.start[last+1]]
}
