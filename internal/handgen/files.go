package handgen

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// root returns the folder of the project, as seen from the package that is tested.
func root() string {
	dir := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Join(dir, "..")
	}
	return dir
}

// Corpus returns the folder of real crates, which may not exist.
func Corpus() string { return filepath.Join(root(), "../shared/corpus/usdc") }

// Files reads the crates of the corpus; where it is not here, the sound ones of testdata.
func Files(t testing.TB) []decodertest.File {
	t.Helper()
	if _, err := os.Stat(Corpus()); err != nil {
		return decodertest.ReadFiles(t, filepath.Join(root(), "testdata/usdc/[^x]*.usdc"))
	}
	files := decodertest.ReadFiles(t, Corpus()+"/*.usd*", Corpus()+"/made/*.usdc")
	return slices.DeleteFunc(files, func(f decodertest.File) bool { return filepath.Ext(f.Name) == ".usdz" })
}

// Gone is a file that at some time can no longer be read.
type Gone struct {
	model.Reader
	Gone bool
}

// ReadAt fails once the file is gone.
func (g *Gone) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	if g.Gone {
		return 0, errors.New("the disk was taken out")
	}
	return g.Reader.ReadAt(ctx, p, off)
}
