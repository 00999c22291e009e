package values

import (
	"context"

	"cutaway/model"
)

// maxOwners bounds the children of a node that are searched for the one that is meant.
const maxOwners = 64

// IsArray reports whether a node is an array that a walk leaves closed. Other sequences are open lists.
func IsArray(n *model.Node) bool {
	switch n.Value.(type) {
	case model.Array, model.Seq:
		return true
	}
	return n.Elements && n.Children != nil
}

// Meant is the place that is meant by p: p itself if its node has one of what is looked for, or the only one of its children that
// has the first, as an attribute's value; where none has that, the only one that has the next. It is nil where there is none. With
// resolve, children are decoded; else it answers from what is known.
func Meant(ctx context.Context, p *model.Place, resolve bool, has ...func(context.Context, *model.Node) bool) *model.Place {
	for _, has := range has {
		if has(ctx, &p.Node) {
			return p
		}
	}
	for _, has := range has {
		switch list := ChildrenWith(ctx, p, resolve, has); len(list) {
		case 0:
		case 1:
			return list[0]
		default:
			return nil
		}
	}
	return nil
}

// ChildrenWith are the children of a node that have what is looked for; none where there are too many children to look at.
func ChildrenWith(ctx context.Context, p *model.Place, resolve bool, has func(context.Context, *model.Node) bool) []*model.Place {
	n, exact := p.Len(ctx)
	if n > maxOwners || !exact {
		return nil
	}
	var list []*model.Place
	for i := range n {
		c := p.Child(ctx, i)
		if resolve && c.Resolve(ctx, nil) != nil {
			return nil
		}
		if has(ctx, &c.Node) {
			list = append(list, c)
		}
	}
	return list
}
