package usda

import "testing"

// TestScanControl: zeros are few tokens, whatever of them is seen at once.
func TestScanControl(t *testing.T) {
	b := make([]byte, 5*longestControl+7)
	for _, seen := range []int{2 * longestControl, len(b)} {
		tokens := 0
		for at := 0; at < len(b); tokens++ {
			rest := b[at:]
			window := rest[:min(len(rest), seen)]
			kind, n, ok := Scan(window, len(window) == len(rest))
			if kind != Bad || !ok || n != min(len(rest), longestControl) {
				t.Fatalf("at %d of %d: %v, %d bytes, %t", at, len(b), kind, n, ok)
			}
			at += n
		}
		if tokens != 6 {
			t.Errorf("%d tokens", tokens)
		}
	}
	if _, _, ok := Scan(b[:10], false); ok {
		t.Error("ten zeros are a token though more may follow")
	}
}
