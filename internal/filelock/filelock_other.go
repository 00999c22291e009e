//go:build !windows

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

func try(path string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Clean(path), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	// Where files cannot be locked, as on some servers, each process has it.
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); errors.Is(err, syscall.EWOULDBLOCK) {
		_ = f.Close() // nothing was written
		return nil, ErrHeld
	}
	return f, nil
}
