package ui

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/treeview"
)

// chooser asks for a file within the window, where the system has no dialog for it.
type chooser struct {
	w       *Window
	endings []string // of the files that are listed; none: all
	folders bool     // a folder is wanted
	then    func(path string)

	modal  *modal
	folder string
	entry  *escapeEntry
	told   *widget.Label
	data   *listData[fs.DirEntry]
	list   *treeview.Tree
}

func (w *Window) askForFile(title string, endings []string, folder bool, then func(path string)) *chooser {
	c := &chooser{w: w, endings: endings, folders: folder, then: then, told: widget.NewLabel("")}
	c.entry = newEscapeEntry(c.cancel)
	c.told.Importance = widget.DangerImportance
	c.told.Truncation = fyne.TextTruncateEllipsis
	c.data = &listData[fs.DirEntry]{row: fileRow}
	c.list = treeview.NewList(c.data, []treeview.Column{{Title: "Name", Width: 200, Stretch: 1},
		{Title: "Size", Width: 110, Mono: true, Right: true}, {Title: "Changed", Width: 140}})
	c.list.SetPost(w.post)
	c.list.OnSelected = func(it treeview.Item) {
		if e, ok := c.data.at(it); ok {
			c.entry.SetText(filepath.Join(c.folder, e.Name()))
		}
	}
	c.list.OnEscape = c.cancel
	c.list.OnChosen = func(it treeview.Item) {
		if e, ok := c.data.at(it); ok && isFolder(c.folder, e) {
			c.show(filepath.Join(c.folder, e.Name()))
		} else {
			c.take(c.entry.Text)
		}
	}
	c.entry.OnSubmitted = func(path string) { c.take(path) }
	up := iconButton(theme.MoveUpIcon(), func() { c.show(filepath.Dir(c.folder)) })
	top := container.NewBorder(nil, c.told, up, nil, c.entry)
	list := container.NewGridWrap(fyne.NewSize(660, 360), c.list)
	c.modal = w.showModal(title, nil, container.NewBorder(top, nil, nil, nil, list), 660,
		modalButton{text: "Cancel"}, modalButton{text: "Open", main: true, act: func() bool { return c.take(c.entry.Text) }})
	c.show(w.lastFolder())
	w.win.Canvas().Focus(c.list)
	return c
}

func (c *chooser) cancel() { c.modal.hide() }

// show lists a folder.
func (c *chooser) show(folder string) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		c.told.SetText(err.Error())
		return
	}
	c.told.SetText("")
	c.folder = folder
	var rows []fs.DirEntry
	for _, dirs := range []bool{true, false} {
		for _, e := range entries {
			if isDir := isFolder(folder, e); isDir == dirs && !strings.HasPrefix(e.Name(), ".") && (isDir || c.lists(e.Name())) {
				rows = append(rows, e)
			}
		}
	}
	c.data.rows.Store(&rows)
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

func fileRow(e fs.DirEntry) treeview.Row {
	r := treeview.Row{Cells: []string{e.Name(), "", ""}}
	if info, err := e.Info(); err == nil {
		r.Cells[2] = info.ModTime().Format("2006-01-02 15:04")
		if !e.IsDir() {
			r.Cells[1] = grouped(info.Size())
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
		c.told.SetText(err.Error())
		return false
	case info.IsDir() && !c.folders:
		c.show(path)
		return false
	case c.folders && !info.IsDir():
		c.told.SetText(path + " is a file, not a folder")
		return false
	}
	c.modal.hide()
	c.list.Close()
	c.then(path)
	return true
}
