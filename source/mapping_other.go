//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package source

import (
	"context"
	"errors"
	"unsafe"

	"golang.org/x/exp/mmap"
)

// mapping is the file mapped into memory.
type mapping struct {
	f    *File
	data *mmap.ReaderAt
}

func newMapping(f *File) (*mapping, error) {
	data, err := mmap.Open(f.path)
	if err != nil {
		return nil, err
	}
	if int64(data.Len()) != f.Size() {
		return nil, errors.Join(errors.New("the file has changed"), data.Close())
	}
	return &mapping{f, data}, nil
}

// Close implements io.Closer.
func (m *mapping) Close() error { return m.data.Close() }

// ReadAt implements backing.
func (m *mapping) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	if n, faulted, err := m.copyOut(p, off); !faulted {
		return n, err
	}
	// The file's handle says what is wrong, and gives the bytes before it.
	return m.f.pread(p, off)
}

// copyOut copies the bytes under the guard.
func (m *mapping) copyOut(p []byte, off int64) (n int, faulted bool, err error) {
	defer unguard(guard(), m, p, &faulted)
	n, err = m.data.ReadAt(p, off)
	return n, false, err
}

// owns reports whether a fault at an address is the mapping's. Its range is not known here, but the guarded copy
// touches nothing else than it and p.
func (m *mapping) owns(addr uintptr, p []byte) bool {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(p)))
	return addr < base || addr-base >= uintptr(len(p))
}
