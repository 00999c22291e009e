package model

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Once keeps a value that is costly to make, such as a table of a file. The first Get makes it and others wait; if
// its context ends, the value stays unmade and the next Get tries again. The zero value is ready.
type Once[T any] struct {
	made  atomic.Pointer[T]
	pause Pause
	mu    sync.Mutex
	busy  chan struct{} // closed when the running attempt ends
}

// Made returns the value, or nil if it is not made.
func (o *Once[T]) Made() *T { return o.made.Load() }

// Get returns the value, made by work if necessary. It keeps neither an error nor a value made under a context that has
// ended, which may lack the rest. Lasting damage is no error but part of the value. A value that reports by LacksBytes
// that a disk or server failed is made again by a Get after a pause.
func (o *Once[T]) Get(ctx context.Context, progress Progress, work func(context.Context, Progress) (*T, error)) (*T, error) {
	for {
		if made := o.made.Load(); made != nil && !o.pause.Over() {
			return made, nil
		}
		o.mu.Lock()
		if o.made.Load() != nil && !o.pause.Over() {
			o.mu.Unlock()
			continue
		}
		if busy := o.busy; busy != nil {
			o.mu.Unlock()
			select {
			case <-busy:
				continue
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		mine := make(chan struct{})
		o.busy = mine
		o.mu.Unlock()
		return o.attempt(ctx, progress, mine, work)
	}
}

func (o *Once[T]) attempt(ctx context.Context, progress Progress, mine chan struct{}, work func(context.Context, Progress) (*T, error)) (made *T, err error) {
	began := time.Now()
	lacks := false
	defer func() {
		o.mu.Lock()
		defer close(mine)
		defer o.mu.Unlock()
		o.busy = nil
		if made != nil {
			o.pause.Begin(began, lacks)
			o.made.Store(made)
		}
	}()
	got, err := work(ctx, progress)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil || got == nil {
		return nil, err
	}
	if lacking, ok := any(got).(interface{ LacksBytes() bool }); ok {
		lacks = lacking.LacksBytes()
	}
	return got, nil
}
