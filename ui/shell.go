package ui

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/task"
	"cutaway/ui/treeview"
)

// shell is what every pane may use of the window: its goroutine, dialogs, clipboard, keyboard and log, and what it
// remembers. All but post belongs on the UI goroutine.
type shell struct {
	app    fyne.App
	win    fyne.Window
	post   func(func())
	store  *store
	log    *eventLog
	notify func(text string) // in the status bar

	saving bool
	told   bool // that nothing can be remembered
}

// tell tells of an error in the window.
func (w *shell) tell(what string, err error) {
	if what == "" {
		what = "error"
	}
	w.tellWords(strings.ToUpper(what[:1])+what[1:], theme.NewErrorThemedResource(theme.ErrorIcon()), err.Error())
}

// tellWords shows a text that needs no answer.
func (w *shell) tellWords(title string, icon fyne.Resource, text string) {
	label := widget.NewLabel(text)
	label.Wrapping = fyne.TextWrapWord
	label.Selectable = true
	w.showModal(title, icon, label, 440, modalButton{text: "Close", main: true})
}

// focus gives the keyboard to a widget.
func (w *shell) focus(o fyne.Focusable) { w.win.Canvas().Focus(o) }

// copyText puts text into the clipboard and says what it is.
func (w *shell) copyText(text, what string) {
	w.app.Clipboard().SetContent(text)
	w.notify(what + " copied")
	w.log.write("copied", what, len(text))
}

// save writes what is remembered, a moment later and once for several changes.
func (w *shell) save() {
	if w.saving {
		return
	}
	w.saving = true
	time.AfterFunc(time.Second, func() {
		w.post(func() {
			w.saving = false
			w.remembered(w.store.save())
		})
	})
}

// remembered tells, once, that nothing can be remembered.
func (w *shell) remembered(err error) {
	if err != nil && !w.told {
		w.told = true
		w.tell("remembering recent files and the window", err)
	}
}

// newList makes a list whose column widths are remembered under name; "": they are not. It ends with ctx, which must be
// before the file is closed.
func (w *shell) newList(ctx context.Context, name string, data treeview.Data, columns []treeview.Column) *treeview.Tree {
	t := treeview.NewList(ctx, data, columns)
	w.remember(name, t)
	return t
}

// remember gives a tree or list the widths that its columns had, and keeps them when they change.
func (w *shell) remember(name string, t *treeview.Tree) {
	t.SetPost(w.post)
	if name == "" {
		return
	}
	defaults := t.Widths()
	t.SetWidths(w.store.Columns[name])
	t.OnColumns = func(widths []float32) {
		for i := range widths {
			if widths[i] == defaults[i] {
				widths[i] = 0 // not the user's choice, and another file may want another width
			}
		}
		w.store.Columns[name] = widths
		w.save()
	}
}

// newFilter is a field that filters a list while it is typed in; Enter and ↓ go to the list, Escape empties it.
func (w *shell) newFilter(list *treeview.Tree, apply func(text string)) *escapeEntry {
	var e *escapeEntry
	toList := func() { w.focus(list) }
	e = newEscapeEntry(func() {
		e.SetText("")
		toList()
	})
	e.key = func(name fyne.KeyName) bool {
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

// logField tells an end-to-end test where a field is that got the keyboard, once it is on the screen.
func (w *shell) logField(name string, o fyne.CanvasObject) {
	w.logLater(task.ShownAfter, func() {
		at, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
		w.log.write("field", name, at.X, at.Y, size.Width, size.Height)
	})
}

// logLater logs what is on the screen a while later.
func (w *shell) logLater(wait time.Duration, write func()) {
	if w.log.f != nil {
		time.AfterFunc(wait, func() { w.post(write) })
	}
}
