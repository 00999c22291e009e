package export

import (
	"context"
	"fmt"
	"strings"

	"cutaway/model"
)

// maxOwners is how many children of a node are looked at for the one that has rows.
const maxOwners = 64

// withRows is the place whose table, series or array is meant by p: p itself, or the only one of its children that has
// such, as an attribute's value; nil where there is none. It answers from what is known.
func withRows(ctx context.Context, p *model.Place) *model.Place { return meant(ctx, p, hasRows) }

// withArray is withRows for arrays alone.
func withArray(ctx context.Context, p *model.Place) *model.Place { return meant(ctx, p, hasArray) }

// meant is p if its node has what is looked for, else the only one of its children that does, else nil. Whether p is
// decoded must not matter: who writes resolves it first, who asks beforehand takes a pending one for having it.
func meant(ctx context.Context, p *model.Place, has func(context.Context, *model.Node) bool) *model.Place {
	if has(ctx, &p.Node) {
		return p
	}
	if list := childrenWith(ctx, p, has); len(list) == 1 {
		return list[0]
	}
	return nil
}

// childrenWith are the children of a node that have what is looked for; none where there are too many children to look at.
func childrenWith(ctx context.Context, p *model.Place, has func(context.Context, *model.Node) bool) []*model.Place {
	n, exact := p.Len(ctx)
	if n > maxOwners || !exact {
		return nil
	}
	var list []*model.Place
	for i := range n {
		if c := p.Child(ctx, i); has(ctx, &c.Node) {
			list = append(list, c)
		}
	}
	return list
}

// noRows says that a node has no rows, and which nodes below it have some.
func noRows(ctx context.Context, p *model.Place) string {
	why := PathText(p.Path()) + " is no array and has no table"
	candidates := childrenWith(ctx, p, hasRows)
	if len(candidates) == 0 {
		return why + ": export it as json or text"
	}
	const most = 8
	var names []string
	for _, c := range candidates[:min(len(candidates), most)] {
		names = append(names, PathText(c.Path()))
	}
	if more := len(candidates) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return why + ": name one of those below it, " + strings.Join(names, ", ")
}

func hasRows(ctx context.Context, n *model.Node) bool {
	return hasArray(ctx, n) || rowCard(ctx, n) != nil
}

func hasArray(_ context.Context, n *model.Node) bool {
	switch n.Value.(type) {
	case model.Array, model.Seq:
		return true
	}
	return n.Elements && n.Children != nil
}

// rowCard is the node's first card with rows, or nil.
func rowCard(ctx context.Context, n *model.Node) model.Card {
	if cards := model.RowCards(ctx, n); len(cards) > 0 {
		return cards[0]
	}
	return nil
}

// arrayOf is the array that the node of p is: its value, or the values of its elements.
func arrayOf(ctx context.Context, p *model.Place) (model.Array, error) {
	switch v := p.Node.Value.(type) {
	case model.Array:
		return v, nil
	case model.Seq:
		return &model.Elements{Count: int64(len(v)), Make: func(_ context.Context, i int64) (model.Value, error) { return v[i], nil }}, nil
	}
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	n, _ := p.Len(ctx)
	return &model.Elements{Type: p.Node.Type, Count: n, Make: func(ctx context.Context, i int64) (model.Value, error) {
		return p.Node.Children.At(ctx, i).Value, nil
	}}, nil
}
