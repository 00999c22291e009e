package natural

import (
	"slices"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, want := range [][]string{
		{"a", "a1", "a2", "a10", "a10b2", "a10b11", "b", "b007", "b8"},
		{"", "[9]", "[9]/b", "[10]", "[100]", "[99999999999999999999999]", "[]", "a"},
	} {
		got := slices.Clone(want)
		slices.Reverse(got)
		slices.SortFunc(got, Compare)
		if !slices.Equal(got, want) {
			t.Errorf("sorted %q", got)
		}
	}
	if Compare("[09]", "[9]") != 0 {
		t.Error("leading zeros matter")
	}
}
