package vrs

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"

	"cutaway/decoders/vrs/container"
	"cutaway/decoders/vrs/layout"
	"cutaway/model"
)

// Fields of data layouts over the records of a stream, as tables and against time.

// columns reads fields of one data layout block out of the records of a group. Records of another version have none.
type columns struct {
	r       *recording
	t       *table
	s       *stream
	kind    container.RecordType
	group   []uint32
	version uint32
	block   int
	format  *recordFormat
	layout  *layout.Layout
	prefix  string   // of the paths of records
	fields  []string // what follows the record's path in those of its fields
}

// columnsOf prepares to read block k of a format; nil where that is no data layout.
func (r *recording) columnsOf(t *table, s *stream, f *recordFormat, k int) *columns {
	if f == nil || k >= len(f.blocks) || f.blocks[k].layout == nil || f.blocks[k].layout.Broken != "" {
		return nil
	}
	c := &columns{r: r, t: t, s: s, kind: f.kind, group: t.group(s, f.kind), version: f.version, block: k, format: f, layout: f.blocks[k].layout}
	c.prefix = groupPath(s.id, f.kind) + "/"
	var blocks, fields model.Segments
	for i := range f.blocks[:k+1] {
		blocks.Add(f.blocks[i].typ.String())
	}
	name := "/" + model.EscapeSegment(blocks.At(int64(k))) + "/"
	for i := range c.layout.Pieces {
		c.fields = append(c.fields, name+model.EscapeSegment(fields.Add(c.layout.Pieces[i].Name)))
	}
	return c
}

// fieldPath is the path of a field of record k of the group.
func (c *columns) fieldPath(k int64, field int) string {
	return c.prefix + model.IndexName(k) + c.fields[field]
}

// data locates the block in record k of the group; nil where the record has none. The first block is located without
// looking at the others. Records that are read one after the other share a scan. The error is that of ctx.
func (c *columns) data(ctx context.Context, k int64, scan *container.HeaderScan) (*layout.Data, error) {
	i := int64(c.group[k])
	if c.block > 0 {
		return c.located(ctx, i)
	}
	h, err := scan.At(ctx, c.t.Off[i])
	if err != nil || h.Version() != c.version || h.Kind() != c.kind {
		return nil, ctx.Err()
	}
	off := h.Off + c.r.Head.RecordHeaderSize
	at := c.r.Src.Span(off, c.t.End(i)-off)
	if c.r.Compressed(&h, at.Len) {
		if h.Uncompressed() > smallInflated {
			return c.located(ctx, i)
		}
		in, err := c.r.inflateOnce(ctx, i, &h, at)
		if in == nil || err != nil {
			return nil, err
		}
		at = in.Whole()
	}
	read := at.Source.Bytes
	if at.Source == c.r.Src {
		read = scan.Bytes
	}
	d, _ := layout.ReadBy(ctx, c.layout, at.Source, at.Off, at.Len, read)
	return d, nil
}

// located takes the whole record apart.
func (c *columns) located(ctx context.Context, i int64) (*layout.Data, error) {
	all, err := c.r.content(ctx, c.t, i)
	if err != nil || all.format != c.format || len(all.blocks) <= c.block {
		return nil, err
	}
	return all.blocks[c.block].data, nil
}

// smallInflated is up to how many bytes a payload is rather inflated again than kept.
const smallInflated = 64 << 10

// inflateOnce decompresses a payload without keeping it in the cache; nil where it is damaged.
func (r *recording) inflateOnce(ctx context.Context, i int64, h *container.Header, in model.Span) (*model.Source, error) {
	size := int64(h.Uncompressed())
	if container.RefusedSize(ctx, h.Compression(), in, size) != nil {
		return nil, ctx.Err()
	}
	var out bytes.Buffer
	if err := container.FrameCopier(h.Compression())(ctx, &out, in, size, -1); err != nil {
		return nil, ctx.Err()
	}
	return model.Derive(r.PayloadPath(i), container.InflatedName, "", model.BytesReader(out.Bytes()),
		model.Origin{Parent: in.Source, Spans: []model.Span{in}, Codec: container.CompressionNames[h.Compression()]}), ctx.Err()
}

// fieldTable shows all fields, or one, of the records of a group.
type fieldTable struct {
	model.CardBase
	c      *columns
	pieces []int
}

var _ model.Table = (*fieldTable)(nil)

func (f *fieldTable) Columns() []model.Column {
	list := []model.Column{{Name: "timestamp", Type: "double"}}
	for _, p := range f.pieces {
		list = append(list, model.Column{Name: f.c.layout.Pieces[p].Name, Type: f.c.layout.Pieces[p].Typ})
	}
	return list
}

func (f *fieldTable) Rows() (int64, bool) { return int64(len(f.c.group)), true }

func (f *fieldTable) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	scan := f.c.r.NewHeaderScan()
	for n, row := range dst {
		k := first + int64(n)
		if k >= int64(len(f.c.group)) {
			return n, nil
		}
		i := f.c.group[k]
		row[0] = model.Cell{Value: model.Float64(f.c.t.Time[i]), Spans: []model.Span{f.c.r.Span(f.c.t.Off[i], container.FieldTimestamp)},
			Path: f.c.prefix + model.IndexName(k)}
		d, err := f.c.data(ctx, k, scan)
		if err != nil {
			return n, err
		}
		for col, p := range f.pieces {
			cell := model.Cell{}
			if d != nil {
				v, at := d.Value(ctx, &f.c.layout.Pieces[p])
				cell.Value, cell.Path = v, f.c.fieldPath(k, p)
				if at.Source != nil && at.Len > 0 {
					cell.Spans = []model.Span{at}
				}
			}
			row[col+1] = cell
		}
	}
	return len(dst), nil
}

// fieldSeries shows one number of a field against time.
type fieldSeries struct {
	model.CardBase
	c     *columns
	piece int
	elem  int64 // of an array
	comp  int   // of a point or matrix
}

var _ model.Series = (*fieldSeries)(nil)

func (f *fieldSeries) Unit() string { return f.c.layout.Pieces[f.piece].Unit }

func (f *fieldSeries) Points() (int64, bool) { return int64(len(f.c.group)), true }

// Read implements model.Series. Where a record does not have the field, there is no value.
func (f *fieldSeries) Read(ctx context.Context, first int64, dst []model.Point) (int, error) {
	p := &f.c.layout.Pieces[f.piece]
	scan := f.c.r.NewHeaderScan()
	for n := range dst {
		k := first + int64(n)
		if k >= int64(len(f.c.group)) {
			return n, nil
		}
		d, err := f.c.data(ctx, k, scan)
		if err != nil {
			return n, err
		}
		point := model.Point{Time: f.c.t.Time[f.c.group[k]], Value: math.NaN(), None: true, Path: f.c.fieldPath(k, f.piece)}
		if d != nil {
			if at, ok := d.Bytes(p); ok {
				size := p.Elem.Of.Size()
				at = d.Src.Span(at.Off+f.elem*p.Elem.Size()+int64(f.comp)*size, size)
				if b, err := d.Read(ctx, p); err == nil {
					point.None, point.Span = false, at
					point.SetNumber(p.Elem.Number(b[f.elem*p.Elem.Size():], f.comp))
				}
			}
		}
		dst[n] = point
	}
	return len(dst), nil
}

// maxElementSeries bounds the elements of an array that is shown as series.
const maxElementSeries = 16

// series are the numbers of a field of fixed size.
func (c *columns) series(piece int) (cards []model.Card) {
	p := &c.layout.Pieces[piece]
	if !p.Fixed || p.Elem == nil || p.Count > maxElementSeries {
		return nil
	}
	for e := range p.Count {
		for comp := range p.Elem.Numbers {
			title := p.Name
			if p.IsArray() {
				title += model.IndexName(e)
			}
			cards = append(cards, &fieldSeries{model.CardBase{Title: title + p.Elem.NumberName(comp)}, c, piece, e, comp})
		}
	}
	return cards
}

// fieldCards show a field over all records of its group.
func (r *recording) fieldCards(t *table, content *content, block int, p *layout.Piece) []model.Card {
	c := r.columnsOf(t, content.stream, content.format, block)
	if c == nil || content.hdr.Kind() == container.TagsRecord {
		return nil
	}
	for i := range c.layout.Pieces {
		if &c.layout.Pieces[i] == p {
			return append(c.series(i), &fieldTable{model.CardBase{Title: p.Name + " over records"}, c, []int{i}})
		}
	}
	return nil
}

// rank orders fields by how much their curves tell: vectors of measured numbers first, then measured numbers, counters and times, truths.
func rank(p *layout.Piece) int {
	switch {
	case p.Elem == nil:
		return 4
	case p.Elem.IsFloat() && (p.IsArray() || p.Elem.Numbers > 1):
		return 0
	case p.Elem.IsFloat():
		return 1
	case p.Elem.Name() != "Bool":
		return 2
	}
	return 3
}

// maxGroupSeries bounds the series that a group of records offers at once; each field offers its own.
const maxGroupSeries = 24

// groupCards show the fields of the records of a group, of the version that its first record has.
func (r *recording) groupCards(ctx context.Context, t *table, s *stream, kind container.RecordType) (cards []model.Card) {
	group := t.group(s, kind)
	if len(group) == 0 || kind == container.TagsRecord {
		return nil
	}
	h, err := r.HeaderAt(ctx, t.Off[group[0]])
	if err != nil {
		return nil
	}
	f := s.format(kind, h.Version())
	if f == nil {
		return nil
	}
	defer func() { cards = append(cards, r.groupMedia(ctx, t, f, group)...) }()
	for k := range f.blocks {
		c := r.columnsOf(t, s, f, k)
		if c == nil {
			continue
		}
		all := &fieldTable{CardBase: model.CardBase{Title: "fields"}, c: c}
		for i := range c.layout.Pieces {
			all.pieces = append(all.pieces, i)
		}
		var series []model.Card
		byRank := slices.Clone(all.pieces)
		slices.SortStableFunc(byRank, func(a, b int) int { return cmp.Compare(rank(&c.layout.Pieces[a]), rank(&c.layout.Pieces[b])) })
		for _, i := range byRank {
			if len(series) < maxGroupSeries {
				series = append(series, c.series(i)...)
			}
		}
		cards = append(append(cards, all), series...)
	}
	return cards
}
