package table

import "sync/atomic"

// cacheSlots is the most things that a cache keeps.
const cacheSlots = 1 << 11

// cache keeps things by their number, in each slot the last one that was put there. It takes no lock, so that
// several can walk the tree at once.
type cache[V any] [cacheSlots]atomic.Pointer[numbered[V]]

type numbered[V any] struct {
	number uint32
	thing  V
}

// get returns the thing that was kept for a number, or nil if there is none.
func (r *cache[V]) get(number uint32) *V {
	if kept := r[number%cacheSlots].Load(); kept != nil && kept.number == number {
		return &kept.thing
	}
	return nil
}

func (r *cache[V]) store(number uint32, thing V) {
	r[number%cacheSlots].Store(&numbered[V]{number, thing})
}
