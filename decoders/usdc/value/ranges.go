package value

import (
	"sync"

	"cutaway/model"
)

// ranges keeps those of long arrays of compressed integers, by their offsets: to decode them again takes long.
type ranges struct {
	mu sync.Mutex
	of map[int64]model.IntegerRange
}

// The arrays whose ranges are kept.
const (
	leastRanged = 1 << 12 // elements
	mostRanged  = 1 << 16 // arrays
)

// store stores the range of an array of n elements.
func (k *ranges) store(off, n int64, r model.IntegerRange) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if n < leastRanged || len(k.of) >= mostRanged {
		return
	}
	if k.of == nil {
		k.of = map[int64]model.IntegerRange{}
	}
	k.of[off] = r
}

func (k *ranges) get(off int64) (r model.IntegerRange, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	r, known = k.of[off]
	return r, known
}
