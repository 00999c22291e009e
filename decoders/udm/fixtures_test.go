package udm

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/udmgen"
	"cutaway/model"
)

//go:generate go run cutaway/internal/udmgen/cmd/udmgen -o ../../testdata/udm

const fixtures = "../../testdata/udm"

func fixtureFiles(t testing.TB, pattern string) []decodertest.File {
	t.Helper()
	return decodertest.ReadFiles(t, filepath.Join(fixtures, pattern))
}

// trees are the fixtures that are UDM.
func trees(t testing.TB) []decodertest.File {
	t.Helper()
	return slices.Concat(fixtureFiles(t, "*.udm_b"), fixtureFiles(t, "*.udm"))
}

// TestFixtures compares the files with what their generator makes.
func TestFixtures(t *testing.T) {
	made := udmgen.Fixtures()
	files := fixtureFiles(t, "*.*")
	for _, f := range files {
		if string(made[f.Name]) != string(f.Data) {
			t.Errorf("%s is not what go generate makes", f.Name)
		}
	}
	if len(files) != len(made) {
		t.Errorf("%d files, %d are made", len(files), len(made))
	}
}

// lost are the damaged files in which the property after the damage cannot be decoded, with the reason.
var lost = map[string]string{
	"x-version-0.udm_b":       "unknown version",
	"x-version-3.udm_b":       "unknown version",
	"x-cut-in-half.udm_b":     "cut off",
	"x-cut-last-byte.udm_b":   "cut off",
	"x-cut-in-header.udm_b":   "cut off",
	"x-identifier-only.udm_b": "cut off",
	"x-root-missing.udm_b":    "cut off",
	"x-root-type-99.udm_b":    "no element",
	"x-root-uint32.udm_b":     "no element",
	"x-duplicate-keys.udm_b":  "there is none",
	"ok-key-255.udm_b":        "there is none",
	"ok-comment-only.udm":     "there is none",
	"x-empty.udm":             "there is none",
	"ok-no-asset-keys.udm":    "there is none",
	"ok-crlf.udm":             "there is none",
	"x-string-open.udm":       "it is in the string",
	"x-block-open.udm":        "there is none",
	"x-comment-open.udm":      "it is in the comment",
	"x-data-open.udm":         "it is in the data",
}

// TestProblems compares what is found in every fixture with a transcript that was looked over. What follows the
// damage is still decoded.
func TestProblems(t *testing.T) {
	decodertest.Golden(t, filepath.Join(fixtures, "golden", "problems.txt"), func(w io.Writer) error {
		for _, f := range trees(t) {
			d := openBytes(t, f.Name, f.Data)
			r := checkAll(t, d)
			fmt.Fprintln(w, f.Name)
			for _, p := range r.Problems {
				path := p.Path
				if len(path) > 160 {
					path = path[:80] + "…" + path[len(path)-40:]
				}
				fmt.Fprintf(w, "    %s %s %s:%s\n        %s\n        %s\n", p.Kind, p.Rule, shortSource(p.Span), p.Span, path, p.Error())
			}
			if sound := strings.HasPrefix(f.Name, "ok-"); sound && len(r.Problems) > 0 || !sound && strings.HasPrefix(f.Name, "x-") && r.Worst() == model.Note {
				t.Errorf("%s: %d problems", f.Name, len(r.Problems))
			}
			if _, isLost := lost[f.Name]; !isLost {
				behind(t, f.Name, d)
			}
		}
		return nil
	})
}

func shortSource(s model.Span) string {
	name := s.Source.Name()
	return name[strings.LastIndexByte(name, '@')+1:]
}

// behind checks that the property behind the damage has its value.
func behind(t *testing.T, name string, d *model.Document) {
	t.Helper()
	for _, path := range []string{"asset/assetData/after", "asset/assetData/before"} {
		if p, err := d.Lookup(t.Context(), path); err == nil && p.Node.Value == model.Uint(7) {
			return
		}
	}
	if !strings.HasPrefix(name, "twin") {
		t.Errorf("%s: the property after the damage is lost", name)
	}
}

// TestFixtureInvariants checks on small files, damaged ones too, what must hold of all documents.
func TestFixtureInvariants(t *testing.T) {
	for _, f := range trees(t) {
		if strings.Contains(f.Name, "10000") || strings.HasPrefix(f.Name, "many.") {
			continue // so deep, or so many, that looking each path up takes long; TestProblems checks their tiling
		}
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return openBytes(t, f.Name, f.Data) })
		})
	}
}

// TestCutText cuts a text at every length: no cut is taken for a whole file unless an entry ends there or a comment
// begins.
func TestCutText(t *testing.T) {
	f := fixtureFiles(t, "twin.udm")[0]
	body := strings.Index(string(f.Data), "assetData {") + len("assetData {")
	end := strings.LastIndexByte(string(f.Data), '}')
	step := 1
	if testing.Short() { // looks for races alone
		step = 16
	}
	for n := body; n <= end; n += step {
		d := openBytes(t, f.Name, f.Data[:n])
		if r := checkAll(t, d); r.Sound() {
			t.Errorf("cut to %d bytes, inside the block of assetData: no error", n)
		}
	}
}

// TestDetect tells UDM from what looks like it.
func TestDetect(t *testing.T) {
	decodertest.Detects(t, Format, []decodertest.File{fixtureFiles(t, "twin.udm_b")[0], fixtureFiles(t, "x-version-3.udm_b")[0]})
	for _, f := range corpusFiles(t) {
		if d := decodertest.Detect(t.Context(), Format, f.Name, f.Data); d.Confidence < sureText || d.Reason == "" {
			t.Errorf("%s: %d, %s", f.Name, d.Confidence, d.Reason)
		}
		if d := decodertest.Detect(t.Context(), Format, "x", f.Data); d.Confidence < likelyText {
			t.Errorf("%s without its name: %d, %s", f.Name, d.Confidence, d.Reason)
		}
	}
	for _, c := range []struct {
		name, text string
		fits       bool
	}{
		{"x", "// a comment\n/* and */ \"name\" { }", true},
		{"x", "\ufeff$bool a true", true},
		{"x", "$struct<uint8:a> s [1]", true},
		{"x.udm", "", true},
		{"x.pmat", " // nothing\n", true},
		{"x", "", false},
		{"x", " // nothing\n", false},
		{"x.txt", "$texture albedo \"a\"", false},
		{"x.wmi", "\"pbr\" { $float a 1 }", false},
		{"x.wdd", "", false},
		{"x", "\"pbr\" { $texture a \"b\" }", false},
		{"x", "\"VertexLitGeneric\" { \"$basetexture\" \"a\" }", false},
		{"x.json", "{ \"a\": { \"b\": 1 } }", false},
		{"x.json", "{ \"a\": \"" + strings.Repeat("long ", model.ProbeSize), false},
		{"x.toml", "t= {", false},
		{"x.css", "body { color: red; }", false},
		{"x.c", "struct point { int x; };", false},
		{"x.conf", "server { listen 80; }", false},
		{"x.sh", "#!/bin/sh\nmain() { echo; }\n", false},
		{"x.tf", "resource \"a\" \"b\" {\n x = 1\n}\n", false},
		{"x.proto", "syntax = \"proto3\";\nmessage A { string b = 1; }", false},
		{"x.udm", "words that are no UDM", false},
		{"x.udm", "$string s \"no end", true},
		{"x.udm", "\x01string s \"a\"\n$uint32 n 1\n", true},
	} {
		d := decodertest.Detect(t.Context(), Format, c.name, []byte(c.text)[:min(len(c.text), model.ProbeSize)])
		if d.Confidence >= model.Guess != c.fits || d.Reason == "" {
			t.Errorf("%s, %q: %d, %s", c.name, c.text, d.Confidence, d.Reason)
		}
	}
	for _, f := range fixtureFiles(t, "lookalike.*") {
		d := decodertest.Detect(t.Context(), Format, f.Name, f.Data)
		t.Logf("%s: %s", f.Name, d.Reason)
		if d.Confidence >= model.Guess {
			t.Errorf("%s is taken for UDM: %s", f.Name, d.Reason)
		}
	}
}

func FuzzUDM(f *testing.F) {
	seeds := slices.Concat(fixtureFiles(f, "twin.*"), fixtureFiles(f, "x-*.udm*"), fixtureFiles(f, "ok-*.udm"))
	decodertest.Fuzz(f, Format, slices.DeleteFunc(seeds, func(s decodertest.File) bool {
		return strings.Contains(s.Name, "10000") // too slow for a seed
	}))
}
