package crossref

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"cutaway/model"
)

// An Inverse maps keys to the entries that name them, ascending and without duplicates.
type Inverse struct {
	entries model.Numbers
	starts  model.Numbers // index of each key's first entry, and the number of entries
}

// Of returns the entries that name a key.
func (x *Inverse) Of(key int64) model.Numbers { return x.Within(key, key) }

// All returns an iterator over the keys and their entries. Keys without entries are left out.
func (x *Inverse) All() iter.Seq2[int64, model.Numbers] {
	return func(yield func(int64, model.Numbers) bool) {
		start := uint32(0)
		for i, end := range x.starts.All() {
			if end > start && !yield(i-1, x.entries.Slice(int64(start), int64(end))) {
				return
			}
			start = end
		}
	}
}

// Within returns the entries that name the keys first to last, key by key.
func (x *Inverse) Within(first, last int64) (none model.Numbers) {
	if first < 0 || first > last || last >= x.starts.Len()-1 {
		return none
	}
	return x.entries.Slice(int64(x.starts.At(first)), int64(x.starts.At(last+1)))
}

// Invert returns the inverse of entries 0 … n-1, which each name one of keys 0 … keys-1 or none (any other number). It
// counts, so that a key's entries are found in constant time.
func Invert(ctx context.Context, n, keys int64, key func(i int64) int64) (*Inverse, error) {
	return new(inverter).run(ctx, nil, "", n, keys, key)
}

// An inverter does the work of Invert for one range of keys after another. It can be resumed when its context has
// ended.
type inverter struct {
	list    model.NumbersBuilder // entries of the earlier keys
	starts  model.NumbersBuilder
	first   int64    // of the current keys
	start   []uint32 // for each current key, first the number of its entries, then the start and finally the end of its range in entries
	entries []uint32 // of the current keys, or nil until counted
	next    int64
}

const (
	betweenChecks = 1 << 16 // steps from one check of the context to the next
	keysAtOnce    = 1 << 19 // keys in a range, which takes two passes; larger ranges would take more memory than the result
)

var errTooManyLinks = errors.New("more than 4,294,967,294 entries refer to each other")

func (v *inverter) run(ctx context.Context, progress model.Progress, what string, n, keys int64, key func(i int64) int64) (*Inverse, error) {
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
			v.starts.Add(uint32(v.list.Len()))
			return &Inverse{v.list.Numbers(), v.starts.Numbers()}, nil
		}
	}
}

// end appends the entries of the current keys, and advances to the next ones.
func (v *inverter) end() {
	before, start := uint32(v.list.Len()), uint32(0)
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

// accumulate replaces counts with their running sums, each without its own count, and returns the total.
func accumulate(counts []uint32) (sum uint32) {
	for k, n := range counts {
		counts[k] = sum
		sum += n
	}
	return sum
}

// sortedInverse returns the inverse of links, which may have duplicates, by sorting. A link is a key in the high half
// and an entry in the low one.
func sortedInverse(links []uint64, keys int64) *Inverse {
	slices.Sort(links)
	links = slices.Compact(links)
	var entries, starts model.NumbersBuilder
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
