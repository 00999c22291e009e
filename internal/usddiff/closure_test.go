package usddiff

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cutaway/closure"
	"cutaway/decoders"
)

// overridden are layers whose variables win over those of the layers that they name, as USD composes them. usd-core's listing
// takes each layer's own.
var overridden = []string{"ExpressionsInPayloads_root/ref3.usd", "ExpressionsInPayloads_root/usda/ref3.usd", "ExpressionsInReferences_root/ref3.usd", "ExpressionsInReferences_root/usda/ref3.usd"}

// TestClosures: a layer needs the files that usd-core finds, and lacks those that it does not find.
func TestClosures(t *testing.T) {
	interpreter := python(t)
	files := layersIn(t, "../../../shared/corpus/aousd", "../../../shared/corpus/usdc")
	if len(files) == 0 {
		t.Skip("no corpus")
	}
	cmd := exec.CommandContext(t.Context(), interpreter, "dependencies.py")
	cmd.Stdin = strings.NewReader(strings.Join(files, "\n"))
	said, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for lines := json.NewDecoder(bytes.NewReader(said)); lines.More(); compared++ {
		var want struct {
			File           string
			Found, Missing []string
		}
		if err := lines.Decode(&want); err != nil {
			t.Fatal(err)
		}
		found, missing := needs(t, want.File)
		same := slices.Equal(found, cleaned(want.Found)) && slices.Equal(missing, cleaned(want.Missing))
		if other := slices.ContainsFunc(overridden, func(name string) bool { return strings.HasSuffix(filepath.ToSlash(want.File), name) }); same == other {
			t.Errorf("%s needs\n%s\nand lacks %s; usd-core finds\n%s\nand lacks %s", want.File, strings.Join(found, "\n"), missing, strings.Join(cleaned(want.Found), "\n"), want.Missing)
		}
	}
	if compared < len(files)/2 {
		t.Errorf("usd-core lists what %d of %d layers need", compared, len(files))
	}
}

// layersIn returns the layers and packages in folders, which may be missing.
func layersIn(t *testing.T, folders ...string) (files []string) {
	t.Helper()
	for _, folder := range folders {
		folder, err := filepath.Abs(folder)
		if err != nil {
			t.Fatal(err)
		}
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasPrefix(filepath.Ext(path), ".usd") {
				files = append(files, path)
			}
			return nil
		})
	}
	return files
}

// cleaned returns names in order, each once.
func cleaned(names []string) []string {
	for i, name := range names {
		names[i] = filepath.Clean(name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// needs returns the files that a layer needs, and those that are missing, as usd-core names them.
func needs(t *testing.T, file string) (found, missing []string) {
	t.Helper()
	err := closure.Find(t.Context(), decoders.Target{File: file, Offset: -1}, closure.Options{}, func(f *closure.File) error {
		switch f.State {
		case closure.Found, closure.Broken:
			found = append(found, f.Name())
		case closure.Missing, closure.Unknown:
			missing = append(missing, filepath.Join(filepath.Dir(f.By.Target.File), f.Asset))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return cleaned(found), cleaned(missing)
}
