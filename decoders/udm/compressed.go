package udm

import (
	"context"
	"errors"
	"fmt"
	"io"

	"cutaway/decoders/grammar"
	"cutaway/decoders/udm/ascii"
	"cutaway/decoders/udm/types"
	"cutaway/model"
	"cutaway/source"
)

// inflatedName names the source that an LZ4 block gives.
const inflatedName = "inflated"

// Bounds of LZ4 blocks.
const (
	maxBlock    = 16 << 30 // bytes that one block may give (chapter 7, check 7)
	maxInflates = 8        // blocks inside one another
	eagerBlock  = 4 << 20  // of a block that gives more, the beginning is inflated alone, and first
)

// A block is an LZ4 block (chapter 6) with the size of its output.
type block struct {
	d     *udm
	owner string // the path of the layout's node that has the inflated source
	title string
	in    model.Span
	want  int64    // bytes
	depth int      // of nesting around it
	array *content // the compressed array whose items it has, or nil if it gives bytes
}

// content returns the value of the inflated source: bytes, or the items of a compressed array.
func (b *block) content(ctx context.Context, src *model.Source) *value {
	r, plan, outer := b.d.newContext(src, b.depth, b.array), b.d.plan, grammar.IntValue(int64(b.depth))
	var o *grammar.Object
	if a := b.array; a != nil {
		o = plan.Record("content").Open(r.session, grammar.Whole(src), 0, outer, grammar.IntValue(int64(a.item)), grammar.IntValue(a.count),
			grammar.IntValue(strideOf(a.item, a.shape)))
	} else {
		o = plan.Record("bytes").Open(r.session, grammar.Whole(src), 0, outer)
	}
	return (&value{valueContext: r, o: o, typ: types.Unknown}).kept(ctx)
}

// derivation offers the inflated source on the block's node.
func (b *block) derivation() *model.Derivation {
	return &model.Derivation{Name: inflatedName, Title: b.title, Codec: "LZ4", Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		src, problems, err := b.inflate(ctx)
		if err != nil {
			return nil, model.Node{}, err
		}
		n := model.Node{Name: inflatedName, Type: "bytes", Spans: []model.Span{src.Whole()}, Problems: problems, Help: "what the LZ4 block gives"}
		children := b.content(ctx, src).o.Children(ctx)
		if count, exact := children.Len(ctx); count > 0 || !exact {
			n.Children = children
		}
		return src, n, ctx.Err()
	}}
}

// inflate makes the source with the output of the block, or the good part if the block is broken. A large block is not measured
// first; if it is broken, reads after the good part fail.
func (b *block) inflate(ctx context.Context) (*model.Source, []model.Problem, error) {
	return b.d.derived.Get(ctx, b.owner, inflatedName, func() (*model.Source, []model.Problem, error) {
		size, problem, err := b.measure(ctx)
		if err != nil {
			return nil, nil, err
		}
		src := model.Derive(b.owner, inflatedName, b.title, inflating(b.in, size), model.Origin{
			Parent: b.in.Source, Spans: []model.Span{b.in}, Codec: "LZ4",
			Map: source.NewLZ4Mapping([]source.LZ4Block{{In: b.in, OutLen: size}}),
		})
		if problem == nil {
			return src, nil, nil
		}
		return src, []model.Problem{*problem}, nil
	})
}

// measure returns the size of the output, at most that which is claimed.
func (b *block) measure(ctx context.Context) (int64, *model.Problem, error) {
	fail := func(format string, args ...any) (int64, *model.Problem, error) {
		return 0, nil, model.Problemf(model.Limit, ruleBlockLimit, b.in, format, args...)
	}
	switch {
	case b.want > maxBlock:
		return fail("an LZ4 block claims to give %d bytes; Cutaway's limit for one is %d", b.want, int64(maxBlock))
	case inflations(b.in.Source) >= maxInflates:
		return fail("LZ4 blocks are inside one another more than %d deep, which is as far as Cutaway follows", maxInflates)
	case b.in.Source.Origin() != nil && b.want > source.MaxLZ4Output(b.in.Source.Root().Size()):
		return fail("an LZ4 block inside another claims to give %d bytes, more than the whole file could", b.want)
	case b.unmeasured():
		return b.want, nil, nil
	}
	return b.walk(ctx)
}

// unmeasured reports whether the block is so large that the inflated source is made by the claimed size. A check measures it.
func (b *block) unmeasured() bool {
	return b.want > eagerBlock && b.want <= maxBlock && b.want <= source.MaxLZ4Output(b.in.Len)
}

// walk reads the whole block and returns the size of its output.
func (b *block) walk(ctx context.Context) (int64, *model.Problem, error) {
	size, fault, err := source.MeasureLZ4(ctx, b.in, b.want)
	switch {
	case err != nil:
		return 0, nil, err
	case fault != nil:
		p := b.problem(fault)
		return fault.Out, &p, nil
	case size < b.want:
		p := b.tooShort(size)
		return size, &p, nil
	}
	return size, nil, nil
}

func (b *block) tooShort(size int64) model.Problem {
	return model.Problemf(model.Malformed, ruleLZ4, b.in, "the LZ4 block gives less than is claimed").
		Want(fmt.Sprintf("%d bytes", b.want), fmt.Sprintf("%d bytes", size))
}

// problem returns a fault as a problem of its sequence.
func (b *block) problem(fault *source.Fault) model.Problem {
	at := b.in.Source.Span(b.in.Off+fault.Begin, min(max(fault.In, fault.Begin)+1, b.in.Len)-fault.Begin)
	kind := model.KindOf(fault)
	if kind == model.Unread {
		return model.AsProblem(fault.Err, ascii.RuleRead, at)
	}
	return model.Problemf(kind, ruleLZ4, at, "sequence %d of the LZ4 block: %s; %s before it can be trusted",
		fault.Sequence, fault.Reason, model.GroupedCount(fault.Out, "byte"))
}

// inflations returns the number of LZ4 blocks, one inside the other, that a source was made of.
func inflations(s *model.Source) int {
	n := 0
	for ; s.Origin() != nil; s = s.Origin().Parent {
		if s.Origin().Codec == "LZ4" {
			n++
		}
	}
	return n
}

// inflating returns a reader of the output of an LZ4 block. Reads of the beginning of a large one do not wait for the rest.
func inflating(in model.Span, size int64) model.Reader {
	all := source.Cached(size, func(ctx context.Context, w io.Writer) error {
		return source.CopyLZ4(ctx, w, in, size, -1)
	})
	if size <= eagerBlock {
		return all
	}
	head := int64(eagerBlock / 2)
	return &prefixedReader{CachedReader: all, size: head, head: source.Cached(head, func(ctx context.Context, w io.Writer) error {
		// Literals grow by less than a hundredth, so this many bytes give the head, and more.
		err := source.CopyLZ4(ctx, w, in.Source.Span(in.Off, min(in.Len, head+head/100)), -1, -1)
		if fault := (*source.Fault)(nil); errors.Is(err, io.ErrShortWrite) || errors.As(err, &fault) {
			return nil // the head is full, or the block is cut where its beginning ends
		}
		return err
	})}
}

// prefixedReader is a reader whose first bytes are read from another one.
type prefixedReader struct {
	*source.CachedReader
	head *source.CachedReader
	size int64
}

var _ model.Reader = (*prefixedReader)(nil)

// ReadAt reads from the head if that has all the bytes.
func (h *prefixedReader) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= 0 && off+int64(len(p)) <= h.size {
		if n, err := h.head.ReadAt(ctx, p, off); n == len(p) {
			return n, nil
		} else if err == nil {
			return n, io.ErrUnexpectedEOF
		}
	}
	return h.CachedReader.ReadAt(ctx, p, off)
}
