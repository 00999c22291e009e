package closure

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cutaway/decoders"
)

// TestSeeded: in scenes of the official supplement a file that is emptied, a pointer, removed, or leads back to the first
// one has the chain that leads to it. A cycle over references is a note: readers take it where its prims differ.
func TestSeeded(t *testing.T) {
	const suite = "../../shared/corpus/aousd/composition/tests/assets"
	if _, err := os.Stat(suite); err != nil {
		t.Skip("without ../shared/corpus/aousd")
	}
	for _, scene := range []struct{ name, far, chain string }{
		{"TypicalReferenceToRiggedModel_root", "model_latest_payload.usd",
			"root.usd > ./mcat.usd > ./model_latest.usd > ./model_latest_payload.usd"},
		{"BasicPayload_root", "ref2.usd", "root.usd > ./ref.usd > ./ref2.usd"},
		{"TrickySpookyVariantSelection_root", "SingleLip.usd", "root.usd > ./FaceRig.usd > ./LipRig.usd > ./SingleLip.usd"},
	} {
		for _, fault := range []struct{ name, content, want string }{
			{"emptied", "", "broken error assets.broken"},
			{"a pointer", pointer, "broken error assets.broken"},
			{"removed", "-", "missing error assets.missing"},
			{"cyclic", plain + "(\n    subLayers = [@./root.usd@]\n)\n", "cycle note assets.cycle"},
		} {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Join(suite, scene.name, "usda"))); err != nil {
				t.Fatal(err)
			}
			far := filepath.Join(dir, scene.far)
			err := os.WriteFile(far, []byte(fault.content), 0o600)
			if fault.content == "-" {
				err = os.Remove(far)
			}
			if err != nil {
				t.Fatal(err)
			}
			want := scene.chain
			if fault.name == "cyclic" {
				want += " > ./root.usd"
			}
			var met []string
			err = Find(t.Context(), decoders.Target{File: filepath.Join(dir, "root.usd"), Offset: -1}, Options{}, func(f *File) error {
				if f.Problem == nil {
					return nil
				}
				names := []string{"root.usd"}
				for _, link := range f.Chain()[1:] {
					names = append(names, link.Asset)
					if text, err := os.ReadFile(link.By.Target.File); err != nil || !strings.Contains(string(text[link.At.Off:link.At.Off+link.At.Len]), link.Asset) {
						t.Errorf("%s: %s is not named at %v of %s", scene.name, link.Asset, link.At, link.By.Name())
					}
				}
				met = append(met, fmt.Sprintf("%s: %s %s %s", strings.Join(names, " > "), f.State, f.Problem.Kind.Severity(), f.Problem.Rule))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			found := false
			for _, line := range met {
				found = found || line == want+": "+fault.want
			}
			if !found {
				t.Errorf("%s with %s %s: %s\nwant %s: %s", scene.name, scene.far, fault.name, strings.Join(met, "\n"), want, fault.want)
			}
		}
	}
}
