package source

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
)

// TestReleased: of a large file that was read from end to end, few pages stay in this process's memory; read again, the bytes
// are the same.
func TestReleased(t *testing.T) {
	const size = 5 * mostRead
	path := filepath.Join(t.TempDir(), "large.bin")
	if err := os.WriteFile(path, []byte("begins"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	f := openFile(t, path, Options{})
	if !f.LookAt(0, 1, func([]byte) {}) {
		t.Skip("the file is not mapped")
	}
	sum := 0
	for off := int64(0); off < size; off += 1 << 20 {
		f.LookAt(off, 1<<20, func(b []byte) {
			for i := 0; i < len(b); i += 512 {
				sum += int(b[i])
			}
		})
	}
	smaps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip(err)
	}
	found := regexp.MustCompile(`(?s)large\.bin\n.*?\nRss:\s+(\d+) kB`).FindSubmatch(smaps)
	if found == nil {
		t.Fatal("the mapping is not among the process's")
	}
	if kB, _ := strconv.ParseInt(string(found[1]), 10, 64); kB<<10 > 2*mostRead {
		t.Errorf("%d kB stay", kB)
	}
	f.LookAt(0, 6, func(b []byte) {
		if string(b) != "begins" || sum != 'b' {
			t.Errorf("read again: %q, sum %d", b, sum)
		}
	})
}
