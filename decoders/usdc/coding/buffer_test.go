package coding

import (
	"testing"

	"cutaway/model"
)

// TestChunkSizes: what is wrong with the sizes of a container's blocks is told where it is.
func TestChunkSizes(t *testing.T) {
	for _, test := range []struct {
		name  string
		bytes []byte
		kind  model.Kind
		at    int64
		n     int64
	}{
		{"size cut off", []byte{2, 1, 0, 0, 0, 0, 9, 9}, model.Truncated, 6, 2},
		{"no size", []byte{2, 1, 0, 0, 0, 0}, model.Truncated, 6, 0},
		{"too large", []byte{1, 9, 0, 0, 0, 0}, model.Malformed, 1, 4},
		{"negative", []byte{1, 255, 255, 255, 255, 0}, model.Malformed, 1, 4},
		{"negative count", []byte{200, 0}, model.Malformed, 0, 1},
	} {
		src := model.NewFileSource(test.name, model.BytesReader(test.bytes))
		b := new(Buffer)
		b.Read(t.Context(), src.Whole(), false)
		if len(b.faulty) != 1 {
			t.Errorf("%s: problems %v", test.name, b.faulty)
			continue
		}
		if p := b.faulty[0]; p.Kind != test.kind || p.Span != src.Span(test.at, test.n) {
			t.Errorf("%s: %s at %s: %s", test.name, p.Kind, p.Span, p.Message)
		}
	}
}
