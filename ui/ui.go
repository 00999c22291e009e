// Package ui is the window: tree, bytes and details of opened files. It knows no format by name.
package ui

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"cutaway/assets"
)

// Target is a file to open, and what to show of it.
type Target struct {
	File      string // a path, which [inner] may follow for a member of a package
	Path      string // of a node; "" for none
	Offset    int64  // in bytes, where HasOffset
	HasOffset bool
}

// errNoDisplay says that there is nothing to show a window on.
var errNoDisplay = errors.New("there is no display to show the window on (neither DISPLAY nor WAYLAND_DISPLAY is set); " +
	"use a verb instead, such as: cutaway info FILE, or see cutaway --help")

// Run opens the window with the targets, each in a tab, or with the built-in sample where there is none. It returns
// when the window is closed, or at once with an error where no window can be shown.
func Run(targets []Target) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	log, err := openLog(os.Getenv("CUTAWAY_LOG"))
	if err != nil {
		return err
	}
	// The window waits most of the time: collecting more often costs little and keeps the process a fifth smaller.
	debug.SetGCPercent(50)
	a := app.NewWithID("dev.cutaway.Cutaway")
	a.SetIcon(fyne.NewStaticResource("icon.svg", assets.Icon))
	w := newWindow(a, loadStore(storePath()), log, fyne.Do)
	for _, t := range targets {
		w.open(t)
	}
	if len(targets) == 0 {
		w.openSample()
	}
	a.Lifecycle().SetOnStarted(func() { log.write("ready") })
	w.win.ShowAndRun()
	return nil
}
