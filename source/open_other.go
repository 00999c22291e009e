//go:build !windows

package source

import "os"

// openShared opens a file for reading so that others may write, rename and delete it meanwhile.
func openShared(path string) (*os.File, error) { return os.Open(path) }
