package model

import "context"

// Lazy is pending Children: a decoder keeps one for each part whose content is costly. The first Resolve does the work
// and others wait; if its context ends, the part stays pending and can be resolved later.
type Lazy struct {
	work func(ctx context.Context, progress Progress) (Children, error)
	once Once[Children]
}

// NewLazy returns pending children that work makes. work returns an error only if ctx ended.
func NewLazy(work func(ctx context.Context, progress Progress) (Children, error)) *Lazy {
	return &Lazy{work: work}
}

// Resolved returns the children, or nil while they are pending.
func (l *Lazy) Resolved() Children {
	if c := l.once.Made(); c != nil {
		return *c
	}
	return nil
}

// Pending reports whether the work is still to be done.
func (l *Lazy) Pending() bool { return l.Resolved() == nil }

// Resolve does the work once, for all callers.
func (l *Lazy) Resolve(ctx context.Context, progress Progress) error {
	_, err := l.once.Get(ctx, progress, func(ctx context.Context, progress Progress) (*Children, error) {
		c, err := l.work(ctx, progress)
		if c == nil {
			c = NewList()
		}
		return &c, err
	})
	return err
}

// Len returns 0, false while pending.
func (l *Lazy) Len(ctx context.Context) (int64, bool) {
	if c := l.Resolved(); c != nil {
		return c.Len(ctx)
	}
	return 0, false
}

// At makes child i of a resolved part.
func (l *Lazy) At(ctx context.Context, i int64) Node { return l.Resolved().At(ctx, i) }

// Find finds a child, or none while pending.
func (l *Lazy) Find(ctx context.Context, q Query) (int64, bool) {
	if c := l.Resolved(); c != nil {
		return Find(ctx, c, q)
	}
	return 0, false
}

// Bulk returns functions that forward to the children's, which are nil while they are pending.
func (l *Lazy) Bulk() *BulkFuncs {
	if BulkOf(l.Resolved()) == &noBulk {
		return nil
	}
	return lazyBulk
}

var lazyBulk = forwardBulk(func(c Children) Children { return c.(*Lazy).Resolved() })
