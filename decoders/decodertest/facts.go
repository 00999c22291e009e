package decodertest

import (
	"testing"

	"cutaway/model"
)

// Facts returns the facts of a document as text, by key.
func Facts(t testing.TB, d *model.Document) map[string]string {
	t.Helper()
	facts, err := d.Facts(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, f := range facts {
		shown[f.Key] = model.Show(t.Context(), f.Value, 1000)
	}
	return shown
}
