package guard

import (
	"context"

	"cutaway/model"
)

// guarded is Children behind the guard, with every optional interface of Children.
type guarded struct{ in model.Children }

func (g guarded) Len(ctx context.Context) (n int64, exact bool) {
	defer instead(&exact, true)
	return g.in.Len(ctx)
}

func (g guarded) At(ctx context.Context, i int64) (n model.Node) {
	defer orFailed(&n, model.IndexName(i))
	return guardNode(g.in.At(ctx, i))
}

func (g guarded) LeanAt(ctx context.Context, i int64) (n model.Node) {
	defer orFailed(&n, model.IndexName(i))
	return guardNode(model.LeanAt(ctx, g.in, i))
}

func (g guarded) Recurs(i int64) (of any, n, count int64) {
	defer quiet() // it is like no other
	if r, ok := g.in.(model.Recurring); ok {
		return r.Recurs(i)
	}
	return nil, 0, 0
}

func (g guarded) Pending() (pending bool) {
	defer quiet() // resolving it would fail, too
	p, ok := g.in.(model.Pending)
	return ok && p.Pending()
}

func (g guarded) Resolve(ctx context.Context, pr model.Progress) (err error) {
	defer caught(&err, "decoding this node")
	if p, ok := g.in.(model.Pending); ok {
		return p.Resolve(ctx, pr)
	}
	return nil
}

func (g guarded) Index(ctx context.Context, segment string) (i int64, ok bool) {
	defer quiet()
	return model.IndexOf(ctx, g.in, segment)
}

func (g guarded) Locate(ctx context.Context, src *model.Source, off int64) (i int64, ok bool) {
	defer quiet()
	return model.Locate(ctx, g.in, src, off)
}

// Survey of what panics is not plain, so that the check goes to each node and meets the fault there.
func (g guarded) Survey(ctx context.Context, progress model.Progress) (c model.Coverage, plain bool, err error) {
	defer quiet()
	return model.Survey(ctx, g.in, progress)
}

// Hashes of what panics are not known, so that the nodes are compared and meet the fault there.
func (g guarded) Hashes(ctx context.Context, progress model.Progress) (of func(i int64) uint64, err error) {
	defer quiet()
	known, err := model.HashesOf(ctx, g.in, progress)
	if known == nil || err != nil {
		return nil, err
	}
	return func(i int64) (sum uint64) {
		defer quiet()
		return known(i)
	}, nil
}

// Measure of what panics has visited nothing, so that who measures goes to the nodes and meets the fault there.
func (g guarded) Measure(ctx context.Context, i int64, m *model.Measurement) (nodes int64, err error) {
	defer quiet()
	return model.Measure(ctx, g.in, i, m)
}
