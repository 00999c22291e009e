package cli

import (
	"context"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestStatsMeetErrors: statistics of a small file end in the same status as a check, whoever adds them up.
func TestStatsMeetErrors(t *testing.T) {
	damaged := map[string]int{} // by folder, which is a format's
	err := filepath.WalkDir("../testdata", func(file string, e fs.DirEntry, err error) error {
		name := filepath.Base(file)
		if err != nil || e.IsDir() || !strings.HasPrefix(name, "x-") && !strings.HasPrefix(name, "damaged-") || damaged[filepath.Dir(file)] == 12 {
			return err
		}
		var errs strings.Builder
		status := func(verb ...string) int {
			return Main(context.Background(), "1", append(verb, file), io.Discard, &errs)
		}
		want := status("check")
		if want > StatusErrors {
			return nil // not a file that opens by itself
		}
		if want == StatusErrors {
			damaged[filepath.Dir(file)]++
		}
		for _, by := range []string{"section", "type"} {
			if got := status("stats", "--by", by); got != want {
				t.Errorf("%s: stats by %s ends in %d, check in %d %s", file, by, got, want, errs.String())
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(damaged) < 4 {
		t.Errorf("damaged files of %v only", damaged)
	}
}
