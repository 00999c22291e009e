package vrs

import (
	"context"
	"fmt"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// Chapter 4: the description record.

// tag is one pair of texts, with where they are.
type tag struct {
	name, value string
	src         *model.Source
	off, end    int64 // of both with their lengths
	valueOff    int64 // of the value's text
	cut         int64 // bytes of a value whose beginning alone is taken, or 0
}

// maxTag returns the number of bytes that are taken of a tag's text.
func maxTag() int64 { return max(source.CacheLimit()/64, 64<<10) }

// limit is the problem of a tag that is not taken whole.
func (t *tag) limit() model.Problem {
	return model.Problemf(model.Limit, ruleTagLimit, t.src.Span(t.off, t.end-t.off),
		"only the beginning of the tag %s is taken, which is as much as memory allows; --max-memory raises it", model.ShowHeld(model.Text(t.name), 60)).
		Want(fmt.Sprintf("at most %s", model.GroupedCount(maxTag(), "byte")), model.GroupedCount(t.cut, "byte"))
}

// requireWhole fails with the first tag that is not taken whole.
func (l tagList) requireWhole() error {
	for i := range l {
		if l[i].cut > 0 {
			return l[i].limit()
		}
	}
	return nil
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

// readStreamID reads the id that a record begins with.
func readStreamID(ctx context.Context, o *grammar.Object) streamID {
	typ, _ := o.Value(ctx, o.Record().Field("typeId"))
	stored, _ := typ.Int()
	return streamID{typeIDOf(int32(stored)), uint16(o.Uint(ctx, o.Record().Field("instanceId")))}
}

func showDescribedStream(s grammar.Scope, v grammar.Value, n *model.Node) {
	if o := v.Object(); o != nil && o.OK() {
		id := readStreamID(s.Reading().Context(), o)
		n.Value = model.Text(id.String())
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "stream", Path: streamPath(id), Text: id.String()}}
		}
	}
}

// A description holds the tags of the description record.
type description struct {
	hdr      header
	end      int64 // of the record, at most that of the source
	record   *grammar.Object
	streams  []streamTags
	file     tagList
	problems []model.Problem
}

// readDescription reads the description record; nil where there is none.
func (f *file) readDescription(ctx context.Context) *description {
	off := f.head.description
	if off < f.head.headerSize {
		return nil
	}
	h, err := f.headerAt(ctx, off)
	if err != nil || !h.isDescription() || int64(h.size()) < f.head.recordHeaderSize {
		return nil
	}
	d := &description{hdr: h, end: min(h.end(), f.src.Size())}
	session := f.plan.Session()
	session.Tile = true
	if h.end() <= f.src.Size() {
		session.Truncated = ruleDescription // counts and lengths are wrong, not the end of the file
	}
	rec := f.plan.Record("description record")
	d.record = rec.Read(grammar.NewReading(ctx, grammar.Near), session, streamOver(f.src.Span(off, d.end-off)), off)
	field := rec.Field
	if list := d.record.List(ctx, field("streams")); list != nil {
		for i := range list.Known() {
			if o := list.Object(ctx, i); o != nil && o.OK() {
				d.addStream(ctx, o)
			}
		}
	}
	if tags := d.record.Inner(ctx, field("fileTags")); tags != nil && tags.OK() {
		if h.version() == 1 {
			d.file = d.json(ctx, tags, "the file tags").all
		} else {
			d.file = readTags(ctx, tags, "name")
		}
	}
	return d
}

func (d *description) addStream(ctx context.Context, o *grammar.Object) {
	s := streamTags{id: readStreamID(ctx, o), off: o.Start(), end: o.End()}
	field := o.Record().Field
	if d.hdr.version() == 1 {
		tags := d.json(ctx, o.Inner(ctx, field("tags")), "stream "+s.id.String())
		s.user, s.vrs = tags.user, tags.vrs
	} else {
		s.user = readTags(ctx, o.Inner(ctx, field("userTags")), "name")
		s.vrs = readTags(ctx, o.Inner(ctx, field("vrsTags")), "name")
	}
	d.streams = append(d.streams, s)
}

// readTags reads the tags of a map, which are its last field. name is the field with the name of a tag.
func readTags(ctx context.Context, o *grammar.Object, name string) (tags tagList) {
	fields := o.Record().Fields
	list := o.List(ctx, fields[len(fields)-1])
	if list == nil {
		return nil
	}
	n, _ := list.Len(o.Scope(grammar.NewReading(ctx, grammar.Near)))
	for i := range n {
		if t, ok := readPair(ctx, list.Object(ctx, i), name); ok {
			tags = append(tags, t)
		}
	}
	return tags
}

// readPair reads two texts as a tag. It returns false if they are not whole.
func readPair(ctx context.Context, o *grammar.Object, name string) (t tag, ok bool) {
	if o == nil || !o.OK() {
		return tag{}, false
	}
	t = tag{src: o.Stream().Source, off: o.Start(), end: o.End()}
	t.name, _, _ = readText(ctx, o, name)
	t.value, t.valueOff, t.cut = readText(ctx, o, "value")
	return t, true
}

// readText returns the text of a field and the offset of its first byte. Of a long text it returns the beginning, and in cut the
// number of its bytes.
func readText(ctx context.Context, o *grammar.Object, field string) (text string, off, cut int64) {
	at := o.SpanOf(ctx, o.Record().Field(field))
	n := min(at.Len, maxTag())
	b, err := at.Source.Bytes(ctx, at.Off, n)
	if err != nil {
		return "", at.End(), 0
	}
	if n < at.Len {
		cut = at.Len
	}
	return string(b), at.Off, cut
}

// jsonTags holds the tags in the JSON of version 1.
type jsonTags struct {
	user, vrs tagList // of a stream
	all       tagList // of the file
}

// json reads the JSON of a stream or of the file.
func (d *description) json(ctx context.Context, o *grammar.Object, of string) (tags jsonTags) {
	text, at, cut := readText(ctx, o, "json")
	src := o.Stream().Source
	if cut > 0 {
		d.problems = append(d.problems, model.Problemf(model.Limit, ruleTagLimit, src.Span(at, cut),
			"the text of %s is longer than memory allows, which --max-memory raises", of))
		return tags
	}
	j, err := parseJSON(text)
	if err != nil {
		d.problems = append(d.problems, err.problem(ruleJSON, src.Span(at+err.at, 0), "the text of "+of))
	}
	if name := j.get("name"); name.kind == jsonText {
		tags.vrs = tagList{name.tag(originalName, src, at)}
	}
	tags.user, tags.all = j.get("tags").textMembers(src, at), j.textMembers(src, at)
	return tags
}

func (d *description) findProblems(ctx context.Context, f *file) {
	h := &d.hdr
	add := func(p model.Problem) { d.problems = append(d.problems, p) }
	if h.version() != 1 && h.version() != 2 {
		add(model.Problemf(model.Malformed, ruleDescription, f.span(h.off, fieldFormatVersion), "the description has an unknown version; it is read as version 2").
			Want("1 or 2", h.version()))
	}
	leftover := d.record.SpanOf(ctx, d.record.Record().Field("leftover"))
	switch size := d.end - h.off; {
	case h.end() > f.src.Size():
		add(model.Problemf(model.Truncated, ruleTruncated, f.src.Span(h.off, size), "the description is cut off").
			Want(model.GroupedCount(int64(h.size()), "byte"), model.GroupedCount(size, "byte")))
	case !d.record.OK():
		add(model.Problemf(model.Malformed, ruleDescription, f.src.Span(d.record.End(), 0),
			"a count or a length in the description does not fit into its bytes"))
	case leftover.Len > 0:
		add(model.Problemf(model.Suspicious, ruleLeftover, leftover, "bytes are left over after the file tags"))
	}
	if h.previous() != 0 {
		add(model.Problemf(f.chainMatters(), rulePrevious, f.span(h.off, fieldPreviousRecordSize), "before the description is no record, but previousRecordSize is not 0").
			Want(0, h.previous()))
	}
	if h.compression() != storedPayload {
		add(model.Problemf(model.Suspicious, ruleCompression, f.span(h.off, fieldCompressionType), "descriptions are never compressed").Want(0, h.compression()))
	}
}

func (f *file) descriptionNode(ctx context.Context) model.Node {
	n := f.desc.record.Node(ctx, "description")
	n.Help, n.Brief, n.Problems = "stream tags and file tags", model.GroupedCount(int64(len(f.desc.streams)), "stream"), f.desc.problems
	return n
}

// asMap is the tags by name.
func (l tagList) asMap() map[string]string {
	m := map[string]string{}
	for _, t := range l {
		m[t.name] = t.value
	}
	return m
}
