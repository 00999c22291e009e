package vrs

import (
	"context"
	"fmt"
	"math"
	"time"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// facts returns the identity card. Facts of the index are always known; facts of every record need a scan.
func (r *recording) facts(ctx context.Context, quick bool, progress model.Progress) ([]model.Fact, error) {
	walks := r.Index == nil || r.Index.Incomplete || r.Index.Broken
	var t *table
	if !quick || !walks {
		var err error
		if t, err = r.records(ctx, progress); err != nil {
			return nil, err
		}
	}
	facts := []model.Fact{}
	add := func(key, title string, v model.Value, scan bool) {
		facts = append(facts, model.Fact{Key: key, Title: title, Value: v, Scan: scan})
	}
	count := func(key, title string, n func() int64) {
		if t == nil {
			add(key, title, nil, true)
		} else {
			add(key, title, model.Int(n()), walks)
		}
	}
	count("streams", "Streams", func() int64 { return int64(len(t.streams)) })
	count("records", "Records", func() int64 { return t.N() })
	for _, g := range recordFacts {
		count(g.key, g.title, func() int64 { return t.countAll(g.kind) })
	}
	r.timeFacts(t, walks, add)
	r.headFacts(t, add)
	streams := model.Fact{Key: "streamList", Title: "Each stream", Scan: true, Units: map[string]string{
		"stored": "bytes", "inflated": "bytes", "rate": "Hz", "largestGap": "s", "gapAt": "s"}}
	if quick {
		return append(facts, streams), nil
	}
	list, err := r.streamFacts(ctx, t, progress)
	if err != nil {
		return nil, err
	}
	streams.Value = list
	return append(facts, streams), nil
}

var recordFacts = []struct {
	kind       container.RecordType
	key, title string
}{
	{container.ConfigurationRecord, "configurationRecords", "Configuration records"}, {container.StateRecord, "stateRecords", "State records"},
	{container.DataRecord, "dataRecords", "Data records"}, {container.TagsRecord, "tagsRecords", "Tags records"},
}

// countAll returns the number of records of a type.
func (t *table) countAll(kind container.RecordType) (n int64) {
	for _, s := range t.streams {
		n += t.count(s, kind)
	}
	return n
}

// dataTimes are the first and last time of data records; the first is after the last where there are none.
func (t *table) dataTimes() (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, s := range t.streams {
		if g := t.group(s, container.DataRecord); len(g) > 0 {
			lo, hi = min(lo, t.Time[g[0]]), max(hi, t.Time[g[len(g)-1]])
		}
	}
	return lo, hi
}

// timeFacts are the first and last time of data records: those of the others have other meanings (chapter 13).
func (r *recording) timeFacts(t *table, walks bool, add func(string, string, model.Value, bool)) {
	var first, last, duration model.Value
	if t != nil {
		lo, hi := t.dataTimes()
		first, last, duration = model.None{}, model.None{}, model.None{}
		if lo <= hi {
			first, last, duration = model.Float64(lo), model.Float64(hi), model.Float64(hi-lo)
		}
	}
	add("firstTime", "First data record (s)", first, walks)
	add("lastTime", "Last data record (s)", last, walks)
	add("duration", "Duration (s)", duration, walks)
}

// headFacts returns the facts of the headers, the description and the index.
func (r *recording) headFacts(t *table, add func(string, string, model.Value, bool)) {
	add("index", "Index", model.Text(r.indexState(t)), false)
	if t != nil {
		add("lastWhole", "End of the last whole record", model.Int(t.Last), false)
	}
	if r.Orphan {
		return
	}
	if !r.Head.Short {
		add("created", "Created", model.Text(container.CreationTime(r.Head.Creation).Format(time.RFC3339)), false)
		add("headerSize", "File header bytes", model.Int(r.Head.HeaderSize), false)
		add("recordHeaderSize", "Record header bytes", model.Int(r.Head.RecordHeaderSize), false)
	}
	if d := r.Desc; d != nil {
		add("descriptionVersion", "Description version", model.Uint(d.Hdr.Version()), false)
		add("fileTags", "File tags", model.Int(len(d.File)), false)
	}
	if t != nil {
		tags := 0
		for _, s := range t.streams {
			tags += len(s.user) + len(s.vrs)
		}
		add("streamTags", "Stream tags", model.Int(tags), false)
	}
	if segments := r.Src.Segments(); segments != nil {
		list := model.Seq{}
		for _, s := range segments {
			o := model.Object{{Key: "file", Value: model.Text(s.File)}, {Key: "start", Value: model.Int(s.Start)}, {Key: "length", Value: model.Int(s.Length)}}
			if s.Missing {
				o = append(o, model.Member{Key: "missing", Value: model.Bool(true)})
			}
			list = append(list, o)
		}
		add("parts", "Parts", list, false)
	}
}

// indexState says what index there is, and whether the records were found by it.
func (r *recording) indexState(t *table) string {
	x := r.Index
	state := ""
	switch {
	case x == nil && r.Orphan:
		return "none in this part"
	case x == nil && r.Head.Index == 0:
		return "none; the recording was interrupted"
	case x == nil:
		return "not where the header points to"
	case x.Split():
		state = "split"
	case x.Off < r.First:
		state = "in front"
	default:
		state = "at the end"
	}
	if x.Compressed {
		state += ", zstd"
	}
	switch {
	case x.Broken:
		state += ", unreadable"
	case x.Incomplete:
		state += fmt.Sprintf(", incomplete: %s listed", model.GroupedCount(x.Count, "record"))
	case t != nil && !t.Indexed:
		state += ", damaged: the records were found by walking"
	}
	return state
}

// streamFacts returns the facts of each stream. It reads the header of every record.
func (r *recording) streamFacts(ctx context.Context, t *table, progress model.Progress) (model.Value, error) {
	sizes, err := r.groupSizes(ctx, t, progress)
	if err != nil {
		return nil, err
	}
	list := model.Seq{}
	for _, s := range t.streams {
		stored, inflated := int64(0), int64(0)
		for ; len(sizes) > 0 && sizes[0].stream == s; sizes = sizes[1:] {
			stored, inflated = stored+sizes[0].stored, inflated+sizes[0].inflated
		}
		count := func(kind container.RecordType) model.Value { return model.Int(t.count(s, kind)) }
		o := model.Object{
			{Key: "id", Value: model.Text(s.id.String())}, {Key: "name", Value: model.Text(s.name())},
			{Key: "configuration", Value: count(container.ConfigurationRecord)}, {Key: "state", Value: count(container.StateRecord)},
			{Key: "data", Value: count(container.DataRecord)},
			{Key: "stored", Value: model.Int(stored)}, {Key: "inflated", Value: model.Int(inflated)},
			{Key: "tags", Value: count(container.TagsRecord)}, {Key: "flavor", Value: model.Text(s.flavor())},
		}
		if stored > 0 {
			o = append(o, model.Member{Key: "ratio", Value: model.Float64(math.Round(float64(inflated)/float64(stored)*100) / 100)})
		}
		list = append(list, append(o, t.rhythm(t.group(s, container.DataRecord))...))
	}
	return list, nil
}

// groupSize is the bytes of the payloads of a stream's records of one type.
type groupSize struct {
	stream           *stream
	kind             container.RecordType
	stored, inflated int64
}

// groupSizes adds up the payloads of each stream's records of each type, stream by stream. The error is that of ctx.
func (r *recording) groupSizes(ctx context.Context, t *table, progress model.Progress) (sizes []groupSize, err error) {
	done, headers := int64(0), r.NewHeaderScan()
	for _, s := range t.streams {
		for _, g := range groupNames {
			group := t.group(s, g.kind)
			if len(group) == 0 {
				continue
			}
			size := groupSize{stream: s, kind: g.kind}
			for _, i := range group {
				if done++; done%container.WalkSteps == 0 {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					progress.Report(done, t.N(), "adding up the records")
				}
				stored, inflated := r.payloadSizes(ctx, t, headers, int64(i))
				size.stored, size.inflated = size.stored+stored, size.inflated+inflated
			}
			sizes = append(sizes, size)
		}
	}
	return sizes, nil
}

// payloadSizes are the bytes of a record's payload in the file and after decompression.
func (r *recording) payloadSizes(ctx context.Context, t *table, headers *container.HeaderScan, i int64) (stored, inflated int64) {
	stored = t.End(i) - t.Off[i] - r.Head.RecordHeaderSize
	if h, err := headers.At(ctx, t.Off[i]); err == nil && r.Compressed(&h, stored) {
		return stored, int64(h.Uncompressed())
	}
	return stored, stored
}

// rhythm is the rate of a group of records, and its largest gap in time.
func (t *table) rhythm(group []uint32) model.Object {
	if len(group) < 2 {
		return nil
	}
	gap, at := 0.0, 0.0
	for k := range group[1:] {
		if d := t.Time[group[k+1]] - t.Time[group[k]]; d > gap {
			gap, at = d, t.Time[group[k]]
		}
	}
	o := model.Object{{Key: "largestGap", Value: model.Float64(gap)}, {Key: "gapAt", Value: model.Float64(at)}}
	if rate, ok := t.rate(group); ok {
		o = append(model.Object{{Key: "rate", Value: model.Float64(rate)}}, o...)
	}
	return o
}

// rate returns the number of records of a group in a second, or false if they take no time.
func (t *table) rate(group []uint32) (float64, bool) {
	if len(group) < 2 {
		return 0, false
	}
	d := t.Time[group[len(group)-1]] - t.Time[group[0]]
	return float64(len(group)-1) / d, d > 0
}

// stats are bytes and counts by section of the file, by type of record, or by stream.
func (r *recording) stats(ctx context.Context, by string, progress model.Progress) ([]model.Stat, error) {
	t, err := r.records(ctx, progress)
	if err != nil {
		return nil, err
	}
	sizes, err := r.groupSizes(ctx, t, progress)
	if err != nil {
		return nil, err
	}
	switch by {
	case "section":
		return r.sectionStats(t, sizes), nil
	case "type":
		return groupStats(t, sizes, func(g *groupSize) string { return g.kind.String() }), nil
	case "subtree":
		return groupStats(t, sizes, func(g *groupSize) string { return container.StreamPath(g.stream.id) }), nil
	}
	return nil, fmt.Errorf("there are no statistics by %q", by)
}

func (r *recording) sectionStats(t *table, sizes []groupSize) []model.Stat {
	var stats []model.Stat
	for _, p := range r.Parts {
		size := p.End - p.Off
		stat := model.Stat{Key: p.Name, Count: 1, Stored: size, Logical: size}
		switch p.Name {
		case container.RecordsName:
			stat.Count = t.N()
			for i := range sizes {
				stat.Logical += sizes[i].inflated - sizes[i].stored
			}
		case container.IndexName:
			stat.Count = r.Index.Count
			if r.Index.Compressed {
				stat.Logical += r.Index.Count*container.InfoSize - r.Index.Infos.Len
			}
		}
		stats = append(stats, stat)
	}
	return stats
}

// groupStats adds up payloads by a key of their records.
func groupStats(t *table, sizes []groupSize, key func(g *groupSize) string) []model.Stat {
	var stats []model.Stat
	at := map[string]int{}
	for i := range sizes {
		g := &sizes[i]
		k := key(g)
		if _, known := at[k]; !known {
			at[k] = len(stats)
			stats = append(stats, model.Stat{Key: k})
		}
		stat := &stats[at[k]]
		stat.Count += t.count(g.stream, g.kind)
		stat.Stored += g.stored
		stat.Logical += g.inflated
	}
	return stats
}
