package source

import "runtime/debug"

// guard makes memory faults of the calling goroutine recoverable; before is for unguard.
func guard() (before bool) { return debug.SetPanicOnFault(true) }

// unguard, when deferred, ends the guard and sets faulted after a fault in the mapping, while p was filled from it.
// Any other panic goes on, so that no real bug hides behind a file that was cut.
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
