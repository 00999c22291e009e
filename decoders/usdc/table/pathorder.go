package table

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

// Order returns the order of the items of the path tree that are below the same one, or "" if there are no two.
func (p *Paths) Order(ctx context.Context, progress model.Progress) (string, error) {
	order, err := p.orderOnce.Get(ctx, progress, func(ctx context.Context, _ model.Progress) (*string, error) {
		order, err := p.findOrder(ctx)
		return &order, err
	})
	if err != nil {
		return "", err
	}
	return *order, nil
}

// FoundOrder returns the order if it was asked for before, or "".
func (p *Paths) FoundOrder() string {
	if order := p.orderOnce.Made(); order != nil {
		return *order
	}
	return ""
}

func (p *Paths) findOrder(ctx context.Context) (string, error) {
	last := make([]int32, p.Items()) // of each item the last one below it, plus 1
	fits, pairs := len(pathOrders), 0
	out := make([]bool, len(pathOrders))
	for i := range p.Items() {
		if i&0xFFFF == 0 && ctx.Err() != nil {
			return "", ctx.Err()
		}
		parent := p.Parent(int32(i))
		if parent < 0 {
			continue
		}
		before := last[parent]
		if last[parent] = int32(i) + 1; before == 0 {
			continue
		}
		pairs++
		a, b := p.elementOf(ctx, before-1), p.elementOf(ctx, int32(i))
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

func (p *Paths) elementOf(ctx context.Context, item int32) pathElement {
	name, _ := p.c.TokenAt(ctx, p.Token.At(int64(item)))
	switch inner, isVariant := strings.CutPrefix(name, "{"); {
	case p.Property.Has(item):
		return pathElement{0, name}
	case isVariant:
		return pathElement{2, strings.TrimSuffix(inner, "}")} // the set comes before its variants
	}
	return pathElement{1, name}
}
