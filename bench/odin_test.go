package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/odin"
	"cutaway/internal/odingen"
	"cutaway/model"
	"cutaway/source"
)

// odinEntries is how many entries the benchmarks' stream has, about.
const odinEntries = 10_000_000

// odinInput returns a generated stream, made on first use.
func odinInput(tb testing.TB, entries int64) string {
	tb.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	name := filepath.Join(folder, fmt.Sprintf("stream-%d.odin", entries))
	if _, err := os.Stat(name); err != nil {
		if err := odingen.BulkFile(name, entries); err != nil {
			tb.Fatal(err)
		}
	}
	return name
}

func openOdin(tb testing.TB, name string) *model.Document {
	tb.Helper()
	f, err := source.Open(name, source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := odin.Format.Open(context.Background(), &model.OpenRequest{
		Source: model.NewFileSource(name, f), Name: name, Files: model.NoFiles{},
	})
	if err != nil {
		tb.Fatal(err)
	}
	doc.OnClose(f.Close)
	return doc
}

// listOfPoints is where the points of the stream are in the entries view.
const listOfPoints = "entries/[0]/points/[0]"

// scanOdin scans the stream as the window does when a node is opened.
func scanOdin(tb testing.TB, doc *model.Document) {
	tb.Helper()
	root := doc.View("entries").Place(tb.Context())
	if err := root.Resolve(context.Background(), nil); err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkOdinScan finds all entries: MB/s, and the bytes that are kept for each.
func BenchmarkOdinScan(b *testing.B) {
	name := odinInput(b, odinEntries)
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	warm(b, name)
	var doc *model.Document
	var before, after runtime.MemStats
	b.SetBytes(info.Size())
	for b.Loop() {
		if doc != nil {
			_ = doc.Close()
		}
		doc = nil
		runtime.GC()
		runtime.ReadMemStats(&before)
		doc = openOdin(b, name)
		scanOdin(b, doc)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/odinEntries, "B/entry")
	p, err := doc.Lookup(context.Background(), listOfPoints)
	if err != nil {
		b.Fatal(err)
	}
	if n, exact := p.Len(b.Context()); n < odinEntries/4 || !exact {
		b.Errorf("%d points, %t", n, exact)
	}
}

// BenchmarkOdinFirst opens the stream and shows the first 50 rows of its list, while it is scanned no further.
func BenchmarkOdinFirst(b *testing.B) {
	name := odinInput(b, odinEntries)
	for b.Loop() {
		doc := openOdin(b, name)
		ctx, cancel := context.WithCancel(context.Background())
		p := doc.View("entries").Place(b.Context())
		_ = p.Resolve(ctx, func(int64, int64, string) { cancel() }) // cancelled on purpose
		for range 3 {
			n, _ := p.Len(b.Context())
			if n == 0 {
				b.Fatalf("%s: no rows yet", p.Path())
			}
			p = p.Child(b.Context(), min(n, 2)-1)
		}
		if n, exact := p.Len(b.Context()); n < 50 || exact {
			b.Fatalf("%s: %d rows, %t", p.Path(), n, exact)
		}
		for i := range int64(50) {
			model.Show(b.Context(), p.Child(b.Context(), i).Node.Value, 80)
		}
		cancel()
		_ = doc.Close()
	}
}

// BenchmarkOdinFacts scans and counts the types, from nothing.
func BenchmarkOdinFacts(b *testing.B) {
	name := odinInput(b, odinEntries)
	warm(b, name)
	for b.Loop() {
		doc := openOdin(b, name)
		start := time.Now()
		if _, err := doc.Facts(context.Background(), false, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(start).Seconds(), "s")
		_ = doc.Close()
	}
}

// BenchmarkOdinCheck checks the whole stream.
func BenchmarkOdinCheck(b *testing.B) {
	name := odinInput(b, odinEntries)
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	warm(b, name)
	b.SetBytes(info.Size())
	for b.Loop() {
		doc := openOdin(b, name)
		report, err := doc.CheckAll(context.Background(), nil)
		if err != nil || len(report.Problems) > 0 || len(report.Tiling) > 0 {
			b.Fatal(err, report)
		}
		_ = doc.Close()
	}
}

// TestLazyOdin shows rows of a stream that has to be scanned for that: it is read once, with little more than that.
func TestLazyOdin(t *testing.T) {
	name := odinInput(t, 400_000)
	for _, path := range []string{"layout/[0]/points/[0]", listOfPoints, "objects/[0]/points"} {
		f, err := source.Open(name, source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		decodertest.Lazy(t, odin.Format, name, f, decodertest.Limits{Path: path, Bytes: f.Size() + 2<<20, Nodes: 2000})
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
