//go:build cgo && (linux || windows || darwin) && !ci && !headless

// Package native shows the file dialog of the system's toolkit. On Linux it links GTK 3, which takes 13 MB of memory.
package native

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/sqweek/dialog"

	"cutaway/ui/sysdialog/question"
)

// Show shows the dialog and returns the chosen path, or "" if the user cancels. It needs a thread of its own until the
// dialog is closed.
func Show(q question.Question) (path string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r) // GTK cannot open the display
		}
	}()
	prepare(q)
	file := dialog.File().Title(q.Title).SetStartDir(q.Dir)
	for _, k := range q.Kinds {
		file.Filter(k.Title, extensions(k)...)
	}
	show := file.Load
	switch q.What {
	case question.Folder:
		show = dialog.Directory().Title(q.Title).SetStartDir(q.Dir).Browse
	case question.Save:
		show = file.SetStartFile(q.Name).Save
	}
	path, err = show()
	if errors.Is(err, dialog.ErrCancelled) {
		return "", nil
	}
	return path, err
}

// extensions returns the endings of a kind as the library wants them: without the dot, and on Linux in capitals too.
func extensions(k question.Kind) []string {
	if len(k.Endings) == 0 {
		return []string{"*"}
	}
	var all []string
	for _, e := range k.Endings {
		e = strings.TrimPrefix(e, ".")
		all = append(all, e)
		if runtime.GOOS == "linux" {
			all = append(all, strings.ToUpper(e))
		}
	}
	return all
}
