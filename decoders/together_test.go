package decoders

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
)

// TestOpenFolder opens a sequence as a folder, and the layer after each of its deltas.
func TestOpenFolder(t *testing.T) {
	files, err := filepath.Glob("../testdata/omnilive/sequence/*.oodf")
	if err != nil || len(files) != 5 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for step, want := range map[string]string{
		"": "Camera Box", "0": "", "1": "Cube", "2": "Cube Sphere Light", "5": "Camera Box",
	} {
		var opt OpenOptions
		if step != "" {
			opt.Options.Options = map[string]string{"step": step}
		}
		doc, err := OpenFile(t.Context(), dir, opt)
		if err != nil {
			t.Fatal(err)
		}
		if len(doc.Sources) != len(files) {
			t.Errorf("%d sources of %d files", len(doc.Sources), len(files))
		}
		if got := prims(t, doc, "layer/World"); got != want {
			t.Errorf("after step %q the prims are %q, want %q", step, got, want)
		}
		for i, src := range doc.Sources {
			p, err := doc.ResolveAt(t.Context(), src, 4, nil)
			if err != nil || p == nil || p.Node.Name != "identifier" {
				t.Errorf("byte 4 of delta %d is %v, %v", i, p, err)
			}
		}
		if err := doc.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := OpenFile(t.Context(), dir, OpenOptions{Options: Options{Options: map[string]string{"step": "6"}}}); err == nil {
		t.Error("step 6 of 5 is accepted")
	}
	if _, err := OpenFile(t.Context(), t.TempDir(), OpenOptions{}); err == nil || !strings.Contains(err.Error(), "holds no files that are opened together (.oodf") {
		t.Error("an empty folder:", err)
	}
}

func prims(t *testing.T, doc *model.Document, path string) string {
	t.Helper()
	p, err := doc.Lookup(t.Context(), path)
	if err != nil {
		return ""
	}
	var names []string
	n, _ := p.Len(t.Context())
	for i := range n {
		if c := p.Child(t.Context(), i); c.Node.Type == "Prim" {
			names = append(names, c.Node.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestTogether: files are one document by their endings, or by what they hold; equal names are told apart.
func TestTogether(t *testing.T) {
	if f := Together([]string{"a.oodf", "b/C.OMPF"}); f == nil || f.Name != "omnilive" {
		t.Errorf("two live layers are opened together by %v", f)
	}
	for _, paths := range [][]string{nil, {"a.oodf"}, {"a.oodf", "b.usdc"}, {"a.usdc", "b.usdc"}} {
		if f := Together(paths); f != nil {
			t.Errorf("%q are opened together by %s", paths, f.Name)
		}
	}
	data, err := os.ReadFile("../testdata/omnilive/world.oodf")
	if err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(t.TempDir(), "world.bin"), filepath.Join(t.TempDir(), "world.bin")
	for _, path := range []string{first, second} {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	doc, err := OpenFile(t.Context(), first, OpenOptions{With: []string{second}})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	if len(doc.Sources) != 2 || doc.Sources[1].Name() != "world.bin~" {
		t.Errorf("%d sources, the second is %q", len(doc.Sources), doc.Sources[len(doc.Sources)-1].Name())
	}
	for _, path := range []string{"commands/world.bin/[1]", "commands/world.bin~/[1]", "layout/world.bin~/FlatBuffer/identifier"} {
		if _, err := doc.Lookup(t.Context(), path); err != nil {
			t.Error(err)
		}
	}
}

// TestIsTogether: a folder of live layers alone is one document; beside other files they are files among others.
func TestIsTogether(t *testing.T) {
	for _, k := range []struct {
		names []string
		is    bool
	}{{[]string{"a.oodf", "b.oodf", "notes.txt"}, true}, {[]string{"a.oodf", "scene.usdc"}, false}, {[]string{"scene.usdc"}, false}, {nil, false}} {
		dir := t.TempDir()
		for _, name := range k.names {
			if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if IsTogether(dir) != k.is {
			t.Errorf("%q: %t", k.names, !k.is)
		}
	}
}
