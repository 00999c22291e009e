package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestInPackage: an offset in a package goes on into the member that it is in, a USD path names a node of the first layer,
// and info finds damage in a table of it.
func TestInPackage(t *testing.T) {
	for _, test := range []struct {
		args, want string
		status     int
	}{
		{"at ../testdata/usdc/made-sample.usdz 200", "StringIndex", 0},
		{"tree ../testdata/usdc/made-sample.usdz#/Workshop --depth 0", "prim", 0},
		{"tree ../testdata/usdc/made-0.8.0.usdc#/World --depth 0", "prim", 0},
		{"tree ../testdata/usdc/made-0.8.0.usdc#/Nowhere", "there is no /Nowhere in it", 3},
		{"info ../testdata/usdc/x-path-index-oob.usdc", "1 error in headers, TOKENS", 1},
		{"info ../testdata/usdc/made-0.8.0.usdc", "none in headers, TOKENS", 0},
	} {
		var out bytes.Buffer
		status := Main(t.Context(), "test", strings.Fields(test.args), &out, &out)
		if status != test.status || !strings.Contains(out.String(), test.want) {
			t.Errorf("%s: status %d, want %d with %q:\n%s", test.args, status, test.status, test.want, out.String())
		}
	}
}
