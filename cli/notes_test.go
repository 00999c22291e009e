package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotes(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	file, moved, list := filepath.Join(dir, "a.usdc"), filepath.Join(dir, "b.usdc"), filepath.Join(dir, "marks.json")
	whole, err := os.ReadFile("../testdata/usdc/arcs.usdc")
	if err == nil {
		err = os.WriteFile(file, whole, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	say := func(want int, args ...string) result {
		t.Helper()
		r := execute(t.Context(), decoderLibrary{}, append([]string{"notes"}, args...)...)
		if r.status != want {
			t.Errorf("notes %q: status %d, %s%s", args, r.status, r.out, r.err)
		}
		return r
	}
	if r := say(0, file); r.out != "" || !strings.Contains(r.err, "no marks") {
		t.Errorf("at first: %q %q", r.out, r.err)
	}
	say(0, file+":8", "--add", "version", "--type", "u8[3]", "--colour", "red")
	say(0, file+"#scene/World/references", "--add", "")
	say(3, file+":8", "--add", "x", "--type", "u9")
	say(3, file+"#scene/Nobody", "--add", "x")
	say(3, file+":9999999", "--add", "x")
	say(3, file, "--colour", "red")
	say(3, file, "--remove", "nothing")
	now, err := os.ReadFile(file)
	if err != nil || string(now) != string(whole) {
		t.Error("the file was written to")
	}
	r := say(0, file)
	if !strings.Contains(r.out, "file:0x8+3") || !strings.Contains(r.out, "[0, 8, 0]") || !strings.Contains(r.out, "scene/World/references") {
		t.Errorf("listed: %s", r.out)
	}
	if err := os.WriteFile(list, []byte(say(0, "--json", file).out), 0o600); err != nil {
		t.Fatal(err)
	}

	if err := os.Rename(file, moved); err != nil {
		t.Fatal(err)
	}
	if r := say(0, moved); !strings.Contains(r.out, "version") || !strings.Contains(r.err, "when the file was "+file) {
		t.Errorf("moved: %s%s", r.out, r.err)
	}
	if report := execute(t.Context(), decoderLibrary{}, "export", moved, "--as", "html").out; !strings.Contains(report, "<td>version</td><td>u8[3] [0, 8, 0]</td>") {
		t.Error("the report has no notes")
	}
	if err := os.WriteFile(file, append(whole, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := say(0, file); !strings.Contains(r.out, "version") || !strings.Contains(r.err, "has changed") {
		t.Errorf("changed: %s%s", r.out, r.err)
	}
	other := filepath.Join(dir, "other.usdc")
	if err := os.WriteFile(other, append(whole, 1, 2), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := say(0, other, "--import", list); strings.Count(r.out, "\n") != 3 {
		t.Errorf("imported: %s%s", r.out, r.err)
	}
	say(3, other, "--import", moved)
}
