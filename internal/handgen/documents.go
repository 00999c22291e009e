package handgen

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// Open opens bytes as a file of the format of crates.
func Open(t testing.TB, f *model.Format, name string, b []byte) *model.Document {
	t.Helper()
	return decodertest.Open(t, f, name, model.BytesReader(b))
}

// OpenCorpus opens a file of the corpus, or skips the test if the corpus does not exist.
func OpenCorpus(t testing.TB, f *model.Format, name string) *model.Document {
	t.Helper()
	path := filepath.Join(Corpus(), name)
	if _, err := os.Stat(path); os.IsNotExist(err) {
		t.Skipf("the corpus is not here: %v", err)
	}
	return decodertest.OpenFile(t, f, path)
}

// CheckAll checks a document, whose layouts must tile.
func CheckAll(t testing.TB, d *model.Document) *model.Report {
	t.Helper()
	r, err := d.CheckAll(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range r.Tiling {
		t.Error(fault)
	}
	return r
}

// handMade are the rules that sound crates of this package break: they do not list all specs, have another order than writers
// give, have a target in a variant, wide integers, and a permission.
var handMade = []string{"usdc.children.unlisted", "usdc.paths.order", "usdc.targets.path", "usdc.integers.width", "usd.standard.permission"}

// Damage returns the problems that a check found, but for those of all crates of this package.
func Damage(r *model.Report) []model.LocatedProblem {
	return slices.DeleteFunc(slices.Clone(r.Problems), func(p model.LocatedProblem) bool { return slices.Contains(handMade, p.Rule) })
}
