package vrs

import (
	"context"
	"encoding/binary"
	"fmt"

	"cutaway/decoders/read"
	"cutaway/model"
)

// Chapter 4: the description record.

// tag is one pair of texts, with where they stand.
type tag struct {
	name, value string
	src         *model.Source
	off, end    int64 // of both with their lengths
	valueOff    int64 // of the value's text
}

// tagList is a map of tags in the order of the file. Of equal names the last wins.
type tagList []tag

func (l tagList) get(name string) (tag, bool) {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].name == name {
			return l[i], true
		}
	}
	return tag{}, false
}

// streamTags are the tags of one stream.
type streamTags struct {
	id        streamID
	off, end  int64 // of all of the stream's bytes in the description
	user, vrs tagList
}

// description is what the description record says.
type description struct {
	hdr      recordHeader
	end      int64 // of the record, at most that of the source
	streams  []streamTags
	file     tagList
	counted  uint32 // streams that the record claims
	tagsAt   int64  // of the file tags
	contents int64  // end of what was understood
	problems []model.Problem
}

// Least sizes in bytes of parts of a description.
const (
	leastMapEntry = 8  // two empty strings
	leastStream2  = 14 // an id and two empty maps
	leastStream1  = 10 // an id and an empty text
)

// readDescription reads the description record; nil where there is none.
func (r *recording) readDescription(ctx context.Context) *description {
	off := r.head.description
	if off < r.head.headerSize {
		return nil
	}
	h, err := r.headerAt(ctx, off)
	if err != nil || !h.id.isDescription() || h.unusable(r.head.recordHeaderSize) != "" {
		return nil
	}
	d := &description{hdr: h, end: min(h.end(), r.src.Size())}
	at := off + r.head.recordHeaderSize
	b, err := r.src.Bytes(ctx, at, d.end-at)
	if err != nil {
		d.contents, d.tagsAt = at, at
		d.problems = append(d.problems, model.AsProblem(err, ruleDescription, r.src.Span(off, d.end-off)))
		return d
	}
	p := &texts{src: r.src, b: b, base: at}
	if d.counted = p.u32(); d.hdr.version == 1 {
		d.read1(p)
	} else {
		d.read2(p)
	}
	d.contents = at + int64(p.pos)
	d.findProblems(r, p)
	return d
}

func (d *description) read2(p *texts) {
	for i := uint32(0); i < d.counted && p.fits(1, leastStream2); i++ {
		s := streamTags{off: p.at()}
		s.id = p.streamID()
		s.user = p.tags()
		s.vrs = p.tags()
		if p.bad != "" {
			return
		}
		s.end = p.at()
		d.streams = append(d.streams, s)
	}
	p.short(uint32(len(d.streams)) < d.counted, "streams")
	d.tagsAt = p.at()
	d.file = p.tags()
}

// read1 reads the legacy form, whose tags are JSON.
func (d *description) read1(p *texts) {
	for i := uint32(0); i < d.counted && p.fits(1, leastStream1); i++ {
		s := streamTags{off: p.at()}
		s.id = p.streamID()
		text, at := p.str()
		if p.bad != "" {
			return
		}
		s.end = p.at()
		j, err := parseJSON(text)
		if err != nil {
			d.problems = append(d.problems, model.Problemf(model.Malformed, ruleJSON, p.src.Span(at+err.at, 0),
				"the text of stream %s is not JSON: %s", s.id, err.reason))
		}
		if name, ok := j.member("name"); ok && name.kind == jsonText {
			s.vrs = tagList{name.tag(originalName, p.src, at)}
		}
		tags, _ := j.member("tags")
		s.user = tags.textMembers(p.src, at)
		d.streams = append(d.streams, s)
	}
	p.short(uint32(len(d.streams)) < d.counted, "streams")
	d.tagsAt = p.at()
	text, at := p.str()
	if p.bad != "" {
		return
	}
	j, err := parseJSON(text)
	if err != nil {
		d.problems = append(d.problems, model.Problemf(model.Malformed, ruleJSON, p.src.Span(at+err.at, 0),
			"the text of the file tags is not JSON: %s", err.reason))
	}
	d.file = j.textMembers(p.src, at)
}

func (d *description) findProblems(r *recording, p *texts) {
	h := &d.hdr
	span := r.src.Span(h.off, d.end-h.off)
	if h.version != 1 && h.version != 2 {
		d.problems = append(d.problems, model.Problemf(model.Suspicious, ruleDescription, r.src.Span(h.off+12, 4),
			"the description has an unknown version; it is read as version 2").Want("1 or 2", h.version))
	}
	if h.end() > r.src.Size() {
		d.problems = append(d.problems, model.Problemf(model.Truncated, ruleTruncated, span, "the description is cut off").
			Want(model.GroupedCount(int64(h.size), "byte"), model.GroupedCount(span.Len, "byte")))
	} else if p.bad != "" {
		d.problems = append(d.problems, model.Problemf(model.Malformed, ruleDescription, r.src.Span(p.badAt, 0), "%s", p.bad))
	} else if d.contents < d.end {
		d.problems = append(d.problems, model.Problemf(model.Suspicious, ruleLeftover, r.src.Span(d.contents, d.end-d.contents),
			"bytes are left over behind the file tags"))
	}
	if h.compression != storedPayload {
		d.problems = append(d.problems, model.Problemf(model.Suspicious, ruleCompression, r.src.Span(h.off+27, 1),
			"descriptions are never compressed").Want(0, h.compression))
	}
}

// texts reads counted texts out of bytes. After the first that does not fit it gives nothing more.
type texts struct {
	src   *model.Source
	b     []byte
	base  int64 // of b in src
	pos   int
	bad   string
	badAt int64
}

func (p *texts) at() int64   { return p.base + int64(p.pos) }
func (p *texts) left() int64 { return int64(len(p.b) - p.pos) }

// fits tells whether n things of size bytes or more can follow.
func (p *texts) fits(n uint32, size int64) bool { return p.bad == "" && int64(n) <= p.left()/size }

func (p *texts) fail(format string, args ...any) {
	if p.bad == "" {
		p.bad, p.badAt = fmt.Sprintf(format, args...), p.at()
	}
}

func (p *texts) short(is bool, what string) {
	if is {
		p.fail("more %s are counted than the bytes hold", what)
	}
}

func (p *texts) take(n int64, what string) []byte {
	if p.bad == "" && n > p.left() {
		p.fail("%s of %d bytes does not fit into the %d bytes that are left", what, n, p.left())
	}
	if p.bad != "" {
		return nil
	}
	b := p.b[p.pos : p.pos+int(n)]
	p.pos += int(n)
	return b
}

func (p *texts) u32() uint32 {
	if b := p.take(4, "a number"); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// str reads a text and returns it with the offset of its first byte.
func (p *texts) str() (string, int64) {
	n := p.u32()
	at := p.at()
	return string(p.take(int64(n), "a text")), at
}

func (p *texts) streamID() streamID {
	b := p.take(6, "a stream id")
	if b == nil {
		return streamID{}
	}
	return streamID{typeIDOf(int32(binary.LittleEndian.Uint32(b))), binary.LittleEndian.Uint16(b[4:])}
}

func (p *texts) tags() (list tagList) {
	n := p.u32()
	if p.bad == "" && !p.fits(n, leastMapEntry) {
		p.fail("%d tags do not fit into the %d bytes that are left", n, p.left())
	}
	for i := uint32(0); i < n && p.bad == ""; i++ {
		if t := p.tag(); p.bad == "" {
			list = append(list, t)
		}
	}
	return list
}

func (p *texts) tag() tag {
	t := tag{src: p.src, off: p.at()}
	t.name, _ = p.str()
	t.value, t.valueOff = p.str()
	t.end = p.at()
	return t
}

// The nodes of the description. Streams and their tags are made when looked at.

func (r *recording) descriptionNode(context.Context) model.Node {
	d := r.desc
	n := model.Node{
		Name: "description", Type: "description record", Brief: model.GroupedCount(int64(len(d.streams)), "stream"),
		Spans: []model.Span{r.src.Span(d.hdr.off, d.end-d.hdr.off)}, Problems: d.problems,
		Help: "stream tags and file tags",
	}
	n.Children = model.DeferList(func(ctx context.Context) []model.Node {
		c := read.New(ctx, r.src, d.hdr.off, d.end, ruleTruncated)
		r.headerGroup(c)
		c.U32("streamCount", "streams that follow")
		if len(d.streams) > 0 {
			first, last := d.streams[0].off, d.streams[len(d.streams)-1].end
			c.Add(model.Node{
				Name: "streams", Type: "stream[]", Spans: []model.Span{r.src.Span(first, last-first)},
				Children: &model.Rows{Count: int64(len(d.streams)), Make: func(_ context.Context, i int64) model.Node { return r.describedStream(&d.streams[i], i) }},
			})
		}
		if c.Ok() && c.Off() == d.tagsAt && d.contents > d.tagsAt && (d.hdr.version == 1 || len(d.streams) == int(d.counted)) {
			r.descriptionTags(c, "fileTags")
		}
		if c.Ok() && c.Remaining() > 0 {
			c.Rest("leftover", model.Unknown, "bytes behind the file tags")
		}
		return c.Nodes()
	})
	return n
}

// descriptionTags adds the map of file tags, or in version 1 their JSON.
func (r *recording) descriptionTags(c *read.Cursor, name string) {
	if r.desc.hdr.version == 1 {
		jsonText1(c, name)
		return
	}
	tagMap(c, name)
}

func jsonText1(c *read.Cursor, name string) {
	c.Group(name, "JSON", "", func() {
		n := c.U32("length", "bytes of the text")
		c.Text("json", int64(n), "{\"name\": …, \"tags\": {…}}")
	})
}

func tagMap(c *read.Cursor, name string) {
	c.Group(name, "map", "", func() {
		n := c.U32("count", "tags that follow")
		for i := uint32(0); i < n && c.Ok() && c.Remaining() >= leastMapEntry; i++ {
			c.Group(model.IndexName(int64(i)), "tag", "", func() { tagFields(c) })
		}
	})
}

func tagFields(c *read.Cursor) {
	n := c.U32("nameLength", "bytes of the name")
	c.Text("name", int64(n), "")
	n = c.U32("valueLength", "bytes of the value")
	c.Text("value", int64(n), "")
}

func (r *recording) describedStream(s *streamTags, i int64) model.Node {
	return model.Node{
		Name: model.IndexName(i), Type: "stream", Value: model.Text(s.id.String()), Spans: []model.Span{r.src.Span(s.off, s.end-s.off)},
		Refs: func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "stream", Path: streamPath(s.id), Text: s.id.String()}}
		},
		Children: model.DeferList(func(ctx context.Context) []model.Node {
			c := read.New(ctx, r.src, s.off, s.end, ruleTruncated)
			diskStreamID(c)
			if r.desc.hdr.version == 1 {
				jsonText1(c, "tags")
			} else {
				tagMap(c, "userTags")
				tagMap(c, "vrsTags")
			}
			return c.Nodes()
		}),
	}
}

// diskStreamID reads a stream id as it stands in tables.
func diskStreamID(c *read.Cursor) streamID {
	typ := typeIDOf(c.I32("typeId", "the type of the stream"))
	c.Symbol(typeName(typ))
	return streamID{typ, c.U16("instanceId", "distinguishes streams of the same type")}
}
