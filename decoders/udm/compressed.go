package udm

import (
	"context"
	"errors"
	"fmt"
	"io"

	"cutaway/decoders/read"
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

// block is an LZ4 block (chapter 6) and what it must give.
type block struct {
	d     *udm
	at    *where // the layout node that has the inflated source
	title string
	in    model.Span
	want  int64 // bytes
	many  bool  // it holds many items, which must be found
	// root makes the children of the root of the inflated source's layout.
	root func(ctx context.Context, c *read.Cursor) error
}

// readLZ4 reads a compressed blob (5.4).
func (v *bin) readLZ4(c *read.Cursor, k *content) {
	in := clamp(c.U64("compressedSize", "bytes of the LZ4 block"))
	want := c.U64("uncompressedSize", "bytes that the block gives")
	if c.Ok() && in <= c.Remaining() {
		plausible(c, c.Field(), want, in)
	}
	v.readBlock(c, k, in, want, readBytes)
}

// readBytes makes the layout of an inflated blob.
func readBytes(_ context.Context, c *read.Cursor) error {
	c.Rest("bytes", model.Explained, "any bytes")
	return nil
}

// readArrayLZ4 reads a compressed array (5.8).
func (v *bin) readArrayLZ4(ctx context.Context, c *read.Cursor, k *content) {
	in := clamp(c.U64("compressedSize", "bytes of the LZ4 block at the end"))
	k.item = readItemType(c)
	if !c.Ok() || !k.item.known() {
		return
	}
	if !c.Check(k.item.inCompressedArray(), ruleLZ4Type, "a fixed-size type, struct, element or string", typeText(k.item),
		"a compressed array cannot hold items of this type") {
		k.item = tUnknown
		return
	}
	var want uint64
	size := -1 // the field that says what the block gives
	switch k.item {
	case tStruct:
		k.shape = readSizedShape(ctx, c)
	case tElement, tString:
		want = c.U64("uncompressedSize", "bytes that the block gives")
		size = len(c.Nodes()) - 1
	}
	count := c.U32("count", "how many items")
	k.count = int64(count)
	if !c.Ok() {
		return
	}
	if size < 0 {
		size = len(c.Nodes()) - 1
		want = uint64(mul(uint64(count), strideOf(k.item, k.shape)))
	}
	if in <= c.Remaining() {
		plausible(c, &c.Nodes()[size], want, in)
	}
	v.readBlock(c, k, in, want, v.itemsRoot(k))
}

// strideOf is the bytes of a packed item.
func strideOf(t typeID, s *shape) int64 {
	switch {
	case s != nil:
		return s.stride
	case t.fixed():
		return t.size()
	}
	return 0
}

// plausible checks what an LZ4 block of in bytes is to give, and puts a problem on the field that says so.
func plausible(c *read.Cursor, f *model.Node, want uint64, in int64) {
	if !c.Ok() {
		return
	}
	if limit := source.MaxLZ4Output(in); want > uint64(limit) || in == 0 && want > 0 {
		f.Problems = append(f.Problems, model.Problemf(model.Malformed, ruleLZ4Size, f.Span(),
			"%d bytes are to come out of an LZ4 block of %d, which cannot give so many", want, in).
			Want(fmt.Sprintf("at most %d", 255*in), want))
	}
}

// readBlock reads an LZ4 block of in bytes.
func (v *bin) readBlock(c *read.Cursor, k *content, in int64, want uint64, root func(context.Context, *read.Cursor) error) {
	at := c.Source().Span(c.Off(), 0)
	if in > 0 {
		if at = c.Skip(dataName, in, model.Explained, "one raw LZ4 block: no frame, no checksum"); at.Source == nil {
			f := lastField(c) // what is there may give a part
			if f == nil {
				return
			}
			at = f.Span()
		}
		f := lastField(c)
		f.Type, f.Brief = "LZ4 block", fmt.Sprintf("gives %d bytes", want)
		f.Value = model.Blob{Span: at}
	}
	k.block = &block{d: v.d, at: v.at.at(dataName), title: v.at.name, in: at, want: clamp(want), root: root, many: k.many()}
	if in > 0 {
		f := lastField(c)
		if want == 0 {
			f.Problems = append(f.Problems, model.Problemf(model.Suspicious, ruleLZ4Size, at,
				"an LZ4 block of %d bytes stands where nothing is to come out", in).Want("0 bytes", fmt.Sprintf("%d bytes", in)))
			return
		}
		f.Derived = []*model.Derivation{k.block.derivation()}
	}
}

// many tells whether a compressed array has many items that must be found.
func (k *content) many() bool {
	return (k.item == tElement || k.item == tString) && k.count > heavyCount
}

// lastField is the last field of c, also after it was cut off.
func lastField(c *read.Cursor) *model.Node {
	nodes := c.Nodes()
	if len(nodes) == 0 {
		return nil
	}
	return &nodes[len(nodes)-1]
}

// itemsRoot returns what makes the layout of a compressed array's items.
func (v *bin) itemsRoot(k *content) func(ctx context.Context, c *read.Cursor) error {
	item, count, s := k.item, k.count, k.shape
	return func(ctx context.Context, c *read.Cursor) error {
		in := v.inside(c.Source(), tArray)
		_, _, err := in.readInflated(ctx, c, item, count, s, nil)
		return err
	}
}

// inside is a value of the inflated source of this one's block.
func (v *bin) inside(src *model.Source, t typeID) *bin {
	return &bin{d: v.d, src: src, typ: t, end: src.Size(), at: &where{name: src.LayoutPath()}, depth: v.depth}
}

// readInflated reads the content of a compressed array: packed values, or a count and items.
func (v *bin) readInflated(ctx context.Context, c *read.Cursor, item typeID, count int64, s *shape, progress model.Progress) (*packed, *items, error) {
	var p *packed
	var x *items
	var err error
	switch {
	case item.fixed():
		p = readPacked(ctx, c, uint64(count), item, nil, v.at)
	case s != nil:
		p = readPacked(ctx, c, uint64(count), tStruct, s, v.at)
	case item == tElement || item == tString:
		inner := int64(c.U32("count", "how many items, again"))
		c.Expect(inner == count, ruleLZ4Count, count, inner, "a compressed array counts its items twice, and differently")
		if c.Ok() {
			x, err = v.readItems(ctx, c, item, inner, progress)
		}
		if x != nil && (x.broken || x.short) && item == tString {
			f := c.Field()
			f.Problems = append(f.Problems, model.Problemf(model.Assumed, ruleLZ4CutShort, f.Span(),
				"the engine cuts compressed arrays that hold strings of 255 bytes and more short when it writes them"))
		}
	}
	if at := v.src.Span(c.Off(), c.Remaining()); err == nil && c.Ok() && at.Len > 0 && !x.cut() {
		c.Rest("rest", model.Unknown, "bytes behind the last item")
		c.Problem(model.Problemf(model.Suspicious, ruleLZ4Gap, at,
			"the block gives more than the items take").Want("none", model.Counted(at.Len, "byte")))
	}
	return p, x, err
}

// derivation offers the inflated source on the block's node.
func (b *block) derivation() *model.Derivation {
	return &model.Derivation{Name: inflatedName, Title: b.title, Codec: "LZ4", Open: func(ctx context.Context) (*model.Source, model.Node, error) {
		src, problems, err := b.inflate(ctx)
		if err != nil {
			return nil, model.Node{}, err
		}
		n := model.Node{Name: inflatedName, Type: "bytes", Spans: []model.Span{src.Whole()}, Problems: problems, Help: "what the LZ4 block gives"}
		fields := func(ctx context.Context, _ model.Progress) ([]model.Node, error) {
			c := read.New(ctx, src, 0, src.Size(), ruleTruncated)
			err := b.root(ctx, c)
			c.Rest("rest", model.Unknown, "bytes that no rule explains")
			return c.Nodes(), err
		}
		if b.many {
			n.Children = b.d.heavyRoot(src).layout(fields)
			return src, n, nil
		}
		nodes, err := fields(ctx, nil)
		if len(nodes) > 0 {
			n.Children = model.NewList(nodes...)
		}
		return src, n, err
	}}
}

// inflate makes the source of what the block gives: of a broken one, of the good part. A large block is not looked
// through first; where it is broken, reading behind the good part fails.
func (b *block) inflate(ctx context.Context) (*model.Source, []model.Problem, error) {
	return b.d.derived.Get(b.at.String(), inflatedName, func() (*model.Source, []model.Problem, error) {
		size, problem, err := b.measure(ctx)
		if err != nil {
			return nil, nil, err
		}
		src := model.Derive(b.at.String(), inflatedName, b.title, inflating(b.in, size), model.Origin{
			Parent: b.in.Source, Spans: []model.Span{b.in}, Codec: "LZ4",
			Map: source.NewLZ4Mapping([]source.LZ4Block{{In: b.in, OutLen: size}}),
		})
		if problem == nil {
			return src, nil, nil
		}
		return src, []model.Problem{*problem}, nil
	})
}

// measure finds how much of what is claimed the block gives.
func (b *block) measure(ctx context.Context) (int64, *model.Problem, error) {
	fail := func(rule, format string, args ...any) (int64, *model.Problem, error) {
		p := model.Problemf(model.Malformed, rule, b.in, format, args...)
		return 0, nil, p
	}
	switch {
	case b.want > maxBlock:
		return fail(ruleBlockLimit, "an LZ4 block claims to give %d bytes; Cutaway's limit for one is %d", b.want, int64(maxBlock))
	case inflations(b.in.Source) >= maxInflates:
		return fail(ruleBlockLimit, "LZ4 blocks stand inside one another more than %d deep, which is as far as Cutaway follows", maxInflates)
	case b.in.Source.Origin() != nil && b.want > source.MaxLZ4Output(b.in.Source.Root().Size()):
		return fail(ruleBlockLimit, "an LZ4 block inside another claims to give %d bytes, more than the whole file could", b.want)
	case b.unmeasured():
		return b.want, nil, nil
	}
	return b.walk(ctx)
}

// unmeasured tells whether the block is so large that its inflated source is made on the word of its size. Check goes
// over it.
func (b *block) unmeasured() bool {
	return b.want > eagerBlock && b.want <= maxBlock && b.want <= source.MaxLZ4Output(b.in.Len)
}

// walk goes over the block and finds how much it gives.
func (b *block) walk(ctx context.Context) (int64, *model.Problem, error) {
	in, err := b.in.Source.Bytes(ctx, b.in.Off, b.in.Len)
	if err != nil {
		p := model.AsProblem(err, ruleRead, b.in)
		return 0, &p, nil
	}
	size, sequence := int64(0), int64(0)
	fault := source.WalkLZ4(ctx, in, b.want, func(s source.Sequence) bool {
		size, sequence = s.OutEnd(), s.End
		return ctx.Err() == nil
	})
	if err := ctx.Err(); err != nil {
		return 0, nil, err
	}
	if fault != nil {
		p := b.problem(sequence, fault)
		return fault.Out, &p, nil
	}
	if size < b.want {
		p := b.tooShort(size)
		return size, &p, nil
	}
	return size, nil, nil
}

func (b *block) tooShort(size int64) model.Problem {
	return model.Problemf(model.Malformed, ruleLZ4, b.in, "the LZ4 block gives less than is claimed").
		Want(fmt.Sprintf("%d bytes", b.want), fmt.Sprintf("%d bytes", size))
}

// problem tells a fault of the sequence that begins at an offset in the block.
func (b *block) problem(sequence int64, fault *source.Fault) model.Problem {
	at := b.in.Source.Span(b.in.Off+sequence, min(max(fault.In+1, sequence+1), b.in.Len)-sequence)
	kind := model.Malformed
	if fault.Err != nil {
		kind = model.Truncated
	}
	return model.Problemf(kind, ruleLZ4, at, "sequence %d of the LZ4 block: %s; %d bytes before it are good",
		fault.Sequence, fault.Reason, fault.Out)
}

// inflations is how many LZ4 blocks a source was made of, one inside the other.
func inflations(s *model.Source) int {
	n := 0
	for ; s.Origin() != nil; s = s.Origin().Parent {
		if s.Origin().Codec == "LZ4" {
			n++
		}
	}
	return n
}

// inflating is a reader of what an LZ4 block gives. Of a large one, reads of the beginning do not wait for all of it.
func inflating(in model.Span, size int64) model.Reader {
	all := source.Cached(size, func(ctx context.Context, w io.Writer) error {
		b, err := in.Source.Bytes(ctx, in.Off, in.Len)
		if err != nil {
			return err
		}
		return source.CopyLZ4(ctx, w, b, size)
	})
	if size <= eagerBlock {
		return all
	}
	head := int64(eagerBlock / 2)
	return &headed{CachedReader: all, size: head, head: source.Cached(head, func(ctx context.Context, w io.Writer) error {
		// Literals grow by less than a hundredth, so this many bytes give the head, and more.
		b, err := in.Source.Bytes(ctx, in.Off, min(in.Len, head+head/100))
		if err != nil {
			return err
		}
		err = source.CopyLZ4(ctx, w, b, -1)
		if fault := (*source.Fault)(nil); errors.Is(err, io.ErrShortWrite) || errors.As(err, &fault) {
			return nil // the head is full, or the block is cut where its beginning ends
		}
		return err
	})}
}

// headed is a reader whose first bytes are read from another one.
type headed struct {
	*source.CachedReader
	head *source.CachedReader
	size int64
}

// ReadAt implements model.Reader.
func (h *headed) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if off >= 0 && off+int64(len(p)) <= h.size {
		if n, err := h.head.ReadAt(ctx, p, off); n == len(p) {
			return n, nil
		} else if err == nil {
			return n, io.ErrUnexpectedEOF
		}
	}
	return h.CachedReader.ReadAt(ctx, p, off)
}
