//go:build unix

package handover

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// isPrivate returns an error unless the folder is ours and no one else can enter it.
func isPrivate(folder string) error {
	info, err := os.Lstat(folder)
	if err != nil {
		return err
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(owner.Uid) != os.Getuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is no folder that only you can enter", folder)
	}
	return nil
}

// refused reports whether err is that of a socket without a listener.
func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }
