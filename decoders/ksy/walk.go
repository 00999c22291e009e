package ksy

import (
	"context"
	"fmt"
	"hash/maphash"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// maxRevisited is how many records a walk remembers that instances of records read that instances read themselves.
const maxRevisited = 1 << 21

// maxWays is how many records that instances read may lie in each other.
const maxWays = 1000

// walk visits all fields. Instances may lead to the same record on many ways, more than anyone could go: two in each of 64 types
// are 2^64. So what is below a record of one type at one place is visited once.
func (f *describedFile) walk(ctx context.Context, opt model.WalkOptions, visit model.Visit, report func(path string, p model.Problem)) error {
	return model.Walk(ctx, f.fields.Place(ctx), opt, once(visit, report))
}

// once is a visitor that goes on below each record once.
func once(visit model.Visit, report func(path string, p model.Problem)) model.Visit {
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
			n = ways(o)
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

// identity is what makes a record the same as another.
type identity struct {
	rec    *grammar.Record
	source *model.Source
	start  int64
	args   string
}

// ways is how many of an object and the records around it are read by instances, where its own is; else 0.
func ways(o *grammar.Object) (n int) {
	for at := o; at != nil; at = at.Parent() {
		if f := at.Field(); f != nil && f.Place != nil {
			n++
		} else if at == o {
			return 0
		}
	}
	return n
}
