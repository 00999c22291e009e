package usdc

import (
	"testing"

	"cutaway/decoders/decodertest"
)

// TestLanguage: the descriptions can be built, and leave no more to Go than that.
func TestLanguage(t *testing.T) {
	decodertest.Language(t, Format, bufferLanguage, 0)
	decodertest.Language(t, Format, language, 16)
	decodertest.Language(t, Format, valueLanguage, 14) // two of them are of language too
}
