package vrs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
	"cutaway/model"
)

// Chapter 6: the tags of a stream, and what they say of its records.

// A stream is one stream of the recording, with the tags that count.
type stream struct {
	id        container.StreamID
	ordinal   int64 // in the table of records, or unset if it has no records
	described bool  // it is in the description
	user, vrs container.TagList
	tagsFrom  int64 // number of the Tags record that the tags are from, or unset if they are from the description

	mu      sync.Mutex
	formats map[formatID]*recordFormat // nil values: there is none

	summed  sync.Once
	summary string // what its row says
}

// summary returns the words beside the name of a stream: the number of its records with data, how often they come, and its id.
func (t *table) summary(i int) string {
	s := t.streams[i]
	s.summed.Do(func() {
		data := t.group(s, container.DataRecord)
		what := [...]string{holdsNothing: "record with data", holdsPictures: "picture", holdsValues: "record", holdsSound: "block"}[t.holds[i]]
		s.summary = model.GroupedCount(int64(len(data)), what)
		if rate, ok := t.rate(data); ok {
			s.summary += "  ·  " + rateText(rate)
		}
		s.summary += "  ·  " + s.id.String()
	})
	return s.summary
}

// rateText returns a rate of four digits, or more before the point.
func rateText(hertz float64) string {
	if hertz >= 1000 {
		return model.Grouped(int64(math.Round(hertz))) + " Hz"
	}
	return strconv.FormatFloat(hertz, 'g', 4, 64) + " Hz"
}

// formatID selects a record format in a stream.
type formatID struct {
	kind    container.RecordType
	version uint32
}

// name is the stream's name for a person.
func (s *stream) name() string {
	if s.described || s.tagsFrom != container.Unset {
		if t, ok := s.vrs.Get(container.OriginalName); ok && container.TypeName(s.id.Typ) == "" {
			return container.PlainName(t.Value)
		}
	}
	return container.ShownType(s.id.Typ)
}

// originalName returns the name that the type had when it was recorded, or "" if it is not known.
func (s *stream) originalName() string {
	t, _ := s.vrs.Get(container.OriginalName)
	return container.PlainName(t.Value)
}

func (s *stream) flavor() string {
	t, _ := s.vrs.Get(container.FlavorTag)
	return t.Value
}

// format is the format of the records of a kind and version; nil where the stream has none.
func (s *stream) format(kind container.RecordType, version uint32) *recordFormat {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := formatID{kind, version}
	f, known := s.formats[id]
	if known {
		return f
	}
	if t, ok := s.vrs.Get(formatKey(kind, version)); ok {
		f = &recordFormat{kind: kind, version: version, text: t, blocks: parseFormat(t.Value)}
		for n := range f.blocks {
			b := &f.blocks[n]
			def, ok := s.vrs.Get(layoutKey(kind, version, n))
			if ok && b.typ == layoutBlock {
				b.layout = layout.Parse(def, media.Enumerations)
			}
			b.defined = ok && b.foreign
		}
	}
	if s.formats == nil {
		s.formats = map[formatID]*recordFormat{}
	}
	s.formats[id] = f
	return f
}

// allFormats lists the formats that the stream's tags define, in the order of the tags.
func (s *stream) allFormats() []*recordFormat {
	var list []*recordFormat
	seen := map[formatID]bool{}
	for _, t := range s.vrs {
		id, ok := parseFormatKey(t.Name)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		if f := s.format(id.kind, id.version); f != nil {
			list = append(list, f)
		}
	}
	return list
}

// parseFormatKey reads "RF:Data:1".
func parseFormatKey(name string) (formatID, bool) {
	parts := strings.Split(name, ":")
	if len(parts) != 3 || parts[0] != "RF" {
		return formatID{}, false
	}
	version, err := strconv.ParseUint(parts[2], 10, 32)
	if err != nil || strconv.FormatUint(version, 10) != parts[2] {
		return formatID{}, false
	}
	for _, kind := range []container.RecordType{container.StateRecord, container.ConfigurationRecord, container.DataRecord} {
		if kind.String() == parts[1] {
			return formatID{kind, uint32(version)}, true
		}
	}
	return formatID{}, false
}

// problems returns the problems of a format and its layouts.
func (f *recordFormat) problems() []model.Problem {
	var list []model.Problem
	at := model.Span{}
	if f.text.Src != nil {
		at = f.text.Src.Span(f.text.ValueOff, int64(len(f.text.Value)))
	}
	for n := range f.blocks {
		b := &f.blocks[n]
		for k, option := range b.unknown {
			if k == 0 && b.foreign && b.defined {
				list = append(list, model.Problemf(model.Malformed, ruleOption, at,
					"%q of the record format %q is no kind of block, though there is a data layout for it", option, f.text.Value))
				continue
			}
			if k > 0 || !b.foreign {
				list = append(list, model.Problemf(model.Malformed, ruleOption, at, "%q of the record format %q is not known", option, f.text.Value))
				continue
			}
			list = append(list, model.Problemf(model.Suspicious, ruleOption, at, "%q of the record format %q is not known and ignored", option, f.text.Value))
		}
		if b.typ != layoutBlock {
			continue
		}
		if b.layout == nil {
			list = append(list, model.Problemf(model.Malformed, ruleNoLayout, at, "the stream has no tag %s for the data layout of its records",
				layoutKey(f.kind, f.version, n)))
			continue
		}
		list = append(list, b.layout.Problems...)
		if b.size != container.Unset && len(b.layout.Variable) == 0 && b.layout.Broken == "" && b.size != b.layout.Fixed {
			list = append(list, model.Problemf(model.Suspicious, ruleSize, at, "the record format gives the data layout of block %d another size, which does not count", n).
				Want(b.layout.Fixed, b.size))
		}
	}
	return list
}

// tagsFormat is the fixed format of Tags records: two maps of texts.
var tagsFormat = sync.OnceValue(makeTagsFormat)

const (
	vrsTagsField  = "vrs_tags"
	userTagsField = "user_tags"
	tagsVersion   = 1
)

func makeTagsFormat() *recordFormat {
	const text = `{"data_layout":[{"name":"` + vrsTagsField + `","type":"DataPieceStringMap<string>","index":0},` +
		`{"name":"` + userTagsField + `","type":"DataPieceStringMap<string>","index":1}]}`
	l := layout.Parse(container.Tag{Value: text}, nil)
	return &recordFormat{
		kind: container.TagsRecord, version: tagsVersion, text: container.Tag{Value: "data_layout"},
		blocks: []block{{typ: layoutBlock, text: "data_layout", size: container.Unset, layout: l}},
	}
}

// readStreams lists the streams with the tags that count for them: those of the description, replaced by those of the
// last Tags record of the stream. t has its records already.
func (r *recording) readStreams(ctx context.Context, t *table) error {
	byID := map[container.StreamID]*stream{}
	add := func(id container.StreamID) *stream {
		s := byID[id]
		if s == nil {
			s = &stream{id: id, ordinal: container.Unset, tagsFrom: container.Unset}
			byID[id] = s
			t.streams = append(t.streams, s)
		}
		return s
	}
	if r.Desc != nil {
		for i := range r.Desc.Streams {
			d := &r.Desc.Streams[i]
			if s := add(d.ID); !s.described {
				s.described, s.user, s.vrs = true, d.User, d.Vrs
			}
		}
	}
	for i, id := range t.IDs {
		s := add(id)
		s.ordinal = int64(i)
		t.byOrdinal = append(t.byOrdinal, s)
	}
	sortStreams(t.streams)
	for _, s := range t.streams {
		if n := t.count(s, container.TagsRecord); n > 0 {
			if err := r.takeTags(ctx, t, s, t.record(s, container.TagsRecord, n-1)); err != nil {
				return err
			}
		}
	}
	t.order()
	return nil
}

// takeTags makes the tags of a Tags record those of its stream, if they can be read.
func (r *recording) takeTags(ctx context.Context, t *table, s *stream, record int64) error {
	c, err := r.content(ctx, t, record)
	if err != nil || len(c.blocks) == 0 || c.blocks[0].data == nil {
		return err
	}
	d := c.blocks[0].data
	vrs, okVRS := readTags(ctx, d, vrsTagsField)
	user, okUser := readTags(ctx, d, userTagsField)
	if okVRS || okUser {
		s.vrs, s.user, s.tagsFrom = vrs, user, record
	}
	return nil
}

// describe returns a format in words.
func (f *recordFormat) describe() string { return fmt.Sprintf("%s version %d", f.kind, f.version) }

// A table is the records and streams of a recording.
type table struct {
	*container.RecordTable
	streams   []*stream // sorted; those of the description too
	holds     []holding // by stream
	rows      []int     // the numbers of streams, in the order of their rows
	byOrdinal []*stream

	labelled   sync.Once
	labelTexts []string // by stream
}

// streamOf returns the stream of record i.
func (t *table) streamOf(i int64) *stream { return t.byOrdinal[t.Ordinal(i)] }

// group returns the numbers of a stream's records of one type, by time.
func (t *table) group(s *stream, kind container.RecordType) []uint32 {
	return t.Group(s.ordinal, kind)
}

// count returns the number of records of a type of a stream.
func (t *table) count(s *stream, kind container.RecordType) int64 {
	return t.Count(s.ordinal, kind)
}

// record returns the number of record k of a group.
func (t *table) record(s *stream, kind container.RecordType, k int64) int64 {
	return int64(t.group(s, kind)[k])
}

// records returns the records and their streams. The records are found by the index or by walking. The error is that of ctx.
func (r *recording) records(ctx context.Context, progress model.Progress) (*table, error) {
	return r.table.Get(ctx, progress, func(ctx context.Context, progress model.Progress) (*table, error) {
		records, err := r.walker.Records(ctx, progress)
		if err != nil {
			return nil, err
		}
		t := &table{RecordTable: records}
		return t, r.readStreams(ctx, t)
	})
}

func sortStreams(list []*stream) {
	slices.SortFunc(list, func(a, b *stream) int {
		return cmp.Or(cmp.Compare(a.id.Typ, b.id.Typ), cmp.Compare(a.id.Instance, b.id.Instance))
	})
}

// requireWhole fails where records are not listed, or with the first tag that counts and is not taken whole.
func (r *recording) requireWhole(t *table, streams []*stream) error {
	if t.Short {
		return t.Extra[len(t.Extra)-1].Make().Problems[0]
	}
	if r.Desc != nil {
		if err := r.Desc.File.RequireWhole(); err != nil {
			return err
		}
	}
	for _, s := range streams {
		if err := errors.Join(s.user.RequireWhole(), s.vrs.RequireWhole()); err != nil {
			return err
		}
	}
	return nil
}

// readTags reads the tags in a map of texts.
func readTags(ctx context.Context, d *layout.Data, name string) (container.TagList, bool) {
	p := d.Layout.Find("DataPieceStringMap<string>", name)
	if p == nil {
		return nil, false
	}
	at, ok := d.Bytes(p)
	if !ok {
		return nil, false
	}
	return container.ReadTags(ctx, layout.OpenFields(at, "DataPieceStringMap", layout.TextRow), "key"), true
}
