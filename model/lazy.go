package model

import "context"

// Lazy is pending Children: a decoder keeps one for each part whose inside costs work to know. The first Resolve
// does the work, others wait for it; when its context ends the part stays pending and can be tried again.
type Lazy struct {
	work func(ctx context.Context, progress Progress) (Children, error)
	once Once[Children]
}

// NewLazy makes pending children out of the work that makes them. work returns an error only when ctx ended.
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

// Pending implements Pending.
func (l *Lazy) Pending() bool { return l.Resolved() == nil }

// Resolve implements Pending.
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

// Len implements Children; a pending part has none and does not know its number.
func (l *Lazy) Len(ctx context.Context) (int64, bool) {
	if c := l.Resolved(); c != nil {
		return c.Len(ctx)
	}
	return 0, false
}

// At implements Children.
func (l *Lazy) At(ctx context.Context, i int64) Node { return l.Resolved().At(ctx, i) }

// Index implements Indexer.
func (l *Lazy) Index(ctx context.Context, segment string) (int64, bool) {
	c := l.Resolved()
	if c == nil {
		return 0, false
	}
	return IndexOf(ctx, c, segment)
}

// Locate implements Locator.
func (l *Lazy) Locate(ctx context.Context, src *Source, off int64) (int64, bool) {
	c := l.Resolved()
	if c == nil {
		return 0, false
	}
	return Locate(ctx, c, src, off)
}

// Survey implements Surveyor.
func (l *Lazy) Survey(ctx context.Context, progress Progress) (Coverage, bool, error) {
	c := l.Resolved()
	if c == nil {
		return Coverage{}, false, nil
	}
	return Survey(ctx, c, progress)
}

// IndexOf finds a child of c by what its path has for it: through Indexer, else by its number where that is "[i]", else by looking
// at all.
func IndexOf(ctx context.Context, c Children, segment string) (int64, bool) {
	if x, ok := c.(Indexer); ok {
		return x.Index(ctx, segment)
	}
	n, _ := c.Len(ctx)
	if i, ok := ParseIndex(segment); ok && i < n && isSegmentOf(ctx, segment, c, i) {
		return i, true
	}
	for i := range n {
		if isSegmentOf(ctx, segment, c, i) {
			return i, true
		}
	}
	return 0, false
}
