//go:build !cgo || ci || headless || nogtk

// Package sysdialog shows the system's own file dialog where the build has one.
package sysdialog

import "errors"

// Available tells whether the build has the system's dialog.
const Available = false

var errNone = errors.New("this build has no system dialog")

// OpenFile fails: this build has no such dialog.
func OpenFile(string, string) (string, error) { return "", errNone }

// OpenFolder fails: this build has no such dialog.
func OpenFolder(string, string) (string, error) { return "", errNone }
