package omnilive

import (
	"context"

	"cutaway/model"
	"cutaway/model/crossref"
)

// live is an opened live layer: its deltas, and what applying them gives.
type live struct {
	crossref.Tables
	deltas []*delta
	step   int // how many of the deltas the layer view has
	all    *state
	upTo   *state // of the first step deltas
}

// state is the result of applying deltas, which is computed once it is needed.
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

// applied returns the result of all deltas, or nil while it is not known.
func (l *live) applied() *result { return l.all.known() }

// stepped returns the result of the deltas up to the chosen step, or nil while it is not known.
func (l *live) stepped() *result { return l.upTo.known() }

// stateChildren is children that are made once a state is known.
type stateChildren struct {
	of   *state
	make func(ctx context.Context, res *result) model.Children
}

// when returns children, which are pending while the state is not known.
func (s *state) when(ctx context.Context, build func(ctx context.Context, res *result) model.Children) model.Children {
	if res := s.known(); res != nil {
		return build(ctx, res)
	}
	return &stateChildren{s, build}
}

// Pending reports whether the state is not known yet.
func (c *stateChildren) Pending() bool { return c.of.known() == nil }

// Resolve applies the deltas.
func (c *stateChildren) Resolve(ctx context.Context, progress model.Progress) error {
	_, err := c.of.get(ctx, progress)
	return err
}

// Len returns the number of children, if the state is known.
func (c *stateChildren) Len(ctx context.Context) (int64, bool) {
	res := c.of.known()
	if res == nil {
		return 0, false
	}
	return c.make(ctx, res).Len(ctx)
}

// At returns child i.
func (c *stateChildren) At(ctx context.Context, i int64) model.Node {
	return c.make(ctx, c.of.known()).At(ctx, i)
}
