// Package exporttest provides documents for tests of exports.
package exporttest

import (
	"context"

	"cutaway/model"
)

// Sample returns a document of 40 bytes whose layout has every sort of node: a header with bit fields, an array, a
// section that is derived from, padding and unknown bytes. The count has a problem of each of kinds.
//
//	0   8  header   magic 4, flags 1 (two bit fields), count 3
//	8  16  points   four int32 as an array with element nodes
//	24  8  packed   stands for 20 bytes, in two leaves
//	32  4  padding
//	36  4  unknown
func Sample(kinds ...model.Kind) *model.Document {
	data := make([]byte, 40)
	for i := range data {
		data[i] = byte(i)
	}
	src := model.NewFileSource("test.bin", model.BytesReader(data))
	element := func(i int64) model.Value { return model.Int(i * 100) }
	var bad []model.Problem
	for _, k := range kinds {
		bad = append(bad, model.Problemf(k, "fake."+k.String(), src.Span(5, 3), "the count is odd").Want("an even number", 3))
	}
	header := model.NewList(
		model.Node{Name: "magic", Type: "bytes", Value: model.Blob{Span: src.Span(0, 4)}, Spans: []model.Span{src.Span(0, 4)}},
		model.Node{Name: "flags", Type: "u8", Spans: []model.Span{src.Span(4, 1)}, Children: model.NewList(
			model.Node{Name: "low", Type: "bits", Value: model.Uint(4), Spans: []model.Span{{Source: src, Off: 4, Len: 1, Mask: 0x0f}}},
			model.Node{Name: "high", Type: "bits", Value: model.Uint(0), Spans: []model.Span{{Source: src, Off: 4, Len: 1, Mask: 0xf0}}},
		)},
		model.Node{Name: "count", Type: "u24", Value: model.Uint(3), Spans: []model.Span{src.Span(5, 3)},
			Problems: bad,
			Refs: func(context.Context) []model.Ref {
				return []model.Ref{{Kind: "target", Path: "layout/points"}, {Kind: "range", Span: src.Span(8, 4)}}
			}},
	)
	points := model.Node{Name: "points", Type: "int[]", Spans: []model.Span{src.Span(8, 16)}, Elements: true,
		Value: &model.Elements{Type: "int", Count: 4, Make: func(_ context.Context, i int64) (model.Value, error) { return element(i), nil }},
		Children: model.FixedRows(src, 8, 4, 4, func(_ context.Context, i int64) model.Node {
			return model.Node{Name: model.IndexName(i), Type: "int", Value: element(i), Spans: []model.Span{src.Span(8+4*i, 4)}}
		})}
	packed := model.Node{Name: "pac/ked", Type: "block", Spans: []model.Span{src.Span(24, 8)},
		Derived: []*model.Derivation{{Name: "inflated", Title: "packed", Codec: "test", Open: func(context.Context) (*model.Source, model.Node, error) {
			d := model.Derive("layout/pac%2Fked", "inflated", "packed", model.BytesReader(make([]byte, 20)),
				model.Origin{Parent: src, Spans: []model.Span{src.Span(24, 8)}, Codec: "test"})
			return d, model.Node{Name: "inflated", Type: "records", Spans: []model.Span{d.Whole()}, Children: model.NewList(
				model.Node{Name: "a", Type: "record", Spans: []model.Span{d.Span(0, 12)}},
				model.Node{Name: "b", Type: "record", Spans: []model.Span{d.Span(12, 8)}, Value: model.Text("two\nlines")},
			)}, nil
		}}}}
	lazy := model.NewLazy(func(context.Context, model.Progress) (model.Children, error) { return header, nil })
	root := func(context.Context) model.Node {
		return model.Node{Name: "layout", Type: "file", Spans: []model.Span{src.Whole()}, Children: model.NewList(
			model.Node{Name: "header", Type: "Header", Spans: []model.Span{src.Span(0, 8)}, Children: lazy},
			points,
			packed,
			model.Node{Name: "padding", Role: model.Padding, Spans: []model.Span{src.Span(32, 4)}},
			model.Node{Name: "unknown", Role: model.Unknown, Spans: []model.Span{src.Span(36, 4)}},
		)}
	}
	return &model.Document{Format: "fake", Name: "test.bin", Sources: []*model.Source{src},
		Views: []*model.View{{Name: model.LayoutView, Root: root, Of: src}}}
}

// Many returns the root of a layout of count leaves of 4 bytes, in lists of 1000.
func Many(ctx context.Context, count int64) *model.Place {
	src := model.NewFileSource("many.bin", zeros(count*4))
	group := func(_ context.Context, g int64) model.Node {
		return model.Node{Name: model.IndexName(g), Type: "group", Spans: []model.Span{src.Span(g*4000, 4000)},
			Children: model.FixedRows(src, g*4000, 4, 1000, func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Type: "uint32", Value: model.Uint(i), Spans: []model.Span{src.Span(g*4000+i*4, 4)}}
			})}
	}
	v := &model.View{Name: model.LayoutView, Of: src, Root: func(context.Context) model.Node {
		return model.Node{Name: "layout", Type: "file", Spans: []model.Span{src.Whole()},
			Children: model.FixedRows(src, 0, 4000, count/1000, group)}
	}}
	return v.Place(ctx)
}

type zeros int64

func (z zeros) Size() int64 { return int64(z) }

func (zeros) ReadAt(_ context.Context, p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}
