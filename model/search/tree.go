package search

import (
	"context"
	"fmt"

	"cutaway/model"
)

// TreeOptions say how far a search in a tree goes.
type TreeOptions struct {
	Elements bool // look at the elements of long arrays
	Derived  bool // go into derived sources
	Resolve  bool // do the pending work that is met
	// Progress is told how much of the tree is behind the search, in thousandths, and how many nodes that were.
	Progress model.Progress
}

// Tree searches the node at start and all below it, in the order of the tree, and calls found for each node that
// satisfies the query (see Query.Match). It returns how many nodes it looked at; elements of arrays are not counted.
//
// With Elements, long arrays are read in windows: an element is hit when every term fits the element or its array,
// and one of them the element. The hit's path is the element's where its node has one, else the array's.
func Tree(ctx context.Context, start *model.Place, q *Query, opt TreeOptions, found func(Hit) error) (visited int64, err error) {
	walk := model.WalkOptions{Resolve: opt.Resolve, Derived: opt.Derived, Elements: opt.Elements, Progress: opt.Progress}
	err = model.Walk(ctx, start, walk, func(p *model.Place) error {
		visited++
		if visited&(1<<13-1) == 0 {
			opt.Progress.Report(behind(start, p), 1000, fmt.Sprintf("%d nodes searched", visited))
		}
		if f, own, ok := q.match(p, !opt.Elements); ok && own {
			if err := found(f.hit(p)); err != nil {
				return err
			}
		}
		if a, is := p.Node.Value.(model.Array); is && opt.Elements {
			if err := q.elements(ctx, p, a, found); err != nil {
				return err
			}
			return model.ErrSkip // its nodes are the elements
		}
		return nil
	})
	return visited, err
}

// behind tells, in thousandths, how much of the tree at start lies before p, taking siblings for equally large.
func behind(start, p *model.Place) int64 {
	part := 0.0
	for ; p != start && p.Parent != nil; p = p.Parent {
		n, _ := p.Parent.Len()
		part = (part + float64(max(p.Index, 0))) / float64(max(n, 1))
	}
	return int64(min(part, 1) * 1000)
}
