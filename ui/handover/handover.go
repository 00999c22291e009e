// Package handover sends a request from a second start of the program to a window that runs already. Each window that
// takes requests listens on a socket of its own, in a folder that only the user can enter. A second start, the giver,
// asks the windows of its display, the one last used first.
//
// The giver sends the request, a line. The window answers ready once it is sure that it can act. Only then does the
// giver send open: a window that was stuck must not open later what the giver has opened itself by then. The window
// answers opened.
package handover

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Patience is the time that a window has to answer before the giver acts itself.
const Patience = 2 * time.Second

// maxRequest is the maximum length of a request, in bytes.
const maxRequest = 1 << 20

// Messages that follow the request.
const (
	wordReady  = "ready"
	wordOpen   = "open"
	wordOpened = "opened"
)

// ErrNoWindow reports that no window took the request.
var ErrNoWindow = errors.New("no running window takes it")

// Folder returns the folder with the sockets of this user's windows on this display. It lies below XDG_RUNTIME_DIR or,
// without that variable, below the folder for temporary files.
func Folder() string {
	base := os.Getenv("XDG_RUNTIME_DIR")
	name := "cutaway"
	if base == "" {
		base, name = os.TempDir(), fmt.Sprintf("cutaway-%d", os.Getuid())
	}
	// The display is hashed, since the path of a socket must be short.
	display := fnv.New32a()
	_, _ = io.WriteString(display, os.Getenv("WAYLAND_DISPLAY")+" "+os.Getenv("DISPLAY")) // a hash takes everything
	return filepath.Join(base, name, fmt.Sprintf("%08x", display.Sum32()))
}

// A Listener is a window that takes requests.
type Listener struct {
	path   string
	socket net.Listener
}

// Listen takes requests in folder until the listener is closed. ready returns once the window is sure to act, or an
// error when the context ends. open then gets the request. Both are called on goroutines of the listener.
func Listen(folder string, ready func(context.Context) error, open func(request []byte)) (*Listener, error) {
	if err := makePrivate(folder); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, fmt.Sprintf("%d.sock", os.Getpid()))
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err // left by a process that had our number
	}
	socket, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	l := &Listener{path, socket}
	go func() {
		for {
			c, err := socket.Accept()
			if err != nil {
				return // it is closed
			}
			go serve(c, ready, open)
		}
	}()
	return l, nil
}

// makePrivate makes a folder that no one else can enter. It returns an error for an existing folder that others can.
func makePrivate(folder string) error {
	for _, dir := range []string{filepath.Dir(folder), folder} {
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		if err := isPrivate(dir); err != nil {
			return err
		}
	}
	return nil
}

// serve answers one giver.
func serve(c net.Conn, ready func(context.Context) error, open func([]byte)) {
	defer func() { _ = c.Close() }()
	ctx, stop := context.WithTimeout(context.Background(), Patience)
	defer stop()
	_ = c.SetDeadline(time.Now().Add(Patience))
	in := bufio.NewReader(io.LimitReader(c, maxRequest))
	request, err := in.ReadBytes('\n')
	if err != nil || ready(ctx) != nil {
		return
	}
	if say(c, wordReady) == nil && hear(in, wordOpen) == nil {
		open(request[:len(request)-1])
		_ = say(c, wordOpened) // the giver may have ended, but the request is done
	}
}

func say(c net.Conn, word string) error {
	_, err := io.WriteString(c, word+"\n")
	return err
}

func hear(in *bufio.Reader, word string) error {
	line, err := in.ReadString('\n')
	if err == nil && line != word+"\n" {
		err = fmt.Errorf("heard %q instead of %s", line, word)
	}
	return err
}

// Used makes this window the one that givers ask first.
func (l *Listener) Used() {
	now := time.Now()
	_ = os.Chtimes(l.path, now, now) // if this fails, another window is asked first
}

// Close stops listening.
func (l *Listener) Close() error { return l.socket.Close() }

// Give sends a request, which has no line feed, to one of the windows that listen in folder. It takes no longer than
// Patience. It returns ErrNoWindow if the giver must act itself.
func Give(folder string, request []byte) error {
	deadline := time.Now().Add(Patience)
	for _, path := range windows(folder) {
		if giveTo(path, request, deadline) == nil {
			return nil
		}
	}
	return ErrNoWindow
}

// windows lists the sockets in a folder, the one last used first.
func windows(folder string) []string {
	if isPrivate(folder) != nil {
		return nil // another user may have made the folder, to learn what we open
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	used := make(map[string]time.Time)
	var paths []string
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && strings.HasSuffix(e.Name(), ".sock") {
			path := filepath.Join(folder, e.Name())
			used[path] = info.ModTime()
			paths = append(paths, path)
		}
	}
	slices.SortFunc(paths, func(a, b string) int { return used[b].Compare(used[a]) })
	return paths
}

// giveTo sends the request to one window.
func giveTo(path string, request []byte, deadline time.Time) error {
	dialer := net.Dialer{Deadline: deadline}
	c, err := dialer.Dial("unix", path)
	if err != nil {
		if refused(err) {
			_ = os.Remove(path) // its window has ended without removing it
		}
		return err
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(deadline)
	in := bufio.NewReader(c)
	if _, err := c.Write(append(slices.Clone(request), '\n')); err != nil {
		return err
	}
	if err := hear(in, wordReady); err != nil {
		return err
	}
	if err := say(c, wordOpen); err != nil {
		return err
	}
	// From here on the window has the request. Opening the file twice would be worse than a window that ended now.
	_ = hear(in, wordOpened)
	return nil
}
