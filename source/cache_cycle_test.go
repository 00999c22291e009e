package source

import (
	"context"
	"io"
	"runtime"
	"testing"
	"time"
)

// TestCycleIsReleased makes a reader that what it inflates from leads back to, as in a document that keeps its
// sources: the cache must not keep the two alive.
func TestCycleIsReleased(t *testing.T) {
	before := cacheUse()
	func() {
		type document struct {
			reader *CachedReader
			fill   byte
		}
		d := &document{fill: 7}
		d.reader = Cached(100_000, func(_ context.Context, w io.Writer) error {
			p := make([]byte, 100_000)
			p[0] = d.fill
			_, err := w.Write(p)
			return err
		})
		if _, err := d.reader.ReadAt(t.Context(), make([]byte, 1), 0); err != nil {
			t.Fatal(err)
		}
	}()
	if cacheUse() == before {
		t.Fatal("nothing was cached")
	}
	for deadline := time.Now().Add(10 * time.Second); cacheUse() != before; time.Sleep(5 * time.Millisecond) {
		runtime.GC()
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are still cached", cacheUse()-before)
		}
	}
}
