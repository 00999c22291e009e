package cli

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestExportRows: the chosen rows of an array, of a table and of an array in an attribute are those of the whole, in every form.
func TestExportRows(t *testing.T) {
	cutaway := func(args ...string) result { return execute(t.Context(), decoderLibrary{}, args...) }
	for _, node := range []string{"../testdata/usdc/samples.usdc#scene/World/.number", "../testdata/usdc/samples.usdc#scene/World/.ints/timeSamples/[0]/value", "../assets/sample.usdc#scene/Prototypes/Leg/.points"} {
		lines := func(rows string) []string {
			t.Helper()
			args := []string{"export", node, "--as", "csv"}
			if rows != "" {
				args = append(args, "--rows", rows)
			}
			r := cutaway(args...)
			if r.status != StatusSound {
				t.Fatalf("%q: %s", args, r.err)
			}
			return strings.Split(strings.TrimSpace(r.out), "\n")
		}
		all := lines("")
		last := len(all) - 1
		for rows, want := range map[string][]string{
			"1:3": {all[0], all[2], all[3]}, ":1": all[:2], "0,2:": append([]string{all[0], all[1]}, all[3:]...), "3:, 0": {all[0], all[1], all[4]}, ":999": all,
		} {
			if rows == "3:, 0" {
				want = append(want[:2:2], all[4:]...)
			}
			if got := lines(rows); !slices.Equal(got, want) {
				t.Errorf("%s %s: %q, want %q", node, rows, got, want)
			}
		}
		for _, form := range []string{"npy", "parquet"} {
			file := filepath.Join(t.TempDir(), "rows")
			some, whole := cutaway("export", node, "--as", form, "--rows", "1:3", "-o", file), cutaway("export", node, "--as", form)
			if some.status != StatusSound || whole.status != StatusSound {
				t.Errorf("%s as %s: %s%s", node, form, some.err, whole.err)
			}
			if all := cutaway("export", node, "--as", form, "--rows", ":"); !bytes.Equal([]byte(all.out), []byte(whole.out)) {
				t.Errorf("%s as %s: all rows are not the whole", node, form)
			}
		}
		if last < 4 {
			t.Errorf("%s has %d rows", node, last)
		}
	}
	for _, args := range [][]string{{"--as", "csv", "--rows", "3:1"}, {"--as", "csv", "--rows", "0:3,2"}, {"--as", "csv", "--rows", "a"}, {"--as", "json", "--rows", "1:2"}} {
		if r := cutaway(append([]string{"export", "../assets/sample.usdc#scene/Prototypes/Leg/.points"}, args...)...); r.status != StatusFailed {
			t.Errorf("%s: status %d", args, r.status)
		}
	}
}
