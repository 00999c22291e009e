// Package sysdialog shows the system's own file dialog where there is one.
package sysdialog

import "errors"

// ErrNone says that there is no dialog of the system's: this build has none, or what shows it is not installed.
var ErrNone = errors.New("the system's file dialog is not there")

// OpenFile asks for a file, beginning in dir. It returns "" when the user changes their mind, and blocks until the
// dialog is closed.
func OpenFile(title, dir string) (string, error) { return ask(question{"file", title, dir, ""}) }

// OpenFolder asks for a folder, as OpenFile asks for a file.
func OpenFolder(title, dir string) (string, error) { return ask(question{"folder", title, dir, ""}) }

// SaveFile asks for the name of a file to be written, as OpenFile asks for a file; name is what is proposed. Where there
// is such a file, the dialog asks whether it is to be replaced.
func SaveFile(title, dir, name string) (string, error) {
	return ask(question{"save", title, dir, name})
}

// question is what is asked for: a "file", a "folder", or a file to "save".
type question struct{ what, title, dir, name string }
