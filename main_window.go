//go:build !headless

package main

import (
	"strings"

	"cutaway/cli"
	"cutaway/decoders"
	"cutaway/ui"
)

// openWindow opens the window with the files that args name, and returns when it is closed. With alone no window that
// runs is asked to.
func openWindow(args []string, alone bool) error {
	targets, err := windowTargets(args)
	if err != nil {
		return err
	}
	return ui.Run(ui.Start{Targets: targets, Version: version(), NewWindow: alone})
}

// windowTargets reads files, each with those that are opened with it.
func windowTargets(args []string) ([]ui.Target, error) {
	var targets []ui.Target
	for i := 0; i < len(args); i++ {
		pattern, with := strings.CutPrefix(args[i], cli.WithFlag+"=")
		if args[i] == cli.WithFlag {
			i++
			pattern, with = args[i], true
		}
		if with {
			last := &targets[len(targets)-1]
			more, err := decoders.Expand(last.File, []string{pattern})
			if err != nil {
				return nil, err
			}
			last.With = append(last.With, more...)
			continue
		}
		t := decoders.ParseTarget(args[i], exists)
		file := decoders.Target{File: t.File, Inner: t.Inner, Offset: -1}.String()
		targets = append(targets, ui.Target{File: file, Path: t.Path, Offset: max(t.Offset, 0), HasOffset: t.Offset >= 0})
	}
	return targets, nil
}
