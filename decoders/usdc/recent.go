package usdc

import "sync/atomic"

// recentSlots is how many things a recent keeps at most.
const recentSlots = 1 << 11

// recent keeps things by their number, in each slot the last one that was put there. It takes no lock, so that
// several can walk the tree at once.
type recent[V any] [recentSlots]atomic.Pointer[numbered[V]]

type numbered[V any] struct {
	number uint32
	thing  V
}

// get is what was kept for a number; nil: nothing.
func (r *recent[V]) get(number uint32) *V {
	if kept := r[number%recentSlots].Load(); kept != nil && kept.number == number {
		return &kept.thing
	}
	return nil
}

func (r *recent[V]) put(number uint32, thing V) {
	r[number%recentSlots].Store(&numbered[V]{number, thing})
}
