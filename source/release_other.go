//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package source

// release does nothing: what these systems do with such advice was not measured.
func release([]byte) {}
