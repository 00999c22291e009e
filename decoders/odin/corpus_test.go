package odin

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/odin"

// corpusFile reads a file of the corpus.
func corpusFile(t testing.TB, name string) decodertest.File {
	t.Helper()
	return decodertest.ReadFiles(t, filepath.Join(corpus, name))[0]
}

func openDoc(t testing.TB, f decodertest.File) *model.Document {
	t.Helper()
	return decodertest.Open(t, Format, f.Name, model.BytesReader(f.Data))
}

func checkAll(t testing.TB, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.CheckAll(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Tiling {
		t.Error(fault)
	}
	return r
}

// expected is what SOURCES.md says of each file of the corpus.
var expected = []struct {
	name     string
	entries  []int64 // of each payload
	depth    int     // 0: not told
	types    int     // likewise
	problems string
}{
	{name: "udon-doc-example.odin.bin", entries: []int64{340}, depth: 11, types: 23},
	{name: "udon-doc-example.odin.json", entries: []int64{356}},
	{name: "udon-doc-example.asset", entries: []int64{340}},
	{name: "udon-coredump.odin.bin", entries: []int64{149}, problems: "odin.array.member-missing note"},
	{name: "udon-program-2020.asset", entries: []int64{164}},
	{name: "udon-program-2020.odin.bin", entries: []int64{164}},
	{name: "udon-null-program.odin.bin", entries: []int64{1}},
	{name: "udon-program-large.odin.bin", entries: []int64{4789}, types: 37},
	{name: "udon-program-synced.odin.bin.gz", entries: []int64{2381}},
	{name: "udon-public-variables.odin.bin", entries: []int64{193}},
	{name: "udon-public-variables-arrays.odin.bin", entries: []int64{99}},
	{name: "udonsharp-serialization-scene.unity", entries: []int64{99, 0, 0}},
	{name: "udonsharp-nodes-format.asset", entries: []int64{44}},
	{name: "gen-primitives.odin.bin", entries: []int64{28}},
	{name: "gen-primitives.odin.json", entries: []int64{27}},
	{name: "gen-arrays.odin.bin", entries: []int64{132}},
	{name: "gen-collections.odin.bin", entries: []int64{297}},
	{name: "gen-collections.odin.json", entries: []int64{202}},
	{name: "gen-unity-types.odin.bin", entries: []int64{170}},
	{name: "gen-external.odin.bin", entries: []int64{37}},
	{name: "gen-external.odin.json", entries: []int64{29}},
	{name: "gen-external-8bit.odin.bin", entries: []int64{37}},
	{name: "gen-members.odin.bin", entries: []int64{23}},
	{name: "gen-members.odin.json", entries: []int64{16}},
}

// openPayloads opens a file as a document of this package, to look at its streams.
func openPayloads(t testing.TB, f decodertest.File) *document {
	t.Helper()
	src := model.NewFileSource(f.Name, model.BytesReader(f.Data))
	d := &document{src: src}
	var err error
	if fileKindOf(f.Data[:min(len(f.Data), model.ProbeSize)]) == kindYAML {
		err = d.openYAML(t.Context(), model.NoFiles{})
	} else {
		_, err = d.openBytes(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.payloads {
		if err := p.stream(t.Context()).ScanAll(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

func TestCorpus(t *testing.T) {
	listed := map[string]bool{}
	for _, want := range expected {
		listed[want.name] = true
		t.Run(want.name, func(t *testing.T) {
			f := corpusFile(t, want.name)
			d := openPayloads(t, f)
			if len(d.payloads) != len(want.entries) {
				t.Fatalf("%d payloads, want %d", len(d.payloads), len(want.entries))
			}
			for i, p := range d.payloads {
				s := p.stream(t.Context())
				if n := s.EntryCount(); n != want.entries[i] && want.entries[i] > 0 {
					t.Errorf("payload %d: %d entries, want %d", i, n, want.entries[i])
				}
			}
			facts, err := openDoc(t, f).Facts(t.Context(), false, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, fact := range facts {
				if list, ok := fact.Value.(model.Seq); fact.Key == "types" && want.types > 0 && (!ok || len(list) != want.types) {
					t.Errorf("types %v, want %d", fact.Value, want.types)
				}
				if fact.Key == "depth" && want.depth > 0 && fact.Value != model.Int(want.depth) {
					t.Errorf("depth %v, want %d", fact.Value, want.depth)
				}
				if fact.Key == "entries" && len(want.entries) == 1 && want.entries[0] > 0 && fact.Value != model.Int(want.entries[0]) {
					t.Errorf("fact entries %v, want %d", fact.Value, want.entries[0])
				}
			}
			report := checkAll(t, openDoc(t, f))
			var got []string
			for i := range report.Problems {
				p := &report.Problems[i]
				got = append(got, fmt.Sprintf("%s %s", p.Rule, p.Kind.Severity()))
			}
			if problems := strings.Join(got, ", "); problems != want.problems {
				t.Errorf("problems %q, want %q: %v", problems, want.problems, report.Problems)
			}
			for _, c := range report.Coverage {
				if c.Unknown+c.Unreferenced+c.Pending != 0 {
					t.Errorf("%s: not all is explained: %+v", c.Source.Name(), c)
				}
			}
		})
	}
	for _, f := range decodertest.ReadFiles(t, corpus+"/*") {
		if f.Name != "SOURCES.md" && !listed[f.Name] {
			t.Errorf("%s is not listed", f.Name)
		}
	}
}

// TestCarriers names the components of a scene by the objects that they are on.
func TestCarriers(t *testing.T) {
	var got []string
	for _, p := range openPayloads(t, corpusFile(t, "udonsharp-serialization-scene.unity")).payloads {
		got = append(got, p.field.Carrier.String())
	}
	want := []string{"MonoBehaviour &833304208 on SerializeComponent", "MonoBehaviour &833304210 on SerializeComponent", "MonoBehaviour &1625677663 on CustomInspector"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestInvariants(t *testing.T) {
	for _, f := range decodertest.ReadFiles(t, corpus+"/*.*") {
		if f.Name == "SOURCES.md" {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return openDoc(t, f) })
		})
	}
}

func TestDetection(t *testing.T) {
	for _, want := range expected {
		f := corpusFile(t, want.name)
		d := decodertest.Detect(t.Context(), Format, f.Name, f.Data)
		if d.Confidence < model.Guess {
			t.Errorf("%s: confidence %d: %s", f.Name, d.Confidence, d.Reason)
		}
		// A single null is recognised by its name only.
		if d := decodertest.Detect(t.Context(), Format, "x", f.Data); (d.Confidence < 60) != (len(f.Data) == 1) {
			t.Errorf("%s under another name: confidence %d: %s", f.Name, d.Confidence, d.Reason)
		}
	}
}

// TestExample is the annotated example of chapter 15.
func TestExample(t *testing.T) {
	f := corpusFile(t, "udon-doc-example.odin.bin")
	doc := openDoc(t, f)
	for off, want := range map[int64]string{
		0x000: "layout/[0]/start entry/id", 0x001: "layout/[0]/start entry/type/tag", 0x002: "layout/[0]/start entry/type/type id",
		0x006: "layout/[0]/start entry/type/type name/flag", 0x007: "layout/[0]/start entry/type/type name/count",
		0x00b: "layout/[0]/start entry/type/type name/characters", 0x063: "layout/[0]/start entry/node id",
		0x067: "layout/[0]/InstructionSetIdentifier/id", 0x068: "layout/[0]/InstructionSetIdentifier/name/flag",
		0x09d: "layout/[0]/InstructionSetIdentifier/value/flag", 0x0aa: "layout/[0]/InstructionSetVersion/id",
		0x0da: "layout/[0]/InstructionSetVersion/value", 0x0de: "layout/[0]/ByteCode/start entry/id",
		0x0f4: "layout/[0]/ByteCode/start entry/type/tag", 0x12c: "layout/[0]/ByteCode/start entry/node id",
		0x130: "layout/[0]/ByteCode/[0]/id", 0x131: "layout/[0]/ByteCode/[0]/count", 0x135: "layout/[0]/ByteCode/[0]/size",
		0x139: "layout/[0]/ByteCode/[0]/elements/[0]", 0x1a9: "layout/[0]/ByteCode/end entry/id",
	} {
		p, err := doc.ResolveAt(t.Context(), doc.Source(), off, nil)
		if err != nil || p == nil || p.Path() != want {
			t.Errorf("%#x: %v, %v, want %s", off, p.Path(), err, want)
		}
	}
}
