package odin

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/odin/object"
	"cutaway/model"
)

// objectLines writes the object view without what the two forms cannot agree on: offsets and widths of numbers.
func objectLines(t *testing.T, name string) []string {
	t.Helper()
	doc := openDoc(t, corpusFile(t, name))
	var lines []string
	opt := model.WalkOptions{Resolve: true, Elements: true}
	err := model.Walk(t.Context(), doc.View(object.View).Place(t.Context()), opt, func(p *model.Place) error {
		text := model.Show(t.Context(), p.Node.Value, 400)
		if p.Node.Value == nil {
			text = p.Node.Brief
		}
		lines = append(lines, fmt.Sprintf("%s = %s", p.Path(), text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestTwins compares the object views of files that were written in both forms.
func TestTwins(t *testing.T) {
	for _, name := range []string{"gen-primitives", "gen-collections", "gen-external", "gen-members", "udon-doc-example"} {
		binary, json := objectLines(t, name+".odin.bin"), objectLines(t, name+".odin.json")
		for i := range max(len(binary), len(json)) {
			b, j := "nothing", "nothing"
			if i < len(binary) {
				b = binary[i]
			}
			if i < len(json) {
				j = json[i]
			}
			if b != j && !strings.HasPrefix(b, "objects/title = ") { // differs on purpose
				t.Errorf("%s: binary\n%s\nJSON\n%s", name, b, j)
				if i > 0 && len(binary) != len(json) {
					break
				}
			}
		}
	}
}

// TestUdonTwins: the Udon views of both forms are equal, too.
func TestUdonTwins(t *testing.T) {
	lines := func(name string) (all []string) {
		doc := openDoc(t, corpusFile(t, name))
		p, err := doc.Lookup(t.Context(), "udon/program/code")
		if err != nil {
			t.Fatal(err)
		}
		card := p.Node.Cards(t.Context())[0].(model.Listing)
		n, _ := card.Lines()
		window := make([]model.Line, n)
		if got, err := card.Read(t.Context(), 0, window); int64(got) != n || err != nil {
			t.Fatal(got, err)
		}
		for _, l := range window {
			all = append(all, l.Text)
			if len(l.Spans) != 1 || l.Spans[0].Len < 4 {
				t.Errorf("%s: line %q stands on %v", name, l.Text, l.Spans)
			}
		}
		return all
	}
	binary, json := lines("udon-doc-example.odin.bin"), lines("udon-doc-example.odin.json")
	if !slices.Equal(binary, json) || len(binary) != 15 {
		t.Errorf("binary\n%s\nJSON\n%s", strings.Join(binary, "\n"), strings.Join(json, "\n"))
	}
}

// ordinaryFiles are files of the machine, evenly out of a folder's.
func ordinaryFiles(t *testing.T, root string, want int) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && len(all) < 60_000 {
			all = append(all, name)
		}
		return nil // what cannot be read is left out
	})
	if err != nil || len(all) == 0 {
		t.Skipf("no files under %s: %v", root, err)
	}
	var list []string
	for i := 0; i < len(all); i += max(len(all)/want, 1) {
		list = append(list, all[i])
	}
	return list
}

// TestOthers asks detection about files of other formats and about ordinary files: it takes none for its own.
func TestOthers(t *testing.T) {
	var others []string
	for _, folder := range []string{"usdc", "vrs", "udm", "omnilive"} {
		_ = filepath.WalkDir(filepath.Join("../../../shared/corpus", folder), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				others = append(others, name)
			}
			return nil
		})
	}
	ordinary := ordinaryFiles(t, "/usr", 1000)
	t.Logf("%d files of other formats, %d ordinary ones", len(others), len(ordinary))
	for _, name := range append(others, ordinary...) {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		head := make([]byte, model.ProbeSize)
		n, _ := f.Read(head)
		_ = f.Close()
		if d := decodertest.Detect(t.Context(), Format, filepath.Base(name), head[:n]); d.Confidence >= model.Guess || d.Reason == "" {
			t.Errorf("%s: %d, %q", name, d.Confidence, d.Reason)
		}
	}
}

// TestRefusals: empty files, zeros, words and small streams that anything could be are not taken.
func TestRefusals(t *testing.T) {
	for _, text := range []string{
		"", strings.Repeat("\x00", 4096), "Plain words, with no magic at their beginning.\n", "....", "\x18\x01\x00\x00\x00", "....................................",
		`{"$schema":"x","$id":"https://example.invalid/schema.json","type":"object"}`, `{"$type":"A.B, C","x":1}`, `{"$id":"1","$type":"Ns.Type, Assembly"}`,
		"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: a\n", "\x1f\x8b\x08\x00\x00\x00\x00\x00",
	} {
		if d := decodertest.Detect(t.Context(), Format, "x", []byte(text)); d.Confidence >= model.Guess || d.Reason == "" {
			t.Errorf("%.20q: %d, %q", text, d.Confidence, d.Reason)
		}
	}
}
