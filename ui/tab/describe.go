package tab

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"cutaway/model"
	"cutaway/model/marks"
	"cutaway/ui/document"
	"cutaway/ui/files"
	"cutaway/ui/opening"
)

// Any file can be read by a description of Kaitai Struct, and is read again when that changes.

// Described reports whether the document is read by a description.
func (t *Tab) Described() bool { return t.Pane != nil && opening.DescriptionOf(t.Pane.Doc) != "" }

// AskDescription asks for a description and reads the tab's file by it.
func (t *Tab) AskDescription() {
	files.Choose(t.shell, "Choose a Kaitai Struct description", t.Folder(), files.Kinds("Descriptions", []string{opening.DescriptionEnding}), false, t.ReadBy)
}

// ReadBy reads the tab's file by a description, in its tab.
func (t *Tab) ReadBy(file string) {
	before := t.Subject.Options
	t.Subject.Options = opening.ByDescription(file)
	t.reopen(func(err error) {
		t.Subject.Options = before
		t.shell.Tell("reading by "+filepath.Base(file), err)
	})
}

// reopen opens the file in the background and then reloads the tab; where that fails, the tab stays as it was.
func (t *Tab) reopen(failed func(error)) {
	subject, target, patch := t.Subject, t.target, t.Editor.Patch()
	t.Tasks.Always(t.ctx, "reading "+t.Title()+" again", func(ctx context.Context, progress model.Progress) func() {
		doc, err := subject.Open(ctx, target, patch, progress)
		if doc != nil {
			_ = doc.Close() // only to see whether it opens
		}
		return func() {
			switch {
			case t.Ended():
			case err != nil:
				failed(err)
			default:
				t.Reload()
			}
		}
	}, failed)
}

// descriptionFiles lists the description that the file is read by, and what it imports.
func (t *Tab) descriptionFiles() (list []string) {
	file := opening.DescriptionOf(t.Pane.Doc)
	if file == "" {
		return nil
	}
	list = append(list, file)
	if d := t.Pane.Doc.Description; d != nil {
		for _, f := range d.Files {
			list = append(list, f.Name)
		}
	}
	return list
}

// lookForDescription reads the file again when its description has changed, now having another stamp. Where the description is
// wrong, a notice says so, and the tree stays.
func (t *Tab) lookForDescription(file string, now opening.Stamp) {
	if t.describedBy == (opening.Stamp{}) {
		t.describedBy = now
	}
	if now == t.describedBy || now == (opening.Stamp{}) {
		return
	}
	t.describedBy = now
	if !opening.HasDescription(t.Subject.Options) { // it was found in a folder, or chosen in the document's settings
		t.Subject.Options = opening.ByDescription(file)
	}
	t.reopen(func(err error) {
		var wrong *model.ErrSchema
		text := err.Error()
		if errors.As(err, &wrong) && t.Pane.Text != nil {
			t.Pane.Text.Wrong(wrong.Findings)
			if t.Pane.Stage.Kind() == document.Description { // which shows the errors
				text = "The description cannot be used as it is now; the file is still shown by the one before."
			}
		}
		t.warn(text)
	})
}

// NewDescription writes a description that begins with the file's first bytes and marks, and reads the file by that.
func (t *Tab) NewDescription() {
	folder := t.Folder()
	if len(t.shell.Store.Formats) > 0 {
		folder = t.shell.Store.Formats[0]
	}
	of := filepath.Base(t.Subject.File)
	name := strings.TrimPrefix(strings.ToLower(filepath.Ext(of)), ".")
	if t.Subject.File == "" || name == "" {
		name = "unknown"
	}
	list, src := t.Pane.Lists.Kept.All(), t.Pane.Doc.Source()
	text := "It begins with the first bytes, by which files of the format may be known."
	if n := int64(len(list)); n > 0 {
		text = "It begins with the first bytes, and with " + model.GroupedCount(n, "mark") + " as fields, as far as they are on bytes of the file."
	}
	files.Writing{Title: "New description", Verb: "Create", Text: text, Path: filepath.Join(folder, name+opening.DescriptionEnding),
		Write: func(ctx context.Context, file string, _ model.Progress) error {
			text, err := marks.Description(ctx, of, src, list)
			if err != nil {
				return err
			}
			return writeNew(file, text)
		},
		Then: t.ReadBy}.Ask(t.ctx, t.shell, t.Tasks)
}

// writeNew writes a file that must not exist. It asks the file system.
func writeNew(file, text string) error {
	f, err := os.OpenFile(filepath.Clean(file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) //nolint:gosec // others may read it, as the user's settings say
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
