package source

import (
	"os"
	"syscall"
)

// openShared opens a file for reading so that others may write, rename and delete it meanwhile, as on other systems.
// os.Open prevents renaming and deleting.
func openShared(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const share = syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE | syscall.FILE_SHARE_DELETE
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, share, nil, syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		return os.Open(path) // supports longer paths on old systems, and has better errors
	}
	return os.NewFile(uintptr(handle), path), nil
}
