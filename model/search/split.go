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
	// wideList is the least number of children of a node that several goroutines search.
	wideList = 64
	// mostWorkers bounds the goroutines that search.
	mostWorkers = 4
	// batch bounds the hits that are handed on at once, batches the number of such lots of a chunk that wait.
	batch, batches = 64, 4
)

// chunk is some children of a node, in a row, with all below them.
type chunk struct {
	first, end int64
	hits       chan []Hit // closed when the chunk is done
	// The following are valid when hits is closed.
	visited  int64
	err      error
	panicked error // what a panic of a decoder said, and where
}

// workers returns the number of goroutines that search.
func workers() int { return min(runtime.GOMAXPROCS(0), mostWorkers) }

// split searches what is below p in chunks, several at once, and gives the hits on in order.
func (t *treeSearch) split(ctx context.Context, p *model.Place, visited *int64, found func(context.Context, Hit) error) error {
	p.Keep(ctx) // the workers look up from their places to p: nothing above them may change
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
			panic(c.panicked) // where the caller can catch it
		}
		if c.err != nil {
			return c.err
		}
	}
	return ctx.Err()
}

// deal cuts the children of p into chunks, which it gives to the workers and, in order, to who waits for the hits.
// Children that are found meanwhile are taken along.
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

// chunk searches one chunk of the children of p. Hits are handed on at once while there is room, else in batches.
func (t *treeSearch) chunk(ctx context.Context, p *model.Place, c *chunk) {
	defer close(c.hits)
	defer func() {
		if r := recover(); r != nil { // the stack is lost where the panic continues
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
