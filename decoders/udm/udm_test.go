package udm

import (
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestInvariants checks on every file what must hold of all documents.
func TestInvariants(t *testing.T) {
	for _, f := range corpusFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return openBytes(t, f.Name, f.Data) })
		})
	}
}

// TestMutate changes and cuts small files of both forms.
func TestMutate(t *testing.T) {
	t.Run("binary", func(t *testing.T) {
		decodertest.Mutate(t, Format, fixtureFiles(t, "twin.udm_b"), decodertest.MutateOptions{Try: 600, Exceptions: []decodertest.Exception{
			{Path: "layout/header/identifier", Cut: true, Reason: "a file of no bytes is an empty text"},
			{Path: "layout/root/values/assetData/values/lz4", Reason: "the last sequence of an LZ4 block has a match length that nobody reads"},
		}})
	})
	t.Run("ascii", func(t *testing.T) {
		decodertest.Mutate(t, Format, fixtureFiles(t, "twin.udm"), decodertest.MutateOptions{Try: 600, Exceptions: []decodertest.Exception{
			{Path: "layout", Cut: true, Reason: "a text may end after any entry or inside a comment; TestCutText asks for more"},
			{Path: "layout/assetData/block/lz4", Reason: "the last sequence of an LZ4 block has a match length that nobody reads"},
		}})
	})
}

// TestTrees compares the views of small files with transcripts that were looked over.
func TestTrees(t *testing.T) {
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		d := openBytes(t, name, fixtureFiles(t, name)[0].Data)
		for _, v := range d.Views {
			path := filepath.Join(fixtures, "golden", name+"."+v.Name+".txt")
			decodertest.Golden(t, path, decodertest.Tree(t, d, v.Name))
		}
	}
}

// TestCauses: in a binary file that is cut, every other error follows from the field or block in which the bytes end; what is missing follows from
// a wrong number, or from the element that is damaged.
func TestCauses(t *testing.T) {
	independent := func(name string, data []byte) (rules []string) {
		d := openBytes(t, name, data)
		report, err := d.CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, cause := range model.CausesOf(report.Problems) {
			if p := &report.Problems[i]; cause < 0 && p.Kind.Severity() == model.Error {
				rules = append(rules, p.Rule)
			}
		}
		return rules
	}
	data, within := fixtureFiles(t, "twin.udm_b")[0].Data, 0
	for n := 60; n < len(data); n += 11 {
		rules := independent("cut.udm_b", data[:n])
		if slices.Contains(rules, "udm.truncated") {
			within++
			if slices.ContainsFunc(rules, func(rule string) bool { return rule != "udm.truncated" && rule != "udm.lz4.block" }) {
				t.Errorf("of the first %d bytes: %q", n, rules)
			}
		}
	}
	if within < 10 {
		t.Errorf("only %d cuts are within a field", within)
	}
	for name, want := range map[string]string{"x-array-count-strings.udm_b": "udm.array.count", "x-array-items-missing.udm_b": "udm.truncated", "x-element-count.udm_b": "udm.element.count"} {
		if rules := independent(name, fixtureFiles(t, name)[0].Data); len(rules) != 1 || rules[0] != want {
			t.Errorf("%s: %q", name, rules)
		}
	}
}
