//go:build !windows

package cli

import "io"

// enableColour reports whether a terminal shows colours; all do.
func enableColour(io.Writer) bool { return true }
