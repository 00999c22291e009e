package value

import (
	"context"
	"testing"

	"cutaway/model"
	"cutaway/source"
)

// zeros is an array of words that are all 0: each is an instruction.
type zeros struct {
	model.Array
	n int64
}

func (z zeros) Len() int64 { return z.n }

func (z zeros) Read(_ context.Context, first int64, dst []model.Value) (int, error) {
	n := int(min(z.n-first, int64(len(dst))))
	for i := range n {
		dst[i] = model.Int(0)
	}
	return n, nil
}

// TestEditsInPart: of instructions that memory has no room for the first are listed, which a limit tells.
func TestEditsInPart(t *testing.T) {
	defer source.SetCacheLimit(source.CacheLimit())
	source.SetCacheLimit(4 << 20)
	most := maxEdits()
	for _, n := range []int64{most, most + 1, 10 * most} {
		edits, p := readEdits(t.Context(), zeros{n: n})
		limited := p != nil && p.Kind == model.Limit && p.Rule == "usdc.edit.limit" && p.Span.Off == most
		if int64(len(edits)) != most || limited != (n > most) || most > 1<<16 {
			t.Errorf("of %d: %d instructions, %v", n, len(edits), p)
		}
	}
}
