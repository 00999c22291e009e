package treeview

import (
	"context"
	"sync"
	"time"
)

// A source is the data of a tree, and the way to ask it beside the screen.
type source struct {
	data Data
	ctx  context.Context // ends all work
	post func(func())    // runs a function on the UI goroutine
}

// rootOf is the item of the outermost branch, whose only child is the root.
type rootOf struct{}

// child makes child i of an item.
func (s *source) child(it Item, i int64) Item {
	if _, outermost := it.(rootOf); outermost {
		return s.data.Root()
	}
	return s.data.Child(it, i)
}

const (
	// grace is the time that the UI waits for rows before it shows placeholders: less than a frame.
	grace = 4 * time.Millisecond
	// keepRows is the number of rows out of sight that are remembered.
	keepRows = 2000
)

// made is a row that is ready.
type made struct {
	item  Item
	row   Row
	stale bool // to be made again, but good to show until then
}

// want is a row to be made.
type want struct {
	at     pos
	parent Item
	item   Item // the row's own item where it is known
}

type result struct {
	at pos
	made
}

// rows makes rows in one goroutine, which ends when there is nothing to do, and keeps those near the ones in sight.
type rows struct {
	source  *source
	out     *outline
	refresh func()          // shows rows that came late
	arrived func(pos, Item) // is called for each row that was made
	made    map[pos]*made   // of the UI goroutine alone, as are the above

	mu      sync.Mutex
	need    []want
	done    chan struct{} // closed when need is made
	got     []result
	running bool
	waiting bool // the UI shows placeholders, and is to be refreshed
}

// fill makes the rows first … first+n-1 and that of the cursor, and forgets those long out of sight.
func (r *rows) fill(first int64, n int, cursor pos) {
	r.collect()
	var need []want
	for row := first; row < first+int64(n) && row < r.out.rows(); row++ {
		if w, ok := r.wanted(r.out.place(row)); ok {
			need = append(need, w)
		}
	}
	if w, ok := r.wanted(cursor); ok {
		need = append(need, w)
	}
	if len(r.made) > keepRows {
		for p := range r.made {
			row, shown := r.out.row(p)
			if p != cursor && (!shown || row < first-int64(n) || row > first+2*int64(n)) {
				delete(r.made, p)
			}
		}
	}
	if len(need) > 0 {
		r.ensure(need)
	}
}

// wanted reports whether the row at p has to be made.
func (r *rows) wanted(p pos) (want, bool) {
	if p.isTail() || p.i < 0 {
		return want{}, false
	}
	w := want{at: p, parent: p.b.item}
	m := r.made[p]
	if m != nil {
		w.item = m.item
	} else if kid := p.b.kid(p.i); kid != nil { // of a branch more may be known than its parent has
		w.item = kid.item
	}
	return w, m == nil || m.stale
}

// ensure makes rows. It returns when they are made or the grace is over; then the tree is refreshed later.
func (r *rows) ensure(need []want) {
	done := make(chan struct{})
	r.mu.Lock()
	r.need, r.done, r.waiting = need, done, false
	if !r.running {
		r.running = true
		go r.run()
	}
	r.mu.Unlock()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	r.mu.Lock()
	select {
	case <-done:
	default:
		r.waiting = true
	}
	r.mu.Unlock()
	r.collect()
}

// run makes rows until none is needed.
func (r *rows) run() {
	for {
		r.mu.Lock()
		need, done := r.need, r.done
		r.need = nil
		if need == nil || r.source.ctx.Err() != nil {
			r.running = false
			r.mu.Unlock()
			return
		}
		r.mu.Unlock()
		last := time.Now()
		for _, w := range need {
			it := w.item
			if it == nil {
				it = r.source.child(w.parent, w.at.i)
			}
			one := result{w.at, made{item: it, row: r.source.data.Row(it)}}
			r.mu.Lock()
			r.got = append(r.got, one)
			superseded := r.need != nil
			late := r.waiting && time.Since(last) > 50*time.Millisecond
			r.mu.Unlock()
			if superseded || r.source.ctx.Err() != nil {
				break
			}
			if late {
				last = time.Now()
				r.source.post(r.refresh)
			}
		}
		r.mu.Lock()
		close(done)
		late := r.waiting
		r.mu.Unlock()
		if late {
			r.source.post(r.refresh)
		}
	}
}

// collect takes over the rows that were made, on the UI goroutine.
func (r *rows) collect() {
	r.mu.Lock()
	got := r.got
	r.got = nil
	r.mu.Unlock()
	for _, one := range got {
		if !one.at.under(r.out.top) {
			continue // of before a restart
		}
		r.made[one.at] = &one.made
		if b := one.at.b.kid(one.at.i); b != nil && b.item == nil {
			b.item = one.item
		}
		r.arrived(one.at, one.item)
	}
}
