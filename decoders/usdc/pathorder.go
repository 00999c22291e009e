package usdc

import (
	"cmp"
	"context"
	"strings"

	"cutaway/model"
)

// pathOrders are the orders that siblings can have; the first that fits is reported. Readers rely on none.
var pathOrders = []struct {
	name  string
	order func(a, b pathElement) int
}{
	{"properties, prims, variants, each by name", func(a, b pathElement) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), strings.Compare(a.name, b.name))
	}},
	{"prims before properties, each by name", func(a, b pathElement) int {
		return cmp.Or(cmp.Compare(b.rank, a.rank), strings.Compare(a.name, b.name))
	}},
	{"by name, properties among prims", func(a, b pathElement) int { return strings.Compare(a.name, b.name) }},
	{"properties before prims, not by name", func(a, b pathElement) int { return cmp.Compare(min(a.rank, 1), min(b.rank, 1)) }},
	{"prims before properties, not by name", func(a, b pathElement) int { return cmp.Compare(min(b.rank, 1), min(a.rank, 1)) }},
}

// pathElement holds all that the place of an item among its siblings can depend on.
type pathElement struct {
	rank int // of a property, prim or variant
	name string
}

// pathOrder says in which order the items of the path tree are that are below the same one; "" where there are no two.
func (c *crate) pathOrder(ctx context.Context, progress model.Progress) (string, error) {
	order, err := c.orderOfPaths.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*string, error) {
		order, err := c.findPathOrder(ctx, progress)
		return &order, err
	})
	if err != nil {
		return "", err
	}
	return *order, nil
}

func (c *crate) findPathOrder(ctx context.Context, progress model.Progress) (string, error) {
	p, err := c.paths(ctx, progress)
	if err != nil {
		return "", err
	}
	last := make([]int32, p.items()) // of each item the last one below it, plus 1
	fits, pairs := len(pathOrders), 0
	out := make([]bool, len(pathOrders))
	for i := range p.items() {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		parent := p.parent(int32(i))
		if parent < 0 {
			continue
		}
		before := last[parent]
		if last[parent] = int32(i) + 1; before == 0 {
			continue
		}
		pairs++
		a, b := c.elementOf(ctx, p, before-1), c.elementOf(ctx, p, int32(i))
		for k := range out {
			if !out[k] && pathOrders[k].order(a, b) > 0 {
				out[k] = true
				fits--
			}
		}
		if fits == 0 {
			return "not sorted", ctx.Err()
		}
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	for k := range out {
		if !out[k] && pairs > 0 {
			return pathOrders[k].name, nil
		}
	}
	return "", nil
}

func (c *crate) elementOf(ctx context.Context, p *pathTable, item int32) pathElement {
	name, _ := c.token(ctx, p.token.At(int64(item)))
	switch inner, isVariant := strings.CutPrefix(name, "{"); {
	case p.property.contains(item):
		return pathElement{0, name}
	case isVariant:
		return pathElement{2, strings.TrimSuffix(inner, "}")} // the set comes before its variants
	}
	return pathElement{1, name}
}
