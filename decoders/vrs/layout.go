package vrs

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cutaway/model"
)

// part is a piece of the layout that is known when the file is open, in the order of the file.
type part struct {
	name     string
	off, end int64
	make     func(context.Context) model.Node
}

const (
	recordsName = "records"
	payloadName = "payload"
)

// path is the path of a node of the layout, whatever the recording is in.
func (r *recording) path(below string) string { return r.src.LayoutPath() + "/" + below }

func (r *recording) recordPath(i int64) string  { return r.path(recordsName) + "/" + model.IndexName(i) }
func (r *recording) payloadPath(i int64) string { return r.recordPath(i) + "/" + payloadName }

// addRest adds bytes between parts, if there are any.
func (r *recording) addRest(name string, off, end int64, help string) {
	if off >= end {
		return
	}
	role, problems := model.Unknown, []model.Problem(nil)
	at := r.src.Span(off, end-off)
	switch name {
	case "reserve":
		role = model.Padding
	case "unreferenced":
		role = model.Unreferenced
	case "trailing":
		if problems = r.foreignParts(off); problems == nil {
			problems = []model.Problem{model.Problemf(model.Suspicious, ruleTrailingBytes, at, "%s", help)}
		}
	}
	for taken := 2; slices.ContainsFunc(r.parts, func(p part) bool { return p.name == name }); taken++ {
		name = fmt.Sprintf("%s %d", name, taken)
	}
	r.parts = append(r.parts, part{name, off, end, func(context.Context) model.Node {
		n := bytesNode(name, at, role, help)
		n.Problems = problems
		return n
	}})
}

// addRecords adds the run of records, whose inside is found when it is looked at.
func (r *recording) addRecords() {
	off, end := r.first, max(r.last, r.first)
	lazy := model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		t, err := r.records(ctx, progress)
		if err != nil {
			return nil, err
		}
		return &run{r, t}, nil
	})
	r.parts = append(r.parts, part{recordsName, off, end, func(context.Context) model.Node {
		n := model.Node{Name: recordsName, Type: "record[]", Spans: []model.Span{r.src.Span(off, end-off)}, Children: lazy}
		if t := r.table.Made(); t != nil {
			n.Brief, n.Problems = model.GroupedCount(t.n(), "record"), t.problems
		}
		return n
	}})
}

func (r *recording) layoutRoot(context.Context) model.Node {
	children := &model.Rows{Count: int64(len(r.parts)),
		Make: func(ctx context.Context, i int64) model.Node { return r.parts[i].make(ctx) },
		ByName: func(_ context.Context, name string) (int64, bool) {
			i := slices.IndexFunc(r.parts, func(p part) bool { return p.name == name })
			return int64(i), i >= 0
		},
	}
	return model.Node{Name: r.name, Type: "VRS file", Spans: []model.Span{r.src.Whole()}, Children: children, Problems: r.problems}
}

// run is the records in the order of the file, with what is between them.
type run struct {
	r *recording
	t *table
}

// Len implements model.Children.
func (u *run) Len(context.Context) (int64, bool) { return u.t.n() + int64(len(u.t.extra)), true }

// At implements model.Children.
func (u *run) At(_ context.Context, i int64) model.Node {
	x := int64(sort.Search(len(u.t.extra), func(x int) bool { return u.t.extra[x].before+int64(x) >= i }))
	if x < int64(len(u.t.extra)) && u.t.extra[x].before+x == i {
		return u.t.extra[x].make()
	}
	return u.r.recordNode(u.t, i-x)
}

// child is the number among the children of record i.
func (u *run) child(i int64) int64 {
	return i + int64(sort.Search(len(u.t.extra), func(x int) bool { return u.t.extra[x].before > i }))
}

// Find implements model.Finder.
func (u *run) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return u.locate(ctx, q.Source, q.Off)
	}
	return u.index(ctx, q.Name)
}

func (u *run) index(_ context.Context, name string) (int64, bool) {
	if i, ok := model.ParseIndex(name); ok {
		return u.child(i), i < u.t.n()
	}
	for x := range u.t.extra {
		if u.t.extra[x].name == name {
			return u.t.extra[x].before + int64(x), true
		}
	}
	return 0, false
}

func (u *run) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(u.r.src) {
		return 0, false
	}
	if i, ok := u.t.over(off); ok {
		return u.child(i), true
	}
	x := sort.Search(len(u.t.extra), func(x int) bool { return u.t.extra[x].end > off })
	if x < len(u.t.extra) && u.t.extra[x].off <= off {
		return u.t.extra[x].before + int64(x), true
	}
	return 0, false
}

// recordNode is record i in the layout.
func (r *recording) recordNode(t *table, i int64) model.Node {
	off, end := t.off[i], t.end(i)
	s := t.streamOf(i)
	n := model.Node{
		Name: model.IndexName(i), Type: t.kind(i).nodeType(), Brief: s.id.String() + " at " + secondsText(t.time[i]),
		Spans: []model.Span{r.src.Span(off, end-off)},
		Refs: func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "stream", Path: r.inStream(t, i), Text: s.id.String()}}
		},
	}
	n.Children = model.DeferList(func(ctx context.Context) []model.Node {
		nodes := []model.Node{r.headerNode(ctx, off, end)}
		at := off + r.head.recordHeaderSize
		if h, err := r.headerAt(ctx, off); err == nil && at < end {
			nodes = append(nodes, r.payloadNode(t, i, h, r.src.Span(at, end-at)))
		}
		return nodes
	})
	return n
}

// payloadNode is the payload of record i: its blocks, or compressed bytes that a source is made of.
func (r *recording) payloadNode(t *table, i int64, h recordHeader, at model.Span) model.Node {
	n := model.Node{Name: payloadName, Type: "payload", Spans: []model.Span{at}}
	if !r.compressed(&h, at.Len) {
		n.Children = r.shown.Of(shownRecord{true, i}, func() *model.Lazy {
			return model.NewLazy(func(ctx context.Context, _ model.Progress) (model.Children, error) {
				c, err := r.content(ctx, t, i)
				if err != nil {
					return nil, err
				}
				return model.NewList(payloadParts(c)...), nil
			})
		})
		return n
	}
	n.Type = compressionNames[h.compression] + " frame"
	n.Brief = fmt.Sprintf("%s of %s", model.GroupedCount(at.Len, "byte"), model.Grouped(int64(h.uncompressed)))
	n.Value = model.Blob{Span: at}
	n.Derived = []*model.Derivation{{
		Name: inflatedName, Title: fmt.Sprintf("record %d", i), Codec: compressionNames[h.compression],
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			c, err := r.content(ctx, t, i)
			if err != nil {
				return nil, model.Node{}, err
			}
			if c.inflated == nil {
				return nil, model.Node{}, fmt.Errorf("record [%d] has no payload to inflate", i)
			}
			root := model.Node{Name: payloadName, Type: "payload", Spans: []model.Span{c.src.Whole()}}
			if c.inflated.fault != nil {
				root.Problems = []model.Problem{*c.inflated.fault}
			}
			if c.src.Size() > 0 {
				root.Children = model.NewList(payloadParts(c)...)
			}
			return c.src, root, nil
		},
	}}
	return n
}

// payloadParts are the blocks of a payload and what is left of it.
func payloadParts(c *content) []model.Node {
	nodes := make([]model.Node, 0, len(c.blocks)+1)
	for k := range c.blocks {
		nodes = append(nodes, blockNode(c, &c.blocks[k]))
	}
	if c.rest < c.end || len(nodes) == 0 && len(c.problems) > 0 {
		at := c.src.Span(c.rest, c.end-c.rest)
		rest := bytesNode(restName(c), at, model.Unknown, c.undone)
		rest.Problems = c.problems
		nodes = append(nodes, rest)
	}
	return nodes
}

// restName is the name of what is not decoded of a payload.
func restName(c *content) string {
	switch {
	case c.format == nil:
		return "undescribed"
	case len(c.blocks) == len(c.format.blocks):
		return "trailing"
	}
	return "undecoded"
}

// blockNode is one content block in the layout.
func blockNode(c *content, b *blockContent) model.Node {
	at := c.src.Span(b.off, b.end-b.off)
	n := model.Node{Name: b.b.typ.String(), Type: b.b.typ.String(), Spans: []model.Span{at}, Problems: b.problems, Help: b.b.text}
	switch {
	case b.data != nil:
		n.Brief = model.GroupedCount(int64(len(b.data.l.pieces)), "field")
		n.Children = model.DeferList(func(ctx context.Context) []model.Node { return layoutParts(ctx, b.data) })
	case b.image != nil:
		n.Type, n.Brief = "image/"+b.image.format.String(), b.image.describe()
		n.Children = imageParts(at, b.image)
		n.Cards = func(context.Context) []model.Card { return b.cards(c) }
	case b.audio != nil:
		n.Type, n.Brief = "audio/"+b.audio.format.String(), b.audio.describe()
		n.Cards = func(context.Context) []model.Card { return b.cards(c) }
		audioParts(&n, at, b.audio)
	case b.b.name != "":
		n.Type = "custom/" + b.b.name
	}
	if n.Children == nil {
		n.Value = model.Blob{Span: at}
	}
	if n.Value != nil && n.Brief != "" {
		n.Help, n.Brief = n.Help+": "+n.Brief, ""
	}
	return n
}

// imageParts are the planes of a raw image; the rows of each are elements.
func imageParts(at model.Span, s *imageSpec) model.Children {
	if s.format != rawImage || !s.sized() || s.size() != at.Len || at.Len == 0 {
		return nil
	}
	var nodes []model.Node
	for _, p := range imagePlanes(&pixelFormats[s.pixels], s.width, s.height, s.stride, s.stride2) {
		if p.size() == 0 {
			continue
		}
		span := at.Source.Span(at.Off+p.off, p.size())
		rows := model.FixedRows(at.Source, span.Off, p.stride, p.rows, func(_ context.Context, i int64) model.Node {
			row := at.Source.Span(span.Off+i*p.stride, p.stride)
			return model.Node{Name: model.IndexName(i), Type: "row", Spans: []model.Span{row}, Value: model.Blob{Span: row}}
		})
		nodes = append(nodes, model.Node{Name: p.name, Type: "row[]", Brief: fmt.Sprintf("%s of %s", model.GroupedCount(p.rows, "row"), model.GroupedCount(p.stride, "byte")),
			Spans: []model.Span{span}, Elements: true, Children: rows, Value: model.Blob{Span: span}})
	}
	if len(nodes) == 0 {
		return nil
	}
	return model.NewList(nodes...)
}

// audioParts makes the sample frames elements of the node.
func audioParts(n *model.Node, at model.Span, s *audioSpec) {
	if s.format != pcmAudio || at.Len == 0 || s.frame()*s.count != at.Len {
		return
	}
	frame, number := s.frame(), sampleFormats[s.samples].number
	each := number.Size()
	n.Elements = true
	n.Value = model.Blob{Span: at}
	n.Children = model.FixedRows(at.Source, at.Off, frame, s.count, func(ctx context.Context, i int64) model.Node {
		span := at.Source.Span(at.Off+i*frame, frame)
		row := model.Node{Name: model.IndexName(i), Type: "sample frame", Spans: []model.Span{span}}
		b, err := at.Source.Bytes(ctx, span.Off, min(each*s.channels, frame))
		if err != nil {
			return row
		}
		values := model.Tuple{}
		for c := int64(0); (c+1)*each <= int64(len(b)); c++ {
			values = append(values, number.Decode(b[c*each:], false))
		}
		row.Value = values
		return row
	})
}
