package values

import (
	"context"

	"cutaway/model"
)

// maxOwners is the most children of a node that are searched for values.
const maxOwners = 64

// IsArray reports whether a node is an array that a walk leaves closed. Other sequences are open lists.
func IsArray(n *model.Node) bool {
	switch n.Value.(type) {
	case model.Array, model.Seq:
		return true
	}
	return n.Elements && n.Children != nil
}

// Meant returns p if its node satisfies one of has; or the only child that satisfies the first of has, such as an
// attribute's value; or else the only child that satisfies the next; or nil. With resolve it decodes children,
// otherwise it uses those that are known.
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

// ChildrenWith returns the children of a node that satisfy has, or none if there are too many to search.
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
