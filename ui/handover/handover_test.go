package handover

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// folder is a short one: the path of a socket has about 100 bytes at most.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ho")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return filepath.Join(dir, "display")
}

func always(context.Context) error { return nil }

// listen is a window that says what it opens.
func listen(t *testing.T, dir string, ready func(context.Context) error) (*Listener, chan string) {
	t.Helper()
	opened := make(chan string, 10)
	l, err := Listen(dir, ready, func(request []byte) { opened <- string(request) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, opened
}

func TestGive(t *testing.T) {
	dir := folder(t)
	if err := Give(dir, []byte("x")); !errors.Is(err, ErrNoWindow) {
		t.Errorf("without a window: %v", err)
	}
	l, opened := listen(t, dir, always)
	for _, request := range []string{"a", "ü \\n \"quoted\"", ""} {
		if err := Give(dir, []byte(request)); err != nil {
			t.Fatal(err)
		}
		if got := <-opened; got != request {
			t.Errorf("%q arrives as %q", request, got)
		}
	}
	info, err := os.Stat(l.path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has the mode %v, %v", info.Mode(), err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := Give(dir, []byte("x")); !errors.Is(err, ErrNoWindow) {
		t.Errorf("to a closed window: %v", err)
	}
}

// TestStuck: a window that does not answer is given up, and opens nothing when it wakes up.
func TestStuck(t *testing.T) {
	dir := folder(t)
	wake, woken := make(chan struct{}), make(chan struct{})
	_, opened := listen(t, dir, func(context.Context) error {
		<-wake
		close(woken)
		return nil
	})
	if err := Give(dir, []byte("late")); !errors.Is(err, ErrNoWindow) {
		t.Errorf("%v", err)
	}
	close(wake)
	<-woken
	select {
	case late := <-opened:
		t.Errorf("opened %q although the giver had given up", late)
	case <-time.After(100 * time.Millisecond):
	}
}

// TestStale: what a process that was killed has left is passed over and taken away.
func TestStale(t *testing.T) {
	dir := folder(t)
	_, opened := listen(t, dir, always)
	stale := filepath.Join(dir, "1.sock")
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: stale, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	socket.SetUnlinkOnClose(false)
	if err := socket.Close(); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(stale, later, later); err != nil {
		t.Fatal(err)
	}
	if err := Give(dir, []byte("x")); err != nil || <-opened != "x" {
		t.Errorf("behind a stale socket: %v", err)
	}
	if _, err := os.Lstat(stale); !errors.Is(err, os.ErrNotExist) {
		t.Error("the stale socket is still there")
	}
}

// TestLastUsed: of two windows the one last used gets it.
func TestLastUsed(t *testing.T) {
	dir := folder(t)
	l, opened := listen(t, dir, always)
	other := filepath.Join(dir, "1.sock")
	socket, err := net.Listen("unix", other)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	before := time.Now().Add(-time.Hour)
	for _, path := range []string{l.path, other} {
		if err := os.Chtimes(path, before, before); err != nil {
			t.Fatal(err)
		}
	}
	l.Used()
	if got := windows(dir); len(got) != 2 || got[0] != l.path {
		t.Errorf("asked first: %q", got)
	}
	if err := Give(dir, []byte("x")); err != nil || <-opened != "x" {
		t.Errorf("%v", err)
	}
}

// TestPrivate: a folder that others can enter is not used.
func TestPrivate(t *testing.T) {
	dir := folder(t)
	_, opened := listen(t, dir, always)
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Give(dir, []byte("x")); !errors.Is(err, ErrNoWindow) || len(opened) > 0 {
		t.Errorf("gave into an open folder: %v", err)
	}
	if _, err := Listen(dir, always, func([]byte) {}); err == nil {
		t.Error("listens in an open folder")
	}
}

func TestFolder(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	t.Setenv("DISPLAY", ":1")
	one := Folder()
	t.Setenv("DISPLAY", ":2")
	if two := Folder(); one == two || filepath.Dir(one) != "/run/user/7/cutaway" {
		t.Errorf("%s and %s", one, two)
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	if none := Folder(); filepath.Dir(filepath.Dir(none)) != filepath.Clean(os.TempDir()) {
		t.Errorf("without XDG_RUNTIME_DIR: %s", none)
	}
}
