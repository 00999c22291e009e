package cli

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPatch: every verb reads the file as if the bytes of a list stood in it, and nothing writes the file.
func TestPatch(t *testing.T) {
	const file = "../testdata/usdc/arcs.usdc"
	dir := t.TempDir()
	was, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	version := write("version", "# another version\n8 00 63\n")
	behind, wrong := write("behind", "0xffffff 00\n"), write("wrong", "8 0\n")
	copied := filepath.Join(dir, "copy")
	for _, c := range []struct {
		args   string
		status int
		out    string
		err    string
	}{
		{"info " + file + " --patch " + version, 1, "0.99.0", ""},
		{"at " + file + " 9 --patch " + version, 1, "99", ""},
		{"check " + file + " --patch " + version, 1, "usdc.", ""},
		{"diff --view layout " + file + " " + file + " --patch " + version, 1, "minor  u8  8 → 99", ""},
		{"diff --bytes " + file + " " + file + " --patch " + version, 1, "1 changed", ""},
		{"export " + file + " layout --as raw --patch " + version + " -o " + copied, 1, "", ""},
		{"export " + file + " layout --as raw --patch " + version + " -o " + file, 3, "", "never changed"},
		{"info " + file + " --patch " + behind, 3, "", "it is of another file"},
		{"info " + file + " --patch " + wrong, 3, "", "line 1"},
		{"info " + file + " --patch " + filepath.Join(dir, "none"), 3, "", syscall.ENOENT.Error()},
		{"check " + file + " " + file + " --patch " + version, 3, "", "one file only"},
		{"search ../testdata/usdc x --patch " + version, 3, "", "one file only"},
		{"scan " + file + " --patch " + version, 3, "", "--patch"},
		{"diff ../testdata/usdc ../testdata/usdc --patch " + version, 2, "", "one file only"},
		{"info ../testdata/omnilive/world.oodf --with ../testdata/omnilive/world-b.oodf --patch " + version, 3, "", "several"},
	} {
		r := execute(t.Context(), decoderLibrary{}, strings.Fields(c.args)...)
		if r.status != c.status || !strings.Contains(r.out, c.out) || !strings.Contains(r.err, c.err) {
			t.Errorf("%s: status %d, want %d\n%s%s", c.args, r.status, c.status, r.out, r.err)
		}
	}
	now, err := os.ReadFile(file)
	if err != nil || string(now) != string(was) {
		t.Errorf("the file has changed: %v", err)
	}
	got, err := os.ReadFile(copied)
	was[8], was[9] = 0, 0x63
	if err != nil || string(got) != string(was) {
		t.Errorf("the copy has other bytes: %v", err)
	}
}
