package usdc

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"cutaway/decoders/read"
	"cutaway/model"
	"cutaway/source"
)

// inflatedName names the source that a compressed buffer gives: OWNER@inflated.
const inflatedName = "inflated"

// chunkOutput is what every chunk but the last of a container gives.
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

	span   model.Span // in the file
	blocks []model.Span
	faulty []model.Problem // of the chunk sizes
	state  model.Once[inflated]
}

// inflated is what a buffer gave.
type inflated struct {
	src      *model.Source // the good part
	problems []model.Problem
}

// readBuffer reads the chunk count and sizes of a container that takes all that is left of r, and adds its nodes.
func (b *buffer) readBuffer(r *read.Cursor) {
	b.span = r.Source().Span(r.Off(), r.Remaining())
	n := int64(r.I8("chunkCount", "0: one LZ4 block follows; else as many sizes and blocks"))
	switch {
	case !r.Ok():
		b.faulty = append(b.faulty, model.Problemf(model.Truncated, "usdc.compress.truncated", b.span, "the compressed bytes are missing"))
	case n < 0:
		b.fault(r, model.Problemf(model.Malformed, "usdc.compress.chunk-count", r.Field().Span(),
			"chunk count %d is negative as a signed byte", uint8(n)).Want("0 to 127", n))
		r.Rest("rest", model.Unknown, "bytes behind a chunk count that is wrong")
	case n == 0:
		b.readBlock(r, "block", r.Remaining())
	default:
		for i := range n {
			at := r.Off()
			size := int64(r.I32("size~"+strconv.FormatInt(i+1, 10), "bytes of the block behind it"))
			if !r.Ok() {
				b.fault(r, model.Problemf(model.Truncated, "usdc.compress.chunk-size", r.Source().Span(at, b.span.End()-at),
					"the size of block %d of %d is cut off", i+1, n))
				break
			}
			if size < 0 || size > r.Remaining() {
				b.fault(r, model.Problemf(model.Malformed, "usdc.compress.chunk-size", r.Field().Span(),
					"block %d of %d does not fit into the buffer", i+1, n).Want(fmt.Sprintf("0 to %d", r.Remaining()), size))
				break
			}
			b.readBlock(r, "block~"+strconv.FormatInt(i+1, 10), size)
		}
		r.Rest("rest", model.Unknown, "bytes behind the last block")
	}
}

func (b *buffer) fault(r *read.Cursor, p model.Problem) {
	if r.Ok() {
		r.Problem(p)
	}
	b.faulty = append(b.faulty, p)
}

func (b *buffer) readBlock(r *read.Cursor, name string, size int64) {
	at := r.Skip(name, size, model.Explained, "an LZ4 block: no frame, no checksum")
	if f := r.Field(); at.Source != nil && at.Len > 0 {
		f.Type = "LZ4 block"
		f.Value = nil
		f.Elements = true
		f.Children = source.LZ4Sequences(source.LZ4Block{In: at, OutLen: -1}, "usdc.compress.lz4")
	}
	b.blocks = append(b.blocks, at)
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
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			size, fault := measure(ctx, block, b.limit-total)
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
		in.src, _, err = b.c.derived.Get(b.owner, inflatedName, func() (*model.Source, []model.Problem, error) {
			return b.source(sizes, total), nil, nil
		})
		return in, err
	})
}

func (b *buffer) short(total int64) model.Problem {
	return model.Problemf(model.Truncated, "usdc.compress.short", b.span,
		"the compressed bytes give less than the %d bytes that are claimed", b.limit).
		Want(fmt.Sprintf("%d bytes", b.limit), fmt.Sprintf("%d bytes", total))
}

// measure walks an LZ4 block and returns how much it gives, up to its fault.
func measure(ctx context.Context, block model.Span, limit int64) (int64, *source.Fault) {
	in, err := block.Source.Bytes(ctx, block.Off, block.Len)
	if err != nil {
		return 0, &source.Fault{Reason: err.Error(), Err: err}
	}
	size := int64(0)
	fault := source.WalkLZ4(ctx, in, limit, func(s source.Sequence) bool {
		size = s.OutEnd()
		return true
	})
	if fault != nil {
		size = fault.Out
	}
	return size, fault
}

func lz4Problem(block model.Span, fault *source.Fault) model.Problem {
	at := block.Source.Span(block.Off+fault.In, min(1, block.Len-fault.In))
	kind := model.Malformed
	if fault.Err != nil {
		kind = model.Truncated
	}
	return model.Problemf(kind, "usdc.compress.lz4", at, "sequence %d of the LZ4 block: %s; %d bytes before it are good",
		fault.Sequence, fault.Reason, fault.Out)
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
		if err := ctx.Err(); err != nil {
			return err
		}
		in, err := block.Source.Bytes(ctx, block.Off, block.Len)
		if err != nil {
			return err
		}
		out, fault := source.InflateLZ4Max(ctx, in, sizes[i])
		if _, err := w.Write(out); err != nil {
			return err
		}
		if fault != nil {
			return fault
		}
	}
	return nil
}
