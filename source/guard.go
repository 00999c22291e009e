package source

import "runtime/debug"

// guard makes memory faults of the calling goroutine recoverable until the function that it returns is called, which
// must be deferred. That one sets faulted after a fault at an address that is ours; any other panic goes on, so that
// no real bug hides behind a file that was cut.
func guard(faulted *bool, ours func(addr uintptr) bool) func() {
	before := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(before)
		r := recover()
		if r == nil {
			return
		}
		if fault, ok := r.(interface{ Addr() uintptr }); ok && ours(fault.Addr()) {
			*faulted = true
			return
		}
		panic(r)
	}
}
