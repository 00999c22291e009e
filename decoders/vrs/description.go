package vrs

import (
	"context"
	"errors"

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
	cut         int64 // bytes of a value of which only the beginning is taken; 0: all is
}

// maxTag is how many bytes of a tag's text are taken.
func maxTag() int64 { return max(source.CacheLimit()/64, 64<<10) }

// limit is the problem of a tag that is not taken whole.
func (t *tag) limit() model.Problem {
	return model.Problemf(model.Limit, ruleTagLimit, t.src.Span(t.off, t.end-t.off),
		"only the beginning of the tag %s is taken, which is as much as memory allows; --max-memory raises it", model.ShowHeld(model.Text(t.name), 60)).
		WantAtMost(model.GroupedCount(maxTag(), "byte"), model.GroupedCount(t.cut, "byte"))
}

// whole fails where records are not listed, or with the first tag that counts and is not taken whole.
func (r *recording) whole(t *table, streams []*stream) error {
	if t.short {
		return t.extra[len(t.extra)-1].make().Problems[0]
	}
	if r.desc != nil {
		if err := r.desc.file.whole(); err != nil {
			return err
		}
	}
	for _, s := range streams {
		if err := errors.Join(s.user.whole(), s.vrs.whole()); err != nil {
			return err
		}
	}
	return nil
}

// whole fails with the first tag that is not taken whole.
func (l tagList) whole() error {
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

// A map of tags, and the streams of a description of either version. In version 1 tags are JSON.
var (
	tagRecord    = textPair("tag", "name", "bytes of the name", "bytes of the value")
	tagMap       = grammar.NewRecord("map", grammar.F("count", grammar.U32, "tags that follow"), grammar.F("tags", tagRecord, "").Times(grammar.Ref("count")).Inline())
	tagJSON      = grammar.NewRecord("JSON", countedText("length", "json", "bytes of the text", `{"name": …, "tags": {…}}`)...)
	namedStream  = grammar.NewRecord("stream", append(streamIDFields(), grammar.F("tags", tagJSON, ""))...)
	taggedStream = grammar.NewRecord("stream", append(streamIDFields(), grammar.F("userTags", tagMap, ""), grammar.F("vrsTags", tagMap, ""))...)
)

// countedText is a text and the number of its bytes before it.
func countedText(length, text, lengthHelp, help string) []*grammar.Field {
	return []*grammar.Field{grammar.F(length, grammar.U32, lengthHelp), grammar.F(text, grammar.UTF8, help).Sized(grammar.Ref(length))}
}

// textPair is two texts: what the first is called, and a value.
func textPair(title, first, firstHelp, valueHelp string) *grammar.Record {
	return grammar.NewRecord(title, append(countedText(first+"Length", first, firstHelp, ""), countedText("valueLength", "value", valueHelp, "")...)...)
}

// streamIDFields are a stream's id as it is written in tables.
func streamIDFields() []*grammar.Field {
	return []*grammar.Field{
		grammar.F("typeId", grammar.I32, "the type of the stream").NamedBy(nameType).Numbered().CheckBy(sixteenBits),
		grammar.F("instanceId", grammar.U16, "distinguishes streams of the same type"),
	}
}

var streamIDRecord = grammar.NewRecord("stream id", streamIDFields()...)

// readStreamID reads the id that a record begins with.
func readStreamID(ctx context.Context, o *grammar.Object) streamID {
	typ, _ := o.Value(ctx, o.Record().Fields[0])
	stored, _ := typ.Int()
	return streamID{typeIDOf(int32(stored)), uint16(o.Uint(ctx, o.Record().Fields[1]))}
}

// Description records, of version 1 and of later ones.
var (
	namedDescription  = descriptionRecord(namedStream, tagJSON)
	taggedDescription = descriptionRecord(taggedStream, tagMap)
)

func descriptionRecord(stream, tags *grammar.Record) *grammar.Record {
	return grammar.NewRecord("description record",
		grammar.F("header", recordHeaderType, ""),
		grammar.F("streamCount", grammar.U32, "streams that follow"),
		grammar.F("streams", stream, "").Times(grammar.Ref("streamCount")).If(grammar.NotEqual(grammar.Ref("streamCount"), grammar.Const(0))).Shown(showDescribedStream),
		grammar.F("fileTags", tags, ""),
		grammar.F("leftover", grammar.Raw, "bytes after the file tags").ToEnd().If(anyLeft).Unknown(),
	)
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

// description is what the description record says.
type description struct {
	hdr      recordHeader
	end      int64 // of the record, at most that of the source
	record   *grammar.Object
	streams  []streamTags
	file     tagList
	problems []model.Problem
}

// readDescription reads the description record; nil where there is none.
func (r *recording) readDescription(ctx context.Context) *description {
	off := r.head.description
	if off < r.head.headerSize {
		return nil
	}
	h, err := r.headerAt(ctx, off)
	if err != nil || !h.isDescription() || h.breach(fieldRecordSize, r.head.recordHeaderSize) != nil {
		return nil
	}
	d := &description{hdr: h, end: min(h.end(), r.src.Size())}
	session := r.newSession()
	if h.end() <= r.src.Size() {
		session.Truncated = ruleDescription // counts and lengths are wrong, not the end of the file
	}
	rec := taggedDescription
	if h.version == 1 {
		rec = namedDescription
	}
	d.record = rec.Read(grammar.NewReading(ctx, grammar.Near), session, streamOver(r.src.Span(off, d.end-off)), off)
	field := rec.Field
	if list := d.record.List(ctx, field("streams")); list != nil {
		for i := range list.Known() {
			if o := list.Object(ctx, i); o != nil && o.OK() {
				d.addStream(ctx, o)
			}
		}
	}
	if tags := d.record.Inner(ctx, field("fileTags")); tags != nil && tags.OK() {
		if h.version == 1 {
			d.file = d.json(ctx, tags, "the file tags").all
		} else {
			d.file = readTags(ctx, tags)
		}
	}
	return d
}

func (d *description) addStream(ctx context.Context, o *grammar.Object) {
	s := streamTags{id: readStreamID(ctx, o), off: o.Start(), end: o.End()}
	if d.hdr.version == 1 {
		tags := d.json(ctx, o.Inner(ctx, namedStream.Field("tags")), "stream "+s.id.String())
		s.user, s.vrs = tags.user, tags.vrs
	} else {
		s.user = readTags(ctx, o.Inner(ctx, taggedStream.Field("userTags")))
		s.vrs = readTags(ctx, o.Inner(ctx, taggedStream.Field("vrsTags")))
	}
	d.streams = append(d.streams, s)
}

// readTags is the tags of a map, which are its last field.
func readTags(ctx context.Context, o *grammar.Object) (tags tagList) {
	fields := o.Record().Fields
	list := o.List(ctx, fields[len(fields)-1])
	if list == nil {
		return nil
	}
	n, _ := list.Len(o.Scope(grammar.NewReading(ctx, grammar.Near)))
	for i := range n {
		if t, ok := readPair(ctx, list.Object(ctx, i)); ok {
			tags = append(tags, t)
		}
	}
	return tags
}

// readPair is two texts as a tag; false where they are not whole.
func readPair(ctx context.Context, o *grammar.Object) (t tag, ok bool) {
	if o == nil || !o.OK() {
		return tag{}, false
	}
	t = tag{src: o.Stream().Source, off: o.Start(), end: o.End()}
	t.name, _, _ = readText(ctx, o, 1)
	t.value, t.valueOff, t.cut = readText(ctx, o, 3)
	return t, true
}

// readText is the text that field i of a record is, and the offset of its first byte. Of a long one it is the beginning;
// then cut is how many bytes it has.
func readText(ctx context.Context, o *grammar.Object, i int) (text string, off, cut int64) {
	at := o.SpanOf(ctx, o.Record().Fields[i])
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

// jsonTags is what the JSON of version 1 says.
type jsonTags struct {
	user, vrs tagList // of a stream
	all       tagList // of the file
}

// json reads the JSON of a stream or of the file.
func (d *description) json(ctx context.Context, o *grammar.Object, of string) (tags jsonTags) {
	text, at, cut := readText(ctx, o, 1)
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

func (d *description) findProblems(ctx context.Context, r *recording) {
	h := &d.hdr
	add := func(p model.Problem) { d.problems = append(d.problems, p) }
	if h.version != 1 && h.version != 2 {
		add(model.Problemf(model.Malformed, ruleDescription, r.src.Span(h.off+12, 4), "the description has an unknown version; it is read as version 2").
			Want("1 or 2", h.version))
	}
	leftover := d.record.SpanOf(ctx, d.record.Record().Field("leftover"))
	switch size := d.end - h.off; {
	case h.end() > r.src.Size():
		add(model.Problemf(model.Truncated, ruleTruncated, r.src.Span(h.off, size), "the description is cut off").
			Want(model.GroupedCount(int64(h.size), "byte"), model.GroupedCount(size, "byte")))
	case !d.record.OK():
		add(model.Problemf(model.Malformed, ruleDescription, r.src.Span(d.record.End(), 0),
			"a count or a length in the description does not fit into its bytes"))
	case leftover.Len > 0:
		add(model.Problemf(model.Suspicious, ruleLeftover, leftover, "bytes are left over after the file tags"))
	}
	if h.prev != 0 {
		add(model.Problemf(r.chainMatters(), rulePrevious, r.src.Span(h.off+4, 4), "before the description is no record, but previousRecordSize is not 0").
			Want(0, h.prev))
	}
	if h.compression != storedPayload {
		add(model.Problemf(model.Suspicious, ruleCompression, r.src.Span(h.off+27, 1), "descriptions are never compressed").Want(0, h.compression))
	}
}

func (r *recording) descriptionNode(ctx context.Context) model.Node {
	n := r.desc.record.Node(ctx, "description")
	n.Help, n.Brief, n.Problems = "stream tags and file tags", model.GroupedCount(int64(len(r.desc.streams)), "stream"), r.desc.problems
	return n
}
