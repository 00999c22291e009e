package vrs

import (
	"context"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
	"cutaway/model/crossref"
)

// links holds the entries of a recording, and the references between entries.
type links struct {
	crossref.Tables
	records, infos crossref.Entries // the records in the order of the file, and their entries in the index
	shown          crossref.Entries // the records by their nodes in the streams view
	streams        crossref.Entries
	descriptions   crossref.Entries // of streams
	fileTags       crossref.Entries
}

func (r *recording) link() {
	l := &r.links
	l.Entries = []*crossref.Entries{&l.records, &l.infos, &l.shown, &l.streams, &l.descriptions, &l.fileTags}
	inStream := func(_ context.Context, i int64) string { return r.inStream(r.table.Made(), i) }
	inStreams := map[string]crossref.Nodes{container.StreamsView: crossref.NodeAt(inStream, "in its stream")}
	l.records = crossref.Entries{
		Count: r.countRecords, Base: r.Path(container.RecordsName), Of: r.recordOf, Over: r.recordsOver, In: inStreams,
		Text: func(context.Context, int64) string { return "in the file" },
		UsedBy: []crossref.UsedBy{
			{Kind: "record", From: &l.records, View: container.StreamsView, Back: crossref.Itself},
			{Kind: "index entry", From: &l.infos, Back: r.indexedBy},
		},
	}
	l.infos = crossref.Entries{
		Count: r.countRecords, Base: r.Path(container.EntriesPath), Over: r.infosOver, In: inStreams,
		Text: func(context.Context, int64) string { return "in the index" },
	}
	if r.Index != nil && r.Index.Compressed {
		l.infos.Base += "@" + container.InflatedName
	}
	l.shown = crossref.Entries{
		Count: r.countRecords, Of: r.shownRecordOf, In: map[string]crossref.Nodes{container.StreamsView: crossref.NodeAt(inStream, "")},
		UsedBy: []crossref.UsedBy{
			{Kind: "stream", From: &l.records, Back: crossref.Itself},
			{Kind: "configuration", From: &l.shown, View: container.StreamsView, Back: r.configuredRecords},
		},
	}
	l.streams = crossref.Entries{Count: r.countStreams, Of: r.streamOf, UsedBy: []crossref.UsedBy{
		{Kind: "stream", From: &l.descriptions, Back: r.describedBy}}}
	l.descriptions = crossref.Entries{
		Base: r.Path("description/streams"), Over: r.descriptionsOver,
		Text: func(context.Context, int64) string { return "in the description" },
		In: map[string]crossref.Nodes{container.StreamsView: crossref.NodeAt(func(_ context.Context, i int64) string {
			return container.StreamPath(r.Desc.Streams[i].ID)
		}, "")},
	}
	l.fileTags = crossref.Entries{Over: r.fileTagsOver, In: map[string]crossref.Nodes{
		container.StreamsView: crossref.NodeAt(func(context.Context, int64) string { return container.StreamsView + "/" + fileTagsName }, "")}}
}

func (r *recording) countRecords(ctx context.Context, progress model.Progress) (int64, error) {
	t, err := r.records(ctx, progress)
	if err != nil {
		return 0, err
	}
	return t.N(), nil
}

func (r *recording) countStreams(context.Context, model.Progress) (int64, error) {
	return int64(len(r.table.Made().streams)), nil
}

// recordOf is the record of the layout that a node is, or is in.
func (r *recording) recordOf(p *model.Place) (int64, bool) {
	for ; p.Parent != nil; p = p.Parent {
		if t := r.table.Made(); t != nil && p.Of == r.Src && p.Parent.Path() == r.Path(container.RecordsName) {
			return t.RecordAt(p.Node.Span().Off)
		}
	}
	return 0, false
}

func (r *recording) recordsOver(ctx context.Context, s model.Span) (first, end int64, err error) {
	t, err := r.records(ctx, nil)
	if err != nil || !s.Source.Same(r.Src) {
		return 0, 0, err
	}
	i, ok := t.RecordAt(s.Off)
	if !ok {
		return 0, 0, nil
	}
	end = i + 1
	if last, ok := t.RecordAt(s.End() - 1); ok {
		end = max(end, last+1)
	}
	return i, end, nil
}

func (r *recording) infosOver(ctx context.Context, s model.Span) (first, end int64, err error) {
	t, err := r.records(ctx, nil)
	if err != nil || r.Index == nil || !t.Indexed {
		return 0, 0, err
	}
	e, err := r.LoadEntries(ctx, r.Index)
	if err != nil {
		return 0, 0, err
	}
	first, end = crossref.RowsOver(s, e.Src, e.Off, container.InfoSize, min(e.Count, t.N()))
	return first, end, nil
}

// indexedBy is the entry of the index for a record.
func (r *recording) indexedBy(_ context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
	if r.Index != nil && r.table.Made().Indexed {
		visit(i)
	}
	return 0, nil
}

// streamAbove is the stream of the streams view that a node is in, and the places from the root down to the node.
func (r *recording) streamAbove(p *model.Place) (number int64, s *stream, down []*model.Place) {
	t, down := r.table.Made(), p.Segments()
	if t == nil || len(down) < 2 || down[0].Path() != container.StreamsView {
		return 0, nil, nil
	}
	row := down[1].Index - r.rowsOfTags()
	if row < 0 || row >= int64(len(t.rows)) {
		return 0, nil, nil
	}
	number = int64(t.rows[row])
	return number, t.streams[number], down
}

func (r *recording) streamOf(p *model.Place) (int64, bool) {
	number, s, down := r.streamAbove(p)
	return number, s != nil && len(down) == 2
}

// shownRecordOf is the record of the streams view that a node is, or is in.
func (r *recording) shownRecordOf(p *model.Place) (int64, bool) {
	_, s, down := r.streamAbove(p)
	if len(down) < 4 {
		return 0, false
	}
	for _, g := range groupNames {
		if g.name == down[2].Node.Name {
			return r.table.Made().record(s, g.kind, down[3].Index), true
		}
	}
	return 0, false
}

// maxConfigured bounds the records that are searched for images and sounds that a configuration record describes; maxConfiguredFar
// those of a recording on a server, where each is at a place of its own.
const (
	maxConfigured    = 1000
	maxConfiguredFar = 50
)

// configuredRecords are the records whose images and sounds a configuration record describes.
func (r *recording) configuredRecords(ctx context.Context, _ model.Progress, i int64, visit func(from int64) bool) (rest int64, err error) {
	t := r.table.Made()
	if t.Kind(i) != container.ConfigurationRecord {
		return 0, nil
	}
	data := t.group(t.streamOf(i), container.DataRecord)
	more, some := true, false
	most := int64(maxConfigured)
	if r.Src.Far() {
		most = maxConfiguredFar
	}
	first := t.AtTime(data, t.Time[i])
	for d := first; d < int64(len(data)); d++ {
		record := int64(data[d])
		if at, _ := t.ConfigurationFor(record); at != i {
			break
		}
		if d-first >= most && !some {
			break
		}
		if !more || d-first >= most {
			rest++ // not looked at: most records of a stream are alike
			continue
		}
		c, err := r.content(ctx, t, record)
		if err != nil {
			return rest, err
		}
		for b := range c.blocks {
			if c.blocks[b].configuredBy() == i {
				more, some = visit(record), true
			}
		}
	}
	return rest, nil
}

// describedBy are the descriptions of a stream.
func (r *recording) describedBy(_ context.Context, _ model.Progress, i int64, visit func(from int64) bool) (int64, error) {
	for k := 0; r.Desc != nil && k < len(r.Desc.Streams); k++ {
		if r.Desc.Streams[k].ID == r.table.Made().streams[i].id {
			visit(int64(k))
		}
	}
	return 0, nil
}

func (r *recording) descriptionsOver(_ context.Context, s model.Span) (first, end int64, err error) {
	for i := 0; r.Desc != nil && i < len(r.Desc.Streams); i++ {
		if d := &r.Desc.Streams[i]; s.Source.Same(r.Src) && s.Off >= d.Off && s.Off < d.End {
			return int64(i), int64(i) + 1, nil
		}
	}
	return 0, 0, nil
}

func (r *recording) fileTagsOver(_ context.Context, s model.Span) (first, end int64, err error) {
	if r.Desc == nil {
		return 0, 0, nil
	}
	for _, tag := range r.Desc.File {
		if tag.Src.Same(s.Source) && s.Off >= tag.Off && s.Off < tag.End {
			return 0, 1, nil
		}
	}
	return 0, 0, nil
}
