package decodertest

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/model"
	"cutaway/model/export"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Golden compares the output of write with the file at path. -update writes the file.
func Golden(t testing.TB, path string, write func(w io.Writer) error) {
	t.Helper()
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if diff := firstLine(string(want), got.String()); diff != "" {
		t.Errorf("%s: %s\n-update writes it anew", path, diff)
	}
}

// Region compares the part of a page between the lines "<!-- name -->" and "<!-- /name -->" with text. -update writes
// it.
func Region(t testing.TB, path, name, text string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	opening, closing := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	before, rest, opened := strings.Cut(string(page), opening)
	_, after, closed := strings.Cut(rest, closing)
	if !opened || !closed {
		t.Fatalf("%s has no lines %q and %q", path, opening, closing)
	}
	Golden(t, path, func(w io.Writer) error {
		_, err := io.WriteString(w, before+opening+text+closing+after)
		return err
	})
}

// Tree writes a view of a document for Golden, as "cutaway tree" does: resolved, with derived sources.
func Tree(t testing.TB, doc *model.Document, view string) func(w io.Writer) error {
	return func(w io.Writer) error {
		tree := export.NewTree(t.Context(), w, export.TextOptions{})
		tree.Head()
		root := doc.View(view).Place(t.Context())
		if err := model.Walk(t.Context(), root, model.WalkOptions{Resolve: true, Derived: true}, tree.Write); err != nil {
			return err
		}
		return tree.Flush()
	}
}

// firstLine describes the first line that differs, or returns "".
func firstLine(want, got string) string {
	w, g := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d differs:\n  golden %q\n  now    %q", i+1, a, b)
		}
	}
	return ""
}
