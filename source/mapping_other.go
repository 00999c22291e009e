//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package source

import (
	"context"
	"errors"
)

// mapping is not used here: Windows lets nobody write, shorten or replace a file that is mapped, so that what makes the
// file could not make it anew while it is looked at.
type mapping struct{}

func newMapping(*File) (*mapping, error) { return nil, errors.ErrUnsupported }

func (*mapping) ReadAt(context.Context, []byte, int64) (int, error) { return 0, errors.ErrUnsupported }

func (*mapping) Close() error { return nil }

func (*mapping) lookAt(int64, int64, func([]byte)) bool { return false }

func (*mapping) owns(uintptr, []byte) bool { return false }
