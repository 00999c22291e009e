package scan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cutaway/model"
)

// Name is a file to be looked at, and whether it was found in a folder rather than named.
type Name struct {
	File  string
	Found bool
}

// Listing gives out files, and counts what it passes over in folders.
type Listing struct {
	Folders int64 // links to folders: they are not followed, so that no way leads round in a circle
	Broken  int64 // links that lead nowhere
	Special int64 // devices, pipes and sockets, and links to them: to open one may wait for ever
}

// Each gives out files: those that are named, and all that lie in folders that are, in the order of their names. A link in a
// folder is the file that it leads to.
func (l *Listing) Each(paths []string, give func(Name) error) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if err := give(Name{File: path}); err != nil {
				return err
			}
			continue
		}
		if !os.IsPathSeparator(path[len(path)-1]) {
			path += string(filepath.Separator) // what it links to is walked, not the link
		}
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil: // a folder that cannot be read: it is told as a file would be
				return give(Name{File: name})
			case entry.IsDir():
				return nil
			}
			return l.entry(name, entry.Type(), give)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// entry gives out what lies in a folder, or counts it.
func (l *Listing) entry(name string, kind fs.FileMode, give func(Name) error) error {
	if !kind.IsRegular() {
		info, err := os.Stat(name) // of a link: what it leads to
		switch {
		case errors.Is(err, fs.ErrNotExist):
			l.Broken++
			return nil
		case err != nil: // it is told as a file would be
			return give(Name{File: name})
		case info.IsDir():
			l.Folders++
			return nil
		}
		kind = info.Mode().Type()
	}
	if !kind.IsRegular() {
		l.Special++
		return nil
	}
	return give(Name{name, true})
}

// Passed says in words what was passed over; "": nothing.
func (l *Listing) Passed() string {
	var parts []string
	for _, p := range []struct {
		n         int64
		one, many string
	}{
		{l.Folders, "link to a folder was not followed", "links to folders were not followed"},
		{l.Broken, "link leads nowhere", "links lead nowhere"},
		{l.Special, "device, pipe or socket was not opened", "devices, pipes and sockets were not opened"},
	} {
		switch p.n {
		case 0:
		case 1:
			parts = append(parts, "1 "+p.one)
		default:
			parts = append(parts, model.Grouped(p.n)+" "+p.many)
		}
	}
	return strings.Join(parts, ", ")
}

// PassedOver reports whether a file that does not open is none of ours: a folder may hold anything.
func (n Name) PassedOver(err error) bool {
	var unknown *model.ErrUnrecognized
	return n.Found && errors.As(err, &unknown)
}
