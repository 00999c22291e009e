package usdc

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/internal/handgen"
	"cutaway/model"
)

func TestDetect(t *testing.T) {
	decodertest.Detects(t, Format, slices.DeleteFunc(handgen.Files(t), func(f decodertest.File) bool {
		return !bytes.HasPrefix(f.Data, []byte(magic))
	}))
	for _, test := range []struct{ name, head, reason string }{
		{"a.usd", "#usda 1.0\n", "layer as text, not a crate"},
		{"a.usdz", "PK\x03\x04", "zip"},
		{"a.usdc", "PXR-", "ends inside"},
		{"a.usdc", "PXR-USDX........", "no PXR-USDC"},
		{"a.usdc", "", "no PXR-USDC"},
	} {
		d := decodertest.Detect(t.Context(), Format, test.name, []byte(test.head))
		if d.Confidence >= model.Guess || !strings.Contains(d.Reason, test.reason) {
			t.Errorf("%q: %d, %s; want a refusal with %q", test.head, d.Confidence, d.Reason, test.reason)
		}
	}
}
