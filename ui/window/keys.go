package window

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/widget"

	"cutaway/ui/action"
	"cutaway/ui/kit"
	"cutaway/ui/shell"
	"cutaway/ui/tab"
)

// keyActions are done by keys alone.
func keyActions(w *Window) (all []*action.Action) {
	quiet := func(key string, do func()) { all = append(all, &action.Action{Key: key, Quiet: true, Do: do}) }
	for i := range 9 {
		quiet(fmt.Sprintf("Ctrl+%d", i+1), func() {
			if i == 8 {
				i = len(w.Pages.All) - 1
			}
			w.Pages.ShowAt(i)
		})
	}
	for i := range 9 {
		quiet(fmt.Sprintf("Alt+%d", i+1), w.open(func(t *tab.Tab) { t.Pane.Stage.ChoosePlace(i) }))
	}
	for i, menu := range []string{"F", "E", "V", "G", "T", "H"} {
		quiet("Alt+"+menu, func() { w.Actions.OpenMenu(i) })
	}
	all = append(all,
		&action.Action{ID: "go.tab.next", Title: "Next tab", Key: "Ctrl+PageDown Ctrl+Tab", Words: "file switch", Need: w.anyPage(w.anotherPage), Do: func() { w.Pages.Step(1) }},
		&action.Action{ID: "go.tab.previous", Title: "Previous tab", Key: "Ctrl+PageUp Ctrl+Shift+Tab", Words: "file switch", Need: w.anyPage(w.anotherPage), Do: func() { w.Pages.Step(-1) }})
	quiet("F9", w.open(func(t *tab.Tab) { t.Pane.Frame.Arrange(t.Pane.Frame.Arranged().Next()) }))
	quiet("Ctrl+D", w.open(keepHexTab))
	quiet("F6", w.open(func(t *tab.Tab) { t.Pane.Frame.NextPart(false) }))
	quiet("Shift+F6", w.open(func(t *tab.Tab) { t.Pane.Frame.NextPart(true) }))
	quiet("F10", func() { w.Actions.OpenMenu(0) })
	quiet("Escape", w.open(func(t *tab.Tab) { t.Pane.Escape() }))
	quiet("?", w.StartHere)
	for _, k := range PaneKeys {
		if k.In != "" {
			all = append(all, &action.Action{Title: k.In + ": " + k.Does, Do: w.showKeys, Key: ""})
		}
	}
	return all
}

// A PaneKey describes a key without an action: the widget with the keyboard takes it.
type PaneKey struct{ In, Key, Does string }

// PaneKeys are the keys of panes, cards and other windows, and those that stand for many.
var PaneKeys = []PaneKey{
	{"", "Arrows, Page, Home, End", "move in the tree or the bytes"},
	{"", "→  ←", "open or close a branch, go to the first part or the parent"},
	{"", "*", "open all siblings"},
	{"", "letters", "go to the next row whose name begins so"},
	{"", "Enter", "open or close, follow the reference of a leaf; in lists, go there; in the bytes, select what is here"},
	{"", "Shift+↑   Shift+↓", "select several rows of the tree; so does a drag over them, a click with Shift, or clicks one by one with Ctrl+Shift"},
	{"", "Ctrl+↑   Ctrl+↓   Ctrl+Space", "go on without losing them, and take a row in or out"},
	{"", "Ctrl+A", "select all rows beside this one"},
	{"", "Ctrl+C", "copy the value, the row of a list, or the bytes"},
	{"", "Ctrl+1 … Ctrl+8   Ctrl+9", "a tab by its number, the last tab"},
	{"", "Alt+1 … Alt+9", "a card of the stage by its place"},
	{"", "F6   Shift+F6", "the next part and the one before: tree, stage, bytes, card"},
	{"", "F9", "the stage and the bytes, the stage, or the bytes"},
	{"", "F10   Alt+F, E, V, G, T, H", "the menus, for the keyboard"},
	{"", "Menu   Shift+F10", "the menu of the selected row, or of the byte at the cursor"},
	{"in a picture", "Arrows, Enter", "from pixel to pixel (with Shift by 16), select its bytes"},
	{"in a picture", "+  -  0  1  r  c  a", "zoom, fit, 1:1, turn (R: to the left), next channel (C: the one before), next range"},
	{"in a picture", "Space  s  l", "play the stream or stop, those of all streams at its time, the whole window"},
	{"in a shape", "Arrows  +  -  0  .  ,", "turn (with Shift move), zoom, all of it, next point, the one before"},
	{"in a plot", "Arrows  +  -  0  Enter", "the cursor (with Shift by the least step), zoom, all of it, select the bytes there; Space plays a sound from there"},
	{"in the time bar", "Arrows  +  -  0  Home  End", "next moment and the one before (with Shift of any track), other track, zoom, all times, first, last"},
	{"", "Escape", "end the search, close the list, leave the full stage or drop the selected bytes, else back to the tree"},
	{"", "Tab", "next pane"},
	{"", "?", "start here: the first five steps, on the built-in sample"},
}

// Keys lists what keys do: those of actions, then those of panes.
func (w *Window) Keys() []action.KeyHelp {
	all := w.Actions.Keys()
	for _, k := range PaneKeys {
		if k.In != "" {
			k.Does = k.In + ": " + k.Does
		}
		all = append(all, action.KeyHelp{Key: k.Key, Does: k.Does})
	}
	return all
}

func (w *Window) showKeys() {
	grid := container.New(layout.NewFormLayout())
	for _, k := range w.Keys() {
		key := widget.NewLabel(k.Key)
		key.TextStyle.Monospace = true
		grid.Add(kit.Dense(key))
		does := widget.NewLabel(k.Does)
		does.Wrapping = fyne.TextWrapWord
		grid.Add(kit.Dense(does))
	}
	w.Shell.ShowModal("Keys", nil, kit.Padded(0, 0, 0, 14, grid), 760, shell.Button{Text: "Close", Main: true})
}

func (w *Window) showAbout() {
	text := "Opens binary files, says what they are, and shows what each byte means.\nThe opened file is never changed."
	if w.Shell.Version != "" {
		text = "Version " + w.Shell.Version + "\n\n" + text
	}
	w.Shell.TellWords("Cutaway", nil, text)
}
