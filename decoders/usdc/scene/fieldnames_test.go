package scene

import (
	"testing"

	"cutaway/decoders/usdc/table"
)

// TestFieldsOutOfRange: a damaged set may have the same field again, under a name of its own.
func TestFieldsOutOfRange(t *testing.T) {
	x := &Index{Tables: &table.Tables{Fields: &table.Fields{Count: 2}}}
	fields := []uint32{9, 7, 9, 9}
	for i, want := range []string{"(field 9)", "(field 7)", "(field 9)~2", "(field 9)~3"} {
		if _, got := x.fieldName(t.Context(), fields, int64(i)); got != want {
			t.Errorf("field %d is %q, want %q", i, got, want)
		}
	}
}
