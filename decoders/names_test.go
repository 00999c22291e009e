package decoders

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestNamesAreExact: nodes are named as the file has it, and only paths tell those of one name apart.
func TestNamesAreExact(t *testing.T) {
	for file, want := range map[string]struct {
		path            string
		names, segments []string
	}{
		"vrs/vrs-map-empty-key-vs-quotes.vrs": {"streams/373-2/data/[8]/data_layout/fa%2Fb_6",
			[]string{"", `""`, `"aab/_0\\`, "π/äba\nππ0"}, []string{`""`, `""~2`, `"aab/_0\\`, "π/äba\nππ0"}},
		"odin/odin-empty-name.odin": {"objects/[0]",
			[]string{"", "", "世界", "Value", "_x0", "ü", "a", "a", "a", "b b", "_x0", "[11]", "[12]", "", ""},
			[]string{`""`, `""~2`, "世界", "Value", "_x0", "ü", "a", "a~2", "a~3", "b b", "_x0~2", "[11]", "[12]", `""~3`, `""~4`}},
		"udm/udm-duplicate-name.udm": {"asset/assetData", []string{"radius", "radius~2", "radius"},
			[]string{"radius", "radius~2", "radius~3"}},
	} {
		f, err := OpenFile(t.Context(), filepath.Join("../../shared/corpus/faults", filepath.FromSlash(file)), OpenOptions{})
		if err != nil {
			t.Skip(err)
		}
		p, err := f.Lookup(t.Context(), want.path)
		if err == nil {
			err = p.Resolve(t.Context(), nil)
		}
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		var names, segments []string
		n, _ := p.Len(t.Context())
		for i := range n {
			child := p.Child(t.Context(), i)
			names, segments = append(names, child.Node.Name), append(segments, child.Node.InPath())
			if again, err := f.Lookup(t.Context(), child.Path()); err != nil || again.Index != i {
				t.Errorf("%s: %s does not lead back: %v", file, child.Path(), err)
			}
		}
		if !slices.Equal(names, want.names) || !slices.Equal(segments, want.segments) {
			t.Errorf("%s: named %q, in paths %q, want %q and %q", file, names, segments, want.names, want.segments)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
