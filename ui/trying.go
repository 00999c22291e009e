package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/source"
	"cutaway/ui/disk"
	"cutaway/ui/document"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/trying"
)

// The window's part in trying bytes: what is typed over those of a tab is decoded in their place, saved as a new file or as a
// list, and never written to the file.

// tryItems are the part of the Edit menu about it.
func (w *Window) tryItems() []*fyne.MenuItem {
	m := &w.menu
	m.try = w.forOpen("Try bytes", fyne.KeyY, ctrl|fyne.KeyModifierShift, (*session).flipTrying)
	return []*fyne.MenuItem{m.try,
		w.needing(typable, w.forOpen("Change value…", "", 0, func(s *session) { s.ChangeValue(s.Pane.Current()) })),
		w.needing(aStepDone, w.forOpen("Undo", fyne.KeyZ, ctrl, (*session).undo)),
		w.needing(aStepUndone, w.forOpen("Redo", fyne.KeyY, ctrl, (*session).redo)),
		w.needing(aChange, w.forOpen("Save as a new file…", "", 0, (*session).saveTried)),
		w.needing(aChange, w.forOpen("Save patch list…", "", 0, (*session).saveList)),
		w.forOpen("Read patch list…", "", 0, (*session).readList),
		w.needing(aChange, w.forOpen("Drop all changes", "", 0, func(s *session) { s.replaceTried(nil) }))}
}

// triedText begins the description of the file in the status bar: how many bytes of it are others.
func (s *session) triedText() string {
	switch n := s.edits.Len(); {
	case n > 0:
		return model.GroupedCount(n, "byte") + " changed, not in the file  ·  "
	case s.edits.On:
		return "trying bytes  ·  "
	}
	return ""
}

// flipTrying lets keys put bytes in place of others, or no longer.
func (s *session) flipTrying() {
	s.edits.On = !s.edits.On
	if s.edits.On {
		s.Focus(s.Pane.Hex.Shown.View)
		s.Notify("Type over the bytes: digits, or characters in the text. The file is never written.")
	}
	s.Log.Write("trying", s.edits.On)
	s.showTried()
}

// fileOffset is where the first n bytes at off of a source are in the session's file, or why they cannot be changed.
func (s *session) fileOffset(src *model.Source, off, n int64) (int64, error) {
	if len(s.lease.doc.Sources) > 1 {
		return 0, errors.New("this document is made of several files: open one of them alone to try bytes in it")
	}
	if s.opts.At > 0 && s.target.Inner != "" {
		return 0, errors.New("this is decoded from inside a member of a package: open the member from its beginning to try bytes in it")
	}
	at, err := trying.FileOffset(src, off, n)
	return at + s.opts.At, err
}

// Typed puts bytes in place of others, as far as they stand in the file, and decodes it anew; false: they are refused.
func (s *session) Typed(src *model.Source, off int64, was, now []byte) bool {
	err := errors.New("what was to be pasted is no hexadecimal digits")
	at := int64(0)
	if len(now) > 0 {
		at, err = s.fileOffset(src, off, int64(len(now)))
	}
	if err != nil {
		s.warn(phrase.Sentence(err))
		return false
	}
	s.edits.Put(at, was, now)
	s.tried()
	return true
}

// warn shows a warning above the panes.
func (s *session) warn(text string) {
	label := widget.NewLabel(text)
	label.Importance, label.Wrapping = widget.WarningImportance, fyne.TextWrapWord
	s.Pane.SetNotice(theme.NewWarningThemedResource(theme.WarningIcon()), label)
}

// Tried is what is in place of a source's bytes; nil: nothing.
func (s *session) Tried(src *model.Source) hexview.Over {
	by, err := s.fileOffset(src, 0, 0)
	if err != nil {
		return nil
	}
	return s.edits.Over(by)
}

// Tries reports whether keys put bytes in place of others.
func (s *session) Tries() bool { return s.edits.On }

// undo takes the last change of bytes back, and redo does it again.
func (s *session) undo() { s.step("undo", s.edits.CanUndo(), s.edits.Undo) }
func (s *session) redo() { s.step("redo", s.edits.CanRedo(), s.edits.Redo) }

func (s *session) step(what string, can bool, do func() int64) {
	if !can {
		s.Notify("nothing to " + what)
		return
	}
	at := do()
	t := s.Pane.Hex.Shown
	if by, err := s.fileOffset(t.Src, 0, 0); err == nil && at >= by && at-by < t.Src.Size() {
		t.View.SetCursor(at - by)
		t.View.Reveal(at-by, 1)
	}
	s.tried()
}

// replaceTried changes all bytes that are tried.
func (s *session) replaceTried(p *source.Patch) {
	s.edits.Replace(p)
	s.tried()
}

// tried shows and decodes the bytes that are tried now.
func (s *session) tried() {
	s.showTried()
	s.decodeTried()
}

// showTried shows the bytes that are tried, what is decoded of them aside.
func (s *session) showTried() {
	s.Pane.ShowTried()
	s.Pane.CursorMoved()
	s.w.showWhat()
	s.w.updateTabs()
	s.w.updateControls()
}

// tryOptions are how the file is decoded with other bytes in it: as what it is, whatever becomes of its magic.
func (s *session) tryOptions() decoders.Options {
	opts := s.opts
	file := s.description()
	switch {
	case file != "" && opts.Options[schemaOption] == "":
		opts = byDescription(file)
		opts.At = s.opts.At
	case file == "" && opts.Format == "" && s.Pane.Doc.Format != decoders.PlainBytes:
		opts.Format = s.Pane.Doc.Format
	}
	return opts
}

// decodeTried decodes the file with the bytes that are tried, and shows it where the user is. A newer change ends it.
func (s *session) decodeTried() {
	within := s.setting.Next(s.ctx)
	target, opts, patch, stand, before := s.target, s.tryOptions(), s.edits.Patch(), s.Pane.Stand(document.KeptBranches), s.Pane
	s.tasks.Always(within, "decoding the bytes tried", func(ctx context.Context, progress model.Progress) func() {
		doc, err := s.openDocument(ctx, target, opts, patch, progress)
		var found document.Found
		if err == nil {
			found = stand.Find(ctx, doc)
		}
		return func() {
			switch {
			case within.Err() != nil || s.Pane != before:
				if doc != nil {
					_ = doc.Close() // nobody waits for it any more
				}
			case err != nil:
				s.warn("With these bytes the file cannot be decoded, so it is still shown as before. " + phrase.Sentence(err))
			default:
				s.decoded = patch
				s.changeBytes(doc, stand, found)
			}
		}
	}, nil)
}

// changeBytes shows another reading of the file in place of the one before, at the same place.
func (s *session) changeBytes(doc *model.Document, stand document.Stand, found document.Found) {
	before, held, focused := s.Pane, s.lease, s.Win.Canvas().Focused()
	now := before.Stand(document.KeptBranches)
	s.keepDividers()
	s.lease = nil // the other document goes once no tab shows a part of it
	s.makePane(doc)
	s.Pane.Resume(now, found)
	s.Pane.TypeLike(before)
	s.setContent(s.Pane.Object)
	s.Pane.FocusLike(before, focused)
	held.drop()
	if now.Path != stand.Path { // the user has gone on
		s.Pane.Nav.GoToAgain(now.Path)
	}
	s.w.updateControls()
	s.w.updateTabs()
	s.w.showWhat()
	s.checkSmall()
	s.Log.Write("tried", s.edits.Len(), now.Path)
}

// base opens the session's bytes without those that are tried.
func (s *session) base(ctx context.Context) (decoders.Bytes, error) {
	if _, held := s.held(); held != nil {
		return heldBytes{held}, nil
	}
	return decoders.OpenBytes(ctx, s.target.File, decoders.OpenOptions{Download: s.download})
}

// heldBytes are bytes that need not be closed.
type heldBytes struct{ model.Reader }

// Close implements decoders.Bytes.
func (heldBytes) Close() error { return nil }

// saveTried writes the file with the bytes that are tried as a new one.
func (s *session) saveTried() {
	s.saveAs("Save as a new file", "-changed", fmt.Sprintf("All of the file, with %s changed.", model.GroupedCount(s.edits.Len(), "byte")),
		func(ctx context.Context, patch *source.Patch, w io.Writer, progress model.Progress) error {
			base, err := s.base(ctx)
			if err != nil {
				return err
			}
			defer func() { _ = base.Close() }() // it was only read
			r, err := patch.Over(base)
			if err != nil {
				return err
			}
			return copyAll(ctx, w, model.NewFileSource(s.Title(), r), progress)
		})
}

// copyAll writes all bytes of a source.
func copyAll(ctx context.Context, w io.Writer, src *model.Source, progress model.Progress) error {
	block := make([]byte, 1<<20)
	for off := int64(0); off < src.Size(); off += int64(len(block)) {
		block = block[:min(int64(len(block)), src.Size()-off)]
		if _, err := src.ReadFull(ctx, block, off); err != nil {
			return err
		}
		if _, err := w.Write(block); err != nil {
			return err
		}
		if progress != nil {
			progress(off, src.Size(), "")
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// patchEnding is that of patch lists.
const patchEnding = ".patch"

// saveList writes the bytes that are tried as a list.
func (s *session) saveList() {
	text := fmt.Sprintf("A list of %s: in each line an offset and the bytes that are to be there. It is read by Edit › Read patch list… and by --patch of the command line.", model.GroupedCount(s.edits.Len(), "byte"))
	name, size := s.Title(), s.Pane.Doc.Source().Root().Size()
	s.saveAs("Save patch list", patchEnding, text, func(_ context.Context, patch *source.Patch, w io.Writer, _ model.Progress) error {
		if _, err := fmt.Fprintf(w, "# %s, %d bytes\n", strings.ReplaceAll(name, "\n", " "), size); err != nil {
			return err
		}
		return patch.Write(w)
	})
}

// saveAs asks for the name of a file and writes it, whole or not at all, and never over the one that is open. what is put
// into the name.
func (s *session) saveAs(title, what, text string, write func(ctx context.Context, patch *source.Patch, w io.Writer, progress model.Progress) error) {
	patch := s.edits.Patch()
	path := kit.NewEntry(nil)
	path.SetText(s.nameFor(what))
	path.CursorColumn = utf8.RuneCountInString(path.Text)
	choose := kit.IconButton(theme.FolderOpenIcon(), "Choose a folder", func() {
		files.Choose(s.Shell, "Choose a folder", filepath.Dir(path.Text), nil, true, func(dir string) {
			path.SetText(filepath.Join(dir, filepath.Base(path.Text)))
		})
	})
	help, told := widget.NewLabel(text), widget.NewLabel("")
	help.Wrapping, told.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	told.Importance = widget.DangerImportance
	box := container.NewVBox(help, kit.Border(nil, nil, widget.NewLabel("File"), choose, path), told)
	var m *shell.Modal
	replace := "" // a file that is there and may be replaced
	start := func(file string) {
		s.tasks.Go(s.ctx, "writing "+filepath.Base(file), func(ctx context.Context, progress model.Progress) func() {
			err := export.ToFile(file, s.File(), s.Pane.Doc, func(w io.Writer) error { return write(ctx, patch, w, progress) })
			return func() {
				if err != nil {
					told.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				s.edits.Saved(patch)
				s.wrote(file)
			}
		})
	}
	save := func() {
		file := path.Text
		own := s.File()
		disk.Ask(s.Post, func() bool {
			_, err := os.Stat(file)
			return err == nil && !export.Reads(own, s.Pane.Doc, file)
		}, func(there bool) {
			if there && replace != file {
				replace = file
				told.SetText("There is a file of that name. Save once more to replace it.")
				return
			}
			start(file)
		})
	}
	path.OnSubmitted = func(string) { save() }
	m = s.ShowModal(title, nil, box, 560, shell.Button{Text: "Cancel"}, shell.Button{Text: "Save", Main: true, Act: func() bool {
		save()
		return false // it closes once the file is written
	}})
	s.Focus(path)
}

// nameFor is a name beside the session's file that says what it is.
func (s *session) nameFor(what string) string {
	base := s.target.File
	if s.file == "" {
		base = s.Title()
	}
	ext := filepath.Ext(base)
	name := strings.TrimSuffix(filepath.Base(base), ext) + what
	if what == patchEnding {
		name = filepath.Base(base) + what
	} else {
		name += ext
	}
	return filepath.Join(s.Folder(), name)
}

// wrote tells of a file that was saved, above the panes.
func (s *session) wrote(path string) {
	s.Log.Write("saved", path)
	row := []fyne.CanvasObject{widget.NewButton("Copy path", func() { s.App.Clipboard().SetContent(path) })}
	if filepath.Ext(path) != patchEnding {
		row = append(row, widget.NewButton("Open it", func() { s.w.open(Target{File: path}) }))
	}
	s.Pane.SetNotice(theme.NewSuccessThemedResource(theme.ConfirmIcon()), widget.NewLabel("Saved as "+phrase.Short(path, 100)), row...)
}

// readList puts the bytes of a list in place of those of the file, and of all that was tried before.
func (s *session) readList() {
	files.Choose(s.Shell, "Choose a patch list", s.Folder(), nil, false, s.readListOf)
}

func (s *session) readListOf(path string) {
	s.tasks.Try(s.ctx, "reading "+filepath.Base(path), func(ctx context.Context, _ model.Progress) (func(), error) {
		f, err := os.Open(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		p, err := source.ReadPatch(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		base, err := s.base(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { _ = base.Close() }()
		if p, err = p.Learn(ctx, base); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		return func() {
			s.replaceTried(p)
			s.edits.Saved(p)
		}, nil
	})
}

// askToDrop asks whether bytes that were tried and not saved may go.
func (w *Window) askToDrop(title string, unsaved []*session, do func()) {
	var names []string
	for _, s := range unsaved {
		names = append(names, fmt.Sprintf("%s: %s", s.Title(), model.GroupedCount(s.edits.Len(), "byte")))
	}
	label := widget.NewLabel("Bytes were tried that are not saved, as a new file or as a patch list:\n\n" + strings.Join(names, "\n"))
	label.Wrapping = fyne.TextWrapWord
	w.ShowModal(title, theme.NewWarningThemedResource(theme.WarningIcon()), label, 440, shell.Button{Text: "Cancel", Main: true},
		shell.Button{Text: "Drop them", Act: func() bool {
			do()
			return true
		}})
}
