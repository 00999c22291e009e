package cli

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/export"
)

// Every form is written of nodes of every small file that we have, sound or damaged, and what others can read of it they
// read. A form that does not suit a node says so.
func TestFormsOfAllFiles(t *testing.T) {
	const nodes, largest = 16, 16 << 10
	written := make(map[string]int)
	err := filepath.WalkDir("../testdata", func(file string, d fs.DirEntry, err error) error {
		info, ierr := d.Info()
		if err != nil || ierr != nil || d.IsDir() || info.Size() > largest || slices.Contains([]string{".go", ".md", ".txt", ".sh"}, filepath.Ext(file)) {
			return err
		}
		doc, err := decoders.OpenTarget(context.Background(), decoders.Target{File: file, Offset: -1}, decoders.OpenOptions{})
		if err != nil {
			return nil // no file of ours, such as what a test expects
		}
		defer doc.Close()
		for _, v := range doc.Views {
			left := nodes
			_ = model.Walk(context.Background(), v.Place(t.Context()), model.WalkOptions{Resolve: true, Depth: 4}, func(p *model.Place) error {
				if left--; left < 0 {
					return context.Canceled
				}
				// Few nodes are worth a walk of their own: they are written with those above them.
				for _, f := range forms {
					if !f.Document && (!f.Nests || left%5 == 0) {
						writeForm(t, f, &export.Request{Doc: doc, Places: []*model.Place{p}, Depth: 2}, written)
					}
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range forms { // a clip is a folder, and has a test of its own
		if !f.Document && !f.Single && f.Name != "clip" && written[f.Name] < 2 {
			t.Errorf("%s: %d nodes only", f.Name, written[f.Name])
		}
	}
}

func writeForm(t *testing.T, f *export.Form, r *export.Request, written map[string]int) {
	t.Helper()
	const limit = 1 << 20
	path := r.Doc.Name + "#" + r.Places[0].Path()
	if f.Name == "parquet" {
		// A billion equal rows are some bytes of it, so that no preview is full before all are written.
		if _, whole, err := forms.ByName("csv").Preview(context.Background(), r, limit); err == nil && !whole {
			return
		}
	}
	got, whole, err := f.Preview(context.Background(), r, limit)
	if why := f.Refuse(t.Context(), r.Places); why != "" {
		if err == nil || len(got) > 0 {
			t.Errorf("%s as %s: refused (%s), but written", path, f.Name, why)
		}
		return
	}
	if err != nil {
		if f.Nests && f.Name != "text" {
			t.Errorf("%s as %s: %v", path, f.Name, err)
		}
		return // its values are damaged, of several types, or more than their notation holds
	}
	written[f.Name]++
	if !whole {
		return
	}
	switch f.Name {
	case "json":
		if !json.Valid(got) {
			t.Errorf("%s: this is no JSON: %s", path, got)
		}
	case "yaml":
		js, _, err := forms.ByName("json").Preview(context.Background(), r, 2*limit)
		var fromYAML, fromJSON any
		if err != nil || json.Unmarshal(js, &fromJSON) != nil {
			t.Fatal(path, err)
		}
		if err := yaml.Unmarshal(got, &fromYAML); err != nil {
			t.Errorf("%s: this is no YAML: %v", path, err)
			return
		}
		again, err := json.Marshal(fromYAML)
		if err != nil || json.Unmarshal(again, &fromYAML) != nil || !reflect.DeepEqual(fromYAML, fromJSON) {
			t.Errorf("%s: YAML holds something else than JSON: %v\n%s\n%s", path, err, got, js)
		}
	case "csv":
		if _, err := csv.NewReader(strings.NewReader(string(got))).ReadAll(); err != nil {
			t.Errorf("%s: this is no CSV: %v", path, err)
		}
	case "go":
		if _, err := parser.ParseFile(token.NewFileSet(), "x.go", got, 0); err != nil {
			t.Errorf("%s: this is no Go: %v", path, err)
		}
	}
}
