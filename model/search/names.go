package search

import (
	"context"
	"errors"
	"hash/maphash"
	"slices"
	"strings"

	"cutaway/model"
)

// Find is like Tree, over a whole view of a document, in another order: nodes whose names match come first, best matches
// first. An index of names, if the view has one, finds these immediately in files of any size.
func Find(ctx context.Context, d *model.Document, v *model.View, q *Query, opt TreeOptions, found func(context.Context, Hit) error) error {
	q, err := q.Measured(ctx, d, v.Place(ctx), opt.Progress)
	if err != nil {
		return err
	}
	seed := maphash.MakeSeed()
	named := map[uint64]bool{}
	err = Names(ctx, d, v, q, opt.Progress, func(ctx context.Context, h Hit) error {
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

// Limits of the walk for names in a view without an index.
const (
	mostWalked = 1 << 17 // nodes
	longList   = 1 << 10 // children; of longer lists only the first are visited, if they have no names but their numbers
	listed     = 1 << 6
)

var errEnough = errors.New("enough nodes were walked over")

// ranked holds representatives of nodes, by the rank of their names.
type ranked[T any] [nameRanks][]T

// Names finds nodes by name, best matches first, in the view's index of names. Without one it walks over the first
// nodes, and does no pending work. It finds nothing if a term of the query is about more than names.
func Names(ctx context.Context, d *model.Document, v *model.View, q *Query, progress model.Progress, found func(context.Context, Hit) error) error {
	if !q.asksForNames() {
		return nil
	}
	if v.Names == nil {
		paths, err := walkNames(ctx, v, q)
		if err != nil {
			return err
		}
		return visitRanked(ctx, q, paths, func(path string) (*model.Place, error) { return d.Lookup(ctx, path) }, found)
	}
	var nodes ranked[int64]
	err := v.Names.Each(ctx, progress, q.rankName, func(rank int, node int64) bool {
		nodes[rank] = append(nodes[rank], node)
		return true
	})
	if err != nil {
		return err
	}
	root := v.Place(ctx)
	return visitRanked(ctx, q, nodes, func(node int64) (*model.Place, error) { return root.Below(ctx, v.Names.Way(ctx, node)) }, found)
}

// walkNames returns the paths of nodes whose names match, among the first of a view.
func walkNames(ctx context.Context, v *model.View, q *Query) (paths ranked[string], err error) {
	walked := 0
	opt := model.WalkOptions{Structures: true, Fleeting: true, Lean: true}
	var list *model.Place // the last long one
	numbered := strings.Contains(q.text, "[")
	opt.Skip = func(of *model.Place, i int64) bool {
		if i < listed || numbered {
			return false
		}
		if i == listed {
			if n, _ := of.Len(ctx); n > longList && of.Node.Children.At(ctx, i).Name == model.IndexName(i) {
				list = of
			}
		}
		return of == list
	}
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

// visitRanked calls found for nodes, best matches first. place returns a node, or nil if there is none.
func visitRanked[T any](ctx context.Context, q *Query, all ranked[T], place func(T) (*model.Place, error), found func(context.Context, Hit) error) error {
	for _, rank := range all {
		for _, one := range rank {
			p, err := place(one)
			if err != nil {
				return err
			}
			if p == nil {
				continue
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
