package search

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"

	"cutaway/model"
)

// Find is like Tree, over a whole view of a document, in another order: nodes whose names match come first, best matches
// first. An index of names, if the view has one, finds these immediately in files of any size.
func Find(ctx context.Context, d *model.Document, v *model.View, q *Query, opt TreeOptions, found func(context.Context, Hit) error) error {
	seed := maphash.MakeSeed()
	named := map[uint64]bool{}
	err := names(ctx, d, v, q, opt.Progress, func(ctx context.Context, h Hit) error {
		named[maphash.String(seed, h.Path)] = true
		return found(ctx, h)
	})
	if err != nil {
		return err
	}
	_, err = Tree(ctx, v.Place(ctx), q, opt, func(ctx context.Context, h Hit) error {
		if h.Where == InName && named[maphash.String(seed, h.Path)] {
			return nil
		}
		return found(ctx, h)
	})
	return err
}

// Ranks of the match of a name.
const (
	wholeName = iota // a term is the whole name
	atStart          // the name begins with a term
	inside           // a term is anywhere in the name
	nameRanks
)

// rankName returns the worst rank of the terms, or -1 if one does not match. The dot of a USD property does not count.
func (q *Query) rankName(name string) int {
	worst := wholeName
	for _, t := range q.terms {
		from, to, ok := t.words.find(name)
		switch {
		case !ok:
			return -1
		case from > 0 && (from > 1 || name[0] != '.'):
			worst = inside
		case to < len(name):
			worst = max(worst, atStart)
		}
	}
	return worst
}

// asksForNames reports whether every term of the query can match a name.
func (q *Query) asksForNames() bool {
	return !slices.ContainsFunc(q.terms, func(t *term) bool { return t.words == nil || t.field != anyField && t.field != nameField })
}

// mostWalked is the most nodes that are visited for their names in a view without an index.
const mostWalked = 1 << 17

var errEnough = errors.New("enough nodes were walked over")

// ranked holds representatives of nodes, by the rank of their names.
type ranked[T any] [nameRanks][]T

// names finds nodes by name, best matches first, in the view's index of names. Without one it walks over the first
// nodes, and does no pending work.
func names(ctx context.Context, d *model.Document, v *model.View, q *Query, progress model.Progress, found func(context.Context, Hit) error) error {
	if !q.asksForNames() {
		return nil
	}
	if v.Names == nil {
		paths, err := walkNames(ctx, v, q)
		if err != nil {
			return err
		}
		return visitRanked(ctx, d, q, paths, func(path string) string { return path }, found)
	}
	var nodes ranked[int64]
	err := v.Names.Each(ctx, progress, q.rankName, func(rank int, node int64) bool {
		nodes[rank] = append(nodes[rank], node)
		return true
	})
	if err != nil {
		return err
	}
	return visitRanked(ctx, d, q, nodes, func(node int64) string { return v.Names.Path(ctx, node) }, found)
}

// walkNames returns the paths of nodes whose names match, among the first of a view.
func walkNames(ctx context.Context, v *model.View, q *Query) (paths ranked[string], err error) {
	walked := 0
	opt := model.WalkOptions{Structures: true, Fleeting: true, Lean: true}
	err = model.Walk(ctx, v.Place(ctx), opt, func(p *model.Place) error {
		if walked++; walked > mostWalked {
			return errEnough
		}
		if rank := q.rankName(p.Node.Name); rank >= 0 {
			paths[rank] = append(paths[rank], p.Path())
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return paths, err
}

// visitRanked calls found for the nodes at paths, best matches first.
func visitRanked[T any](ctx context.Context, d *model.Document, q *Query, all ranked[T], path func(T) string, found func(context.Context, Hit) error) error {
	for _, rank := range all {
		for _, one := range rank {
			p, err := d.Lookup(ctx, path(one))
			if err != nil {
				return err
			}
			if f, own, ok := q.match(ctx, p, true); ok && own {
				if err := found(ctx, f.hit(ctx, p)); err != nil {
					return err
				}
			}
		}
	}
	return ctx.Err()
}
