// Package files asks for a file, several files or a folder, with the system's dialog or within the window.
package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/model"
	"cutaway/ui/disk"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/sysdialog"
	"cutaway/ui/sysdialog/question"
	"cutaway/ui/treeview"
)

// A Chooser asks for files within the window: for one if the system has no dialog, or for several, which the system's
// dialog does not return.
type Chooser struct {
	*shell.Shell
	kinds   []Kind               // of the files that can be listed; without kinds all files are
	kind    int                  // the index of the listed kind
	folders bool                 // a folder is asked for
	then    func(path string)    // gets the file or folder, or nil if several files are asked for
	several func(paths []string) // gets the marked files, or nil
	take    string               // the text of the button for the marked files
	marked  []string

	stop   context.CancelFunc // ends the context of the list
	modal  *shell.Modal
	Folder string
	asked  string // the folder that is being read; Folder is the shown one
	entry  *kit.Entry
	Told   *widget.Label
	Data   *treeview.Slice[Entry]
	list   *treeview.Tree
}

// A Kind is a group of files that are listed together.
type Kind = question.Kind

// Kinds returns two kinds: the files with some endings, and all files.
func Kinds(title string, endings []string) []Kind {
	return []Kind{{Title: title, Endings: endings}, {Title: "All files"}}
}

// Choose asks for a file or a folder with the system's dialog or, if the system has none, within the window. It lists
// the folder dir first. The first of kinds is preselected; without kinds all files are listed.
func Choose(sh *shell.Shell, title, dir string, kinds []Kind, folder bool, then func(path string)) {
	q := question.Question{What: question.File, Title: title, Dir: dir, Kinds: kinds}
	if folder {
		q.What = question.Folder
	}
	answer(sh, q, func() { ChooseHere(sh, title, dir, kinds, folder, then) }, then)
}

// answer asks with the system's dialog, and calls then with the answer, or without if the system has no dialog.
func answer(sh *shell.Shell, q question.Question, without func(), then func(path string)) {
	q.Above = sh.Handle()
	go func() {
		path, err := sysdialog.Ask(q)
		sh.Post(func() {
			switch {
			case errors.Is(err, sysdialog.ErrNone):
				sh.Log.Write("own-dialog", err)
				without()
			case err != nil:
				sh.Tell("choosing a file", err)
			case path != "":
				then(path)
			}
		})
	}()
}

// ChooseHere does the same as Choose, always within the window.
func ChooseHere(sh *shell.Shell, title, dir string, kinds []Kind, folder bool, then func(path string)) *Chooser {
	c := &Chooser{Shell: sh, kinds: kinds, folders: folder, then: then}
	c.ask(title, dir)
	return c
}

// ChooseSeveral asks for several files. take is the text of the button.
func ChooseSeveral(sh *shell.Shell, title, take, dir string, kinds []Kind, then func(paths []string)) *Chooser {
	c := &Chooser{Shell: sh, kinds: kinds, several: then, take: take}
	c.ask(title, dir)
	return c
}

// ask shows the chooser.
func (c *Chooser) ask(title, dir string) {
	c.Told = widget.NewLabel("")
	c.entry = kit.NewEntry(c.cancel)
	c.Told.Truncation = fyne.TextTruncateEllipsis
	c.Data = treeview.SliceOf(c.Row)
	columns := []treeview.Column{{Title: "Name", Width: 200, Stretch: 1}, {Title: "Size", Width: 110, Mono: true, Right: true}, {Title: "Changed", Width: 140}}
	if c.several != nil {
		columns = append(columns, treeview.Column{Title: "Marked", Width: 80})
	}
	var ctx context.Context
	ctx, c.stop = context.WithCancel(context.Background())
	c.list = c.NewList(ctx, "", c.Data, columns)
	c.list.OnSelected = func(it treeview.Item) {
		if e, ok := c.Data.At(it); ok {
			c.entry.SetText(filepath.Join(c.Folder, e.Name))
		}
	}
	c.list.OnEscape = c.cancel
	c.list.OnChosen = func(it treeview.Item) {
		switch e, ok := c.Data.At(it); {
		case ok && e.IsFolder:
			c.Show(filepath.Join(c.Folder, e.Name))
		case ok && c.several != nil:
			c.Mark([]string{filepath.Join(c.Folder, e.Name)})
		default:
			c.Take(c.entry.Text)
		}
	}
	c.entry.OnSubmitted = func(path string) { c.Take(path) }
	up := kit.IconButton(theme.MoveUpIcon(), "The folder above", func() { c.Show(filepath.Dir(c.Folder)) })
	top := kit.Border(nil, c.Told, up, c.kindSelect(), c.entry)
	list := c.Sized(660, 360, c.list)
	buttons := []shell.Button{{Text: "Cancel"}, {Text: "Open", Main: true, Act: func() bool { return c.Take(c.entry.Text) }}}
	if c.several != nil {
		buttons = []shell.Button{{Text: "Mark all", Act: func() bool { c.MarkAll(); return false }}, {Text: "Cancel"},
			{Text: c.take, Main: true, Act: c.TakeMarked}}
	}
	c.modal = c.ShowModal(title, nil, kit.Border(top, nil, nil, nil, list), 0, buttons...)
	c.Show(dir)
	c.Focus(c.list)
}

// say shows an error or, if it is empty, the number of marked files.
func (c *Chooser) say(wrong string) {
	c.Told.Importance = widget.DangerImportance
	if wrong == "" && c.several != nil {
		c.Told.Importance = widget.LowImportance
		wrong = fmt.Sprintf("%s marked. A double click or Enter marks a file.", model.GroupedCount(int64(len(c.marked)), "file"))
	}
	c.Told.SetText(wrong)
}

func (c *Chooser) cancel() { c.done() }

// An Entry is a file or folder in the shown folder.
type Entry struct {
	Name     string
	IsFolder bool // or a link to one
	Size     int64
	Changed  time.Time // or zero if the time is not known
}

// read lists the files and folders of a folder, the folders first. It asks the file system.
func read(folder string) ([]Entry, error) {
	entries, err := os.ReadDir(folder)
	var list []Entry
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		one := Entry{Name: e.Name(), IsFolder: e.IsDir()}
		if info, err := e.Info(); err == nil {
			one.Size, one.Changed = info.Size(), info.ModTime()
		}
		if e.Type()&fs.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(folder, e.Name()))
			one.IsFolder = err == nil && info.IsDir()
		}
		list = append(list, one)
	}
	slices.SortStableFunc(list, func(a, b Entry) int {
		switch {
		case a.IsFolder == b.IsFolder:
			return 0
		case a.IsFolder:
			return -1
		}
		return 1
	})
	return list, err
}

// Show lists a folder.
func (c *Chooser) Show(folder string) {
	c.asked = folder
	var failed error
	disk.Ask(c.Post, func() (list []Entry) {
		list, failed = read(folder)
		return list
	}, func(list []Entry) {
		switch {
		case c.asked != folder: // another one is asked for by now
			return
		case failed != nil:
			c.say(failed.Error())
			return
		}
		c.Folder = folder
		c.say("")
		c.Data.Set(slices.DeleteFunc(list, func(e Entry) bool { return !e.IsFolder && !c.lists(e.Name) }))
		c.entry.SetText(folder)
		c.list.Recount()
	})
}

// lists reports whether a file is of the listed kind.
func (c *Chooser) lists(name string) bool {
	if len(c.kinds) == 0 || len(c.kinds[c.kind].Endings) == 0 {
		return true
	}
	return slices.Contains(c.kinds[c.kind].Endings, strings.ToLower(filepath.Ext(name)))
}

// kindSelect returns a control that selects the listed kind, or nil if there is no choice.
func (c *Chooser) kindSelect() fyne.CanvasObject {
	if len(c.kinds) < 2 || c.folders {
		return nil
	}
	var titles []string
	for _, k := range c.kinds {
		titles = append(titles, k.Title)
	}
	choice := kit.NewSelect(titles, nil)
	choice.SetSelectedIndex(0)
	choice.OnChanged = func(string) {
		c.kind = choice.SelectedIndex()
		c.Show(c.Folder)
	}
	return choice
}

// Row is the row of a file or folder.
func (c *Chooser) Row(e Entry) treeview.Row {
	r := treeview.Row{Cells: []string{e.Name, "", "", ""}}
	if slices.Contains(c.marked, filepath.Join(c.Folder, e.Name)) {
		r.Cells[3] = "marked"
	}
	if !e.Changed.IsZero() {
		r.Cells[2] = e.Changed.Format("2006-01-02 15:04")
		if !e.IsFolder {
			r.Cells[1] = model.Grouped(e.Size)
		}
	}
	if e.IsFolder {
		r.Cells[0] += string(filepath.Separator)
	}
	return r
}

// Take returns the file or folder at path to the caller of the chooser. It marks a file if several are asked for, and
// lists a folder if files are. It reports whether the chooser is done before Take returns.
func (c *Chooser) Take(path string) (done bool) {
	var failed error
	disk.Ask(c.Post, func() (info fs.FileInfo) {
		info, failed = os.Stat(path)
		return info
	}, func(info fs.FileInfo) {
		switch {
		case failed != nil:
			c.say(failed.Error())
		case info.IsDir() && !c.folders:
			c.Show(path)
		case c.folders && !info.IsDir():
			c.say(path + " is a file, not a folder")
		case c.several != nil:
			c.Mark([]string{path})
		default:
			done = true
			c.done()
			c.then(path)
		}
	})
	return done
}

func (c *Chooser) done() {
	c.modal.Hide()
	c.stop()
}

// Mark marks files, or unmarks them if all are marked.
func (c *Chooser) Mark(paths []string) {
	missing := slices.DeleteFunc(slices.Clone(paths), func(p string) bool { return slices.Contains(c.marked, p) })
	if len(missing) > 0 {
		c.marked = append(c.marked, missing...)
	} else {
		c.marked = slices.DeleteFunc(c.marked, func(p string) bool { return slices.Contains(paths, p) })
	}
	c.say("")
	c.list.Invalidate()
}

// MarkAll marks all files of the shown folder, or unmarks them if all are marked.
func (c *Chooser) MarkAll() {
	var paths []string
	for _, e := range c.Data.All() {
		if !e.IsFolder {
			paths = append(paths, filepath.Join(c.Folder, e.Name))
		}
	}
	c.Mark(paths)
}

// TakeMarked returns the marked files to the caller of the chooser, or asks for more if they are fewer than two. It
// reports whether the chooser is done.
func (c *Chooser) TakeMarked() bool {
	if len(c.marked) < 2 {
		c.say("Mark at least two files: with a double click, or Enter.")
		return false
	}
	c.done()
	c.several(c.marked)
	return true
}
