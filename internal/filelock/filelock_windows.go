package filelock

import (
	"errors"
	"os"
	"syscall"
)

const sharingViolation = syscall.Errno(32)

func try(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const shared = 0 // with nobody
	h, err := syscall.CreateFile(name, syscall.GENERIC_WRITE, shared, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrHeld
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}
