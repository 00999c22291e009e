package diff

import (
	"context"
	"hash/maphash"
	"slices"

	"cutaway/model"
)

// findMoves merges removals and additions into moves: first those of equal content, then those of similar content,
// which are compared.
func (c *comparer) findMoves(ctx context.Context) error {
	c.moving = true
	defer func() { c.moving = false }()
	for done := 0; done < len(c.held); {
		done = len(c.held)
		if err := c.findSame(ctx); err != nil {
			return err
		}
		if err := c.findAlike(ctx); err != nil { // the comparison may hold more changes
			return err
		}
	}
	c.held = slices.DeleteFunc(c.held, func(x *Change) bool { return x.A == nil && x.B == nil })
	return nil
}

// move merges two changes into one.
func move(removed, added *Change) {
	removed.Kind, removed.B = Moved, added.B
	added.B = nil // without either, it is left out
}

// open returns the changes of a kind that may be parts of moves: branches.
func (c *comparer) open(kind Kind) []*Change {
	var list []*Change
	for _, x := range c.held {
		p := x.A
		if kind == Added {
			p = x.B
		}
		if x.Kind == kind && p != nil && isBranch(&p.Node) {
			list = append(list, x)
		}
	}
	return list
}

// least is the fewest nodes whose equal content is no coincidence.
const least = 2

func (c *comparer) findSame(ctx context.Context) error {
	gone, come := c.open(Removed), c.open(Added)
	if len(gone) == 0 || len(come) == 0 {
		return nil
	}
	by := map[uint64][]*Change{}
	for _, x := range come {
		if err := c.hashOf(ctx, 1, x, x.B); err != nil {
			return err
		}
		if x.hash != 0 {
			by[x.hash] = append(by[x.hash], x)
		}
	}
	for _, x := range gone {
		if err := c.hashOf(ctx, 0, x, x.A); err != nil {
			return err
		}
		list := by[x.hash]
		if len(list) == 0 {
			continue
		}
		k := max(slices.IndexFunc(list, func(y *Change) bool { return y.B.Node.Name == x.A.Node.Name }), 0)
		move(x, list[k])
		by[x.hash] = slices.Delete(list, k, k+1)
	}
	return nil
}

func (c *comparer) hashOf(ctx context.Context, side int, x *Change, p *model.Place) error {
	if x.hash != 0 {
		return nil
	}
	sum, weight, err := c.hash(ctx, side, p)
	if weight >= least {
		x.hash = sum
	}
	return err
}

// Limits of the search for similar content.
const (
	mostAlike = 200   // changes of either kind
	mostParts = 4_000 // nodes of a branch
)

// findAlike merges branches that have at least half of their nodes in common into moves.
func (c *comparer) findAlike(ctx context.Context) error {
	gone, come := c.open(Removed), c.open(Added)
	if len(gone) == 0 || len(come) == 0 || max(len(gone), len(come)) > mostAlike {
		return nil
	}
	parts := make([][]uint64, len(come))
	for k, y := range come {
		var err error
		if parts[k], err = c.partsOf(ctx, 1, y.B); err != nil {
			return err
		}
	}
	for _, x := range gone {
		own, err := c.partsOf(ctx, 0, x.A)
		if err != nil {
			return err
		}
		best := mostAlikeTo(x, own, come, parts)
		if best < 0 {
			continue
		}
		a, b := x.A, come[best].B
		move(x, come[best])
		if err := c.pair(ctx, a, b); err != nil {
			return err
		}
	}
	return nil
}

// mostAlikeTo returns the index of the addition that has most, and at least half, in common with a removal, or -1.
func mostAlikeTo(x *Change, own []uint64, come []*Change, parts [][]uint64) int {
	best, most := -1, least-1
	for k, y := range come {
		if y.B == nil || y.B.Node.Type != x.A.Node.Type {
			continue
		}
		if n := common(own, parts[k]); n > most && 2*n >= max(len(own), len(parts[k])) {
			best, most = k, n
		}
	}
	return best
}

// partsOf returns the sorted hashes of the descendants of a node, each including its relative path.
func (c *comparer) partsOf(ctx context.Context, side int, p *model.Place) ([]uint64, error) {
	var parts []uint64
	var visit func(p *model.Place, way uint64) error
	visit = func(p *model.Place, way uint64) error {
		if err := p.Resolve(ctx, nil); err != nil {
			return err
		}
		return c.each(ctx, side, p, 0, func(kid *model.Place, _ identity) error {
			if len(parts) >= mostParts {
				return nil
			}
			here := c.content(ctx, side, kid)
			if here.Order || here.Fallback {
				return nil
			}
			way := mix(way ^ maphash.String(c.seed, kid.Node.Name))
			var h maphash.Hash
			h.SetSeed(c.seed)
			hashWord(&h, way)
			h.WriteString(kid.Node.Type)
			branch := isBranch(&kid.Node)
			if !here.Where && !branch {
				if err := c.hashValue(ctx, &h, kid.Node.Value); err != nil {
					return err
				}
			}
			parts = append(parts, h.Sum64())
			if !branch {
				return nil
			}
			return visit(kid, way)
		})
	}
	err := visit(p, 0)
	slices.Sort(parts)
	return parts, err
}

// common returns the number of common elements of two sorted lists.
func common(a, b []uint64) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			n, i, j = n+1, i+1, j+1
		}
	}
	return n
}
