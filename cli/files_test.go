package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManyFiles: search, check and diff go over folders, pass over what no format knows there, and name the file of each line.
func TestManyFiles(t *testing.T) {
	old, fresh := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	layer := func(file string) string {
		return "#usda 1.0\n(\n    subLayers = [@./below.usda@, @gone.usda@]\n)\ndef Shader \"S\" (\n    references = @below.usda@\n)\n{\n    asset inputs:file = @" + file +
			"@\n    asset[] inputs:all = [@tex/old.tx@, @tex/lost.tx@, @tile.<UDIM>.tx@, @https://h/x@]\n}\n"
	}
	put(old, "a/one.usda", layer("tex/old.tx"))
	put(old, "a/tex/old.tx", "\x00picture")
	put(old, "a/below.usda", "#usda 1.0\n")
	put(old, "a/tile.1001.tx", "\x00picture")
	put(old, "two.usda", layer("tex/new.tx"))
	put(old, "unknown.bin", "\x00\x01\x02")
	put(fresh, "a/one.usda", layer("tex/new.tx"))
	put(fresh, "a/below.usda", "#usda 1.0\n")
	put(fresh, "three.usda", "#usda 1.0\n")
	one := filepath.Join(old, "a", "one.usda")
	for _, k := range []struct {
		args   []string
		status int
		has    []string
		lacks  string
	}{
		{[]string{"search", old, "value:*old.tx*"}, 0, []string{one + "#scene/S/.inputs:file"}, "unknown.bin"},
		{[]string{"search", old, "name:S", fresh}, 0, []string{one + "#scene/S", filepath.Join(old, "two.usda") + "#scene/S", filepath.Join(fresh, "a", "one.usda") + "#scene/S"}, ""},
		{[]string{"search", "--json", old, "name:S", "--max", "1"}, 0, []string{`"file":` + quoted(one)}, "two.usda"},
		{[]string{"search", old, "Shader", "--in", "bytes"}, 0, []string{one + "  file:0x"}, ""},
		{[]string{"search", one, "S", filepath.Join(old, "none.usda")}, 2, []string{one + "#scene/S", "none.usda"}, ""},
		{[]string{"search", one, "name:S"}, 0, []string{"scene/S"}, one},
		{[]string{"check", "--all", old}, 0, []string{one, "two.usda"}, "unknown.bin"},
		{[]string{"check", "--assets", one}, 0, []string{"gone.usda is not there", "tex/lost.tx is not there"}, "below.usda is"},
		{[]string{"check", "--assets", one}, 0, []string{"2 warnings"}, "old.tx is"},
		{[]string{"check", "--assets", "--strict", one}, 1, []string{"assets.missing"}, "UDIM"},
		{[]string{"diff", old, fresh}, 1, []string{filepath.Join("a", "one.usda") + "\n", "tex/old.tx → tex/new.tx", "+ " + filepath.Join(fresh, "three.usda"), "- " + filepath.Join(old, "two.usda")}, ""},
		{[]string{"diff", "--json", old, fresh}, 1, []string{`"file":` + quoted(filepath.Join("a", "one.usda"))}, ""},
		{[]string{"diff", old, old}, 0, []string{"the same content"}, ""},
	} {
		var out, errs bytes.Buffer
		status := Main(t.Context(), "test", k.args, &out, &errs)
		all := out.String() + errs.String()
		if status != k.status {
			t.Errorf("%q: status %d, not %d: %s", k.args, status, k.status, all)
		}
		for _, has := range k.has {
			if !strings.Contains(all, has) {
				t.Errorf("%q: without %q: %s", k.args, has, all)
			}
		}
		if k.lacks != "" && strings.Contains(all, k.lacks) {
			t.Errorf("%q: with %q: %s", k.args, k.lacks, all)
		}
	}
}

// TestDamagedInFolder: of two folders each file's own errors are told, with its name.
func TestDamagedInFolder(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{"cut.usdc": sampleBytes(t)[:30000], "later.usdc": sampleBytes(t), "other.bin": {0}, "third.bin": {0}} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := execute(t.Context(), decoderLibrary{}, diffName, dir, dir)
	want := []string{"cutaway: cut.usdc: the files have ", "cutaway: of 2 pairs no format knows both files"}
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	if r.status != statusSame || len(lines) != 2 || !strings.HasPrefix(lines[0], want[0]) || !strings.HasPrefix(lines[1], want[1]) {
		t.Errorf("status %d: %s", r.status, r.err)
	}
}

// TestLinksInFolders: a link to a file is that file, in every verb that goes through folders; what is passed over is told.
func TestLinksInFolders(t *testing.T) {
	files, old, fresh := t.TempDir(), t.TempDir(), t.TempDir()
	for name, data := range map[string][]byte{"old.usdc": sampleBytes(t), "fresh.usdc": sampleBytes(t)[:30000]} {
		if err := os.WriteFile(filepath.Join(files, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{filepath.Join(old, "a.usdc"): "old.usdc", filepath.Join(fresh, "a.usdc"): "fresh.usdc"} {
		err := os.Symlink(filepath.Join(files, to), link)
		if err == nil {
			_, err = os.Lstat(link) // Wine says that it has made one
		}
		if err != nil {
			t.Skip("no links here:", err)
		}
	}
	hollow := t.TempDir()
	if err := os.Symlink(files, filepath.Join(hollow, "folder")); err != nil {
		t.Fatal(err)
	}
	const passed = "cutaway: 1 link to a folder was not followed"
	for _, k := range []struct {
		args     []string
		status   int
		out, err string
	}{
		{[]string{"diff", old, fresh}, statusDifferent, "a.usdc\n", ""},
		{[]string{"diff", "--json", old, fresh}, statusDifferent, `"file":"a.usdc","name":"a.usdc"}`, ""},
		{[]string{"scan", old}, StatusSound, filepath.Join(old, "a.usdc") + "  usdc", ""},
		{[]string{"check", fresh}, StatusErrors, filepath.Join(fresh, "a.usdc"), ""},
		{[]string{"search", old, "name:Lamp"}, StatusSound, filepath.Join(old, "a.usdc") + "#", ""},
		{[]string{"scan", hollow}, StatusSound, "0 files", passed},
		{[]string{"scan", hollow, old}, StatusSound, "1 file,", passed},
		{[]string{"check", hollow, old}, StatusSound, "sound", passed},
		{[]string{"check", hollow}, StatusSound, "", passed + "\ncutaway: nothing to look at in " + hollow + "\n"},
		{[]string{"search", hollow, "x"}, StatusSound, "", passed + "\ncutaway: nothing to look at in " + hollow + "\n"},
		{[]string{"diff", hollow, hollow}, statusTrouble, "as far as it was compared", "cutaway: 2 links to folders were not followed; what is there was not compared\n"},
		{[]string{"diff", "--json", old, hollow}, statusDifferent, `"file":` + quoted(filepath.Join(old, "a.usdc")) + `,"name":"a.usdc"}`, passed},
	} {
		r := execute(t.Context(), decoderLibrary{}, k.args...)
		if r.status != k.status || !strings.Contains(r.out, k.out) || !strings.Contains(r.err, k.err) {
			t.Errorf("%q: status %d, want %d\n%s%s", k.args, r.status, k.status, r.out, r.err)
		}
	}
}

// TestNothingToLookAt: that a folder has nothing that a verb looks at is said, since no line tells of it.
func TestNothingToLookAt(t *testing.T) {
	empty, strange := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(strange, "x.bin"), []byte("no format knows this"), 0o600); err != nil {
		t.Fatal(err)
	}
	nothing := "cutaway: nothing to look at in "
	for _, k := range []struct {
		args []string
		err  string
	}{
		{[]string{"check", empty}, nothing + empty + "\n"},
		{[]string{"check", "--json", empty, empty}, "cutaway: nothing to look at\n"},
		{[]string{"check", strange}, nothing + strange + ": no format knows the 1 file there\n"},
		{[]string{"search", empty, "x"}, nothing + empty + "\n"},
		{[]string{"search", strange, "x"}, nothing + strange + ": no format knows the 1 file there\n"},
		{[]string{"scan", "--json", empty}, nothing + empty + "\n"},
		{[]string{"scan", "--json", strange}, ""},
	} {
		if r := execute(t.Context(), decoderLibrary{}, k.args...); r.status != StatusSound || r.err != k.err {
			t.Errorf("%q: status %d, %q, want %q", k.args, r.status, r.err, k.err)
		}
	}
}

// TestNamesOnTerminal: the name of a file moves no cursor, begins no line and turns no text, where people read it; in JSON it is
// as it is.
func TestNamesOnTerminal(t *testing.T) {
	one, two := t.TempDir(), t.TempDir()
	const name = "a\x1b[2J\nsound \u202e\u009b\u2028.usdc"
	const shown = "a%1B[2J%0Asound %E2%80%AE%C2%9B%E2%80%A8.usdc"
	for dir, data := range map[string][]byte{one: sampleBytes(t), two: sampleBytes(t)[:30000]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Skip("such names cannot be here:", err)
		}
	}
	first, second, absent := filepath.Join(one, name), filepath.Join(two, name), filepath.Join(one, "not"+name)
	unknown := filepath.Join(t.TempDir(), "un"+name)
	if err := os.WriteFile(unknown, []byte("no format knows this"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"scan", one}, {"scan", absent}, {"check", "--all", one}, {"check", filepath.Dir(unknown), two}, {"check", first, second}, {"check", first, absent}, {"check", unknown}, {"check", first, unknown, absent},
		{"search", one, "name:Lamp"}, {"search", one, "Shader", "--in", "bytes"}, {"search", first, "name:Lamp", absent}, {"diff", one, two}, {"diff", one, filepath.Dir(unknown)},
		{"diff", first, absent}, {"diff", "--together", first, second}, {"info", first}, {"info", absent}, {"info", unknown}, {"tree", unknown}, {"check", first + "#scene"},
		{"check", "--timeout", "1ns", first, second}, {"export", first, "--as", "json", "-o", filepath.Join(absent, "x")},
	} {
		r := execute(t.Context(), decoderLibrary{}, args...)
		all := r.out + r.err
		if strings.ContainsAny(all, "\x1b\u202e\u009b\u2028") || strings.Contains(all, "\nsound \u202e") || !strings.Contains(all, shown) {
			t.Errorf("%q prints %q", args, all)
		}
	}
	for _, args := range [][]string{{"scan", "--json", one}, {"check", "--json", one}, {"search", "--json", one, "name:Lamp"}, {"diff", "--json", one, two}} {
		line, _, _ := strings.Cut(execute(t.Context(), decoderLibrary{}, args...).out, "\n")
		var told struct{ File string }
		if err := json.Unmarshal([]byte(line), &told); err != nil || filepath.Base(told.File) != name {
			t.Errorf("%q: file is %q, %v", args, told.File, err)
		}
	}
}

func sampleBytes(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../assets/sample.usdc")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// quoted is a text as JSON has it.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}
