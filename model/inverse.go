package model

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
)

// An Inverse lists, for each of some keys, the entries that name it, in ascending order and each once. It is two flat
// arrays: the entries, 4 bytes a link, and either where those of each key begin, 4 bytes a key, or the key of each.
type Inverse struct {
	entries []uint32
	keys    []uint32
	sparse  bool // keys are those of the entries, not where they begin
}

// Of lists the entries that name a key.
func (x *Inverse) Of(key int64) []uint32 { return x.Within(key, key) }

// Within lists the entries that name the keys first to last, key by key.
func (x *Inverse) Within(first, last int64) []uint32 {
	if first < 0 || first > last || last >= math.MaxUint32 {
		return nil
	}
	if x.sparse {
		lo := sort.Search(len(x.keys), func(i int) bool { return int64(x.keys[i]) >= first })
		n := sort.Search(len(x.keys)-lo, func(i int) bool { return int64(x.keys[lo+i]) > last })
		return x.entries[lo : lo+n]
	}
	if last >= int64(len(x.keys))-1 {
		return nil
	}
	return x.entries[x.keys[first]:x.keys[last+1]]
}

// pack is x in 8 bytes a link or less.
func (x *Inverse) pack() *Inverse {
	if x.sparse || len(x.keys)-1 <= len(x.entries) {
		return x
	}
	keys := make([]uint32, len(x.entries))
	for k := range len(x.keys) - 1 {
		for i := x.keys[k]; i < x.keys[k+1]; i++ {
			keys[i] = uint32(k)
		}
	}
	return &Inverse{entries: x.entries, keys: keys, sparse: true}
}

// Invert makes the inverse of entries 0 … n-1, each of which names one of keys 0 … keys-1 at most, by counting; the
// entries of a key are found at once. A number that is no key stands for none.
func Invert(ctx context.Context, n, keys int64, key func(i int64) int64) (*Inverse, error) {
	return new(inverter).run(ctx, nil, "", n, keys, key)
}

// inverter is the work of Invert. When its context ends it can be gone on with.
type inverter struct {
	start   []uint32 // first how many links a key has, then where its entries begin, then where they end
	entries []uint32
	next    int64
}

// betweenChecks is how many steps are made before the context is looked at.
const betweenChecks = 1 << 16

var errTooManyLinks = errors.New("more than 4,294,967,294 entries refer to each other")

func (v *inverter) run(ctx context.Context, progress Progress, what string, n, keys int64, key func(i int64) int64) (*Inverse, error) {
	if max(n, keys) >= math.MaxUint32 {
		return nil, errTooManyLinks
	}
	if v.start == nil {
		v.start = make([]uint32, keys+1)
	}
	start := v.start
	pass := func(done int64, some func(first, end int64)) error {
		for v.next < n {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(done+v.next, 2*n, what)
			end := min(v.next+betweenChecks, n)
			some(v.next, end)
			v.next = end
		}
		return nil
	}
	if v.entries == nil {
		err := pass(0, func(first, end int64) {
			for i := first; i < end; i++ {
				if k := key(i); k >= 0 && k < keys {
					start[k]++
				}
			}
		})
		if err != nil {
			return nil, err
		}
		v.entries, v.next = make([]uint32, accumulate(start)), 0
	}
	err := pass(n, func(first, end int64) {
		for i := first; i < end; i++ {
			if k := key(i); k >= 0 && k < keys {
				v.entries[start[k]] = uint32(i)
				start[k]++
			}
		}
	})
	if err != nil {
		return nil, err
	}
	copy(start[1:], start[:keys])
	start[0] = 0
	return &Inverse{entries: Shared(v.entries), keys: Shared(start)}, nil
}

// accumulate makes of counts where each begins when they follow each other, and returns their sum.
func accumulate(counts []uint32) (sum uint32) {
	for k, n := range counts {
		counts[k] = sum
		sum += n
	}
	return sum
}

// sortedInverse is the inverse of links that may come more than once, by sorting them: each is a key, in the high half,
// and an entry.
func sortedInverse(links []uint64) *Inverse {
	slices.Sort(links)
	links = slices.Compact(links)
	x := &Inverse{entries: make([]uint32, len(links)), keys: make([]uint32, len(links)), sparse: true}
	for i, link := range links {
		x.keys[i], x.entries[i] = uint32(link>>32), uint32(link)
	}
	return x
}
