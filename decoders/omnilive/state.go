package omnilive

import (
	"context"

	"cutaway/model"
)

// live is an opened live layer: its deltas, and what applying them gives.
type live struct {
	model.Tables
	deltas []*delta
	step   int // how many of the deltas the layer view has
	all    *state
	upTo   *state // of the first step deltas
}

// state is what applying deltas gives, once someone asks.
type state struct {
	deltas []*delta
	once   model.Once[result]
}

func newLive(deltas []*delta, step int) *live {
	l := &live{deltas: deltas, step: step, all: &state{deltas: deltas}}
	l.upTo = l.all
	if step < len(deltas) {
		l.upTo = &state{deltas: deltas[:step]}
	}
	return l
}

// known is the result; nil while it is not known.
func (s *state) known() *result { return s.once.Made() }

// get verifies what was not at the opening and applies the deltas, unless that is done. The error is ctx's.
func (s *state) get(ctx context.Context, progress model.Progress) (*result, error) {
	return s.once.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*result, error) {
		for _, d := range s.deltas {
			if d.tree == nil {
				continue
			}
			if _, err := d.tree.Sound(ctx, progress); err != nil {
				return nil, err
			}
		}
		return apply(ctx, s.deltas, progress)
	})
}

// applied is what applying all deltas gave; nil while that is not known.
func (l *live) applied() *result { return l.all.known() }

// stepped is the layer after the chosen step; nil while that is not known.
func (l *live) stepped() *result { return l.upTo.known() }

// stateChildren is children that are there once a state is known.
type stateChildren struct {
	of   *state
	make func(ctx context.Context, res *result) model.Children
}

// when gives children at once where the state is known, else pending ones.
func (s *state) when(ctx context.Context, build func(ctx context.Context, res *result) model.Children) model.Children {
	if res := s.known(); res != nil {
		return build(ctx, res)
	}
	return &stateChildren{s, build}
}

// Pending implements model.Pending.
func (c *stateChildren) Pending() bool { return c.of.known() == nil }

// Resolve implements model.Pending.
func (c *stateChildren) Resolve(ctx context.Context, progress model.Progress) error {
	_, err := c.of.get(ctx, progress)
	return err
}

// Len implements model.Children.
func (c *stateChildren) Len(ctx context.Context) (int64, bool) {
	res := c.of.known()
	if res == nil {
		return 0, false
	}
	return c.make(ctx, res).Len(ctx)
}

// At implements model.Children.
func (c *stateChildren) At(ctx context.Context, i int64) model.Node {
	return c.make(ctx, c.of.known()).At(ctx, i)
}
