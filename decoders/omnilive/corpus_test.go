package omnilive

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/omnilive"

// expectation is an entry of expected.json.
type expectation struct {
	Error       bool            `json:"error"`
	Form        string          `json:"form"`
	Schema      string          `json:"schema"`
	IsDiff      bool            `json:"isDiff"`
	BaseVersion uint64          `json:"baseVersion"`
	Counts      *expectedCounts `json:"counts"`
	Outcomes    []string        `json:"outcomes"`
	Sequence    [][]string      `json:"sequence"`
	Problems    int             `json:"problems"`
	Layer       map[string]any  `json:"layer"`
}

type expectedCounts struct {
	Commands    map[string]int64 `json:"commands"`
	SetFields   int64            `json:"setFields"`
	TimeSamples int64            `json:"timeSamples"`
	Parts       int64            `json:"parts"`
}

func expected(t testing.TB) map[string]expectation {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Skip("the corpus is not here: ", err)
	}
	var all map[string]expectation
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCorpus compares every file with what its generator says of it.
func TestCorpus(t *testing.T) {
	for name, want := range expected(t) {
		if want.Sequence != nil {
			continue
		}
		t.Run(name, func(t *testing.T) { compareFile(t, name, want) })
	}
}

func compareFile(t *testing.T, name string, want expectation) {
	doc := decodertest.OpenFile(t, Format, filepath.Join(corpus, name))
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want.Error {
		if report.Sound() {
			t.Error("no error")
		}
		return
	}
	if n := counted(report); n != want.Problems {
		t.Errorf("%d problems, want %d", n, want.Problems)
		for _, p := range report.Problems {
			if p.Kind.Severity() > model.Note {
				t.Logf("%s: %s: %s", p.Path, p.Rule, p.Error())
			}
		}
	}
	if want.Counts == nil {
		return
	}
	compareCounts(t, doc, want)
	if got := outcomesUnder(t, doc, commandsView); !reflect.DeepEqual(got, append([]string{}, want.Outcomes...)) {
		t.Errorf("outcomes %q, want %q", got, want.Outcomes)
	}
	compareLayer(t, doc, want.Layer)
}

// compareCounts compares the facts with what expected.json counts.
func compareCounts(t *testing.T, doc *model.Document, want expectation) {
	t.Helper()
	facts := factsOf(t, doc)
	kinds := map[string]int64{}
	for _, m := range facts["commands"].(model.Object) {
		kinds[m.Key] = int64(m.Value.(model.Int))
	}
	commands := int64(0)
	for _, n := range want.Counts.Commands {
		commands += n
	}
	for key, w := range map[string]model.Value{
		"form": model.Text(want.Form), "schema": model.Text(want.Schema), "isDiff": model.Bool(want.IsDiff),
		"baseVersion": model.Uint(want.BaseVersion), "setFields": model.Int(want.Counts.SetFields),
		"timeSamples": model.Int(want.Counts.TimeSamples), "parts": model.Int(want.Counts.Parts), "commandCount": model.Int(commands),
	} {
		if facts[key] != w {
			t.Errorf("%s is %v, want %v", key, facts[key], w)
		}
	}
	if !reflect.DeepEqual(kinds, want.Counts.Commands) {
		t.Errorf("commands %v, want %v", kinds, want.Counts.Commands)
	}
}

// counted is how many problems are more than notes.
func counted(r *model.Report) int {
	n := 0
	for i := range r.Problems {
		if r.Problems[i].Kind.Severity() > model.Note {
			n++
		}
	}
	return n
}

func factsOf(t testing.TB, doc *model.Document) map[string]model.Value {
	t.Helper()
	list, err := doc.Facts(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	facts := make(map[string]model.Value)
	for _, f := range list {
		facts[f.Key] = f.Value
	}
	return facts
}

// outcomesUnder lists the outcomes of the commands under a path.
func outcomesUnder(t testing.TB, doc *model.Document, path string) []string {
	t.Helper()
	root, err := doc.Lookup(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	n, _ := root.Len(t.Context())
	for i := range n {
		row := root.Child(t.Context(), i)
		if err := row.Resolve(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		list = append(list, model.Show(t.Context(), row.Child(t.Context(), 0).Node.Value, 100))
	}
	return list
}

// TestSequence applies the five deltas of the corpus after one another.
func TestSequence(t *testing.T) {
	for name, want := range expected(t) {
		if want.Sequence == nil {
			continue
		}
		var names []string
		for i := range want.Sequence {
			names = append(names, fmt.Sprintf("seq-%d.oodf", i+1))
		}
		doc := openSequence(t, names, nil)
		for i, n := range names {
			if got := outcomesUnder(t, doc, commandsView+"/"+n); !reflect.DeepEqual(got, want.Sequence[i]) {
				t.Errorf("%s, %s: outcomes %q, want %q", name, n, got, want.Sequence[i])
			}
		}
		compareLayer(t, doc, want.Layer)
		if report, err := doc.CheckAll(t.Context(), nil); err != nil || !report.Sound() || len(report.Tiling) > 0 {
			t.Errorf("check: %v, %v", report, err)
		}
	}
}

func openSequence(t *testing.T, names []string, options map[string]string) *model.Document {
	t.Helper()
	var sources []*model.Source
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join(corpus, n))
		if err != nil {
			t.Skip(err)
		}
		sources = append(sources, model.NewSource(n, n, model.LayoutView+"/"+n, model.BytesReader(data)))
	}
	doc, err := openTogether(t.Context(), sources, &model.OpenRequest{Name: "seq", Files: model.NoFiles{}, Options: options})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
