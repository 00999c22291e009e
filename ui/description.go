package ui

import (
	"context"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/model"
	"cutaway/ui/files"
	"cutaway/ui/kit"
)

// The window's part in descriptions of Kaitai Struct: any file can be read by one, and is read again when it changes.

const (
	schemaOption      = "schema"
	descriptionEnding = ".ksy"
)

// byDescription are the settings by which any file is read by a description.
func byDescription(file string) decoders.Options {
	return decoders.Options{Options: map[string]string{schemaOption: file}}
}

// description is the description by which the session's document is read; "": none.
func (s *session) description() string {
	if s.Pane == nil {
		return ""
	}
	for _, o := range s.Doc.Options {
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
	return kit.MenuItem("Read by a description…", "", 0, func() {
		files.Choose(w.Shell, "Choose a Kaitai Struct description", w.lastFolder(), []string{descriptionEnding}, false, s.readBy)
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
	s.tasks.Always(s.ctx, "reading "+s.Title()+" again", func(ctx context.Context, _ model.Progress) func() {
		doc, _, err := s.openDocument(ctx)
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
	})
}

// lookForDescription reads the file again when its description has changed. One that is wrong is told, and the tree stays.
func (s *session) lookForDescription() {
	file := s.description()
	if file == "" {
		return
	}
	now := stampOf(file)
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
		label := widget.NewLabel(err.Error())
		label.Importance, label.Wrapping = widget.WarningImportance, fyne.TextWrapWord
		s.SetNotice(widget.NewIcon(theme.NewWarningThemedResource(theme.WarningIcon())), label, layout.NewSpacer())
	})
}
