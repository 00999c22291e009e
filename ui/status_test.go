package ui

import (
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	for _, k := range []struct {
		took        time.Duration
		done, total int64
		want        string
	}{
		{time.Second, 1, 100, ""}, {10 * time.Second, 0, 100, ""}, {10 * time.Second, 95, 100, ""}, {10 * time.Second, 100, 100, ""},
		{10 * time.Second, 50, 100, "  ·  10 s left"}, {10 * time.Second, 1, 100, "  ·  16 min left"}, {time.Hour, 1, 3, "  ·  2 h left"},
	} {
		if got := timeLeft(k.took, k.done, k.total); got != k.want {
			t.Errorf("%d of %d in %v: %q, want %q", k.done, k.total, k.took, got, k.want)
		}
	}
}
