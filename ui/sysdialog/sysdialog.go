// Package sysdialog shows the system's own file dialog, if the system has one.
package sysdialog

import (
	"errors"

	"cutaway/ui/sysdialog/question"
)

// ErrNone reports that the system has no dialog: this build links none, or the program that shows it is not installed.
var ErrNone = errors.New("the system's file dialog is not there")

// Ask asks for a file or a folder and returns its path, or "" if the user cancels. It blocks until the dialog is
// closed.
func Ask(q question.Question) (string, error) { return ask(q) }
