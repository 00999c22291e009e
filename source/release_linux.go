package source

import "syscall"

// release lets go of the pages of a mapped file. That it cannot be done costs memory only.
func release(mapped []byte) { _ = syscall.Madvise(mapped, syscall.MADV_DONTNEED) }
