package trying

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/hexview"
	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/inspect"
	"cutaway/source"
	"cutaway/ui/files"
	"cutaway/ui/kit"
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

// longestTyped is the maximum length of the bytes of a value that can be typed.
const longestTyped = 64 << 10

// A change holds the bytes that encode a typed value.
type change struct {
	at       int64 // in the file
	was, now []byte
}

// ChangeValue asks for another value of a node and replaces the node's bytes by its encoding in the type of the field. Where the format
// can, it writes a new file instead.
func (e *Editor) ChangeValue(p *model.Place) {
	if p == nil || !e.CanChange(p.Fresh(e.ctx)) {
		return
	}
	p = p.Fresh(e.ctx) // it may have been selected before it was decoded
	if e.isWritten(p) {
		e.askForFile(p)
		return
	}
	text, _ := Text(p.Node.Value)
	span := p.Node.Span()
	at, err := e.fileOffset(span.Source, span.Off, span.Len)
	if err != nil {
		e.Warn(phrase.Sentence(err))
		return
	}
	opens, patch := e.host.Opens(), e.Patch()
	says := func(ctx context.Context, c change, want model.Value) bool {
		doc, err := opens(ctx, patch.Put(c.at, c.now, c.was))
		if err != nil {
			return false
		}
		again, err := doc.Lookup(ctx, p.Path())
		ok := err == nil && Says(again.Node.Value, want)
		_ = doc.Close() // it was only read
		return ok
	}
	what := fmt.Sprintf("%s, %s at %s. The file is never written.", p.Node.Type, phrase.Bytes(span.Len), phrase.Hex(span.Off))
	e.askForValue("Change "+p.Label(), what, text, nil, func(ctx context.Context, text string, _ bool) (change, error) {
		return changeOf(ctx, p.Node.Value, span, at, text, says)
	})
}

// changeOf finds the bytes that give a node the typed value. It tries the possible encodings, and says reports
// whether the file then decodes to that value. at is the offset of the node's bytes in the file.
func changeOf(ctx context.Context, v model.Value, span model.Span, at int64, text string, says func(context.Context, change, model.Value) bool) (change, error) {
	if span.Len > longestTyped {
		return change{}, errors.New("it is too long: type over its bytes")
	}
	was, err := span.Source.Bytes(ctx, span.Off, span.Len)
	if err != nil {
		return change{}, err
	}
	list, want, err := Encodings(v, was, span.Mask, text)
	if err != nil {
		return change{}, err
	}
	for _, now := range list {
		if c := (change{at, was, now}); says(ctx, c, want) {
			return c, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		return change{}, ctx.Err()
	case len(list) == 1: // with these bytes the field may have another type or path
		return change{at, was, list[0]}, nil
	}
	return change{}, errors.New("no bytes are found by which it has this value: type over them")
}

// ChangeReading asks for the value that a row of the inspector should read, and replaces the bytes by its encoding.
func (e *Editor) ChangeReading(src *model.Source, at int64, row inspect.Row) {
	if !CanRead(row.Name) {
		e.shell.Notify(row.Name + " cannot be typed: type over the bytes")
		return
	}
	var orders []string
	if row.Ordered {
		orders = []string{"Little endian", "Big endian"}
	}
	off, err := e.fileOffset(src, at, 1)
	if err != nil {
		e.Warn(phrase.Sentence(err))
		return
	}
	what := fmt.Sprintf("At %s in %s. The file is never written.", phrase.Hex(at), src.Title())
	e.askForValue("Change "+row.Name, what, "", orders, func(ctx context.Context, text string, big bool) (change, error) {
		now, err := Reading(row.Name, big, text)
		if err != nil {
			return change{}, err
		}
		was, err := src.Bytes(ctx, at, int64(len(now)))
		return change{off, was, now}, err
	})
}

// askForValue asks for a value and, if orders are given, for one of them. It makes the change that find returns.
func (e *Editor) askForValue(title, what, text string, orders []string, find func(ctx context.Context, text string, big bool) (change, error)) {
	help, told := widget.NewLabel(what), widget.NewLabel("")
	help.Wrapping, told.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	told.Importance = widget.DangerImportance
	order := kit.NewSelect(orders, nil)
	order.SetSelectedIndex(0)
	var m *shell.Modal
	value := kit.NewEntry(func() { m.Hide() })
	value.SetText(text)
	act := func() bool {
		typed, big := value.Text, orders != nil && order.Selected == orders[1]
		e.tasks.Go(e.ctx, "changing a value", func(ctx context.Context, _ model.Progress) func() {
			c, err := find(ctx, typed, big)
			return func() {
				if err != nil {
					told.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				e.On = true
				e.Put(c.at, c.was, c.now)
				e.host.Decode()
			}
		})
		return false
	}
	box := container.NewVBox(help, value)
	if orders != nil {
		box.Add(order)
	}
	box.Add(told)
	m = e.shell.ShowModal(title, nil, box, 460, shell.Button{Text: "Cancel"}, shell.Button{Text: "Change", Main: true, Act: act})
	e.shell.Focus(value)
	value.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// SaveAs asks for a name and writes a new file with the bytes that are tried. It then calls then, if that is not nil.
func (e *Editor) SaveAs(then func()) {
	e.save("Save as a new file", "-changed", fmt.Sprintf("All of the file, with %s changed.", model.GroupedCount(e.Len(), "byte")),
		func(ctx context.Context, patch *source.Patch, w io.Writer, progress model.Progress) error {
			base, err := e.host.Bytes(ctx)
			if err != nil {
				return err
			}
			defer func() { _ = base.Close() }() // it was only read
			r, err := patch.Over(base)
			if err != nil {
				return err
			}
			return copyAll(ctx, w, model.NewFileSource(e.host.Title(), r), progress)
		}, then)
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

// patchEnding is the file name ending of patch lists.
const patchEnding = ".patch"

// SaveList asks for a name and writes the bytes that are tried as a list.
func (e *Editor) SaveList() {
	text := fmt.Sprintf("A list of %s: in each line an offset and the bytes that are to be there. It is read by Edit › Bytes tried › Read patch list… and by --patch of the command line.", model.GroupedCount(e.Len(), "byte"))
	name, size := e.host.Title(), e.host.Doc().Source().Root().Size()
	e.save("Save patch list", patchEnding, text, func(_ context.Context, patch *source.Patch, w io.Writer, _ model.Progress) error {
		if _, err := fmt.Fprintf(w, "# %s, %d bytes\n", strings.ReplaceAll(name, "\n", " "), size); err != nil {
			return err
		}
		return patch.Write(w)
	}, nil)
}

// save asks for the name of a file and writes it, whole or not at all, and never over the one that is open. The
// proposed name contains what. save calls then, if that is not nil, once the file is written.
func (e *Editor) save(title, what, text string, write func(ctx context.Context, patch *source.Patch, w io.Writer, progress model.Progress) error, then func()) {
	patch := e.Patch()
	files.Writing{Title: title, Verb: "Save", Text: text, Path: e.nameFor(what),
		Write: e.toFile(func(ctx context.Context, w io.Writer, progress model.Progress) error {
			return write(ctx, patch, w, progress)
		}),
		Then: func(file string) {
			e.Saved(patch)
			e.wrote(file)
			if then != nil {
				then()
			}
		}}.Ask(e.ctx, e.shell, e.tasks)
}

// toFile returns a function that writes a file, whole or not at all, and never over the one that is open. It replaces another file only
// at the second call. The function asks the file system.
func (e *Editor) toFile(write func(ctx context.Context, w io.Writer, progress model.Progress) error) func(context.Context, string, model.Progress) error {
	doc, own := e.host.Doc(), e.host.File()
	replace := "" // an existing file that may be replaced
	return func(ctx context.Context, file string, progress model.Progress) error {
		if _, err := os.Stat(file); err == nil && replace != file && !export.Reads(own, doc, file) {
			replace = file
			return errors.New("there is a file of that name. Save once more to replace it")
		}
		return export.ToFile(file, own, doc, func(w io.Writer) error { return write(ctx, w, progress) })
	}
}

// nameFor proposes the name of a file in the folder of the open one: its name with what added.
func (e *Editor) nameFor(what string) string {
	base := e.host.File()
	if base == "" {
		base = e.host.Title()
	}
	ext := filepath.Ext(base)
	name := strings.TrimSuffix(filepath.Base(base), ext) + what
	if what == patchEnding {
		name = filepath.Base(base) + what
	} else {
		name += ext
	}
	return filepath.Join(e.host.Folder(), name)
}

// wrote reports a saved file, above the panes.
func (e *Editor) wrote(path string) {
	e.shell.Log.Write("saved", path)
	row := []fyne.CanvasObject{widget.NewButton("Copy path", func() { e.shell.App.Clipboard().SetContent(path) })}
	if filepath.Ext(path) != patchEnding {
		row = append(row, widget.NewButton("Open it", func() { e.host.Open(path) }))
	}
	e.host.Tell(theme.NewSuccessThemedResource(theme.ConfirmIcon()), widget.NewLabel("Saved as "+phrase.Short(path, 100)), row...)
}
