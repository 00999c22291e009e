package usdatext

import (
	"testing"

	"cutaway/decoders/decodertest"
	"cutaway/decoders/usda"
	"cutaway/model"
)

// TestWords: usda.IsValue, which decides what a writer writes, takes what the reader of text takes without a problem.
func TestWords(t *testing.T) {
	for text, want := range map[string]bool{
		"1": true, "-1.5e3": true, "word": true, "None": true, `"a\"b"`: true, "@a.png@": true, "</a>": true, "[]": true, "[1, 2,]": true,
		"(1, [a, b])": true, "[(1), 'x']": true, "{ int a = 1; dictionary b = { string[] c = [\"x\"] } }": true, "{}": true,
		"()": false, "[1 2]": false, "[1": false, "[</a>]": false, "[{ int a = 1 }]": false, "def": false, "1 2": false, "=": false,
		"{ int = 1 }": false, "{ nothing a = 1 }": false, "]": false, "[1)]": false,
	} {
		if got := usda.IsValue(text); got != want {
			t.Errorf("IsValue(%s) = %t", text, got)
		}
		layer := "#usda 1.0\n(\n    unknownToSchemas = " + text + "\n)\n"
		report, err := decodertest.Open(t, Format, "a.usda", model.BytesReader(layer)).CheckAll(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if read := len(report.Problems) == 0; read != want {
			t.Errorf("%s: read %t, problems %v", text, read, report.Problems)
		}
	}
}
