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

// Name is a file to be looked at, and whether it was found in a folder rather than named.
type Name struct {
	File  string
	Found bool
}

// Listing gives out files, and counts what it passes over in folders. It leaves out folders whose names begin with a dot unless they
// are named.
type Listing struct {
	Ignore *Ignore // what else is left out

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

// leavesOut reports whether an entry of a walked folder is left out.
func (l *Listing) leavesOut(folder, name string, entry fs.DirEntry) bool {
	if name == folder {
		return false
	}
	below, err := filepath.Rel(folder, name)
	return err == nil && (entry.IsDir() && strings.HasPrefix(entry.Name(), ".") || l.Ignore.LeavesOut(filepath.ToSlash(below), entry.IsDir()))
}

// entry gives out what lies in a folder, or counts it.
func (l *Listing) entry(name string, kind fs.FileMode, give func(Name) error) error {
	if !kind.IsRegular() {
		info, err := os.Stat(name) // of a link: what it leads to
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

// Passed describes the names that were passed over, or returns "" if none were.
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

// An Unopened says how a file that does not open counts.
type Unopened uint8

// The kinds of files that do not open.
const (
	Unread  Unopened = iota // it was named, or cannot be read
	Missed                  // it was found in a folder and should have opened: its extension is that of one format alone
	Foreign                 // it was found in a folder, which may hold anything
	Without                 // as Foreign, with an extension that a format has beside other programs
)

// Unopened returns how a file counts that does not open because of err.
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

// Withouts counts files that have nothing of the format whose extension they have beside other programs, by that format.
type Withouts map[*model.Format]int64

// Add counts a file.
func (w Withouts) Add(name string) { w[decoders.Sharer(filepath.Base(name))]++ }

// String counts the files: "412 files without Odin data", or "" if there are none.
func (w Withouts) String() string {
	var parts []string
	for f, n := range w {
		parts = append(parts, model.GroupedCount(n, "file")+" without "+f.Holds)
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}
