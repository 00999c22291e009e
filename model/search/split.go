package search

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"

	"cutaway/model"
)

const (
	// wideList is the least number of children that are searched in parallel.
	wideList = 64
	// mostWorkers is the most goroutines of a search.
	mostWorkers = 4
	// batch is the most hits that are passed on at once, batches the most batches of a chunk that wait.
	batch, batches = 64, 4
)

// A chunk is a range of a node's children with their descendants.
type chunk struct {
	first, end int64
	hits       chan []Hit // closed when the chunk is done
	// Valid once hits is closed.
	visited  int64
	err      error
	panicked error // a panic of a decoder, and its stack
}

// workers returns the number of goroutines of a search.
func workers() int { return min(runtime.GOMAXPROCS(0), mostWorkers) }

// split searches the descendants of p in chunks, in parallel, and passes the hits on in order.
func (t *treeSearch) split(ctx context.Context, p *model.Place, visited *int64, found func(context.Context, Hit) error) error {
	p.Keep(ctx) // the ancestors of the workers' places must not change
	workers := workers()
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	jobs, order := make(chan *chunk), make(chan *chunk, 2*workers)
	running.Go(func() { deal(ctx, p, workers, jobs, order) })
	for range workers {
		running.Go(func() {
			for c := range jobs {
				t.chunk(ctx, p, c)
			}
		})
	}
	defer running.Wait()
	defer cancel()
	for c := range order {
		for hits := range c.hits {
			for i := range hits {
				if err := found(ctx, hits[i]); err != nil {
					return err
				}
			}
		}
		*visited += c.visited
		if c.panicked != nil {
			panic(c.panicked) // to where the caller can recover
		}
		if c.err != nil {
			return c.err
		}
	}
	return ctx.Err()
}

// deal cuts the children of p into chunks for the workers, and passes the chunks in order to the receiver of the hits.
// Children that are found meanwhile are included.
func deal(ctx context.Context, p *model.Place, workers int, jobs, order chan<- *chunk) {
	defer close(jobs)
	defer close(order)
	const perWorker, most = 16, 1 << 12
	for next := int64(0); ; {
		n, _ := p.Len(ctx)
		if next >= n {
			return
		}
		size := min(max((n-next)/int64(perWorker*workers), 1), most)
		c := &chunk{first: next, end: min(next+size, n), hits: make(chan []Hit, batches)}
		next = c.end
		select {
		case order <- c:
		case <-ctx.Done():
			return
		}
		select {
		case jobs <- c:
		case <-ctx.Done():
			c.err = ctx.Err()
			close(c.hits)
			return
		}
	}
}

// chunk searches a chunk of the children of p. Hits are passed on one at a time while the receiver waits, and otherwise
// in batches.
func (t *treeSearch) chunk(ctx context.Context, p *model.Place, c *chunk) {
	defer close(c.hits)
	defer func() {
		if r := recover(); r != nil { // a repeated panic loses the stack
			c.panicked = fmt.Errorf("%v\n%s", r, debug.Stack())
		}
	}()
	var hits []Hit
	send := func() error {
		select {
		case c.hits <- hits:
			hits = nil
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.err = model.WalkChildren(ctx, p, c.first, c.end, t.walkOptions(ctx, &c.visited), t.visitor(ctx, &c.visited, func(_ context.Context, h Hit) error {
		hits = append(hits, h)
		select {
		case c.hits <- hits:
			hits = nil
		default:
			if len(hits) == batch {
				return send()
			}
		}
		return nil
	}, nil))
	t.report(ctx, p, c.end, c.visited%step)
	if len(hits) > 0 {
		if err := send(); c.err == nil {
			c.err = err
		}
	}
}
