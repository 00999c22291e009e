package source

import "runtime/debug"

// guard makes memory faults of the calling goroutine recoverable. It returns the previous setting for unguard.
func guard() (before bool) { return debug.SetPanicOnFault(true) }

// unguard, when deferred, ends the guard and sets faulted after a fault in the mapping while p was filled. Other panics
// continue, so that a truncated file hides no fault of the program.
func unguard(before bool, m *mapping, p []byte, faulted *bool) {
	debug.SetPanicOnFault(before)
	r := recover()
	if r == nil {
		return
	}
	if fault, ok := r.(interface{ Addr() uintptr }); ok && m.owns(fault.Addr(), p) {
		*faulted = true
		return
	}
	panic(r)
}
