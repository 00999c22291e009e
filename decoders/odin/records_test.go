package odin

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/odin/entry"
)

// TestLanguage: what the description leaves to Go is five rules that need the stream, the type of the node around, and
// three looks.
func TestLanguage(t *testing.T) {
	decodertest.Language(t, Format, entry.BinaryLanguage, 9)
	decodertest.Language(t, Format, gzipLanguage, 0)
}
