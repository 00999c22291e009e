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
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/source"
	"cutaway/ui/files"
	"cutaway/ui/phrase"
)

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
	patch, doc, own := e.Patch(), e.host.Doc(), e.host.File()
	replace := "" // an existing file that may be replaced
	files.Writing{Title: title, Verb: "Save", Text: text, Path: e.nameFor(what),
		Write: func(ctx context.Context, file string, progress model.Progress) error {
			if _, err := os.Stat(file); err == nil && replace != file && !export.Reads(own, doc, file) {
				replace = file
				return errors.New("there is a file of that name. Save once more to replace it")
			}
			return export.ToFile(file, own, doc, func(w io.Writer) error { return write(ctx, patch, w, progress) })
		},
		Then: func(file string) {
			e.Saved(patch)
			e.wrote(file)
			if then != nil {
				then()
			}
		}}.Ask(e.ctx, e.shell, e.tasks)
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
