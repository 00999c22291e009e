package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
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

// folderFlags are the flags of verbs that go through folders.
type folderFlags struct {
	Ignore        []string `group:"files" sep:"none" placeholder:"PATTERN" help:"Leave out what a .gitignore with this line would, in the folders that are named; may be given several times."`
	AllowPointers bool     `group:"files" help:"Pointers of Git LFS or git-annex, whose files were not fetched, are notes, not failures."`
	FailOn        failOn   `group:"files" enum:",unread,error,warning,never" default:"" placeholder:"LEVEL" help:"From what on the exit status is not 0: unread (a file that does not open), error (so is the default), warning, or never."`
}

// A failOn names the least problem that makes the exit status other than 0. Empty means errors, unless a verb has a rule of its own.
type failOn string

// The levels of failOn, the highest first.
const (
	failNever   failOn = "never"
	failUnread  failOn = "unread"
	failWarning failOn = "warning"
)

// look begins to count what the verb meets, and sets what its exit status counts.
func (v *folderFlags) look(s *session) (l lookedAt, err error) {
	s.failOn = v.FailOn
	l.allowPointers, l.without = v.AllowPointers, scan.Withouts{}
	if l.Ignore, err = scan.NewIgnore(v.Ignore...); err != nil {
		return l, wrongUsage("--ignore: %w", err)
	}
	return l, nil
}

// isPointer reports whether a file stands for one that was not fetched.
func isPointer(c *model.Cause) bool { return c != nil && c.ID == model.CausePointer }

// refusedBy returns the cause of an error that no format fits, or nil if err is another; with why also each format's reason.
func refusedBy(err error, why bool) (c *model.Cause, tried []model.Tried) {
	var refused *model.ErrUnrecognized
	switch {
	case !errors.As(err, &refused):
	case why:
		return &refused.Cause, refused.Tried
	default:
		c = &refused.Cause
	}
	return c, nil
}

// lookedAt counts what a verb meets in files and folders.
type lookedAt struct {
	scan.Listing
	allowPointers bool
	files         int64
	unknown       int64 // in folders; they are passed over
	without       scan.Withouts
}

// passes counts a file that does not open and need not: it is passed over.
func (l *lookedAt) passes(f scan.Name, err error) bool {
	kind := f.Unopened(err)
	switch kind {
	case scan.Foreign:
		l.unknown++
	case scan.Without:
		l.without.Add(f.File)
	}
	return kind.PassedOver()
}

// allows reports whether a file that does not open is a note only.
func (l *lookedAt) allows(err error) bool {
	cause, _ := refusedBy(err, false)
	return l.allowPointers && isPointer(cause)
}

// report prints on standard error which files were passed over, and whether no others were found.
func (l *lookedAt) report(s *session, paths []string) {
	for _, passed := range []string{l.Passed(), l.without.String()} {
		if passed != "" {
			s.say("%s", passed)
		}
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

// cannotOpen reports whether an error concerns one file that does not open, so that work continues with the others.
func cannotOpen(err error) bool { return err != nil && statusOf(err) == StatusUnreadable }

// A fileLimit limits the time that a verb takes for each file.
type fileLimit struct {
	Timeout time.Duration `group:"files" default:"0" placeholder:"TIME" help:"Give up a file after this long, such as 30s or 5m (default: never)."`
}

// limited does a job on one file within the time limit. Until it returns, the session's context ends with that time.
func (l fileLimit) limited(s *session, file string, job func() error) error {
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
