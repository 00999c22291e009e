package scene

import (
	"context"
	"math"

	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
	"cutaway/model"
)

// itemSizes holds the size of each field, and of each path item with all below it, so that small ones are measured without nodes.
type itemSizes struct {
	x      *Index
	fields []sizeOf
	items  []sizeOf
	last   []int32      // one after the last item below each
	done   table.Bitset // fields that were visited
	rep    []uint8      // bytes of each field's rep that are its own, or 0 if its value is elsewhere
	spans  []model.Span
}

// sizeOf is a number of nodes, and the most bytes that they take.
type sizeOf struct{ nodes, most uint32 }

func (s *sizeOf) add(o sizeOf) {
	s.nodes += min(o.nodes, math.MaxUint32-s.nodes)
	s.most += min(o.most, math.MaxUint32-s.most)
}

// codedMost is the most bytes that a coded integer takes: its byte of codes and its delta.
const codedMost = 1 + 4

// measure visits the bytes of child i in tables that are compressed.
func (k *children) measure(ctx context.Context, i int64, m *model.Measurement) (int64, error) {
	i -= int64(len(k.fields))
	if i < 0 || i >= k.kids.Len() {
		return 0, nil
	}
	x := k.x
	s, known := m.Notes[x].(*itemSizes)
	if !known {
		var err error
		if s, err = x.sizes(ctx); err != nil {
			return 0, err
		}
		m.Notes[x] = s
	}
	if s == nil {
		return 0, nil
	}
	item := int32(k.kids.At(i))
	if own := s.items[item]; int64(own.most) >= m.Least || own.nodes == math.MaxUint32 {
		return 0, nil
	}
	return int64(s.items[item].nodes), s.visit(ctx, item, s.last[item], m)
}

// sizes adds up the sizes of the items. It returns nil if the tables are not compressed, or damaged, or the items below one do not follow it.
func (x *Index) sizes(ctx context.Context) (*itemSizes, error) {
	paths, specs := x.Paths.CodedElements(), x.Specs.CodedPaths()
	if paths == nil || specs == nil || x.Fields.Src == nil || paths.Good < x.Paths.Items() || specs.Good < x.Specs.Count() || !inOrder(x.Paths) {
		return nil, nil
	}
	items := x.Paths.Items()
	s := &itemSizes{x: x, fields: make([]sizeOf, x.Fields.Count), items: make([]sizeOf, items), last: make([]int32, items), done: make(table.Bitset, x.Fields.Count/64+1),
		rep: make([]uint8, x.Fields.Count), spans: make([]model.Span, 0, 2)}
	growth := max(expansion(paths.Src), expansion(specs.Src), expansion(x.Fields.Src))
	if err := s.measureFields(ctx, growth); err != nil {
		return nil, err
	}
	for item := int32(items) - 1; item >= 0; item-- {
		if item&(1<<16-1) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.measureItem(item, 3+2*codedMost*growth)
		s.last[item] = max(s.last[item], item+1)
		if parent := x.Paths.Parent(item); parent >= 0 {
			s.items[parent].add(s.items[item])
			s.last[parent] = max(s.last[parent], s.last[item])
		}
	}
	return s, ctx.Err()
}

// inOrder reports whether the parent of each item is the item before it, or one above that: what is below an item follows it.
func inOrder(p *table.Paths) bool {
	for item := int32(1); int64(item) < p.Items(); item++ {
		above := item - 1
		for above >= 0 && above != p.Parent(item) {
			above = p.Parent(above)
		}
		if above < 0 {
			return false
		}
	}
	return true
}

// measureItem adds an item, but not those below it: its bytes in the tables, as many as that at most, and its fields.
func (s *itemSizes) measureItem(item int32, most uint32) {
	own := &s.items[item]
	own.add(sizeOf{1, most})
	for _, f := range s.x.group(item) {
		if int64(f) < s.x.Fields.Count {
			own.add(s.fields[f])
		} else {
			own.nodes++
		}
	}
}

// expansion returns the most bytes of the file that a byte of a source stands for.
func expansion(src *model.Source) uint32 {
	stored := int64(0)
	if o := src.Origin(); o != nil {
		for _, s := range o.Spans {
			stored += s.Len
		}
	}
	return uint32(min(1+stored/max(src.Size(), 1), math.MaxUint16))
}

// measureFields finds out what each field takes.
func (s *itemSizes) measureFields(ctx context.Context, growth uint32) error {
	f := s.x.Fields
	err := f.EachRep(ctx, func(i int64, r table.Rep) {
		own := &s.fields[i]
		if own.most = table.RepSize * growth; !r.Outside() {
			own.nodes, s.rep[i] = 1, table.RepSize
			if r.Placement().InRep() {
				if bits := value.InlinedBits(r); bits > 0 {
					s.rep[i] = uint8(bits+7) / 8
				}
			}
			return
		}
		n := s.x.values.Node(ctx, "", r, f.RepSpan(i), nil)
		eachNode(ctx, &n, func(n *model.Node) {
			own.add(sizeOf{nodes: 1})
			for _, at := range n.Spans {
				own.add(sizeOf{most: uint32(min(at.Len, math.MaxUint32))})
			}
		})
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		for i := range s.fields {
			s.fields[i].most = math.MaxUint32 // their nodes have the problems
		}
	}
	return nil
}

// eachNode visits the nodes below n, each before n itself, as a walk does that takes arrays in one step.
func eachNode(ctx context.Context, n *model.Node, visit func(n *model.Node)) {
	if n.Children != nil && !n.Elements {
		count, _ := n.Children.Len(ctx)
		for i := range count {
			child := n.Children.At(ctx, i)
			eachNode(ctx, &child, visit)
		}
	}
	visit(n)
}

// visit visits the bytes of the items from item to end-1: a byte that several share is one of the first, so that
// a run of items and specs is visited as the run of their bytes.
func (s *itemSizes) visit(ctx context.Context, item, end int32, m *model.Measurement) error {
	x := s.x
	m.Visit(x.Paths.CodedElements().Run(ctx, s.spans[:0], int64(item), int64(end)), 0)
	first, next := int64(0), int64(-1) // a run of specs
	specs := func() {
		if next > 0 {
			m.Visit(x.Specs.CodedPaths().Run(ctx, s.spans[:0], first, next), 0)
		}
	}
	for i := item; i < end; i++ {
		spec, has := x.spec(i)
		if !has {
			continue
		}
		if spec != next {
			specs()
			first = spec
		}
		next = spec + 1
		for _, f := range x.Sets.Group(x.Specs.Sets.At(spec)) {
			if int64(f) < x.Fields.Count && !s.done.Has(int32(f)) {
				s.done.Set(int32(f))
				if err := s.visitField(ctx, int64(f), m); err != nil {
					return err
				}
			}
		}
	}
	specs()
	return ctx.Err()
}

// visitField visits the bytes of a field.
func (s *itemSizes) visitField(ctx context.Context, f int64, m *model.Measurement) error {
	x := s.x
	at := x.Fields.RepSpan(f)
	if own := s.rep[f]; own > 0 {
		at.Len = int64(own)
		m.Visit(append(s.spans[:0], at), 0)
		return nil
	}
	r, err := x.Fields.Rep(ctx, f)
	if err != nil {
		return err
	}
	n := x.values.Node(ctx, "", r, at, nil)
	eachNode(ctx, &n, func(n *model.Node) { m.Visit(n.Spans, n.PackedSize()) })
	return nil
}
