package vrs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/internal/vrsgen"
	"cutaway/model"
)

// TestTrees compares both views of small files with those that were looked over and kept.
func TestTrees(t *testing.T) {
	for _, name := range []string{"index-plain.vrs", "damaged-record-size-zero.vrs"} {
		doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, name))
		for _, view := range []string{container.StreamsView, model.LayoutView} {
			decodertest.Golden(t, filepath.Join(fixtures, "golden", name+"."+view+".txt"), decodertest.Tree(t, doc, view))
		}
	}
}

// TestStreamSummary: the row of a stream has the number and rate of its data records and its id, that of a record its time.
func TestStreamSummary(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, "index-plain.vrs"))
	view := doc.View(container.StreamsView)
	if err := view.Place(t.Context()).Resolve(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"streams/999-1":          "6 records  ·  1 Hz  ·  999-1",
		"streams/999-1/data":     "",
		"streams/999-1/data/[1]": "2 s",
	} {
		p, err := doc.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if got := view.Summary(t.Context(), &p.Node); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestRows: streams with pictures come first, then those with values and with sound; tags and streams without data are folded. The
// records stand for their stream, and those of the first stream with pictures for the recording.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		file, title, shown string
		rows               []string // the labels of some that are not folded
	}{
		{filepath.Join(fixtures, "pixels.vrs"), "", "streams/999-1/data/[0]", []string{"Unit Test 1", "Unit Test 2"}},
		{filepath.Join(fixtures, "audio.vrs"), "", "streams/999-1/data", []string{"Unit Test 1"}},
		{"truncated-gen2-with-bluetooth-600000.vrs", "file tags, 6 streams without data", "streams/214-1/data/[0]",
			[]string{"RGB Camera", "Camera (SLAM) 1", "Eye Camera 1", "IMU (SLAM) 1", "Gaze", "Stereo Audio"}},
	} {
		if c.title != "" {
			c.file = corpusFile(t, c.file)
		}
		doc := decodertest.OpenFile(t, Format, c.file)
		view := doc.View(container.StreamsView)
		root := view.Place(t.Context())
		if err := root.Resolve(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		root = root.Fresh(t.Context())
		fold := view.Fold(t.Context(), &root.Node)
		if fold.Title != c.title {
			t.Errorf("%s: %+v, want %q", c.file, fold, c.title)
		}
		if path, beside := view.Shows(t.Context(), root); path != c.shown || !beside {
			t.Errorf("%s: shows %q, %v", c.file, path, beside)
		}
		rows := c.rows
		n, _ := root.Len(t.Context())
		for i := range n {
			p := root.Child(t.Context(), i)
			if p.Node.Type == streamType && (view.Kind(t.Context(), &p.Node) == model.DetailKind) != (i < fold.Fields) {
				t.Errorf("%s: %s is folded, or not", c.file, p.Path())
			}
			if i < fold.Fields {
				continue
			}
			if len(rows) > 0 && view.Label(t.Context(), &p.Node) == rows[0] {
				rows = rows[1:]
			}
			if of := view.Fold(t.Context(), &p.Node); of.Through < 0 || p.Child(t.Context(), of.Through).Label() != "data" {
				t.Errorf("%s: %s does not show its data: %+v", c.file, p.Path(), of)
			}
		}
		if len(rows) > 0 {
			t.Errorf("%s: no %q where it is wanted", c.file, rows[0])
		}
	}
}

// TestFind goes from bytes to the nodes of the streams view.
func TestFind(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, "index-plain.vrs"))
	for _, path := range []string{
		"streams/999-1/data/[2]/data_layout/number",
		"streams/999-1/data/[3]/data_layout/number", // compressed
		"streams/999-1/data/[4]/custom",
		"streams/999-1/vrs tags/RF:Data:1",
		"streams/999-1/configuration/[0]",
	} {
		span := node(t, doc, path).Node.Span()
		span.Len = 1
		found, n, err := doc.Owners(t.Context(), doc.View(container.StreamsView), span, 100)
		if err != nil || n != 1 || found[0].Path() != path {
			t.Errorf("%s: %v of %d, %v", path, found, n, err)
		}
	}
	entry := node(t, doc, "layout/index/entries/[3]").Node.Span()
	found, _, err := doc.View(container.StreamsView).Find(t.Context(), entry, 100)
	if err != nil || len(found) != 1 || found[0] != "streams/999-1/data/[2]" {
		t.Errorf("the index entry: %v, %v", found, err)
	}
}

// TestReferences goes from a configuration record to the images that it describes.
func TestReferences(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, "pixels.vrs"))
	refs, n, err := decodertest.Referrers(t, doc, "streams/999-4/configuration/[0]", 10)
	if err != nil || n != 2 || len(refs) != 2 || refs[1].Path != "streams/999-4/data/[0]" {
		t.Errorf("%v, %d, %v", refs, n, err)
	}
}

// TestColumns reads fields over the records of a stream.
func TestColumns(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, "index-in-front.vrs"))
	cards := node(t, doc, "streams/999-1/data").Node.Cards(t.Context())
	if len(cards) != 3 { // the last one copies
		t.Fatalf("%d cards", len(cards))
	}
	table, series := cards[0].(model.Table), cards[1].(model.Series)
	rows := make([][]model.Cell, 10)
	for i := range rows {
		rows[i] = make([]model.Cell, len(table.Columns()))
	}
	got, err := table.Read(t.Context(), 1, rows)
	if err != nil || got != 5 {
		t.Fatalf("%d rows, %v", got, err)
	}
	points := make([]model.Point, 10)
	if got, err := series.Read(t.Context(), 1, points); err != nil || got != 5 {
		t.Fatalf("%d points, %v", got, err)
	}
	for i := range 5 {
		cell, point := rows[i][1], points[i]
		if cell.Value != model.Value(model.Uint(i+1)) || point.Value != float64(i+1) || point.Time != float64(i+2) {
			t.Errorf("row %d: %v, %v", i, cell.Value, point)
		}
		p := node(t, doc, cell.Path)
		if p.Node.Value != cell.Value || point.Path != cell.Path || p.Node.Span() != cell.Spans[0] && !p.Node.Span().Source.Same(cell.Spans[0].Source) {
			t.Errorf("row %d: %s is %v", i, cell.Path, p.Node.Value)
		}
	}
}

// TestComponents plots the components of points and matrices, and the elements of arrays.
func TestComponents(t *testing.T) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(fixtures, "pieces.vrs"))
	for _, k := range []struct {
		field, title string
		want         float64
	}{
		{"value%2FPoint3Di", "value/Point3Di.y", -4},
		{"value%2FMatrix2Dd", "value/Matrix2Dd[1][0]", -1.75},
		{"array%2Fint16_t", "array/int16_t[1]", -8},
		{"array%2FPoint2Df", "array/Point2Df[2].x", -3.75},
		{"value%2FBool", "value/Bool", 0},
	} {
		cards := node(t, doc, "streams/999-1/data/[1]/data_layout/"+k.field).Node.Cards(t.Context())
		i := slices.IndexFunc(cards, func(c model.Card) bool { return c.CardTitle() == k.title })
		if i < 0 {
			t.Errorf("no card %s", k.title)
			continue
		}
		points := make([]model.Point, 3)
		if n, err := cards[i].(model.Series).Read(t.Context(), 0, points); n != 3 || err != nil || points[0].Value != k.want || points[2].Value != k.want {
			t.Errorf("%s: %v, %v, want %v", k.title, points, err, k.want)
		}
	}
}

// stopping ends its context after some reads.
type stopping struct {
	model.BytesReader
	reads *int
	stop  func()
}

// ReadAt implements model.Reader.
func (s stopping) ReadAt(ctx context.Context, b []byte, off int64) (int, error) {
	if *s.reads--; *s.reads == 0 {
		s.stop()
	}
	return s.BytesReader.ReadAt(ctx, b, off)
}

// TestWalkGoesOn interrupts a walk, which goes on where it was.
func TestWalkGoesOn(t *testing.T) {
	const records = 12 * container.WalkSteps
	f := &vrsgen.File{Streams: []vrsgen.Stream{{Type: 999, Instance: 1}}}
	for i := range records {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i)})
	}
	b, _ := f.Bytes()
	ctx, cancel := context.WithCancel(t.Context())
	const runs = records * container.RecordHeaderSize / (64 << 10) // a walk reads each once
	reads := runs / 2
	doc := decodertest.Open(t, Format, "made.vrs", stopping{b, &reads, cancel})
	if _, err := doc.Lookup(ctx, "layout/records/[1]"); !errors.Is(err, context.Canceled) {
		t.Fatalf("the walk was not interrupted: %v", err)
	}
	reads = math.MaxInt
	p := node(t, doc, "layout/records")
	if n, exact := p.Len(t.Context()); n != records || !exact {
		t.Errorf("%d records", n)
	}
	if used := math.MaxInt - reads; used > runs*3/4 {
		t.Errorf("%d reads for the rest of %d runs of pages: the walk began anew", used, runs)
	}
}

// TestLazy opens a recording with many compressed payloads and shows rows without inflating any.
func TestLazy(t *testing.T) {
	f := &vrsgen.File{Index: vrsgen.AtEnd, Streams: []vrsgen.Stream{{Type: 999, Instance: 1}}}
	payload := bytes.Repeat([]byte("much of the same "), 4000)
	for i := range 2000 {
		f.Records = append(f.Records, vrsgen.Record{Kind: vrsgen.Data, Version: 1, Time: float64(i), Payload: payload, Compression: vrsgen.LZ4})
	}
	b, _ := f.Bytes()
	for _, path := range []string{"streams", "streams/999-1/data", "layout/records"} {
		decodertest.Lazy(t, Format, fmt.Sprintf("%d bytes", len(b)), model.BytesReader(b), decodertest.Limits{Path: path, Bytes: 64 << 10})
	}
}

// TestProblemsNamePlaces holds every problem of every damaged file against what a person needs: words and a place.
func TestProblemsNamePlaces(t *testing.T) {
	for _, f := range vrsgen.Damaged() {
		doc := decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
		report, err := doc.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(report.Problems) == 0 {
			t.Errorf("%s: no problem", f.Name)
		}
		for _, p := range report.Problems {
			if p.Span.Source == nil || strings.Contains(p.Message, "%!") {
				t.Errorf("%s: %s at %s: %s", f.Name, p.Rule, p.Path, p.Error())
			}
			if _, err := doc.Lookup(t.Context(), p.Path); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
	}
}
