package scene_test

import (
	"fmt"
	"testing"

	"cutaway/decoders/usdc"
	"cutaway/internal/handgen"
)

// TestPrincipal: the bytes of a property are those of its value, and a prim's are those of its properties.
func TestPrincipal(t *testing.T) {
	d := handgen.OpenCorpus(t, usdc.Format, "080-suzanne.usdc")
	for path, want := range map[string]string{
		"scene":                                "",
		"scene/Suzanne/Suzanne":                "",
		"scene/Suzanne/Suzanne/.points":        "file 0x65a8+6092",
		"scene/Suzanne/Suzanne/properties":     "file 0xdc+32",
		"scene/Suzanne/Suzanne/.points/custom": "layout/FIELDS/reps@inflated 0x80+8",
		"scene/Camera/Camera/.focalLength":     "layout/FIELDS/reps@inflated 0xd0+8",
	} {
		p, err := d.Lookup(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, s := range p.Node.PrincipalSpans(t.Context()) {
			got += fmt.Sprintf("%s %#x+%d", s.Source.Name(), s.Off, s.Len)
		}
		if got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}
