//go:build headless

package main

import "errors"

// openWindow says that this build has no window.
func openWindow([]string, bool) error {
	return errors.New("this build has no window; use a verb: cutaway info FILE, or cutaway --help")
}
