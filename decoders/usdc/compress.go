package usdc

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// inflatedName names the source that a compressed buffer gives: OWNER@inflated.
const inflatedName = "inflated"

// chunkOutput is the number of bytes that every chunk but the last of a container gives.
const chunkOutput = 0x7E000000

// buffer is a chunk container (5.2): a chunk count and LZ4 blocks.
type buffer struct {
	c     *crate
	owner string // path of the layout node that has the inflated source
	title string
	limit int64 // the most that it may give, in bytes
	exact bool  // it must give just that
	// root makes the root of the inflated source's layout.
	root func(ctx context.Context, in *inflated) (model.Node, error)

	span   model.Span   // in the file
	nodes  []model.Node // of the container's fields
	blocks []model.Span
	faulty []model.Problem // of the chunk sizes
	state  model.Once[inflated]
}

// inflated holds the bytes that a buffer gave.
type inflated struct {
	src      *model.Source // the good part
	problems []model.Problem
}

// LacksBytes makes Once ask again.
func (in *inflated) LacksBytes() bool { return model.LacksBytes(in.problems) }

// cints returns the coding of a size and a chunk container of that many bytes, cut where the bytes end. Its value reports whether it
// is whole.
func cints(typ string) *grammar.Custom {
	return &grammar.Custom{Display: typ, Read: func(s grammar.Scope, in grammar.Stream, off int64) (end int64, v grammar.Value, _ *model.Problem) {
		b := s.Reading().Window(in.Source, off, 8)
		if b == nil || in.End-off < 8 {
			return in.End, v, nil
		}
		size, left := binary.LittleEndian.Uint64(b), uint64(in.End-off-8)
		return off + 8 + int64(min(size, left)), grammar.BoolValue(size <= left), nil
	}}
}

// lz4Block is a block: no frame, no checksum.
var lz4Block = grammar.Raw.Named("LZ4 block")

// containers are the descriptions of a container of one block, without its size (0) and with it (1).
var containers = [2]*grammar.Record{newContainer(0), newContainer(0, bufferSize())}

func bufferSize() *grammar.Field {
	return grammar.F(sizeName, grammar.U64, "bytes of the compressed buffer after it").Counts(1, "usdc.compress.size")
}

// sizeName is the name of the size before a buffer, and of those before its blocks.
const sizeName = "size"

// newContainer is the description of a chunk container of n blocks (5.2): 0 is one block without a size of its own.
func newContainer(n int64, before ...*grammar.Field) *grammar.Record {
	block := func(segment string) *grammar.Field {
		return grammar.F(segment, lz4Block, "an LZ4 block: no frame, no checksum").Shown(func(_ grammar.Scope, _ grammar.Value, n *model.Node) {
			*n = n.Named("block")
			if at := n.Span(); at.Len > 0 {
				n.Value, n.Elements = nil, true
				n.Children = source.LZ4Sequences(source.LZ4Block{In: at, OutLen: -1}, "usdc.compress.lz4")
			}
		})
	}
	fields := append(before, grammar.F("chunkCount", grammar.I8, "how many sizes and blocks follow; 0: one LZ4 block without a size").
		Ends(func(_ grammar.Scope, v grammar.Value) (model.Problem, bool) {
			count, _ := v.Int()
			return model.Problemf(model.Malformed, "usdc.compress.chunk-count", model.Span{}, "chunk count %d is negative as a signed byte",
				uint8(count)).Want("0 to 127", count), count < 0
		}))
	if n == 0 {
		fields = append(fields, block("block").ToEnd())
	}
	for i := int64(1); i <= n; i++ {
		size := grammar.F(fmt.Sprintf("size~%d", i), grammar.I32, "bytes of the block after it").
			Shown(func(_ grammar.Scope, _ grammar.Value, n *model.Node) { *n = n.Named(sizeName) })
		size.Ends(func(s grammar.Scope, v grammar.Value) (model.Problem, bool) {
			bytes, _ := v.Int()
			left := s.Object().Stream().End - s.Span(size).End()
			return model.Problemf(model.Malformed, "usdc.compress.chunk-size", model.Span{}, "block %d of %d does not fit into the buffer", i, n).
				Want(fmt.Sprintf("0 to %d", left), bytes), bytes < 0 || bytes > left
		})
		fields = append(fields, size, block(fmt.Sprintf("block~%d", i)).Sized(grammar.Ref(size.Name)))
	}
	return grammar.NewRecord("compressed buffer", fields...)
}

// read reads a container that takes all of a span, with the size before it or without; it returns how many bytes follow
// that, or -1 where the size itself is cut, or ctx has ended.
func (b *buffer) read(ctx context.Context, at model.Span, sized bool) (size int64) {
	b.span = at
	rec, head := containers[0], int64(0)
	if sized {
		rec, head = containers[1], 8
	}
	var count [1]byte
	if at.Len > head {
		// A byte that cannot be read is reported by the first field.
		_, _ = at.Source.ReadFull(ctx, count[:], at.Off+head)
	}
	if n := int64(int8(count[0])); n > 0 && sized {
		rec = newContainer(n, bufferSize())
	} else if n > 0 {
		rec = newContainer(n)
	}
	session := &grammar.Session{Truncated: "usdc.compress.truncated", Tile: true}
	o := rec.Open(session, grammar.Stream{Source: at.Source, Start: at.Off, End: at.End()}, at.Off)
	b.nodes = o.Nodes(ctx)
	if len(b.nodes) == 0 { // ctx has ended, and what is made of this is not kept
		return -1
	}
	for _, node := range b.nodes {
		switch {
		case node.Type == lz4Block.Name():
			b.blocks = append(b.blocks, node.Span())
		case node.InPath() != sizeName:
			b.faulty = append(b.faulty, node.Problems...)
		}
	}
	if at.Len >= head {
		b.span.Off, b.span.Len = at.Off+head, at.Len-head
	}
	if at.Len <= head {
		b.faulty = []model.Problem{model.Problemf(model.Truncated, "usdc.compress.truncated", b.span, "the compressed bytes are missing")}
	}
	if at.Len < head {
		return -1
	}
	return at.Len - head
}

// blame puts a problem on the size, before those that it has.
func (b *buffer) blame(p model.Problem) {
	size := &b.nodes[0]
	p.Span = size.Span()
	size.Problems = append([]model.Problem{p}, size.Problems...)
}

// complete completes the node at owner with the container's fields, the inflated source and what is wrong.
func (b *buffer) complete(ctx context.Context, n *model.Node) error {
	in, err := b.inflate(ctx)
	if err != nil {
		return err
	}
	n.Derived = []*model.Derivation{b.derivation()}
	n.Problems = append(slices.Clip(n.Problems), in.problems...)
	if len(b.nodes) > 0 {
		n.Children = model.NewList(b.nodes...)
	}
	return nil
}

// derivation offers the inflated source on the node at owner.
func (b *buffer) derivation() *model.Derivation {
	return &model.Derivation{Name: inflatedName, Title: b.title, Codec: "LZ4", Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		in, err := b.inflate(ctx)
		if err != nil {
			return nil, model.Node{}, err
		}
		root, err := b.root(ctx, in)
		if err != nil {
			return nil, model.Node{}, err
		}
		root.Problems = append(root.Problems[:len(root.Problems):len(root.Problems)], in.problems...)
		return in.src, root, nil
	}}
}

// inflate measures the buffer and makes the source of its good part; the bytes themselves are made when read.
func (b *buffer) inflate(ctx context.Context) (*inflated, error) {
	return b.state.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*inflated, error) {
		in := &inflated{problems: b.faulty}
		var sizes []int64
		total := int64(0)
		for i, block := range b.blocks {
			size, fault, err := source.MeasureLZ4(ctx, block, b.limit-total)
			if err != nil {
				return nil, err
			}
			sizes = append(sizes, size)
			total += size
			if fault == nil && i < len(b.blocks)-1 && size != chunkOutput {
				fault = &source.Fault{In: 0, Reason: "a block that is not the last gives another size"}
			}
			if fault != nil {
				in.problems = append(in.problems, lz4Problem(block, fault))
				break
			}
		}
		if len(in.problems) == 0 && b.exact && total < b.limit {
			in.problems = append(in.problems, b.short(total))
		}
		var err error
		in.src, _, err = b.c.derived.Get(ctx, b.owner, inflatedName, func() (*model.Source, []model.Problem, error) {
			return b.source(sizes, total), in.problems, nil
		})
		return in, err
	})
}

func (b *buffer) short(total int64) model.Problem {
	return model.Problemf(model.Truncated, "usdc.compress.short", b.span,
		"the compressed bytes give less than the %d bytes that are claimed", b.limit).
		Want(fmt.Sprintf("%d bytes", b.limit), fmt.Sprintf("%d bytes", total))
}

func lz4Problem(block model.Span, fault *source.Fault) model.Problem {
	at := block.Source.Span(block.Off+fault.In, min(1, block.Len-fault.In))
	kind := model.KindOf(fault)
	if kind == model.Unread {
		return model.AsProblem(fault.Err, "usdc.read", at)
	}
	return model.Problemf(kind, "usdc.compress.lz4", at, "sequence %d of the LZ4 block: %s; %s before it can be trusted",
		fault.Sequence, fault.Reason, model.GroupedCount(fault.Out, "byte"))
}

// source makes the inflated source. What inflates it must not hold the crate, which holds the source.
func (b *buffer) source(sizes []int64, total int64) *model.Source {
	blocks := b.blocks[:len(sizes)]
	var mapped []source.LZ4Block
	out := int64(0)
	for i, size := range sizes {
		mapped = append(mapped, source.LZ4Block{In: blocks[i], Out: out, OutLen: size})
		out += size
	}
	reader := source.Cached(total, func(ctx context.Context, w io.Writer) error {
		return inflateBlocks(ctx, blocks, sizes, w)
	})
	return model.Derive(b.owner, inflatedName, b.title, reader, model.Origin{
		Parent: b.c.src, Spans: blocks, Codec: "LZ4", Map: source.NewLZ4Mapping(mapped),
	})
}

func inflateBlocks(ctx context.Context, blocks []model.Span, sizes []int64, w io.Writer) error {
	for i, block := range blocks {
		if err := source.CopyLZ4(ctx, w, block, sizes[i], -1); err != nil {
			return err
		}
	}
	return nil
}
