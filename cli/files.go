package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"cutaway/model/export"
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

// fileLimit is how long a verb may take for each of its files.
type fileLimit struct {
	Timeout time.Duration `default:"0" placeholder:"TIME" help:"Give up a file after this long, such as 30s or 5m (default: never)."`
}

// within does a job on one file, as long as there is time for it. The session's context ends with that time until it returns.
func (l fileLimit) within(s *session, file string, job func() error) error {
	if l.Timeout <= 0 {
		return job()
	}
	whole := s.ctx
	defer func() { s.ctx = whole }()
	limited, stop := context.WithTimeoutCause(whole, l.Timeout, fmt.Errorf("%s: given up after %s (--timeout)", export.PathText(file), l.Timeout))
	defer stop()
	s.ctx = limited
	err := job()
	if err != nil && limited.Err() != nil && whole.Err() == nil {
		return unreadable(context.Cause(limited))
	}
	return err
}
