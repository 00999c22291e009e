package scan

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"cutaway/model"
)

// Name is a file to be looked at, and whether it was found in a folder rather than named.
type Name struct {
	File  string
	Found bool
}

// Each gives out files: those that are named, and all that lie in folders that are, in the order of their names. Links in
// folders are not followed.
func Each(paths []string, give func(Name) error) error {
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
			if err != nil { // a folder that cannot be read: it is told as a file would be
				return give(Name{File: name})
			}
			if entry.Type().IsRegular() {
				return give(Name{name, true})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// PassedOver reports whether a file that does not open is none of ours: a folder may hold anything.
func (n Name) PassedOver(err error) bool {
	var unknown *model.ErrUnrecognized
	return n.Found && errors.As(err, &unknown)
}
