package model_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"cutaway/model"
)

// Each test here is the hardest case of a format, done by a decoder that is as small as the case allows. The table
// in docs/architecture.md names them.

// document is a document whose layout has the given root.
func document(src *model.Source, root func(context.Context) model.Node) *model.Document {
	return &model.Document{
		Sources: []*model.Source{src},
		Views:   []*model.View{{Name: model.LayoutView, Title: "Layout", Root: root, Of: src}},
	}
}

func bytesSource(data []byte) *model.Source {
	return model.NewFileSource("test", model.BytesReader(data))
}

// check fails where the document's layout does not tile, and returns the report.
func check(t *testing.T, doc *model.Document) *model.Report {
	t.Helper()
	var found []model.LocatedProblem
	report, err := doc.CheckFound(t.Context(), nil, func(p model.LocatedProblem) { found = append(found, p) })
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, report.Problems) {
		t.Errorf("%d problems are handed out, %d reported", len(found), len(report.Problems))
	}
	for _, fault := range report.Tiling {
		t.Error(fault)
	}
	for _, c := range report.Coverage {
		if c.Sum() != c.Size || c.Pending != 0 {
			t.Errorf("%s: coverage %+v", c.Source.Name(), *c)
		}
	}
	return report
}

// TestMillionInflatedPayloads: VRS records, each with a payload that is inflated when looked at, and only then.
func TestMillionInflatedPayloads(t *testing.T) {
	const count, size = 1_000_000, 4
	src := model.NewFileSource("million", zeros(count*size))
	opened := 0
	root := func(context.Context) model.Node {
		rows := model.FixedRows(src, 0, size, count, func(_ context.Context, i int64) model.Node {
			name := model.IndexName(i)
			at := src.Span(i*size, size)
			open := func(context.Context) (*model.Source, model.Node, error) {
				opened++
				inflated := model.Derive("layout/"+name, "inflated", name, zeros(100),
					model.Origin{Parent: src, Spans: []model.Span{at}, Codec: "fake"})
				return inflated, model.Node{Name: "inflated", Spans: []model.Span{inflated.Whole()}}, nil
			}
			return model.Node{Name: name, Type: "Record", Spans: []model.Span{at},
				Derived: []*model.Derivation{{Name: "inflated", Codec: "fake", Open: open}}}
		})
		return model.Node{Name: "file", Spans: []model.Span{src.Whole()}, Children: rows}
	}
	doc := document(src, root)
	before := model.NodesMade()
	p, err := doc.Lookup(t.Context(), "layout/[765432]@inflated")
	if err != nil {
		t.Fatal(err)
	}
	if opened != 1 || p.Of.Size() != 100 || p.Of.Owner() != "layout/[765432]" {
		t.Errorf("%d payloads opened, the last is %s", opened, p.Of.Name())
	}
	at, final := doc.At(t.Context(), src, 765432*size+1)
	if !final || at.Path() != "layout/[765432]" {
		t.Errorf("over its bytes is %s", at.Path())
	}
	inner, final := doc.At(t.Context(), p.Of, 50)
	if !final || inner.Path() != p.Path() {
		t.Errorf("over the inflated bytes is %s", inner.Path())
	}
	if made := model.NodesMade() - before; made > 20 {
		t.Errorf("%d nodes made to show one of a million", made)
	}
	if again, err := doc.SourceByName(t.Context(), p.Of.Name()); err != nil || !again.Same(p.Of) {
		t.Errorf("the source is not found by its name: %v", err)
	}
}

// zeros is a large file without the memory.
type zeros int64

func (z zeros) Size() int64 { return int64(z) }
func (z zeros) ReadAt(_ context.Context, p []byte, _ int64) (int, error) {
	clear(p)
	return len(p), nil
}

// growing is an unindexed stream of entries, each a length byte and that many bytes: entries are found by walking
// from the first on. What is found is an offset in a flat array.
type growing struct {
	src *model.Source

	mu     sync.Mutex
	starts []int64
	end    int64
	done   bool
}

func (g *growing) Len(context.Context) (int64, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return int64(len(g.starts)), g.done
}

func (g *growing) Pending() bool {
	_, done := g.Len(context.Background())
	return !done
}

func (g *growing) Resolve(ctx context.Context, progress model.Progress) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.end < g.src.Size() {
		if err := ctx.Err(); err != nil {
			return err // what was found is kept
		}
		length, err := g.src.Bytes(ctx, g.end, 1)
		if err != nil {
			return err
		}
		g.starts = append(g.starts, g.end)
		g.end += 1 + int64(length[0])
		progress.Report(g.end, g.src.Size(), "finding entries")
	}
	g.done = true
	return nil
}

func (g *growing) At(_ context.Context, i int64) model.Node {
	g.mu.Lock()
	defer g.mu.Unlock()
	end := g.end
	if i+1 < int64(len(g.starts)) {
		end = g.starts[i+1]
	}
	at := g.src.Span(g.starts[i], end-g.starts[i])
	return model.Node{Name: model.IndexName(i), Type: "Entry", Value: model.Blob{Span: at}, Spans: []model.Span{at}}
}

// TestUnindexedStream: Odin entries. The count is at least n until the scan is done; rows appear as they are found.
func TestUnindexedStream(t *testing.T) {
	src := bytesSource(bytes.Repeat([]byte("\x03abc\x00\x01z"), 1000))
	entries := &growing{src: src}
	doc := document(src, func(context.Context) model.Node {
		return model.Node{Name: "entries", Spans: []model.Span{src.Whole()}, Children: entries}
	})
	root := doc.Views[0].Place(t.Context())
	if n, exact := root.Len(t.Context()); n != 0 || exact {
		t.Errorf("before the scan: %d, %t", n, exact)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err := root.Resolve(ctx, func(done, _ int64, _ string) {
		if done >= 700 {
			cancel()
		}
	})
	if n, exact := root.Len(t.Context()); n != 300 || exact || err == nil {
		t.Errorf("cancelled after 700 bytes: %d, %t, %v", n, exact, err)
	}
	found := root.Child(t.Context(), 299).Node
	known, err := doc.Known(t.Context())
	if err != nil || len(known.Tiling) > 0 || known.Coverage[0].Pending != src.Size() {
		t.Errorf("what is known tiles as one pending leaf: %v, %v, %+v", err, known.Tiling, known.Coverage)
	}
	if p, final := doc.At(t.Context(), src, 2); final || p.Path() != "layout" {
		t.Errorf("at once: %s, %t", p.Path(), final)
	}
	p, err := doc.ResolveAt(t.Context(), src, 6999, nil)
	if err != nil || p.Path() != "layout/[2999]" {
		t.Errorf("with time: %v, %v", p, err)
	}
	if again := root.Child(t.Context(), 299).Node; again.Name != found.Name || again.Span() != found.Span() {
		t.Errorf("what was found has moved from %s to %s", found.Span(), again.Span())
	}
	check(t, doc)
}

// token is a word of a text file.
type token struct{ off, length, line, column int64 }

func tokens(text string) []token {
	var all []token
	line, start := int64(1), 0
	for off := 0; off < len(text); off++ {
		switch {
		case text[off] == '\n':
			line, start = line+1, off+1
		case text[off] != ' ' && (off == 0 || text[off-1] == ' ' || text[off-1] == '\n'):
			length := strings.IndexAny(text[off:]+" ", " \n")
			all = append(all, token{int64(off), int64(length), line, int64(off - start + 1)})
		}
	}
	return all
}

// listing shows the tokens with their places.
type listing struct {
	model.CardBase
	model.Unlabelled
	src *model.Source
	all []token
}

func (l *listing) Lines() (int64, bool) { return int64(len(l.all)), true }

func (l *listing) Read(ctx context.Context, first int64, dst []model.Line) (int, error) {
	n := copy(make([]struct{}, len(dst)), make([]struct{}, max(0, int64(len(l.all))-first)))
	for i := range n {
		k := l.all[first+int64(i)]
		b, err := l.src.Bytes(ctx, k.off, k.length)
		if err != nil {
			return i, err
		}
		dst[i] = model.Line{Text: fmt.Sprintf("%d:%d %s", k.line, k.column, b), Spans: []model.Span{l.src.Span(k.off, k.length)},
			Target: -1, Path: "layout/" + model.IndexName(2*(first+int64(i)))}
	}
	return n, nil
}

// TestTextTokens: UDM ASCII. Tokens and the blanks between them tile the file; line and column stand beside the
// value and in the listing.
func TestTextTokens(t *testing.T) {
	text := "mesh 12\n  points  3.5\nend\n"
	src := bytesSource([]byte(text))
	all := tokens(text)
	var nodes []model.Node
	for i, k := range all {
		end := src.Size()
		if i+1 < len(all) {
			end = all[i+1].off
		}
		nodes = append(nodes,
			model.Node{Name: model.IndexName(int64(2 * i)), Type: "token", Value: model.Text(text[k.off : k.off+k.length]),
				Brief: fmt.Sprintf("%d:%d", k.line, k.column), Spans: []model.Span{src.Span(k.off, k.length)}},
			model.Node{Name: model.IndexName(int64(2*i + 1)), Type: "blanks", Role: model.Padding,
				Spans: []model.Span{src.Span(k.off+k.length, end-k.off-k.length)}})
	}
	card := &listing{CardBase: model.CardBase{Title: "Tokens"}, src: src, all: all}
	children := model.NewList(nodes...)
	doc := document(src, func(context.Context) model.Node {
		return model.Node{Name: "text", Spans: []model.Span{src.Whole()}, Children: children,
			Cards: func(context.Context) []model.Card { return []model.Card{card} }}
	})
	report := check(t, doc)
	if c := report.Coverage[0]; c.Explained != 18 || c.Padding != 8 {
		t.Errorf("coverage %+v", *c)
	}
	p, _ := doc.At(t.Context(), src, int64(strings.Index(text, "3.5")))
	if p.Node.Brief != "2:11" || p.Node.Value != model.Text("3.5") {
		t.Errorf("over 3.5 is %+v", p.Node)
	}
	lines := make([]model.Line, 9)
	n, err := card.Read(t.Context(), 2, lines)
	if err != nil || n != 3 || lines[1].Text != "2:11 3.5" {
		t.Errorf("the listing reads %d lines, %v: %+v", n, err, lines[:n])
	}
	if row, err := doc.Lookup(t.Context(), lines[1].Path); err != nil || row.Path() != p.Path() {
		t.Errorf("the line leads to %v, %v", row, err)
	}
}

// columns is a table whose columns are one after the other in the file: x and y as u16.
type columns struct {
	model.CardBase
	src  *model.Source
	rows int64
}

func (c *columns) Columns() []model.Column {
	return []model.Column{{Name: "x", Type: "u16"}, {Name: "y", Type: "u16"}}
}
func (c *columns) Rows() (int64, bool) { return c.rows, true }

func (c *columns) Read(ctx context.Context, first int64, dst [][]model.Cell) (int, error) {
	n := min(int64(len(dst)), c.rows-first)
	for column := range int64(2) {
		start := 2 * (column*c.rows + first)
		b, err := c.src.Bytes(ctx, start, 2*n)
		if err != nil {
			return 0, err
		}
		for i := range n {
			dst[i][column] = model.Cell{
				Value: model.Uint(binary.LittleEndian.Uint16(b[2*i:])),
				Spans: []model.Span{c.src.Span(start+2*i, 2)},
				Path:  "layout/" + c.Columns()[column].Name + "/" + model.IndexName(first+i),
			}
		}
	}
	return int(n), nil
}

// TestStructColumns: UDM structs, whose fields are columns. A window of rows reads that window only.
func TestStructColumns(t *testing.T) {
	const rows = 5_000_000
	counted := &reads{Reader: zeros(4 * rows)}
	src := model.NewFileSource("table", counted)
	table := &columns{model.CardBase{Title: "Points"}, src, rows}
	column := func(i int64, name string) model.Node {
		return model.Node{Name: name, Type: "u16[]", Elements: true, Spans: []model.Span{src.Span(2*rows*i, 2*rows)},
			Children: model.FixedRows(src, 2*rows*i, 2, rows, func(_ context.Context, k int64) model.Node {
				return model.Node{Name: model.IndexName(k), Spans: []model.Span{src.Span(2*(rows*i+k), 2)}}
			})}
	}
	children := model.NewList(column(0, "x"), column(1, "y"))
	doc := document(src, func(context.Context) model.Node {
		return model.Node{Name: "points", Spans: []model.Span{src.Whole()}, Children: children,
			Cards: func(context.Context) []model.Card { return []model.Card{table} }}
	})
	window := make([][]model.Cell, 50)
	for i := range window {
		window[i] = make([]model.Cell, 2)
	}
	n, err := table.Read(t.Context(), rows-20, window)
	if n != 20 || err != nil || counted.bytes != 2*20*2 {
		t.Errorf("%d rows, %v, %d bytes read", n, err, counted.bytes)
	}
	cell := window[19][1]
	p, err := doc.Lookup(t.Context(), cell.Path)
	if err != nil || p.Node.Span() != cell.Spans[0] || p.Node.Span().End() != src.Size() {
		t.Errorf("the last cell leads to %v, %v", p, err)
	}
	before := model.NodesMade()
	check(t, doc)
	if made := model.NodesMade() - before; made > 10 {
		t.Errorf("a walk over two columns makes %d nodes", made)
	}
}

// reads counts the bytes read.
type reads struct {
	model.Reader
	bytes int64
}

func (r *reads) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	n, err := r.Reader.ReadAt(ctx, p, off)
	r.bytes += int64(n)
	return n, err
}
