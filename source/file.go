package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"cutaway/model"
)

// Options control how a file is opened.
type Options struct {
	// Pread reads through a cache of blocks instead of a mapping. It suits files on a network, where a page fault
	// stalls the process.
	Pread bool
}

// A backing holds the bytes of a File.
type backing interface {
	ReadAt(ctx context.Context, p []byte, off int64) (int, error) // ranges inside the file
	io.Closer
}

// A File is a file opened for reading. It is safe for concurrent use.
type File struct {
	path   string
	file   *os.File
	opened fs.FileInfo

	mu     sync.RWMutex // read-locked by readers, so that nothing is unmapped under them
	closed bool
	bytes  backing
}

var (
	_ model.Reader          = (*File)(nil)
	_ model.ScatteredReader = (*File)(nil)
	_ model.ResidentReader  = (*File)(nil)
)

// ErrShrunk is the error that a file has fewer bytes than when it was opened. It is an io.ErrUnexpectedEOF.
type ErrShrunk struct {
	Path string
	Was  int64 // bytes when it was opened
	Now  int64 // bytes when reading failed
}

func (e *ErrShrunk) Error() string {
	return fmt.Sprintf("%s has shrunk since it was opened: it had %d bytes, now %d", e.Path, e.Was, e.Now)
}

// Unwrap returns io.ErrUnexpectedEOF.
func (e *ErrShrunk) Unwrap() error { return io.ErrUnexpectedEOF }

// Open opens the regular file at path without reading it.
func Open(path string, opt Options) (*File, error) {
	// Before opening, since that of a pipe waits for a writer.
	if info, err := os.Stat(path); err != nil {
		return nil, cannotOpen(path, err)
	} else if err := mustBeRegular(path, info); err != nil {
		return nil, err
	}
	file, err := openShared(path)
	if err != nil {
		return nil, cannotOpen(path, err)
	}
	info, err := file.Stat()
	if err == nil {
		err = mustBeRegular(path, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	f := &File{path: path, file: file, opened: info}
	if !opt.Pread && info.Size() > 0 {
		if m, err := newMapping(f); err == nil {
			f.bytes = m
			return f, nil
		}
		// Some file systems cannot map, and a 32-bit process has no room for large files.
	}
	f.bytes = newBlocks(f)
	return f, nil
}

func cannotOpen(path string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return fmt.Errorf("cannot open %s: %w", path, err)
}

func mustBeRegular(path string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return fmt.Errorf("cannot open %s: it is a folder, not a file", path)
	}
	return fmt.Errorf("cannot open %s: it is not a regular file, and cannot be read at any offset", path)
}

// Path returns the path that the file was opened by.
func (f *File) Path() string { return f.path }

// Size returns the size that the file had when it was opened.
func (f *File) Size() int64 { return f.opened.Size() }

// Changed reports whether the path now has another size, modification time or file, or none.
func (f *File) Changed() (bool, error) {
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return now.Size() != f.opened.Size() || !now.ModTime().Equal(f.opened.ModTime()) || !os.SameFile(now, f.opened), nil
}

// ReadAt reads bytes at an offset. It fails with ErrShrunk if the file has lost them, and with fs.ErrClosed after
// Close.
func (f *File) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	return f.readBy(ctx, p, off, f.bytes.ReadAt)
}

// ReadScattered reads a mapped file through its handle. This costs half as much as the page fault of a first access,
// and maps nothing.
func (f *File) ReadScattered(ctx context.Context, p []byte, off int64) (int, error) {
	if _, cached := f.bytes.(*blocks); cached {
		return f.ReadAt(ctx, p, off)
	}
	return f.readBy(ctx, p, off, func(_ context.Context, p []byte, off int64) (int, error) { return f.pread(p, off) })
}

// LookAt calls look with mapped bytes, as a model.ResidentReader does.
func (f *File) LookAt(off, n int64, look func(b []byte)) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	m, mapped := f.bytes.(*mapping)
	return mapped && !f.closed && n > 0 && off >= 0 && off <= f.Size()-n && m.lookAt(off, n, look)
}

func (f *File) readBy(ctx context.Context, p []byte, off int64, read func(context.Context, []byte, int64) (int, error)) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	switch {
	case f.closed:
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrClosed}
	case off < 0:
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrInvalid}
	case off >= f.Size():
		return 0, io.EOF
	}
	if room := f.Size() - off; int64(len(p)) > room {
		n, err := read(ctx, p[:room], off)
		if err == nil {
			err = io.EOF
		}
		return n, err
	}
	return read(ctx, p, off)
}

// Close releases the file after running reads. Later reads fail. A second Close does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.bytes.Close(), f.file.Close())
}

// pread reads all of p at off through the file's handle. The range lies inside the file as it was opened.
func (f *File) pread(p []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(p, off)
	if err == io.EOF {
		err = f.shrunk(off + int64(n))
	}
	if n == len(p) {
		err = nil
	}
	return n, err
}

// shrunk returns the error for bytes that ended at end.
func (f *File) shrunk(end int64) error {
	now := end
	if info, err := f.file.Stat(); err == nil {
		now = info.Size()
	}
	return &ErrShrunk{Path: f.path, Was: f.Size(), Now: now}
}

const (
	blockSize = 64 << 10
	blockMax  = 64 // blocks kept for each file: 4 MiB
)

// blocks reads by pread and keeps the most recently used blocks.
type blocks struct {
	f    *File
	held model.Cache[int64, []byte]
}

func newBlocks(f *File) *blocks {
	b := &blocks{f: f}
	b.held.Limit = blockMax
	return b
}

func (b *blocks) Close() error { return nil }

func (b *blocks) ReadAt(ctx context.Context, p []byte, off int64) (int, error) {
	// A read as long as several blocks is not repeated in small pieces, and would evict all others.
	if len(p) >= 4*blockSize {
		return b.f.pread(p, off)
	}
	done := 0
	for done < len(p) {
		at := off + int64(done)
		bytes, err := b.block(ctx, at/blockSize)
		if from := at % blockSize; from < int64(len(bytes)) {
			done += copy(p[done:], bytes[from:])
		}
		if err != nil && done < len(p) {
			return done, err
		}
	}
	return done, nil
}

// block returns block i. A short one comes with the error that cut it and is not kept.
func (b *blocks) block(ctx context.Context, i int64) ([]byte, error) {
	return b.held.Get(ctx, i, func(context.Context) ([]byte, error) {
		start := i * blockSize
		bytes := make([]byte, min(blockSize, b.f.Size()-start))
		n, err := b.f.pread(bytes, start)
		return bytes[:n], err
	})
}
