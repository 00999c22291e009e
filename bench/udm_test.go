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
	"cutaway/decoders/udm"
	"cutaway/internal/udmgen"
	"cutaway/model"
	"cutaway/source"
)

// udmInput returns a generated UDM file, made on first use. Its name holds its size.
func udmInput(tb testing.TB, kind udmgen.Kind, size int64) string {
	tb.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	name := filepath.Join(folder, fmt.Sprintf("%s-%d.udm_b", kind, size))
	if kind == udmgen.Text {
		name = filepath.Join(folder, fmt.Sprintf("%s-%d.udm", kind, size))
	}
	if _, err := os.Stat(name); err != nil {
		if err := udmgen.BulkFile(name, kind, size); err != nil {
			tb.Fatal(err)
		}
	}
	return name
}

const udmVertices = "asset/assetData/vertices"

// TestLazyUDM opens generated files, shows 50 rows and counts. Of a compressed array, rows in its middle need all of it:
// there only the beginning of the rows is cheap, which TestFirstRowsUDM measures.
func TestLazyUDM(t *testing.T) {
	for _, c := range []struct {
		kind   udmgen.Kind
		limits decodertest.Limits
	}{
		{udmgen.Structs, decodertest.Limits{Path: "layout", Bytes: 4 << 10}},
		{udmgen.Structs, decodertest.Limits{Path: "asset/assetData", Bytes: 16 << 10}},
		{udmgen.Structs, decodertest.Limits{Path: udmVertices, Bytes: 32 << 10}},
		{udmgen.LZ4, decodertest.Limits{Path: "asset/assetData", Bytes: 16 << 10}},
	} {
		name := udmInput(t, c.kind, 64<<20)
		t.Run(string(c.kind)+" "+c.limits.Path, func(t *testing.T) {
			f, err := source.Open(name, source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			decodertest.Lazy(t, udm.Format, name, f, c.limits)
		})
	}
}

// openUDM opens a file behind a counter.
func openUDM(tb testing.TB, name string) (*model.Document, *source.Counter) {
	tb.Helper()
	f, err := source.Open(name, source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	counter := source.NewCounter(f)
	doc := decodertest.Open(tb, udm.Format, filepath.Base(name), counter)
	doc.OnClose(f.Close)
	return doc, counter
}

// firstRows shows the first 50 rows of a node.
func firstRows(tb testing.TB, doc *model.Document, path string) {
	tb.Helper()
	p, err := doc.Lookup(context.Background(), path)
	if err == nil {
		err = p.Resolve(context.Background(), nil)
	}
	if err != nil {
		tb.Fatal(err)
	}
	n, _ := p.Len(tb.Context())
	if n == 0 {
		tb.Fatalf("%s has no rows", path)
	}
	for i := range min(n, 50) {
		row := p.Child(tb.Context(), i)
		if model.Show(tb.Context(), row.Node.Value, 80) == "" && len(row.Node.Problems) > 0 {
			tb.Fatal(row.Node.Problems[0])
		}
	}
}

// TestFirstRowsUDM counts what the first rows of a compressed array cost: the beginning of its block.
func TestFirstRowsUDM(t *testing.T) {
	name := udmInput(t, udmgen.LZ4, 64<<20)
	doc, counter := openUDM(t, name)
	before := model.NodesMade()
	firstRows(t, doc, udmVertices)
	if counter.Bytes() > 4<<20 {
		t.Errorf("read %d bytes for the first rows", counter.Bytes())
	}
	if made := model.NodesMade() - before; made > 1000 {
		t.Errorf("made %d nodes", made)
	}
}

// benchmarkUDM measures the opening of a file with the first rows of a node, and reports the bytes read.
func benchmarkUDM(b *testing.B, kind udmgen.Kind, path string) {
	name := udmInput(b, kind, kind.DefaultSize())
	warm(b, name)
	var read int64
	var first time.Duration
	for b.Loop() {
		start := time.Now()
		doc, counter := openUDM(b, name)
		firstRows(b, doc, path)
		first = time.Since(start)
		read = counter.Bytes()
		_ = doc.Close()
	}
	b.ReportMetric(float64(read)/1e6, "MB-read")
	b.ReportMetric(first.Seconds()*1000, "ms")
}

// BenchmarkUDMStructsFirst is the first rows of 200 MB of structs.
func BenchmarkUDMStructsFirst(b *testing.B) { benchmarkUDM(b, udmgen.Structs, udmVertices) }

// BenchmarkUDMLZ4First is the first rows of 500 MB of compressed structs.
func BenchmarkUDMLZ4First(b *testing.B) { benchmarkUDM(b, udmgen.LZ4, udmVertices) }

// BenchmarkUDMTextFirst is the first rows of a text of 64 MB, which is read through.
func BenchmarkUDMTextFirst(b *testing.B) {
	benchmarkUDM(b, udmgen.Text, "asset/assetData/block0/points")
}

// benchmarkUDMCheck measures the check of a whole file, and the heap that is in use after it.
func benchmarkUDMCheck(b *testing.B, kind udmgen.Kind) {
	name := udmInput(b, kind, kind.DefaultSize())
	info, err := os.Stat(name)
	if err != nil {
		b.Fatal(err)
	}
	warm(b, name)
	b.SetBytes(info.Size())
	for b.Loop() {
		doc, _ := openUDM(b, name)
		report, err := doc.CheckAll(context.Background(), nil)
		if err != nil || !report.Sound() || len(report.Tiling) > 0 {
			b.Fatal(err, report)
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapInuse)/1e6, "MB-heap")
		_ = doc.Close()
	}
}

// BenchmarkUDMStructsCheck checks 200 MB of structs.
func BenchmarkUDMStructsCheck(b *testing.B) { benchmarkUDMCheck(b, udmgen.Structs) }

// BenchmarkUDMLZ4Check checks 500 MB of compressed structs.
func BenchmarkUDMLZ4Check(b *testing.B) { benchmarkUDMCheck(b, udmgen.LZ4) }

// BenchmarkUDMTextCheck checks a text of 64 MB.
func BenchmarkUDMTextCheck(b *testing.B) { benchmarkUDMCheck(b, udmgen.Text) }
