package vrs

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// sameTime is the number of other streams whose nearest records are named.
const sameTime = 4

// introduce introduces the recording, its streams, groups, records and fields.
func introduce(ctx context.Context, r *recording, p *model.Place) (in model.Intro) {
	t := r.table.Made()
	if t == nil {
		return in
	}
	if p.Parent == nil {
		introduceRecording(r, t, &in)
		return in
	}
	way := p.Segments()[1:]
	i := t.streamNamed(way[0].Node.Name)
	if i < 0 {
		return in
	}
	s, label := t.streams[i], t.labels()[i]
	switch group := way[min(len(way)-1, 1)]; {
	case len(way) == 1:
		in.Sentence = t.streamSentence(s)
	case len(way) == 2:
		in.Title, in.Sentence = label+", "+p.Label(), cmp.Or(p.Node.Brief, "Some")+" of the stream "+s.id.String()+"."
	case isRecordType[way[2].Node.Type]:
		record := label + ", record " + model.Grouped(way[2].Index)
		if group.Node.Name != groupName(container.DataRecord) {
			record = label + ", " + group.Node.Name + " " + model.Grouped(way[2].Index)
		}
		if len(way) == 3 {
			in.Title = record
			if k := kindNamed(group.Node.Name); k >= 0 {
				introduceRecord(ctx, r, t, t.record(s, groupNames[k].kind, way[2].Index), &in)
			}
		} else {
			in.Sentence = pieceWords(cmp.Or(p.Node.Type, p.Label())) + " of " + record + "."
		}
		in.Links = model.Say(in.Links, "stream", "", model.Ref{Path: container.StreamPath(s.id), Text: label})
	}
	return in
}

// pieceType matches the types of the pieces of data layouts.
var pieceType = regexp.MustCompile(`^DataPiece(\w+)<(.*)>$`)

// pieceWords says in words what a part of a record is.
func pieceWords(typ string) string {
	match := pieceType.FindStringSubmatch(typ)
	switch {
	case match == nil:
		return capital(typ)
	case match[1] == "Value":
		return "Field of type " + match[2] + ","
	}
	return match[1] + " of " + match[2]
}

func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// kindNamed returns the place in groupNames of the group with a name, or -1.
func kindNamed(name string) int {
	for k := range groupNames {
		if groupNames[k].name == name {
			return k
		}
	}
	return -1
}

// deviceTags are the tags of a file that name the device, the best first.
var deviceTags = []string{"device_type", "device_serial", "device"}

// introduceRecording adds the device, the time and the number of streams and records.
func introduceRecording(r *recording, t *table, in *model.Intro) {
	in.Title = "Recording of " + model.GroupedCount(int64(len(t.streams)), "stream")
	made := ""
	if !r.Orphan && !r.Head.Short {
		at := container.CreationTime(r.Head.Creation)
		if made = at.Format("2006-01-02 15:04:05 MST"); at.Year() > 1980 {
			in.Sentence = "Made " + at.Format("2006-01-02") + ". "
		}
	}
	device := ""
	if r.Desc != nil {
		for _, name := range deviceTags {
			if tag, ok := r.Desc.File.Get(name); ok && device == "" {
				device = tag.Value
			}
		}
	}
	if device != "" {
		in.Sentence = strings.TrimSuffix(cmp.Or(in.Sentence, "Made. "), ". ") + " by a device “" + device + "”. "
	}
	records := model.GroupedCount(t.N(), "record") + ", " + model.Grouped(t.countAll(container.DataRecord)) + " with data"
	if lo, hi := t.dataTimes(); lo < hi {
		in.Sentence += fmt.Sprintf("What is here lasts %.3g s: %s.", hi-lo, records)
		in.Facts = model.Say(in.Facts, "time", fmt.Sprintf("%s … %s", container.SecondsText(lo), container.SecondsText(hi)))
	} else {
		in.Sentence += capital(records) + "."
	}
	in.Facts = model.Say(in.Facts, "device", device)
	in.Facts = model.Say(in.Facts, "made", made)
	in.Facts = model.Say(in.Facts, "streams", model.Grouped(int64(len(t.streams))))
	in.Facts = model.Say(in.Facts, "records", records)
	in.Facts = model.Say(in.Facts, "index", r.indexState(t))
}

// streamSentence says how many records a stream has and how often they come.
func (t *table) streamSentence(s *stream) string {
	data := t.group(s, container.DataRecord)
	text := "Stream " + s.id.String() + ": "
	if len(data) == 0 {
		text += "no records with data"
	} else {
		text += model.GroupedCount(int64(len(data)), "record") + " with data"
	}
	if rate, ok := t.rate(data); ok {
		text += fmt.Sprintf(", %.4g a second", rate)
	}
	if flavor := s.flavor(); flavor != "" {
		text += ", flavor " + flavor
	}
	if help := s.help(); help != "" {
		text += ". It was " + help
	}
	return text + "."
}

// introduceRecord says what a record holds and when it was taken, how it is stored, and which others are of the same time.
func introduceRecord(ctx context.Context, r *recording, t *table, i int64, in *model.Intro) {
	var holds, stored []string
	c, err := r.content(ctx, t, i)
	if err == nil {
		in.Links = c.describedBy()
		stored = append(stored, fmt.Sprintf("header %s", model.GroupedCount(r.Head.RecordHeaderSize, "byte")))
		for k := range c.blocks {
			b := &c.blocks[k]
			what := b.b.typ.String()
			switch {
			case b.data != nil:
				holds, what = append(holds, model.GroupedCount(int64(len(b.data.Layout.Pieces)), "field")), "fields"
			case b.image != nil:
				holds, what = append([]string{pictureWords(b)}, holds...), "picture"
				in.Facts = model.Say(model.Say(in.Facts, "picture", b.image.Describe()), "coding", b.coding())
			case b.audio != nil:
				holds, what = append([]string{"sound"}, holds...), "sound"
				in.Facts = model.Say(model.Say(in.Facts, "sound", b.audio.Describe()), "coding", b.coding())
			}
			if b.end > b.off {
				stored = append(stored, what+" "+model.Grouped(b.end-b.off))
			}
			if by := b.configuredBy(); by >= 0 {
				in.Links = model.Say(in.Links, "set by", "", model.Ref{Path: r.inStream(t, by), Text: "configuration " + model.Grouped(t.Position(by))})
			}
		}
		in.Stored = capital(strings.Join(stored, ", ")) + "; " + map[bool]string{true: "the payload is compressed.", false: "not compressed."}[c.inflated != nil]
	}
	text := cmp.Or(strings.Join(holds, " and "), "record")
	if !strings.HasPrefix(text, "picture") {
		in.Sentence = capital(text)
	} else {
		in.Sentence = "A " + text
	}
	in.Sentence += t.timeWords(i) + "."
	if t.Kind(i) == container.DataRecord {
		in.Links = append(in.Links, nearest(r, t, i)...)
	}
}

// describedBy links to the record format of a record.
func (c *content) describedBy() []model.Said {
	if c.format == nil || c.stream == nil || c.hdr.Kind() == container.TagsRecord {
		return nil
	}
	name := c.format.describe()
	path := container.StreamPath(c.stream.id) + "/" + formatsName + "/" + model.EscapeSegment(name)
	return model.Say(nil, "described by", "", model.Ref{Path: path, Text: name})
}

// timeWords says when a record was taken, unless its time means that it comes before all others.
func (t *table) timeWords(i int64) (text string) {
	const least = 1e-300 // seconds; devices write less for records that come before all times
	if math.Abs(t.Time[i]) > least || t.Time[i] == 0 {
		text = ", at " + container.SecondsText(t.Time[i])
	}
	group := t.group(t.streamOf(i), t.Kind(i))
	if after := t.Time[i] - t.Time[group[0]]; after > 0 && !math.IsInf(after, 0) {
		text += fmt.Sprintf(", %s after the first of the stream", interval(after))
	}
	return text
}

func pictureWords(b *blockContent) string {
	if b.image.Width > 0 && b.image.Height > 0 {
		return fmt.Sprintf("picture of %d × %d", b.image.Width, b.image.Height)
	}
	return "picture"
}

// interval writes a short time in the unit that suits it.
func interval(seconds float64) string {
	if math.Abs(seconds) < 1 {
		return fmt.Sprintf("%.3g ms", 1000*seconds)
	}
	return fmt.Sprintf("%.4g s", seconds)
}

// nearest links to the records of other streams that are nearest in time.
func nearest(r *recording, t *table, i int64) []model.Said {
	type other struct {
		record int64
		label  string
		apart  float64
	}
	var list []other
	labels := t.labels()
	for k, s := range t.streams {
		group := t.group(s, container.DataRecord)
		if s == t.streamOf(i) || len(group) == 0 {
			continue
		}
		at := min(t.AtTime(group, t.Time[i]), int64(len(group))-1)
		if before := max(at-1, 0); math.Abs(t.Time[group[before]]-t.Time[i]) < math.Abs(t.Time[group[at]]-t.Time[i]) {
			at = before
		}
		list = append(list, other{int64(group[at]), labels[k], t.Time[group[at]] - t.Time[i]})
	}
	slices.SortStableFunc(list, func(a, b other) int { return cmp.Compare(math.Abs(a.apart), math.Abs(b.apart)) })
	var refs []model.Ref
	for _, o := range list[:min(len(list), sameTime)] {
		text := o.label
		if o.apart != 0 {
			text += fmt.Sprintf(", %s %s", interval(math.Abs(o.apart)), map[bool]string{true: "later", false: "before"}[o.apart > 0])
		}
		refs = append(refs, model.Ref{Path: r.inStream(t, o.record), Text: text})
	}
	return model.Say(nil, "same time", "", refs...)
}
