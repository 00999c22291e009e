// Package opening gets from a name to an opened document: files, addresses, pasted bytes and parts of documents, and what to ask
// the user on the way.
package opening

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cutaway/decoders"
	"cutaway/source/far"
	"cutaway/ui/settings"
)

// A Target is a file to open, and a place in the file to show.
type Target struct {
	File      string   // a path, which [inner] may follow for a member of a package
	With      []string // other files of the same document
	Path      string   // of a node; "" for none
	Offset    int64    // in bytes, where HasOffset
	HasOffset bool
}

// TargetOf returns the target of files that were opened as one document, the first first.
func TargetOf(files []string) Target { return Target{File: files[0], With: files[1:]} }

// IsFolder reports whether the target is a folder whose files do not make one document. It asks the file system.
func (t *Target) IsFolder() bool {
	info, err := os.Stat(t.File)
	return err == nil && info.IsDir() && len(t.With) == 0 && !decoders.IsTogether(t.File)
}

// Absolute makes paths absolute, so that they are valid in another working folder.
func Absolute(paths []string) ([]string, error) {
	whole := make([]string, len(paths))
	var errs error
	for i, p := range paths {
		if far.IsAddress(p) {
			whole[i] = p
			continue
		}
		abs, err := filepath.Abs(p)
		whole[i], errs = abs, errors.Join(errs, err)
	}
	return whole, errs
}

// Remembers reports whether files can be among the recent ones: an address with a secret could not be opened again.
func Remembers(files ...string) bool { return !slices.ContainsFunc(files, far.HasSecret) }

// FolderOf returns the folder of a file, or "" where it is on a server.
func FolderOf(file string) string {
	if far.IsAddress(file) {
		return ""
	}
	return filepath.Dir(file)
}

// A Stamp identifies the state of a file: it differs once the file has changed.
type Stamp struct {
	size int64
	at   time.Time
}

// StampOf returns the stamp of a file, or of all files of a document, or none where one is missing. It asks the file system.
func StampOf(path string, with ...string) Stamp {
	all := Stamp{}
	for _, p := range append([]string{path}, with...) {
		info, err := os.Stat(p)
		if err != nil {
			return Stamp{}
		}
		all.size += info.Size()
		if info.ModTime().After(all.at) {
			all.at = info.ModTime()
		}
	}
	return all
}

// FolderFor returns where a dialog for files begins: the folder of a file, or of the first recent file that has a
// folder.
func FolderFor(file string, recent []settings.RecentFile) string {
	for _, f := range append([]settings.RecentFile{{file}}, recent...) {
		if dir := FolderOf(f[0]); f[0] != "" && dir != "" {
			return dir
		}
	}
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return string(filepath.Separator)
}
