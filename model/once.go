package model

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Once is something that costs work to have, such as a table of a file. The first Get does the work, others wait for
// it; when its context ends the thing stays unmade and can be asked for again. The zero value is ready.
type Once[T any] struct {
	made  atomic.Pointer[T]
	pause Pause
	mu    sync.Mutex
	busy  chan struct{} // closed when the running attempt ends
}

// Made returns what was made, or nil.
func (o *Once[T]) Made() *T { return o.made.Load() }

// Get returns the thing, made by work if need be. An error of work is returned and not remembered, nor is anything that
// was made under a context that has ended: what could not be read then is missing in it. Lasting damage is no error but
// part of what work makes. What says by LacksBytes that a disk or server did not give all of it is made again when it is asked for
// after a while.
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
