//go:build cgo && (linux || windows || darwin) && !ci && !headless

// Package native shows the file dialog of the system's toolkit. On Linux it links GTK 3, and with it 13 MB of memory.
package native

import (
	"errors"
	"fmt"

	"github.com/sqweek/dialog"
)

// Show asks for a "file", a "folder", or a file to "save", beginning in dir; name is what is proposed for the last. It
// returns "" when the user changes their mind, and wants a thread of its own until the dialog is closed. GTK gives the
// dialog a title of its own.
func Show(what, title, dir, name string) (path string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r) // GTK cannot open the display
		}
	}()
	show := dialog.File().Title(title).SetStartDir(dir).Load
	switch what {
	case "folder":
		show = dialog.Directory().Title(title).SetStartDir(dir).Browse
	case "save":
		show = dialog.File().Title(title).SetStartDir(dir).SetStartFile(name).Save
	}
	path, err = show()
	if errors.Is(err, dialog.ErrCancelled) {
		return "", nil
	}
	return path, err
}
