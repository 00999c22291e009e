package treeview

import (
	"strconv"
	"sync"
	"time"
)

// grace is how long the UI waits for rows before it shows placeholders: less than a frame.
const grace = 4 * time.Millisecond

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

// fetcher makes rows in one goroutine, which ends when there is nothing to do.
type fetcher struct {
	quiet bool // the next item at the cursor is not announced; UI goroutine only

	mu      sync.Mutex
	need    []want
	done    chan struct{} // closed when need is made
	got     []result
	running bool
	waiting bool // the UI shows placeholders and wants to be told
}

// ensure makes rows: it returns when they are made or the grace is over; then the tree is refreshed later.
func (t *Tree) ensure(need []want) {
	f := &t.fetch
	done := make(chan struct{})
	f.mu.Lock()
	f.need, f.done, f.waiting = need, done, false
	if !f.running {
		f.running = true
		go t.makeRows()
	}
	f.mu.Unlock()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-done:
	case <-timer.C:
	}
	f.mu.Lock()
	select {
	case <-done:
	default:
		f.waiting = true
	}
	f.mu.Unlock()
	t.take()
}

// makeRows is the goroutine that makes rows.
func (t *Tree) makeRows() {
	f := &t.fetch
	for {
		f.mu.Lock()
		need, done := f.need, f.done
		f.need = nil
		if need == nil || t.ctx.Err() != nil {
			f.running = false
			f.mu.Unlock()
			return
		}
		f.mu.Unlock()
		last := time.Now()
		for _, w := range need {
			it := w.item
			if it == nil {
				it = t.child(w.parent, w.at.i)
			}
			r := result{w.at, made{item: it, row: t.data.Row(it)}}
			f.mu.Lock()
			f.got = append(f.got, r)
			superseded := f.need != nil
			tell := f.waiting && time.Since(last) > 50*time.Millisecond
			f.mu.Unlock()
			if superseded || t.ctx.Err() != nil {
				break
			}
			if tell {
				last = time.Now()
				t.post(t.Refresh)
			}
		}
		f.mu.Lock()
		close(done)
		tell := f.waiting
		f.mu.Unlock()
		if tell {
			t.post(t.Refresh)
		}
	}
}

// take moves what is made into the rows, on the UI goroutine.
func (t *Tree) take() {
	f := &t.fetch
	f.mu.Lock()
	got := f.got
	f.got = nil
	f.mu.Unlock()
	for _, r := range got {
		if !r.at.under(t.out.top) {
			continue // of before a restart
		}
		m := r.made
		t.rows[r.at] = &m
		if b := r.at.b.kid(r.at.i); b != nil && b.item == nil {
			b.item = m.item
		}
		if r.at == t.cursor && t.chosen == nil {
			t.choose(m.item)
		}
	}
}

// keepRows is how many rows out of sight are remembered.
const keepRows = 2000

// fill makes the rows first … first+n-1, and forgets those long out of sight.
func (t *Tree) fill(first int64, n int) {
	t.take()
	var need []want
	for r := first; r < first+int64(n) && r < t.out.rows(); r++ {
		p := t.out.at(r)
		if w, ok := t.wanted(p); ok {
			need = append(need, w)
		}
	}
	if t.chosen == nil {
		if w, ok := t.wanted(t.cursor); ok {
			need = append(need, w)
		}
	}
	if len(t.rows) > keepRows {
		t.forget(first, n)
	}
	if len(need) > 0 {
		t.ensure(need)
	}
}

// wanted reports whether the row at p has to be made.
func (t *Tree) wanted(p pos) (want, bool) {
	if p.isTail() || p.i < 0 {
		return want{}, false
	}
	m := t.rows[p]
	switch kid := p.b.kid(p.i); {
	case m == nil && kid != nil: // of a branch, more may be known than its parent tells
		return want{at: p, parent: p.b.item, item: kid.item}, true
	case m == nil:
		return want{at: p, parent: p.b.item}, true
	case m.stale:
		return want{at: p, parent: p.b.item, item: m.item}, true
	}
	return want{}, false
}

func (t *Tree) forget(first int64, n int) {
	for p := range t.rows {
		r, shown := t.out.row(p)
		if p != t.cursor && (!shown || r < first-int64(n) || r > first+2*int64(n)) {
			delete(t.rows, p)
		}
	}
}

func percent(done, total int64) string {
	return strconv.FormatInt(int64(float64(done)*100/float64(total)), 10) + " %"
}
