package ksy

import (
	"context"
	"fmt"
	"hash/maphash"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// maxRevisited is the most records that a walk remembers of those below two instances or more.
const maxRevisited = 1 << 21

// maxWays is the greatest depth of records that instances read.
const maxWays = 1000

// walk visits all fields, but what is below a record of one type at one position only once. Instances may reach a
// record on exponentially many paths: two in each of 64 types make 2^64.
func (f *describedFile) walk(ctx context.Context, opt model.WalkOptions, visit model.Visit, report func(path string, p model.Problem)) error {
	return model.Walk(ctx, f.fields.Place(ctx), opt, visitOnce(visit, report))
}

// visitOnce returns a visitor that skips the descendants of a record that it has seen.
func visitOnce(visit model.Visit, report func(path string, p model.Problem)) model.Visit {
	seen := map[uint64]struct{}{}
	seed := maphash.MakeSeed()
	full := false
	return func(p *model.Place) error {
		if err := visit(p); err != nil {
			return err
		}
		o := grammar.ObjectOf(p.Node.Children)
		n := 0
		if o != nil {
			n = instanceDepth(o)
		}
		switch {
		case n < 2:
			return nil
		case n > maxWays:
			if report != nil {
				report(p.Path(), model.Problemf(model.Limit, ruleLimit, p.Node.Span(), "more than %d instances are read in each other", maxWays))
			}
			return model.ErrSkip
		}
		key := maphash.Comparable(seed, identity{o.Record(), o.Stream().Source, o.Start(), fmt.Sprint(o.Args())})
		_, again := seen[key]
		switch {
		case again:
			return model.ErrSkip
		case len(seen) < maxRevisited:
			seen[key] = struct{}{}
			return nil
		case !full && report != nil:
			report(p.Path(), model.Problemf(model.Limit, ruleLimit, p.Node.Span(), "more than %d records are read by instances in each other; others like this one are left out", maxRevisited))
		}
		full = true
		return model.ErrSkip
	}
}

// An identity determines the fields of a record.
type identity struct {
	rec    *grammar.Record
	source *model.Source
	start  int64
	args   string
}

// instanceDepth returns the number of instances on the path to a record that an instance reads, or 0 for other records.
func instanceDepth(o *grammar.Object) (n int) {
	for at := o; at != nil; at = at.Parent() {
		if f := at.Field(); f != nil && f.Place != nil {
			n++
		} else if at == o {
			return 0
		}
	}
	return n
}
