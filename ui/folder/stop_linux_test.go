package folder

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"

	"cutaway/scan"
)

// TestStop: what was found stays, and what was not come to is known of the next time.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t)
		b.show(copied(t, some))
		release := hold(t, b.kept)
		b.Look()
		b.Tasks.CancelAll()
		release()
		b.settle()
		if b.Tasks.Len() > 0 || !strings.HasSuffix(b.status.Text, "stopped") {
			t.Errorf("status %q", b.status.Text)
		}
		b.Look()
		b.settle()
		for _, r := range b.data.All() {
			if r.Change != scan.Same {
				t.Errorf("%s is %s", r.name, r.Change)
			}
		}
		if len(b.names()) != 4 {
			t.Errorf("listed %q", b.names())
		}
	})
}

// hold lets who reads a file wait until release: a pipe stands in its place, so that no look ends before it is stopped.
func hold(t *testing.T, path string) (release func()) {
	t.Helper()
	aside := path + ".aside"
	data, err := os.ReadFile(path)
	if err == nil {
		err = os.Rename(path, aside)
	}
	if err == nil {
		err = syscall.Mkfifo(path, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(path, os.O_RDWR, 0) // to read and write: else it waits for a reader
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		err := os.Rename(aside, path)
		if err == nil {
			_, err = pipe.Write(data)
		}
		if err = errors.Join(err, pipe.Close()); err != nil {
			t.Error(err)
		}
	}
}
