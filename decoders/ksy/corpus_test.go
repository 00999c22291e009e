package ksy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"cutaway/model"
)

const corpus = "../../../shared/corpus/kaitai"

// corpusFiles are the descriptions in a folder of the corpus, which is not part of the project.
func corpusFiles(t *testing.T, folder string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(corpus, folder), func(path string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".ksy") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Skipf("0 descriptions: %v", err)
	}
	return files
}

func load(t *testing.T, file string, folders ...string) *Description {
	t.Helper()
	d, err := Load(file, folders...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSuiteLoads loads every description of the official test suite.
func TestSuiteLoads(t *testing.T) {
	files := corpusFiles(t, "formats")
	for _, file := range files {
		d := load(t, file, filepath.Join(corpus, "formats", "ks_path"), filepath.Join(corpus, "gallery"))
		for _, f := range d.Findings {
			if !f.Warning {
				t.Error(f)
			}
		}
	}
	if len(files) < 330 {
		t.Errorf("%d descriptions are there", len(files))
	}
}

// TestGalleryLoads loads every description of the gallery.
func TestGalleryLoads(t *testing.T) {
	files := corpusFiles(t, "gallery")
	types, warnings := 0, 0
	for _, file := range files {
		d := load(t, file, filepath.Join(corpus, "gallery"))
		for _, f := range d.Findings {
			if !f.Warning {
				t.Error(f)
			}
			warnings++
		}
		for _, m := range d.Modules {
			types += countTypes(m.Top)
		}
	}
	t.Logf("%d descriptions, %d types, %d warnings", len(files), types, warnings)
	if len(files) != 179 {
		t.Errorf("%d descriptions are there", len(files))
	}
}

func countTypes(t *Type) int {
	if t == nil {
		return 0
	}
	n := 1
	for _, inner := range t.Types {
		n += countTypes(inner)
	}
	return n
}

var (
	expectedPath = regexp.MustCompile(`(?m)^# (\S+\.ksy): ?(.*?):?\n# \t(error|warning): .*`)
	expectedYAML = regexp.MustCompile(`(?m)^# (\S+\.ksy):(\d+):\d+:\n# \terror: `)
	astKey       = regexp.MustCompile(`(?:IntNum|Bool|Str)\((.*)\)$|Name\(identifier\((.*)\)\)$`)
)

// wanted is what the head of a description says is wrong in it: file, severity and path.
func wanted(text string) []string {
	var out []string
	for _, m := range expectedYAML.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+" error ")
	}
	if out != nil {
		return out
	}
	for _, m := range expectedPath.FindAllStringSubmatch(text, -1) {
		path := m[2]
		if key := astKey.FindStringSubmatch(path); key != nil { // the reference writes its tree where we write the key
			path = strings.TrimSuffix(path, key[0]) + key[1] + key[2]
		}
		out = append(out, m[1]+" "+m[3]+" "+path)
	}
	return out
}

// TestFaultsAreFound holds what we find wrong against what the suite says of each description that is wrong on purpose: as many
// findings, at the same paths.
func TestFaultsAreFound(t *testing.T) {
	refused, warned := 0, 0
	for _, file := range corpusFiles(t, "formats_err") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := wanted(string(text))
		if want == nil {
			continue
		}
		var got, all []string
		for _, f := range load(t, file).Findings {
			severity := "error"
			if f.Warning {
				severity = "warning"
			}
			got = append(got, filepath.Base(f.Schema)+" "+severity+" "+strings.ReplaceAll(f.Path, `"foo"`, "foo")) // Str(foo) there
			all = append(all, f.String())
			if f.Line < 4 && text[0] == '#' && f.Path != "/" || f.Column < 1 {
				t.Errorf("a place in the comment: %v", f)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(slices.Compact(got), slices.Compact(want)) {
			t.Errorf("%s: found %q, not %q: %s", filepath.Base(file), got, want, strings.Join(all, "\n"))
		}
		if strings.Contains(want[0], " error ") {
			refused++
		} else {
			warned++
		}
	}
	if refused != 143 || warned != 10 {
		t.Errorf("%d to refuse and %d to warn about", refused, warned)
	}
}

// TestFaultFiles reads small files on which the program was wrong.
func TestFaultFiles(t *testing.T) {
	const faults = "../../../shared/corpus/faults/ksy/"
	for _, c := range []struct {
		description, file string
		want              map[string]string // by path in the fields
	}{
		{"swreal.ksy", "swreal.bin", map[string]string{"props/[0]/value": "7", "props/[1]/value": "hello", "props/[2]/value": "1.5", "props/[3]/value": "bye"}},
		{"switch_strz.ksy", "switch_strz.bin", map[string]string{"switched": "abc", "len": "3", "eq": "true", "switched_term": "xyz"}},
		{"swinc.ksy", "swinc.bin", map[string]string{"a": `ab\x00`, "b": "cd", "z": "0", "c": `ef\x00`}},
		{"switch_opts.ksy", "switch_opts.bin", map[string]string{"t": "abc", "b": "61 62 63 7c 6a 75 6e 6b", "nt": "xyz"}},
	} {
		data, err := os.ReadFile(faults + c.file)
		if err != nil {
			t.Skipf("no faults: %v", err)
		}
		d := readsBy(t, faults+c.description, string(data))
		for path, want := range c.want {
			shows(t, d, "fields/"+path, want)
		}
	}
	data, err := os.ReadFile(faults + "info.wav")
	if err != nil {
		t.Fatal(err)
	}
	d := readsBy(t, filepath.Join(corpus, "gallery/common/riff.ksy"), string(data))
	texts := map[string]model.Span{}
	err = model.Walk(t.Context(), d.View("fields").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		if p.Node.Name == "chunk_data" {
			texts[model.Show(t.Context(), p.Node.Value, 80)] = p.Node.Span()
		}
		return nil
	})
	if at := texts["Me"]; err != nil || at.Off != 94 || at.Len != 3 || texts["A title"].Len != 8 {
		t.Errorf("%v, %v", texts, err)
	}
}
