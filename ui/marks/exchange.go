package marks

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"cutaway/model"
	"cutaway/model/export"
	"cutaway/model/marks"
	"cutaway/ui/files"
)

// Notes returns the marks for a report on the file.
func (p *Pane) Notes() (list []export.Note) {
	for i := range p.all {
		r := &p.all[i]
		list = append(list, export.Note{Where: r.Where(), Text: r.Text, Colour: r.Colour, Type: r.typ, Value: r.held, Gone: r.gone})
	}
	return list
}

// folder returns the folder where file dialogs begin.
func (p *Pane) folder() string { return filepath.Dir(p.host.File()) }

// Import asks for a file of marks, as Export and notes --json write them, and adds these.
func (p *Pane) Import() {
	files.Choose(p.Shell, "Choose marks to import", p.folder(), files.Kinds("Marks", []string{".json", ".ndjson", ".jsonl"}), false, p.importFrom)
}

// importFrom adds the marks of a file, which replace those with the same ids.
func (p *Pane) importFrom(path string) {
	var list []marks.Mark
	p.changeThen("importing "+filepath.Base(path), func(s *marks.Store, identity, file string) error {
		f, err := os.Open(filepath.Clean(path))
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // it was only read
		if list, err = marks.Read(f); err != nil {
			return err
		}
		return s.Add(identity, file, list...)
	}, func() {
		p.host.ShowMarks()
		p.Notify(model.GroupedCount(int64(len(list)), "mark") + " imported")
	})
}

// Export asks for a file, and writes the marks that the list shows into it, a JSON object a line.
func (p *Pane) Export() {
	rows := p.data.All()
	if len(rows) == 0 {
		p.Notify("There are no marks")
		return
	}
	count := model.GroupedCount(int64(len(rows)), "mark")
	files.Writing{Title: "Export marks", Verb: "Export", Path: p.host.File() + ".marks.json",
		Text:  count + ", as the list shows them; cutaway notes --import reads them too.",
		Write: func(ctx context.Context, file string, _ model.Progress) error { return p.write(ctx, file, rows) },
		Then:  func(file string) { p.Notify(count + " written to " + filepath.Base(file)) }}.Ask(p.Ctx, p.Shell, p.Tasks)
}

// write writes marks to a new file. It asks the file system.
func (p *Pane) write(ctx context.Context, file string, rows []row) error {
	if _, err := os.Lstat(file); err == nil {
		return &os.PathError{Op: "write", Path: file, Err: os.ErrExist}
	}
	return export.ToFile(file, p.host.File(), p.Doc, func(w io.Writer) error {
		for i := range rows {
			line, err := export.AppendValue(ctx, nil, rows[i].Object(rows[i].held, rows[i].gone != ""))
			if err == nil {
				_, err = w.Write(append(line, '\n'))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}
