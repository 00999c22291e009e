package export

import (
	"context"

	"cutaway/model"
)

// maxOwners is how many children of a node are looked at for the one that has rows.
const maxOwners = 64

// withRows is the place whose table, series or array is meant by p: p itself, or the only one of its children that has
// such, as an attribute's value; nil where there is none. It answers from what is known.
func withRows(p *model.Place) *model.Place { return meant(p, hasRows) }

// withArray is withRows for arrays alone.
func withArray(p *model.Place) *model.Place { return meant(p, hasArray) }

// meant is p if its node has what is looked for, else the only one of its children that does, else nil. Whether p is
// decoded must not matter: who writes resolves it first, who asks beforehand takes a pending one for having it.
func meant(p *model.Place, has func(*model.Node) bool) *model.Place {
	if has(&p.Node) {
		return p
	}
	n, exact := p.Len()
	if n > maxOwners || !exact {
		return nil
	}
	var one *model.Place
	for i := range n {
		if c := p.Child(i); has(&c.Node) {
			if one != nil {
				return nil
			}
			one = c
		}
	}
	return one
}

func hasRows(n *model.Node) bool { return hasArray(n) || rowCard(n) != nil }

func hasArray(n *model.Node) bool {
	switch n.Value.(type) {
	case model.Array, model.Seq:
		return true
	}
	return n.Elements && n.Children != nil
}

// rowCard is the node's first card with rows, or nil.
func rowCard(n *model.Node) model.Card {
	if n.Cards != nil {
		for _, card := range n.Cards() {
			switch card.(type) {
			case model.Table, model.Series:
				return card
			}
		}
	}
	return nil
}

// arrayOf is the array that the node of p is: its value, or the values of its elements.
func arrayOf(ctx context.Context, p *model.Place) (model.Array, error) {
	switch v := p.Node.Value.(type) {
	case model.Array:
		return v, nil
	case model.Seq:
		return &model.Elements{Count: int64(len(v)), Make: func(i int64) (model.Value, error) { return v[i], nil }}, nil
	}
	if err := p.Resolve(ctx, nil); err != nil {
		return nil, err
	}
	n, _ := p.Len()
	return &model.Elements{Type: p.Node.Type, Count: n, Make: func(i int64) (model.Value, error) {
		return p.Node.Children.At(i).Value, nil
	}}, nil
}
