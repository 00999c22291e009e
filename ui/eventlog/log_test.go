package eventlog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestStalls: what keeps the window from answering is written to the log.
func TestStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "log")
		l, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		done, ended := make(chan struct{}), make(chan struct{})
		slow := true
		go func() {
			l.WatchStalls(func(f func()) {
				if slow {
					slow = false
					time.Sleep(stallLimit + 30*time.Millisecond)
				}
				f()
			}, done)
			close(ended)
		}()
		read := func() string { b, _ := os.ReadFile(path); return string(b) }
		for limit := time.Now().Add(time.Minute); read() == "" && time.Now().Before(limit); {
			time.Sleep(10 * time.Millisecond)
		}
		close(done)
		<-ended
		if got := read(); !strings.HasPrefix(got, "stalled\t1") {
			t.Errorf("the log says %q", got)
		}
	})
}
