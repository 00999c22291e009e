//go:build headless

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"cutaway/cli"
)

// openWindow leaves it to the program beside this one where there are two: one of Windows is either of the console or of
// the desktop, so that the command line is cutaway.com, which a console takes first, and the window cutaway.exe.
func openWindow(args []string, alone bool) error {
	self, err := os.Executable()
	if err != nil || !strings.EqualFold(filepath.Ext(self), ".com") {
		return errors.New("this build has no window; use a verb: cutaway info FILE, or cutaway --help")
	}
	if alone {
		args = append([]string{cli.NewWindowFlag}, args...)
	}
	return exec.Command(self[:len(self)-len(".com")]+".exe", args...).Start()
}
