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

// All visits the keys that entries name, with these.
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

// inverter is the work of Invert, for one range of keys after another. When its context ends it can be resumed.
type inverter struct {
	list    NumbersBuilder // of the entries of the keys before
	starts  NumbersBuilder
	first   int64    // of the keys whose turn it is
	start   []uint32 // first how many entries each has, then where they begin among those of all, then where they end
	entries []uint32 // their entries, or nil until they are counted
	next    int64
}

const (
	betweenChecks = 1 << 16 // steps before the context is looked at
	keysAtOnce    = 1 << 19 // whose entries are found in two passes; of more keys at once the work would take more than what it makes
)

var errTooManyLinks = errors.New("more than 4,294,967,294 entries refer to each other")

func (v *inverter) run(ctx context.Context, progress Progress, what string, n, keys int64, key func(i int64) int64) (*Inverse, error) {
	if max(n, keys) >= math.MaxUint32 {
		return nil, errTooManyLinks
	}
	passes := 2 * max(1, (keys+keysAtOnce-1)/keysAtOnce)
	pass := func(number int64, visit func(i, key int64)) error {
		number += 2 * (v.first / keysAtOnce)
		for v.next < n {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress.Report(number*n+v.next, passes*n, what)
			for end := min(v.next+betweenChecks, n); v.next < end; v.next++ {
				if k := key(v.next) - v.first; uint64(k) < uint64(len(v.start)) {
					visit(v.next, k)
				}
			}
		}
		v.next = 0
		return nil
	}
	for {
		if v.start == nil {
			v.start = make([]uint32, min(keys-v.first, keysAtOnce))
		}
		if v.entries == nil {
			if err := pass(0, func(_, k int64) { v.start[k]++ }); err != nil {
				return nil, err
			}
			v.entries = make([]uint32, accumulate(v.start))
		}
		err := pass(1, func(i, k int64) {
			v.entries[v.start[k]] = uint32(i)
			v.start[k]++
		})
		if err != nil {
			return nil, err
		}
		if v.end(); v.first == keys {
			v.starts.Add(uint32(v.list.len))
			return &Inverse{v.list.Numbers(), v.starts.Numbers()}, nil
		}
	}
}

// end takes the keys whose turn it was, and goes to those after them.
func (v *inverter) end() {
	before, start := uint32(v.list.len), uint32(0)
	for _, end := range v.start {
		v.starts.Add(before + start)
		start = end
	}
	for _, entry := range v.entries {
		v.list.Add(entry)
	}
	v.first += int64(len(v.start))
	v.start, v.entries = nil, nil
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
