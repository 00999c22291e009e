//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package source

import (
	"context"
	"errors"
)

// mapping is unused: Windows lets nobody write, shorten or replace a mapped file, so that its writer could not update
// the file while it is open here.
type mapping struct{}

func newMapping(*File) (*mapping, error) { return nil, errors.ErrUnsupported }

func (*mapping) ReadAt(context.Context, []byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func (*mapping) Close() error { return nil }

func (*mapping) lookAt(int64, int64, func([]byte)) bool { return false }

func (*mapping) owns(uintptr, []byte) bool { return false }
