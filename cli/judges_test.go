package cli

import (
	"encoding/json"
	"testing"
)

// TestVerdicts: a file has the verdicts of OpenUSD and of the standard, and --by chooses which one counts.
func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		file, openusd, standard string // null is ""
		statuses                [2]int // by each
	}{
		{"../testdata/usdc/relocates.usdc", "sound", "sound", [2]int{}},
		{"../testdata/usdc/x-ok-trailing-bytes.usdc", "sound", "refused", [2]int{StatusSound, StatusErrors}},
		{"../testdata/usdc/x-comment.usdz", "sound", "refused", [2]int{StatusSound, StatusErrors}},
		{"../testdata/usdc/x-tokens-lz4-offset0.usdc", "refused", "refused", [2]int{StatusErrors, StatusErrors}},
		{"../testdata/usdc/durations.usdc", "sound", "", [2]int{}},
		{"../testdata/usda/durations.usda", "sound", "", [2]int{}},
		{"../testdata/usdc/made-0.2.0.usdc", "sound", "", [2]int{}},
	} {
		for i, by := range []string{"openusd", "standard"} {
			r := execute(t.Context(), decoderLibrary{}, "check", "--json", "--by", by, test.file)
			var said struct {
				Verdicts map[string]*string
				Sound    bool
			}
			if err := json.Unmarshal([]byte(r.out), &said); err != nil {
				t.Fatal(err)
			}
			for judge, want := range map[string]string{"openusd": test.openusd, "standard": test.standard} {
				got := ""
				if word := said.Verdicts[judge]; word != nil {
					got = *word
				}
				if got != want {
					t.Errorf("%s: %s says %q, want %q", test.file, judge, got, want)
				}
			}
			if r.status != test.statuses[i] || said.Sound != (r.status == StatusSound) {
				t.Errorf("%s by %s: status %d, sound %t", test.file, by, r.status, said.Sound)
			}
		}
	}
}
