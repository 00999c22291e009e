package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"cutaway/decoders"
	"cutaway/ui/files"
	"cutaway/ui/shell"
)

// openSeveral opens files that were named together: as one document, if they can be one and the user says so, else
// each in a tab.
func (w *Window) openSeveral(paths []string) {
	each := func() {
		for _, path := range paths {
			w.open(Target{File: path})
		}
	}
	format := decoders.Together(paths)
	if format == nil {
		each()
		return
	}
	words := widget.NewLabel(fmt.Sprintf("These %d files can be one document, in which they follow one another in the order of their names, or a tab each.", len(paths)))
	words.Wrapping = fyne.TextWrapWord
	w.ShowModal("Open as one?", nil, words, 460, shell.Button{Text: "Cancel"},
		shell.Button{Text: "A tab each", Act: func() bool { each(); return true }},
		shell.Button{Text: "As one", Main: true, Act: func() bool { w.openAsOne(paths); return true }})
	w.Log.Write("asked", "together", len(paths))
}

// openAsOne opens files as one document.
func (w *Window) openAsOne(paths []string) { w.open(targetOf(paths)) }

// chooseSeveral asks for files and opens them as one document. The system's dialog gives one file only, so that the
// window's own is used.
func (w *Window) chooseSeveral() {
	files.ChooseSeveral(w.Shell, "Open several as one", "Open as one", w.lastFolder(), files.Kinds("Files that can be one", decoders.TogetherEndings()), w.openAsOne)
}
