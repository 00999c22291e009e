package cli

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"cutaway/scan"
)

// isFolder reports whether there is a folder of that name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// eachLine gives out the names on standard input, a line each.
func eachLine(give func(scan.Name) error) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name := strings.TrimSuffix(lines.Text(), "\r"); name != "" {
			if err := give(scan.Name{File: name}); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return unreadable(fmt.Errorf("the names on standard input: %w", err))
	}
	return nil
}

// cannotOpen reports whether an error is that a file does not open, so that others are gone on with.
func cannotOpen(err error) bool { return err != nil && statusOf(err) == StatusUnreadable }
