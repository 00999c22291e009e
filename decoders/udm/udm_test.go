package udm

import (
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
