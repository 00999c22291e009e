//go:build cgo && (windows || darwin) && !ci && !headless

package native

import (
	"errors"
	"fmt"
	"strings"

	"github.com/sqweek/dialog"
)

// Show asks. It returns "" when the user changes their mind, and wants a thread of its own until the dialog is closed.
func Show(q Question) (path string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	file := dialog.File().Title(q.Title).SetStartDir(q.Dir)
	for _, k := range q.Kinds {
		file.Filter(k.Title, extensions(k)...)
	}
	show := file.Load
	switch q.What {
	case Folder:
		show = dialog.Directory().Title(q.Title).SetStartDir(q.Dir).Browse
	case Save:
		show = file.SetStartFile(q.Name).Save
	}
	path, err = show()
	if errors.Is(err, dialog.ErrCancelled) {
		return "", nil
	}
	return path, err
}

// extensions are the endings of a kind as the library wants them: without the dot.
func extensions(k Kind) []string {
	if len(k.Endings) == 0 {
		return []string{"*"}
	}
	var all []string
	for _, e := range k.Endings {
		all = append(all, strings.TrimPrefix(e, "."))
	}
	return all
}
