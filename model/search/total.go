package search

import (
	"context"
	"hash/maphash"
	"math"
	"slices"

	"cutaway/model"
	"cutaway/model/size"
)

// totals holds the nodes of a view whose bytes with all below satisfy a term, by hashes of their paths.
type totals struct {
	seed  maphash.Seed
	paths map[uint64]struct{}
}

func (t *totals) contains(path string) bool {
	if t == nil {
		return false
	}
	_, found := t.paths[maphash.String(t.seed, path)]
	return found
}

// Measured returns the query with the totals of the nodes of the view that at is in, if a term asks for totals, and
// otherwise the query itself. Such a term matches no node before.
func (q *Query) Measured(ctx context.Context, d *model.Document, at *model.Place, progress model.Progress) (*Query, error) {
	measured := *q
	measured.terms = slices.Clone(q.terms)
	opt := size.Options{Least: math.MaxInt64, Progress: progress}
	var asked []*term
	for i, t := range q.terms {
		if t.field != totalField || t.total != nil {
			continue
		}
		with := *t
		with.total = &totals{maphash.MakeSeed(), map[uint64]struct{}{}}
		measured.terms[i] = &with
		asked = append(asked, &with)
		opt.Least = min(opt.Least, t.is.least())
	}
	if len(asked) == 0 {
		return q, nil
	}
	opt.Each = func(path string, n *size.Node) error {
		for _, t := range asked {
			if t.is.value(model.Int(n.Stored)) {
				t.total.paths[maphash.String(t.total.seed, path)] = struct{}{}
			}
		}
		return nil
	}
	_, err := size.Measure(ctx, d, d.View(at.Segments()[0].Path()), opt)
	return &measured, err
}

// least returns a whole number that is not above any number that satisfies the condition, and not negative.
func (c *condition) least() int64 {
	if c.low == nil || c.not || c.low.float <= 0 {
		return 0
	}
	return int64(min(c.low.float, 1<<62))
}
