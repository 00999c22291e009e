package usdc

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usdc/coding"
	"cutaway/decoders/usdc/table"
	"cutaway/decoders/usdc/value"
)

// TestLanguage: the descriptions can be built, and leave no more to Go than that.
func TestLanguage(t *testing.T) {
	decodertest.Language(t, Format, coding.BufferLanguage, 0)
	decodertest.Language(t, Format, table.SectionLanguage, 16)
	decodertest.Language(t, Format, value.RecordLanguage, 14) // two of them are of language too
}
