package cli

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
)

// isFolder reports whether there is a folder of that name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// eachInput gives out the names on standard input, which end with a line or with a NUL.
func eachInput(null bool, give func(name string) error) error {
	names := bufio.NewScanner(os.Stdin)
	names.Buffer(nil, 1<<20)
	if null {
		names.Split(byNull)
	}
	for names.Scan() {
		name := names.Text()
		if !null {
			name = strings.TrimSuffix(name, "\r")
		}
		if name != "" {
			if err := give(name); err != nil {
				return err
			}
		}
	}
	if err := names.Err(); err != nil {
		return unreadable(fmt.Errorf("the names on standard input: %w", err))
	}
	return nil
}

// byNull is a bufio.SplitFunc.
func byNull(data []byte, atEnd bool) (advance int, token []byte, err error) {
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return i + 1, data[:i], nil
	}
	if atEnd && len(data) > 0 {
		return len(data), data, nil
	}
	return 0, nil, nil
}

// lookedAt counts what a verb meets in files and folders.
type lookedAt struct {
	scan.Listing
	files   int64
	unknown int64 // in folders; they are passed over
}

// tell says on standard error what was passed over, and whether there was nothing else.
func (l *lookedAt) tell(s *session, paths []string) {
	if passed := l.Passed(); passed != "" {
		s.say("%s", passed)
	}
	if l.files > 0 {
		return
	}
	text := "nothing to look at"
	if len(paths) == 1 && isFolder(paths[0]) {
		text += " in " + export.PathText(paths[0])
	}
	if l.unknown > 0 {
		text += ": no format knows the " + model.GroupedCount(l.unknown, "file") + " there"
	}
	s.say("%s", text)
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
