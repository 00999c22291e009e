package vrs

import (
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

const corpus = "../../../shared/corpus/vrs"

// corpusFile is a file of the corpus; the test is skipped where it is absent.
func corpusFile(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(corpus, name)
	if found, _ := filepath.Glob(path); found == nil {
		t.Skipf("%s is not there", path)
	}
	return path
}

func TestInvariants(t *testing.T) {
	for _, name := range wholeFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return decodertest.OpenFile(t, Format, name) })
		})
	}
}

// wholeFiles are the files that can be opened by themselves.
func wholeFiles(t testing.TB) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{filepath.Join(corpus, "*.vrs"), filepath.Join(corpus, "simulated.vrs_2"), "../../testdata/vrs/*.vrs"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	if testing.Short() {
		large := []string{"sample_file.vrs", "sample_raw_pixel_formats.vrs", "made-split-head-complete.vrs", "segmentations.vrs"}
		files = slices.DeleteFunc(files, func(f string) bool { return slices.Contains(large, filepath.Base(f)) })
	}
	return files
}
