package udm

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/udm/ascii"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/udm"

func corpusFiles(t testing.TB) []decodertest.File {
	t.Helper()
	var files []decodertest.File
	for _, f := range decodertest.ReadFiles(t, corpus+"/*") {
		if f.Name != "SOURCES.md" {
			files = append(files, f)
		}
	}
	return files
}

func openBytes(t testing.TB, name string, b []byte) *model.Document {
	t.Helper()
	return decodertest.Open(t, Format, name, model.BytesReader(b))
}

func checkAll(t testing.TB, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Tiling {
		t.Error(fault)
	}
	return r
}

// oracle is a line of the tables of SOURCES.md: form, asset type and version, counts, warnings.
var oracle = regexp.MustCompile(`(?m)^\| (\S+) \| \d+ \|.*\| (binary v2|ascii); (\S+) (\d+); ([\d /]+); (\d+) \|$`)

// warnings are those that the corpus says its files have, by rule.
var warnings = map[string]map[string]int{
	"cube_wireframe.pmdl": {ascii.RuleTextHint: 2},
	"fire.pptsys":         {ascii.RuleTextHint: 1, ruleDuplicateKey: 5},
	"bricks2.pmat":        {ascii.RuleTextNumber: 1},
}

// TestCorpus compares every file with what the corpus says of it.
func TestCorpus(t *testing.T) {
	text, err := os.ReadFile(corpus + "/SOURCES.md")
	if err != nil {
		t.Skipf("the corpus is not here: %v", err)
	}
	want := map[string][]string{}
	for _, m := range oracle.FindAllStringSubmatch(string(text), -1) {
		want[m[1]] = m[2:]
	}
	files := corpusFiles(t)
	if len(files) != 20 || len(want) != 20 {
		t.Fatalf("%d files, %d lines", len(files), len(want))
	}
	for _, f := range files {
		t.Run(f.Name, func(t *testing.T) {
			w := want[f.Name]
			d := openBytes(t, f.Name, f.Data)
			r := checkAll(t, d)
			got := fmt.Sprint(len(r.Problems))
			rules := map[string]int{}
			for _, p := range r.Problems {
				rules[p.Rule]++
			}
			if !maps.Equal(rules, warnings[f.Name]) {
				t.Errorf("%v, want %v", rules, warnings[f.Name])
			}
			if got != w[4] || !r.Sound() {
				for _, p := range r.Problems {
					t.Logf("%s %s: %s", p.Rule, p.Path, p.Error())
				}
				t.Errorf("%s problems, want %s warnings", got, w[4])
			}
			facts := map[string]model.Value{}
			list, err := d.Facts(t.Context(), false, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range list {
				facts[f.Key] = f.Value
			}
			form := "ascii"
			if strings.HasPrefix(w[0], "binary") {
				form = "binary"
			}
			if facts["form"] != model.Text(form) || facts["assetType"] != model.Text(w[1]) || fmt.Sprint(facts["assetVersion"]) != w[2] {
				t.Errorf("%v, %v %v; want %v", facts["form"], facts["assetType"], facts["assetVersion"], w)
			}
			counts := fmt.Sprintf("%d / %d / %d / %d", facts["properties"], facts["nodes"], facts["lz4Blocks"], facts["inflatedBytes"])
			if counts != w[3] {
				t.Errorf("properties / nodes / blocks / inflated are %s, want %s", counts, w[3])
			}
			for _, row := range facts["arrays"].(model.Seq) {
				for _, m := range row.(model.Object) {
					if n, ok := m.Value.(model.Int); ok && m.Key == "stored" && n > model.Int(len(f.Data)) {
						t.Errorf("arrays take more bytes than the file has: %v", row)
					}
				}
			}
			for _, c := range r.Coverage {
				if c.Unknown+c.Unreferenced+c.Pending != 0 || c.Sum() != c.Size {
					t.Errorf("%s: %+v", c.Source.Name(), *c)
				}
			}
		})
	}
}

// TestStats adds up the bytes by type: those of a binary file are all but its header.
func TestStats(t *testing.T) {
	for _, f := range corpusFiles(t) {
		d := openBytes(t, f.Name, f.Data)
		for _, by := range d.StatKeys {
			list, err := d.Stats(t.Context(), by, nil)
			if err != nil || len(list) == 0 {
				t.Fatalf("%s by %s: %v", f.Name, by, err)
			}
			stored := int64(0)
			for _, s := range list {
				stored += s.Stored
				if s.Stored < 0 || s.Logical < 0 || s.Count < 0 {
					t.Errorf("%s by %s: %+v", f.Name, by, s)
				}
			}
			if by == "type" && strings.HasPrefix(string(f.Data), identifier) && stored != int64(len(f.Data))-8 {
				t.Errorf("%s: %d bytes by type, the root has %d", f.Name, stored, len(f.Data)-8)
			}
		}
	}
}
