package vrs

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

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

// streamType is the type of a stream's node.
const streamType = "stream"

// groupNames are the names of a stream's groups of records, in the order in which they are shown.
var groupNames = []struct {
	kind recordType
	name string
}{{configurationRecord, "configuration"}, {stateRecord, "state"}, {dataRecord, "data"}, {tagsRecord, "tags records"}}

func groupName(kind recordType) string {
	for _, g := range groupNames {
		if g.kind == kind {
			return g.name
		}
	}
	return kind.String()
}

func streamPath(id streamID) string { return streamsView + "/" + id.String() }

// groupPath is the path of a stream's records of a type.
func groupPath(id streamID, kind recordType) string { return streamPath(id) + "/" + groupName(kind) }

// inStream is the path of record i in the streams view.
func (r *recording) inStream(t *table, i int64) string {
	return groupPath(t.id(i), t.kind(i)) + "/" + model.IndexName(t.position(i))
}

func (r *recording) streamsRoot(context.Context) model.Node {
	n := model.Node{Name: r.name, Type: "recording", Spans: []model.Span{r.src.Span(0, r.head.end(r.src.Size()))}, Principal: model.Group, Problems: r.problems}
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
	n.Brief = model.GroupedCount(int64(len(t.streams)), "stream") + ", " + model.GroupedCount(t.n(), "record")
	n.Problems = append(n.Problems[:len(n.Problems):len(n.Problems)], t.problems...)
	n.Children = r.streamList(t)
	return n
}

// streamSummary is what the row of a stream or of a record in one says besides its name; "" of other nodes.
func (r *recording) streamSummary(_ context.Context, n *model.Node) string {
	if at, ok := n.Value.(model.Float64); ok && isRecordType[n.Type] {
		if rounded := math.Round(float64(at)*1e9) / 1e9; !math.IsInf(rounded, 0) { // 1.14, whose nearest double is 1.1400000000000001
			return secondsText(rounded)
		}
		return secondsText(float64(at))
	}
	t := r.table.Made()
	if t == nil || n.Type != streamType {
		return ""
	}
	if i := t.streamNamed(n.Name); i >= 0 {
		return t.streams[i].summaryIn(t)
	}
	return ""
}

// streamNamed is the number of the stream whose node has a name; -1: there is none.
func (t *table) streamNamed(name string) int {
	return slices.IndexFunc(t.streams, func(s *stream) bool { return s.id.String() == name })
}

// rowsOfTags is how many rows the file's tags take before the streams.
func (r *recording) rowsOfTags() int64 {
	if r.desc == nil || len(r.desc.file) == 0 {
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
				return tagsNode(fileTagsName, r.desc.file)
			}
			return r.streamNode(t, t.streams[i-shift])
		},
		ByName: func(_ context.Context, name string) (int64, bool) {
			if shift > 0 && name == fileTagsName {
				return 0, true
			}
			i := t.streamNamed(name)
			return int64(i) + shift, i >= 0
		},
	}
}

func tagsNode(name string, list tagList) model.Node {
	n := model.Node{Name: name, Type: "tags", Brief: model.GroupedCount(int64(len(list)), "tag")}
	if len(list) > 0 {
		first, last := list[0], list[len(list)-1]
		n.Spans = []model.Span{first.src.Span(first.off, last.end-first.off)}
		n.Children = model.DeferList(func(context.Context) []model.Node {
			var nodes []model.Node
			for _, t := range list {
				node := model.Node{Name: t.name, Type: "tag", Value: model.Text(t.value), Spans: []model.Span{t.src.Span(t.off, t.end-t.off)}}
				if t.cut > 0 {
					node.Problems = []model.Problem{t.limit()}
				}
				nodes = append(nodes, node)
			}
			return nodes
		})
	}
	return n
}

// streamNode is one stream.
func (r *recording) streamNode(t *table, s *stream) model.Node {
	n := model.Node{Name: s.id.String(), Type: streamType, Value: model.Text(s.title()), Principal: model.Group, Help: s.help()}
	if r.desc != nil {
		for i := range r.desc.streams {
			if d := &r.desc.streams[i]; d.id == s.id {
				n.Spans = []model.Span{r.src.Span(d.off, d.end-d.off)}
			}
		}
	}
	if s.tagsFrom != unset {
		n.Refs = func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "tags", Path: groupPath(s.id, tagsRecord) + "/" + model.IndexName(t.position(s.tagsFrom))}}
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
			node := model.Node{Name: f.describe(), Type: "record format", Value: model.Text(f.text.value), Problems: f.problems(),
				Spans: []model.Span{f.text.src.Span(f.text.off, f.text.end-f.text.off)}}
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
			src := b.layout.source
			n.Spans = []model.Span{src.src.Span(src.off, src.end-src.off)}
			n.Children = model.DeferList(func(context.Context) []model.Node {
				var fields []model.Node
				for i := range b.layout.pieces {
					p := &b.layout.pieces[i]
					field := model.Node{Name: p.name, Type: p.typ, Help: p.help, Value: p.place()}
					fields = append(fields, field)
				}
				return fields
			})
		}
		nodes = append(nodes, n)
	}
	return nodes
}

// place is where a piece is: in the fixed part, or by its entry in the index of those of variable size.
func (p *piece) place() model.Value {
	switch {
	case !p.fixed:
		return model.Object{{Key: "index", Value: model.Int(p.entry)}}
	case p.off == unset || p.size == unset:
		return model.Text("place not known")
	}
	o := model.Object{{Key: "offset", Value: model.Int(p.off)}, {Key: "size", Value: model.Int(p.size)}}
	if p.kind == arrayPiece {
		o = append(o, model.Member{Key: "count", Value: model.Int(p.count)})
	}
	return o
}

// groupNode is the records of one type of a stream.
func (r *recording) groupNode(t *table, s *stream, kind recordType, name string, count int64) model.Node {
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
			k := t.atTime(group, time)
			return k, k < count
		},
		ByByte: func(_ context.Context, src *model.Source, off int64) (int64, bool) {
			i, ok := t.over(off)
			if !ok || !src.Same(r.src) || t.streamOf(i) != s || t.kind(i) != kind {
				return 0, false
			}
			return t.position(i), true
		},
	}
	n.Children = &recordRows{rows, r, t, s, kind}
	n.Cards = func(ctx context.Context) []model.Card {
		return append(r.groupCards(ctx, t, s, kind), r.copyCards(t)...)
	}
	return n
}

// streamRecord is record k of a stream's group.
func (r *recording) streamRecord(t *table, s *stream, kind recordType, k int64) model.Node {
	i := t.record(s, kind, k)
	span := r.src.Span(t.off[i], t.end(i)-t.off[i])
	n := model.Node{
		Name: model.IndexName(k), Type: kind.nodeType(), Value: model.Float64(t.time[i]), Brief: endText(t.time[i]), Spans: []model.Span{span},
		Help: "timestamp in seconds" + timeText(t.time[i]),
		Refs: func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "record", Path: r.recordPath(i), Span: span}}
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

// versionOffset is where a record header has the version of the record's format.
const versionOffset = 12

// contentNodes are the version of a record's format and its blocks, with the fields of data layouts in the order of their definition.
func (r *recording) contentNodes(t *table, c *content) []model.Node {
	nodes := []model.Node{{Name: "formatVersion", Type: "u32", Value: model.Uint(c.hdr.version), Spans: []model.Span{r.src.Span(c.hdr.off+versionOffset, 4)},
		Help: "selects the record format of the stream that describes the record"}}
	for k := range c.blocks {
		b := &c.blocks[k]
		n := blockNode(c, b)
		if b.data != nil {
			n.Children = model.DeferList(func(ctx context.Context) []model.Node {
				var fields []model.Node
				for i := range b.data.l.pieces {
					p := &b.data.l.pieces[i]
					f := r.fieldNode(ctx, b.data, p)
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
	if c.inflated != nil && c.inflated.fault != nil {
		nodes = append(nodes, model.Node{Name: "damage", Type: "compressed payload", Brief: "not all of it could be inflated", Problems: []model.Problem{*c.inflated.fault}})
	}
	return nodes
}

// configuredBy is the number of the configuration record that describes an image or audio; -1: none does.
func (b *blockContent) configuredBy() int64 {
	switch {
	case b.image != nil:
		return b.image.fromRecord
	case b.audio != nil:
		return b.audio.fromRecord
	}
	return -1
}
