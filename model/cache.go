package model

import (
	"context"
	"sync"
)

// A Cache keeps the Limit most recently used values by key, or all if Limit is 0. It is safe for concurrent use; the
// zero value is ready.
type Cache[K comparable, V any] struct {
	Limit int

	mu   sync.Mutex
	held map[K]*cached[K, V]
	last *cached[K, V] // most recently used; last.next is the least recently used
}

type cached[K comparable, V any] struct {
	key        K
	value      V
	prev, next *cached[K, V]
}

// Get returns the value of key from the cache or from build, which is called without the lock. If two callers build it
// at once, both get the value of the first. A value is not kept if build fails or ctx has ended.
func (c *Cache[K, V]) Get(ctx context.Context, key K, build func(ctx context.Context) (V, error)) (V, error) {
	if v, ok := c.find(key); ok {
		return v, nil
	}
	v, err := build(ctx)
	if err != nil || ctx.Err() != nil {
		return v, err
	}
	return c.insert(key, v), nil
}

// Of is like Get, for a build that reads nothing.
func (c *Cache[K, V]) Of(key K, build func() V) V {
	if v, ok := c.find(key); ok {
		return v
	}
	return c.insert(key, build())
}

func (c *Cache[K, V]) find(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.held[key]
	if e == nil {
		return v, false
	}
	c.use(e)
	return e.value, true
}

func (c *Cache[K, V]) insert(key K, v V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.held[key]; e != nil {
		c.use(e)
		return e.value
	}
	if c.held == nil {
		c.held = make(map[K]*cached[K, V])
	}
	e := &cached[K, V]{key: key, value: v}
	c.held[key] = e
	c.use(e)
	if c.Limit > 0 && len(c.held) > c.Limit {
		oldest := c.last.next
		delete(c.held, oldest.key)
		oldest.unlink()
	}
	return v
}

// use makes e the most recently used value.
func (c *Cache[K, V]) use(e *cached[K, V]) {
	switch {
	case e == c.last:
		return
	case c.last == nil:
		e.prev, e.next = e, e
	default:
		if e.next != nil {
			e.unlink()
		}
		e.prev, e.next = c.last, c.last.next
		e.prev.next, e.next.prev = e, e
	}
	c.last = e
}

func (e *cached[K, V]) unlink() { e.prev.next, e.next.prev = e.next, e.prev }
