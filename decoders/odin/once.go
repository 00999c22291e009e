package odin

import (
	"context"
	"sync"

	"cutaway/model"
)

// once keeps a table that costs work to have. The first get does the work, others wait for it; when its context
// ends the table stays unmade and can be asked for again. Damage is part of the table, never an error.
type once[T any] struct {
	mu   sync.Mutex
	busy chan struct{} // closed when the running attempt ends
	done *T
}

// get returns the table, made by work if need be. work returns an error only when ctx ended.
func (o *once[T]) get(ctx context.Context, progress model.Progress, work func(context.Context, model.Progress) (*T, error)) (*T, error) {
	for {
		o.mu.Lock()
		if o.done != nil {
			defer o.mu.Unlock()
			return o.done, nil
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

func (o *once[T]) attempt(ctx context.Context, progress model.Progress, mine chan struct{}, work func(context.Context, model.Progress) (*T, error)) (made *T, err error) {
	defer func() {
		o.mu.Lock()
		o.done, o.busy = made, nil
		o.mu.Unlock()
		close(mine)
	}()
	return work(ctx, progress)
}
