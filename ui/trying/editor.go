package trying

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/source"
	"cutaway/ui/files"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
	"cutaway/ui/task"
)

// Host lists the functions of its tab that an editor may call.
type Host struct {
	Title  func() string
	File   func() string // of the document; "" where it is of none
	Folder func() string // where files are asked for
	Doc    func() *model.Document
	// Begins returns the offset of the document in the file, or why its bytes cannot be tried.
	Begins func() (int64, error)
	Shown  func() (*model.Source, *hexview.View)                                      // of the hex pane
	Bytes  func(ctx context.Context) (decoders.Bytes, error)                          // as they are in the file
	Opens  func() func(context.Context, *source.Patch) (*model.Document, error)       // decodes other bytes as the document is decoded now
	Tell   func(icon fyne.Resource, text *widget.Label, buttons ...fyne.CanvasObject) // above the panes
	Show   func()                                                                     // other bytes are tried, or none
	Decode func()                                                                     // the same, and they are to be decoded
	Open   func(file string)                                                          // in a tab of its own
}

// An Editor changes the bytes that are tried in a tab. They replace the file's on the screen and in decoding. They can
// be saved as a new file or as a list, but are never written to the file.
type Editor struct {
	*Edits
	shell *shell.Shell
	host  Host
	tasks *task.Group
	ctx   context.Context // of the tab
}

// NewEditor makes the editor of a tab. edits has the bytes that were tried before.
func NewEditor(ctx context.Context, sh *shell.Shell, tasks *task.Group, edits *Edits, host Host) *Editor {
	return &Editor{Edits: edits, shell: sh, host: host, tasks: tasks, ctx: ctx}
}

// Text begins the description of the file in the status bar with the number of changed bytes.
func (e *Editor) Text() string {
	switch n := e.Len(); {
	case n > 0:
		return model.GroupedCount(n, "byte") + " changed, not in the file  ·  "
	case e.On:
		return "trying bytes  ·  "
	}
	return ""
}

// Flip switches between keys that replace bytes and keys that do not.
func (e *Editor) Flip() {
	e.On = !e.On
	if e.On {
		_, view := e.host.Shown()
		e.shell.Focus(view)
		e.shell.Notify("Type over the bytes: digits, or characters in the text. The file is never written.")
	}
	e.shell.Log.Write("trying", e.On)
	e.host.Show()
}

// fileOffset returns the offset in the file of the first n bytes at off of a source, or why they cannot be changed.
func (e *Editor) fileOffset(src *model.Source, off, n int64) (int64, error) {
	from, err := e.host.Begins()
	if err != nil {
		return 0, err
	}
	at, err := FileOffset(src, off, n)
	return at + from, err
}

// Typed replaces bytes that are in the file, and decodes it anew. It reports whether they are accepted.
func (e *Editor) Typed(src *model.Source, off int64, was, now []byte) bool {
	err := errors.New("what was to be pasted is no hexadecimal digits")
	at := int64(0)
	if len(now) > 0 {
		at, err = e.fileOffset(src, off, int64(len(now)))
	}
	if err != nil {
		e.Warn(phrase.Sentence(err))
		return false
	}
	e.Put(at, was, now)
	e.host.Decode()
	return true
}

// Warn shows a warning above the panes.
func (e *Editor) Warn(text string) {
	label := widget.NewLabel(text)
	label.Importance, label.Wrapping = widget.WarningImportance, fyne.TextWrapWord
	e.host.Tell(theme.NewWarningThemedResource(theme.WarningIcon()), label)
}

// Tried returns the bytes of a source that are replaced, or nil.
func (e *Editor) Tried(src *model.Source) hexview.Over {
	by, err := e.fileOffset(src, 0, 0)
	if err != nil {
		return nil
	}
	return e.Over(by)
}

// Tries reports whether keys replace bytes.
func (e *Editor) Tries() bool { return e.On }

// StepBack undoes the last change of bytes.
func (e *Editor) StepBack() { e.step("undo", e.CanUndo(), e.Undo) }

// StepOn redoes the last change that was undone.
func (e *Editor) StepOn() { e.step("redo", e.CanRedo(), e.Redo) }

func (e *Editor) step(what string, can bool, do func() int64) {
	if !can {
		e.shell.Notify("nothing to " + what)
		return
	}
	at := do()
	src, view := e.host.Shown()
	if by, err := e.fileOffset(src, 0, 0); err == nil && at >= by && at-by < src.Size() {
		view.SetCursor(at - by)
		view.Reveal(at-by, 1)
	}
	e.host.Decode()
}

// ReplaceAll changes all bytes that are tried.
func (e *Editor) ReplaceAll(p *source.Patch) {
	e.Replace(p)
	e.host.Decode()
}

// AskForList asks for a patch list, and replaces all that was tried by it.
func (e *Editor) AskForList() {
	files.Choose(e.shell, "Choose a patch list", e.host.Folder(), nil, false, e.ReadList)
}

// ReadList replaces all that was tried by a patch list.
func (e *Editor) ReadList(path string) {
	e.tasks.Try(e.ctx, "reading "+filepath.Base(path), func(ctx context.Context, _ model.Progress) (func(), error) {
		f, err := os.Open(filepath.Clean(path))
		if err != nil {
			return nil, err
		}
		defer func() { _ = f.Close() }() // it was only read
		p, err := source.ReadPatch(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		base, err := e.host.Bytes(ctx)
		if err != nil {
			return nil, err
		}
		defer func() { _ = base.Close() }()
		if p, err = p.Learn(ctx, base); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		return func() {
			e.ReplaceAll(p)
			e.Saved(p)
		}, nil
	})
}
