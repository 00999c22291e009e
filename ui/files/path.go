package files

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/kit"
	"cutaway/ui/shell"
)

// A Path is the field of a dialog for the name of a file that is to be written, with a button that asks for its folder. Enter presses
// the dialog's main button.
type Path struct {
	*kit.Entry
	Object fyne.CanvasObject
	shell  *shell.Shell
}

// NewPath makes a field for a path, which title asks for the folder of.
func NewPath(s *shell.Shell, title, path string) *Path {
	p := &Path{Entry: kit.NewEntry(nil), shell: s}
	p.SetText(path)
	choose := kit.IconButton(theme.FolderOpenIcon(), title, func() {
		Choose(s, title, filepath.Dir(p.Text), nil, true, func(dir string) {
			p.SetText(filepath.Join(dir, filepath.Base(p.Text)))
			p.SelectName()
		})
	})
	p.Object = kit.Border(nil, nil, widget.NewLabel("File"), choose, p.Entry)
	return p
}

// SelectName gives the field the keyboard and selects the file's name without its ending: what is typed takes its place.
func (p *Path) SelectName() {
	p.shell.Focus(p.Entry)
	name := filepath.Base(p.Text)
	from := len([]rune(p.Text)) - len([]rune(name))
	p.Select(from, from+len([]rune(name))-len([]rune(filepath.Ext(name))))
}
