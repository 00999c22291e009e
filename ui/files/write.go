package files

import (
	"context"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/sysdialog/question"
	"cutaway/ui/task"
)

// NewPath makes a field for the name of a file to be written. It selects the name when it gets the keyboard. The button beside it asks for
// the file with the system's dialog or, if the system has none, for its folder within the window. ending returns the ending of a name that
// has none; agreed learns that the user lets the system's dialog replace a file.
func NewPath(s *shell.Shell, title string, escape func(), ending func() string, agreed func(path string)) (*kit.Entry, *kit.TextButton) {
	field := kit.NewEntry(escape)
	field.OnFocus = func(gained bool) {
		if gained {
			field.SelectName()
		}
	}
	return field, kit.NewTextButton("Browse…", func() {
		dir, name := filepath.Split(field.Text)
		answer(s, question.Question{What: question.Save, Title: title, Dir: dir, Name: name}, func() {
			ChooseHere(s, "Folder to save in", dir, nil, true, func(dir string) { field.SetText(filepath.Join(dir, name)) })
		}, func(path string) {
			if filepath.Ext(path) == "" {
				path += ending()
			} else {
				agreed(path)
			}
			field.SetText(path)
		})
	})
}

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
	path, browse := NewPath(s, w.Title, nil, func() string { return filepath.Ext(w.Path) }, func(string) {})
	path.SetText(w.Path)
	what, wrong := widget.NewLabel(w.Text), widget.NewLabel("")
	what.Wrapping, wrong.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	wrong.Importance = widget.DangerImportance
	box := container.NewVBox(what, kit.Border(nil, nil, widget.NewLabel("File"), browse, path), wrong)
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
