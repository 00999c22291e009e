package formula

import (
	"math"
	"testing"

	"cutaway/decoders/expr"
	"cutaway/decoders/grammar"
)

// TestSaturation holds the arithmetic of int64 against that of big integers.
func TestSaturation(t *testing.T) {
	edges := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -2, -1, 0, 1, 2, 3, 62, 63, 64, 1 << 32, math.MaxInt64 - 1, math.MaxInt64}
	for _, a := range edges {
		for _, b := range edges {
			for i, do := range intOps {
				op := expr.Op(i)
				if do == nil || op.IsComparison() || op == expr.OpBitClear || refuses(op, b) != nil {
					continue
				}
				want, err := calculate(op, grammar.IntValue(a), grammar.IntValue(b))
				if err != nil {
					continue
				}
				saturated, _ := want.Integer()
				if got := do(a, b); got != saturated {
					t.Errorf("%d %s %d is %d, want %s", a, op, b, got, want)
				}
				if got, ok := calculateInt(op, a, b); ok && got != saturated {
					t.Errorf("%d %s %d is %d in .ksy, want %s", a, op, b, got, want)
				}
			}
		}
	}
}
