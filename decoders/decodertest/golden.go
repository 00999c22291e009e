package decodertest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"cutaway/decoders/lang"
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

// opening is the comment at which a part of a page begins that a test writes.
var opening = regexp.MustCompile(`(?m)^<!-- ([^/].*) -->\n`)

// Regions compares a page with the descriptions of its formats, as Region does: it has each part once, and no others. -update writes
// the parts, and creates a page that is missing.
func Regions(t testing.TB, path, title string, parts []lang.PagePart) {
	t.Helper()
	page, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		page, err = []byte("# "+title+"\n"), nil
		for _, part := range parts {
			page = fmt.Appendf(page, "\n<!-- %s -->\n<!-- /%[1]s -->\n", part.Name)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, part := range parts {
		if text, twice := texts[part.Name]; twice && text != part.Text {
			t.Errorf("%s: two parts are %q", path, part.Name)
		}
		texts[part.Name] = part.Text
	}
	var out strings.Builder
	rest, met := string(page), map[string]bool{}
	for {
		at := opening.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		name := rest[at[2]:at[3]]
		text, known := texts[name]
		_, after, closed := strings.Cut(rest[at[1]:], "<!-- /"+name+" -->\n")
		switch {
		case !closed:
			t.Fatalf("%s: %q does not end", path, name)
		case !known:
			t.Errorf("%s has a place for %q, which there is not", path, name)
		case met[name]:
			t.Errorf("%s has two places for %q", path, name)
		}
		met[name] = true
		out.WriteString(rest[:at[1]] + text + "<!-- /" + name + " -->\n")
		rest = after
	}
	for name := range texts {
		if !met[name] {
			t.Errorf("%s has no place for %q: the lines \"<!-- %s -->\" and \"<!-- /%s -->\"", path, name, name, name)
		}
	}
	Golden(t, path, func(w io.Writer) error {
		_, err := io.WriteString(w, out.String()+rest)
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
