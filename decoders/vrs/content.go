package vrs

import (
	"context"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
	"cutaway/model"
)

// Chapters 7.1 and 7.7: what the payload of a record holds.

// content is the payload of one record, taken apart.
type content struct {
	r        *recording
	t        *table
	record   int64
	hdr      container.Header
	stream   *stream
	format   *recordFormat // nil: there is none
	src      *model.Source // of the payload
	off, end int64         // of the payload in src
	inflated *container.InflatedPayload
	blocks   []blockContent
	rest     int64 // where what is not decoded begins; end: nowhere
	undone   string
	problems []model.Problem // about the rest
	unread   bool            // its header, or its bytes, by a disk or server
}

// blockContent is one content block with its bytes.
type blockContent struct {
	b        *block
	off, end int64
	data     *layout.Data     // of a data layout block
	image    *media.ImageSpec // of an image block, as far as it is known
	audio    *media.AudioSpec // of an audio block
	problems []model.Problem
}

// LacksBytes makes Once ask again.
func (c *content) LacksBytes() bool {
	return c.unread || c.inflated != nil && c.inflated.Fault != nil && c.inflated.Fault.Kind == model.Unread
}

// content takes a record apart. The error is that of ctx.
func (r *recording) content(ctx context.Context, t *table, i int64) (*content, error) {
	kept := r.contents.Of(i, func() *model.Once[content] { return &model.Once[content]{} })
	return kept.Get(ctx, nil, func(ctx context.Context, _ model.Progress) (*content, error) {
		return r.takeApart(ctx, t, i)
	})
}

func (r *recording) takeApart(ctx context.Context, t *table, i int64) (*content, error) {
	c := &content{r: r, t: t, record: i, stream: t.streamOf(i)}
	h, err := r.HeaderAt(ctx, t.Off[i])
	if err != nil {
		c.src, c.undone, c.unread = r.Src, err.Error(), model.KindOf(err) == model.Unread
		return c, nil
	}
	c.hdr = h
	c.src, c.off, c.end = r.Src, min(h.Off+r.Head.RecordHeaderSize, t.End(i)), t.End(i)
	if r.Compressed(&h, c.end-c.off) {
		c.inflated, err = r.Inflate(ctx, i, &h, c.src.Span(c.off, c.end-c.off))
		if err != nil {
			return nil, err
		}
		c.src, c.off, c.end = c.inflated.Src, 0, c.inflated.Src.Size()
	}
	c.rest = c.off
	if h.Kind() == container.TagsRecord {
		c.format = tagsFormat()
	} else {
		c.format = c.stream.format(h.Kind(), h.Version())
	}
	if c.off == c.end {
		c.noBytes()
		return c, nil
	}
	if c.format == nil {
		c.undone = "no record format describes these bytes"
		if s := c.stream; s != nil && (len(s.allFormats()) > 0 || !s.described && r.Desc != nil && len(r.Desc.Streams) > 0) {
			c.fail(model.Malformed, ruleNoFormat, "no record format describes these bytes, though there are some for other records")
		}
		return c, nil
	}
	return c, r.decodeBlocks(ctx, t, c)
}

// takesRest reports whether the payload ends where the record does: it is not compressed, and its last block has no size
// of its own.
func (c *content) takesRest() bool {
	switch {
	case c.inflated != nil:
		return false
	case c.format == nil || len(c.blocks) < len(c.format.blocks) || len(c.blocks) == 0:
		return true
	}
	last := &c.blocks[len(c.blocks)-1]
	return last.data == nil && last.b.static() == container.Unset && (last.image == nil || last.image.Format != media.RawImage || !last.image.Sized())
}

// noBytes holds an empty payload against its format: it is sound if its format needs no bytes.
func (c *content) noBytes() {
	if c.format == nil || c.inflated != nil && c.inflated.Fault != nil {
		return
	}
	for k := range c.format.blocks {
		b := &c.format.blocks[k]
		if b.static() > 0 || b.layout != nil && b.layout.Fixed+b.layout.Index() > 0 {
			c.fail(model.Malformed, rulePayloadShort, "the payload is empty, but the record format %q needs bytes", c.format.text.Value)
			return
		}
	}
}

// fail says what is wrong with the rest of the payload.
func (c *content) fail(kind model.Kind, rule, format string, args ...any) {
	p := model.Problemf(kind, rule, c.src.Span(c.rest, c.end-c.rest), format, args...)
	if c.inflated != nil && c.inflated.Fault != nil {
		p.Because = c.r.Src.Span(c.hdr.Off, c.t.End(c.record)-c.hdr.Off)
	}
	c.problems = append(c.problems, p)
	c.undone = p.Message
}

// decodeBlocks locates the blocks one after another until the size of one is not known.
func (r *recording) decodeBlocks(ctx context.Context, t *table, c *content) error {
	s := &blockSizer{r: r, t: t, c: c, ctx: ctx}
	for k := range c.format.blocks {
		size, ok := s.size(k)
		if s.err != nil {
			return s.err
		}
		if !ok {
			return nil
		}
		if left := c.end - c.rest; size > left {
			c.fail(model.Malformed, rulePayloadShort, "the %s block needs %s, but %s left of the payload",
				c.format.blocks[k].typ, model.GroupedCount(size, "byte"), model.GroupedCount(left, "byte"))
			return nil
		}
		s.now.off, s.now.end = c.rest, c.rest+size
		c.blocks = append(c.blocks, s.now)
		c.rest += size
		if d := s.now.data; d != nil && d.Cut {
			return nil // its entries have the problem
		}
	}
	if c.rest < c.end {
		c.fail(model.Suspicious, ruleTrailing, "%s after the last block", model.GroupedCount(c.end-c.rest, "byte"))
	}
	return nil
}

// blockSizer finds the sizes of the blocks of one record.
type blockSizer struct {
	r      *recording
	t      *table
	c      *content
	ctx    context.Context
	err    error
	now    blockContent // the block whose size is looked for
	config *content     // the latest configuration record, once it was looked for
	looked bool
	newer  bool // there are configuration records, but all are newer
}

func (s *blockSizer) left() int64 { return s.c.end - s.c.rest }

// unknown ends the decoding of the record: nothing says what size the block has.
func (s *blockSizer) unknown(why string) (int64, bool) {
	if s.newer {
		why += "; the stream's configuration records are newer than the record"
	}
	s.c.fail(model.Malformed, ruleBlockSize, "the %s block cannot be located: %s", s.now.b.typ, why)
	return 0, false
}

// announced returns the announced or remaining size of block k, or unset if it is not known.
func (s *blockSizer) announced(k int) int64 {
	blocks := s.c.format.blocks
	if before := s.before(k); before != nil {
		if n, ok := before.Number(s.ctx, "uint32_t", "next_content_block_size"); ok {
			return n
		}
	}
	if n := blocks[k].static(); n != container.Unset {
		if n > s.left() {
			return container.Unset
		}
		return n
	}
	sum := int64(0)
	for i := range blocks[k+1:] {
		n := blocks[k+1+i].static()
		if n == container.Unset {
			return container.Unset
		}
		sum = min(sum+n, layout.TooLarge)
	}
	if sum > s.left() {
		return container.Unset
	}
	return s.left() - sum
}

// before is the data of the block right before k, if it is a data layout.
func (s *blockSizer) before(k int) *layout.Data {
	if k == 0 || len(s.c.blocks) < k {
		return nil
	}
	return s.c.blocks[k-1].data
}

// size finds the size of block k.
func (s *blockSizer) size(k int) (int64, bool) {
	b := &s.c.format.blocks[k]
	s.now = blockContent{b: b}
	switch b.typ {
	case emptyBlock:
		return 0, true
	case layoutBlock:
		return s.layoutBlockSize(b)
	case imageBlock:
		return s.imageBlockSize(k, b)
	case audioBlock:
		return s.audioBlockSize(k, b)
	}
	if b.size != container.Unset {
		return b.size, true
	}
	return s.announcedOr(k)
}

// announcedOr is the announced size of block k, or its end.
func (s *blockSizer) announcedOr(k int) (int64, bool) {
	n := s.announced(k)
	if n == container.Unset {
		return s.unknown("neither the format nor a field gives its size")
	}
	return n, true
}

func (s *blockSizer) layoutBlockSize(b *block) (int64, bool) {
	if b.layout == nil {
		if b.size == container.Unset {
			return s.unknown("the stream has no data layout for it")
		}
		return b.size, true
	}
	d, problem := layout.Read(s.ctx, b.layout, s.c.src, s.c.rest, s.left())
	if problem != nil && b.layout.Broken != "" && b.size != container.Unset && b.size <= s.left() {
		problem.Span.Len = b.size
		s.now.problems = append(s.now.problems, *problem) // its size is known
		return b.size, true
	}
	if problem != nil {
		s.c.problems = append(s.c.problems, *problem)
		s.c.undone = problem.Message
		return 0, false
	}
	s.now.data = d
	size := d.End - d.Off
	if b.size != container.Unset && len(b.layout.Variable) > 0 && size != b.size {
		s.problem(model.Suspicious, ruleSize, b.size, size, "the record format gives the data layout another size, which does not count")
	}
	return size, true
}

// problem adds a problem about the block whose size is looked for.
func (s *blockSizer) problem(kind model.Kind, rule string, expected, found any, message string) {
	at := s.c.src.Span(s.c.rest, s.left())
	s.now.problems = append(s.now.problems, model.Problemf(kind, rule, at, "%s", message).Want(expected, found))
}

// configuration is the content of the stream's latest configuration record that is not newer than the record; nil
// where there is none.
func (s *blockSizer) configuration() *content {
	if s.looked || s.c.hdr.Kind() == container.ConfigurationRecord {
		return s.config
	}
	s.looked = true
	i, newer := s.t.ConfigurationFor(s.c.record)
	if s.newer = newer; i < 0 {
		return nil
	}
	s.config, s.err = s.r.content(s.ctx, s.t, i)
	return s.config
}
