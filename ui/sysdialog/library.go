//go:build cgo && (windows || darwin) && !ci && !headless

package sysdialog

import (
	"errors"
	"runtime"
	"sync"

	"github.com/sqweek/dialog"
)

var one sync.Mutex

func ask(q question) (string, error) {
	one.Lock()
	defer one.Unlock()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	show := dialog.File().Title(q.title).SetStartDir(q.dir).Load
	switch q.what {
	case "folder":
		show = dialog.Directory().Title(q.title).SetStartDir(q.dir).Browse
	case "save":
		show = dialog.File().Title(q.title).SetStartDir(q.dir).SetStartFile(q.name).Save
	}
	path, err := show()
	if errors.Is(err, dialog.ErrCancelled) {
		return "", nil
	}
	return path, err
}

// Serve returns false: here the dialog needs no process of its own.
func Serve() (bool, error) { return false, nil }
