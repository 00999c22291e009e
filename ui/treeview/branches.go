package treeview

import (
	"strconv"
	"sync"
	"time"
)

const (
	// pollEvery is the time after which growing branches are asked again.
	pollEvery = 150 * time.Millisecond
	// siblingsOpen is the number of siblings that openSiblings opens.
	siblingsOpen = 1000
)

// branches opens and closes the branches of an outline, and asks the data for their children.
type branches struct {
	source   *source
	out      *outline
	rows     *rows
	refresh  func()
	closed   func(b *branch) // is called for a branch whose rows are hidden now
	resolved func(b *branch) // is called for one whose children have become known
	flat     bool            // it is a list, whose outermost branch has the rows
	polling  bool
}

// toggle opens or closes a branch; opening starts the work that it needs.
func (o *branches) toggle(b *branch, open bool) {
	if b.open == open {
		return
	}
	o.out.update(b, func() { b.open = open })
	switch {
	case !open:
		o.closed(b)
	case o.source.data.Pending(b.item):
		o.resolve(b)
	default:
		o.recount(b)
	}
}

// open opens the row at p if it is a branch and made.
func (o *branches) open(p pos) {
	if m := o.rows.made[p]; m != nil && m.row.Branch && !p.isTail() {
		o.toggle(o.out.add(p.b, p.i, m.item), true)
	}
}

// flip opens or closes the row at p.
func (o *branches) flip(p pos) {
	if b := p.b.kid(p.i); b != nil && b.open {
		o.toggle(b, false)
		return
	}
	o.open(p)
}

// openWay opens the branches on a way from the root, and returns the last one.
func (o *branches) openWay(way []Step) *branch {
	b := o.out.top
	for _, step := range way {
		next := o.out.add(b, step.Index, step.Item)
		next.item = step.Item
		if m := o.rows.made[pos{b, step.Index}]; m != nil {
			m.item, m.stale = step.Item, true // more may be known by now
		}
		o.toggle(next, true)
		if next.work == nil {
			o.recount(next)
		}
		b = next
	}
	return b
}

// openSiblings opens the row at p and its siblings, the nearest ones where they are very many, and then calls done.
func (o *branches) openSiblings(p pos, done func()) {
	b, parent := p.b, p.b.item
	first := max(0, min(p.i-siblingsOpen/2, b.count-siblingsOpen))
	last := min(b.count, first+siblingsOpen)
	go func() {
		var ready []Step
		for i := first; i < last && o.source.ctx.Err() == nil; i++ {
			it := o.source.child(parent, i)
			if o.source.data.Row(it).Branch {
				ready = append(ready, Step{i, it})
			}
		}
		o.source.post(func() {
			for _, s := range ready {
				o.toggle(o.out.add(b, s.Index, s.Item), true)
			}
			done()
		})
	}()
}

// recount asks for the children of b that are known now.
func (o *branches) recount(b *branch) {
	if b == o.out.top && !o.flat {
		return
	}
	n, exact := o.source.data.Count(b.item)
	tail := ""
	switch {
	case b.work != nil:
		tail = b.work.say()
	case !exact:
		tail = "there may be more…"
	}
	was := b.count
	o.out.update(b, func() { b.count, b.exact, b.tail = n, exact, tail })
	if u, ok := o.source.data.(Unfolding); ok && b.open {
		for _, step := range u.Unfolds(b.item, max(was-1, 0)) { // the last one may have become a branch
			if b.kid(step.Index) == nil {
				o.toggle(o.out.add(b, step.Index, step.Item), true)
			}
		}
	}
	if b.open && !exact {
		o.poll()
	}
}

// grow recounts the open branches, or only those that grow or are at work, and reports whether there are any.
func (o *branches) grow(all bool) bool {
	var open []*branch
	o.out.top.each(func(b *branch) {
		if b.open && (all || !b.exact || b.work != nil) {
			open = append(open, b)
		}
	})
	for _, b := range open {
		o.recount(b)
	}
	return len(open) > 0
}

// poll recounts branches that grow or are at work, until there are none.
func (o *branches) poll() {
	if o.polling {
		return
	}
	o.polling = true
	time.AfterFunc(pollEvery, func() {
		if o.source.ctx.Err() != nil {
			return
		}
		o.source.post(func() {
			o.polling = false
			if o.grow(false) {
				o.poll()
				o.refresh()
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

// say returns the text of the row after the children.
func (w *resolving) say() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.total > 0 {
		return "decoding… " + strconv.FormatInt(int64(float64(w.done)*100/float64(w.total)), 10) + " %"
	}
	return "decoding…"
}

// resolve starts the work for a pending branch.
func (o *branches) resolve(b *branch) {
	if b.work != nil {
		return
	}
	w := &resolving{}
	b.work = w
	o.recount(b)
	o.poll()
	item := b.item
	go func() {
		fresh, err := o.source.data.Resolve(o.source.ctx, item, w.progress)
		o.source.post(func() {
			b.work = nil
			switch {
			case o.source.ctx.Err() != nil:
				return
			case err != nil:
				o.out.update(b, func() { b.tail = "stopped: press Enter here to go on" })
				o.refresh()
				return
			}
			b.item = fresh
			own := pos{b.up, b.index}
			for p, m := range o.rows.made {
				m.stale = m.stale || p.b == b || p == own
			}
			if m := o.rows.made[own]; m != nil {
				m.item = fresh
			}
			o.resolved(b)
		})
	}()
}
