package source

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// A Temporary is a file that disappears when it is closed. It has no name from the start if the system can remove open
// files; otherwise Close or RemoveTemporary removes it.
type Temporary struct {
	*os.File
	named bool
}

var temporaryFiles struct {
	mu    sync.Mutex
	named map[*Temporary]bool
}

// NewTemporary creates a temporary file.
func NewTemporary() (*Temporary, error) {
	f, err := os.CreateTemp("", "cutaway-*.tmp")
	if err != nil {
		return nil, err
	}
	if os.Remove(f.Name()) != nil {
		return nameTemporary(f), nil
	}
	return &Temporary{File: f}, nil
}

// nameTemporary records a file that still has its name.
func nameTemporary(f *os.File) *Temporary {
	t := &Temporary{File: f, named: true}
	temporaryFiles.mu.Lock()
	defer temporaryFiles.mu.Unlock()
	if temporaryFiles.named == nil {
		temporaryFiles.named = make(map[*Temporary]bool)
	}
	temporaryFiles.named[t] = true
	return t
}

// Close closes and removes the file.
func (t *Temporary) Close() error {
	err := t.File.Close()
	if !t.named {
		return err
	}
	temporaryFiles.mu.Lock()
	delete(temporaryFiles.named, t)
	temporaryFiles.mu.Unlock()
	if gone := os.Remove(t.Name()); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = errors.Join(err, gone)
	}
	return err
}

// RemoveTemporary removes the remaining temporary files. The program calls it before it exits; systems that can remove
// open files have none.
func RemoveTemporary() error {
	temporaryFiles.mu.Lock()
	var left []*Temporary
	for t := range temporaryFiles.named {
		left = append(left, t)
	}
	temporaryFiles.mu.Unlock()
	var err error
	for _, t := range left {
		err = errors.Join(err, t.Close())
	}
	return err
}
