// Package filelock keeps processes from doing the same at once. A lock is let go when its process ends, however it does.
package filelock

import (
	"errors"
	"io"
)

// ErrHeld is the error of a lock that another holder has.
var ErrHeld = errors.New("held by another program")

// Try takes the lock that a file stands for, which is made where it is missing and stays; closing it lets it go.
func Try(path string) (io.Closer, error) {
	f, err := try(path)
	if err != nil {
		return nil, err
	}
	return f, nil
}
