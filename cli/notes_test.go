package cli

import (
	"encoding/json"
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
	if report := execute(t.Context(), decoderLibrary{}, "export", moved, "--as", "html").out; !strings.Contains(report, `></span>version</td><td>u8[3] [0, 8, 0]</td>`) {
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

	all, _ := filepath.Glob(filepath.Join(os.Getenv("XDG_STATE_HOME"), "cutaway", "marks", "*.json")) // the pattern is none that fails
	for _, kept := range all {
		if err := os.WriteFile(kept, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := execute(t.Context(), decoderLibrary{}, "export", moved, "--as", "html"); r.status != 0 || r.out == "" || !strings.Contains(r.err, "the report is without notes: ") {
		t.Errorf("marks that cannot be read: status %d, %s", r.status, r.err)
	}
}

// TestTooFewBytes: a type that takes more bytes than are marked is refused.
func TestTooFewBytes(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	if r := cutaway(t, "notes", "sound.fake:0", "--length", "4", "--add", "x", "--type", "u64"); r.status != StatusFailed || !strings.Contains(r.err, "u64 takes 8 bytes, and 4 are marked") {
		t.Errorf("status %d: %s", r.status, r.err)
	}
}

// TestMarksToDescription reads a file by the description that its marks make, to the values that the marks show.
func TestMarksToDescription(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	dir := t.TempDir()
	file, schema := filepath.Join(dir, "log.tide"), filepath.Join(dir, "tide.ksy")
	data := "TIDE\x02\x00\x05Kiel!\x01\x02\x03\x04\xc0\x49\x0f\xdb\x00\x41\x00\x42\xff\xfe\x00\x00\x00\x00\x00\x00\x00\x07tail of it"
	if err := os.WriteFile(file, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	say := func(want int, args ...string) string {
		t.Helper()
		r := execute(t.Context(), decoderLibrary{}, args...)
		if r.status != want {
			t.Fatalf("%q: status %d, %s%s", args, r.status, r.out, r.err)
		}
		return r.out
	}
	kept := []struct{ at, length, typ, note, name, value string }{
		{"0", "4", "", "Magic", "magic", `"base64":"VElERQ=="`},
		{"4", "", "u16", "version", "version", "2"},
		{"7", "5", "text", "The station's name", "the_station_s_name", `"Kiel!"`},
		{"7", "1", "u8", "first letter", "first_letter", "75"},
		{"12", "", "u8[3]", "", "at_c", "[1,2,3]"},
		{"13", "", "u16be", "version", "version_2", "515"},
		{"16", "", "f32be", "9 pi", "pi", "-3.1415927"},
		{"20", "4", "utf16be", "letters", "letters", `"AB"`},
		{"24", "", "i8", "signed", "signed", "-1"},
		{"25", "", "u64be", "long", "long", "18302628885633695744"},
	}
	for _, k := range kept {
		args := []string{"notes", file + ":" + k.at, "--add", k.note, "--type", k.typ}
		if k.length != "" {
			args = append(args, "--length", k.length)
		}
		say(0, args...)
	}
	text := say(0, "notes", file, "--as", "ksy")
	if err := os.WriteFile(schema, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	say(0, "check", file, "--schema", schema)
	read := map[string]string{}
	for l := range strings.Lines(say(0, "tree", file, "--schema", schema, "--view", "fields", "--json", "--whole", "--fields", "name,value")) {
		var one struct {
			Name  string
			Value json.RawMessage
		}
		if err := json.Unmarshal([]byte(l), &one); err != nil {
			t.Fatal(err)
		}
		read[one.Name] = string(one.Value)
	}
	for _, k := range kept {
		got := read[k.name]
		if !strings.Contains(strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(k.value, " ", "")) {
			t.Errorf("%s is %s, not %s, by\n%s", k.name, got, k.value, text)
		}
	}
}
