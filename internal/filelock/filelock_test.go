package filelock

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestMain holds a lock until it is killed, where the test below runs it so.
func TestMain(m *testing.M) {
	path := os.Getenv("FILELOCK_HOLD")
	if path == "" {
		os.Exit(m.Run())
	}
	held, err := Try(path)
	fmt.Println(err == nil)
	time.Sleep(time.Minute)
	_ = held.Close() // it is killed before
}

// TestKilled: who has a lock keeps others out, and lets it go when it is killed.
func TestKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), "FILELOCK_HOLD="+path)
	said, err := holder.StdoutPipe()
	if err == nil {
		err = holder.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "true\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Errorf("a lock that is held: %v", err)
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait() // it was killed
	held, err := Try(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Try(path); !errors.Is(err, ErrHeld) {
		t.Errorf("a lock that this process holds: %v", err)
	}
	if _, err := Wait(path, 0); !errors.Is(err, ErrHeld) {
		t.Errorf("waiting for a lock that is not let go: %v", err)
	}
	go func(held io.Closer) { _ = held.Close() }(held) // else the wait below fails
	if held, err = Wait(path, time.Minute); err != nil {
		t.Fatal(err)
	}
	if err := held.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Try(filepath.Join(path, "none")); err == nil || errors.Is(err, ErrHeld) {
		t.Errorf("a lock in no folder: %v", err)
	}
}
