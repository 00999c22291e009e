package folder

import (
	"context"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/scan"
	"cutaway/ui/files"
	"cutaway/ui/kit"
	"cutaway/ui/phrase"
	"cutaway/ui/shell"
)

// The forms in which the table is written, and their endings.
const (
	asLines, lines = "JSON lines", ".ndjson"
	asCSV, table   = "CSV", ".csv"
)

// Export asks for a file, and writes the rows that are shown into it, in their order.
func (w *Window) Export() {
	rows := w.data.All()
	if len(rows) == 0 {
		w.tell("No files are shown")
		return
	}
	var m *shell.Modal
	path := files.NewPath(w.shell, "Choose a folder for the table", filepath.Join(filepath.Dir(w.dir), filepath.Base(w.dir)+lines))
	form := kit.NewSelect([]string{asLines, asCSV}, nil)
	form.SetSelectedIndex(0)
	form.OnChanged = func(as string) {
		plain := strings.TrimSuffix(strings.TrimSuffix(path.Text, lines), table)
		path.SetText(plain + map[string]string{asLines: lines, asCSV: table}[as])
	}
	what := widget.NewLabel(model.GroupedCount(int64(len(rows)), "file") + ", as the table shows them; each line is as cutaway scan writes it.")
	what.Wrapping = fyne.TextWrapWord
	wrong := widget.NewLabel("")
	wrong.Importance, wrong.Wrapping = widget.DangerImportance, fyne.TextWrapWord
	box := container.NewVBox(what, form, path.Object, wrong)
	start := func() bool {
		file, as := path.Text, form.Selected
		w.tasks.Go(w.ctx, "writing "+filepath.Base(file), func(ctx context.Context, _ model.Progress) func() {
			err := write(ctx, file, as, rows)
			return func() {
				if err != nil {
					wrong.SetText(phrase.Sentence(err))
					return
				}
				m.Hide()
				w.tell(model.GroupedCount(int64(len(rows)), "file") + " written to " + filepath.Base(file))
				w.shell.Log.Write("written", file, len(rows))
			}
		})
		return false
	}
	m = w.shell.ShowModal("Export the table", nil, box, 520, shell.Button{Text: "Cancel"}, shell.Button{Text: "Export", Main: true, Act: start})
	w.shell.Focus(path.Entry)
}

// write writes rows to a file that is not there yet. It asks the file system.
func write(ctx context.Context, file, as string, rows []*row) error {
	if _, err := os.Lstat(file); err == nil {
		return &os.PathError{Op: "write", Path: file, Err: os.ErrExist}
	}
	return export.ToFile(file, "", nil, func(w io.Writer) error {
		if as == asCSV {
			return writeTable(ctx, w, rows)
		}
		list := make([]*scan.File, len(rows))
		for i, r := range rows {
			list[i] = r.File
		}
		return writeLines(ctx, w, list, (*scan.File).Object)
	})
}

// writeTable writes a line of titles, and one for each row: what is known of every file, and all facts that any has.
func writeTable(ctx context.Context, to io.Writer, rows []*row) error {
	var fields []string
	there := map[string]bool{"version": true} // which has a column of its own
	compared := slices.ContainsFunc(rows, func(r *row) bool { return r.Change != "" })
	for _, r := range rows {
		for _, m := range r.Facts {
			if !there[m.Key] {
				there[m.Key] = true
				fields = append(fields, m.Key)
			}
		}
	}
	out := csv.NewWriter(to)
	for i, r := range rows {
		f := *r.File
		f.Identified = compared
		head, cells := f.Cells(ctx, fields)
		if i == 0 {
			_ = out.Write(head) // Error tells of it too
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}
