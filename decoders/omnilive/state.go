package omnilive

import (
	"context"

	"cutaway/model"
)

// live is an opened live layer: its deltas, and what applying them gives.
type live struct {
	deltas []*delta
	step   int // how many of the deltas the layer view has
	all    *model.Lazy
	upTo   *model.Lazy
	whole  *result // of all deltas, once all is resolved
	part   *result // of the first step deltas
}

func newLive(deltas []*delta, step int) *live {
	l := &live{deltas: deltas, step: step}
	l.all = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		res, err := apply(ctx, deltas, progress)
		l.whole = res
		return model.NewList(), err
	})
	l.upTo = l.all
	if step < len(deltas) {
		l.upTo = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			res, err := apply(ctx, deltas[:step], progress)
			l.part = res
			return model.NewList(), err
		})
	}
	return l
}

// applied is what applying all deltas gave; nil while that is not known.
func (l *live) applied() *result {
	if l.all.Resolved() == nil {
		return nil
	}
	return l.whole
}

// stepped is the layer after the chosen step; nil while that is not known.
func (l *live) stepped() *result {
	switch {
	case l.upTo == l.all:
		return l.applied()
	case l.upTo.Resolved() == nil:
		return nil
	}
	return l.part
}

// later is children that are there once a part of the state is known.
type later struct {
	lazy *model.Lazy
	make func() model.Children
}

// when gives children at once where lazy is done, else pending ones.
func when(lazy *model.Lazy, make func() model.Children) model.Children {
	if lazy.Resolved() != nil {
		return make()
	}
	return &later{lazy, make}
}

// Pending implements model.Pending.
func (c *later) Pending() bool { return c.lazy.Pending() }

// Resolve implements model.Pending.
func (c *later) Resolve(ctx context.Context, progress model.Progress) error {
	return c.lazy.Resolve(ctx, progress)
}

// Len implements model.Children.
func (c *later) Len() (int64, bool) {
	if c.Pending() {
		return 0, false
	}
	return c.make().Len()
}

// At implements model.Children.
func (c *later) At(i int64) model.Node { return c.make().At(i) }
