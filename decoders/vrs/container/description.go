package container

import (
	"context"

	"cutaway/decoders/grammar"
	"cutaway/model"
	"cutaway/source"
)

// Chapter 4: the description record.

// Tag is one pair of texts, with where they are.
type Tag struct {
	Name, Value string
	Src         *model.Source
	Off, End    int64 // of both with their lengths
	ValueOff    int64 // of the value's text
	Cut         int64 // bytes of a value whose beginning alone is taken, or 0
}

// maxTag returns the number of bytes that are taken of a tag's text.
func maxTag() int64 { return max(source.CacheLimit()/64, 64<<10) }

// Limit is the problem of a tag that is not taken whole.
func (t *Tag) Limit() model.Problem {
	return model.Problemf(model.Limit, ruleTagLimit, t.Src.Span(t.Off, t.End-t.Off),
		"only the beginning of the tag %s is taken, which is as much as memory allows; --max-memory raises it", model.ShowHeld(model.Text(t.Name), 60)).
		WantAtMost(model.GroupedCount(maxTag(), "byte"), model.GroupedCount(t.Cut, "byte"))
}

// RequireWhole fails with the first tag that is not taken whole.
func (l TagList) RequireWhole() error {
	for i := range l {
		if l[i].Cut > 0 {
			return l[i].Limit()
		}
	}
	return nil
}

// TagList is a map of tags in the order of the file. Of equal names the last wins.
type TagList []Tag

// Get returns the tag of that name that counts.
func (l TagList) Get(name string) (Tag, bool) {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Name == name {
			return l[i], true
		}
	}
	return Tag{}, false
}

// StreamTags are the tags of one stream.
type StreamTags struct {
	ID        StreamID
	Off, End  int64 // of all of the stream's bytes in the description
	User, Vrs TagList
}

// ReadStreamID reads the id that a record begins with.
func ReadStreamID(ctx context.Context, o *grammar.Object) StreamID {
	typ, _ := o.Value(ctx, o.Record().Field("typeId"))
	stored, _ := typ.Int()
	return StreamID{typeIDOf(int32(stored)), uint16(o.Uint(ctx, o.Record().Field("instanceId")))}
}

func showDescribedStream(s grammar.Scope, v grammar.Value, n *model.Node) {
	if o := v.Object(); o != nil && o.OK() {
		id := ReadStreamID(s.Reading().Context(), o)
		n.Value = model.Text(id.String())
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "stream", Path: StreamPath(id), Text: id.String()}}
		}
	}
}

// A Description holds the tags of the description record.
type Description struct {
	Hdr      Header
	end      int64 // of the record, at most that of the source
	record   *grammar.Object
	Streams  []StreamTags
	File     TagList
	problems []model.Problem
}

// readDescription reads the description record; nil where there is none.
func (f *File) readDescription(ctx context.Context) *Description {
	off := f.Head.description
	if off < f.Head.HeaderSize {
		return nil
	}
	h, err := f.HeaderAt(ctx, off)
	if err != nil || !h.isDescription() || int64(h.Size()) < f.Head.RecordHeaderSize {
		return nil
	}
	d := &Description{Hdr: h, end: min(h.End(), f.Src.Size())}
	session := f.plan.Session()
	session.Tile = true
	if h.End() <= f.Src.Size() {
		session.Truncated = ruleDescription // counts and lengths are wrong, not the end of the file
	}
	rec := f.plan.Record("description record")
	d.record = rec.Read(grammar.NewReading(ctx, grammar.Near), session, StreamOver(f.Src.Span(off, d.end-off)), off)
	field := rec.Field
	if list := d.record.List(ctx, field("streams")); list != nil {
		for i := range list.Known() {
			if o := list.Object(ctx, i); o != nil && o.OK() {
				d.addStream(ctx, o)
			}
		}
	}
	if tags := d.record.Inner(ctx, field("fileTags")); tags != nil && tags.OK() {
		if h.Version() == 1 {
			d.File = d.json(ctx, tags, "the file tags").all
		} else {
			d.File = ReadTags(ctx, tags, "name")
		}
	}
	return d
}

func (d *Description) addStream(ctx context.Context, o *grammar.Object) {
	s := StreamTags{ID: ReadStreamID(ctx, o), Off: o.Start(), End: o.End()}
	field := o.Record().Field
	if d.Hdr.Version() == 1 {
		tags := d.json(ctx, o.Inner(ctx, field("tags")), "stream "+s.ID.String())
		s.User, s.Vrs = tags.user, tags.vrs
	} else {
		s.User = ReadTags(ctx, o.Inner(ctx, field("userTags")), "name")
		s.Vrs = ReadTags(ctx, o.Inner(ctx, field("vrsTags")), "name")
	}
	d.Streams = append(d.Streams, s)
}

// ReadTags reads the tags of a map, which are its last field. name is the field with the name of a tag.
func ReadTags(ctx context.Context, o *grammar.Object, name string) (tags TagList) {
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
func readPair(ctx context.Context, o *grammar.Object, name string) (t Tag, ok bool) {
	if o == nil || !o.OK() {
		return Tag{}, false
	}
	t = Tag{Src: o.Stream().Source, Off: o.Start(), End: o.End()}
	t.Name, _, _ = ReadText(ctx, o, name)
	t.Value, t.ValueOff, t.Cut = ReadText(ctx, o, "value")
	return t, true
}

// ReadText returns the text of a field and the offset of its first byte. Of a long text it returns the beginning, and in cut the
// number of its bytes.
func ReadText(ctx context.Context, o *grammar.Object, field string) (text string, off, cut int64) {
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
	user, vrs TagList // of a stream
	all       TagList // of the file
}

// json reads the JSON of a stream or of the file.
func (d *Description) json(ctx context.Context, o *grammar.Object, of string) (tags jsonTags) {
	text, at, cut := ReadText(ctx, o, "json")
	src := o.Stream().Source
	if cut > 0 {
		d.problems = append(d.problems, model.Problemf(model.Limit, ruleTagLimit, src.Span(at, cut),
			"the text of %s is longer than memory allows, which --max-memory raises", of))
		return tags
	}
	j, err := ParseJSON(text)
	if err != nil {
		d.problems = append(d.problems, err.Problem(ruleJSON, src.Span(at+err.At, 0), "the text of "+of))
	}
	if name := j.Get("name"); name.Kind == JSONText {
		tags.vrs = TagList{name.tag(OriginalName, src, at)}
	}
	tags.user, tags.all = j.Get("tags").textMembers(src, at), j.textMembers(src, at)
	return tags
}

func (d *Description) findProblems(ctx context.Context, f *File) {
	h := &d.Hdr
	add := func(p model.Problem) { d.problems = append(d.problems, p) }
	if h.Version() != 1 && h.Version() != 2 {
		add(model.Problemf(model.Malformed, ruleDescription, f.Span(h.Off, FieldFormatVersion), "the description has an unknown version; it is read as version 2").
			Want("1 or 2", h.Version()))
	}
	leftover := d.record.SpanOf(ctx, d.record.Record().Field("leftover"))
	switch size := d.end - h.Off; {
	case h.End() > f.Src.Size():
		add(model.Problemf(model.Truncated, RuleTruncated, f.Src.Span(h.Off, size), "the description is cut off").
			Want(model.GroupedCount(int64(h.Size()), "byte"), model.GroupedCount(size, "byte")))
	case !d.record.OK():
		add(model.Problemf(model.Malformed, ruleDescription, f.Src.Span(d.record.End(), 0),
			"a count or a length in the description does not fit into its bytes"))
	case leftover.Len > 0:
		add(model.Problemf(model.Suspicious, ruleLeftover, leftover, "bytes are left over after the file tags"))
	}
	if h.Previous() != 0 {
		add(model.Problemf(f.ChainMatters(), RulePrevious, f.Span(h.Off, FieldPreviousRecordSize), "before the description is no record, but previousRecordSize is not 0").
			Want(0, h.Previous()))
	}
	if h.Compression() != StoredPayload {
		add(model.Problemf(model.Suspicious, RuleCompression, f.Span(h.Off, fieldCompressionType), "descriptions are never compressed").Want(0, h.Compression()))
	}
}

func (f *File) descriptionNode(ctx context.Context) model.Node {
	n := f.Desc.record.Node(ctx, "description")
	n.Help, n.Brief, n.Problems = "stream tags and file tags", model.GroupedCount(int64(len(f.Desc.Streams)), "stream"), f.Desc.problems
	return n
}

// AsMap is the tags by name.
func (l TagList) AsMap() map[string]string {
	m := map[string]string{}
	for _, t := range l {
		m[t.Name] = t.Value
	}
	return m
}
