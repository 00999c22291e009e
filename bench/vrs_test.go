package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source"
)

// bulkRecords is how many records the benchmarks' recording has.
const bulkRecords = 1_000_000

// recordingInput returns a generated recording, made on first use.
func recordingInput(tb testing.TB, k vrsgen.Bulk) string {
	tb.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	name := filepath.Join(folder, fmt.Sprintf("recording-%d-%t.vrs", k.Records, k.Index))
	if _, err := os.Stat(name); err != nil {
		if err := vrsgen.BulkFile(name, k); err != nil {
			tb.Fatal(err)
		}
	}
	return name
}

func openRecording(tb testing.TB, name string) (*model.Document, *source.Counter) {
	tb.Helper()
	f, err := source.Open(name, source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	counter := source.NewCounter(f)
	doc, err := vrs.Format.Open(context.Background(), &model.OpenRequest{
		Source: model.NewFileSource(name, counter), Name: name, Files: model.NoFiles{},
	})
	if err != nil {
		tb.Fatal(err)
	}
	doc.OnClose(f.Close)
	return doc, counter
}

// streams opens the streams view: it takes the index, or a walk.
func streams(tb testing.TB, doc *model.Document) *model.Place {
	tb.Helper()
	p, err := doc.Lookup(context.Background(), "streams")
	if err == nil {
		err = p.Resolve(context.Background(), nil)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// TestLazyRecording opens recordings, shows 50 rows twice and counts: with an index, it alone is read; without one, the
// pages with headers: of ten records, nine lie beside each other.
func TestLazyRecording(t *testing.T) {
	const records = 100_000
	for _, k := range []struct {
		index  bool
		limits decodertest.Limits
	}{
		{true, decodertest.Limits{Path: "streams/241-1/data", Bytes: 1 << 20}},
		{true, decodertest.Limits{Path: "layout/records", Bytes: 1 << 20}},
		{false, decodertest.Limits{Path: "streams/241-1/data", Bytes: records/10*2*source.CountedPage + 64<<10}},
	} {
		f, err := source.Open(recordingInput(t, vrsgen.Bulk{Records: records, Index: k.index}), source.Options{})
		if err != nil {
			t.Fatal(err)
		}
		decodertest.Lazy(t, vrs.Format, fmt.Sprintf("index %t", k.index), f, k.limits)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// metaJob runs a job of metavrs.py with Meta's library and returns its seconds of processor time; ok is false where it is missing.
func metaJob(b *testing.B, job, file string) (seconds float64, ok bool) {
	python := ""
	for _, p := range []string{os.Getenv("CUTAWAY_VRS_PYTHON"), "/opt/ref/bin/python3", "python3"} {
		if p != "" && exec.Command(p, "-c", "import pyvrs").Run() == nil {
			python = p
			break
		}
	}
	if python == "" {
		b.Log("no ratio: there is no Python with Meta's vrs (pip install vrs)")
		return 0, false
	}
	out, err := exec.Command(python, "metavrs.py", job, file).Output()
	if err != nil {
		b.Fatalf("metavrs.py: %v", err)
	}
	var r struct{ Seconds float64 }
	if err := json.Unmarshal(out, &r); err != nil {
		b.Fatal(err)
	}
	return r.Seconds, true
}

// compare reports seconds of processor time, and their ratio to those of Meta's library.
func compare(b *testing.B, took float64, job, file string) {
	seconds := took / float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(seconds, "s")
	b.ReportMetric(bulkRecords/seconds, "records/s")
	if meta, ok := metaJob(b, job, file); ok {
		b.ReportMetric(seconds/meta, "x-time")
	}
}

func benchmarkOpen(b *testing.B, index bool, job string) {
	file := recordingInput(b, vrsgen.Bulk{Records: bulkRecords, Index: index})
	warm(b, file)
	took := 0.0
	for b.Loop() {
		start := cpu(b)
		doc, counter := openRecording(b, file)
		streams(b, doc)
		took += cpu(b) - start
		b.ReportMetric(float64(counter.Bytes())/1e6, "MB-read")
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
	compare(b, took, job, file)
}

// BenchmarkRecordingOpen opens a recording of 4 GB to its streams by the index.
func BenchmarkRecordingOpen(b *testing.B) { benchmarkOpen(b, true, "open") }

// BenchmarkRecordingWalk opens it without an index.
func BenchmarkRecordingWalk(b *testing.B) { benchmarkOpen(b, false, "open") }

// BenchmarkRecordingFields decodes all fields of the motion stream's 900,000 records.
func BenchmarkRecordingFields(b *testing.B) {
	file := recordingInput(b, vrsgen.Bulk{Records: bulkRecords, Index: true})
	warm(b, file)
	took := 0.0
	for b.Loop() {
		doc, _ := openRecording(b, file)
		streams(b, doc)
		start := cpu(b)
		p, err := doc.Lookup(context.Background(), "streams/241-1/data")
		if err != nil {
			b.Fatal(err)
		}
		table := p.Node.Cards(b.Context())[0].(model.Table)
		rows := make([][]model.Cell, 1024)
		for i := range rows {
			rows[i] = make([]model.Cell, len(table.Columns()))
		}
		read := int64(0)
		for {
			n, err := table.Read(context.Background(), read, rows)
			if err != nil {
				b.Fatal(err)
			}
			if n == 0 {
				break
			}
			read += int64(n)
		}
		took += cpu(b) - start
		if total, _ := table.Rows(); read != total || rows[0][1].Value == nil {
			b.Fatalf("%d of %d rows", read, total)
		}
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
	compare(b, took, "fields", file)
}
