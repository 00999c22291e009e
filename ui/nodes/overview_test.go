package nodes_test

import (
	"strings"
	"testing"

	"cutaway/decoders"
	"cutaway/ui/nodes"
)

// TestOverview: the structure of a file is open at first, as much as one sees at once: no records, no properties alone.
func TestOverview(t *testing.T) {
	for file, want := range map[string]string{
		"../../assets/sample.usdc":         "scene/Prototypes scene/Workshop scene/Workshop/Looks scene/Workshop/Table",
		"../../testdata/usdc/samples.usdc": "",
		"../../testdata/vrs/audio.vrs":     "",
		"../../testdata/usda/empty.usda":   "",
	} {
		doc, err := decoders.OpenFile(t.Context(), file, decoders.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer doc.Close()
		var open []string
		for _, p := range nodes.Overview(t.Context(), doc.Views[0]) {
			open = append(open, p.Path())
		}
		if got := strings.Join(open, " "); got != want {
			t.Errorf("of %s are open %q", file, got)
		}
	}
}
