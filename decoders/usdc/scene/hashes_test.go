package scene_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc"
	"cutaway/decoders/usdc/scene"
	"cutaway/decoders/usdc/table"
	"cutaway/internal/crategen"
	"cutaway/internal/handgen"
	"cutaway/model"
	"cutaway/model/diff"
)

// TestHashesTellWhatNodesTell compares each crate with itself and with changed ones, by hashes and node by node.
func TestHashesTellWhatNodesTell(t *testing.T) {
	decodertest.Hashes(t, usdc.Format, scene.View, handgen.FirstValue, handgen.Files(t))
}

// TestHashesSpareNodes: of two crates with one changed value only the nodes on the way to it are made.
func TestHashesSpareNodes(t *testing.T) {
	open := func(change func([]byte)) *model.View {
		file := filepath.Join(t.TempDir(), "specs.usdc")
		if err := crategen.BulkFile(file, crategen.Specs, 20_000); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		change(data)
		return handgen.Open(t, usdc.Format, "specs.usdc", data).View(scene.View)
	}
	half := []byte{0, 0, 0, 0x3f, 0, 0, byte(table.TypeDouble), 0x40} // 0.5 in a sample
	a := open(func([]byte) {})
	b := open(func(data []byte) { data[bytes.LastIndex(data, half)+3] = 0x40 })
	before := model.NodesMade()
	got := decodertest.Changes(t, a, b, diff.Options{})
	if made := model.NodesMade() - before; len(got) != 1 || made > 5_000 {
		t.Errorf("%d nodes were made for %q", made, got)
	}
}
