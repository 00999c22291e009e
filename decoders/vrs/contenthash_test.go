package vrs

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/vrs/container"
	"cutaway/internal/vrsgen"
	"cutaway/model"
	"cutaway/model/diff"
)

// TestHashesTellWhatNodesTell compares each recording with itself and with changed ones, by hashes and node by node.
func TestHashesTellWhatNodesTell(t *testing.T) {
	decodertest.Hashes(t, Format, container.StreamsView, int(container.FileHeaderSize), decodertest.ReadFiles(t, wholeFiles(t)...))
}

// TestHashesSpareNodes: of two recordings with one changed value only the nodes on the way to it are made.
func TestHashesSpareNodes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bulk.vrs")
	f, err := os.Create(name)
	if err == nil {
		err = vrsgen.Bulk{Records: 5_000, Index: true}.Write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(data)
	warm := binary.LittleEndian.AppendUint64(nil, math.Float64bits(20.5)) // a temperature
	changed[bytes.LastIndex(changed, warm)] ^= 1
	a, b := decodertest.Open(t, Format, "a.vrs", model.BytesReader(data)), decodertest.Open(t, Format, "b.vrs", model.BytesReader(changed))
	before := model.NodesMade()
	got := decodertest.Changes(t, a.View(container.StreamsView), b.View(container.StreamsView), diff.Options{})
	if made := model.NodesMade() - before; len(got) != 1 || made > 500 {
		t.Errorf("%d nodes were made for %q", made, got)
	}
}
