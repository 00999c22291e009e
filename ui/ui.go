// Package ui is the window: tree, bytes and details of opened files. It knows no format by name.
package ui

import (
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"cutaway/assets"
	"cutaway/ui/eventlog"
	"cutaway/ui/opening"
	"cutaway/ui/settings"
	"cutaway/ui/window"
)

// Target is a file to open, and a place in the file.
type Target = opening.Target

// A Start says how the window opens.
type Start struct {
	Targets   []Target // or none for the built-in sample
	Version   string   // of the program
	NewWindow bool     // never hands the targets to a running window
}

// errNoDisplay says that there is nothing to show a window on.
var errNoDisplay = errors.New("there is no display to show the window on (neither DISPLAY nor WAYLAND_DISPLAY is set); " +
	"use a verb instead, such as: cutaway info FILE, or see cutaway --help")

// Run opens the window with the targets, each in a tab. It returns when the window is closed, or at once: with an error
// where no window can be shown, without one where a window that runs has taken the targets.
func Run(start Start) error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errNoDisplay
	}
	remembered := settings.Load(settings.Path())
	if remembered.Reuse && !start.NewWindow && len(start.Targets) > 0 && window.Give(start.Targets) {
		return nil
	}
	log, err := eventlog.Open(os.Getenv("CUTAWAY_LOG"))
	if err != nil {
		return err
	}
	if err := paintByMoreThreads(); err != nil {
		fyne.LogError("painting by more threads", err)
	}
	debug.SetGCPercent(400) // until the window is up, which is a tenth sooner so
	a := app.NewWithID("dev.cutaway.Cutaway")
	a.SetIcon(fyne.NewStaticResource("icon.png", assets.IconPNG))
	var over atomic.Bool
	a.Lifecycle().SetOnStopped(func() { over.Store(true) })
	w := window.New(a, remembered, log, func(f func()) {
		if !over.Load() { // Fyne would run it here and now, without a window
			fyne.Do(f)
		}
	})
	w.Shell.Version = start.Version
	if w.Shell.Store.Reuse {
		if err := w.Door.Listen(); err != nil {
			fyne.LogError("listening for files of other starts", err)
		}
	}
	w.Begin(start.Targets)
	// X11 learns the window's class from its first title. The class must be what the desktop entry names.
	w.Shell.Win.SetTitle(window.Name)
	a.Lifecycle().SetOnEnteredForeground(w.Door.Used)
	a.Lifecycle().SetOnStarted(func() { started(w) })
	w.Shell.Win.ShowAndRun()
	if !w.Closing { // a signal ended it, as when the desktop's session ends
		w.Remember()
	}
	return nil
}

// started is called once the window is up.
func started(w *window.Window) {
	// The window waits most of the time: collecting more often costs little and keeps the process a fifth smaller.
	debug.SetGCPercent(25)
	w.UpdateTitle()
	w.Shell.Log.Write("ready")
	if w.Shell.Store.Damage != "" {
		w.Shell.Notify(w.Shell.Store.Damage)
	}
}

// paintByMoreThreads has Mesa paint by two threads a core where no graphics card does: one for each are often both awakened on
// the same core, and a frame takes a third longer. Where there are many cores nothing is gained; what the user has set stays.
func paintByMoreThreads() error {
	const number, fewCores = "LP_NUM_THREADS", 8
	if _, set := os.LookupEnv(number); set || runtime.NumCPU() > fewCores {
		return nil
	}
	return os.Setenv(number, strconv.Itoa(2*runtime.NumCPU()))
}
