package grammar

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"weak"
)

// A ledger counts the memory of the elements that the lists of a session keep. A list that nobody holds any more is
// noticed when the limit is met: the ledger has only weak pointers, and asks the collector.
type ledger struct {
	total atomic.Int64 // bytes, with those of lists that went since the last count

	mu      sync.Mutex
	lists   []weak.Pointer[List]   // those that keep elements
	counted int64                  // total after the last count
	since   weak.Pointer[[64]byte] // to memory that the collector takes: its value is nil once it ran since the last count
}

// add counts n more bytes that l keeps.
func (k *ledger) add(l *List, n int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.held == 0 {
		k.lists = append(k.lists, weak.Make(l))
	}
	l.held += n
	k.total.Add(n)
}

// isFull reports whether lists keep limit bytes. Where they seem to, it counts those that are still held; an eighth of the
// limit must then be free, so that counting does not come at every element.
func (k *ledger) isFull(limit int64) bool {
	if k.total.Load() <= limit {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.total.Load() > k.counted {
		runtime.GC()
	} else if k.since.Value() != nil {
		return true
	}
	k.counted = 0
	k.lists = slices.DeleteFunc(k.lists, func(p weak.Pointer[List]) bool {
		l := p.Value()
		if l != nil {
			k.counted += l.held
		}
		return l == nil
	})
	k.total.Store(k.counted)
	k.since = weak.Make(new([64]byte))
	return k.counted > limit-limit/8
}
