//go:build !headless

package main

import (
	"cutaway/decoders"
	"cutaway/ui"
)

// openWindow opens the window with the files that args name, and returns when it is closed.
func openWindow(args []string) error {
	var targets []ui.Target
	for _, a := range args {
		t := decoders.ParseTarget(a, exists)
		file := decoders.Target{File: t.File, Inner: t.Inner, Offset: -1}.String()
		targets = append(targets, ui.Target{File: file, Path: t.Path, Offset: max(t.Offset, 0), HasOffset: t.Offset >= 0})
	}
	return ui.Run(ui.Start{Targets: targets, Version: version()})
}
