package diff

import (
	"cmp"
	"context"
	"hash/maphash"
	"slices"
	"strings"

	"cutaway/model"
)

// An identity finds a child in another version of its parent, by name or key, or by its content.
type identity struct {
	hash  uint64
	plain bool // an element of a list without keys
}

// identify returns the identity of a child. That of a plain element is its hash.
func (c *comparer) identify(ctx context.Context, side int, p *model.Place) identity {
	if key := c.content(ctx, side, p).Key; key != "" {
		return identity{hash: maphash.String(c.seed, "key "+key)}
	}
	if isNumbered(p.Node.Name) && p.Index >= 0 {
		return identity{plain: true}
	}
	return identity{hash: maphash.String(c.seed, p.Node.Name)}
}

// isNumbered reports whether a name is an index or an offset, which does not identify content.
func isNumbered(name string) bool {
	if strings.HasPrefix(name, "0x") {
		return true
	}
	_, is := model.ParseIndex(name)
	return is
}

// each calls visit for the children of a place that count, from number first on: the roots of derived sources in a
// layout, then children.
func (c *comparer) each(ctx context.Context, side int, p *model.Place, first int64, visit func(*model.Place, identity) error) error {
	if first == 0 && p.Of != nil {
		for k, d := range p.Node.Derived {
			root, err := p.Derive(ctx, k)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				continue // a problem of the node, which has no descendants
			}
			if err := visit(root, identity{hash: maphash.String(c.seed, "@"+d.Name)}); err != nil {
				return err
			}
		}
	}
	for i := first; ; i++ {
		kid := c.child(ctx, side, p, i)
		if kid == nil {
			return ctx.Err()
		}
		if kid.Index < 0 {
			continue
		}
		if err := visit(kid, c.identify(ctx, side, kid)); err != nil {
			return err
		}
	}
}

var noContent = &model.Place{Index: -1}

// child returns child i of a place, or nil, or noContent if the child does not count.
func (c *comparer) child(ctx context.Context, side int, p *model.Place, i int64) *model.Place {
	if n, _ := p.Len(ctx); i >= n {
		return nil
	}
	kid := p.Child(ctx, i)
	if c.content(ctx, side, kid).None {
		return noContent
	}
	return kid
}

// children compares the children of two nodes. It keeps nothing of equal children in equal order, and 16 bytes for each
// child from the first difference on.
func (c *comparer) children(ctx context.Context, a, b *model.Place) error {
	if err := resolve(ctx, a, b); err != nil {
		return err
	}
	if a.Of != nil && len(a.Node.Derived)+len(b.Node.Derived) > 0 {
		return c.matchRest(ctx, a, b, 0, 0)
	}
	known, err := c.knownSame(ctx, a, b)
	if err != nil {
		return err
	}
	var i, j int64
	for {
		if known(i, j) {
			i, j = i+1, j+1
			continue
		}
		x, y := c.child(ctx, 0, a, i), c.child(ctx, 1, b, j)
		switch {
		case x == noContent:
			i++
			continue
		case y == noContent:
			j++
			continue
		case x == nil && y == nil:
			return ctx.Err()
		case x == nil || y == nil:
			return c.matchRest(ctx, a, b, i, j)
		}
		same, err := c.inStep(ctx, x, y)
		if err != nil {
			return err
		}
		if !same {
			return c.matchRest(ctx, a, b, i, j)
		}
		i, j = i+1, j+1
	}
}

// resolve does the pending work of two places.
func resolve(ctx context.Context, a, b *model.Place) error {
	if err := a.Resolve(ctx, nil); err != nil {
		return err
	}
	return b.Resolve(ctx, nil)
}

// knownSame returns a function that reports whether children i and j of two places are known to be equal without
// visiting them.
func (c *comparer) knownSame(ctx context.Context, a, b *model.Place) (func(i, j int64) bool, error) {
	never := func(int64, int64) bool { return false }
	of := [2]func(int64) uint64{}
	end := [2]int64{}
	for k, p := range []*model.Place{a, b} {
		var err error
		if of[k], err = model.Hashes(ctx, p.Node.Children, c.opt.Progress); of[k] == nil || err != nil {
			return never, err
		}
		end[k], _ = p.Len(ctx)
	}
	return func(i, j int64) bool {
		if i < 0 || j < 0 || i >= end[0] || j >= end[1] {
			return false
		}
		sum := of[0](i)
		return sum != 0 && sum == of[1](j)
	}, nil
}

// inStep compares two children at the same position of their parents, unless they are different things.
func (c *comparer) inStep(ctx context.Context, x, y *model.Place) (bool, error) {
	ix, iy := c.identify(ctx, 0, x), c.identify(ctx, 1, y)
	if ix != iy {
		return false, nil
	}
	if !ix.plain {
		return true, c.pair(ctx, x, y)
	}
	hx, _, err := c.hash(ctx, 0, x)
	if err != nil {
		return false, err
	}
	hy, _, err := c.hash(ctx, 1, y)
	if err != nil || hx != hy {
		return false, err
	}
	return true, c.pairStored(ctx, x, y)
}

// pairStored compares how two equal nodes are stored, if that counts.
func (c *comparer) pairStored(ctx context.Context, x, y *model.Place) error {
	if !c.opt.Stored {
		return nil
	}
	return c.pair(ctx, x, y)
}

// A childToMatch is a child without a match so far.
type childToMatch struct {
	hash  uint64
	index int64
}

// gather lists the children of a place from number first on: those with names or keys, sorted, and the others.
func (c *comparer) gather(ctx context.Context, side int, p *model.Place, first int64) (named, plain []childToMatch, err error) {
	err = c.each(ctx, side, p, first, func(x *model.Place, id identity) error {
		if !id.plain {
			named = append(named, childToMatch{id.hash, x.Index})
			return nil
		}
		sum, _, err := c.hash(ctx, side, x)
		plain = append(plain, childToMatch{sum, x.Index})
		return err
	})
	slices.SortStableFunc(named, func(x, y childToMatch) int { return cmp.Compare(x.hash, y.hash) })
	return named, plain, err
}

// matchRest compares the children from numbers i and j on.
func (c *comparer) matchRest(ctx context.Context, a, b *model.Place, i, j int64) error {
	na, pa, err := c.gather(ctx, 0, a, i)
	if err != nil {
		return err
	}
	nb, pb, err := c.gather(ctx, 1, b, j)
	if err != nil {
		return err
	}
	m := &matching{c: c, a: a, b: b}
	m.named(na, nb)
	m.plain(pa, pb)
	return m.compare(ctx)
}

// A matching holds the pairs of corresponding children of two nodes.
type matching struct {
	c          *comparer
	a, b       *model.Place
	pairs      [][2]int64 // to be compared
	moved      [][2]int64 // equal, at different positions of the list
	gone, come []int64    // in one list only
	equal      [][2]int64 // equal
}

// named matches children by name or key: the first of a name with the first, and so on.
func (m *matching) named(a, b []childToMatch) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].hash < b[0].hash:
			m.gone = append(m.gone, a[0].index)
			a = a[1:]
		case len(a) == 0 || b[0].hash < a[0].hash:
			m.come = append(m.come, b[0].index)
			b = b[1:]
		default:
			m.pairs = append(m.pairs, [2]int64{a[0].index, b[0].index})
			a, b = a[1:], b[1:]
		}
	}
}

// plain matches elements of lists by content. Between two matches, the same number of elements on both sides count as
// changed.
func (m *matching) plain(a, b []childToMatch) {
	if len(a) == 0 && len(b) == 0 {
		return
	}
	var restA, restB []childToMatch
	var gaps []int // ends of the gaps in restA and restB
	i, j := 0, 0
	gap := func(endA, endB int) {
		restA, restB = append(restA, a[i:endA]...), append(restB, b[j:endB]...)
		gaps = append(gaps, len(restA), len(restB))
	}
	for _, run := range commonRuns(a, b) {
		gap(run.a, run.b)
		for k := range run.n {
			if m.c.opt.Stored {
				m.equal = append(m.equal, [2]int64{a[run.a+k].index, b[run.b+k].index})
			}
		}
		i, j = run.a+run.n, run.b+run.n
	}
	gap(len(a), len(b))
	usedA, usedB := m.shifted(restA, restB)
	startA, startB := 0, 0
	for k := 0; k < len(gaps); k += 2 {
		m.fill(restA[startA:gaps[k]], restB[startB:gaps[k+1]], usedA[startA:gaps[k]], usedB[startB:gaps[k+1]])
		startA, startB = gaps[k], gaps[k+1]
	}
}

// shifted finds the elements among the rest that both lists have at different positions.
func (m *matching) shifted(a, b []childToMatch) (usedA, usedB []bool) {
	usedA, usedB = make([]bool, len(a)), make([]bool, len(b))
	if len(a) == 0 || len(b) == 0 {
		return usedA, usedB
	}
	at := make(map[uint64][]int, len(b))
	for j := range b {
		at[b[j].hash] = append(at[b[j].hash], j)
	}
	for i := range a {
		if list := at[a[i].hash]; len(list) > 0 {
			m.moved = append(m.moved, [2]int64{a[i].index, b[list[0]].index})
			usedA[i], usedB[list[0]] = true, true
			at[a[i].hash] = list[1:]
		}
	}
	return usedA, usedB
}

// fill pairs the elements left in a gap, in order. Those without a partner were added or removed.
func (m *matching) fill(a, b []childToMatch, usedA, usedB []bool) {
	i, j := 0, 0
	for {
		for i < len(a) && usedA[i] {
			i++
		}
		for j < len(b) && usedB[j] {
			j++
		}
		switch {
		case i < len(a) && j < len(b):
			m.pairs = append(m.pairs, [2]int64{a[i].index, b[j].index})
		case i < len(a):
			m.gone = append(m.gone, a[i].index)
		case j < len(b):
			m.come = append(m.come, b[j].index)
		default:
			return
		}
		i, j = min(i+1, len(a)), min(j+1, len(b))
	}
}

// place returns a child by its number, which is below 0 for a derived source.
func (m *matching) place(ctx context.Context, of *model.Place, i int64) (*model.Place, error) {
	if i < 0 {
		return of.Derive(ctx, int(-1-i))
	}
	return of.Child(ctx, i), nil
}

// A matched is a child with its numbers in the two lists.
type matched struct {
	kind Kind
	a, b int64
}

// compare visits the children in the order of the first tree; additions come last.
func (m *matching) compare(ctx context.Context) error {
	known, err := m.c.knownSame(ctx, m.a, m.b)
	if err != nil {
		return err
	}
	var steps []matched
	for _, p := range m.pairs {
		if !known(p[0], p[1]) {
			steps = append(steps, matched{Changed, p[0], p[1]})
		}
	}
	for _, p := range m.equal {
		steps = append(steps, matched{Changed, p[0], p[1]})
	}
	for _, p := range m.moved {
		steps = append(steps, matched{Moved, p[0], p[1]})
	}
	for _, i := range m.gone {
		steps = append(steps, matched{Removed, i, 0})
	}
	slices.SortFunc(steps, func(x, y matched) int { return cmp.Compare(x.a, y.a) })
	slices.Sort(m.come)
	for _, j := range m.come {
		steps = append(steps, matched{Added, 0, j})
	}
	for _, s := range steps {
		if err := m.step(ctx, s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// step reports the fate of a child.
func (m *matching) step(ctx context.Context, s matched) error {
	var a, b *model.Place
	var err error
	if s.kind != Added {
		if a, err = m.place(ctx, m.a, s.a); err != nil {
			return err
		}
	}
	if s.kind != Removed {
		if b, err = m.place(ctx, m.b, s.b); err != nil {
			return err
		}
	}
	switch {
	case s.kind == Changed:
		return m.c.pair(ctx, a, b)
	case m.c.follows(ctx, a, b):
		return nil
	}
	return m.c.add(ctx, &Change{Kind: s.kind, A: a, B: b})
}

// follows reports whether a node that only one side has is no change: a list of the names of siblings, or a fallback.
func (c *comparer) follows(ctx context.Context, a, b *model.Place) bool {
	if a != nil && b != nil {
		return false
	}
	var here model.Content
	if a != nil {
		here = c.content(ctx, 0, a)
	} else {
		here = c.content(ctx, 1, b)
	}
	return here.Order || here.Fallback
}

// sameOrder reports whether the common names of two lists are in the same order.
func (c *comparer) sameOrder(ctx context.Context, a, b model.Value) (bool, error) {
	x, err := c.names(ctx, a)
	if err != nil {
		return false, err
	}
	y, err := c.names(ctx, b)
	if err != nil {
		return false, err
	}
	return slices.Equal(among(x, y), among(y, x)), nil
}

// names returns the hashes of the texts in a list.
func (c *comparer) names(ctx context.Context, v model.Value) ([]uint64, error) {
	a, ok := v.(model.Array)
	if !ok {
		return nil, nil
	}
	const window = 1024
	var vs [window]model.Value
	var list []uint64
	for at := int64(0); at < a.Len(); {
		n, err := a.Read(ctx, at, vs[:])
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, v := range vs[:n] {
			text, _ := v.(model.Text)
			list = append(list, maphash.String(c.seed, string(text)))
		}
		if at += int64(n); err != nil || n == 0 {
			break // damaged
		}
	}
	return list, nil
}

// among returns the elements of list that others has too.
func among(list, others []uint64) []uint64 {
	sorted := slices.Clone(others)
	slices.Sort(sorted)
	return slices.DeleteFunc(slices.Clone(list), func(x uint64) bool {
		_, found := slices.BinarySearch(sorted, x)
		return !found
	})
}
