// Package filelock keeps processes from doing the same at once. A lock is released when its process ends, however it does.
package filelock

import (
	"errors"
	"fmt"
	"io"
	"time"
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

// Wait takes the lock like Try, and tries again until another holder has released it or has had it for longer than patience.
func Wait(path string, patience time.Duration) (io.Closer, error) {
	for start := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		held, err := Try(path)
		if !errors.Is(err, ErrHeld) {
			return held, err
		}
		if time.Since(start) > patience {
			return nil, fmt.Errorf("%s is %w", path, err)
		}
	}
}
