package usdc

import (
	"context"
	"slices"
	"sync"
)

// recentKept is how many things an lru keeps.
const recentKept = 16

// lru keeps the last few things that were asked for.
type lru[K comparable, V any] struct {
	mu    sync.Mutex
	order []K // the last one asked for at the end
	held  map[K]V
}

// get returns what is kept for key, else what make makes; what it makes while ctx ends is not kept.
func (l *lru[K, V]) get(ctx context.Context, key K, make func() V) V {
	l.mu.Lock()
	defer l.mu.Unlock()
	v, ok := l.held[key]
	if ok {
		i := slices.Index(l.order, key)
		l.order = append(slices.Delete(l.order, i, i+1), key)
		return v
	}
	if v = make(); ctx.Err() != nil {
		return v
	}
	if l.held == nil {
		l.held = map[K]V{}
	}
	if len(l.order) >= recentKept {
		delete(l.held, l.order[0])
		l.order = slices.Delete(l.order, 0, 1)
	}
	l.held[key] = v
	l.order = append(l.order, key)
	return v
}
