package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"cutaway/model"
)

// A Folder gives access to the files beside one file. It is safe for concurrent use.
type Folder struct {
	path string
	opt  Options

	mu     sync.Mutex
	closed bool
	opened map[string]*File
}

var _ model.Files = (*Folder)(nil)

// Dir returns the files beside the one at path. They are opened with opt and stay open until the folder is closed.
func Dir(path string, opt Options) *Folder {
	return &Folder{path: filepath.Dir(path), opt: opt, opened: make(map[string]*File)}
}

// Open returns the reader of a file by its base name, the same one for each call.
func (d *Folder) Open(name string) (model.Reader, error) {
	// The name may come from a file's content and must not lead out of the folder.
	if name != filepath.Base(name) || !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%q is not the name of a file in this folder: %w", name, fs.ErrNotExist)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, fs.ErrClosed
	}
	if f := d.opened[name]; f != nil {
		return f, nil
	}
	f, err := Open(filepath.Join(d.path, name), d.opt)
	if err != nil {
		return nil, err
	}
	d.opened[name] = f
	return f, nil
}

// List returns the Names of the folder.
func (d *Folder) List() ([]string, error) { return Names(d.path) }

// A listing holds the names in a folder at one time.
type listing struct {
	of    fs.FileInfo
	names []string
}

// listings are those of the most recent folders, so that a scan of many files in a folder lists it once.
var listings struct {
	sync.Mutex
	of map[string]listing
}

const (
	mostListings = 16
	// atRest is the least time since the last change after which the listing of a folder is kept. Two changes within
	// the resolution of a file system's clock have the same time.
	atRest = 3 * time.Second
)

// Names returns the names of a folder's regular files and links, sorted. The caller must not change them.
func Names(dir string) ([]string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	listings.Lock()
	known, ok := listings.of[dir]
	listings.Unlock()
	if ok && os.SameFile(known.of, info) && known.of.ModTime().Equal(info.ModTime()) {
		return known.names, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0 {
			names = append(names, e.Name())
		}
	}
	if time.Since(info.ModTime()) > atRest {
		listings.Lock()
		defer listings.Unlock()
		if len(listings.of) >= mostListings || listings.of == nil {
			listings.of = make(map[string]listing)
		}
		listings.of[dir] = listing{info, names}
	}
	return names, nil
}

// Files returns the files that the folder has opened so far.
func (d *Folder) Files() []*File {
	d.mu.Lock()
	defer d.mu.Unlock()
	var files []*File
	for _, f := range d.opened {
		files = append(files, f)
	}
	return files
}

// Close closes all files that the folder has opened.
func (d *Folder) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	var err error
	for _, f := range d.opened {
		err = errors.Join(err, f.Close())
	}
	return err
}
