package bench

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"cutaway/decoders/ksy"
	"cutaway/internal/filegen"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/source"
)

// unequal describes records of unequal length with rules and an instance.
const unequal = `meta: {id: unequal, endian: le}
seq:
  - {id: magic, contents: RECS}
  - {id: records, type: record, repeat: eos}
types:
  record:
    seq:
      - {id: kind, type: u1, valid: {max: 9}}
      - {id: len, type: u2, valid: {min: 1, max: 300}}
      - {id: body, size: len, type: body}
    instances:
      whole: {value: len + 3}
  body:
    seq:
      - {id: time, type: u4}
      - {id: data, size-eos: true}
`

// vrsHeaders describes the records of a VRS recording, as far as their headers.
const vrsHeaders = `meta: {id: vrs_headers, endian: le}
seq:
  - {id: header, size: 80}
  - {id: records, type: record, repeat: eos}
types:
  record:
    seq:
      - {id: record_size, type: u4, valid: {min: 32}}
      - {id: previous_record_size, type: u4}
      - {id: recordable_type_id, type: s4}
      - {id: format_version, type: u4}
      - {id: timestamp, type: f8}
      - {id: recordable_instance_id, type: u2}
      - {id: record_type, type: u1, valid: {max: 4}}
      - {id: compression_type, type: u1}
      - {id: uncompressed_size, type: u4}
      - {id: payload, size: record_size - 32}
`

// unequalSize is how many bytes the benchmarks' file of unequal records has.
const unequalSize = 500 << 20

// described writes a description and the file of unequal records, on first use.
func described(tb testing.TB, text string) (schema, file string) {
	tb.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		tb.Fatal(err)
	}
	schema, file = filepath.Join(tb.TempDir(), "described.ksy"), filepath.Join(folder, "unequal.recs")
	if err := os.WriteFile(schema, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	if info, err := os.Stat(file); err == nil && info.Size() >= unequalSize {
		return schema, file
	}
	if err := filegen.Whole(file, func(f *os.File) error { return writeUnequal(f, unequalSize) }); err != nil {
		tb.Fatal(err)
	}
	return schema, file
}

// writeUnequal writes records of unequal length until there are size bytes.
func writeUnequal(f *os.File, size int64) error {
	w := bufio.NewWriterSize(f, 1<<20)
	_, _ = w.WriteString("RECS") // an error is Flush's, too
	body, random := make([]byte, 256), uint32(1)
	for n, i := int64(4), uint32(0); n < size; i++ {
		random = random*1664525 + 1013904223
		length := 10 + int(random>>24)%200
		head := binary.LittleEndian.AppendUint16([]byte{byte(i % 10)}, uint16(length))
		binary.LittleEndian.PutUint32(body, i)
		_, _ = w.Write(head)
		_, _ = w.Write(body[:length])
		n += int64(len(head) + length)
	}
	return w.Flush()
}

func openDescribed(tb testing.TB, schema, file string) *model.Document {
	tb.Helper()
	f, err := source.Open(file, source.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	doc, err := ksy.Format.Open(tb.Context(), &model.OpenRequest{Source: model.NewFileSource(file, f), Name: file, Files: model.NoFiles{},
		Options: map[string]string{"schema": schema}})
	if err != nil {
		tb.Fatal(err)
	}
	doc.OnClose(f.Close)
	return doc
}

// reference runs the reference's reader over a file: seconds of processor time and memory, where make ksydiff has installed it.
func reference(b *testing.B, schema, file string) (seconds, mb float64, ok bool) {
	b.Helper()
	const installed = "../build/ksydiff"
	if _, err := os.Stat(installed + "/node_modules/kaitai-struct-compiler"); err != nil {
		b.Log("no ratio: make ksydiff has not installed Kaitai Struct's compiler for node")
		return 0, 0, false
	}
	node, err := exec.LookPath("node")
	if err != nil {
		b.Log("no ratio: there is no node")
		return 0, 0, false
	}
	script, err := os.ReadFile("ksy.js")
	if err == nil {
		err = os.WriteFile(installed+"/ksy.js", script, 0o600) // beside its node_modules
	}
	if err == nil {
		file, err = filepath.Abs(file)
	}
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(b.Context(), node, "--max-old-space-size=12000", "ksy.js", schema, file)
	cmd.Dir = installed
	out, err := cmd.Output()
	if err != nil {
		b.Fatalf("ksy.js: %v", err)
	}
	var r struct{ Seconds, KiB float64 }
	if err := json.Unmarshal(out, &r); err != nil {
		b.Fatal(err)
	}
	return r.Seconds, r.KiB / 1024, true
}

// BenchmarkDescriptionFirst opens the file of unequal records and shows the first 50 of them.
func BenchmarkDescriptionFirst(b *testing.B) {
	schema, file := described(b, unequal)
	for b.Loop() {
		doc := openDescribed(b, schema, file)
		list := doc.View("fields").Place(b.Context()).Child(b.Context(), 1)
		if n, _ := list.Len(b.Context()); n < 50 {
			b.Fatalf("%d rows", n)
		}
		for i := range int64(50) {
			list.Child(b.Context(), i).Len(b.Context())
		}
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDescriptionCheck checks all of it, beside the reference's reading of all of it.
func BenchmarkDescriptionCheck(b *testing.B) {
	schema, file := described(b, unequal)
	warm(b, file)
	took, most := 0.0, uint64(0)
	for b.Loop() {
		runtime.GC()
		start := cpu(b)
		doc := openDescribed(b, schema, file)
		made := model.NodesMade()
		report, err := doc.CheckAll(b.Context(), nil)
		if err != nil || len(report.Problems) > 0 || report.Coverage[0].Explained != report.Coverage[0].Size || model.NodesMade()-made > 1000 {
			b.Fatalf("%v %v, %d nodes", report, err, model.NodesMade()-made)
		}
		took += cpu(b) - start
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapSys-m.HeapReleased)
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
	seconds := took / float64(b.N)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(seconds, "s")
	b.ReportMetric(float64(most)/(1<<20), "MB-heap")
	if js, mb, ok := reference(b, schema, file); ok {
		b.ReportMetric(js, "reference-s")
		b.ReportMetric(mb, "reference-MB")
		b.ReportMetric(seconds/js, "x-time")
	}
}

// BenchmarkDescriptionVRS finds the records of a recording by a description of their headers, beside the built-in format without
// an index.
func BenchmarkDescriptionVRS(b *testing.B) {
	schema, _ := described(b, vrsHeaders)
	const records = 200_000
	file := recordingInput(b, vrsgen.Bulk{Records: records})
	warm(b, file)
	ours, told := 0.0, 0.0
	for b.Loop() {
		start := cpu(b)
		built, _ := openRecording(b, file)
		streams(b, built)
		ours += cpu(b) - start
		start = cpu(b)
		doc := openDescribed(b, schema, file)
		list := doc.View("fields").Place(b.Context()).Child(b.Context(), 1)
		err := list.Resolve(b.Context(), nil)
		if n, _ := list.Len(b.Context()); n < records || err != nil {
			b.Fatalf("%d records, %v", n, err)
		}
		told += cpu(b) - start
		if err := built.Close(); err != nil {
			b.Fatal(err)
		}
		if err := doc.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ours/float64(b.N), "built-in-s")
	b.ReportMetric(told/float64(b.N), "s")
	b.ReportMetric(told/ours, "x-time")
}

// TestSparseRecords opens 20 GB of records of fixed size, which are computed.
func TestSparseRecords(t *testing.T) {
	const size = 20 << 30
	schema, file := filepath.Join(t.TempDir(), "fixed.ksy"), filepath.Join(t.TempDir(), "sparse.bin")
	text := "meta: {id: fixed, endian: le}\nseq: [{id: records, type: record, repeat: eos}]\ntypes: {record: {seq: [{id: a, type: u4}, {id: b, type: f8}, {id: c, type: u4}], " +
		"instances: {sum: {value: a + c}}}}"
	if err := os.WriteFile(schema, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(file)
	if err == nil {
		err = f.Truncate(size)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Skip("no sparse file: ", err)
	}
	opened, err := source.Open(file, source.Options{})
	if err != nil {
		t.Fatal(err)
	}
	counter := source.NewCounter(opened)
	doc, err := ksy.Format.Open(t.Context(), &model.OpenRequest{Source: model.NewFileSource(file, counter), Name: file, Files: model.NoFiles{},
		Options: map[string]string{"schema": schema}})
	if err != nil {
		t.Fatal(err)
	}
	doc.OnClose(opened.Close)
	t.Cleanup(func() { _ = doc.Close() })
	if p, err := doc.Lookup(t.Context(), fmt.Sprintf("fields/records/[%d]/sum", size/16-1)); err != nil || p.Node.Value != model.Int(0) {
		t.Errorf("%+v %v", p, err)
	}
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil || !report.Sound() || report.Coverage[0].Explained != size || counter.Bytes() > 1<<20 {
		t.Errorf("%v %v, %d bytes read", report, err, counter.Bytes())
	}
}
