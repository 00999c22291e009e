package flatbuffer

import (
	"testing"

	"cutaway/decoders/decodertest"
)

func TestLanguage(t *testing.T) { decodertest.Language(t, Format, language, 8) }
