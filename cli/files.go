package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cutaway/model"
)

// namedFile is a file to be looked at, and whether it was found in a folder rather than named.
type namedFile struct {
	name  string
	found bool
}

// isFolder reports whether there is a folder of that name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// eachFile gives out files: those that are named, and all that lie in folders, in the order of their names.
func eachFile(paths []string, give func(namedFile) error) error {
	for _, path := range paths {
		if !isFolder(path) {
			if err := give(namedFile{name: path}); err != nil {
				return err
			}
			continue
		}
		err := filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
			if err != nil { // a folder that cannot be read: it is told as a file would be
				return give(namedFile{name: name})
			}
			if entry.Type().IsRegular() {
				return give(namedFile{name, true})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachLine gives out the names on standard input, a line each.
func eachLine(give func(namedFile) error) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
			if err := give(namedFile{name: name}); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return unreadable(fmt.Errorf("the names on standard input: %w", err))
	}
	return nil
}

// passedOver reports whether a file that does not open is none of ours: a folder may hold anything.
func (f namedFile) passedOver(err error) bool {
	var unknown *model.ErrUnrecognized
	return f.found && errors.As(err, &unknown)
}

// cannotOpen reports whether an error is that a file does not open, so that others are gone on with.
func cannotOpen(err error) bool { return err != nil && statusOf(err) == StatusUnreadable }
