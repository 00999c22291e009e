//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package source

// release does nothing: the effect of such advice on these systems was not measured.
func release([]byte) {}
