package files

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// A Path is the field of a dialog for the name of a file that is to be written, with a button that asks for its folder. The name is
// selected when the field gets the keyboard.
type Path struct {
	*kit.Entry
	Object fyne.CanvasObject
}

// NewPath makes a field for a path, which title asks for the folder of.
func NewPath(s *shell.Shell, title, path string) *Path {
	p := &Path{Entry: kit.NewEntry(nil)}
	p.SetText(path)
	p.OnFocus = func(gained bool) {
		if gained {
			p.SelectName()
		}
	}
	choose := kit.IconButton(theme.FolderOpenIcon(), title, func() {
		Choose(s, title, filepath.Dir(p.Text), nil, true, func(dir string) {
			p.SetText(filepath.Join(dir, filepath.Base(p.Text)))
		})
	})
	p.Object = kit.Border(nil, nil, widget.NewLabel("File"), choose, p.Entry)
	return p
}
