// Package sysdialog shows the system's own file dialog where there is one.
package sysdialog

import (
	"errors"

	"cutaway/ui/sysdialog/question"
)

// ErrNone says that there is no dialog of the system's: this build has none, or what shows it is not installed.
var ErrNone = errors.New("the system's file dialog is not there")

// Ask asks for a file or a folder. It returns "" when the user changes their mind, and blocks until the dialog is closed.
func Ask(q question.Question) (string, error) { return ask(q) }
