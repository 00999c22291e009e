package scan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cutaway/decoders"
	"cutaway/model"
)

// A Name is a file to scan, and whether it was found in a folder or named.
type Name struct {
	File  string
	Found bool
}

// A Listing lists files, and counts those that it skips in folders. It skips folders whose names begin with a dot
// unless they are named.
type Listing struct {
	Ignore *Ignore // what else to skip

	Folders int64 // links to folders, which could be circular
	Broken  int64 // links without a target
	Special int64 // devices, pipes and sockets, and links to them: opening may wait forever
}

// Each calls give with the named files, and with all files in named folders, by name. A link in a folder stands for the
// file that it leads to.
func (l *Listing) Each(paths []string, give func(Name) error) error {
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			if err := give(Name{File: path}); err != nil {
				return err
			}
			continue
		}
		if !os.IsPathSeparator(path[len(path)-1]) {
			path += string(filepath.Separator) // walk the target of a link
		}
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err == nil && l.leavesOut(path, name, entry):
				if entry.IsDir() {
					return fs.SkipDir
				}
				return nil
			case err != nil: // report an unreadable folder like a file
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

// leavesOut reports whether an entry of a walked folder is excluded.
func (l *Listing) leavesOut(folder, name string, entry fs.DirEntry) bool {
	if name == folder {
		return false
	}
	below, err := filepath.Rel(folder, name)
	return err == nil && (entry.IsDir() && strings.HasPrefix(entry.Name(), ".") || l.Ignore.LeavesOut(filepath.ToSlash(below), entry.IsDir()))
}

// entry calls give with an entry of a folder, or counts it as skipped.
func (l *Listing) entry(name string, kind fs.FileMode, give func(Name) error) error {
	if !kind.IsRegular() {
		info, err := os.Stat(name) // follows links
		switch {
		case errors.Is(err, fs.ErrNotExist):
			l.Broken++
			return nil
		case err != nil: // report it like a file
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

// Passed describes the skipped names, or returns "" if there are none.
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

// An Unopened classifies files that do not open.
type Unopened uint8

// The kinds of files that do not open.
const (
	Unread  Unopened = iota // named, or unreadable
	Missed                  // found in a folder, with an extension of one format only, so that it should have opened
	Foreign                 // found in a folder, which may contain any files
	Without                 // as Foreign, with an extension that a format shares with other programs
)

// Unopened classifies a file that does not open because of err.
func (n Name) Unopened(err error) Unopened {
	var unknown *model.ErrUnrecognized
	name := filepath.Base(n.File)
	switch {
	case !n.Found || !errors.As(err, &unknown):
		return Unread
	case decoders.Sharer(name) != nil:
		return Without
	case decoders.Owner(name) == nil, unknown.Cause.ID == decoders.CauseMac && strings.HasPrefix(name, "._"):
		return Foreign
	}
	return Missed
}

// PassedOver reports whether a file need not open.
func (u Unopened) PassedOver() bool { return u >= Foreign }

// Withouts counts files without content of the format that shares their extension with other programs, by that format.
type Withouts map[*model.Format]int64

// Add counts a file.
func (w Withouts) Add(name string) { w[decoders.Sharer(filepath.Base(name))]++ }

// String returns the counts: "412 files without Odin data", or "" if there are none.
func (w Withouts) String() string {
	var parts []string
	for f, n := range w {
		parts = append(parts, model.GroupedCount(n, "file")+" without "+f.Holds)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
