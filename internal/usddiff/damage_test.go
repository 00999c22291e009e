package usddiff

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/model"
)

// harmless are the damaged fixtures that have no error, with the reason.
var harmless = map[string]string{
	"x-dict-1000-deep.usdc":        "values may be nested as deep as that",
	"x-dict-key-oob.usdc":          "readers take an index outside of its table for empty text: a warning",
	"x-rep-enum-unknown.usdc":      "readers pass the number on: a warning",
	"x-comment.usdz":               "an error by the standard alone: usd-core reads it",
	"x-disk.usdz":                  "the same",
	"x-trailing.usdz":              "the same",
	"x-unaligned.usdz":             "usd-core reads it: a warning",
	"x-nested-40.usdz":             "deeper than is opened: a limit",
	"x-string-oob.usdc":            "the same",
	"x-string-token-oob.usdc":      "the same",
	"x-token-oob.usdc":             "the same",
	"x-rep-inlined-quat.usdc":      "readers take the value for an empty one: a warning",
	"x-section-size-less.usdc":     "readers go by the content of a section: a warning",
	"x-section-size-negative.usdc": "the same",
	"x-samples-descending.usdc":    "readers take the times as they come: a warning",
	"x-samples-fewer-values.usdc":  "readers use the times that have a value: a warning",
}

// TestDamagedFixtures decodes the crates that are damaged on purpose: each has an error, and what is only odd has none.
func TestDamagedFixtures(t *testing.T) {
	for _, file := range fixtures(t, "x-*.usd*") {
		base := filepath.Base(file)
		doc, report := open(t, file, strings.TrimPrefix(filepath.Ext(base), "."))
		sound := strings.HasPrefix(base, "x-ok-") || harmless[base] != ""
		if sound != report.Sound() {
			t.Errorf("%s: sound is %v, want %v: %v", base, report.Sound(), sound, report.Problems)
		}
		if len(report.Tiling) > 0 {
			t.Errorf("%s: %v", base, report.Tiling)
		}
		if err := doc.Close(); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func fixtures(t *testing.T, pattern string) []string {
	files, err := filepath.Glob(filepath.Join("../../testdata/usdc", pattern))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures %s (%v)", pattern, err)
	}
	return files
}

// TestCheckMissesNothing compares what the scene shows as wrong with what a check reports, for crates of which a few
// bytes were changed.
func TestCheckMissesNothing(t *testing.T) {
	files := fixtures(t, "*.usdc")
	for _, f := range files {
		checkScene(t, f, readFile(t, f))
	}
	const mutations = 600
	random := rand.New(rand.NewPCG(7, 7))
	for i := 0; i < mutations; {
		f := files[random.IntN(len(files))]
		b := readFile(t, f)
		if strings.HasPrefix(filepath.Base(f), "x-") || len(b) <= 88 {
			continue
		}
		for range 1 + random.IntN(3) {
			at := 88 + random.IntN(len(b)-88)
			b[at] = [...]byte{byte(random.IntN(256)), b[at] ^ 1<<random.IntN(8), 0xFF}[random.IntN(3)]
		}
		checkScene(t, f, b)
		i++
	}
}

func readFile(t *testing.T, name string) []byte {
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var errEnough = errors.New("enough nodes")

// checkScene walks the scene of a crate and wants the rule of every error that it meets among what a check reports.
func checkScene(t *testing.T, name string, data []byte) {
	t.Helper()
	const enough = 100_000
	doc, err := decoders.Opener{}.OpenWith(t.Context(), model.NewFileSource(name, model.BytesReader(data)), name,
		decoders.Options{Format: "usdc"})
	if err != nil {
		t.Fatal(err)
	}
	defer doc.Close()
	report, err := doc.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Tiling) > 0 {
		t.Errorf("%s: %v", name, report.Tiling)
	}
	told := make(map[string]bool)
	for _, p := range report.Problems {
		told[p.Rule] = true
	}
	nodes := 0
	err = model.Walk(t.Context(), doc.View("scene").Place(t.Context()), model.WalkOptions{Resolve: true}, func(p *model.Place) error {
		for _, pr := range p.Node.Problems {
			if pr.Kind.Severity() == model.Error && !told[pr.Rule] {
				t.Errorf("%s: %s has a problem that no check reports: %s: %v", name, p.Path(), pr.Rule, pr)
			}
		}
		if nodes++; nodes > enough {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		t.Errorf("%s: %v", name, err)
	}
}
