package ui

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/treeview"
)

// chooser asks for a file within the window, where the system has no dialog for it, or for several, which the system's
// does not give.
type chooser struct {
	w       *Window
	endings []string             // of the files that are listed; none: all
	folders bool                 // a folder is wanted
	then    func(path string)    // nil: several are wanted
	several func(paths []string) // gets the marked files
	marked  []string

	stop   context.CancelFunc // with the chooser
	modal  *shell.Modal
	folder string
	entry  *kit.Entry
	told   *widget.Label
	data   *treeview.Slice[fs.DirEntry]
	list   *treeview.Tree
}

func (w *Window) askForFile(title string, endings []string, folder bool, then func(path string)) *chooser {
	c := &chooser{w: w, endings: endings, folders: folder, then: then}
	c.ask(title)
	return c
}

// ask shows the chooser.
func (c *chooser) ask(title string) {
	w := c.w
	c.told = widget.NewLabel("")
	c.entry = kit.NewEntry(c.cancel)
	c.told.Truncation = fyne.TextTruncateEllipsis
	c.data = treeview.SliceOf(c.row)
	columns := []treeview.Column{{Title: "Name", Width: 200, Stretch: 1}, {Title: "Size", Width: 110, Mono: true, Right: true}, {Title: "Changed", Width: 140}}
	if c.several != nil {
		columns = append(columns, treeview.Column{Title: "Marked", Width: 80})
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(context.Background())
	c.list = w.NewList(ctx, "", c.data, columns)
	c.list.OnSelected = func(it treeview.Item) {
		if e, ok := c.data.At(it); ok {
			c.entry.SetText(filepath.Join(c.folder, e.Name()))
		}
	}
	c.list.OnEscape = c.cancel
	c.list.OnChosen = func(it treeview.Item) {
		switch e, ok := c.data.At(it); {
		case ok && isFolder(c.folder, e):
			c.show(filepath.Join(c.folder, e.Name()))
		case ok && c.several != nil:
			c.mark([]string{filepath.Join(c.folder, e.Name())})
		default:
			c.take(c.entry.Text)
		}
	}
	c.entry.OnSubmitted = func(path string) { c.take(path) }
	up := kit.IconButton(theme.MoveUpIcon(), func() { c.show(filepath.Dir(c.folder)) })
	top := container.NewBorder(nil, c.told, up, nil, c.entry)
	list := container.NewGridWrap(fyne.NewSize(660, 360), c.list)
	buttons := []shell.Button{{Text: "Cancel"}, {Text: "Open", Main: true, Act: func() bool { return c.take(c.entry.Text) }}}
	if c.several != nil {
		buttons = []shell.Button{{Text: "Mark all", Act: func() bool { c.markAll(); return false }}, {Text: "Cancel"},
			{Text: "Open as one", Main: true, Act: c.takeMarked}}
	}
	c.modal = w.ShowModal(title, nil, container.NewBorder(top, nil, nil, nil, list), 660, buttons...)
	c.show(w.lastFolder())
	w.Focus(c.list)
}

// tell says what is wrong, or, where nothing is, how many files are marked.
func (c *chooser) tell(wrong string) {
	c.told.Importance = widget.DangerImportance
	if wrong == "" && c.several != nil {
		c.told.Importance = widget.LowImportance
		wrong = fmt.Sprintf("%s marked. A double click or Enter marks a file.", model.GroupedCount(int64(len(c.marked)), "file"))
	}
	c.told.SetText(wrong)
}

func (c *chooser) cancel() { c.done() }

// show lists a folder.
func (c *chooser) show(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		c.tell(err.Error())
		return
	}
	c.folder = folder
	c.tell("")
	var rows []fs.DirEntry
	for _, dirs := range []bool{true, false} {
		for _, e := range entries {
			if isDir := isFolder(folder, e); isDir == dirs && !strings.HasPrefix(e.Name(), ".") && (isDir || c.lists(e.Name())) {
				rows = append(rows, e)
			}
		}
	}
	c.data.Set(rows)
	c.entry.SetText(folder)
	c.list.Recount()
}

// lists tells whether a file is one of those that are wanted.
func (c *chooser) lists(name string) bool {
	return len(c.endings) == 0 || slices.Contains(c.endings, strings.ToLower(filepath.Ext(name)))
}

func isFolder(folder string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := os.Stat(filepath.Join(folder, e.Name()))
	return err == nil && info.IsDir()
}

func (c *chooser) row(e fs.DirEntry) treeview.Row {
	r := treeview.Row{Cells: []string{e.Name(), "", "", ""}}
	if slices.Contains(c.marked, filepath.Join(c.folder, e.Name())) {
		r.Cells[3] = "marked"
	}
	if info, err := e.Info(); err == nil {
		r.Cells[2] = info.ModTime().Format("2006-01-02 15:04")
		if !e.IsDir() {
			r.Cells[1] = model.Grouped(info.Size())
		}
	}
	if e.IsDir() {
		r.Cells[0] += string(filepath.Separator)
	}
	return r
}

// take takes the file or folder that is wanted, or goes into a folder. It tells whether the chooser is done.
func (c *chooser) take(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		c.tell(err.Error())
		return false
	case info.IsDir() && !c.folders:
		c.show(path)
		return false
	case c.folders && !info.IsDir():
		c.tell(path + " is a file, not a folder")
		return false
	case c.several != nil:
		c.mark([]string{path})
		return false
	}
	c.done()
	c.then(path)
	return true
}

func (c *chooser) done() {
	c.modal.Hide()
	c.stop()
}

// mark marks files, or takes their marks away where all have them.
func (c *chooser) mark(paths []string) {
	missing := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(c.marked, p) })
	if len(missing) > 0 {
		c.marked = append(c.marked, missing...)
	} else {
		c.marked = slices.DeleteFunc(c.marked, func(p string) bool { return slices.Contains(paths, p) })
	}
	c.tell("")
	c.list.Invalidate()
}

// markAll marks all files of the folder that is shown.
func (c *chooser) markAll() {
	var paths []string
	for _, e := range c.data.All() {
		if !isFolder(c.folder, e) {
			paths = append(paths, filepath.Join(c.folder, e.Name()))
		}
	}
	c.mark(paths)
}

// takeMarked takes the marked files, or asks for more of them. It tells whether the chooser is done.
func (c *chooser) takeMarked() bool {
	if len(c.marked) < 2 {
		c.tell("Mark at least two files: with a double click, or Enter.")
		return false
	}
	c.done()
	c.several(c.marked)
	return true
}
