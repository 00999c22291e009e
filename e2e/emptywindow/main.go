//go:build e2e

// Emptywindow shows a window of Cutaway's size with nothing in it, for comparing memory, or with EMPTYWINDOW=list Fyne's
// list of many short rows, for comparing how it scrolls. It logs as Cutaway does when the window is there.
package main

import (
	"fmt"
	"os"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/widget"
)

func main() {
	a := app.NewWithID("dev.cutaway.Empty")
	w := a.NewWindow("Empty")
	w.Resize(fyne.NewSize(1360, 860))
	if os.Getenv("EMPTYWINDOW") == "list" {
		w.SetContent(widget.NewList(func() int { return 100_000 }, func() fyne.CanvasObject { return widget.NewLabel("") },
			func(i widget.ListItemID, o fyne.CanvasObject) { o.(*widget.Label).SetText("row " + strconv.Itoa(i)) }))
	}
	a.Lifecycle().SetOnStarted(func() {
		if err := os.WriteFile(os.Getenv("CUTAWAY_LOG"), []byte("ready\n"), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	})
	w.ShowAndRun()
}
