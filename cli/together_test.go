package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sequence copies five deltas into a folder.
func sequence(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, _ := filepath.Glob("../testdata/omnilive/sequence/*.oodf")
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(f)), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestWith opens several files as one document: named one by one, by a pattern, and as their folder, which is the same.
func TestWith(t *testing.T) {
	dir := sequence(t)
	name := func(n string) string { return filepath.Join(dir, "seq-"+n+".oodf") }
	whole := execute(t.Context(), decoderLibrary{}, "tree", "--json", dir)
	if whole.status != 0 || !strings.Contains(whole.out, "layer/World/Camera") {
		t.Fatalf("%d %s", whole.status, whole.err)
	}
	for _, args := range [][]string{
		{"tree", "--json", name("3"), "--with", filepath.Join(dir, "*.oodf")},
		{"tree", "--json", name("1"), "--with", name("5"), "--with", name("2"), "--with", name("4"), "--with", name("3")},
	} {
		if r := execute(t.Context(), decoderLibrary{}, args...); r.status != 0 || r.out != whole.out {
			t.Errorf("%q: status %d, not what the folder gives: %s", args, r.status, r.err)
		}
	}
	step := execute(t.Context(), decoderLibrary{}, "tree", name("1"), "--with", name("*"), "--option", "step=1")
	if step.status != 0 || !strings.Contains(step.out, "Cube") || strings.Contains(step.out, "Camera") {
		t.Errorf("step 1: %d %s\n%s", step.status, step.err, step.out)
	}
}

// TestWithRefuses: what cannot be opened together is wrong usage, said in words.
// reasonOf is why the system could not do something with a file, in its words.
func reasonOf(err error) string {
	var perr *fs.PathError
	errors.As(err, &perr)
	return perr.Err.Error()
}

func TestWithRefuses(t *testing.T) {
	dir := sequence(t)
	first, other := filepath.Join(dir, "seq-1.oodf"), filepath.Join(dir, "note.txt")
	if err := os.WriteFile(other, []byte("no live layer at all"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Stat(filepath.Join(dir, "seq-9.oodf"))
	for want, args := range map[string][]string{
		"note.txt is no Omniverse live layer":   {"info", first, "--with", other},
		"no file has a name like":               {"info", first, "--with", filepath.Join(dir, "*.nothing")},
		"opened one by one":                     {"info", first, "--with", filepath.Join(dir, "seq-2.oodf"), "--format", "bytes"},
		"are decoded from their beginnings":     {"info", first, "--with", filepath.Join(dir, "seq-2.oodf"), "--at", "4"},
		reasonOf(missing):                       {"info", first, "--with", filepath.Join(dir, "seq-9.oodf")},
		"seq-2.oodf is a file that is read; it": {"export", first, "--with", filepath.Join(dir, "seq-2.oodf"), "-o", filepath.Join(dir, "seq-2.oodf")},
		"seq-4.oodf is a file that is read; it": {"export", dir, "-o", filepath.Join(dir, "seq-4.oodf")},
	} {
		if r := execute(t.Context(), decoderLibrary{}, args...); r.status != StatusFailed || !strings.Contains(r.err, want) {
			t.Errorf("%q: status %d, %q, want %q", args, r.status, r.err, want)
		}
	}
}
