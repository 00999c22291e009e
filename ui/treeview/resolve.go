package treeview

import (
	"sync"
	"time"
)

// poll looks after branches that grow or are at work, until there are none.
func (t *Tree) poll() {
	if t.polling {
		return
	}
	t.polling = true
	time.AfterFunc(pollEvery, func() {
		if t.ctx.Err() != nil {
			return
		}
		t.post(func() {
			t.polling = false
			var growing []*branch
			t.out.top.each(func(b *branch) {
				if b.open && (b.up != nil || t.flat) && (!b.exact || b.work != nil) {
					growing = append(growing, b)
				}
			})
			for _, b := range growing {
				t.recount(b)
			}
			if len(growing) > 0 {
				t.poll()
				t.Refresh()
			}
		})
	})
}

// resolving is the work that makes the children of a branch known.
type resolving struct {
	mu          sync.Mutex
	done, total int64
}

func (w *resolving) progress(done, total int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done, w.total = done, total
}

// say is the text of the row after the children.
func (w *resolving) say() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.total > 0 {
		return "decoding… " + percent(w.done, w.total)
	}
	return "decoding…"
}

// resolve starts the work for a pending branch.
func (t *Tree) resolve(b *branch) {
	if b.work != nil {
		return
	}
	w := &resolving{}
	b.work = w
	t.recount(b)
	t.poll()
	item := b.item
	go func() {
		fresh, err := t.data.Resolve(t.ctx, item, w.progress)
		t.post(func() {
			b.work = nil
			if t.ctx.Err() != nil {
				return
			}
			if err != nil {
				t.out.update(b, func() { b.tail = "stopped: press Enter here to go on" })
				t.Refresh()
				return
			}
			b.item = fresh
			if t.cursor.b == b && t.cursor.isTail() { // the row that told of the work goes away
				t.setCursor(pos{b.up, b.index}, true)
			}
			for p, m := range t.rows {
				if p.b == b || p == (pos{b.up, b.index}) {
					m.stale = true
				}
			}
			if m := t.rows[pos{b.up, b.index}]; m != nil {
				m.item = fresh
			}
			t.recount(b)
			t.Refresh()
			if t.OnResolved != nil {
				t.OnResolved()
			}
		})
	}()
}
