package vrs

import (
	"context"
	"fmt"
	"slices"
	"sort"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/decoders/vrs/media"
	"cutaway/model"
)

// makeRecordsNode returns the maker of the node of the records, which are found when somebody looks.
func (r *recording) makeRecordsNode() func(context.Context) model.Node {
	lazy := model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		t, err := r.records(ctx, progress)
		if err != nil {
			return nil, err
		}
		return &run{r, t}, nil
	})
	return func(context.Context) model.Node {
		at := r.Src.Span(r.First, max(r.Last-r.First, 0))
		n := model.Node{Name: container.RecordsName, Type: "record[]", Spans: []model.Span{at}, Children: lazy}
		if t := r.table.Made(); t != nil {
			n.Brief, n.Problems = model.GroupedCount(t.N(), "record"), t.Problems
		}
		return n
	}
}

// entryRefs returns the links of entry i of the index, or nil if it has none.
func (r *recording) entryRefs(i int64) func(context.Context) []model.Ref {
	t := r.table.Made()
	if t == nil || !t.Indexed || i >= t.N() {
		return nil
	}
	return func(context.Context) []model.Ref {
		return []model.Ref{{Kind: "record", Path: r.RecordPath(i), Span: r.Src.Span(t.Off[i], t.End(i)-t.Off[i])}}
	}
}

func (r *recording) layoutRoot(context.Context) model.Node {
	children := &model.Rows{Count: int64(len(r.Parts)),
		Make: func(ctx context.Context, i int64) model.Node { return r.Parts[i].Make(ctx) },
		ByName: func(_ context.Context, name string) (int64, bool) {
			i := slices.IndexFunc(r.Parts, func(p container.Section) bool { return p.Name == name })
			return int64(i), i >= 0
		},
	}
	return model.Node{Name: r.Name, Type: "VRS file", Spans: []model.Span{r.Src.Whole()}, Children: children, Problems: r.Problems}
}

// run is the records in the order of the file, with what is between them.
type run struct {
	r *recording
	t *table
}

var _ model.Children = (*run)(nil)

func (u *run) Len(context.Context) (int64, bool) { return u.t.N() + int64(len(u.t.Extra)), true }

func (u *run) At(_ context.Context, i int64) model.Node {
	x := int64(sort.Search(len(u.t.Extra), func(x int) bool { return u.t.Extra[x].Before+int64(x) >= i }))
	if x < int64(len(u.t.Extra)) && u.t.Extra[x].Before+x == i {
		return u.t.Extra[x].Make()
	}
	return u.r.recordNode(u.t, i-x)
}

// child is the number among the children of record i.
func (u *run) child(i int64) int64 {
	return i + int64(sort.Search(len(u.t.Extra), func(x int) bool { return u.t.Extra[x].Before > i }))
}

func (u *run) Find(ctx context.Context, q model.Query) (int64, bool) {
	if q.Source != nil {
		return u.locate(ctx, q.Source, q.Off)
	}
	return u.index(ctx, q.Name)
}

func (u *run) index(_ context.Context, name string) (int64, bool) {
	if i, ok := model.ParseIndex(name); ok {
		return u.child(i), i < u.t.N()
	}
	for x := range u.t.Extra {
		if u.t.Extra[x].Name == name {
			return u.t.Extra[x].Before + int64(x), true
		}
	}
	return 0, false
}

func (u *run) locate(_ context.Context, src *model.Source, off int64) (int64, bool) {
	if !src.Same(u.r.Src) {
		return 0, false
	}
	if i, ok := u.t.RecordAt(off); ok {
		return u.child(i), true
	}
	x := sort.Search(len(u.t.Extra), func(x int) bool { return u.t.Extra[x].End > off })
	if x < len(u.t.Extra) && u.t.Extra[x].Off <= off {
		return u.t.Extra[x].Before + int64(x), true
	}
	return 0, false
}

// recordNode is record i in the layout.
func (r *recording) recordNode(t *table, i int64) model.Node {
	off, end := t.Off[i], t.End(i)
	s := t.streamOf(i)
	n := model.Node{
		Name: model.IndexName(i), Type: t.Kind(i).NodeType(), Brief: s.id.String() + " at " + container.SecondsText(t.Time[i]),
		Spans: []model.Span{r.Src.Span(off, end-off)},
		Refs: func(context.Context) []model.Ref {
			return []model.Ref{{Kind: "stream", Path: r.inStream(t, i), Text: s.id.String()}}
		},
	}
	n.Children = model.DeferList(func(ctx context.Context) []model.Node {
		nodes := []model.Node{r.HeaderNode(ctx, off, end)}
		at := off + r.Head.RecordHeaderSize
		if h, err := r.HeaderAt(ctx, off); err == nil && at < end {
			nodes = append(nodes, r.payloadNode(t, i, h, r.Src.Span(at, end-at)))
		}
		return nodes
	})
	return n
}

// payloadNode is the payload of record i: its blocks, or compressed bytes that a source is made of.
func (r *recording) payloadNode(t *table, i int64, h container.Header, at model.Span) model.Node {
	n := model.Node{Name: container.PayloadName, Type: "payload", Spans: []model.Span{at}}
	if !r.Compressed(&h, at.Len) {
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
	n.Type = container.CompressionNames[h.Compression()] + " frame"
	n.Brief = fmt.Sprintf("%s of %s", model.GroupedCount(at.Len, "byte"), model.Grouped(int64(h.Uncompressed())))
	n.Value = model.Blob{Span: at}
	n.Derived = []*model.Derivation{{
		Name: container.InflatedName, Title: fmt.Sprintf("record %d", i), Codec: container.CompressionNames[h.Compression()],
		Open: func(ctx context.Context) (*model.Source, model.Node, error) {
			c, err := r.content(ctx, t, i)
			if err != nil {
				return nil, model.Node{}, err
			}
			if c.inflated == nil {
				return nil, model.Node{}, fmt.Errorf("record [%d] has no payload to inflate", i)
			}
			root := model.Node{Name: container.PayloadName, Type: "payload", Spans: []model.Span{c.src.Whole()}}
			if c.inflated.Fault != nil {
				root.Problems = []model.Problem{*c.inflated.Fault}
			}
			if c.src.Size() > 0 {
				root.Children = model.NewList(payloadParts(c)...)
			}
			return c.src, root, nil
		},
	}}
	return n
}

// payloadParts returns the nodes of the blocks of a payload, and of the rest.
func payloadParts(c *content) []model.Node {
	nodes := make([]model.Node, 0, len(c.blocks)+1)
	for k := range c.blocks {
		nodes = append(nodes, blockNode(c, &c.blocks[k]))
	}
	if c.rest < c.end || len(nodes) == 0 && len(c.problems) > 0 {
		at := c.src.Span(c.rest, c.end-c.rest)
		rest := container.BytesNode(restName(c), at, model.Unknown, c.undone)
		rest.Problems = c.problems
		nodes = append(nodes, rest)
	}
	return nodes
}

// restName returns the name of the bytes of a payload that are not decoded.
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
		n.Brief = model.GroupedCount(int64(len(b.data.Layout.Pieces)), "field")
		n.Children = model.DeferList(func(ctx context.Context) []model.Node { return layout.Parts(ctx, b.data) })
	case b.image != nil:
		n.Type, n.Brief = "image/"+b.image.Format.String(), b.image.Describe()
		n.Children = imageParts(at, b.image)
		n.Cards = func(context.Context) []model.Card { return b.cards(c) }
	case b.audio != nil:
		n.Type, n.Brief = "audio/"+b.audio.Format.String(), b.audio.Describe()
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
func imageParts(at model.Span, s *media.ImageSpec) model.Children {
	if s.Format != media.RawImage || !s.Sized() || s.Size() != at.Len || at.Len == 0 {
		return nil
	}
	var nodes []model.Node
	for _, p := range media.ImagePlanes(&media.PixelFormats[s.Pixels], s.Width, s.Height, s.Stride, s.Stride2) {
		if p.Size() == 0 {
			continue
		}
		span := at.Source.Span(at.Off+p.Off, p.Size())
		rows := model.FixedRows(at.Source, span.Off, p.Stride, p.Rows, func(_ context.Context, i int64) model.Node {
			row := at.Source.Span(span.Off+i*p.Stride, p.Stride)
			return model.Node{Name: model.IndexName(i), Type: "row", Spans: []model.Span{row}, Value: model.Blob{Span: row}}
		})
		nodes = append(nodes, model.Node{Name: p.Name, Type: "row[]", Brief: fmt.Sprintf("%s of %s", model.GroupedCount(p.Rows, "row"), model.GroupedCount(p.Stride, "byte")),
			Spans: []model.Span{span}, Elements: true, Children: rows, Value: model.Blob{Span: span}})
	}
	if len(nodes) == 0 {
		return nil
	}
	return model.NewList(nodes...)
}

// audioParts makes the sample frames elements of the node.
func audioParts(n *model.Node, at model.Span, s *media.AudioSpec) {
	if s.Format != media.PcmAudio || at.Len == 0 || s.Frame()*s.Count != at.Len {
		return
	}
	frame, number := s.Frame(), media.SampleFormats[s.Samples].Number
	each := number.Size()
	n.Elements = true
	n.Value = model.Blob{Span: at}
	n.Children = model.FixedRows(at.Source, at.Off, frame, s.Count, func(ctx context.Context, i int64) model.Node {
		span := at.Source.Span(at.Off+i*frame, frame)
		row := model.Node{Name: model.IndexName(i), Type: "sample frame", Spans: []model.Span{span}}
		b, err := at.Source.Bytes(ctx, span.Off, min(each*s.Channels, frame))
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
