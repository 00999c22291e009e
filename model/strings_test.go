package model

import (
	"testing"
)

func TestCounted(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 2: "2 bytes"} {
		if got := Counted(n, "byte"); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}
