package ui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/assets"
	"cutaway/decoders"
	"cutaway/model"
	"cutaway/source"
	"cutaway/source/far"
	"cutaway/ui/disk"
	"cutaway/ui/files"
	"cutaway/ui/folder"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// open opens a file in a new tab; a file that is open already is shown. A folder whose files are no document together is shown
// as a table of them.
func (w *Window) open(t Target) {
	disk.Ask(w.Post, t.isFolder, func(folder bool) {
		if folder {
			w.openFolder(t.File)
		} else {
			w.openFile(t)
		}
	})
}

func (w *Window) openFile(t Target) {
	for _, s := range w.sessions {
		if !s.isOf(t) {
			continue
		}
		if s.Pane == nil {
			s.load(t)
			w.activate(s)
		} else {
			w.activate(s)
			s.goToTarget(t)
		}
		return
	}
	s := newSession(w, t.File)
	s.with = t.With
	w.add(s)
	s.load(t)
}

// isOf reports whether the tab is of the target's files, as what they look like.
func (s *session) isOf(t Target) bool {
	own, err := absolute(append([]string{s.file}, s.with...))
	its, err2 := absolute(append([]string{t.File}, t.With...))
	return err == nil && err2 == nil && s.file != "" && s.opts.Format == "" && slices.Equal(own, its)
}

// openSample shows the built-in sample, beside the welcome if it was not hidden.
func (w *Window) openSample() {
	for _, s := range w.sessions {
		if s.isSample() && s.opts.Format == "" {
			w.activate(s)
			return
		}
	}
	s := newSession(w, "")
	w.add(s)
	s.load(Target{})
}

// load opens the session's file in the background, unless that is under way, and goes to the target.
func (s *session) load(t Target) {
	s.aim = t
	if s.loading {
		return
	}
	s.loading = true
	s.setContent(s.openingPage())
	file, with, opts, patch := s.file, s.with, s.opts, s.edits.Patch()
	s.tasks.Always(s.ctx, "opening "+s.Title(), func(ctx context.Context, progress model.Progress) func() {
		target := targetIn(file)
		stamp := stampOf(target.File, with...)
		doc, err := s.openDocument(ctx, target, opts, patch, progress)
		return func() {
			s.loading = false
			s.target, s.stamp = target, stamp
			switch {
			case s.ctx.Err() != nil:
				if doc != nil {
					_ = doc.Close() // nobody waits for it any more
				}
			case err != nil:
				s.fail(err)
			default:
				s.decoded = patch
				s.showDocument(doc)
				s.opened()
			}
		}
	}, func(err error) {
		s.loading = false
		s.fail(err)
	})
}

// targetIn returns the file, or the member of a package, that a name stands for. It asks the file system.
func targetIn(name string) decoders.Target {
	target := decoders.ParseTarget(name, func(file string) bool {
		_, err := os.Stat(file)
		return err == nil
	})
	if target.Inner == "" {
		return decoders.Target{File: name, Offset: -1} // whatever # and : are in its name
	}
	return target
}

// OpenMember opens the member of the file that inner names in a tab of its own, at a node of it.
func (s *session) OpenMember(inner, path string) {
	s.w.open(Target{File: decoders.Target{File: s.target.File, Inner: inner, Offset: -1}.String(), Path: path})
}

// OpenAsset opens the file that an asset path of the document names, beside it or in its package, in a tab of its own, at what
// name says in the format's words; "": at its beginning.
func (s *session) OpenAsset(path, name string) {
	t := s.target
	s.Pane.Tasks.Try(s.Pane.Ctx, "opening "+path, func(ctx context.Context, _ model.Progress) (func(), error) {
		finder, err := decoders.NewAssetFinder(s.Pane.Doc, t)
		var found []decoders.Target
		if err == nil {
			found, err = finder.Find(ctx, path)
		}
		if err != nil {
			return func() { s.Notify(err.Error()) }, nil // at the place where it is named
		}
		return func() { s.w.open(Target{File: found[0].String(), Path: name}) }, nil
	})
}

// openDocument opens the file, which is target, the given bytes or the sample, with the bytes of a patch in it: as plain bytes where
// no format fits.
func (s *session) openDocument(ctx context.Context, target decoders.Target, opts decoders.Options, patch *source.Patch, progress model.Progress) (*model.Document, error) {
	opts.OrBytes = true
	if name, held := s.held(); held != nil {
		r, err := patch.Over(held)
		if err != nil {
			return nil, err
		}
		return decoders.Opener{}.OpenWith(ctx, model.NewFileSource(name, r), name, opts)
	}
	return decoders.OpenTarget(ctx, target, decoders.OpenOptions{Options: opts, With: s.with, Download: s.download, Progress: progress, Patch: patch})
}

// held is bytes of a tab that are no file: given ones or the sample; nil for a file.
func (s *session) held() (name string, r model.Reader) {
	switch {
	case s.buffer != nil:
		return s.buffer.title, s.buffer.src.Reader()
	case s.file == "":
		return "sample.usdc", model.BytesReader(assets.Sample)
	}
	return "", nil
}

// opened goes where the file was to be opened, and remembers it.
func (s *session) opened() {
	s.Log.Write("opened", s.file, s.Pane.Doc.Format)
	if s.file != "" && remembers(append(s.with, s.file)...) {
		s.Remembered(s.Store.Opened(s.file, s.with...))
		s.w.updateMenu()
	}
	s.w.updateTabs()
	s.w.showWhat()
	s.goToTarget(s.aim)
	s.checkSmall()
	s.Save()
}

func (s *session) goToTarget(t Target) {
	was := s.was
	s.was = nil
	switch {
	case was != nil && t.Path == "" && !t.HasOffset:
		s.Pane.Nav.ComeBack(standOf(was))
	case t.Path == model.DefaultName && s.Pane.Doc.Named == nil:
	case t.Path != "":
		s.Pane.Nav.GoTo(t.Path)
	case t.HasOffset:
		if size := s.Pane.Doc.Source().Size(); t.Offset >= size {
			s.Tell("going to offset "+phrase.Hex(t.Offset), fmt.Errorf("the file has only %s", phrase.Bytes(size)))
			return
		}
		s.Pane.Nav.GoToOffset(t.Offset)
	}
}

// openingPage is what a tab shows while its file is opened.
func (s *session) openingPage() fyne.CanvasObject {
	return container.NewCenter(kit.Message("Opening " + s.Title() + "…"))
}

// fail says why the file cannot be opened and what may help.
func (s *session) fail(err error) {
	s.Log.Write("failed", s.file, strconv.Quote(err.Error()))
	image, said := fyne.Resource(theme.NewErrorThemedResource(theme.ErrorIcon())), " cannot be opened"
	cancelled := errors.Is(err, context.Canceled)
	// Else another file that it needs is not there.
	absent := errors.Is(err, fs.ErrNotExist) && s.stamp == fileStamp{}
	switch {
	case cancelled:
		image, said = theme.CancelIcon(), " was not opened"
	case absent:
		said = " is not there"
	}
	icon := widget.NewIcon(image)
	title := widget.NewLabelWithStyle(s.Title()+said, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.SizeName = theme.SizeNameSubHeadingText
	words := kit.NewSelectable(reasonOf(err))
	words.Wrapping = fyne.TextWrapWord
	hint := widget.NewLabel(hintFor(err))
	hint.Wrapping = fyne.TextWrapWord
	hint.Importance = widget.LowImportance
	retry := widget.NewButtonWithIcon("Try again", theme.ViewRefreshIcon(), func() { s.load(s.aim) })
	as := widget.NewButtonWithIcon("Open as…", theme.SettingsIcon(), s.w.openAs)
	other := widget.NewButtonWithIcon("Open another file…", theme.FolderOpenIcon(), s.w.chooseFile)
	shut := widget.NewButtonWithIcon("Close", theme.CancelIcon(), func() { s.w.close(s) })
	buttons := container.NewHBox(retry, as, other, shut)
	if download := s.downloadButton(err); download != nil {
		buttons.Objects[0] = download
	}
	if absent { // as whatever
		buttons.Remove(as)
	}
	box := container.NewVBox(container.NewHBox(icon, title), words, hint, buttons)
	if cancelled { // the hint says it
		box.Remove(words)
	}
	s.setContent(container.NewCenter(kit.AtLeast(560, box)))
	s.w.updateTabs()
}

// hintFor says what to try.
func hintFor(err error) string {
	var whole *far.ErrNoRanges
	switch {
	case errors.As(err, &whole):
		return "Downloaded, it is in a temporary file, which is gone when the tab is closed."
	case errors.As(err, new(*far.Error)):
		return "Check the address, and whether a browser opens it from here."
	case errors.Is(err, fs.ErrNotExist):
		return "It may have been moved or renamed. Check the name, or open it where it is now."
	case errors.Is(err, fs.ErrPermission):
		return "You have no right to read it. Change its permissions or copy it to a place that is yours."
	case errors.Is(err, context.Canceled):
		return "The opening was cancelled."
	}
	return "If you know what the file is, open it as that format, or as plain bytes."
}

// chooseFile asks for a file and opens it.
func (w *Window) chooseFile() {
	files.Choose(w.Shell, "Open a file", w.lastFolder(), fileKinds(), false, func(path string) { w.open(Target{File: path}) })
}

// fileKinds are all files, those of a known format, and those of each format.
func fileKinds() []files.Kind {
	known := files.Kind{Title: "Files of known formats"}
	kinds := []files.Kind{{Title: "All files"}, known}
	for _, f := range decoders.All() {
		if endings := f.Extensions(); len(endings) > 0 {
			kinds = append(kinds, files.Kind{Title: f.Title + " (" + strings.Join(endings, " ") + ")", Endings: endings})
			kinds[1].Endings = append(kinds[1].Endings, endings...)
		}
	}
	return kinds
}

// isFolder reports whether the target is a folder whose files are no document together, or not all of them. It asks the file
// system.
func (t *Target) isFolder() bool {
	info, err := os.Stat(t.File)
	return err == nil && info.IsDir() && len(t.With) == 0 && !decoders.IsTogether(t.File)
}

// chooseFolder asks for a folder and shows what its files are.
func (w *Window) chooseFolder() {
	files.Choose(w.Shell, "Open a folder", w.lastFolder(), nil, true, w.openFolder)
}

// openFolder shows what the files of a folder are, in a window of its own.
func (w *Window) openFolder(dir string) {
	disk.Ask(w.Post, func() bool { return decoders.HoldsTogether(dir) }, func(together bool) {
		var asOne func()
		if together {
			asOne = func() { w.show(Target{File: dir}) }
		}
		folder.Show(w.Shell, dir, func(file string) { w.show(Target{File: file}) }, asOne)
	})
}

// show opens a file, and brings the window to the front.
func (w *Window) show(t Target) {
	w.open(t)
	w.Win.RequestFocus()
}

// lastFolder is where the file dialog begins: the folder of the file that is shown, or of the last one.
func (w *Window) lastFolder() string {
	if w.active != nil && w.active.file != "" && folderOf(w.active.file) != "" {
		return filepath.Dir(w.active.file)
	}
	for _, recent := range w.Store.RecentNames() {
		if dir := folderOf(recent[0]); dir != "" {
			return dir
		}
	}
	if dir, err := os.Getwd(); err == nil {
		return dir
	}
	return string(filepath.Separator)
}

// openAs asks for a format and an offset and opens the file that is shown as that.
func (w *Window) openAs() {
	s := w.active
	if s == nil {
		return
	}
	format := newFormatSelect(false)
	var m *shell.Modal
	offset := kit.NewEntry(func() { m.Hide() })
	offset.SetText("0")
	offset.SetPlaceHolder("0x400 or 1024")
	offset.Validator = func(text string) error {
		if _, ok := phrase.ParseCount(text); !ok {
			return errors.New("a number, decimal or 0x…")
		}
		return nil
	}
	form := widget.NewForm(
		&widget.FormItem{Text: "Format", Widget: format.choice},
		&widget.FormItem{Text: "From offset", Widget: offset, HintText: "where the format begins in the file"})
	m = w.ShowModal("Open "+s.Title()+" as", nil, form, 420, shell.Button{Text: "Cancel"}, shell.Button{Text: "Open", Main: true, Act: func() bool {
		at, ok := phrase.ParseCount(offset.Text)
		if ok {
			opts := format.chosen()
			opts.At = at
			w.openWith(s, opts)
		}
		return ok
	}})
}

// openWith opens the file of a session once more, in another way.
func (w *Window) openWith(s *session, opts decoders.Options) {
	if s.buffer != nil {
		w.openBuffer(s.buffer, opts)
		return
	}
	again := newSession(w, s.file)
	again.with, again.opts, again.download = s.with, opts, s.download
	w.add(again)
	again.load(Target{})
}

// reload opens the session's file anew and goes back to the selected node.
func (s *session) reload() {
	fresh := newSession(s.w, s.file)
	fresh.buffer, fresh.with, fresh.opts, fresh.download, fresh.edits = s.buffer, s.with, s.opts, s.download, s.edits
	fresh.trail.Query, fresh.trail.Filtered = s.Pane.Details.Search.Want(), s.Pane.Trail.Filtered
	was, _ := s.state()
	fresh.was = &was
	if s.buffer != nil && s.buffer.lease != nil {
		s.buffer.lease.take()
	}
	s.w.replace(s, fresh)
	fresh.load(Target{})
}

// look finds out in the background whether the session's files have changed, unless it still does since the disk does not answer.
func (s *session) look() {
	if s.Pane == nil {
		return
	}
	if s.looking {
		s.lookForLoss()
		return
	}
	file, with, description := s.target.File, s.with, s.descriptionFiles()
	if s.file == "" || far.IsAddress(s.file) {
		file = ""
	}
	s.looking = true
	disk.Ask(s.Post, func() (now [2]fileStamp) {
		if file != "" {
			now[0] = stampOf(file, with...)
		}
		if len(description) > 0 {
			now[1] = stampOf(description[0], description[1:]...)
		}
		return now
	}, func(now [2]fileStamp) {
		s.looking = false
		if s.Pane == nil || s.ctx.Err() != nil {
			return
		}
		if file != "" {
			s.lookForChange(now[0])
		}
		if len(description) > 0 {
			s.lookForDescription(description[0], now[1])
		}
		s.lookForLoss() // which says more than that there is a change
	})
}

// lookForChange offers to reload a file that has changed, now having another stamp.
func (s *session) lookForChange(now fileStamp) {
	if now == s.stamp || now == (fileStamp{}) && s.stamp == (fileStamp{}) {
		return
	}
	s.stamp = now
	text := "The file has changed since it was opened; what is shown may be wrong."
	if now == (fileStamp{}) {
		text = "The file is not there any more; what is shown may be incomplete."
	}
	s.showNotice(text)
}

// lookForLoss says that bytes of an opened file could not be read, once for each reason.
func (s *session) lookForLoss() {
	lost := model.FailedRead(s.Pane.Doc)
	if lost == nil || lost.Error() == s.lost {
		return
	}
	s.lost = lost.Error()
	s.Log.Write("lost", s.lost)
	text := "Bytes of the file could not be read, and what is shown lacks them: " + s.lost
	if errors.As(lost, new(*far.ErrChanged)) {
		text = "The file has changed on its server since it was opened; nothing more is read of it."
	}
	s.showNotice(text)
	s.w.showWhat()
}

// showNotice shows a warning above the panes, with a button that reloads.
func (s *session) showNotice(text string) {
	label := widget.NewLabel(text)
	label.Importance = widget.WarningImportance
	s.Pane.SetNotice(theme.NewWarningThemedResource(theme.WarningIcon()), label, widget.NewButton("Reload", s.reload))
}

// formatTitle is a format's name for people.
func formatTitle(name string) string {
	if f := decoders.ByName(name); f != nil {
		return f.Title
	}
	return name
}
