package usdc

import "sync/atomic"

// cacheSlots is how many things a slotCache keeps at most.
const cacheSlots = 1 << 11

// slotCache keeps things by their number, in each slot the last one that was put there. It takes no lock, so that
// several can walk the tree at once.
type slotCache[V any] [cacheSlots]atomic.Pointer[numbered[V]]

type numbered[V any] struct {
	number uint32
	thing  V
}

// get is what was kept for a number; nil: nothing.
func (r *slotCache[V]) get(number uint32) *V {
	if kept := r[number%cacheSlots].Load(); kept != nil && kept.number == number {
		return &kept.thing
	}
	return nil
}

func (r *slotCache[V]) put(number uint32, thing V) {
	r[number%cacheSlots].Store(&numbered[V]{number, thing})
}
