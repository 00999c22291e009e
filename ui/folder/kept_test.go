package folder

import (
	"path/filepath"
	"testing"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
)

// TestKeptNamesThatAreNoText: what was found is known again, whatever the files are called.
func TestKeptNamesThatAreNoText(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept.ndjson")
	files := []*scan.File{{Name: "a.usdc", Size: 1, Found: export.Tally{Notes: 3}, Facts: model.Object{{Key: "specs", Value: model.Int(4)}}, Titles: map[string]string{"specs": "Specs"}}, {Name: "caf\xe9.usdc", First: "no \xff", Size: 2}}
	if err := store(t.Context(), kept, files); err != nil {
		t.Fatal(err)
	}
	former := readKept(kept)
	for _, f := range files {
		if was := former[f.Name]; was == nil || was.Size != f.Size || was.First != f.First || was.Found != f.Found || was.Titles["specs"] != f.Titles["specs"] {
			t.Errorf("of %q is kept %+v", f.Name, was)
		}
	}
}
