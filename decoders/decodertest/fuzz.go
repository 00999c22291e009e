package decodertest

import (
	"testing"

	"cutaway/model"
)

// Fuzz decodes arbitrary bytes: no decoder may panic or hang, and layouts must tile.
func Fuzz(f *testing.F, format *model.Format, seeds []File, beside ...*model.Format) {
	for _, s := range seeds {
		f.Add(s.Data)
	}
	f.Fuzz(func(t *testing.T, data []byte) { Examine(t, format, data, beside...) })
}

// Examine checks one file as Fuzz does.
func Examine(t *testing.T, format *model.Format, data []byte, beside ...*model.Format) {
	t.Helper()
	doc, err := open(t.Context(), format, "fuzzed", model.BytesReader(data), beside)
	if err != nil {
		return // refused with an error
	}
	defer func() { _ = doc.Close() }()
	if _, err := examine(t.Context(), doc); err != nil {
		t.Error(err)
	}
}
