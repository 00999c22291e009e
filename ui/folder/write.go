package folder

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/marks"
	"cutaway/scan"
	"cutaway/ui/files"
	"cutaway/ui/kit"
)

// The forms of the table, and their endings.
const (
	asLines, lines = "JSON lines", ".ndjson"
	asCSV, table   = "CSV", ".csv"
)

// Export asks for a file, and writes the rows that are shown into it, in their order.
func (p *Pane) Export() {
	rows := p.data.All()
	if len(rows) == 0 {
		p.say("No files are shown")
		return
	}
	var path *kit.Entry
	var csv atomic.Bool
	form := kit.NewSelect([]string{asLines, asCSV}, nil)
	form.SetSelectedIndex(0)
	form.OnChanged = func(as string) {
		csv.Store(as == asCSV)
		plain := strings.TrimSuffix(strings.TrimSuffix(path.Text, lines), table)
		path.SetText(plain + map[string]string{asLines: lines, asCSV: table}[as])
	}
	count := model.GroupedCount(int64(len(rows)), "file")
	path = files.Writing{Title: "Export the table", Verb: "Export", Path: filepath.Join(filepath.Dir(p.Dir), filepath.Base(p.Dir)+lines), More: form,
		Text: count + ", as the table shows them; each line is as cutaway scan writes it.",
		Write: func(ctx context.Context, file string, _ model.Progress) error {
			return write(ctx, file, csv.Load(), rows)
		},
		Then: func(file string) {
			p.say(count + " written to " + filepath.Base(file))
			p.Log.Write("written", file, len(rows))
		}}.Ask(p.Ctx, p.Shell, p.Tasks)
}

// write writes rows to a new file. It asks the file system.
func write(ctx context.Context, file string, csv bool, rows []*row) error {
	if _, err := os.Lstat(file); err == nil {
		return &os.PathError{Op: "write", Path: file, Err: os.ErrExist}
	}
	return export.ToFile(file, "", nil, func(w io.Writer) error {
		if csv {
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
			_ = out.Write(head) // Error returns it too
		}
		_ = out.Write(cells)
	}
	out.Flush()
	return out.Error()
}

// keptFile returns the file with the lines of the last look at a folder, or "" if there is no place for one.
func keptFile(dir string) string {
	state, err := marks.StateFolder()
	if err != nil {
		return ""
	}
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join(state, "folders", hex.EncodeToString(sum[:16])+".ndjson")
}

// readKept reads the lines of the last look; nil where there was none, or they cannot be read: all is looked at again then.
func readKept(file string) scan.Former {
	f, err := os.Open(filepath.Clean(file))
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	former, err := scan.Read(f)
	if err != nil {
		return nil
	}
	return former
}

// store writes the lines of a look for the next one.
func store(ctx context.Context, file string, files []*scan.File) error {
	if file == "" {
		return nil
	}
	const onlyMine = 0o700
	if err := os.MkdirAll(filepath.Dir(file), onlyMine); err != nil {
		return err
	}
	return export.ToFile(file, "", nil, func(w io.Writer) error { return writeLines(ctx, w, files, keptLine) })
}

// keptLine is the line of a file with what only this window needs again.
func keptLine(f *scan.File) model.Object {
	var titles model.Object
	for _, m := range f.Facts {
		if title := f.Titles[m.Key]; title != "" {
			titles = append(titles, model.Member{Key: m.Key, Value: model.Text(title)})
		}
	}
	return append(f.Object(), model.Member{Key: "notes", Value: model.Int(f.Found.Notes)}, model.Member{Key: "titles", Value: titles})
}

func writeLines(ctx context.Context, w io.Writer, files []*scan.File, lineOf func(*scan.File) model.Object) error {
	for _, f := range files {
		line, err := export.AppendValue(ctx, nil, lineOf(f))
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isFolder returns why a folder cannot be listed, or nil if it can.
func isFolder(dir string) error {
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "read", Path: dir, Err: errors.New("it is no folder")}
	}
	return err
}
