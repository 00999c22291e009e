//go:build !unix

package handover

import "os"

// isPrivate returns an error if the folder does not exist. Windows itself keeps others out of the user's folder for
// temporary files.
func isPrivate(folder string) error {
	_, err := os.Stat(folder)
	return err
}

// refused returns false, so that no socket is removed: the error of a socket without a listener is not known here.
func refused(error) bool { return false }
