package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// The window's part in descriptions of Kaitai Struct: any file can be read by one, and is read again when it changes.

const (
	schemaOption      = "schema"
	descriptionEnding = ".ksy"
)

// useDescriptions takes the folders and programs that the user has set.
func (w *Window) useDescriptions() error {
	decoders.UseDescriptions(w.Store.Formats...)
	return decoders.UseCodecs(w.Store.Codecs...)
}

// flipDescription shows the text of descriptions beside the trees, or hides it.
func (w *Window) flipDescription() { w.showDescriptions(!w.Store.Description) }

func (w *Window) showDescriptions(on bool) {
	w.Store.Description = on
	for _, s := range w.sessions {
		if s.Pane != nil {
			s.Pane.ShowText(w.Store.Description)
		}
	}
	w.updateControls()
	w.Save()
}

// byDescription are the settings by which any file is read by a description.
func byDescription(file string) decoders.Options {
	return decoders.Options{Options: map[string]string{schemaOption: file}}
}

// description is the description by which the session's document is read; "": none.
func (s *session) description() string {
	if s.Pane == nil {
		return ""
	}
	for _, o := range s.Pane.Doc.Options {
		if o.Name == schemaOption && strings.HasSuffix(strings.ToLower(o.Value), descriptionEnding) {
			return o.Value
		}
	}
	return ""
}

// descriptionItem offers to read a file by a description, where its format has no setting for one.
func (w *Window) descriptionItem() *fyne.MenuItem {
	s := w.active
	if s == nil || s.Pane == nil || s.description() != "" {
		return nil
	}
	return w.MenuItem("Read by a description…", "", 0, func() {
		files.Choose(w.Shell, "Choose a Kaitai Struct description", w.lastFolder(), files.Kinds("Descriptions", []string{descriptionEnding}), false, s.readBy)
	})
}

// readBy reads the session's file by a description, in its tab.
func (s *session) readBy(file string) {
	before := s.opts
	s.opts = byDescription(file)
	s.again(func(err error) {
		s.opts = before
		s.Tell("reading by "+filepath.Base(file), err)
	})
}

// again opens the file in the background, and shows it in place of what is shown; where that fails, what is shown stays.
func (s *session) again(failed func(error)) {
	target, opts, patch := s.target, s.opts, s.edits.Patch()
	s.tasks.Always(s.ctx, "reading "+s.Title()+" again", func(ctx context.Context, progress model.Progress) func() {
		doc, err := s.openDocument(ctx, target, opts, patch, progress)
		if doc != nil {
			_ = doc.Close() // only to see whether it opens
		}
		return func() {
			switch {
			case s.ctx.Err() != nil:
			case err != nil:
				failed(err)
			default:
				s.reload()
			}
		}
	}, failed)
}

// descriptionFiles lists the description that the file is read by, and what it imports.
func (s *session) descriptionFiles() (list []string) {
	file := s.description()
	if file == "" {
		return nil
	}
	list = append(list, file)
	if d := s.Pane.Doc.Description; d != nil {
		for _, f := range d.Files {
			list = append(list, f.Name)
		}
	}
	return list
}

// lookForDescription reads the file again when its description has changed, now having another stamp. One that is wrong is told,
// and the tree stays.
func (s *session) lookForDescription(file string, now fileStamp) {
	if s.describedBy == (fileStamp{}) {
		s.describedBy = now
	}
	if now == s.describedBy || now == (fileStamp{}) {
		return
	}
	s.describedBy = now
	if s.opts.Options[schemaOption] == "" { // it was found in a folder, or chosen in the document's settings
		s.opts = byDescription(file)
	}
	s.again(func(err error) {
		var wrong *model.ErrSchema
		text := err.Error()
		if errors.As(err, &wrong) && s.Pane.Text != nil {
			s.Pane.Text.Wrong(wrong.Findings)
			if s.w.Store.Description { // which tells what is wrong
				text = "The description cannot be used as it is now; the file is still shown by the one before."
			}
		}
		label := widget.NewLabel(text)
		label.Importance, label.Wrapping = widget.WarningImportance, fyne.TextWrapWord
		s.Pane.SetNotice(theme.NewWarningThemedResource(theme.WarningIcon()), label)
	})
}

// NewDescription begins a description of the session's file, with its first bytes and the marks on it, and reads the file by it.
func (s *session) NewDescription() {
	folder := s.Folder()
	if len(s.w.Store.Formats) > 0 {
		folder = s.w.Store.Formats[0]
	}
	of := filepath.Base(s.file)
	name := strings.TrimPrefix(strings.ToLower(filepath.Ext(of)), ".")
	if s.file == "" || name == "" {
		name = "unknown"
	}
	path := kit.NewEntry(nil)
	path.SetText(filepath.Join(folder, name+descriptionEnding))
	path.CursorColumn = utf8.RuneCountInString(path.Text)
	choose := kit.IconButton(theme.FolderOpenIcon(), "Choose a folder", func() {
		files.Choose(s.Shell, "Choose a folder for the description", folder, nil, true, func(dir string) {
			path.SetText(filepath.Join(dir, filepath.Base(path.Text)))
		})
	})
	list := s.Pane.Details.Kept.All()
	text := "It begins with the first bytes, by which files of the format may be known."
	if n := int64(len(list)); n > 0 {
		text = "It begins with the first bytes, and with " + model.GroupedCount(n, "mark") + " as fields, as far as they are on bytes of the file."
	}
	what := widget.NewLabel(text)
	what.Wrapping = fyne.TextWrapWord
	wrong := widget.NewLabel("")
	wrong.Importance, wrong.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	box := container.NewVBox(what, kit.Border(nil, nil, widget.NewLabel("File"), choose, path), wrong)
	var m *shell.Modal
	m = s.ShowModal("New description", nil, box, 560, shell.Button{Text: "Cancel"}, shell.Button{Text: "Create", Main: true, Act: func() bool {
		file, src := path.Text, s.Pane.Doc.Source()
		s.tasks.Go(s.ctx, "writing "+filepath.Base(file), func(ctx context.Context, _ model.Progress) func() {
			text, err := marks.Description(ctx, of, src, list)
			if err == nil {
				err = writeNew(file, text)
			}
			return func() {
				if err != nil {
					wrong.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				s.w.showDescriptions(true)
				s.readBy(file)
			}
		})
		return false
	}})
	s.Focus(path)
}

// writeNew writes a file that is not there yet. It asks the file system.
func writeNew(file, text string) error {
	f, err := os.OpenFile(filepath.Clean(file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // others may read it, as the user's settings say
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
