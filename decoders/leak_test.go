package decoders

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// TestClosedIsReleased opens, checks and closes every sample of every format over and over: what was opened before
// leaves nothing behind.
func TestClosedIsReleased(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector makes it ten times as long")
	}
	files := map[string][]string{} // by format
	err := filepath.WalkDir(filepath.Join("..", "testdata"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		doc, err := OpenFile(t.Context(), path, OpenOptions{})
		if err != nil {
			return nil // not one of ours, or one that is read by its schema only
		}
		if info, err := e.Info(); err == nil && info.Size() < 16<<10 {
			files[doc.Format] = append(files[doc.Format], path)
		}
		return doc.Close()
	})
	if err != nil {
		t.Fatal(err)
	}
	for format, paths := range files {
		t.Run(format, func(t *testing.T) {
			round := func() {
				for _, path := range paths {
					look(t, path)
				}
			}
			round() // what is made once and kept, such as tables of names
			bytesBefore, objectsBefore := liveHeap()
			goroutines, handles := runtime.NumGoroutine(), openHandles()
			opened := 0
			for opened < 200 {
				round()
				opened += len(paths)
			}
			bytesAfter, objectsAfter := liveHeap()
			if now := runtime.NumGoroutine(); now > goroutines {
				t.Errorf("%d goroutines before, %d after", goroutines, now)
			}
			if now := openHandles(); now > handles {
				t.Errorf("%d files are open before, %d after", handles, now)
			}
			// A document is hundreds of objects.
			if grown := bytesAfter - bytesBefore; grown > int64(opened)*200 {
				t.Errorf("%d bytes are left of %d documents", grown, opened)
			}
			if grown := objectsAfter - objectsBefore; grown > int64(opened) {
				t.Errorf("%d objects are left of %d documents", grown, opened)
			}
		})
	}
}

// TestAtOnce opens, checks and closes small samples of every format in two goroutines, which begin at opposite ends: what
// documents share, such as pools and tables that are made once, is looked at by the race detector.
func TestAtOnce(t *testing.T) {
	var all []string
	for _, paths := range sampleFiles(t) {
		all = append(all, paths[:min(len(paths), 40)]...)
	}
	slices.Sort(all)
	reversed := slices.Clone(all)
	slices.Reverse(reversed)
	var group sync.WaitGroup
	for _, paths := range [][]string{all, reversed} {
		group.Go(func() {
			for _, path := range paths {
				doc, err := OpenFile(t.Context(), path, OpenOptions{})
				if err != nil {
					continue // not one of ours, or one that is read by its schema only
				}
				if _, err := doc.CheckAll(t.Context(), nil); err != nil {
					t.Errorf("%s: %v", path, err)
				}
				if err := doc.Close(); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
	group.Wait()
}

// look opens, checks and closes a file.
func look(t *testing.T, path string) {
	doc, err := OpenFile(t.Context(), path, OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := doc.CheckAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if err := doc.Close(); err != nil {
		t.Fatal(err)
	}
}

// openHandles is how many files the process has open; 0 where the system does not list them.
func openHandles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// liveHeap is what is left after garbage, and what its clean-ups let go of, is collected.
func liveHeap() (bytes, objects int64) {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc), int64(m.HeapObjects)
}
