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
	put(old, "a/tile.1001.tx", "\x00")
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
		{[]string{"check", old}, 0, []string{one, "two.usda"}, "unknown.bin"},
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
	for name, data := range map[string][]byte{"cut.usdc": sampleBytes(t)[:30000], "later.usdc": sampleBytes(t), "other.bin": {0}} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := execute(t.Context(), decoderLibrary{}, diffName, dir, dir)
	want := []string{"cutaway: cut.usdc: the files have ", "cutaway: other.bin: no format knows both files"}
	lines := strings.Split(strings.TrimSpace(r.err), "\n")
	if r.status != statusSame || len(lines) != 2 || !strings.HasPrefix(lines[0], want[0]) || !strings.HasPrefix(lines[1], want[1]) {
		t.Errorf("status %d: %s", r.status, r.err)
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
