package usddiff

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"cutaway/internal/reference"
	"cutaway/model"
)

// toLight lets LightUSD read text layers and write them as crates; it says which it refuses.
const toLight = `
import sys
import lightusd
pairs = sys.argv[1:]
for text, crate in zip(pairs[::2], pairs[1::2]):
    try:
        lightusd.load(text, composed=False).save(crate)
    except Exception as error:
        print(text, str(error)[:300].replace("\n", " "), sep="\t")
`

// lightCrates are crates that LightUSD writes of the text layers at hand.
func lightCrates(t *testing.T, interpreter, light string) []string {
	t.Helper()
	folder := t.TempDir()
	var crates, args []string
	for i, file := range layers(t, interpreter) {
		if strings.Contains(file, "[") || !strings.HasPrefix(string(readFile(t, file)), "#usda") {
			continue
		}
		crate := filepath.Join(folder, strconv.Itoa(i)+" "+strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))+".usdc")
		crates, args = append(crates, crate), append(args, file, crate)
	}
	refused := run(t, light, toLight, args)
	written := crates[:0]
	for _, crate := range crates {
		if exists(crate) {
			written = append(written, crate)
		}
	}
	t.Logf("LightUSD writes %d of %d text layers, and refuses %d", len(written), len(args)/2, strings.Count(refused, "\t"))
	return written
}

// TestCratesOfLightUSD holds what LightUSD writes: crates that LightUSD writes are read as usd-core reads them, and have no errors where it reads them; so is the
// text that we make of them. Some have a path with a variant in one element: readers make an empty path of it, we show it and warn.
// In one usd-core shortens tangents while it reads.
func TestCratesOfLightUSD(t *testing.T) {
	interpreter := python(t)
	light := reference.LightUSD.Python()
	if light == "" {
		t.Skip(reference.LightUSD.Missing)
	}
	crates := lightCrates(t, interpreter, light)
	said := usdCoreNow(t, interpreter, crates)
	var compared []string
	fields, read := 0, 0
	for _, crate := range crates {
		want := said[crate]
		if want == nil || want.Refused != "" {
			continue
		}
		read++
		t.Run(filepath.Base(crate), func(t *testing.T) {
			got, report := decode(t, crate)
			for _, p := range report.Problems {
				if p.Kind.Severity() == model.Error {
					t.Errorf("usd-core reads it, we have a problem at %s: %v", p.Path, p.Problem)
				}
			}
			if hasRule(report, "usdc.paths.element") || strings.Contains(crate, "every-statement") {
				return
			}
			compared = append(compared, crate)
			dropMisread(want.Specs, got)
			fields += diffLayers(t, want.Specs, got)
		})
	}
	if t.Logf("%d of %d crates are read by usd-core, %d fields compared", read, len(crates), fields); read == 0 {
		t.Error("nothing is compared")
	}
	textIsRead(t, interpreter, compared)
}

// dropMisread takes out what the script takes for fields, but is lines of long texts.
func dropMisread(want, got map[string]spec) {
	for path, w := range want {
		for name := range w.Fields {
			for _, f := range w.Fields {
				if s, isText := f.Value.(string); isText && strings.Contains(s, "\n    "+name+" ") {
					delete(w.Fields, name)
					delete(got[path].Fields, name)
				}
			}
		}
	}
}

func hasRule(report *model.Report, rule string) bool {
	return slices.ContainsFunc(report.Problems, func(p model.LocatedProblem) bool { return p.Rule == rule })
}
