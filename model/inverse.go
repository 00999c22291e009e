package model

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
)

// An Inverse lists, for each of some keys, the entries that name it, in ascending order and each once.
type Inverse struct {
	entries Numbers
	starts  Numbers // of the entries of each key, and of one after the last
}

// Of lists the entries that name a key.
func (x *Inverse) Of(key int64) Numbers { return x.Within(key, key) }

// All goes over the keys that entries name, with these.
func (x *Inverse) All() iter.Seq2[int64, Numbers] {
	return func(yield func(int64, Numbers) bool) {
		start := uint32(0)
		for i, end := range x.starts.All() {
			if end > start && !yield(i-1, x.entries.Slice(int64(start), int64(end))) {
				return
			}
			start = end
		}
	}
}

// Within lists the entries that name the keys first to last, key by key.
func (x *Inverse) Within(first, last int64) (none Numbers) {
	if first < 0 || first > last || last >= x.starts.Len()-1 {
		return none
	}
	return x.entries.Slice(int64(x.starts.At(first)), int64(x.starts.At(last+1)))
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
	return &Inverse{NumbersOf(v.entries), NumbersOf(start)}, nil
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
func sortedInverse(links []uint64, keys int64) *Inverse {
	slices.Sort(links)
	links = slices.Compact(links)
	var entries, starts NumbersBuilder
	key := int64(0)
	for i, link := range links {
		for ; key <= int64(link>>32); key++ {
			starts.Add(uint32(i))
		}
		entries.Add(uint32(link))
	}
	for ; key <= keys; key++ {
		starts.Add(uint32(len(links)))
	}
	return &Inverse{entries.Numbers(), starts.Numbers()}
}
