package model

import (
	"context"
	"sync"
)

// A Cache keeps values by key: the Limit of them that were asked for last, or all where Limit is 0. It is safe for
// concurrent use; the zero value is ready.
type Cache[K comparable, V any] struct {
	Limit int

	mu   sync.Mutex
	held map[K]*cached[K, V]
	last *cached[K, V] // in a ring by use: next is the one that was used longest ago
}

type cached[K comparable, V any] struct {
	key        K
	value      V
	prev, next *cached[K, V]
}

// Get returns the value of key: what is kept, else what build makes, without the lock. Of two that make it at once the
// first has the one that is kept. What comes with an error, or was made under a context that has ended, is not kept.
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

// Of is Get where build reads nothing.
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

// use puts e where the one that was used last is.
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
