// Package uitest provides a made-up document and cards for tests of the panes.
package uitest

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"sync/atomic"
	"time"

	"cutaway/model"
)

// A Document is a document of 4,096 bytes. Its layout has a header with two fields, a table of 100 rows of 16 bytes,
// and filler. A packed part unpacks to twice its size, and a slow one is pending until Gate is closed. Its scene has
// nodes that refer to rows of the table; two of these nodes share a row.
type Document struct {
	*model.Document
	Gate chan struct{}
}

// Offsets and sizes of the parts of the document, in bytes.
const (
	TableAt   = 16
	RowSize   = 16
	TableRows = 100
	PackedAt  = 2000
	PackedLen = 100
	Size      = 4096

	pendingAt, pendingLen = 2100, 1000
)

// A twice maps output bytes 2i and 2i+1 of the packed part to its byte i.
type twice struct{ parent *model.Source }

func (t twice) From(_ context.Context, off, n int64) ([]model.Piece, error) {
	in := t.parent.Span(PackedAt+off/2, (off+n+1)/2-off/2)
	return []model.Piece{{Off: off, Len: n, In: []model.Span{in}, Kind: "literal", Unit: in, CopyFrom: -1}}, nil
}

func (t twice) To(_ context.Context, off, n int64) ([]model.OutputRange, error) {
	return []model.OutputRange{{Off: (off - PackedAt) * 2, Len: 2 * n}}, nil
}

// New makes the document. The test closes its Gate.
func New() *Document {
	f := &Document{Gate: make(chan struct{})}
	data := make([]byte, Size)
	copy(data, "FAKE")
	src := model.NewFileSource("fake.bin", model.BytesReader(data))
	gap := leaf(src, "gap", "filler", TableAt+RowSize*TableRows, PackedAt-TableAt-RowSize*TableRows, nil)
	gap.Role = model.Padding
	rest := leaf(src, "rest", "filler", pendingAt+pendingLen, Size-pendingAt-pendingLen, nil)
	rest.Role = model.Unknown
	layoutRoot := leaf(src, "fake.bin", "file", 0, Size, nil)
	layoutRoot.Children = model.NewList(header(src), table(src), gap, packed(src), f.slow(src), rest)

	sceneRoot := model.Node{Name: "/", Type: "scene", Children: model.NewList(thing(src, "World", 1), thing(src, "Lamp", 2, 5), thing(src, "Shade", 5))}
	f.Document = &model.Document{Format: "fake", Version: "7", Title: "Fake 7", Why: "begins with FAKE", Name: "fake.bin",
		Sources: []*model.Source{src},
		Views: []*model.View{
			{Name: "scene", Title: "Scene", Root: func(context.Context) model.Node { return sceneRoot }, Find: findThings(src)},
			{Name: model.LayoutView, Title: "Layout", Root: func(context.Context) model.Node { return layoutRoot }, Of: src},
		},
		Facts: func(_ context.Context, quick bool, _ model.Progress) ([]model.Fact, error) {
			deep := model.Fact{Key: "zeros", Title: "zero bytes", Scan: true}
			if !quick {
				deep.Value = model.Uint(4092)
			}
			return []model.Fact{{Key: "rows", Title: "Rows", Value: model.Uint(TableRows)}, deep}, nil
		},
		ReferencedBy: func(_ context.Context, p *model.Place, _ int, _ model.Progress) ([]model.Ref, int64, error) {
			if p.Path() == "layout/table/[5]" {
				return []model.Ref{{Kind: "row", Path: "scene/Lamp"}, {Kind: "row", Path: "scene/Shade"}}, 2, nil
			}
			return nil, 0, nil
		},
	}
	f.Options = []model.Option{{Name: "step", Title: "Step", Kind: model.Number, Min: 1, Max: 9, Value: "9"}}
	f.SetOption = func(_ context.Context, _, value string) (*model.Document, error) {
		again := New()
		again.Options[0].Value, again.Title = value, "Fake step "+value
		return again.Document, nil
	}
	return f
}

func leaf(src *model.Source, name, typ string, off, n int64, v model.Value) model.Node {
	return model.Node{Name: name, Type: typ, Value: v, Spans: []model.Span{src.Span(off, n)}}
}

func header(src *model.Source) model.Node {
	broken := leaf(src, "version", "u32", 4, 12, model.Uint(7))
	broken.Problems = []model.Problem{model.Problemf(model.Malformed, "fake.version", src.Span(4, 4), "the version is not known").Want("1", "7")}
	header := leaf(src, "header", "header", 0, 16, nil)
	header.Children = model.NewList(leaf(src, "magic", "char[4]", 0, 4, model.Text("FAKE")), broken)
	header.Cards = func(context.Context) []model.Card {
		return []model.Card{&words{model.CardBase{Title: "Words"}}, &listing{model.CardBase{Title: "Listing"}, src},
			&picture{model.CardBase{Title: "Picture"}}, &Series{CardBase: model.CardBase{Title: "Series"}}, &Sound{CardBase: model.CardBase{Title: "Sound"}}}
	}
	return header
}

func table(src *model.Source) model.Node {
	row := func(_ context.Context, i int64) model.Node {
		n := leaf(src, model.IndexName(i), "row", TableAt+i*RowSize, RowSize, model.Uint(i))
		n.Help = "a row of the table"
		return n
	}
	table := leaf(src, "table", "row[]", TableAt, RowSize*TableRows, nil)
	table.Brief, table.Elements = "100 rows", true
	table.Children = model.FixedRows(src, TableAt, RowSize, TableRows, row)
	table.Cards = func(context.Context) []model.Card { return []model.Card{&Table{model.CardBase{Title: "Rows"}}} }
	return table
}

// packed returns the part that unpacks to twice its size.
func packed(src *model.Source) model.Node {
	packed := leaf(src, "packed", "packed bytes", PackedAt, PackedLen, nil)
	packed.Derived = []*model.Derivation{{Name: "inflated", Title: "packed part", Codec: "TWICE", Open: func(context.Context) (*model.Source, model.Node, error) {
		out := model.Derive("layout/packed", "inflated", "packed part", model.BytesReader(make([]byte, 2*PackedLen)),
			model.Origin{Parent: src, Spans: []model.Span{src.Span(PackedAt, PackedLen)}, Codec: "TWICE", Map: twice{src}})
		root := model.Node{Name: "inflated", Type: "bytes", Spans: []model.Span{out.Whole()},
			Children: model.FixedRows(out, 0, 20, 10, func(_ context.Context, i int64) model.Node {
				return model.Node{Name: model.IndexName(i), Type: "record", Spans: []model.Span{out.Span(i*20, 20)}}
			})}
		return out, root, nil
	}}}
	return packed
}

// slow returns the part that is pending until the gate is closed.
func (f *Document) slow(src *model.Source) model.Node {
	slow := leaf(src, "slow", "section", pendingAt, pendingLen, nil)
	slow.Children = model.NewLazy(func(ctx context.Context, progress model.Progress) (model.Children, error) {
		progress.Report(1, 4, "rows")
		select {
		case <-f.Gate:
			return model.NewList(leaf(src, "inside", "bytes", pendingAt, pendingLen, nil)), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	return slow
}

// thing returns a node of the scene whose bytes are rows of the table.
func thing(src *model.Source, name string, rows ...int64) model.Node {
	n := model.Node{Name: name, Type: "thing", Value: model.Text("/" + name)}
	for _, r := range rows {
		n.Spans = append(n.Spans, src.Span(TableAt+r*RowSize, RowSize))
	}
	n.Refs = func(context.Context) []model.Ref {
		return []model.Ref{{Kind: "row", Path: "layout/table/" + model.IndexName(rows[0])}}
	}
	return n
}

// findThings returns the scene's Find.
func findThings(src *model.Source) func(context.Context, model.Span, int) ([]string, int64, error) {
	owners := map[int64][]string{1: {"scene/World"}, 2: {"scene/Lamp"}, 5: {"scene/Lamp", "scene/Shade"}}
	return func(_ context.Context, s model.Span, limit int) ([]string, int64, error) {
		var paths []string
		for r := range int64(TableRows) {
			if at := src.Span(TableAt+r*RowSize, RowSize); s.Source == src && s.Off < at.End() && s.End() > at.Off {
				paths = append(paths, owners[r]...)
			}
		}
		return paths[:min(limit, len(paths))], int64(len(paths)), nil
	}
}

// A Table is a card of ten million rows.
type Table struct{ model.CardBase }

var _ model.Table = (*Table)(nil)

// Columns returns one column, of squares.
func (*Table) Columns() []model.Column { return []model.Column{{Name: "square", Type: "int"}} }

// Rows returns ten million, and that this number is exact.
func (*Table) Rows() (int64, bool) { return 10_000_000, true }

// Read fills rows with squares of their numbers, each with a path of a row of the layout's table.
func (*Table) Read(_ context.Context, first int64, dst [][]model.Cell) (int, error) {
	for i := range dst {
		at := first + int64(i)
		dst[i][0] = model.Cell{Value: model.Int(at * at), Path: fmt.Sprintf("layout/table/[%d]", at%TableRows)}
	}
	return len(dst), nil
}

// The cards words, listing and picture are only in the document.
type words struct{ model.CardBase }

func (*words) WriteText(_ context.Context, w io.Writer, _ *model.Omissions) error {
	_, err := io.WriteString(w, "some words")
	return err
}

type listing struct {
	model.CardBase
	src *model.Source
}

func (*listing) Lines() (int64, bool) { return 1000, true }

func (*listing) Labels() []model.Label {
	return []model.Label{{Line: 0, Name: "_start", Entry: true, Note: "entry point"}, {Line: 900, Name: "0x900", Note: "from 0x3", From: []int64{3}}}
}

func (*listing) LineAt(text string) (i int64, ok bool) {
	_, err := fmt.Sscanf(text, "pc %d", &i)
	return i, err == nil
}

func (*listing) Uses(int64) []int64 { return []int64{1, 101, 900} }

func (f *listing) Read(_ context.Context, first int64, dst []model.Line) (int, error) {
	for i := range dst {
		at := first + int64(i)
		dst[i] = model.Line{Text: fmt.Sprintf("line %d", at), Target: -1, Path: "layout/table", Spans: []model.Span{f.src.Span(TableAt+at%16*RowSize, RowSize)}}
		if first+int64(i) == 3 {
			dst[i].Target = 900
		}
	}
	return len(dst), nil
}

type picture struct{ model.CardBase }

func (*picture) Rule() string    { return "2 × 1, gray" }
func (*picture) Reduced() string { return "" }
func (*picture) Decode(context.Context) (image.Image, error) {
	return nil, errors.New("the pixels are not there")
}

// A Series is a curve of 100,000 points, a tenth of a second apart.
type Series struct {
	model.CardBase
	Reads atomic.Int64 // calls of Read
}

var _ model.Series = (*Series)(nil)

// Unit returns that of a speed.
func (*Series) Unit() string { return "m/s" }

// Points returns 100,000, and that this number is exact.
func (*Series) Points() (int64, bool) { return 100_000, true }

// Read fills points with a sawtooth from -500 to 499 and counts its calls.
func (f *Series) Read(_ context.Context, first int64, dst []model.Point) (int, error) {
	f.Reads.Add(1)
	for i := range dst {
		at := float64(first + int64(i))
		dst[i] = model.Point{Time: at / 10, Value: math.Mod(at, 1000) - 500, Path: fmt.Sprintf("layout/table/[%d]", int64(at)%TableRows)}
	}
	return len(dst), nil
}

// A Sound has a left channel that rises from -1 to 1 and a silent right one.
type Sound struct {
	model.CardBase
	Broken int64 // the first frame that cannot be read, or 0 if all can
}

var _ model.Sound = (*Sound)(nil)

// Channels returns 2.
func (*Sound) Channels() int { return 2 }

// Rate returns 8 kHz.
func (*Sound) Rate() float64 { return 8000 }

// Reduced returns "": the sound is whole.
func (*Sound) Reduced() string { return "" }

// Frames returns 100,000.
func (*Sound) Frames() int64 { return 100_000 }

// Read fills both channels up to the first broken frame.
func (f *Sound) Read(_ context.Context, first int64, dst [][]float32) (int, error) {
	for i := range dst[0] {
		at := first + int64(i)
		if f.Broken > 0 && at >= f.Broken {
			return i, errors.New("torn tape")
		}
		dst[0][i], dst[1][i] = float32(at)/50_000-1, 0
	}
	return len(dst[0]), nil
}

// Zeros is a reader of so many zeros, slow enough to be cancelled.
type Zeros int64

// Size returns the number of zeros.
func (z Zeros) Size() int64 { return int64(z) }

// ReadAt fills p with zeros after a short wait.
func (z Zeros) ReadAt(_ context.Context, p []byte, _ int64) (int, error) {
	time.Sleep(100 * time.Microsecond)
	clear(p)
	return len(p), nil
}
