package usdc

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"

	"cutaway/decoders/grammar"
	"cutaway/model"
)

// The bits of an item below 0.4.0 (7.2).
const (
	itemHasChild   = 1
	itemHasSibling = 2
	itemIsProperty = 4
	itemHasBoth    = itemHasChild | itemHasSibling
)

var itemBits = []grammar.Bit{
	grammar.Part("hasChild", 1, "its first child follows"),
	grammar.Part("hasSibling", 1, "its next sibling follows, or with a child is at siblingOffset"),
	grammar.Part("isProperty", 1, "the element is a prim's property"),
}

// newPathItem is the description of an item with so much filler before it.
func newPathItem(before int64) *grammar.Record {
	bits := grammar.F("bits", grammar.U8, "what follows the item, and what its element is").MadeOf(itemBits...)
	fields := []*grammar.Field{
		grammar.F("pathIndex", pathIndex, "which path the item is"),
		grammar.F("elementTokenIndex", tokenIndex, "the last element of the path").Shown(showNumber((*crate).showTokenIndex)),
		bits, filler(3).Shown(func(_ grammar.Scope, _ grammar.Value, n *model.Node) { *n = n.Named("filler") }), // not the first in every item
		grammar.F("siblingOffset", grammar.I64, "offset in the file of the next sibling's item").If(grammar.When(func(s grammar.Scope) bool {
			return s.Int(bits)&itemHasBoth == itemHasBoth
		})),
	}
	if before > 0 {
		fields = append([]*grammar.Field{filler(before)}, fields...)
	}
	return grammar.NewRecord("PathItem", grammar.Distinct(fields)...)
}

// oldTree is where the items of 7.2 are.
type oldTree struct {
	src    *model.Source
	lo, hi int64
	record *grammar.Record
	header int64                // bytes of an item without its sibling offset
	filler int64                // bytes in front of it
	index  model.NumbersBuilder // of pathTable, until all items are read
	token  model.NumbersBuilder
	offs   []int64 // of each item, in the order of the walk
	tiles  []tile  // items and what is between, in the order of the file; nil: the items in their order
}

// tile is a run of bytes in the items: an item, or what no item has.
type tile struct {
	off  int64
	item int32 // -1: no item's
}

func newOldTree(c *crate, lo, hi int64) *oldTree {
	o := &oldTree{src: c.src, lo: lo, hi: hi, header: 12, record: pathItems[1]}
	if c.before(0, 2) {
		o.header, o.filler, o.record = 16, 4, pathItems[0]
	}
	return o
}

// readTree reads the items of 7.2: each says whether a child, a sibling, or both follow it.
func (p *pathTable) readTree(ctx context.Context, progress model.Progress, t *tokens) error {
	o := newOldTree(p.c, p.end, p.at.End())
	p.old, p.complete = o, true
	node := model.Node{Name: "items", Type: "PathItem[]", Help: "the paths as a tree, depth first"}
	count := &p.nodes[0]
	if p.claimed > 0 {
		if err := p.walkOld(ctx, progress, &node, t); err != nil {
			return err
		}
		p.checkCount(count, count.Span(), int64(len(o.offs)))
	}
	if p.end = o.finish(ctx); p.end > o.lo {
		node.Brief = plural(int64(len(o.offs)), "item", "items")
		node.Spans = []model.Span{o.src.Span(o.lo, p.end-o.lo)}
		node.Children = p.oldRows()
		p.nodes = append(p.nodes, node)
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

// walkOld goes over the items with a stack of its own. Bytes belong to one item only, so any damage ends.
func (p *pathTable) walkOld(ctx context.Context, progress model.Progress, node *model.Node, t *tokens) error {
	o := p.old
	taken := make(bitset, (o.hi-o.lo+63)/64)
	pass := grammar.NewReading(ctx, grammar.Far)
	// The table is made when the items are known; until then entries are only collected.
	stack := []oldStep{{off: o.lo, parent: noParent}}
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
		bits := p.addOld(b[o.filler:], s)
		siblings := s.parent
		if siblings == noParent {
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
func (o *oldTree) item(pass *grammar.Reading, taken bitset, s oldStep) (b []byte, size int64, problem *model.Problem) {
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
		if b[o.filler+8]&itemHasBoth == itemHasBoth {
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
func (p *pathTable) addOld(b []byte, s oldStep) uint8 {
	item := int32(len(p.old.offs))
	p.old.offs = append(p.old.offs, s.off)
	p.old.index.Add(binary.LittleEndian.Uint32(b))
	p.old.token.Add(binary.LittleEndian.Uint32(b[4:]))
	p.draft.parents = append(p.draft.parents, s.parent)
	if int(item/64) == len(p.property) {
		p.property = append(p.property, 0)
	}
	if b[8]&itemIsProperty != 0 {
		p.property.set(item)
	}
	return b[8]
}

func (p *pathTable) reportOld(s oldStep, node *model.Node, problem model.Problem) {
	p.report(max(s.parent, 0), node, problem)
}

// enterOld enters the items into the table.
func (p *pathTable) enterOld(node *model.Node, t *tokens) {
	o := p.old
	p.index, p.token = o.index.Numbers(), o.token.Numbers()
	p.makeTable(int64(len(o.offs)))
	for i, off := range o.offs {
		p.note(int32(i), t, node, node, func(token bool) model.Span {
			if token {
				return o.src.Span(off+o.filler+4, 4)
			}
			return o.src.Span(off+o.filler, 4)
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

// size is the size of the item at off, which was read before.
func (o *oldTree) size(ctx context.Context, off int64) int64 {
	var b [1]byte
	if _, err := o.src.ReadFull(ctx, b[:], off+o.filler+8); err == nil &&
		b[0]&itemHasBoth == itemHasBoth {
		return o.header + 8
	}
	return o.header
}

// over is the item that holds off.
func (o *oldTree) over(ctx context.Context, off int64) (item int32, ok bool) {
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
func (p *pathTable) oldRows() model.Children {
	o := p.old
	if o.tiles == nil {
		return &model.Rows{
			Count: int64(len(o.offs)),
			Make:  func(ctx context.Context, i int64) model.Node { return p.oldNode(ctx, int32(i)) },
			ByByte: func(ctx context.Context, src *model.Source, off int64) (int64, bool) {
				item, ok := o.over(ctx, off)
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

// oldNode is the record of an item.
func (p *pathTable) oldNode(ctx context.Context, item int32) model.Node {
	n := p.readOld(ctx, item).Node(ctx, model.IndexName(int64(item)))
	n.Value = model.Text(p.itemText(ctx, item))
	n.Refs = func(ctx context.Context) []model.Ref { return []model.Ref{p.c.sceneRef(ctx, p.index.At(int64(item)))} }
	return n
}

// readOld is the record of an item.
func (p *pathTable) readOld(ctx context.Context, item int32) *grammar.Object {
	o, off := p.old, p.old.offs[item]
	return o.record.Open(p.session, grammar.Stream{Source: o.src, Start: off, End: off + o.size(ctx, off)}, off)
}
