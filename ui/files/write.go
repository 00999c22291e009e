package files

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// A Writing is a dialog that asks for the name of a file and writes it.
type Writing struct {
	Title, Verb string            // of the dialog, and on its button
	Text        string            // describes the file
	Path        string            // the proposed path
	More        fyne.CanvasObject // further fields, or nil
	// Write writes the file on a goroutine of its own. Its error is shown, and the dialog stays.
	Write func(ctx context.Context, file string, progress model.Progress) error
	Then  func(file string) // called once the file is written
}

// Ask shows the dialog with the proposed name selected, and returns the field of the path.
func (w Writing) Ask(ctx context.Context, s *shell.Shell, tasks *task.Group) *kit.Entry {
	path := kit.NewEntry(nil)
	path.SetText(w.Path)
	path.OnFocus = func(gained bool) {
		if gained {
			path.SelectName()
		}
	}
	choose := kit.IconButton(theme.FolderOpenIcon(), "Choose a folder", func() {
		Choose(s, "Choose a folder", filepath.Dir(path.Text), nil, true, func(dir string) {
			path.SetText(filepath.Join(dir, filepath.Base(path.Text)))
		})
	})
	what, wrong := widget.NewLabel(w.Text), widget.NewLabel("")
	what.Wrapping, wrong.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	wrong.Importance = widget.DangerImportance
	box := container.NewVBox(what, kit.Border(nil, nil, widget.NewLabel("File"), choose, path), wrong)
	if w.More != nil {
		box.Objects = append([]fyne.CanvasObject{what, w.More}, box.Objects[1:]...)
	}
	const wide = 560
	var m *shell.Modal
	m = s.ShowModal(w.Title, nil, box, wide, shell.Button{Text: "Cancel"}, shell.Button{Text: w.Verb, Main: true, Act: func() bool {
		file := path.Text
		tasks.Go(ctx, "writing "+filepath.Base(file), func(ctx context.Context, progress model.Progress) func() {
			err := w.Write(ctx, file, progress)
			return func() {
				if err != nil {
					wrong.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				w.Then(file)
			}
		})
		return false
	}})
	s.Focus(path)
	return path
}
