//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package source

import (
	"context"
	"errors"
	"sync/atomic"
	"syscall"
	"unsafe"
)

// A mapping is a file mapped into memory. golang.org/x/exp/mmap is not used, since it hides the address range and opens
// the path again, which may then be another file.
type mapping struct {
	f    *File
	data []byte
	read atomic.Int64 // bytes read since pages were released
}

// mostRead is the number of bytes read after which the pages of a mapping are released. They would count as memory of
// this process, in the end all of a large file. The system keeps them nevertheless, so that reading them again is fast.
const mostRead = 32 << 20

// releaseAfter counts n bytes read, at least a page for each read, and now and then releases all pages. Others may read
// meanwhile.
func (m *mapping) releaseAfter(n int) {
	if len(m.data) > mostRead && m.read.Add(int64(max(n, pageSize))) >= mostRead {
		m.read.Store(0)
		release(m.data)
	}
}

func newMapping(f *File) (*mapping, error) {
	size := f.Size()
	if int64(int(size)) != size {
		return nil, errors.New("the file is larger than the address space")
	}
	data, err := syscall.Mmap(int(f.file.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	return &mapping{f: f, data: data}, nil
}

func (m *mapping) Close() error { return syscall.Munmap(m.data) }

func (m *mapping) ReadAt(_ context.Context, p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	inTail, faulted := m.copyOut(p, off)
	m.releaseAfter(len(p))
	if faulted {
		// pread determines the error, and returns the bytes before it.
		return m.f.pread(p, off)
	}
	if inTail {
		return m.checkTail(p, off)
	}
	return len(p), nil
}

// copyOut copies the bytes under the guard. inTail means that they may be beyond the end of a file that has shrunk,
// where the rest of the last page reads as zeros.
func (m *mapping) copyOut(p []byte, off int64) (inTail, faulted bool) {
	defer unguard(guard(), m, p, &faulted)
	copy(p, m.data[off:])
	return m.maybeTail(off + int64(len(p))), false
}

// maybeTail reports whether the bytes before end may be beyond the end of a file that has shrunk.
func (m *mapping) maybeTail(end int64) bool {
	return m.data[end-1] == 0 && m.data[min(roundUp(int(end)), len(m.data))-1] == 0
}

// lookAt is like File.LookAt, for bytes inside the file.
func (m *mapping) lookAt(off, n int64, look func(b []byte)) bool {
	b := m.data[off : off+n : off+n]
	inTail, faulted := m.looked(b, off, look)
	m.releaseAfter(len(b))
	if faulted {
		return false
	}
	if inTail {
		there, err := m.checkTail(b, off)
		return err == nil && there == len(b)
	}
	return true
}

// looked calls look under the guard.
func (m *mapping) looked(b []byte, off int64, look func(b []byte)) (inTail, faulted bool) {
	defer unguard(guard(), m, b, &faulted)
	look(b)
	return m.maybeTail(off + int64(len(b))), false
}

// owns reports whether an address lies in the mapping.
func (m *mapping) owns(addr uintptr, _ []byte) bool {
	base := uintptr(unsafe.Pointer(unsafe.SliceData(m.data)))
	return addr >= base && addr-base < uintptr(len(m.data))
}

// checkTail compares the range that was read with the file's current size.
func (m *mapping) checkTail(p []byte, off int64) (int, error) {
	var now syscall.Stat_t
	if err := syscall.Fstat(int(m.f.file.Fd()), &now); err != nil {
		return 0, err
	}
	if off+int64(len(p)) <= now.Size {
		return len(p), nil
	}
	return int(max(0, now.Size-off)), m.f.shrunk(now.Size)
}

var pageSize = syscall.Getpagesize()

func roundUp(n int) int { return (n + pageSize - 1) &^ (pageSize - 1) }
