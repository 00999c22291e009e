// Package livediff compares the USD text that live layers are written as with what usd-core reads of it.
package livediff

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/internal/livegen"
	"cutaway/internal/usddiff"
	"cutaway/model"
	"cutaway/model/export"
)

const corpus = "../../../shared/corpus/omnilive"

// entry is what read_usda.py gets of a layer.
type entry struct {
	USDA  string         `json:"usda"`
	Layer map[string]any `json:"layer"`
}

// expected reads the layers of expected.json.
func expected(t *testing.T) map[string]map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(corpus, "expected.json"))
	if err != nil {
		t.Skip("the corpus is not here: ", err)
	}
	var all map[string]struct{ Layer map[string]any }
	numbers := json.NewDecoder(bytes.NewReader(data))
	numbers.UseNumber() // -0.0 stays what it is
	if err := numbers.Decode(&all); err != nil {
		t.Fatal(err)
	}
	layers := make(map[string]map[string]any)
	for name, e := range all {
		layers[name] = e.Layer
	}
	return layers
}

// usda is the layer of a document as text.
func usda(t *testing.T, doc *model.Document) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Words(t.Context(), &b, nil, doc.Views[0].Place(t.Context()), "USDA"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func opened(t *testing.T, path string, with ...string) *model.Document {
	t.Helper()
	doc, err := decoders.OpenFile(t.Context(), path, decoders.OpenOptions{With: with})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { doc.Close() })
	return doc
}

// compare lets usd-core read the layers; each must be parsed, and say what it should, as far as it is written.
func compare(t *testing.T, layers map[string]entry) (specs, values int) {
	t.Helper()
	python := usddiff.Python()
	if python == "" {
		t.Skip(usddiff.NoPython)
	}
	in, err := json.Marshal(layers)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), python, "read_usda.py")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.Bytes())
	}
	var found struct {
		Problems              []string
		Layers, Specs, Values int
	}
	if err := json.Unmarshal(out.Bytes(), &found); err != nil {
		t.Fatal(err)
	}
	sort.Strings(found.Problems)
	for _, p := range found.Problems {
		t.Error(p)
	}
	t.Logf("%d layers, %d specs, %d values", found.Layers, found.Specs, found.Values)
	if found.Layers != len(layers) {
		t.Errorf("%d of %d layers are parsed: %s", found.Layers, len(layers), errs.Bytes())
	}
	return found.Specs, found.Values
}

// TestCorpus writes every layer of the corpus, and the sequence, as text.
func TestCorpus(t *testing.T) {
	layers := make(map[string]entry)
	for name, layer := range expected(t) {
		files := strings.Split(name, " ... ")
		var with []string
		if len(files) > 1 {
			with, _ = filepath.Glob(filepath.Join(corpus, "seq-[2-5].oodf"))
		}
		path := filepath.Join(corpus, files[0])
		doc, err := decoders.OpenFile(t.Context(), path, decoders.OpenOptions{With: with, Options: decoders.Options{Format: "omnilive"}})
		if err != nil {
			t.Fatal(err)
		}
		layers[name] = entry{usda(t, doc), layer}
		if err := doc.Close(); err != nil {
			t.Error(err)
		}
	}
	if specs, _ := compare(t, layers); specs < 500 {
		t.Errorf("only %d specs were compared", specs)
	}
}

// places are the fields of a prim that hold composite values, by type.
var places = map[string]string{
	"Dictionary": "customData", "TokenListOp": "apiSchemas", "ReferenceListOp": "references", "PayloadListOp": "payload",
	"Payload": "payload", "PathListOp": "inheritPaths", "StringListOp": "variantSetNames", "VariantSelectionMap": "variantSelection",
	"Specifier": "specifier", "Permission": "permission", "String": "documentation", "Token": "kind", "Bool": "hidden",
}

// TestTypes writes each value of the corpus' value files once more, where text has a place for it: as an attribute's value
// and time sample, whose type is then inferred, and as a field of a prim.
func TestTypes(t *testing.T) {
	all := expected(t)
	layers := make(map[string]entry)
	for _, file := range []string{"v-scalars.oodf", "v-scalars-more.oodf", "v-arrays.oodf", "v-arrays-empty.oodf", "v-array-timecode.oodf",
		"v-composites-empty.oodf", "v-listop-all-lists.oodf", "v-floats-special.oodf", "v-nested.oodf", "f-strings.oodf"} {
		doc := opened(t, filepath.Join(corpus, file))
		d := &livegen.Delta{Commands: []livegen.Command{
			{Kind: livegen.Create, Section: 1, Type: 7}, {Kind: livegen.Create, Parent: 1, Section: 2, Name: "Values", Type: 6}}}
		layer := make(map[string]any)
		id := uint64(10)
		add := func(name string, specType uint32, s livegen.Setting, path, key string, want any) {
			s.Section = id
			d.Commands = append(d.Commands, livegen.Command{Kind: livegen.Create, Parent: 2, Section: id, Name: name, Type: specType})
			d.Settings = append(d.Settings, s)
			id++
			spec := map[string]any{"specType": "Attribute", "fields": map[string]any{}, "timeSamples": []any{}, "children": map[string]any{}}
			if specType == 6 {
				spec["specType"] = "Prim"
			}
			if s.Sample {
				spec["timeSamples"] = []any{want}
			} else {
				spec["fields"] = map[string]any{key: want}
			}
			layer[path] = spec
		}
		for path, spec := range all[file] {
			for key, v := range spec.(map[string]any)["fields"].(map[string]any) {
				want := v.(map[string]any)
				typ, _ := want["type"].(string)
				bytes := valueOf(t, doc, path, key)
				if typ == "" || want["raw"] != nil || bytes == nil {
					continue
				}
				name := fmt.Sprintf("v%d", id)
				add(name, 1, livegen.Setting{Key: "default", Value: bytes}, "/Values."+name, "default", want)
				sample := map[string]any{"time": 2.5}
				for k, x := range want {
					sample[k] = x
				}
				add(name+"s", 1, livegen.Setting{Sample: true, Time: 2.5, Value: bytes}, "/Values."+name+"s", "", sample)
				if field := places[typ]; field != "" && want["isArray"] == false {
					add(name+"p", 6, livegen.Setting{Key: field, Value: bytes}, "/Values/"+name+"p", field, want)
				}
			}
		}
		made := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(made, d.Build(), 0o644); err != nil {
			t.Fatal(err)
		}
		layers[file] = entry{usda(t, opened(t, made)), layer}
	}
	if _, values := compare(t, layers); values < 400 {
		t.Errorf("only %d values were compared", values)
	}
}

// valueOf is the bytes of a field's value, header and all; nil where the field is not found by its plain path.
func valueOf(t *testing.T, doc *model.Document, path, key string) []byte {
	t.Helper()
	at := "layer" + strings.ReplaceAll(path, ".", "/.") + "/" + model.EscapeSegment(key) + "/value"
	p, err := doc.Lookup(t.Context(), at)
	if err != nil {
		return nil
	}
	span := p.Node.Span()
	data, err := span.Source.Bytes(t.Context(), span.Off, span.Len)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
