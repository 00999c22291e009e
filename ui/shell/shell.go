// Package shell provides the window to its panes: dialogs, clipboard, keyboard, lists, log, settings.
package shell

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/theme"

	"cutaway/ui/eventlog"
	"cutaway/ui/kit"
	"cutaway/ui/settings"
	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// Shell is the window as its panes use it: goroutine, dialogs, clipboard, keyboard, log and settings. All but Post belongs on
// the UI goroutine.
type Shell struct {
	App    fyne.App
	Win    fyne.Window
	Post   func(func())
	Store  *settings.Store
	Log    *eventlog.Log
	Notify func(text string) // in the status bar
	// Version is the program's, or "" if it is not known.
	Version string
	// Uncounted says that the sizes of nodes are counted only when they are asked for, as of large files.
	Uncounted bool

	saving bool
	told   bool // that nothing can be remembered
}

// Tell shows an error in a dialog.
func (w *Shell) Tell(what string, err error) {
	if what == "" {
		what = "error"
	}
	w.TellWords(strings.ToUpper(what[:1])+what[1:], theme.NewErrorThemedResource(theme.ErrorIcon()), err.Error())
}

// TellWords shows a text that needs no answer.
func (w *Shell) TellWords(title string, icon fyne.Resource, text string) {
	label := kit.NewSelectable(text)
	label.Wrapping = fyne.TextWrapWord
	w.ShowModal(title, icon, label, 440, Button{Text: "Close", Main: true})
}

// Handle returns the number of the X11 window, or 0 on other systems.
func (w *Shell) Handle() (id uintptr) {
	if native, ok := w.Win.(driver.NativeWindow); ok {
		native.RunNative(func(context any) {
			if x, ok := context.(driver.X11WindowContext); ok {
				id = x.WindowHandle
			}
		})
	}
	return id
}

// Covered reports whether a dialog, or a menu at the pointer, is over the window.
func (w *Shell) Covered() bool { return w.Win.Canvas().Overlays().Top() != nil }

// MenuItem is an item of the window's own menus. Fyne does what its key means also under a dialog; this one does nothing there.
func (w *Shell) MenuItem(label string, key fyne.KeyName, mod fyne.KeyModifier, act func()) *fyne.MenuItem {
	return kit.MenuItem(label, key, mod, w.Uncovered(act))
}

// AddKey gives the window a key that no item of its menus has. It means nothing under a dialog.
func (w *Shell) AddKey(key fyne.Shortcut, act func()) {
	act = w.Uncovered(act)
	w.Win.Canvas().AddShortcut(key, func(fyne.Shortcut) { act() })
}

// Uncovered does something unless the window is covered.
func (w *Shell) Uncovered(act func()) func() {
	return func() {
		if !w.Covered() {
			act()
		}
	}
}

// Focus gives the keyboard to a widget.
func (w *Shell) Focus(o fyne.Focusable) { w.Win.Canvas().Focus(o) }

// CopyText puts text into the clipboard and says what it is.
func (w *Shell) CopyText(text, what string) {
	w.App.Clipboard().SetContent(text)
	w.Notify(what + " copied")
	w.Log.Write("copied", what, len(text))
}

// Save writes what is remembered, a moment later and once for several changes.
func (w *Shell) Save() {
	if w.saving {
		return
	}
	w.saving = true
	time.AfterFunc(time.Second, func() {
		w.Post(func() {
			w.saving = false
			w.Remembered(w.Store.Save())
		})
	})
}

// ShowColumns gives a list that is kept by name its columns, and hidden ones no room.
func (w *Shell) ShowColumns(name string, t *treeview.Tree, columns []treeview.Column, hidden ...int) {
	of, widths := slices.Clone(columns), slices.Clone(w.Store.Columns[name])
	for _, i := range hidden {
		of[i] = treeview.Column{}
		if len(widths) > i {
			widths[i] = 0
		}
	}
	t.SetColumns(of)
	t.SetWidths(widths)
}

// Remembered shows, once, that nothing can be remembered.
func (w *Shell) Remembered(err error) {
	if err != nil && !w.told {
		w.told = true
		w.Tell("remembering recent files and the window", err)
	}
}

// NewList makes a list whose column widths are remembered under name, unless that is "". It ends with ctx, which must be
// before the file is closed.
func (w *Shell) NewList(ctx context.Context, name string, data treeview.Data, columns []treeview.Column) *treeview.Tree {
	t := treeview.NewList(ctx, data, columns)
	w.Remember(name, t)
	return t
}

// Remember gives a tree or list the widths that its columns had, and keeps them when they change.
func (w *Shell) Remember(name string, t *treeview.Tree) {
	t.SetPost(w.Post)
	if name == "" {
		return
	}
	defaults := t.Widths()
	t.SetWidths(w.Store.Columns[name])
	t.OnColumns = func(widths []float32) {
		for i := range widths {
			if widths[i] == defaults[i] {
				widths[i] = 0 // not the user's choice, and another file may want another width
			}
		}
		w.Store.Columns[name] = widths
		w.Save()
	}
}

// NewFilter makes a field that filters a list while it is typed in; Enter and ↓ go to the list, Escape empties it.
func (w *Shell) NewFilter(list *treeview.Tree, apply func(text string)) *kit.Entry {
	var e *kit.Entry
	toList := func() { w.Focus(list) }
	e = kit.NewEntry(func() {
		e.SetText("")
		toList()
	})
	e.Key = func(name fyne.KeyName) bool {
		if name == fyne.KeyDown {
			toList()
		}
		return name == fyne.KeyDown
	}
	e.SetPlaceHolder("Filter")
	e.OnChanged = apply
	e.OnSubmitted = func(string) { toList() }
	return e
}

// LogField logs the place of a field that got the keyboard, once it is on the screen, for end-to-end tests.
func (w *Shell) LogField(name string, o fyne.CanvasObject) {
	w.LogLater(task.ShownAfter, func() {
		at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
		w.Log.Write("field", name, at.X, at.Y, size.Width, size.Height)
	})
}

// LogLater logs what is on the screen a while later.
func (w *Shell) LogLater(wait time.Duration, write func()) {
	if w.Log.On() {
		time.AfterFunc(wait, func() { w.Post(write) })
	}
}
