package cli

import (
	"strings"
	"testing"
)

// TestCheckFor: the first thing that a release does not read is an error at its place, in crates, text and members of packages.
func TestCheckFor(t *testing.T) {
	for _, test := range []struct {
		release, file, want string
	}{
		{"24.05", "usdc/splines.usdc", "scene/World/.double/spline"},
		{"24.11", "usdc/splines.usdc", ""},
		{"26.8", "usdc/durations.usdc", "scene/customLayerData/many"},
		{"26.8", "usda/durations.usda", "scene/customLayerData/many"},
		{"OpenUSD 26.11", "usdc/made-0.2.0.usdc", "layout/bootstrap/version"},
		{"26.08", "usdc/made-0.2.0.usdc", ""},
		{"25.08", "usdc/array-edits.usdc", "scene/World/.ints/default"},
		{"Blender 4.5", "usdc/single.usdz", ""},
	} {
		r := execute(t.Context(), decoderLibrary{}, "check", "--for", test.release, "--json", "../testdata/"+test.file)
		out, status := r.out, r.status
		at := strings.Contains(out, `"rule":"usd.release","kind":"malformed"`)
		if at != (test.want != "") || !strings.Contains(out, test.want) || (status == StatusErrors) != at {
			t.Errorf("%s for %s: status %d, %s", test.file, test.release, status, out)
		}
	}
	for release, file := range map[string]string{"1.0": "usdc/splines.usdc", "26.11": "vrs/audio.vrs"} {
		if status := execute(t.Context(), decoderLibrary{}, "check", "--for", release, "../testdata/"+file).status; status != StatusFailed {
			t.Errorf("%s for %s: status %d", file, release, status)
		}
	}
}
