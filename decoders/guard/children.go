package guard

import (
	"context"

	"cutaway/model"
)

// guarded wraps Children with every optional interface.
type guarded struct{ in model.Children }

func (g guarded) Len(ctx context.Context) (n int64, exact bool) {
	defer instead(&exact, true)
	return g.in.Len(ctx)
}

func (g guarded) At(ctx context.Context, i int64) (n model.Node) {
	defer orFailed(&n, model.IndexName(i))
	return guardNode(g.in.At(ctx, i))
}

func (g guarded) Pending() (pending bool) {
	defer quiet() // resolving it would fail too
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

func (g guarded) Find(ctx context.Context, q model.Query) (i int64, ok bool) {
	defer quiet()
	return model.Find(ctx, g.in, q)
}

func (g guarded) Bulk() *model.BulkFuncs {
	if _, ok := g.in.(model.Bulk); ok {
		return guardedBulk
	}
	return nil
}

// guardedBulk calls the functions of the wrapped children. If one panics it returns no answer, so that the caller makes
// the nodes and finds the fault there.
var guardedBulk = &model.BulkFuncs{
	Lean: func(ctx context.Context, c model.Children, i int64) (n model.Node) {
		defer orFailed(&n, model.IndexName(i))
		return guardNode(model.Lean(ctx, c.(guarded).in, i))
	},
	Recurs: func(c model.Children, i int64) (of any, n, count int64) {
		defer quiet()
		return model.Recurs(c.(guarded).in, i)
	},
	Survey: func(ctx context.Context, c model.Children, progress model.Progress) (covered model.Coverage, plain bool, err error) {
		defer quiet()
		return model.Survey(ctx, c.(guarded).in, progress)
	},
	Hashes: func(ctx context.Context, c model.Children, progress model.Progress) (of func(i int64) uint64, err error) {
		defer quiet()
		known, err := model.Hashes(ctx, c.(guarded).in, progress)
		if known == nil || err != nil {
			return nil, err
		}
		return func(i int64) (sum uint64) {
			defer quiet()
			return known(i)
		}, nil
	},
	Measure: func(ctx context.Context, c model.Children, i int64, m *model.Measurement) (nodes int64, err error) {
		defer quiet()
		return model.Measure(ctx, c.(guarded).in, i, m)
	},
}
