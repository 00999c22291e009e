package udm

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"cutaway/decoders/decodertest"
)

const fixtures = "../../testdata/udm"

func fixtureFiles(t testing.TB, pattern string) []decodertest.File {
	t.Helper()
	return decodertest.ReadFiles(t, filepath.Join(fixtures, pattern))
}

func TestShow(t *testing.T) {
	for _, f := range slices.Concat(fixtureFiles(t, "*.udm_b"), fixtureFiles(t, "*.udm")) {
		d := openBytes(t, f.Name, f.Data)
		r := checkAll(t, d)
		fmt.Println("==", f.Name)
		for _, p := range r.Problems {
			fmt.Printf("    %s %s %s @%s: %s\n", p.Rule, p.Kind, p.Path, p.Span, p.Error())
		}
	}
}
