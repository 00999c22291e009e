//go:build cgo && !ci && !headless && !nogtk

// Package sysdialog shows the system's own file dialog where the build has one. It is a package of its own because
// the library starts GTK when it is loaded.
package sysdialog

import (
	"errors"
	"runtime"
	"sync"

	"github.com/sqweek/dialog"
)

// Available tells whether the build has the system's dialog.
const Available = true

var one sync.Mutex

// OpenFile asks for a file, beginning in dir. It returns "" when the user changes their mind, and blocks until the
// dialog is closed.
func OpenFile(title, dir string) (string, error) {
	return ask(func() (string, error) { return dialog.File().Title(title).SetStartDir(dir).Load() })
}

// OpenFolder asks for a folder, as OpenFile asks for a file.
func OpenFolder(title, dir string) (string, error) {
	return ask(func() (string, error) { return dialog.Directory().Title(title).SetStartDir(dir).Browse() })
}

func ask(show func() (string, error)) (string, error) {
	one.Lock()
	defer one.Unlock()
	runtime.LockOSThread() // GTK wants all its calls from one thread
	defer runtime.UnlockOSThread()
	path, err := show()
	if errors.Is(err, dialog.ErrCancelled) {
		return "", nil
	}
	return path, err
}
