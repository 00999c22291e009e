package usdc

import (
	"testing"

	"cutaway/decoders/decodertest"
)

// TestLanguage: the description can be built, and leaves no more to Go than that.
func TestLanguage(t *testing.T) { decodertest.Language(t, Format, language, 28) }
