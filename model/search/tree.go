package search

import (
	"context"
	"fmt"
	"sync"

	"cutaway/model"
)

// TreeOptions control the extent of a search in a tree.
type TreeOptions struct {
	Elements bool // search the elements of long arrays
	Derived  bool // search derived sources
	Resolve  bool // do pending work
	// Progress receives the share of the tree that was searched, in thousandths, and the number of nodes. It is called
	// by several goroutines, one at a time.
	Progress model.Progress
}

// Tree searches the node at start and its descendants. It calls found for each node that matches the query (see
// Query.Match), in the order of the tree and in the caller's goroutine. It returns the number of nodes examined,
// without elements of arrays. Long lists of children are searched by several goroutines, whose hits wait in a bounded
// queue until their turn.
//
// With Elements, long arrays are read in windows. An element is a hit if every term matches the element or its array,
// and one of them the element. The hit's path is that of the element's node, or of the array if elements have no nodes.
// A vector or matrix is one element.
func Tree(ctx context.Context, start *model.Place, q *Query, opt TreeOptions, found func(context.Context, Hit) error) (visited int64, err error) {
	t := &treeSearch{q: q, opt: opt, start: start}
	if !opt.Elements && !q.wantsPath() {
		t.known = new(recurring)
	}
	var wide func(p *model.Place) error
	if workers() > 1 {
		wide = func(p *model.Place) error { return t.split(ctx, p, &visited, found) }
	}
	err = model.Walk(ctx, start, t.walkOptions(ctx, &visited), t.visitor(ctx, &visited, found, wide))
	return visited, err
}

// step is the number of nodes between reports of progress.
const step = 1 << 12

// A treeSearch is an unfinished search.
type treeSearch struct {
	q     *Query
	opt   TreeOptions
	start *model.Place
	known *recurring // or nil to examine recurring nodes each time

	mu       sync.Mutex // guards the following, and calls of Progress
	visited  int64      // approximately
	searched int64      // thousandths
}

// walkOptions returns options of a walk that counts its nodes.
func (t *treeSearch) walkOptions(ctx context.Context, visited *int64) model.WalkOptions {
	opt := model.WalkOptions{Resolve: t.opt.Resolve, Derived: t.opt.Derived, Elements: t.opt.Elements, Structures: true, Fleeting: true, Lean: !t.q.wantsSpans()}
	if t.opt.Progress != nil {
		opt.Progress = func(done, total int64, what string) {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.opt.Progress(done, total, what)
		}
	}
	if t.known != nil {
		opt.Skip = func(of *model.Place, i int64) bool {
			missed := t.known.missed(of, i)
			if missed {
				t.count(ctx, of, i+1, visited)
			}
			return missed
		}
	}
	return opt
}

// count counts a node; the next is the child of a place at index.
func (t *treeSearch) count(ctx context.Context, of *model.Place, index int64, visited *int64) {
	if *visited++; *visited%step == 0 {
		t.report(ctx, of, index, step)
	}
}

// visitor returns a visitor that matches and counts places. wide, if not nil, searches the descendants of places with
// many children.
func (t *treeSearch) visitor(ctx context.Context, visited *int64, found func(context.Context, Hit) error, wide func(p *model.Place) error) model.Visit {
	return func(p *model.Place) error {
		t.count(ctx, p, 0, visited)
		if f, own, ok := t.q.match(ctx, p, !t.opt.Elements); ok && own {
			p.Keep(ctx)
			if err := found(ctx, f.hit(ctx, p)); err != nil {
				return err
			}
		} else if t.known != nil {
			t.known.miss(p)
		}
		if t.opt.Elements {
			if err := t.elements(ctx, p, found); err != nil {
				return err
			}
		}
		if wide == nil || !t.isWide(ctx, p) {
			return nil
		}
		if err := wide(p); err != nil {
			return err
		}
		return model.ErrSkip
	}
}

// elements searches the array of a node. It returns ErrSkip if the children are the elements, which were searched.
func (t *treeSearch) elements(ctx context.Context, p *model.Place, found func(context.Context, Hit) error) error {
	if a, is := p.Node.Value.(model.Array); is && !elementsBelow(ctx, p) {
		if err := t.q.elements(ctx, p, a, found); err != nil {
			return err
		}
	}
	if p.Node.Elements && isWhole(p.Node.Value) {
		return model.ErrSkip
	}
	return nil
}

// isWide reports whether a node has enough children for a parallel search.
func (t *treeSearch) isWide(ctx context.Context, p *model.Place) bool {
	if p.Node.Children == nil || len(p.Node.Derived) > 0 || p.Node.Elements && p.Node.Value != nil && !t.opt.Elements {
		return false
	}
	n, _ := p.Len(ctx)
	return n >= wideList
}

// isWhole reports whether a value includes all content of its elements.
func isWhole(v model.Value) bool {
	switch v.(type) {
	case model.Array, model.Tuple:
		return true
	}
	return false
}

// report reports the progress after some more nodes; the next is the child of p at index.
func (t *treeSearch) report(ctx context.Context, p *model.Place, index, nodes int64) {
	if t.opt.Progress == nil || nodes == 0 {
		return
	}
	at := shareBefore(ctx, t.start, p, index)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.visited += nodes
	t.searched = max(t.searched, at)
	t.opt.Progress(t.searched, 1000, fmt.Sprintf("%d nodes searched", t.visited))
}

// shareBefore estimates, in thousandths, the share of the tree at start before the child of p at index, assuming
// siblings of equal size.
func shareBefore(ctx context.Context, start, p *model.Place, index int64) int64 {
	part := 0.0
	for {
		n, _ := p.Len(ctx)
		part = (part + float64(max(index, 0))) / float64(max(n, 1))
		if p == start || p.Parent == nil {
			break
		}
		p, index = p.Parent, p.Index
	}
	return int64(min(part, 1) * 1000)
}
