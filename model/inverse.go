package model

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"
)

// An Inverse lists, for each of some keys, the entries that name it, in ascending order and each once. It takes at most
// 8 bytes a link: two flat arrays, of which one has the entries and the other either where those of each key begin, or,
// where there are more keys than links, the key of each.
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

// Invert makes the inverse of n links between entries and keys 0 … keys-1, by counting. link gives the key and the
// entry of each; links to other keys are left out.
func Invert(ctx context.Context, n, keys int64, link func(i int64) (key, entry int64)) (*Inverse, error) {
	return new(inverter).run(ctx, nil, "", n, keys, link)
}

// inverter is the work of Invert. When its context ends it can be gone on with.
type inverter struct {
	start   []uint32 // first how many links a key has, then where its entries begin, then where they end
	entries []uint32
	next    int64 // link
}

// betweenChecks is how many steps are made before the context is looked at.
const betweenChecks = 1 << 16

var errTooManyLinks = errors.New("more than 4,294,967,294 entries refer to each other")

func (v *inverter) run(ctx context.Context, progress Progress, what string, n, keys int64, link func(i int64) (key, entry int64)) (*Inverse, error) {
	if max(n, keys) >= math.MaxUint32 {
		return nil, errTooManyLinks
	}
	if v.start == nil {
		v.start = make([]uint32, keys+1)
	}
	pass := func(half int64, visit func(key, entry int64)) error {
		for ; v.next < n; v.next++ {
			if v.next%betweenChecks == 0 {
				if err := ctx.Err(); err != nil {
					return err
				}
				progress.Report(half*n+v.next, 2*n, what)
			}
			if key, entry := link(v.next); key >= 0 && key < keys {
				visit(key, entry)
			}
		}
		return nil
	}
	if v.entries == nil {
		if err := pass(0, func(key, _ int64) { v.start[key]++ }); err != nil {
			return nil, err
		}
		sum := uint32(0)
		for k, count := range v.start {
			v.start[k] = sum
			sum += count
		}
		v.entries, v.next = make([]uint32, sum), 0
	}
	err := pass(1, func(key, entry int64) {
		v.entries[v.start[key]] = uint32(entry)
		v.start[key]++
	})
	if err != nil {
		return nil, err
	}
	return v.inverse(), nil
}

// inverse leaves one of equal links, and chooses the smaller form.
func (v *inverter) inverse() *Inverse {
	keys := len(v.start) - 1
	from, kept := uint32(0), uint32(0)
	for k := range keys {
		end := v.start[k]
		list := v.entries[from:end]
		if !slices.IsSorted(list) {
			slices.Sort(list)
		}
		v.start[k] = kept
		kept += uint32(copy(v.entries[kept:], slices.Compact(list)))
		from = end
	}
	v.start[keys] = kept
	if int(kept) < len(v.entries) {
		v.entries = slices.Clone(v.entries[:kept])
	}
	if keys <= len(v.entries) {
		return &Inverse{entries: v.entries, keys: v.start}
	}
	x := &Inverse{entries: v.entries, keys: make([]uint32, kept), sparse: true}
	for k := range keys {
		for i := v.start[k]; i < v.start[k+1]; i++ {
			x.keys[i] = uint32(k)
		}
	}
	return x
}
