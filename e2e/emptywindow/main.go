//go:build e2e

// Emptywindow shows a window of Cutaway's size with nothing in it, for comparing memory. It logs as Cutaway does when
// the window is there.
package main

import (
	"fmt"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
)

func main() {
	a := app.NewWithID("dev.cutaway.Empty")
	w := a.NewWindow("Empty")
	w.Resize(fyne.NewSize(1360, 860))
	a.Lifecycle().SetOnStarted(func() {
		if err := os.WriteFile(os.Getenv("CUTAWAY_LOG"), []byte("ready\n"), 0o600); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	})
	w.ShowAndRun()
}
