// Package coding reads compressed buffers and coded integers of crates, chapter 5 of the specification: chunk containers of LZ4 blocks
// (buffer.go, described in records.go), and the integers that they hold (integers.go, spans.go).
package coding

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// InflatedName names the source that a compressed buffer gives: OWNER@inflated.
const InflatedName = "inflated"

// chunkOutput is the number of bytes that every chunk but the last of a container gives.
const chunkOutput = 0x7E000000

// A Setting is the place of compressed bytes in a document.
type Setting struct {
	Derived *source.Derived // of the document
	Owner   string          // path of the layout node that has the inflated source
	Title   string          // of the inflated source
}

// A Buffer is a chunk container (5.2): a chunk count and LZ4 blocks.
type Buffer struct {
	Setting
	Limit int64 // the most that it may give, in bytes
	Exact bool  // it must give just that
	// Root makes the root of the inflated source's layout.
	Root func(ctx context.Context, in *Inflated) (model.Node, error)

	Span   model.Span   // in the file
	Nodes  []model.Node // of the container's fields
	blocks []model.Span
	faulty []model.Problem // of the chunk sizes
	state  model.Once[Inflated]
}

// Inflated is the bytes that a buffer gave.
type Inflated struct {
	Src      *model.Source // the good part
	Problems []model.Problem
}

// LacksBytes makes Once ask again.
func (in *Inflated) LacksBytes() bool { return model.LacksBytes(in.Problems) }

// SizedBuffer returns the coding of a size and a chunk container of that many bytes, cut where the bytes end. Its value is true if
// nothing is cut.
func SizedBuffer(typ string) *grammar.Custom { return &grammar.Custom{Display: typ, Read: readSized} }

// readSized measures a size and as many bytes as it says.
func readSized(s grammar.Scope, in grammar.Stream, off int64) (end int64, v grammar.Value, _ *model.Problem) {
	b := s.Reading().Window(in.Source, off, 8)
	if b == nil || in.End-off < 8 {
		return in.End, v, nil
	}
	size, left := binary.LittleEndian.Uint64(b), uint64(in.End-off-8)
	return off + 8 + int64(min(size, left)), grammar.BoolValue(size <= left), nil
}

// sizeName names the size before a buffer, and those before its blocks.
const sizeName = "size"

// Read reads a container that takes all of a span, after its size if it is sized. It returns the number of bytes after the size, or
// -1 if the size itself is cut, or ctx has ended.
func (b *Buffer) Read(ctx context.Context, at model.Span, sized bool) (size int64) {
	b.Span = at
	name, head := containerName, int64(0)
	if sized {
		name, head = sizedName, 8
	}
	var count [1]byte
	if at.Len > head {
		// A byte that cannot be read is reported by the first field.
		_, _ = at.Source.ReadFull(ctx, count[:], at.Off+head)
	}
	plan := BufferLanguage.For(nil)
	rec := plan.Record(name)
	if n := int64(int8(count[0])); n > 0 {
		rec = chunked(plan, name, n)
	}
	session := plan.Session()
	session.Tile = true
	o := rec.Open(session, grammar.Stream{Source: at.Source, Start: at.Off, End: at.End()}, at.Off)
	b.Nodes = o.Nodes(ctx)
	if len(b.Nodes) == 0 { // ctx has ended, and what is made of this is not kept
		return -1
	}
	for i := range b.Nodes {
		b.addField(&b.Nodes[i])
	}
	if at.Len >= head {
		b.Span.Off, b.Span.Len = at.Off+head, at.Len-head
	}
	if at.Len <= head {
		b.faulty = []model.Problem{model.Problemf(model.Truncated, "usdc.compress.truncated", b.Span, "the compressed bytes are missing")}
	}
	if at.Len < head {
		return -1
	}
	return at.Len - head
}

// addField names the node of a field of the container, and notes blocks and problems.
func (b *Buffer) addField(n *model.Node) {
	if n.Type != blockType {
		if n.InPath() != sizeName {
			b.faulty = append(b.faulty, n.Problems...)
			if strings.HasPrefix(n.Name, sizeName) {
				*n = n.Named(sizeName)
			}
		}
		return
	}
	*n = n.Named(blockName)
	at := n.Span()
	b.blocks = append(b.blocks, at)
	if at.Len > 0 {
		n.Value, n.Elements = nil, true
		n.Children = source.LZ4Sequences(source.LZ4Block{In: at, OutLen: -1}, "usdc.compress.lz4")
	}
}

// Blame puts a problem on the size, before those that it has.
func (b *Buffer) Blame(p model.Problem) {
	size := &b.Nodes[0]
	p.Span = size.Span()
	size.Problems = append([]model.Problem{p}, size.Problems...)
}

// Complete completes the node at owner with the container's fields, the inflated source and the problems.
func (b *Buffer) Complete(ctx context.Context, n *model.Node) error {
	in, err := b.Inflate(ctx)
	if err != nil {
		return err
	}
	n.Derived = []*model.Derivation{b.Derivation()}
	n.Problems = append(slices.Clip(n.Problems), in.Problems...)
	if len(b.Nodes) > 0 {
		n.Children = model.NewList(b.Nodes...)
	}
	return nil
}

// Derivation offers the inflated source on the node at owner.
func (b *Buffer) Derivation() *model.Derivation {
	return &model.Derivation{Name: InflatedName, Title: b.Title, Codec: "LZ4", Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		in, err := b.Inflate(ctx)
		if err != nil {
			return nil, model.Node{}, err
		}
		root, err := b.Root(ctx, in)
		if err != nil {
			return nil, model.Node{}, err
		}
		root.Problems = append(root.Problems[:len(root.Problems):len(root.Problems)], in.Problems...)
		return in.Src, root, nil
	}}
}

// Inflate measures the buffer and makes the source of its good part; the bytes themselves are made when read.
func (b *Buffer) Inflate(ctx context.Context) (*Inflated, error) {
	return b.state.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*Inflated, error) {
		in := &Inflated{Problems: b.faulty}
		var sizes []int64
		total := int64(0)
		for i, block := range b.blocks {
			size, fault, err := source.MeasureLZ4(ctx, block, b.Limit-total)
			if err != nil {
				return nil, err
			}
			sizes = append(sizes, size)
			total += size
			if fault == nil && i < len(b.blocks)-1 && size != chunkOutput {
				fault = &source.Fault{In: 0, Reason: "a block that is not the last gives another size"}
			}
			if fault != nil {
				in.Problems = append(in.Problems, lz4Problem(block, fault))
				break
			}
		}
		if len(in.Problems) == 0 && b.Exact && total < b.Limit {
			in.Problems = append(in.Problems, b.short(total))
		}
		var err error
		in.Src, _, err = b.Derived.Get(ctx, b.Owner, InflatedName, func() (*model.Source, []model.Problem, error) {
			return b.source(sizes, total), in.Problems, nil
		})
		return in, err
	})
}

func (b *Buffer) short(total int64) model.Problem {
	return model.Problemf(model.Truncated, "usdc.compress.short", b.Span,
		"the compressed bytes give less than the %d bytes that are claimed", b.Limit).
		Want(fmt.Sprintf("%d bytes", b.Limit), fmt.Sprintf("%d bytes", total))
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

// source makes the inflated source. Its reader holds neither the buffer nor the crate, which hold the source.
func (b *Buffer) source(sizes []int64, total int64) *model.Source {
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
	return model.Derive(b.Owner, InflatedName, b.Title, reader, model.Origin{
		Parent: b.Span.Source, Spans: blocks, Codec: "LZ4", Map: source.NewLZ4Mapping(mapped),
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

// Leftover returns the node of the bytes [lo, hi) at the end of a section or source, which its content does not use. It returns false
// if there are no such bytes.
func Leftover(src *model.Source, lo, hi int64, rule, of string) (n model.Node, ok bool) {
	if lo >= hi {
		return n, false
	}
	at := src.Span(lo, hi-lo)
	return model.Node{
		Name: "rest", Type: "bytes", Role: model.Unknown, Spans: []model.Span{at}, Value: model.Blob{Span: at},
		Problems: []model.Problem{model.Problemf(model.Suspicious, rule, at, "%s leaves bytes unused", of).
			Want("none", fmt.Sprintf("%d bytes", hi-lo))},
	}, true
}

// ProblemAt returns err as a problem at a place. A Problem that has a place keeps it.
func ProblemAt(err error, place model.Span) model.Problem {
	p := model.AsProblem(err, "usdc.read", place)
	if p.Span.Source == nil {
		p.Span = place
	}
	return p
}
