package vrs

import (
	"container/list"
	"sync"
)

// recent keeps the values that were used last, by key.
type recent[K comparable, T any] struct {
	limit int
	mu    sync.Mutex
	byKey map[K]*list.Element
	order list.List // the last used in front
}

type recentEntry[K comparable, T any] struct {
	key   K
	value T
}

// get returns the value of key, made if it is not kept. make must be quick: it runs under the lock.
func (c *recent[K, T]) get(key K, make func() T) T {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.byKey[key]; e != nil {
		c.order.MoveToFront(e)
		return e.Value.(*recentEntry[K, T]).value
	}
	if c.byKey == nil {
		c.byKey = map[K]*list.Element{}
	}
	v := make()
	c.byKey[key] = c.order.PushFront(&recentEntry[K, T]{key, v})
	for c.order.Len() > c.limit {
		oldest := c.order.Back()
		delete(c.byKey, oldest.Value.(*recentEntry[K, T]).key)
		c.order.Remove(oldest)
	}
	return v
}
