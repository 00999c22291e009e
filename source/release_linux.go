package source

import "syscall"

// release releases the pages of a mapped file. A failure only costs memory.
func release(mapped []byte) { _ = syscall.Madvise(mapped, syscall.MADV_DONTNEED) }
