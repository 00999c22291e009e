package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestClosure: what a file needs is a tree in text, with the chain of what is missing, and a line a file in JSON; its status is
// that of a check.
func TestClosure(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"a.usda":     "#usda 1.0\ndef \"A\" (\n    references = @./b.usda@\n)\n{\n}\n",
		"b.usda":     "#usda 1.0\ndef \"B\" (\n    references = @lib/c.usda@\n)\n{\n    asset m = @./m.png@\n}\n",
		"m.png":      "picture",
		"newer.usda": "#usda 1.4\n(\n    subLayers = [@a.usda@]\n)\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := func(status int, args ...string) string {
		r := execute(t.Context(), decoderLibrary{}, append([]string{"check", "--closure"}, args...)...)
		if r.status != status {
			t.Errorf("%s: status %d, want %d: %s", args, r.status, status, r.err)
		}
		return r.out
	}
	const want = `a.usda  USD text 1.0
  b.usda  reference, USD text 1.0
    ✗ lib/c.usda  reference, missing
    m.png  asset

✗ error (malformed) the file lib/c.usda is not there  [assets.missing]
    a.usda names ./b.usda at 0x26 (38), 8 bytes  scene/A/references/explicit/[0]/assetPath
    b.usda names lib/c.usda at 0x26 (38), 10 bytes  scene/B/references/explicit/[0]/assetPath

4 files, 1 missing; opened by OpenUSD 20.11 to 26.11
1 error
`
	if got := check(StatusErrors, "a.usda"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	out := check(StatusErrors, "--json", "newer.usda")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	var missing struct {
		State string
		Chain []struct {
			File   string
			Offset int
		}
	}
	var sum struct {
		Files, Missing, Errors int
		Needs, OpenedBy        string
	}
	if err := json.Unmarshal([]byte(lines[3]), &missing); err != nil || missing.State != "missing" || len(missing.Chain) != 3 || missing.Chain[2].File != "b.usda" || missing.Chain[2].Offset != 38 {
		t.Errorf("%+v, %v", missing, err)
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &sum); err != nil || sum.Files != 5 || sum.Missing != 1 || sum.Errors != 1 || sum.Needs != "newer.usda" || !strings.HasSuffix(sum.OpenedBy, "26.11") {
		t.Errorf("%+v, %v", sum, err)
	}
	if err := os.MkdirAll("found/lib", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("found/lib/c.usda", []byte("#usda 1.0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check(StatusSound, "--search-path", "found", "a.usda")
	check(StatusUnreadable, "none.usda")
	check(StatusFailed, dir)
	check(StatusFailed, "--map", "omniverse://host", "a.usda")
	if r := execute(t.Context(), decoderLibrary{}, "check", "--addresses", "a.usda"); r.status != StatusFailed {
		t.Errorf("--addresses without --closure: status %d", r.status)
	}
}
