package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/marks"
	"cutaway/scan"
)

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
