package vrs

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"cutaway/decoders/vrs/container"
	"cutaway/model"
)

// The view by meaning: the file, its streams, their records, blocks and fields.

// Names of groups in the streams view.
const (
	fileTagsName = "file tags"
	userTagsName = "user tags"
	vrsTagsName  = "vrs tags"
	formatsName  = "formats"
)

// Types of nodes.
const (
	recordingType = "recording"
	streamType    = "stream"
)

// groupNames are the names of a stream's groups of records, in the order of their nodes.
var groupNames = []struct {
	kind container.RecordType
	name string
}{{container.ConfigurationRecord, "configuration"}, {container.StateRecord, "state"}, {container.DataRecord, "data"}, {container.TagsRecord, "tags records"}}

func groupName(kind container.RecordType) string {
	for _, g := range groupNames {
		if g.kind == kind {
			return g.name
		}
	}
	return kind.String()
}

// groupPath is the path of a stream's records of a type.
func groupPath(id container.StreamID, kind container.RecordType) string {
	return container.StreamPath(id) + "/" + groupName(kind)
}

// inStream is the path of record i in the streams view.
func (r *recording) inStream(t *table, i int64) string {
	return groupPath(t.ID(i), t.Kind(i)) + "/" + model.IndexName(t.Position(i))
}

func (r *recording) streamsRoot(context.Context) model.Node {
	n := model.Node{Name: r.Name, Type: recordingType, Spans: []model.Span{r.Src.Span(0, r.Head.End(r.Src.Size()))}, Principal: model.Group, Problems: r.Problems}
	n.Cards = func(context.Context) []model.Card {
		if t := r.table.Made(); t != nil {
			return r.copyCards(t)
		}
		return nil
	}
	t := r.table.Made()
	if t == nil {
		n.Brief = "streams"
		n.Children = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
			t, err := r.records(ctx, progress)
			if err != nil {
				return nil, err
			}
			return r.streamList(t), nil
		})
		return n
	}
	n.Brief = model.GroupedCount(int64(len(t.streams)), "stream") + ", " + model.GroupedCount(t.N(), "record")
	n.Problems = append(n.Problems[:len(n.Problems):len(n.Problems)], t.Problems...)
	n.Children = r.streamList(t)
	return n
}

// streamNamed returns the number of the stream whose node has a name, or -1.
func (t *table) streamNamed(name string) int {
	return slices.IndexFunc(t.streams, func(s *stream) bool { return s.id.String() == name })
}

// rowsOfTags returns the number of rows before the streams that the file's tags take.
func (r *recording) rowsOfTags() int64 {
	if r.Desc == nil || len(r.Desc.File) == 0 {
		return 0
	}
	return 1
}

// streamList is the file's tags and the streams.
func (r *recording) streamList(t *table) model.Children {
	shift := r.rowsOfTags()
	return &model.Rows{Count: int64(len(t.streams)) + shift,
		Make: func(_ context.Context, i int64) model.Node {
			if i < shift {
				return tagsNode(fileTagsName, r.Desc.File)
			}
			return r.makeStream(t, t.streams[t.rows[i-shift]])
		},
		ByName: func(_ context.Context, name string) (int64, bool) {
			if shift > 0 && name == fileTagsName {
				return 0, true
			}
			i := slices.Index(t.rows, t.streamNamed(name))
			return int64(i) + shift, i >= 0
		},
	}
}

func tagsNode(name string, list container.TagList) model.Node {
	n := model.Node{Name: name, Type: "tags", Brief: model.GroupedCount(int64(len(list)), "tag")}
	if len(list) > 0 {
		first, last := list[0], list[len(list)-1]
		n.Spans = []model.Span{first.Src.Span(first.Off, last.End-first.Off)}
		n.Children = model.DeferList(func(context.Context) []model.Node {
			var nodes []model.Node
			for _, t := range list {
				node := model.Node{Name: t.Name, Type: "tag", Value: model.Text(t.Value), Spans: []model.Span{t.Src.Span(t.Off, t.End-t.Off)}}
				if t.Cut > 0 {
					node.Problems = []model.Problem{t.Limit()}
				}
				nodes = append(nodes, node)
			}
			return nodes
		})
	}
	return n
}

// makeStream makes the node of a stream.
func (r *recording) makeStream(t *table, s *stream) model.Node {
	n := model.Node{Name: s.id.String(), Type: streamType, Value: model.Text(s.title()), Principal: model.Group, Help: s.help()}
	if r.Desc != nil {
		for i := range r.Desc.Streams {
			if d := &r.Desc.Streams[i]; d.ID == s.id {
				n.Spans = []model.Span{r.Src.Span(d.Off, d.End-d.Off)}
			}
		}
	}
	if s.tagsFrom != container.Unset {
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "tags", Path: groupPath(s.id, container.TagsRecord) + "/" + model.IndexName(t.Position(s.tagsFrom))}}
		}
	}
	n.Cards = func(context.Context) []model.Card { return r.copyCards(t) }
	n.Children = model.DeferList(func(context.Context) []model.Node {
		var nodes []model.Node
		if len(s.user) > 0 {
			nodes = append(nodes, tagsNode(userTagsName, s.user))
		}
		if len(s.vrs) > 0 {
			nodes = append(nodes, tagsNode(vrsTagsName, s.vrs))
		}
		if formats := s.allFormats(); len(formats) > 0 {
			nodes = append(nodes, formatsNode(formats))
		}
		for _, g := range groupNames {
			if n := t.count(s, g.kind); n > 0 {
				nodes = append(nodes, r.groupNode(t, s, g.kind, g.name, n))
			}
		}
		return nodes
	})
	return n
}

// title is the stream's name with its flavor.
func (s *stream) title() string {
	title := s.name()
	if f := s.flavor(); f != "" {
		title += ", " + f
	}
	return title
}

func (s *stream) help() string {
	if name := s.originalName(); name != "" && name != s.name() {
		return "recorded as " + name
	}
	return ""
}

// formatsNode is the record formats of a stream.
func formatsNode(formats []*recordFormat) model.Node {
	n := model.Node{Name: formatsName, Type: "record formats", Brief: model.GroupedCount(int64(len(formats)), "format")}
	n.Children = model.DeferList(func(context.Context) []model.Node {
		var nodes []model.Node
		for _, f := range formats {
			node := model.Node{Name: f.describe(), Type: "record format", Value: model.Text(f.text.Value), Problems: f.problems(),
				Spans: []model.Span{f.text.Src.Span(f.text.Off, f.text.End-f.text.Off)}}
			node.Children = model.DeferList(func(context.Context) []model.Node { return formatBlocks(f) })
			nodes = append(nodes, node)
		}
		return nodes
	})
	return n
}

func formatBlocks(f *recordFormat) []model.Node {
	var nodes []model.Node
	for k := range f.blocks {
		b := &f.blocks[k]
		n := model.Node{Name: b.typ.String(), Type: "content block", Value: model.Text(b.text)}
		if b.layout != nil {
			src := b.layout.Source
			n.Spans = []model.Span{src.Src.Span(src.Off, src.End-src.Off)}
			n.Children = model.DeferList(func(context.Context) []model.Node {
				var fields []model.Node
				for i := range b.layout.Pieces {
					p := &b.layout.Pieces[i]
					field := model.Node{Name: p.Name, Type: p.Typ, Help: p.Help, Value: p.Place()}
					fields = append(fields, field)
				}
				return fields
			})
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// groupNode is the records of one type of a stream.
func (r *recording) groupNode(t *table, s *stream, kind container.RecordType, name string, count int64) model.Node {
	group := t.group(s, kind)
	n := model.Node{Name: name, Type: kind.String() + " records", Principal: model.Group, Brief: model.GroupedCount(count, "record")}
	rows := &model.Rows{
		Count: count,
		Make:  func(_ context.Context, k int64) model.Node { return r.streamRecord(t, s, kind, k) },
		ByName: func(_ context.Context, name string) (int64, bool) {
			// "t=12.5" is the first record at or after that time.
			text, ok := strings.CutPrefix(name, "t=")
			time, err := strconv.ParseFloat(text, 64)
			if !ok || err != nil {
				return 0, false
			}
			k := t.AtTime(group, time)
			return k, k < count
		},
		ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
			i, ok := t.RecordAt(off)
			if !ok || !src.Same(r.Src) || t.streamOf(i) != s || t.Kind(i) != kind {
				return 0, false
			}
			return t.Position(i), true
		},
	}
	n.Children = &recordRows{rows, r, t, s, kind}
	n.Cards = func(ctx context.Context) []model.Card {
		return append(r.groupCards(ctx, t, s, kind), r.copyCards(t)...)
	}
	return n
}

// streamRecord is record k of a stream's group.
func (r *recording) streamRecord(t *table, s *stream, kind container.RecordType, k int64) model.Node {
	i := t.record(s, kind, k)
	span := r.Src.Span(t.Off[i], t.End(i)-t.Off[i])
	n := model.Node{
		Name: model.IndexName(k), Type: kind.NodeType(), Value: model.Float64(t.Time[i]), Brief: container.EndText(t.Time[i]), Spans: []model.Span{span},
		Help: "timestamp in seconds" + container.TimeText(t.Time[i]),
		Refs: func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "record", Path: r.RecordPath(i), Span: span}}
		},
		Cards: func(ctx context.Context) []model.Card { return append(r.mediaCards(ctx, t, i), r.copyCards(t)...) },
	}
	n.Children = r.shown.Of(shownRecord{false, i}, func() *model.Lazy {
		return model.NewLazy(func(ctx context.Context, _ model.Progress) (model.Children, error) {
			c, err := r.content(ctx, t, i)
			if err != nil {
				return nil, err
			}
			return model.NewList(r.contentNodes(t, c)...), nil
		})
	})
	return n
}

// contentNodes are the version of a record's format and its blocks, with the fields of data layouts in the order of their definition.
func (r *recording) contentNodes(t *table, c *content) []model.Node {
	nodes := []model.Node{{Name: "formatVersion", Type: "u32", Value: model.Uint(c.hdr.Version()), Spans: []model.Span{r.Span(c.hdr.Off, container.FieldFormatVersion)},
		Help: "selects the record format of the stream that describes the record"}}
	for k := range c.blocks {
		b := &c.blocks[k]
		n := blockNode(c, b)
		if b.data != nil {
			n.Children = model.DeferList(func(ctx context.Context) []model.Node {
				var fields []model.Node
				for i := range b.data.Layout.Pieces {
					p := &b.data.Layout.Pieces[i]
					f := b.data.FieldNode(ctx, p)
					f.Cards = func(context.Context) []model.Card { return r.fieldCards(t, c, k, p) }
					fields = append(fields, f)
				}
				return fields
			})
		}
		if i := b.configuredBy(); i >= 0 {
			n.Refs = func(context.Context) []model.Ref { return []model.Ref{{Kind: "configuration", Path: r.inStream(t, i)}} }
		}
		nodes = append(nodes, n)
	}
	if c.rest < c.end {
		at := c.src.Span(c.rest, c.end-c.rest)
		nodes = append(nodes, model.Node{Name: restName(c), Type: "bytes", Spans: []model.Span{at}, Value: model.Blob{Span: at}, Problems: c.problems, Help: c.undone})
	}
	if c.inflated != nil && c.inflated.Fault != nil {
		nodes = append(nodes, model.Node{Name: "damage", Type: "compressed payload", Brief: "not all of it could be inflated", Problems: []model.Problem{*c.inflated.Fault}})
	}
	return nodes
}

// configuredBy returns the number of the configuration record that describes an image or audio, or -1.
func (b *blockContent) configuredBy() int64 {
	switch {
	case b.image != nil:
		return b.image.FromRecord
	case b.audio != nil:
		return b.audio.FromRecord
	}
	return -1
}
