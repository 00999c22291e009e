package model

import (
	"slices"
	"testing"
)

func TestCompareNatural(t *testing.T) {
	for _, want := range [][]string{
		{"a", "a1", "a2", "a10", "a10b2", "a10b11", "b", "b007", "b8"},
		{"", "[9]", "[9]/b", "[10]", "[100]", "[99999999999999999999999]", "[]", "a"},
	} {
		got := slices.Clone(want)
		slices.Reverse(got)
		slices.SortFunc(got, CompareNatural)
		if !slices.Equal(got, want) {
			t.Errorf("sorted %q", got)
		}
	}
	if CompareNatural("[09]", "[9]") != 0 {
		t.Error("leading zeros matter")
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 2: "2 bytes"} {
		if got := Counted(n, "byte"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
