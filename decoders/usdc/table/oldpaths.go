package table

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// The bits of an item below 0.4.0 (7.2).
const (
	itemHasChild   = 1
	itemHasSibling = 2
	itemIsProperty = 4
	itemHasBoth    = itemHasChild | itemHasSibling
)

// showFiller keeps the second filler of an item from having a number.
func showFiller(_ grammar.Scope, _ grammar.Value, n *model.Node) { *n = n.Named("filler") }

// oldTree holds the offsets of the items of 7.2.
type oldTree struct {
	src    *model.Source
	lo, hi int64
	record *grammar.Record
	header int64 // bytes of an item without its sibling offset
	at     struct{ index, token, bits grammar.Number }
	index  model.NumbersBuilder // of Paths, until all items are read
	token  model.NumbersBuilder
	offs   []int64 // of each item, in the order of the walk
	tiles  []tile  // items and the gaps between them, in the order of the file, or nil if the items are in their order
}

// tile is a run of bytes in the items: an item, or what no item has.
type tile struct {
	off  int64
	item int32 // -1: no item's
}

func newOldTree(c *Crate, lo, hi int64) *oldTree {
	o := &oldTree{src: c.Src, lo: lo, hi: hi, record: c.plan.Record("PathItem")}
	o.header = o.record.Least()
	o.at.index, o.at.token, o.at.bits = o.record.Number("pathIndex"), o.record.Number("elementTokenIndex"), o.record.Number("bits")
	return o
}

// readTree reads the items of 7.2: each says whether a child, a sibling, or both follow it.
func (p *Paths) readTree(ctx context.Context, progress model.Progress, t *Tokens) error {
	o := newOldTree(p.c, p.end, p.at.End())
	p.old, p.Complete = o, true
	node := model.Node{Name: "items", Type: "PathItem[]", Help: "the paths as a tree, depth first"}
	count := &p.Nodes[0]
	if p.claimed > 0 {
		if err := p.walkOld(ctx, progress, &node, t); err != nil {
			return err
		}
		p.checkCount(count, count.Span(), int64(len(o.offs)))
	}
	if p.end = o.finish(ctx); p.end > o.lo {
		node.Brief = usda.Plural(int64(len(o.offs)), "item", "items")
		node.Spans = []model.Span{o.src.Span(o.lo, p.end-o.lo)}
		node.Children = p.oldRows()
		p.Nodes = append(p.Nodes, node)
	} else {
		count.Problems = append(count.Problems, node.Problems...)
	}
	return nil
}

// oldStep is an item to go to: where it is, its parent, and where the offset is that leads there; 0 where
// it follows by itself.
type oldStep struct {
	off, from int64
	parent    int32
}

// walkOld visits the items with a stack of its own. Bytes belong to one item only, so any damage ends.
func (p *Paths) walkOld(ctx context.Context, progress model.Progress, node *model.Node, t *Tokens) error {
	o := p.old
	taken := make(Bitset, (o.hi-o.lo+63)/64)
	pass := grammar.NewReading(ctx, grammar.Far)
	// The table is made when the items are known; until then entries are only collected.
	stack := []oldStep{{off: o.lo, parent: NoParent}}
	for steps := int64(0); len(stack) > 0; steps++ {
		if steps&(1<<14-1) == 0 {
			progress.Report(steps*o.header, o.hi-o.lo, "paths")
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		b, size, problem := o.item(pass, taken, s)
		if problem != nil {
			p.reportOld(s, node, *problem)
			continue
		}
		item := int32(len(o.offs))
		bits := p.addOld(b, s)
		siblings := s.parent
		if siblings == NoParent {
			siblings = item
		}
		next := oldStep{off: s.off + size, parent: siblings}
		if bits&itemHasBoth == itemHasBoth {
			sibling := int64(binary.LittleEndian.Uint64(b[o.header:]))
			stack = append(stack, oldStep{off: sibling, from: s.off + o.header, parent: siblings})
		}
		if bits&itemHasChild != 0 {
			next.parent = item
		}
		if bits&itemHasBoth != 0 {
			stack = append(stack, next)
		}
	}
	p.enterOld(node, t)
	return nil
}

// item reads the header at a step's offset, with its sibling offset where it has one, and takes its bytes.
func (o *oldTree) item(pass *grammar.Reading, taken Bitset, s oldStep) (b []byte, size int64, problem *model.Problem) {
	fail := func(kind model.Kind, rule, format string, args ...any) ([]byte, int64, *model.Problem) {
		at := o.src.Span(min(max(s.off, o.lo), o.hi), 0)
		if s.from > 0 {
			at = o.src.Span(s.from, 8)
		}
		p := model.Problemf(kind, rule, at, format, args...)
		return nil, 0, &p
	}
	if s.off < o.lo || s.off > o.hi || s.from > 0 && s.off > o.hi-o.header {
		return fail(model.Malformed, "usdc.paths.sibling-offset", "the next sibling at %d is outside the items, which are %d to %d", s.off, o.lo, o.hi)
	}
	size = o.header
	if size <= o.hi-s.off {
		if b = pass.Window(o.src, s.off, size); b == nil {
			return fail(model.Malformed, "usdc.paths.read", "the item at %d cannot be read", s.off)
		}
		if o.at.bits.U8(b)&itemHasBoth == itemHasBoth {
			size += 8
		}
	}
	if size > o.hi-s.off {
		return fail(model.Truncated, "usdc.paths.truncated", "the section ends inside an item")
	}
	for i := s.off - o.lo; i < s.off-o.lo+size; i++ {
		if taken[i/64]>>(i%64)&1 != 0 {
			return fail(model.Malformed, "usdc.paths.item-repeated", "the item at %d shares bytes with one reached before", s.off)
		}
	}
	if b = pass.Window(o.src, s.off, size); b == nil {
		return fail(model.Malformed, "usdc.paths.read", "the item at %d cannot be read", s.off)
	}
	for i := s.off - o.lo; i < s.off-o.lo+size; i++ {
		taken[i/64] |= 1 << (i % 64)
	}
	return b, size, nil
}

// addOld notes an item and returns its bits.
func (p *Paths) addOld(b []byte, s oldStep) uint8 {
	o := p.old
	item := int32(len(o.offs))
	o.offs = append(o.offs, s.off)
	o.index.Add(o.at.index.U32(b))
	o.token.Add(o.at.token.U32(b))
	p.draft.parents = append(p.draft.parents, s.parent)
	if int(item/64) == len(p.Property) {
		p.Property = append(p.Property, 0)
	}
	bits := o.at.bits.U8(b)
	if bits&itemIsProperty != 0 {
		p.Property.Set(item)
	}
	return bits
}

func (p *Paths) reportOld(s oldStep, node *model.Node, problem model.Problem) {
	p.report(max(s.parent, 0), node, problem)
}

// enterOld enters the items into the table.
func (p *Paths) enterOld(node *model.Node, t *Tokens) {
	o := p.old
	p.Index, p.Token = o.index.Numbers(), o.token.Numbers()
	p.makeTable(int64(len(o.offs)))
	for i, off := range o.offs {
		p.note(int32(i), t, node, node, func(token bool) model.Span {
			if token {
				return o.src.Span(off+o.at.token.Off(), o.at.token.Len())
			}
			return o.src.Span(off+o.at.index.Off(), o.at.index.Len())
		})
	}
}

// finish finds the tiles and returns the end of the last item.
func (o *oldTree) finish(ctx context.Context) int64 {
	end := o.lo
	inOrder := true
	for _, off := range o.offs {
		inOrder = inOrder && off == end
		end = off + o.size(ctx, off)
	}
	if inOrder {
		return end
	}
	var sorted []tile
	for i, off := range o.offs {
		sorted = append(sorted, tile{off, int32(i)})
	}
	slices.SortFunc(sorted, func(a, b tile) int { return cmp.Compare(a.off, b.off) })
	end = o.lo
	for _, item := range sorted {
		if item.off > end {
			o.tiles = append(o.tiles, tile{end, -1})
		}
		o.tiles = append(o.tiles, item)
		end = item.off + o.size(ctx, item.off)
	}
	return end
}

// size returns the size of the item at off, which was read before.
func (o *oldTree) size(ctx context.Context, off int64) int64 {
	var b [1]byte
	if _, err := o.src.ReadFull(ctx, b[:], off+o.at.bits.Off()); err == nil &&
		b[0]&itemHasBoth == itemHasBoth {
		return o.header + 8
	}
	return o.header
}

// itemAt returns the item that holds off.
func (o *oldTree) itemAt(ctx context.Context, off int64) (item int32, ok bool) {
	if o.tiles == nil {
		i := sort.Search(len(o.offs), func(i int) bool { return o.offs[i] > off }) - 1
		return int32(i), i >= 0 && off < o.offs[i]+o.size(ctx, o.offs[i])
	}
	i := sort.Search(len(o.tiles), func(i int) bool { return o.tiles[i].off > off }) - 1
	if i < 0 || o.tiles[i].item < 0 {
		return 0, false
	}
	return o.tiles[i].item, off < o.tiles[i].off+o.size(ctx, o.tiles[i].off)
}

// oldRows makes the nodes of the items, in the order of the file.
func (p *Paths) oldRows() model.Children {
	o := p.old
	if o.tiles == nil {
		return &model.Rows{
			Count: int64(len(o.offs)),
			Make:  func(ctx context.Context, i int64) model.Node { return p.oldNode(ctx, int32(i)) },
			ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
				item, ok := o.itemAt(ctx, off)
				return int64(item), ok && src == o.src
			},
		}
	}
	return &model.Rows{Count: int64(len(o.tiles)), Make: func(ctx context.Context, i int64) model.Node {
		if item := o.tiles[i].item; item >= 0 {
			return p.oldNode(ctx, item)
		}
		at := o.src.Span(o.tiles[i].off, o.tiles[i+1].off-o.tiles[i].off)
		return model.Node{
			Name: fmt.Sprintf("gap %#x", at.Off), Type: "bytes", Role: model.Unknown, Spans: []model.Span{at},
			Value: model.Blob{Span: at}, Help: "bytes that no item leads to",
		}
	}}
}

// oldNode returns the node of the record of an item.
func (p *Paths) oldNode(ctx context.Context, item int32) model.Node {
	n := p.readOld(ctx, item).Node(ctx, model.IndexName(int64(item)))
	n.Value = model.Text(p.ItemText(ctx, item))
	n.Refs = func(ctx context.Context) []model.Ref {
		return []model.Ref{p.c.Scene.PathRef(ctx, p.Index.At(int64(item)))}
	}
	return n
}

// readOld reads the record of an item.
func (p *Paths) readOld(ctx context.Context, item int32) *grammar.Object {
	o, off := p.old, p.old.offs[item]
	return o.record.Open(p.session, grammar.Stream{Source: o.src, Start: off, End: off + o.size(ctx, off)}, off)
}

// itemsOver returns the item that has the first byte of s.
func (o *oldTree) itemsOver(ctx context.Context, s model.Span) (first, end int64) {
	if item, ok := o.itemAt(ctx, s.Off); ok && s.Source == o.src {
		return int64(item), int64(item) + 1
	}
	return 0, 0
}
