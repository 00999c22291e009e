package udm

import (
	"path/filepath"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/model"
)

// TestInvariants checks on every file what must hold of all documents.
func TestInvariants(t *testing.T) {
	for _, f := range corpusFiles(t) {
		t.Run(f.Name, func(t *testing.T) {
			decodertest.Invariants(t, Format, func() *model.Document { return openBytes(t, f.Name, f.Data) })
		})
	}
}

// TestMutate changes and cuts small files of both forms.
func TestMutate(t *testing.T) {
	t.Run("binary", func(t *testing.T) {
		decodertest.Mutate(t, Format, fixtureFiles(t, "twin.udm_b"), decodertest.MutateOptions{Try: 600, Exceptions: []decodertest.Exception{
			{Path: "layout/header/identifier", Cut: true, Reason: "a file of no bytes is an empty text"},
			{Path: "layout/root/values/assetData/values/lz4", Reason: "the last sequence of an LZ4 block has a match length that nobody reads"},
		}})
	})
	t.Run("ascii", func(t *testing.T) {
		decodertest.Mutate(t, Format, fixtureFiles(t, "twin.udm"), decodertest.MutateOptions{Try: 600, Exceptions: []decodertest.Exception{
			{Path: "layout", Cut: true, Reason: "a text may end after any entry or inside a comment; TestCutText asks for more"},
			{Path: "layout/assetData/block/lz4", Reason: "the last sequence of an LZ4 block has a match length that nobody reads"},
		}})
	})
}

// TestTrees compares the views of small files with transcripts that were looked over.
func TestTrees(t *testing.T) {
	for _, name := range []string{"twin.udm_b", "twin.udm"} {
		d := openBytes(t, name, fixtureFiles(t, name)[0].Data)
		for _, v := range d.Views {
			path := filepath.Join(fixtures, "golden", name+"."+v.Name+".txt")
			decodertest.Golden(t, path, decodertest.Tree(t, d, v.Name))
		}
	}
}
