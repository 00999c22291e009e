package model

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Memo keeps a value that takes a few reads to make. Callers that ask meanwhile wait; use a Once for longer work. The
// zero value is ready.
type Memo[T any] struct {
	done atomic.Bool // made is valid
	mu   sync.Mutex
	made T
}

// Get returns the value, made by build at the first call. The value is not kept if ctx has ended, or if meanwhile a
// read failed that may succeed the next time.
func (m *Memo[T]) Get(ctx context.Context, build func(ctx context.Context) T) T {
	if m.done.Load() {
		return m.made
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done.Load() {
		return m.made
	}
	failed := failedReads.Load()
	made := build(ctx)
	if ctx.Err() == nil && failed == failedReads.Load() {
		m.made = made
		m.done.Store(true)
	}
	return made
}

// Defer returns Children that build makes on demand, and that a Memo keeps. Use a Lazy for more than a few reads.
func Defer(build func(ctx context.Context) Children) Children { return &deferred{build: build} }

// DeferList is like Defer, for a list of nodes.
func DeferList(list func(ctx context.Context) []Node) Children { return &deferred{list: list} }

type deferred struct {
	build func(ctx context.Context) Children
	list  func(ctx context.Context) []Node // if build is nil
	kept  Memo[Children]
}

func (d *deferred) children(ctx context.Context) Children { return d.kept.Get(ctx, d.now) }

func (d *deferred) now(ctx context.Context) Children {
	if d.build != nil {
		return d.build(ctx)
	}
	return NewList(d.list(ctx)...)
}

func (d *deferred) Len(ctx context.Context) (int64, bool) { return d.children(ctx).Len(ctx) }

func (d *deferred) At(ctx context.Context, i int64) Node {
	c := d.children(ctx)
	if ctx.Err() != nil { // fewer may be found than were counted
		if n, _ := c.Len(ctx); i >= n {
			return Node{Name: IndexName(i)}
		}
	}
	return c.At(ctx, i)
}

func (d *deferred) Find(ctx context.Context, q Query) (int64, bool) {
	return Find(ctx, d.children(ctx), q)
}
